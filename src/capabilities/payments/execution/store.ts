import type { AccountType, AccountStatus as InternalStatus } from '#capabilities/accounts/schemas.ts';
import type { GatedCustomer } from '#capabilities/customers/terms/money-gate.ts';
import type { AccountStatus as ExternalStatus } from '#capabilities/external-accounts/schemas.ts';
import { parseTransaction, TRANSACTIONS, type TransactionColumns } from '#capabilities/payments/columns.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { type ItemColumns, statementOver } from '#foundation/database/row-sets.ts';
import type { Sql } from '#foundation/database/sql.ts';
import type { ReadTx, Runtime } from '#foundation/database/tx.ts';
import type { IdempotencyKeyRow } from '#foundation/http/idempotency/store.ts';
import { batchCalls } from '#foundation/lib/batch-calls.ts';
import type { UsValidation } from '#foundation/ports/account-screening.ts';

/** Everything that decides whether a quote can be executed, read at one moment. */
export interface Execution {
  readonly row: TransactionRow;
  /** Null if the platform is the owner. */
  readonly customer: (GatedCustomer & { readonly region: string }) | null;
  /** Null for a real-time source, and for a destination that is a UMA address of another provider. */
  readonly source: AccountStanding | null;
  readonly destination: AccountStanding | null;
  /** The available balance of an internal source. */
  readonly available?: bigint | undefined;
  /** Whether the platform still sends this currency. */
  readonly isEnabled: boolean;
  /** Whether the key of the call's stamp may sign for the source, which is an embedded wallet (wallets.md §6.7.42). */
  readonly isSigner: boolean;
}

/** The facts about an account that the checks need; `GONE`: deleted since the quote was created. */
export type AccountStanding =
  | { readonly kind: 'INTERNAL'; readonly status: InternalStatus; readonly type: AccountType }
  | {
      readonly kind: 'EXTERNAL';
      readonly status: ExternalStatus;
      readonly usValidation: UsValidation | undefined;
    }
  | { readonly kind: 'GONE' };

export interface ExecutionRequest {
  readonly platformId: PlatformId;
  readonly quoteId: QuoteId;
  readonly key?: { readonly scope: string; readonly key: string } | undefined;
  /** The public key of the call's stamp. */
  readonly signerKey?: string | undefined;
  /** The business time: idempotency keys expire a day after their creation. */
  readonly now: Date;
}

export interface LoadedExecution {
  /** Undefined if there is no such quote. */
  readonly execution: Execution | undefined;
  /** The record of an earlier request with the same idempotency key. */
  readonly foundKey: IdempotencyKeyRow | undefined;
}

/** State that payments share between the requests of one process. Built once, in src/app/app.ts. */
export interface PaymentParts {
  /** Concurrent callers share one statement. */
  loadExecution(request: ExecutionRequest): Promise<LoadedExecution>;
}

export function createPaymentParts({ database }: Pick<Runtime, 'database'>): PaymentParts {
  return {
    loadExecution: batchCalls(async (requests: ExecutionRequest[]) => {
      const rows = await database.lookUp<ExecutionRow>(loadAll(requests));
      const byNumber = new Map(rows.map((row) => [row.n, row]));
      return requests.map((_, i) => loadedFrom(byNumber.get(i)));
    }),
  };
}

/** Loads the same for one quote, in this transaction. */
export async function findExecution(tx: ReadTx, quoteId: QuoteId): Promise<Execution | undefined> {
  const { platformId, now } = tx;
  const [row] = await tx.query<ExecutionRow>(loadAll([{ platformId, quoteId, now }]));
  return loadedFrom(row).execution;
}

interface NumberedRequest extends ExecutionRequest {
  readonly n: number;
}

function loadAll(requests: readonly ExecutionRequest[]): Sql {
  const numbered = requests.map((request, n) => ({ ...request, n }));
  const areSigned = requests.some(({ signerKey }) => signerKey !== undefined);
  return areSigned ? loadSignedExecutions(numbered) : loadExecutions(numbered);
}

const REQUEST_COLUMNS: ItemColumns<NumberedRequest> = {
  n: ['integer', ({ n }) => n],
  platform_id: ['uuid', ({ platformId }) => platformId],
  quote_id: ['uuid', ({ quoteId }) => quoteId],
  scope: ['text', ({ key }) => key?.scope],
  key: ['text', ({ key }) => key?.key],
  signer_key: ['text', ({ signerKey }) => signerKey],
  now: ['timestamptz', ({ now }) => now],
};

/**
 * Loads everything that decides whether quotes can be executed, for any number of quotes and platforms. Each look-up is a
 * subquery by key, in its row's own platform: a join would carry all columns of the transaction, which costs more than
 * the look-ups. Other conditions are computed in the output, where they cannot make the planner choose another index.
 */
