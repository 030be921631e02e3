import assert from 'node:assert/strict';
import {
  accountOf,
  type Fixed,
  type PaymentDestination,
  type PaymentSource,
  type State,
  type StoredAccount,
  type StoredUma,
  type TransactionRow,
} from '#capabilities/payments/row.ts';
import type { Status } from '#capabilities/payments/statuses.ts';
import { versionedRows } from '#foundation/database/rows.ts';

/** The columns of both parties. The database lets a type set only those that it needs. */
interface PartyColumns {
  source_type: PaymentSource['kind'];
  source_account: AccountId | ExternalAccountId | null;
  source_uma: string | null;
  source_uma_hash: Buffer | null;
  destination_type: PaymentDestination['kind'];
  destination_account: AccountId | ExternalAccountId | null;
  destination_uma: string | null;
  destination_uma_hash: Buffer | null;
}

/** A transaction as the table has it. */
export type TransactionColumns = Omit<TransactionRow, 'source' | 'destination'> & PartyColumns;

/** Set when the row is created, and never changed. */
export const FIXED_COLUMNS = {
  type: 'text',
  kind: 'text',
  customer_id: 'uuid',
  agent_id: 'uuid',
  quote_id: 'uuid',
  locked_side: 'text',
  source_type: 'text',
  source_account: 'uuid',
  source_uma: 'text',
  source_uma_hash: 'bytea',
  destination_type: 'text',
  destination_account: 'uuid',
  destination_uma: 'text',
  destination_uma_hash: 'bytea',
  sending_currency: 'text',
  sending_amount: 'bigint',
  receiving_currency: 'text',
  receiving_amount: 'bigint',
  service_fee: 'bigint',
  platform_fee: 'bigint',
  fee_account: 'uuid',
  reference: 'text',
  reference_hash: 'bytea',
  details: 'jsonb',
  private: 'bytea',
  created_at: 'timestamptz',
} as const satisfies Record<
  Exclude<keyof Fixed, 'platform_id' | 'id' | 'source' | 'destination'> | keyof PartyColumns,
  string
>;

export const STATE_COLUMNS = {
  status: 'text',
  expires_at: 'timestamptz',
  authorize_by: 'timestamptz',
  approve_by: 'timestamptz',
  daily_limit: 'bigint',
  failure_reason: 'text',
  pending_reason: 'text',
  executed_at: 'timestamptz',
  taken_at: 'timestamptz',
  settled_at: 'timestamptz',
  confirmed_at: 'timestamptz',
  funding_hash: 'text',
  payout_hash: 'text',
  refund_status: 'text',
  refund_reason: 'text',
  refund_reference: 'text',
  refund_amount: 'bigint',
  refund_account: 'uuid',
  refund_initiated_at: 'timestamptz',
  refund_settled_at: 'timestamptz',
  updated_at: 'timestamptz',
  inflight_sent: 'bigint',
  inflight_sent_no: 'bigint',
  inflight_received: 'bigint',
  inflight_received_no: 'bigint',
  refund_payable: 'bigint',
  refund_payable_no: 'bigint',
} as const satisfies Record<keyof State, string>;

export const TRANSACTIONS = versionedRows<TransactionColumns>({
  table: 'transactions',
  isKept: true,
  fixed: FIXED_COLUMNS,
  state: STATE_COLUMNS,
});

export function parseTransaction(columns: TransactionColumns): TransactionRow {
  const {
    source_type,
    source_account,
    source_uma,
    source_uma_hash,
    destination_type,
    destination_account,
    destination_uma,
    destination_uma_hash,
    ...row
  } = columns;
  return {
    ...row,
    source: parseSource(source_type, source_account, { address: source_uma, hash: source_uma_hash }),
    destination: parseDestination(destination_type, destination_account, {
      address: destination_uma,
      hash: destination_uma_hash,
    }),
  };
}

type Uma = Omit<StoredUma, 'kind'>;

function parseSource(
  kind: PaymentSource['kind'],
  account: AccountId | ExternalAccountId | null,
  uma: Uma,
): PaymentSource {
  if (kind === 'REALTIME') return { kind };
  if (kind === 'UMA') return { kind, ...uma };
  assert(account !== null, `a source of the type ${kind} has no account`);
  return { kind, account } as StoredAccount;
}

function parseDestination(
  kind: PaymentDestination['kind'],
  account: AccountId | ExternalAccountId | null,
  uma: Uma,
): PaymentDestination {
  if (kind === 'UMA') return { kind, ...uma, account: account as AccountId | null };
  assert(account !== null, `a destination of the type ${kind} has no account`);
  return { kind, account } as StoredAccount;
}

/** The opposite of `parseTransaction`. */
export function columnsOf({ source, destination, ...row }: TransactionRow): TransactionColumns {
  return {
    ...row,
    source_type: source.kind,
    source_account: accountOf(source),
    source_uma: source.kind === 'UMA' ? source.address : null,
    source_uma_hash: source.kind === 'UMA' ? source.hash : null,
    destination_type: destination.kind,
    destination_account: accountOf(destination),
    destination_uma: destination.kind === 'UMA' ? destination.address : null,
    destination_uma_hash: destination.kind === 'UMA' ? destination.hash : null,
  };
}

/** The state of a new row. */
export function freshState(status: Status, now: Date): State {
  const nothing = Object.fromEntries(Object.keys(STATE_COLUMNS).map((name) => [name, null]));
  return {
    ...(nothing as unknown as State),
    status,
    updated_at: now,
    inflight_sent: 0n,
    inflight_sent_no: 0n,
    inflight_received: 0n,
    inflight_received_no: 0n,
    refund_payable: 0n,
    refund_payable_no: 0n,
  };
}
