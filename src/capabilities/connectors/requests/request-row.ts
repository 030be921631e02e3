import type { AccountReport } from '#foundation/connector-protocol/bank-records.ts';
import type { NameCheckStatus } from '#foundation/ports/name-check.ts';

export type RequestKind = 'ACCOUNT' | 'NAME_CHECK';

/** See `status` in migrations/0116_connector_requests.sql. */
export type RequestStatus = 'WAITING' | 'ROUTED' | 'ASKED' | 'TAKEN' | 'ENDED' | 'CONFLICT' | 'BY_HAND';

/** One row of `connector_requests`. */
export interface RequestRow {
  platform_id: PlatformId;
  kind: RequestKind;
  subject: string;
  customer_id: CustomerId | null;
  status: RequestStatus;
  connector_id: string | null;
  currency: string;
  account_types: string[];
  body: Buffer | null;
  state: AccountReport['state'] | null;
  closes: boolean;
  call_at: Date | null;
  caller: string | null;
  silences: number;
  created_at: Date;
  asked_at: Date | null;
  acknowledged_at: Date | null;
  ended_at: Date | null;
}

/** The columns that an answer changes. */
export type RequestChanges = Partial<
  Pick<RequestRow, 'status' | 'state' | 'call_at' | 'silences' | 'acknowledged_at' | 'ended_at'>
>;

/** The answer of a connector about a name. */
export interface ReportedName {
  readonly status: NameCheckStatus;
  readonly fullName?: string | undefined;
}

/** The outcome of a call about a request. Everything but a signed answer that can be understood is silence. */
export type RequestOutcome =
  | { readonly kind: 'account'; readonly account: AccountReport }
  | { readonly kind: 'name'; readonly name: ReportedName }
  /** Signed 409: the connector knows another account under this id. */
  | { readonly kind: 'conflict' }
  /** Signed 404. */
  | { readonly kind: 'unknown' }
  /** Signed 400: it never takes this. */
  | { readonly kind: 'refused' }
  /** Signed 429 or 503. */
  | { readonly kind: 'later'; readonly afterSeconds: number }
  | { readonly kind: 'silence' };

/** The context that the bytes of a request are bound to. */
export function requestContext(subject: string): string {
  return `connector_requests.body:${subject}`;
}
