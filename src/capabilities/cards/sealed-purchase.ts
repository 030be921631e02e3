import type { CardRow } from '#capabilities/cards/card-row.ts';
import type { CardTransactionRow, StoredCardTransaction } from '#capabilities/cards/transaction-row.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Merchant } from '#foundation/ports/cards.ts';

/** Stands for every merchant of an erased holder. It is never stored. */
export const ERASED_MERCHANT: Merchant = Object.freeze({ descriptor: 'erased' });

/** The holder of a card, with whose key a merchant is sealed. */
export type Cardholder = Pick<CardRow, 'customer_id' | 'is_erased'>;

/** The values of a card transaction that are sealed, as JSON. */
interface SealedPurchase {
  readonly platformCustomerId: string;
  readonly merchant: Merchant;
}

/**
 * Seals the personal values of a card transaction. Null for an erased holder: nothing that names the holder is stored
 * any more.
 */
export function sealPurchase(vault: PersonVault, row: CardTransactionRow): Buffer | null {
  const { id, customer_id, platform_customer_id: platformCustomerId, merchant } = row;
  if (merchant === ERASED_MERCHANT) return null;
  const sealed: SealedPurchase = { platformCustomerId, merchant };
  return vault.sealFor([customer_id], JSON.stringify(sealed), contextOf(id));
}

/** Opens the card transactions of one read. The keys of several people are fetched in one trip. */
export async function openPurchases(
  { vault, runtime }: Pick<ReadTx, 'vault' | 'runtime'>,
  rows: readonly StoredCardTransaction[],
): Promise<CardTransactionRow[]> {
  if (rows.length > 1) await runtime.personKeys.loadFor(rows.map(({ details }) => details));
  return rows.map((row) => openPurchase(vault, row));
}

export function openPurchase(vault: PersonVault, stored: StoredCardTransaction): CardTransactionRow {
  const { details, platform_customer_id, merchant, ...row } = stored;
  const sealed = details === null ? undefined : vault.openKept(details, contextOf(row.id));
  const opened = sealed === undefined ? undefined : (JSON.parse(sealed) as SealedPurchase);
  return {
    ...row,
    platform_customer_id: opened?.platformCustomerId ?? platform_customer_id ?? row.customer_id,
    merchant: opened?.merchant ?? merchant ?? ERASED_MERCHANT,
  };
}

function contextOf(id: TransactionId): string {
  return `card_transactions.details:${id}`;
}

/** Seals the merchant of a notice. Null for an erased holder. */
export function sealMerchant(
  vault: PersonVault,
  { customer_id, is_erased: isErased }: Cardholder,
  noticeId: string,
  merchant: Merchant,
): Buffer | null {
  if (isErased || merchant === ERASED_MERCHANT) return null;
  return vault.sealFor([customer_id], JSON.stringify(merchant), noticeContextOf(noticeId));
}

export function openMerchant(vault: PersonVault, noticeId: string, sealed: Buffer | null): Merchant {
  const text = sealed === null ? undefined : vault.openKept(sealed, noticeContextOf(noticeId));
  return text === undefined ? ERASED_MERCHANT : (JSON.parse(text) as Merchant);
}

function noticeContextOf(noticeId: string): string {
  return `card_messages.merchant:${noticeId}`;
}
