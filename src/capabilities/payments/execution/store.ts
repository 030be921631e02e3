import type { AccountType, AccountStatus as InternalStatus } from '#capabilities/accounts/schemas.ts';
import type { GatedCustomer } from '#capabilities/customers/terms/money-gate.ts';
import type { AccountStatus as ExternalStatus } from '#capabilities/external-accounts/schemas.ts';
import { parseTransaction, TRANSACTIONS, type TransactionColumns } from '#capabilities/payments/columns.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { sql } from '#foundation/database/sql.ts';
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
      const rows = await database.query<ExecutionRow>(executionsStatement(requests));
      const byNumber = new Map(rows.map((row) => [Number(row.n), row]));
      return requests.map((_, i) => loadedFrom(byNumber.get(i + 1)));
    }),
  };
}

/** Loads the same for one quote, in this transaction. */
export async function findExecution(tx: ReadTx, quoteId: QuoteId): Promise<Execution | undefined> {
  const { platformId, now } = tx;
  const [row] = await tx.query<ExecutionRow>(executionsStatement([{ platformId, quoteId, now }]));
  return loadedFrom(row).execution;
}

interface ExecutionRow extends TransactionColumns {
  n: bigint;
  found: boolean;
  customer_status: GatedCustomer['status'] | null;
  terms_consent: GatedCustomer['terms_consent'];
  region: string | null;
  source_status: string | null;
  /** Set for an internal account. */
  source_account_type: AccountType | null;
  source_us_validation: UsValidation | null;
  source_available: bigint | null;
  destination_status: string | null;
  destination_account_type: AccountType | null;
  destination_us_validation: UsValidation | null;
  is_enabled: boolean | null;
  is_signer: boolean | null;
  /** Whether the key is still valid; null if there is none. */
  has_key: boolean | null;
  key_hash: Buffer | null;
  key_status: number | null;
  key_reply: Buffer | null;
}

function executionsStatement(requests: readonly ExecutionRequest[]) {
  return sql`
    select f.n, (f.found).id is not null as found, ${TRANSACTIONS.columns('(f.found)')}, f.customer_status,
           f.terms_consent, f.region, f.source_status, f.source_type as source_account_type, f.source_us_validation, f.source_available,
           f.destination_status, f.destination_type as destination_account_type, f.destination_us_validation, f.is_enabled,
           f.is_signer, f.has_key, f.key_hash, f.key_status, f.key_reply
      from payment_executions(
        ${requests.map(({ platformId }) => platformId)}, ${requests.map(({ quoteId }) => quoteId)},
        ${requests.map(({ key }) => key?.scope ?? null)}, ${requests.map(({ key }) => key?.key ?? null)},
        ${requests.map(({ signerKey }) => signerKey ?? null)}, ${requests.map(({ now }) => now.toISOString())}) f`;
}

function loadedFrom(row: ExecutionRow | undefined): LoadedExecution {
  if (!row) return { execution: undefined, foundKey: undefined };
  const { has_key: isAlive, key_hash, key_status, key_reply } = row;
  const foundKey =
    isAlive === null
      ? undefined
      : { is_alive: isAlive, body_hash: key_hash, status: key_status, reply: key_reply };
  if (!row.found) return { execution: undefined, foundKey };
  const { customer_id: id, customer_status: status, terms_consent, region } = row;
  const customer =
    id === null || status === null || region === null ? null : { id, status, terms_consent, region };
  return {
    foundKey,
    execution: {
      row: parseTransaction(row),
      customer,
      source: buildStanding(
        row.source_account,
        row.source_status,
        row.source_account_type,
        row.source_us_validation,
      ),
      destination: buildStanding(
        row.destination_account,
        row.destination_status,
        row.destination_account_type,
        row.destination_us_validation,
      ),
      available: row.source_available ?? undefined,
      isEnabled: row.is_enabled ?? false,
      isSigner: row.is_signer ?? false,
    },
  };
}

function buildStanding(
  accountId: string | null,
  status: string | null,
  type: AccountType | null,
  usValidation: UsValidation | null,
): AccountStanding | null {
  if (accountId === null) return null;
  if (status === null) return { kind: 'GONE' };
  return type === null
    ? { kind: 'EXTERNAL', status: status as ExternalStatus, usValidation: usValidation ?? undefined }
    : { kind: 'INTERNAL', status: status as InternalStatus, type };
}