function loading(isSigner: string) {
  return statementOver(
    REQUEST_COLUMNS,
    ({ rows }) => `
    select r.n, ${TRANSACTIONS.names.map((name) => `t.${name}`).join(', ')},
           (select array[c.status, c.region, c.terms_consent::text]
              from customers c where c.platform_id = t.platform_id and c.id = t.customer_id) as customer,
           case t.source_type when 'EXTERNAL' then ${standing('external', 't.source_account')}
             else ${standing('internal', 't.source_account')} end as source_standing,
           case t.destination_type when 'EXTERNAL' then ${standing('external', 't.destination_account')}
             else ${standing('internal', 't.destination_account')} end as destination_standing,
           case when t.source_type <> 'EXTERNAL' then (
             select b.balance::bigint from ledger_balances b
              where b.platform_id = t.platform_id and b.account = 'AVAIL:' || t.source_account
                and b.currency = t.sending_currency) end as available,
           (select p.supported_currencies @> jsonb_build_array(jsonb_build_object(
                     'currencyCode', t.sending_currency, 'enabledTransactionTypes', jsonb_build_array(t.type)))
              from platform_configs p where p.platform_id = t.platform_id) as is_enabled,
           ${isSigner} as is_signer,
           idempotency_key_is_alive(k.created_at, r.now) as has_key, k.body_hash as key_hash, k.status as key_status,
           k.reply as key_reply
      from (select * from ${rows} offset 0) r
      left join idempotency_keys k on k.platform_id = r.platform_id and k.scope = r.scope and k.key = r.key
      left join transactions t on t.platform_id = r.platform_id and t.quote_id = r.quote_id`,
  );
}

const loadExecutions = loading('false');

/** Only a payment from a wallet is signed. */
const loadSignedExecutions = loading(`(
  select case when i.type = 'EMBEDDED_WALLET' then wallet_has_signer(i.platform_id, i.id, r.signer_key, r.now) end
    from internal_accounts i where i.platform_id = t.platform_id and i.id = t.source_account)`);

/** The facts about an account; null: it was deleted. */
function standing(kind: 'internal' | 'external', id: string): string {
  const [found, table] =
    kind === 'internal'
      ? [`array['INTERNAL', a.status, a.type]`, 'internal_accounts']
      : [
          `case when a.deleted_at is null then array['EXTERNAL', a.status, a.us_validation] end`,
          'external_accounts',
        ];
  return `(select ${found} from ${table} a where a.platform_id = t.platform_id and a.id = ${id})`;
}

interface ExecutionRow extends TransactionColumns {
  n: number;
  /** Status, region, and the consent to the terms as JSON. */
  customer: readonly [GatedCustomer['status'], string, string | null] | null;
  source_standing: StoredStanding;
  destination_standing: StoredStanding;
  available: bigint | null;
  is_enabled: boolean | null;
  is_signer: boolean | null;
  /** Whether the key is still valid; null if there is none. */
  has_key: boolean | null;
  key_hash: Buffer | null;
  key_status: number | null;
  key_reply: Buffer | null;
}

type StoredStanding =
  | readonly ['INTERNAL', InternalStatus, AccountType]
  | readonly ['EXTERNAL', ExternalStatus, UsValidation | null]
  | null;

function loadedFrom(row: ExecutionRow | undefined): LoadedExecution {
  if (!row) return { execution: undefined, foundKey: undefined };
  const { has_key: isAlive, key_hash, key_status, key_reply } = row;
  const foundKey =
    isAlive === null
      ? undefined
      : { is_alive: isAlive, body_hash: key_hash, status: key_status, reply: key_reply };
  return { foundKey, execution: row.id === null ? undefined : executionFrom(row) };
}

function executionFrom(found: ExecutionRow): Execution {
  const { n, customer, source_standing, destination_standing, available, is_enabled, is_signer, ...others } =
    found;
  const { has_key, key_hash, key_status, key_reply, ...row } = others;
  return {
    row: parseTransaction(row),
    customer: customerFrom(row.customer_id, customer),
    source: standingFrom(row.source_account, source_standing),
    destination: standingFrom(row.destination_account, destination_standing),
    available: available ?? undefined,
    isEnabled: is_enabled ?? false,
    isSigner: is_signer ?? false,
  };
}

function customerFrom(id: CustomerId | null, found: ExecutionRow['customer']): Execution['customer'] {
  if (id === null || found === null) return null;
  const [status, region, consent] = found;
  return { id, status, region, terms_consent: consent === null ? null : JSON.parse(consent) };
}

function standingFrom(accountId: string | null, stored: StoredStanding): AccountStanding | null {
  if (accountId === null) return null;
  if (stored === null) return { kind: 'GONE' };
  return stored[0] === 'INTERNAL'
    ? { kind: 'INTERNAL', status: stored[1], type: stored[2] }
    : { kind: 'EXTERNAL', status: stored[1], usValidation: stored[2] ?? undefined };
}
