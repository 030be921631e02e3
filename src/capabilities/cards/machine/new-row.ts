import type { CardRow } from '#capabilities/cards/card-row.ts';
import { ERASED_MERCHANT } from '#capabilities/cards/sealed-purchase.ts';
import type {
  CardTransactionRow,
  ComparedLimits,
  FixedCardTransaction,
} from '#capabilities/cards/transaction-row.ts';
import type { Changes } from '#foundation/database/tx.ts';
import type { Merchant } from '#foundation/ports/cards.ts';

/** The owner of a row: the card, and the account that pays or is paid. */
export interface RowOwner {
  readonly card: Pick<CardRow, 'id' | 'customer_id' | 'currency'> & Partial<Pick<CardRow, 'is_erased'>>;
  readonly platformCustomerId: string;
  readonly account: { readonly id: AccountId; readonly currency: string };
}

export interface RowTraits extends Pick<FixedCardTransaction, 'direction' | 'kind' | 'token'> {
  readonly merchant: Merchant;
  readonly amount: bigint;
  readonly originalId?: TransactionId | undefined;
  readonly confirmedAt?: Date | undefined;
  readonly limits?: ComparedLimits | null | undefined;
}

/** A row that is not stored and not decided yet: most of its fields are fixed now (cards.md §6.5). */
export function newRow(
  { platformId, now }: Pick<Changes, 'platformId' | 'now'>,
  id: TransactionId,
  { card, platformCustomerId, account }: RowOwner,
  { direction, kind, token, merchant, amount, originalId, confirmedAt, limits }: RowTraits,
): CardTransactionRow {
  return {
    platform_id: platformId,
    id,
    card_id: card.id,
    customer_id: card.customer_id,
    platform_customer_id: platformCustomerId,
    account_id: account.id,
    account_currency: account.currency,
    direction,
    kind,
    currency: card.currency,
    merchant: card.is_erased ? ERASED_MERCHANT : merchant,
    token,
    original_id: originalId ?? null,
    declined_reason: null,
    confirmed_at: confirmedAt ?? null,
    limits: limits ?? null,
    created_at: now,
    status: 'AUTHORIZED',
    authorized_amount: amount,
    settled_amount: null,
    hold: 0n,
    receivable: 0n,
    returned: 0n,
    is_reversed: false,
    hold_expires_at: null,
    entries: 0,
    updated_at: now,
    version: 0n,
  };
}
