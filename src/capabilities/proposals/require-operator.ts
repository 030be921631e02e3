import type { OperatorRow } from '#capabilities/operators/row.ts';
import { lockOperators } from '#capabilities/operators/store.ts';
import type { OperatorId } from '#capabilities/proposals/row.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Caller } from '#foundation/http/caller.ts';
import type { OperatorRole } from '#foundation/http/operator-rule.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/**
 * Locks an operator who acts, so that a suspension or a lost role waits for this commit or prevents it: the session was
 * read before.
 */
export async function requireOperator(
  tx: Tx,
  id: OperatorId,
  roles: readonly OperatorRole[],
): Promise<OperatorRow> {
  const row = (await lockOperators(tx, [id])).get(id);
  if (row?.status === 'ACTIVE' && roles.some((role) => row.roles.includes(role))) return row;
  throw new Refusal('FORBIDDEN', 'You may not do this any more.', { roles });
}

/** The operator behind a session; only they have proposals. */
export function operatorOf(caller: Caller): OperatorId {
  const id = parseId('Operator', caller.id, 'full');
  if (id === undefined) throw new Refusal('FORBIDDEN', 'This call needs the session of an operator.');
  return id;
}
