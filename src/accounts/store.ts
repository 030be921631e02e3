import type { StoredInstruction } from '#accounts/funding-instructions.ts';
import { STATUS_CHANGES, type StatusChange } from '#accounts/rules.ts';
import type { AccountStatus, AccountType } from '#accounts/schemas.ts';
import { joinSql, type Sql, sql } from '#database/sql.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import { keysetPage, type Page, type PageRequest } from '#http/paging.ts';
import { joinBalances } from '#ledger/owned-balances.ts';

/** An account as it was at one moment, with its balances of the same moment. */
export interface AccountRow {
  id: string;
  customer_id: string | null;
  currency: string;
  type: AccountType;
  status: AccountStatus;
  provisioning: 'REQUESTED' | 'COMPLETED' | 'REFUSED';
  reference: string | null;
  funding: Buffer;
  funding_count: number;
  private_enabled: boolean;
  created_at: Date;
  updated_at: Date;
  available: bigint;
  total: bigint;
}

/** The sealed part of a row. */
export interface Funding {
  readonly holderName: string;
  readonly instructions: readonly StoredInstruction[];
}

const COLUMNS = sql`t.id, t.customer_id, t.currency, t.type, t.status, t.provisioning, t.reference, t.funding,
  t.funding_count, t.private_enabled, t.created_at, greatest(t.updated_at, money.posted_at) as updated_at,
  money.available, money.total`;

const FROM = sql`internal_accounts t ${joinBalances()}`;

/** In one statement with their balances, however many; unknown ids are left out. */
export async function findAccounts(tx: ReadTx, ids: readonly string[]): Promise<AccountRow[]> {
  return tx.query<AccountRow>(sql`
    select ${COLUMNS} from ${FROM}
     where t.platform_id = ${tx.platformId} and t.id = any(${ids}::uuid[])
     order by t.created_at, t.id`);
}

/** One that a caller names. Accounts of a deleted customer are unknown, like the customer itself. */
export async function findAccountInSight(tx: ReadTx, id: string): Promise<AccountRow | undefined> {
  const [row] = await tx.query<AccountRow>(sql`
    select ${COLUMNS} from ${FROM}
     where t.platform_id = ${tx.platformId} and t.id = ${id} and t.withdrawn_at is null`);
  return row;
}

export interface AccountFilters {
  readonly currency?: string | undefined;
  readonly customerId?: string | undefined;
  readonly type?: AccountType | undefined;
}

export function pageOfCustomerAccounts<Item>(
  tx: ReadTx,
  request: PageRequest,
  filters: AccountFilters,
  present: (row: AccountRow) => Item,
): Promise<Page<Item>> {
  const where = [
    sql`t.platform_id = ${tx.platformId}`,
    sql`t.customer_id is not null`,
    sql`t.withdrawn_at is null`,
    ...(filters.customerId === undefined ? [] : [sql`t.customer_id = ${filters.customerId}`]),
    ...conditions(filters),
  ];
  return keysetPage(tx, request, { columns: COLUMNS, from: FROM, where }, present);
}

export async function listPlatformAccounts(tx: ReadTx, filters: AccountFilters): Promise<AccountRow[]> {
  const where = [sql`t.platform_id = ${tx.platformId}`, sql`t.customer_id is null`, ...conditions(filters)];
  return tx.query<AccountRow>(sql`
    select ${COLUMNS} from ${FROM} where ${joinSql(where, ' and ')} order by t.created_at, t.id`);
}

function conditions({ currency, type }: AccountFilters): Sql[] {
  return [
    ...(currency === undefined ? [] : [sql`t.currency = ${currency}`]),
    ...(type === undefined ? [] : [sql`t.type = ${type}`]),
  ];
}

/** A customer's accounts that can move money, oldest first: the first in a currency is its primary (IA-11). */
export async function activeAccountsOf(
  tx: ReadTx,
  customerId: string,
  currency?: string,
): Promise<AccountRow[]> {
  const where = [
    sql`t.platform_id = ${tx.platformId}`,
    sql`t.customer_id = ${customerId}`,
    sql`t.status = 'ACTIVE'`,
    ...conditions({ currency }),
  ];
  return tx.query<AccountRow>(sql`
    select ${COLUMNS} from ${FROM} where ${joinSql(where, ' and ')} order by t.created_at, t.id`);
}

export interface NewAccount {
  readonly id: string;
  readonly customerId: string | undefined;
  readonly currency: string;
  readonly type: AccountType;
  readonly status: AccountStatus;
  readonly provisioning: AccountRow['provisioning'];
  readonly reference: string | undefined;
  readonly funding: Funding;
  readonly fundingCount: number;
}

/**
 * Stores accounts in one statement and tells which of them came in: one whose owner has a live account in the
 * currency already stays out, and so does one whose reference is taken.
 */
export async function insertAccounts(tx: Tx, accounts: readonly NewAccount[]): Promise<Set<string>> {
  const rows = await tx.sql<{ id: string }>`
    insert into internal_accounts
      (platform_id, id, customer_id, currency, type, status, provisioning, reference, funding, funding_count,
       created_at, updated_at)
    select ${tx.platformId}, n.id, n.customer_id, n.currency, n.type, n.status, n.provisioning, n.reference,
           n.funding, n.funding_count, ${tx.now}, ${tx.now}
      from unnest(
        ${accounts.map((account) => account.id)}::uuid[],
        ${accounts.map((account) => account.customerId ?? null)}::uuid[],
        ${accounts.map((account) => account.currency)}::text[],
        ${accounts.map((account) => account.type)}::text[],
        ${accounts.map((account) => account.status)}::text[],
        ${accounts.map((account) => account.provisioning)}::text[],
        ${accounts.map((account) => account.reference ?? null)}::text[],
        ${accounts.map((account) => sealFunding(tx, account.id, account.funding))}::bytea[],
        ${accounts.map((account) => account.fundingCount)}::smallint[]
      ) as n (id, customer_id, currency, type, status, provisioning, reference, funding, funding_count)
        on conflict do nothing
    returning id`;
  return new Set(rows.map((row) => row.id));
}

