import { applyOperationNotice } from '#capabilities/stablecoins/operations/apply.ts';
import { isOpen, type OperationRow } from '#capabilities/stablecoins/operations/row.ts';
import { findOperation } from '#capabilities/stablecoins/operations/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound, refuse } from '#foundation/lib/refusals.ts';

export interface OperatorEnd {
  readonly operationId: Id<'StablecoinOperation'>;
  /** The outcome at the provider, as the operator learned it. */
  readonly status: 'COMPLETED' | 'FAILED';
  /** The reason, for the audit log. */
  readonly reason: string;
}

/**
 * stablecoins.md §5.11: ends a mint or burn that the provider cannot be asked about any more, because the account there
 * is gone. It proceeds as if the provider had reported the outcome.
 */
export async function endByOperator(
  tx: Tx,
  { operationId, status, reason }: OperatorEnd,
): Promise<OperationRow> {
  const row = await findOperation(tx, operationId);
  if (!row) throw notFound('STABLECOIN_OPERATION_NOT_FOUND', 'StablecoinOperation');
  if (!isOpen(row)) refuse('CONFLICT', `The operation is already ${row.status}.`, { status: row.status });
  const action = `stablecoin operation ${status === 'COMPLETED' ? 'complete' : 'fail'}`;
  const fact = { resource: publicId('StablecoinOperation', operationId), customerId: row.customer_id };
  audit(tx, { action, ...fact, details: { reason } });
  const providerStatus = row.provider_status ?? 'unknown';
  return applyOperationNotice(
    tx,
    operationId,
    status === 'COMPLETED'
      ? { kind: 'completed', providerStatus }
      : { kind: 'failed', providerStatus, reason: 'PROVIDER_CANCELED' },
  );
}
