import type { Tx } from '#database/tx.ts';
import type { Work } from '#database/work.ts';
import { type CallHandler, inOneCall, type JobHandlers } from '#jobs/handlers.ts';
import { schedule } from '#jobs/schedule.ts';
import { followKey, JOB, type Phase } from '#payments/machine/jobs.ts';
import { isForwarded } from '#payments/machine/uma.ts';
import { isCollecting, isPaying, type TransactionRow } from '#payments/row.ts';
import { takeReports } from '#payments/settlement/notices.ts';
import { collectionOf, payoutOf, refundOf } from '#payments/settlement/orders.ts';
import { findTransactions } from '#payments/store.ts';
import type { RailAnswer, RailsPort } from '#rails/payments.ts';

/** What payments do after their commits. Each job names its transaction; what it finds there decides. */

/** What a rail answered about a transaction, and in which phase of it. */
export interface Answered {
  readonly id: string;
  readonly phase: Phase;
  readonly answer: RailAnswer;
}

/** Takes the notices into the machine and keeps the rail's wish to be asked again. */
export async function takeAnswers(tx: Tx, answered: readonly Answered[]): Promise<void> {
  await takeReports(
    tx,
    answered
      .filter(({ answer }) => answer.notices.length > 0)
      .map(({ id, answer }) => ({ reference: id, notices: answer.notices })),
  );
  for (const { id, phase, answer } of answered) {
    if (!answer.again) continue;
    const { afterMs, token } = answer.again;
    schedule(tx, { kind: JOB.follow, key: followKey(id, phase), afterMs, payload: { id, phase, token } });
  }
}

interface TransactionPayload {
  readonly id: string;
}

/** Hands orders to the rail: for transactions that still want it, all of a batch in one go. */
function submitter(
  phase: Phase,
  isWanted: (row: TransactionRow) => boolean,
  submit: (work: Work, row: TransactionRow) => Promise<RailAnswer>,
): CallHandler {
  return inOneCall(async (work, jobs) => {
    const ids = jobs.map((job) => (job.payload as TransactionPayload).id);
    const rows = await work.read((tx) => findTransactions(tx, ids));
    const answered = await Promise.all(
      rows
        .filter(isWanted)
        .map(async (row) => ({ id: row.id, phase, answer: fitting(row, await submit(work, row)) })),
    );
    return (tx) => takeAnswers(tx, answered);
  });
}

/** Only a transfer waits to be picked up; a quote is processing from its execution on. */
function fitting(row: TransactionRow, answer: RailAnswer): RailAnswer {
  if (row.kind === 'TRANSFER') return answer;
  return { ...answer, notices: answer.notices.filter(({ kind }) => kind !== 'accepted') };
}

const pay = submitter(
  'pay',
  (row) => isPaying(row) || isForwarded(row),
  (work, row) => work.ports.rails.pay(payoutOf(work.runtime.vault, row)),
);

const collect = submitter('collect', isCollecting, (work, row) =>
  work.ports.rails.collect(collectionOf(work.runtime.vault, row)),
);

const refund = submitter(
  'refund',
  (row) => row.refund_status === 'PENDING',
  (work, row) => work.ports.rails.refund(refundOf(work.runtime.vault, row)),
);

/** Who promised more: the sender's provider, or a rail. */
function followerOf(work: Work, phase: Phase): RailsPort['follow'] {
  const { rails, counterparties } = work.ports;
  return phase === 'receive' ? counterparties.followOffer : rails.follow;
}

interface FollowPayload extends TransactionPayload {
  readonly phase: Phase;
  readonly token: string;
}

const follow = inOneCall(async (work, jobs) => {
  const answered = await Promise.all(
    jobs.map(async (job) => {
      const { id, phase, token } = job.payload as FollowPayload;
      return { id, phase, answer: await followerOf(work, phase)(id, token) };
    }),
  );
  return (tx) => takeAnswers(tx, answered);
});

export const settlementJobs: JobHandlers = {
  [JOB.pay]: pay,
  [JOB.collect]: collect,
  [JOB.refund]: refund,
  [JOB.follow]: follow,
};
