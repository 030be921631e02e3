import { operatorOf } from '#capabilities/proposals/require-operator.ts';
import type { AttentionKind, AttentionReader } from '#foundation/database/attention.ts';
import type { Caller } from '#foundation/http/caller.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import type { OperatorRole } from '#foundation/lib/operator-roles.ts';
import { invalidFields, refuse } from '#foundation/lib/refusals.ts';

/** The parts that the operations about work need. */
export interface WorkParts {
  /** All kinds of items, in display order. */
  workKinds(): readonly AttentionKind[];
  operatorOperations(): readonly NamedOperation[];
}

/** Returns the kinds that are work of the caller's roles. */
export function kindsOf(parts: WorkParts, caller: Caller): readonly AttentionKind[] {
  return parts.workKinds().filter(({ roles }) => hasRole(caller, roles));
}

/** Returns the kind of this name. Refuses if it does not exist, or is the work of other roles. */
export function requireKind(parts: WorkParts, caller: Caller, name: string, field: string): AttentionKind {
  const kinds = parts.workKinds();
  const kind = kinds.find((one) => one.name === name);
  if (!kind) {
    const message = `needs a kind of ${kinds.map((one) => one.name).join(', ')}`;
    throw invalidFields([{ field, message }]);
  }
  const { roles } = kind;
  if (!hasRole(caller, roles)) refuse('FORBIDDEN', `These items are for ${roles.join(', ')}.`, { roles });
  return kind;
}

/** The calling operator, with the operations that this operator may do and that can need a second one. */
export function readerOf(parts: WorkParts, caller: Caller): AttentionReader {
  const own = parts
    .operatorOperations()
    .filter(({ operator }) => operator?.two && hasRole(caller, operator.roles));
  return { operatorId: operatorOf(caller), operations: own.map(({ id }) => id) };
}

function hasRole(caller: Caller, roles: readonly OperatorRole[]): boolean {
  return caller.kind === 'operator' && caller.roles.some((role) => roles.includes(role));
}
