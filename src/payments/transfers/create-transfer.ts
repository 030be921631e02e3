import { Change, type ReadTx } from '#database/tx.ts';
import type { Work } from '#database/work.ts';
import { accompany, companionOf, endIfReplayed } from '#http/request-work.ts';
import { Refusal } from '#lib/refusals.ts';
import { applyStep } from '#payments/apply.ts';
import { refusalOf } from '#payments/execution-refusals.ts';
import type { Draft } from '#payments/machine/draft.ts';
import { presentTransaction } from '#payments/present-transaction.ts';
import type { IncomingTransaction, OutgoingTransaction } from '#payments/schemas.ts';

/** A transfer whose fields were judged, and how it becomes a draft: reads only, refuses by throwing. */
export interface TransferPlan {
  plan(tx: ReadTx): Promise<Draft>;
  /** The whole balance was asked for: where it changed meanwhile, what is there by now is taken. */
  readonly takesAll?: boolean;
}

const ATTEMPTS_MAX = 20;

/** Makes a transfer and sets it going: one commit, shared with other callers'. On a refusal nothing is stored. */
export async function createTransfer(
  work: Work,
  { plan, takesAll = false }: TransferPlan,
): Promise<IncomingTransaction | OutgoingTransaction | Refusal> {
  await endIfReplayed(work);
  const companion = companionOf(work);
  return work.read(async (tx) => {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const step = (await plan(tx)).finish();
      if (!step) throw new Error('a new row is always a step');
      const transaction = presentTransaction(tx, step.row, tx.now);
      const reply = { status: 201, body: JSON.stringify(transaction) };
      const change = new Change(tx);
      applyStep(change, step);
      accompany(change, companion, reply);
      const reason = await tx.surroundings.commit(change);
      if (!reason) return transaction;
      const refusal = await refusalOf(tx, step, reason);
      if (refusal && !(takesAll && refusal.code === 'INSUFFICIENT_FUNDS')) return refusal;
      await endIfReplayed(work, companion);
    }
    throw new Refusal(
      'SERVICE_UNAVAILABLE',
      'Too many calls change the same data at once. Retry in a moment.',
    );
  });
}
