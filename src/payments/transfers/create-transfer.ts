import type { ReadTx } from '#database/tx.ts';
import type { SharedPlan } from '#http/plan.ts';
import { planTransition } from '#payments/commit/plan-transition.ts';
import type { Draft } from '#payments/machine/draft.ts';
import { presentTransaction } from '#payments/present-transaction.ts';
import type { IncomingTransaction, OutgoingTransaction } from '#payments/schemas.ts';

/** The plan that makes a transfer and sets it going. */
export function prepareTransfer(
  tx: ReadTx,
  draft: Draft,
): SharedPlan<IncomingTransaction | OutgoingTransaction> {
  const transition = draft.finish();
  if (!transition) throw new Error('a new row is always a transition');
  return planTransition(tx, transition, presentTransaction(tx, transition.row, tx.now));
}

/** Where the whole balance was asked for and has changed meanwhile, what is there by now is taken. */
export function takingAll<Body>(plan: SharedPlan<Body>): SharedPlan<Body> {
  return {
    ...plan,
    async refused(reason) {
      const refusal = await plan.refused?.(reason);
      return refusal?.code === 'INSUFFICIENT_FUNDS' ? undefined : refusal;
    },
  };
}
