import type { FileFormat } from '#capabilities/bank-files/profile.ts';
import type { BankAccount, PostalAddress } from '#foundation/bank-formats/pain001.ts';
import type { OrderKind } from '#foundation/connector-protocol/capabilities.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import type { Database, Run } from '#foundation/database/database.ts';
import { fetchingKeys } from '#foundation/database/fetching-keys.ts';
import type { PersonKeySource } from '#foundation/database/person-key-source.ts';
import type { Clock } from '#foundation/lib/clock.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';

/** The parts that every step of the connector by files needs. */
export interface FilesParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly vault: PersonVault;
  readonly personKeys: PersonKeySource;
}

/** One transaction of the connector. It is repeated if it missed keys of people. */
export function changeFiles<T>(
  { database, personKeys }: FilesParts,
  steps: (run: Run) => Promise<T>,
): Promise<T> {
  return fetchingKeys(personKeys, NIL_ID, () => database.transaction((run) => steps(run)));
}

export const BATCH_STATUSES = [
  'OPEN',
  'SEALED',
  'WRITING',
  'WRITTEN',
  'ACCEPTED',
  'PARTLY',
  'REJECTED',
  'ENDED',
] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** One row of `bank_file_batches`, without its bytes. */
export interface BatchRow {
  readonly connector_id: string;
  readonly id: string;
  readonly version: bigint;
  readonly updated_at: Date;
  readonly status: BatchStatus;
  readonly settlement_account: string;
  readonly rail: string;
  readonly kind: OrderKind;
  readonly currency: string;
  readonly format: FileFormat;
  readonly seal_at: Date;
  readonly message_id: string | null;
  readonly payment_information_id: string | null;
  readonly name: string | null;
  readonly content_hash: Buffer | null;
  readonly orders: number | null;
  readonly total: bigint | null;
  readonly execution_day: string | null;
  readonly modifier: string | null;
  readonly created_at: Date;
  readonly sealed_at: Date | null;
  readonly written_at: Date | null;
  readonly ended_at: Date | null;
  /** Since when the bank may have two copies. */
  readonly resent_at: Date | null;
}

export type FileOrderState = 'RECEIVED' | 'SENT' | 'SETTLED' | 'FAILED' | 'CANCELLED' | 'RETURNED';

/** One row of `bank_file_orders`. */
export interface FileOrderRow {
  readonly connector_id: string;
  readonly reference: string;
  readonly content_hash: Buffer | null;
  readonly kind: OrderKind | null;
  readonly rail: string | null;
  readonly settlement_account: string | null;
  readonly amount: bigint | null;
  readonly currency: string | null;
  readonly content: Buffer | null;
  readonly state: FileOrderState;
  readonly state_at: Date;
  readonly reason: string | null;
  readonly expected_at: Date | null;
  readonly bank_reference: string | null;
  readonly batch_id: string | null;
  readonly trace_number: string | null;
  readonly received_at: Date;
}

/** The values of one order that its file contains. No more of the order's body is kept. */
export interface OrderContent {
  readonly originator: string;
  readonly name: string;
  readonly isBusiness: boolean;
  readonly isSavings: boolean;
  readonly account: BankAccount;
  readonly address?: PostalAddress | undefined;
  readonly purpose?: string | undefined;
  readonly remittance?: string | undefined;
}

/** A UUID as files write it, and back; undefined if the text is none. */
export function withoutHyphens(uuid: string): string {
  return uuid.replaceAll('-', '');
}

export function asUuid(text: string | undefined): string | undefined {
  const plain = text?.replaceAll('-', '').toLowerCase() ?? '';
  if (!/^[0-9a-f]{32}$/.test(plain)) return undefined;
  return plain.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