/** The currencies among these in which the owner has a live account. */
export async function liveCurrencies(
  tx: ReadTx,
  customerId: string | undefined,
  currencies: readonly string[],
): Promise<Set<string>> {
  const owner = customerId === undefined ? sql`customer_id is null` : sql`customer_id = ${customerId}`;
  const rows = await tx.query<{ currency: string }>(sql`
    select currency from internal_accounts
     where platform_id = ${tx.platformId} and ${owner} and status <> 'CLOSED'
       and currency = any(${currencies}::text[])`);
  return new Set(rows.map((row) => row.currency));
}

export interface LockedAccount {
  readonly id: string;
  readonly customer_id: string | null;
  readonly currency: string;
  readonly type: AccountType;
  readonly status: AccountStatus;
  readonly provisioning: AccountRow['provisioning'];
  readonly reference: string | null;
  readonly funding: Buffer;
}

/** Holds the rows until the transaction ends, in one order. Lock them before their ledger accounts. */
export async function lockAccounts(tx: Tx, ids: readonly string[]): Promise<LockedAccount[]> {
  return lockWhere(tx, sql`id = any(${ids}::uuid[])`);
}

/** The accounts of a customer that are not closed; of some currencies only, where these are given. */
export async function lockLiveAccountsOf(
  tx: Tx,
  customerId: string,
  currencies?: readonly string[],
): Promise<LockedAccount[]> {
  const some = currencies === undefined ? [] : [sql`currency = any(${currencies}::text[])`];
  return lockWhere(
    tx,
    joinSql([sql`customer_id = ${customerId}`, sql`status <> 'CLOSED'`, ...some], ' and '),
  );
}

function lockWhere(tx: Tx, condition: Sql): Promise<LockedAccount[]> {
  return tx.query<LockedAccount>(sql`
    select id, customer_id, currency, type, status, provisioning, reference, funding
      from internal_accounts
     where platform_id = ${tx.platformId} and ${condition}
     order by id
       for no key update`);
}

/** Takes a step of the status machine where it may start; gives back the ids that took it. */
export async function moveAccounts(tx: Tx, ids: readonly string[], step: StatusChange): Promise<string[]> {
  const { from, to } = STATUS_CHANGES[step];
  const rows = await tx.sql<{ id: string }>`
    update internal_accounts set status = ${to}, updated_at = ${tx.now}
     where platform_id = ${tx.platformId} and id = any(${ids}::uuid[]) and status = any(${from}::text[])
    returning id`;
  return rows.map((row) => row.id);
}

/** With the deletion of the customer; all are closed by then. */
export async function withdrawAccounts(tx: Tx, customerId: string): Promise<void> {
  await tx.sql`
    update internal_accounts set withdrawn_at = ${tx.now}
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and withdrawn_at is null`;
}

/** Notes what the provider said, and keeps what it gave. */
export async function setProvisioning(
  tx: Tx,
  id: string,
  provisioning: AccountRow['provisioning'],
  funding?: Funding,
): Promise<void> {
  const sealed = funding === undefined ? null : sealFunding(tx, id, funding);
  await tx.sql`
    update internal_accounts
       set provisioning = ${provisioning}, funding = coalesce(${sealed}::bytea, funding), updated_at = ${tx.now}
     where platform_id = ${tx.platformId} and id = ${id}`;
}

/** Stores the list and shows this much of it. */
export async function setFunding(tx: Tx, id: string, funding: Funding, fundingCount: number): Promise<void> {
  await tx.sql`
    update internal_accounts
       set funding = ${sealFunding(tx, id, funding)}, funding_count = ${fundingCount}, updated_at = ${tx.now}
     where platform_id = ${tx.platformId} and id = ${id}`;
}

/** The customer's name stands in the instructions; with its erasure they go, coordinates and all. */
export async function forgetFunding(tx: Tx, customerId: string): Promise<void> {
  const accounts = await lockWhere(tx, sql`customer_id = ${customerId}`);
  const nothing: Funding = { holderName: '', instructions: [] };
  await tx.sql`
    update internal_accounts a
       set funding = n.funding, funding_count = 0, updated_at = ${tx.now}
      from unnest(
        ${accounts.map(({ id }) => id)}::uuid[],
        ${accounts.map(({ id }) => sealFunding(tx, id, nothing))}::bytea[]
      ) as n (id, funding)
     where a.platform_id = ${tx.platformId} and a.id = n.id`;
}

export function openFunding(tx: ReadTx, row: { id: string; funding: Buffer }): Funding {
  return JSON.parse(tx.vault.openText(row.funding, fundingContext(row.id))) as Funding;
}

function sealFunding(tx: ReadTx, id: string, funding: Funding): Buffer {
  return tx.vault.seal(JSON.stringify(funding), fundingContext(id));
}

/** The place that the sealed value is bound to; the migration says the same. */
function fundingContext(id: string): string {
  return `internal_accounts.funding:${id}`;
}
