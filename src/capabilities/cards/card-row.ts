import { versionedRows } from '#foundation/database/rows.ts';

export const CARD_STATUSES = ['PROCESSING', 'ACTIVE', 'FROZEN', 'CLOSED'] as const;
export type CardStatus = (typeof CARD_STATUSES)[number];

export const STATUS_REASONS = ['ISSUER_REJECTED', 'CLOSED_BY_PLATFORM', 'CLOSED_BY_SVC'] as const;
export type StatusReason = (typeof STATUS_REASONS)[number];

/** The status machine of cards.md §2. */
export const CARD_STATUS_CHANGES = {
  activate: { from: ['PROCESSING'], to: 'ACTIVE' },
  reject: { from: ['PROCESSING'], to: 'CLOSED', reason: 'ISSUER_REJECTED' },
  freeze: { from: ['ACTIVE'], to: 'FROZEN' },
  unfreeze: { from: ['FROZEN'], to: 'ACTIVE' },
  close: { from: ['ACTIVE', 'FROZEN'], to: 'CLOSED', reason: 'CLOSED_BY_PLATFORM' },
  closeByOperator: { from: ['PROCESSING', 'ACTIVE', 'FROZEN'], to: 'CLOSED', reason: 'CLOSED_BY_SVC' },
} as const satisfies Record<string, { from: readonly CardStatus[]; to: CardStatus; reason?: StatusReason }>;

export const FIRST_CARD_STATUS: CardStatus = 'PROCESSING';

export type CardStatusChange = keyof typeof CARD_STATUS_CHANGES;
export type ClosingChange = 'reject' | 'close' | 'closeByOperator';

export function canChange({ status }: Pick<CardRow, 'status'>, change: CardStatusChange): boolean {
  return CARD_STATUS_CHANGES[change].from.some((from) => from === status);
}

/** Amounts are in the smallest unit of the card's currency. */
export interface CardLimits {
  max_spend_per_transaction: bigint | null;
  max_spend_per_day: bigint | null;
  max_transactions_per_day: bigint | null;
}

export interface CardRow extends CardLimits {
  platform_id: PlatformId;
  id: CardId;
  version: bigint;
  customer_id: CustomerId;
  /** The card's own id, if the holder was erased. */
  platform_card_id: string;
  form: 'VIRTUAL';
  currency: string;
  created_at: Date;
  status: CardStatus;
  status_reason: StatusReason | null;
  /** The internal account that pays; bare UUID. */
  funding_source: AccountId;
  /** The id of the card and its source together: a new one whenever the source changes (wallets.md §6.8.43). */
  binding_id: Id<'CardFundingSource'>;
  brand: 'VISA' | 'MASTERCARD' | null;
  last4: string | null;
  exp_month: number | null;
  exp_year: number | null;
  /** Sealed; destroyed when the card is closed (cards.md §5.7). */
  pan: Buffer | null;
  pan_hash: Buffer | null;
  processor_ref: string | null;
  issuer_ref: string | null;
  activated_at: Date | null;
  updated_at: Date;
  /** Whether the holder was erased. */
  is_erased: boolean;
}

/**
 * A card as it is stored: either its personal values are sealed and the columns in clear text are null or, in a row of
 * an earlier version that no job has sealed yet, the other way round.
 */
export type StoredCard = Omit<CardRow, 'platform_card_id' | 'last4' | 'is_erased'> & {
  readonly platform_card_id: string | null;
  readonly last4: string | null;
  readonly details: Buffer | null;
  readonly reference_hash: Buffer | null;
};

export const CARDS = versionedRows<StoredCard>({
  table: 'cards',
  // Another caller took the id or the number at the same moment; a retry sees it.
  constraints: { cards_reference_hash: 'stale', cards_pan: 'stale' },
  fixed: {
    customer_id: 'uuid',
    form: 'text',
    currency: 'text',
    created_at: 'timestamptz',
  },
  state: {
    status: 'text',
    status_reason: 'text',
    funding_source: 'uuid',
    binding_id: 'uuid',
    max_spend_per_transaction: 'bigint',
    max_spend_per_day: 'bigint',
    max_transactions_per_day: 'bigint',
    brand: 'text',
    platform_card_id: 'text',
    last4: 'text',
    details: 'bytea',
    reference_hash: 'bytea',
    exp_month: 'smallint',
    exp_year: 'smallint',
    pan: 'bytea',
    pan_hash: 'bytea',
    processor_ref: 'text',
    issuer_ref: 'text',
    activated_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
});

/** Whether the card is not closed, so that it takes a place among the live cards (cards.md §1.2). */
export function isLive({ status }: Pick<CardRow, 'status'>): boolean {
  return status !== 'CLOSED';
}

/** cards.md §1.3. */
export const CARD_ELIGIBLE_CURRENCIES: readonly string[] = ['USD', 'USDB'];
export const CARD_CURRENCY = 'USD';
