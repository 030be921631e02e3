import { loadFunding, openFunding } from '#capabilities/accounts/funding-instructions.ts';
import type { PaymentInstruction } from '#capabilities/accounts/payment-instruction-schemas.ts';
import type { InternalAccount } from '#capabilities/accounts/schemas.ts';
import type { AccountRow } from '#capabilities/accounts/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** Presents the accounts of one page. The keys that open their instructions are fetched in one trip. */
export async function presentAccounts(tx: ReadTx, rows: readonly AccountRow[]): Promise<InternalAccount[]> {
  await loadFunding(tx, rows);
  return rows.map((row) => presentInternalAccount(tx, row));
}

/** The account as every reply and event shows it. */
export function presentInternalAccount(tx: ReadTx, row: AccountRow): InternalAccount {
  return {
    id: publicId('InternalAccount', row.id),
    ...(row.customer_id !== null && { customerId: publicId('Customer', row.customer_id) }),
    type: row.type,
    status: row.status,
    balance: presentAmount(row.available, row.currency, tx.platform.ownCurrencies),
    totalBalance: presentAmount(row.total, row.currency, tx.platform.ownCurrencies),
    fundingPaymentInstructions: presentInstructions(tx, row),
    ...(row.type === 'EMBEDDED_WALLET' && { privateEnabled: row.private_enabled }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function presentInstructions(tx: ReadTx, row: AccountRow): PaymentInstruction[] {
  if (row.funding_count === 0) return [];
  const shown = openFunding(tx, row).instructions.slice(0, row.funding_count);
  return shown.map(({ instructionsNotes, accountOrWalletInfo }) => ({
    ...(instructionsNotes !== undefined && { instructionsNotes }),
    isPlatformAccount: row.customer_id === null,
    accountOrWalletInfo,
  }));
}
