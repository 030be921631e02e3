import type { OperatorCaller } from '#foundation/http/caller.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import type { Clock } from '#foundation/lib/clock.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/** How long a proof of presence lasts (operator.md §3.4). */
export const STEP_UP_MS = 5 * 60 * 1000;

/**
 * Refuses an operator whose roles do not allow the call, and one who has to prove presence first. The command line has no
 * session: a person who has the database can do anything anyway (operator.md §7.1).
 */
export function checkOperator(
  { operator }: Pick<NamedOperation, 'operator'>,
  { roles: own, session }: OperatorCaller,
  clock: Clock,
): Refusal | undefined {
  if (!operator || !session) return undefined;
  const { roles, stepUp } = operator;
  if (!roles.some((role) => own.includes(role))) {
    const last = roles.at(-1);
    const named = roles.length === 1 ? last : `${roles.slice(0, -1).join(', ')} or ${last}`;
    return new Refusal('FORBIDDEN', `This call needs an operator with the role ${named}.`, { roles });
  }
  const provedAt = session.steppedUpAt?.getTime() ?? 0;
  if (!stepUp || provedAt > clock.now() - STEP_UP_MS) return undefined;
  return new Refusal(
    'STEP_UP_REQUIRED',
    'This call needs a fresh proof that you are present: confirm again.',
  );
}
