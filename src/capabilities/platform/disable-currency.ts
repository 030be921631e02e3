import { saveDisabledCurrency } from '#capabilities/platform/platform-store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

/**
 * From the commit on, requests and jobs that start find one of the platform's own currencies disabled: nothing new
 * moves in it (stablecoins.md B.8.4). Once more changes nothing. A code that is not the platform's own is a mistake of
 * the caller's, which the database refuses.
 */
export async function disableCurrency(tx: Tx, code: string): Promise<void> {
  if (await saveDisabledCurrency(tx, code, true)) tell(tx, 'currency disable', code);
}

export async function enableCurrency(tx: Tx, code: string): Promise<void> {
  if (await saveDisabledCurrency(tx, code, false)) tell(tx, 'currency enable', code);
}

function tell(tx: Tx, action: string, code: string): void {
  audit(tx, { action, resource: publicId('Platform', tx.platformId), details: { code } });
}
