import { saveDisabledCurrency } from '#capabilities/platform/platform-store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

/**
 * Disables one of the platform's own currencies: requests and jobs that start after the commit begin no new movements in
 * it (stablecoins.md §8.4). Disabling it again changes nothing. The database refuses a code that is not the platform's
 * own, because that is a mistake of the calling code.
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
