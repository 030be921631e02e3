import type { Work } from '#database/work.ts';
import type { CallHandler, Effect, Job, JobHandlers, RunHandler } from '#jobs/handlers.ts';
import { takeAnswers } from '#payments/jobs.ts';
import { JOB } from '#payments/machine/jobs.ts';
import { isSettling } from '#payments/machine/uma.ts';
import { takeQuietly } from '#payments/notices.ts';
import { openPrivate } from '#payments/private.ts';
import type { TransactionRow } from '#payments/row.ts';
import { findTransactions } from '#payments/store.ts';
import type { AcceptedOffer } from '#rails/counterparties.ts';

/** What incoming UMA payments do after their commits; following up is the work of all payments. */

/** Tells the sender's provider that it may pay. */
async function receiveMany(work: Work, jobs: readonly Job[]): Promise<Effect> {
  const { counterparties } = work.ports;
  const rows = await work.read((tx) => findTransactions(tx, jobs.map(idOf)));
  const answered = await Promise.all(
    rows.filter(isAwaited).map(async (row) => ({
      id: row.id,
      phase: 'receive' as const,
      answer: await counterparties.acceptOffer(offerOf(work, row)),
    })),
  );
  return (tx) => takeAnswers(tx, answered);
}

function isAwaited(row: TransactionRow): boolean {
  return isSettling(row) && row.funding_hash === null && row.pending_reason === null;
}

function offerOf({ surroundings: { vault } }: Work, row: TransactionRow): AcceptedOffer {
  return {
    reference: row.id,
    senderAddress: row.source_uma ?? '',
    receiverAddress: row.destination_uma ?? undefined,
    amount: row.receiving_amount,
    currency: row.receiving_currency,
    payeeData: openPrivate(vault, row).receiverCustomerInfo ?? {},
  };
}

function idOf(job: Job): string {
  return (job.payload as { id: string }).id;
}

const receive: CallHandler = { call: (work, job) => receiveMany(work, [job]), many: receiveMany };

/** money.md §7.2: no call came in time. */
const decide: RunHandler = {
  async run(tx, job) {
    const notice = { kind: 'approvalFailed', reason: 'PAYMENT_APPROVAL_TIMED_OUT' } as const;
    await takeQuietly(tx, [{ reference: idOf(job), notices: [notice] }]);
  },
};

export const incomingJobs: JobHandlers = { [JOB.receive]: receive, [JOB.decide]: decide };
