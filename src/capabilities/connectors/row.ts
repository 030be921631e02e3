import {
  type Capabilities,
  ORDER_KINDS,
  type OrderKind,
} from '#foundation/connector-protocol/capabilities.ts';
import type { OrderState } from '#foundation/connector-protocol/orders.ts';
import { PAYOUT_FAILURES, type PayoutFailure } from '#foundation/ports/payments.ts';

/** See `status` in migrations/0085_connectors.sql. */
export const ORDER_STATUSES = [
  'WAITING',
  'ROUTED',
  'ASKED',
  'TAKEN',
  'ENDED',
  'LEFT',
  'CONFLICT',
  'BY_HAND',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export type OrderCall = 'PUT' | 'GET' | 'CANCEL';

/** One row of `connector_orders`. */
export interface OrderRow {
  platform_id: PlatformId;
  id: string;
  reference: string;
  transaction_id: TransactionId;
  customer_id: CustomerId | null;
  kind: OrderKind;
  status: OrderStatus;
  connector_id: string | null;
  settlement_account: string | null;
  rail: string | null;
  amount: bigint;
  currency: string;
  body: Buffer | null;
  state: OrderState | null;
  state_at: Date | null;
  /** Other words of a connector may name a person, so they are not kept. */
  reason: PayoutFailure | null;
  expected_at: Date | null;
  bank_reference: string | null;
  transaction_hash: string | null;
  call: OrderCall | null;
  call_at: Date | null;
  caller: string | null;
  silences: number;
  is_cancelled: boolean;
  not_taken_since: Date | null;
  leaves: boolean;
  created_at: Date;
  asked_at: Date | null;
  /** The store of the connector when it was sent last, unless the connector said that it did not take it. */
  asked_store: string | null;
  acknowledged_at: Date | null;
  ended_at: Date | null;
}

/** What a connector says about an order, in an answer or an event. */
export interface OrderReport {
  readonly reference: string;
  readonly state: OrderState;
  readonly at: Date;
  /** Absent for an order that was cancelled before it came. */
  readonly total?: { readonly amount: bigint; readonly currency: string } | undefined;
  readonly reason?: string | undefined;
  readonly expectedSettlementAt?: Date | undefined;
  readonly bankReference?: string | undefined;
  readonly transactionHash?: string | undefined;
}

/** Money that came into a settlement account, as a connector reports it. */
export interface ReportedCredit {
  readonly creditId: string;
  readonly settlementAccount: string;
  readonly amount: bigint;
  readonly currency: string;
  /** A rail between banks, or a network. */
  readonly rail: string;
  /** The internal account whose coordinates were used, as the connector names it. */
  readonly accountId?: string | undefined;
  /** The text of the payer. */
  readonly remittance?: string | undefined;
  readonly originator?:
    | { readonly name?: string | undefined; readonly fields?: Readonly<Record<string, unknown>> | undefined }
    | undefined;
  readonly transactionHash?: string | undefined;
}

/** A credit that the bank took back, as a connector reports it. */
export interface ReportedReversal {
  readonly creditId: string;
  readonly amount: bigint;
}

/**
 * The outcome of a call about an order (connectors.md §5.1). Everything but a signed answer that can be understood is
 * silence.
 */
export type CallOutcome =
  /** From this store. */
  | { readonly kind: 'report'; readonly store: string; readonly report: OrderReport }
  /** Signed 409: the connector knows another order under this reference. */
  | { readonly kind: 'conflict' }
  /** Signed 404, from this store. */
  | { readonly kind: 'unknown'; readonly store: string }
  /** Signed 400: it never takes this. */
  | { readonly kind: 'refused' }
  /** Signed 429 or 503. */
  | { readonly kind: 'later'; readonly afterSeconds: number }
  /** `isRejected`: it answered 401. */
  | { readonly kind: 'silence'; readonly isRejected?: boolean };

/** The reason of a failed payout; any other word is `QUOTE_EXECUTION_FAILED` (connectors.md §4.6). */
export function payoutFailure(reason: string | null | undefined): PayoutFailure {
  return knownFailure(reason) ?? 'QUOTE_EXECUTION_FAILED';
}

export function knownFailure(reason: string | null | undefined): PayoutFailure | undefined {
  return PAYOUT_FAILURES.find((known) => known === reason);
}

/** Why a connector takes no new orders. */
export type PauseCause = 'OPERATOR' | 'STORE' | 'CURSOR' | 'FILES';

/** Connectors serve the platforms of this environment; the other one simulates its banks. */
export const CONNECTED = 'PRODUCTION';

export function isConnectorName(text: string): boolean {
  return /^[a-z0-9-]{1,32}$/.test(text);
}

/** One row of `connectors`, without its secrets. */
export interface ConnectorRow {
  id: string;
  name: string;
  url: string;
  store: string | null;
  capabilities: Capabilities | null;
  capabilities_trouble: string | null;
  paused_because: PauseCause | null;
  paused_at: Date | null;
  silences: number;
  down_since: Date | null;
  cursor: string | null;
  events_read_at: Date | null;
  capabilities_read_at: Date | null;
  answered_at: Date | null;
  silent_at: Date | null;
  silence_why: string | null;
  /** Null: this service shows it no certificate. */
  client_certificate_until: Date | null;
  created_at: Date;
}

/** The URL of a connector that speaks to its bank by files, within this service: nothing is called (bank-files.md §1.1). */
export const FILES_URL = 'files:';

export function speaksFiles({ url }: Pick<ConnectorRow, 'url'>): boolean {
  return url === FILES_URL;
}

/** A URL as operators see it: an earlier version stored what could be a password. */
export function withoutCredentials(text: string): string {
  if (text === FILES_URL) return text;
  const { origin, pathname } = new URL(text);
  return origin + pathname;
}

/** An operator's account in the names of ledger accounts (money.md §11.6). */
export function accountName({ name }: Pick<ConnectorRow, 'name'>, settlementAccount: string): string {
  return `${name}.${settlementAccount}`;
}

/** The receipt of money that a connector reports under this name of its own (connectors.md §6.8). */
export function receiptName({ name }: Pick<ConnectorRow, 'name'>, id: string): string {
  return `${name}:${id}`;
}

/** The purpose of a route: a kind of order, or another kind of request. */
export const ROUTE_KINDS = [...ORDER_KINDS, 'ACCOUNT', 'QUOTE', 'NAME_CHECK'] as const;
export type RouteKind = (typeof ROUTE_KINDS)[number];

/** One row of `connector_routes`; null fits anything. */
export interface RouteRow {
  number: number;
  connector_id: string;
  rail: string | null;
  currency: string | null;
  kind: RouteKind | null;
  country: string | null;
  platform_id: PlatformId | null;
  least: bigint | null;
  most: bigint | null;
}
