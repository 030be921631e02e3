import type { CardTransactionStatus, DeclinedReason } from '#capabilities/card-transactions/schemas.ts';
import { versionedRows } from '#foundation/database/rows.ts';
import type { Merchant } from '#foundation/ports/cards.ts';

/** The card's limits, as far as it has them, and its use of them on that day before the authorization. Card cents. */
export interface ComparedLimits {
  readonly maxSpendPerTransaction?: number;
  readonly maxSpendPerDay?: number;
  readonly maxTransactionsPerDay?: number;
  readonly spentToday: number;
  readonly transactionsToday: number;
}

/** The fields that are fixed when the row is created. Amounts are card cents. */
export interface FixedCardTransaction {
  platform_id: PlatformId;
  id: TransactionId;
  card_id: CardId;
  customer_id: CustomerId;
  /** Our own id of the customer, if the customer was erased. */
  platform_customer_id: string;
  account_id: AccountId;
  account_currency: string;
  direction: 'DEBIT' | 'CREDIT';
  kind: 'PURCHASE' | 'CREDIT' | 'RETURN' | 'RETURN_REVERSAL' | 'INQUIRY';
  currency: string;
  merchant: Merchant;
  token: string;
  original_id: TransactionId | null;
  declined_reason: DeclinedReason | null;
  /** When the pull behind it is confirmed, if that takes time. Notices about the row wait until then. */
  confirmed_at: Date | null;
  /** The limits with which an authorization was compared; null: none, or a row of an earlier version. */
  limits: ComparedLimits | null;
  created_at: Date;
}

/**
 * A row as it is stored: either its merchant and the platform's reference are sealed and the columns in clear text are
 * null or, in a row of an earlier version that no job has sealed yet, the other way round.
 */
export type StoredCardTransaction = Omit<CardTransactionRow, 'platform_customer_id' | 'merchant'> & {
  readonly platform_customer_id: string | null;
  readonly merchant: Merchant | null;
  readonly details: Buffer | null;
};

/** The fields that change. */
export interface CardTransactionState {
  status: CardTransactionStatus;
  authorized_amount: bigint;
  settled_amount: bigint | null;
  /** The amount on hold for it now. */
  hold: bigint;
  /** The amount that could not be pulled (cards.md §7.1). */
  receivable: bigint;
  /** For a purchase: the amount returned and not reversed. */
  returned: bigint;
  is_reversed: boolean;
  hold_expires_at: Date | null;
  /** How many entries were posted for it. */
  entries: number;
  updated_at: Date;
}

export interface CardTransactionRow extends FixedCardTransaction, CardTransactionState {
  version: bigint;
}

export const CARD_TRANSACTIONS = versionedRows<CardTransactionRow & { readonly details: Buffer | null }>({
  table: 'card_transactions',
  isKept: true,
  // Another notice created the row at the same moment; a retry sees it.
  constraints: { card_transactions_token: 'stale' },
  fixed: {
    card_id: 'uuid',
    customer_id: 'uuid',
    account_id: 'uuid',
    account_currency: 'text',
    direction: 'text',
    kind: 'text',
    currency: 'text',
    details: 'bytea',
    token: 'text',
    original_id: 'uuid',
    declined_reason: 'text',
    confirmed_at: 'timestamptz',
    limits: 'jsonb',
    created_at: 'timestamptz',
  },
  state: {
    status: 'text',
    authorized_amount: 'bigint',
    settled_amount: 'bigint',
    hold: 'bigint',
    receivable: 'bigint',
    returned: 'bigint',
    is_reversed: 'boolean',
    hold_expires_at: 'timestamptz',
    entries: 'integer',
    updated_at: 'timestamptz',
  },
});

/** All columns that are read. The two in clear text belong to earlier versions and are never written. */
export const STORED_COLUMNS = [...CARD_TRANSACTIONS.names, 'platform_customer_id', 'merchant'] as const;

/** Whether a part of it may still be cleared. */
export function isOpenRow({ status }: Pick<CardTransactionState, 'status'>): boolean {
  return status === 'AUTHORIZED' || status === 'PARTIALLY_SETTLED';
}

/** S: the amount cleared so far. */
export function settledAmountOf({ settled_amount }: Pick<CardTransactionState, 'settled_amount'>): bigint {
  return settled_amount ?? 0n;
}
