import { loadPrivate, openPrivate, type Private } from '#capabilities/payments/details.ts';
import { followKey, JOB, type Phase } from '#capabilities/payments/machine/jobs.ts';
import { isForwarded } from '#capabilities/payments/machine/uma.ts';
import { isCollecting, isPaying, type TransactionRow } from '#capabilities/payments/row.ts';
import { receiveReports } from '#capabilities/payments/settlement/notices.ts';
import { buildCollection, buildPayout, buildRefund } from '#capabilities/payments/settlement/orders.ts';
import { findTransactions } from '#capabilities/payments/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import {
  batchHandler,
  type CallHandler,
  concerning,
  type JobDeclarations,
  type JobMeaning,
} from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import type { RailAnswer, RailNotice, RailsPort } from '#foundation/ports/payments.ts';

/**
 * The work after the commit: sending orders to the rails, and polling them. A job does nothing if its transaction no
 * longer needs it.
 */

export interface AnsweredOrder {
  readonly id: TransactionId;
  readonly phase: Phase;
  readonly answer: RailAnswer;
}

/** Applies the notices in the answers, and schedules the follow-ups that the rails request. */
export async function applyAnswers(tx: Tx, answered: readonly AnsweredOrder[]): Promise<void> {
  await receiveReports(
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
  readonly id: TransactionId;
}

/** Submits the orders of a batch of jobs at once, for those transactions that still need them. */
function submitter(
  phase: Phase,
  isNeeded: (row: TransactionRow) => boolean,
  submit: (work: Work, row: TransactionRow, facts: Private) => Promise<RailAnswer>,
): CallHandler {
  return batchHandler(async (work, jobs) => {
    const ids = jobs.map((job) => (job.payload as TransactionPayload).id);
    const opened = await work.read(async (tx) => {
      const rows = (await findTransactions(tx, ids)).filter(isNeeded);
      await loadPrivate(tx, rows);
      return rows.map((row) => ({ row, facts: openPrivate(tx.vault, row) }));
    });
    const answered = await Promise.all(
      opened.map(async ({ row, facts }) => ({
        ...{ id: row.id, phase },
        answer: withoutPickUp(row, await submit(work, row, facts)),
      })),
    );
    return (tx) => applyAnswers(tx, answered);
  });
}

/** Only a transfer waits for the rail to accept it; an executed quote is already `PROCESSING`. */
function withoutPickUp(row: TransactionRow, answer: RailAnswer): RailAnswer {
  if (row.kind === 'TRANSFER') return answer;
  return { ...answer, notices: answer.notices.filter(({ kind }) => kind !== 'accepted') };
}

const pay = submitter(
  'pay',
  (row) => isPaying(row) || isForwarded(row),
  (work, row, facts) => work.ports.rails.pay(buildPayout(facts, row)),
);

const collect = submitter('collect', isCollecting, (work, row, facts) =>
  work.ports.rails.collect(buildCollection(facts, row)),
);

const refund = submitter(
  'refund',
  (row) => row.refund_status === 'PENDING',
  (work, row, facts) => work.ports.rails.refund(buildRefund(facts, row)),
);

/** The party to poll: the sender's provider, or a rail. */
function chooseFollowUp(work: Work, phase: Phase): RailsPort['follow'] {
  const { rails, counterparties } = work.ports;
  return phase === 'receive' ? counterparties.followOffer : rails.follow;
}

interface FollowPayload extends TransactionPayload {
  readonly phase: Phase;
  readonly token: string;
}

const follow = batchHandler(async (work, jobs) => {
  const answered = await Promise.all(
    jobs.map(async (job) => {
      const { id, phase, token } = job.payload as FollowPayload;
      return { id, phase, answer: await chooseFollowUp(work, phase)(id, token) };
    }),
  );
  return (tx) => applyAnswers(tx, answered);
});

/** Says what the rail will report. Only a simulated rail knows in advance. */
const tellFollowUp: JobMeaning = (job, { rails }) => {
  const { phase, token } = job.payload as FollowPayload;
  const [next] = rails.foresee?.(token) ?? [];
  const tell = next ? REPORTS[next.kind] : QUESTIONS[phase];
  return concerning('Transaction', tell)(job);
};

const QUESTIONS: Readonly<Record<Phase, (id: string) => string>> = {
  pay: (id) => `The service asks the rail about the payout of ${id}.`,
  collect: (id) => `The service asks the rail about the collection of ${id}.`,
  refund: (id) => `The service asks the rail about the refund of ${id}.`,
  receive: (id) => `The service asks the sender’s provider for the money of ${id}.`,
};

/** Each notice of a rail in a sentence. */
const REPORTS: Readonly<Record<RailNotice['kind'], (id: string) => string>> = {
  accepted: (id) => `The rail accepts the order for ${id}.`,
  delivered: (id) => `The rail reports the payout of ${id} as settled.`,
  payoutFailed: (id) => `The rail reports the payout of ${id} as failed.`,
  returned: (id) => `The receiver’s bank returns the money of ${id}.`,
  collected: (id) => `The rail reports the collection of ${id} as settled.`,
  collectionFailed: (id) => `The rail reports the collection of ${id} as failed.`,
  collectionReversed: (id) => `The payer’s bank reverses the collection of ${id}.`,
  cancelled: (id) => `The rail reports ${id} as cancelled.`,
  refunded: (id) => `The rail reports the refund of ${id} as settled.`,
  refundFailed: (id) => `The rail reports the refund of ${id} as failed.`,
  held: (id) => `A compliance review holds ${id}.`,
  released: (id) => `The compliance review releases ${id}.`,
  arrived: (id) => `The money of ${id} arrives.`,
  complianceRejected: (id) => `The compliance review rejects ${id}.`,
};

export const settlementJobs: JobDeclarations = {
  [JOB.pay]: {
    ...pay,
    due: concerning('Transaction', (id) => `The service orders the payout of ${id} from the rail.`),
  },
  [JOB.collect]: {
    ...collect,
    due: concerning('Transaction', (id) => `The service orders the collection of ${id} from the rail.`),
  },
  [JOB.refund]: {
    ...refund,
    due: concerning('Transaction', (id) => `The service orders the refund of ${id} from the rail.`),
  },
  [JOB.follow]: { ...follow, due: tellFollowUp },
};
