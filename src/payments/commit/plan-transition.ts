import { Change, type ReadTx } from '#database/tx.ts';
import type { SharedPlan } from '#http/plan.ts';
import type { Answer } from '#http/reply.ts';
import { applyTransition } from '#payments/commit/apply.ts';
import { refusalOf } from '#payments/commit/commit-refusals.ts';
import type { Transition } from '#payments/machine/draft.ts';

/** The plan that commits a transition, together with strangers' changes. */
export function planTransition<Body>(
  tx: ReadTx,
  transition: Transition,
  answer: Answer<Body>,
): SharedPlan<Body> {
  const change = new Change(tx);
  applyTransition(change, transition);
  return { change, answer, refused: (reason) => refusalOf(tx, transition, reason) };
}
