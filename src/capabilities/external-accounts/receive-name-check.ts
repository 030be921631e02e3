import { lockExternalAccount, setNameCheck } from '#capabilities/external-accounts/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { NameCheckResult } from '#foundation/ports/name-check.ts';

/**
 * Records the result of a name check (accounts.md §4.6). The first one counts; a result for an account that was deleted
 * meanwhile changes nothing.
 */
export async function receiveNameCheck(
  tx: Tx,
  id: ExternalAccountId,
  { status, fullName }: NameCheckResult,
): Promise<void> {
  if (status === 'PENDING') return;
  const row = await lockExternalAccount(tx, id);
  if (row?.name_check === 'PENDING') await setNameCheck(tx, row, status, fullName);
}
