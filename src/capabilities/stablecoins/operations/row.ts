import type { CoinRow } from '#capabilities/stablecoins/coin-row.ts';
import { versionedRows } from '#foundation/database/rows.ts';
import type { FailureReason } from '#foundation/ports/stablecoins.ts';

export const OPERATION_TYPES = ['MINT', 'BURN'] as const;
export type OperationType = (typeof OPERATION_TYPES)[number];

export const OPERATION_STATUSES = [
  'CREATED',
  'PENDING_FUNDING',
  'PENDING_PROVIDER',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'EXPIRED',
] as const;

/** `REFUSED` is never presented: the provider did not accept it when it was submitted (stablecoins.md §6.3). */
export type OperationStatus = (typeof OPERATION_STATUSES)[number] | 'REFUSED';

export const SOURCE_TYPES = [
  'WIRE',
  'ACH_DEBIT',
  'SAME_DAY_ACH_DEBIT',
  'EXTERNAL_ACCOUNT',
  'SVC_INTERNAL_ACCOUNT',
  'PROVIDER_INTERNAL_BALANCE',
] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

export const BURN_RAILS = ['WIRE', 'ACH_CREDIT', 'SAME_DAY_ACH_CREDIT', 'RTP_CREDIT'] as const;
export type BurnRail = (typeof BURN_RAILS)[number];

/** A mint or burn. */
export interface OperationRow {
  platform_id: PlatformId;
  id: Id<'StablecoinOperation'>;
  version: bigint;
  stablecoin_id: CoinId;
  operation_type: OperationType;
  /** In the coin's smallest units: T of stablecoins.md §7. */
  amount: bigint;
  /** Its value in US cents: F. */
  cents: bigint;
  /** The coin's currency code. */
  currency: string;
  /** The customer whose account is the source or the destination; null if it is the platform's own. */
  customer_id: CustomerId | null;
  provider: CoinRow['provider'];
  provider_account: LinkId;
  source_type: SourceType;
  /** Ids of accounts, bare UUIDs. */
  source_internal: AccountId | null;
  source_external: ExternalAccountId | null;
  destination_internal: AccountId | null;
  destination_external: ExternalAccountId | null;
  rail: BurnRail | null;
  description: string | null;
  created_at: Date;
  status: OperationStatus;
  /** The provider's facts about the external accounts, sealed; deleted when the operation ends. */
  instruments: Buffer | null;
  funding_instructions: Readonly<Record<string, string>> | null;
  expires_at: Date | null;
  provider_status: string | null;
  failure_reason: FailureReason | null;
  /** When it reached each status after `CREATED`; empty for operations of earlier versions. */
  steps: Readonly<Partial<Record<OperationStatus, string>>>;
  updated_at: Date;
}

/**
 * A mint or burn as it is stored: the note and the instructions are sealed. Rows of earlier versions have them in clear
 * text, in `description` and `funding_instructions`.
 */
export interface StoredOperation extends OperationRow {
  note: Buffer | null;
  funding: Buffer | null;
}

export const OPERATIONS = versionedRows<StoredOperation>({
  table: 'stablecoin_operations',
  fixed: {
    stablecoin_id: 'uuid',
    operation_type: 'text',
    amount: 'bigint',
    cents: 'bigint',
    currency: 'text',
    customer_id: 'uuid',
    provider: 'text',
    provider_account: 'uuid',
    source_type: 'text',
    source_internal: 'uuid',
    source_external: 'uuid',
    destination_internal: 'uuid',
    destination_external: 'uuid',
    rail: 'text',
    description: 'text',
    note: 'bytea',
    created_at: 'timestamptz',
  },
  state: {
    status: 'text',
    instruments: 'bytea',
    funding_instructions: 'jsonb',
    funding: 'bytea',
    expires_at: 'timestamptz',
    provider_status: 'text',
    failure_reason: 'text',
    steps: 'jsonb',
    updated_at: 'timestamptz',
  },
});

/** It has not ended and may still move money. */
export function isOpen({ status }: Pick<OperationRow, 'status'>): boolean {
  return OPEN.has(status);
}

const OPEN: ReadonlySet<OperationStatus> = new Set([
  'CREATED',
  'PENDING_FUNDING',
  'PENDING_PROVIDER',
  'PROCESSING',
]);

/** A burn of coins in external wallets, or at the provider. */
export function burnsFromOutside(row: Pick<OperationRow, 'operation_type' | 'source_internal'>): boolean {
  return row.operation_type === 'BURN' && row.source_internal === null;
}
