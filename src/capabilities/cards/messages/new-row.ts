import type { CardRow } from '#capabilities/cards/card-row.ts';
import type { FixedCardTransaction } from '#capabilities/cards/transaction-row.ts';
import type { Changes } from '#foundation/database/tx.ts';
import type { Merchant } from '#foundation/ports/cards.ts';

/** The owner of a row: the card, and the account that pays or is paid. */
export interface RowOwner {
  readonly card: Pick<CardRow, 'id' | 'customer_id' | 'currency'>;
  readonly platformCustomerId: string;
  readonly account: { readonly id: string; readonly currency: string };
}

/** The properties of one kind of row. */
export interface RowTraits extends Pick<FixedCardTransaction, 'direction' | 'kind' | 'token'> {
  readonly merchant: Merchant;
  readonly originalId?: string | undefined;
  readonly confirmedAt?: Date | undefined;
}

/** The fields that are fixed when a row is created (cards.md §6.5). */
export function newRow(
  { platformId, now }: Pick<Changes, 'platformId' | 'now'>,
  id: string,
  { card, platformCustomerId, account }: RowOwner,
  { direction, kind, token, merchant, originalId, confirmedAt }: RowTraits,
): FixedCardTransaction {
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
    merchant,
    token,
    original_id: originalId ?? null,
    declined_reason: null,
    confirmed_at: confirmedAt ?? null,
    created_at: now,
  };
}
