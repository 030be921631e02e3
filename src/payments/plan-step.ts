import { Change, type ReadTx } from '#database/tx.ts';
import type { SharedPlan } from '#http/plan.ts';
import type { Answer } from '#http/reply.ts';
import { applyStep } from '#payments/apply.ts';
import { refusalOf } from '#payments/execution-refusals.ts';
import type { Step } from '#payments/machine/draft.ts';

/** The plan that commits a step, together with strangers' changes. */
export function planStep<Body>(tx: ReadTx, step: Step, answer: Answer<Body>): SharedPlan<Body> {
  const change = new Change(tx);
  applyStep(change, step);
  return { change, answer, refused: (reason) => refusalOf(tx, step, reason) };
}
