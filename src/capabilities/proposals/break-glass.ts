import { breakGlassUsed } from '#capabilities/proposals/announcements.ts';
import {
  type BreakGlassRow,
  insertBreakGlass,
  lockBreakGlass,
  markAcknowledged,
} from '#capabilities/proposals/break-glass-store.ts';
import { realNow } from '#capabilities/proposals/machine.ts';
import { requireOperator } from '#capabilities/proposals/require-operator.ts';
import type { OperatorId } from '#capabilities/proposals/row.ts';
import { audit } from '#foundation/audit/audit.ts';
import { onPlatform, type Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { notFound, refuse } from '#foundation/lib/refusals.ts';

export interface BreakGlassUse {
  readonly operation: string;
  /** The public id of the resource that the operation is about. */
  readonly resource: string | undefined;
  /** The operator in whose name it is done, if one is named. */
  readonly operator: OperatorId | null;
  readonly reason: string;
}

/**
 * Records, in the commit of the operation, that a command did at once what needs a second operator: an audit row of its own
 * kind, a mail for each admin, and a row that stands until another operator has acknowledged it (operator.md §7.2). The
 * reason is in the audit row, sealed like every text about a person.
 */
export async function recordBreakGlass(tx: Tx, use: BreakGlassUse): Promise<Id<'BreakGlass'>> {
  const { operation, resource, operator, reason } = use;
  const id = tx.newId('BreakGlass');
  await insertBreakGlass(tx, {
    ...{ id, platform_id: tx.platformId, operation, resource: resource ?? null },
    ...{ made_by: tx.actor.id, operator, created_at: realNow(tx) },
  });
  audit(tx, {
    ...{ action: 'break-glass', resource: publicId('BreakGlass', id), customerId: null },
    details: { operation, ...(resource !== undefined && { about: resource }), reason },
  });
  await announce(tx, breakGlassUsed, id);
  return id;
}

/** Acknowledges a use, which needs another operator with a role that may do the operation. */
export async function acknowledgeBreakGlass(
  tx: Tx,
  operations: readonly NamedOperation[],
  id: Id<'BreakGlass'>,
  { operator, reason }: { readonly operator: OperatorId; readonly reason: string },
): Promise<BreakGlassRow> {
  const row = await lockBreakGlass(tx, id);
  if (!row) throw notFound('NOT_FOUND', 'BreakGlass');
  const roles = operations.find((one) => one.id === row.operation)?.operator?.roles ?? [];
  const { email } = await requireOperator(tx, operator, roles);
  if (row.operator === operator || row.made_by.toLowerCase() === email.toLowerCase())
    refuse('FORBIDDEN', 'Another operator has to acknowledge what was done in your name.');
  if (row.acknowledged_at) refuse('CONFLICT', 'It is acknowledged already.');
  const resource = publicId('BreakGlass', id);
  const { platform_id: platformId } = row;
  const there = platformId === INSTALLATION.id ? tx : onPlatform(tx, { ...tx.platform, id: platformId });
  audit(there, { action: 'break-glass acknowledge', resource, customerId: null, details: { reason } });
  return markAcknowledged(tx, id, operator, realNow(tx));
}
