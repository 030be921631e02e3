import type { AccountType, AccountStatus as InternalStatus } from '#accounts/schemas.ts';
import type { GatedCustomer } from '#customers/money-gate.ts';
import { sql } from '#database/sql.ts';
import type { Surroundings } from '#database/tx.ts';
import type { AccountStatus as ExternalStatus } from '#external-accounts/schemas.ts';
import type { StoredKey } from '#http/idempotency.ts';
import { gather } from '#lib/gather.ts';
import type { TransactionRow } from '#payments/row.ts';
import { transactionColumns } from '#payments/store.ts';
import type { UsValidation } from '#rails/account-screening.ts';

/** Everything that decides whether a quote can be executed, as it was at one moment. */
export interface Execution {
  readonly row: TransactionRow;
  /** Null: the platform itself pays. */
  readonly customer: (GatedCustomer & { readonly region: string }) | null;
  readonly source: Standing | null;
  readonly destination: Standing | null;
  /** Whether the platform still sends this currency. */
  readonly isEnabled: boolean;
}

/** How an account stands; null where it was deleted since. */
export type Standing =
  | { readonly kind: 'INTERNAL'; readonly status: InternalStatus; readonly type: AccountType }
  | {
      readonly kind: 'EXTERNAL';
      readonly status: ExternalStatus;
      readonly usValidation: UsValidation | undefined;
    }
  | { readonly kind: 'GONE' };

export interface ExecutionRequest {
  readonly platformId: string;
  readonly quoteId: string;
  readonly key?: { readonly scope: string; readonly key: string } | undefined;
  /** Business time: a key lives for a day. */
  readonly now: Date;
}

export interface LoadedExecution {
  /** Undefined: no such quote. */
  readonly execution: Execution | undefined;
  /** What an earlier call with the same key left. */
  readonly storedKey: StoredKey | undefined;
}

export type LoadExecution = (request: ExecutionRequest) => Promise<LoadedExecution>;

/** Callers that come at the same time share one statement. */
export function createLoadExecution({ database }: Pick<Surroundings, 'database'>): LoadExecution {
  return gather(async (requests: ExecutionRequest[]) => {
    const rows = await database.query<ExecutionRow>(loading(requests));
    const byNumber = new Map(rows.map((row) => [Number(row.n), row]));
    return requests.map((_, i) => read(byNumber.get(i + 1)));
  });
}

interface ExecutionRow extends TransactionRow {
  n: bigint;
  found: boolean;
  customer_status: GatedCustomer['status'] | null;
  terms_consent: GatedCustomer['terms_consent'];
  region: string | null;
  source_standing: StandingRow | null;
  destination_standing: StandingRow | null;
  is_enabled: boolean | null;
  has_key: boolean;
  key_hash: Buffer | null;
  key_status: number | null;
  key_reply: Buffer | null;
}

interface StandingRow {
  kind: 'INTERNAL' | 'EXTERNAL';
  status: string;
  type?: AccountType;
  usValidation?: UsValidation | null;
}

/** Look-ups by key, each in its row's own platform; written so that no plan can turn them into anything else. */
function loading(requests: readonly ExecutionRequest[]) {
  return sql`
    select q.n, t.id is not null as found, ${transactionColumns(sql`t`)},
           c.status as customer_status, c.terms_consent, c.region,
           ${standing('source')} as source_standing, ${standing('destination')} as destination_standing,
           (select p.supported_currencies @> jsonb_build_array(jsonb_build_object(
              'currencyCode', t.sending_currency,
              'enabledTransactionTypes', jsonb_build_array(t.type)))
              from platform_configs p where p.platform_id = t.platform_id) as is_enabled,
           k.key is not null as has_key, k.body_hash as key_hash, k.status as key_status, k.reply as key_reply
      from unnest(
        ${requests.map(({ platformId }) => platformId)}::uuid[],
        ${requests.map(({ quoteId }) => quoteId)}::uuid[],
        ${requests.map(({ key }) => key?.scope ?? null)}::text[],
        ${requests.map(({ key }) => key?.key ?? null)}::text[],
        ${requests.map(({ now }) => now)}::timestamptz[]
      ) with ordinality as q (platform_id, quote_id, scope, key, now, n)
      left join lateral (
        select o.* from transactions o where o.platform_id = q.platform_id and o.quote_id = q.quote_id limit 1
      ) t on true
      left join lateral (
        select o.status, o.terms_consent, o.region
          from customers o where o.platform_id = t.platform_id and o.id = t.customer_id limit 1
      ) c on true
      left join lateral (
        select o.key, o.body_hash, o.status, o.reply
          from idempotency_keys o
         where o.platform_id = q.platform_id and o.scope = q.scope and o.key = q.key
           and o.created_at > q.now - interval '24 hours' limit 1
      ) k on true`;
}

function standing(side: 'source' | 'destination') {
  const account = side === 'source' ? sql`t.source_account` : sql`t.destination_account`;
  const type = side === 'source' ? sql`t.source_type` : sql`t.destination_type`;
  return sql`
    case when ${account} is null then null
      when ${type} = 'EXTERNAL' then (
        select jsonb_build_object('kind', 'EXTERNAL', 'status', e.status, 'usValidation', e.us_validation)
          from external_accounts e
         where e.platform_id = t.platform_id and e.id = ${account} and e.deleted_at is null)
      else (
        select jsonb_build_object('kind', 'INTERNAL', 'status', i.status, 'type', i.type)
          from internal_accounts i where i.platform_id = t.platform_id and i.id = ${account})
    end`;
}

function read(row: ExecutionRow | undefined): LoadedExecution {
  if (!row) return { execution: undefined, storedKey: undefined };
  const storedKey = row.has_key
    ? { body_hash: row.key_hash, status: row.key_status, reply: row.key_reply }
    : undefined;
  if (!row.found) return { execution: undefined, storedKey };
  const { customer_id: id, customer_status: status, terms_consent, region } = row;
  const customer =
    id === null || status === null ? null : { id, status, terms_consent, region: region ?? '' };
  return {
    storedKey,
    execution: {
      row,
      customer,
      source: standingOf(row.source_account, row.source_standing),
      destination: standingOf(row.destination_account, row.destination_standing),
      isEnabled: row.is_enabled ?? false,
    },
  };
}

function standingOf(accountId: string | null, row: StandingRow | null): Standing | null {
  if (accountId === null) return null;
  if (row === null) return { kind: 'GONE' };
  return row.kind === 'INTERNAL'
    ? { kind: 'INTERNAL', status: row.status as InternalStatus, type: row.type ?? 'INTERNAL_FIAT' }
    : {
        kind: 'EXTERNAL',
        status: row.status as ExternalStatus,
        usValidation: row.usValidation ?? undefined,
      };
}
