import { type Funding, sealFunding, sealNoFunding } from '#capabilities/accounts/funding-instructions.ts';
import { STATUS_CHANGES, type StatusChange } from '#capabilities/accounts/rules.ts';
import type { AccountStatus, AccountType } from '#capabilities/accounts/schemas.ts';
import { joinSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { keysetPage, type Page, type PageRequest } from '#foundation/http/paging.ts';
import { joinBalances } from '#foundation/ledger/store.ts';
import { notFound } from '#foundation/lib/refusals.ts';

/** An account at one moment, with its balances at the same moment. */
export interface AccountRow {
  id: AccountId;
  customer_id: CustomerId | null;
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

const COLUMNS = sql`t.id, t.customer_id, t.currency, t.type, t.status, t.provisioning, t.reference, t.funding,
  t.funding_count, t.private_enabled, t.created_at, greatest(t.updated_at, money.posted_at) as updated_at,
  money.available, money.total`;

const FROM = sql`internal_accounts t ${joinBalances()}`;

/** Finds accounts with their balances in one statement; omits unknown ids. */
export async function findAccounts(tx: ReadTx, ids: readonly AccountId[]): Promise<AccountRow[]> {
  return tx.query<AccountRow>(sql`
    select ${COLUMNS} from ${FROM}
     where t.platform_id = ${tx.platformId} and t.id = any(${ids}::uuid[])
     order by t.created_at, t.id`);
}

/** An account's owner and whether it can move money, without its balances. */
export type AccountOwnership = Pick<AccountRow, 'id' | 'customer_id' | 'currency' | 'status'>;

/** Finds accounts without their balances, which cost a look-up each; omits unknown ids. */
export function findOwnerships(tx: ReadTx, ids: readonly AccountId[]): Promise<AccountOwnership[]> {
  return tx.sql<AccountOwnership>`
    select id, customer_id, currency, status from internal_accounts
     where platform_id = ${tx.platformId} and id = any(${ids}::uuid[])`;
}

/** Finds the owner's open accounts in a currency, oldest first; null: the platform's own. */
export async function findOwnedAccounts(
  tx: ReadTx,
  customerId: CustomerId | null,
  currency: string,
): Promise<AccountId[]> {
  const rows = await tx.sql<{ id: AccountId }>`
    select id from internal_accounts
     where platform_id = ${tx.platformId} and customer_id is not distinct from ${customerId}
       and currency = ${currency} and status <> 'CLOSED'
     order by created_at, id`;
  return rows.map((row) => row.id);
}

/** Accounts of a deleted customer are not visible to callers, like the customer itself. */
export async function findVisibleAccount(tx: ReadTx, id: AccountId): Promise<AccountRow | undefined> {
  const [row] = await tx.query<AccountRow>(sql`
    select ${COLUMNS} from ${FROM}
     where t.platform_id = ${tx.platformId} and t.id = ${id} and t.withdrawn_at is null`);
  return row;
}

export interface AccountFilters {
  readonly currency?: string | undefined;
  readonly customerId?: CustomerId | undefined;
  readonly type?: AccountType | undefined;
  readonly status?: AccountStatus | undefined;
  /** Only these accounts; bare UUIDs. */
  readonly ids?: readonly AccountId[] | undefined;
}

export function listCustomerAccounts<Item>(
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

function conditions({ currency, type, status, ids }: AccountFilters): Sql[] {
  return [
    ...(ids === undefined ? [] : [sql`t.id = any(${ids}::uuid[])`]),
    ...(currency === undefined ? [] : [sql`t.currency = ${currency}`]),
    ...(type === undefined ? [] : [sql`t.type = ${type}`]),
    ...(status === undefined ? [] : [sql`t.status = ${status}`]),
  ];
}

/**
 * Finds a customer's accounts that can move money, oldest first: the first in a currency is its primary
 * (accounts.md §2.1.11).
 */
export async function findActiveAccounts(
  tx: ReadTx,
  customerId: CustomerId,
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
  readonly id: AccountId;
  readonly customerId: CustomerId | undefined;
  readonly currency: string;
  readonly type: AccountType;
  readonly status: AccountStatus;
  readonly provisioning: AccountRow['provisioning'];
  readonly reference: string | undefined;
  readonly funding: Funding;
  readonly fundingCount: number;
}

/**
 * Returns the stored ids. An account is skipped if its owner already has a live one in the currency, or if its
 * reference is taken.
 */
export async function insertAccounts(tx: Tx, accounts: readonly NewAccount[]): Promise<Set<AccountId>> {
  const rows = await tx.sql<{ id: AccountId }>`
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
        ${accounts.map(({ id, customerId, funding }) => sealFunding(tx, { id, customer_id: customerId ?? null }, funding))}::bytea[],
        ${accounts.map((account) => account.fundingCount)}::smallint[]
      ) as n (id, customer_id, currency, type, status, provisioning, reference, funding, funding_count)
        on conflict do nothing
    returning id`;
  return new Set(rows.map((row) => row.id));
}

/** Returns those of these currencies in which the owner has a live account. */
export async function liveCurrencies(
  tx: ReadTx,
  customerId: CustomerId | undefined,
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
  readonly id: AccountId;
  readonly customer_id: CustomerId | null;
  readonly currency: string;
  readonly type: AccountType;
  readonly status: AccountStatus;
  readonly provisioning: AccountRow['provisioning'];
  readonly reference: string | null;
  readonly funding: Buffer;
}

/** Refuses unknown accounts and those of other platforms alike (accounts.md §1.2). */
export async function lockAccount(tx: Tx, id: AccountId): Promise<LockedAccount> {
  const [account] = await lockAccounts(tx, [id]);
  if (!account) throw notFound('ACCOUNT_NOT_FOUND', 'InternalAccount');
  return account;
}

/** Locks in the order of ids, until the transaction ends. Lock accounts before their ledger accounts. */
export async function lockAccounts(tx: Tx, ids: readonly AccountId[]): Promise<LockedAccount[]> {
  return lockWhere(tx, sql`id = any(${ids}::uuid[])`);
}

/** Locks the customer's open accounts, in these currencies or in all. */
export async function lockLiveAccounts(
  tx: Tx,
  customerId: CustomerId,
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

/** Changes the status of the accounts whose current status allows it, and returns their ids. */
export async function moveStatuses(
  tx: Tx,
  ids: readonly AccountId[],
  change: StatusChange,
): Promise<AccountId[]> {
  const { from, to } = STATUS_CHANGES[change];
  const rows = await tx.sql<{ id: AccountId }>`
    update internal_accounts set status = ${to}, updated_at = ${tx.now}
     where platform_id = ${tx.platformId} and id = any(${ids}::uuid[]) and status = any(${from}::text[])
    returning id`;
  return rows.map((row) => row.id);
}

/** Called when the customer is deleted; all of its accounts are already closed. */
export async function markWithdrawn(tx: Tx, customerId: CustomerId): Promise<void> {
  await tx.sql`
    update internal_accounts set withdrawn_at = ${tx.now}
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and withdrawn_at is null`;
}

/** Records the provider's decision, and the instructions that came with it. */
export async function setProvisioning(
  tx: Tx,
  account: Pick<LockedAccount, 'id' | 'customer_id'>,
  provisioning: AccountRow['provisioning'],
  funding?: Funding,
): Promise<void> {
  const sealed = funding === undefined ? null : sealFunding(tx, account, funding);
  await tx.sql`
    update internal_accounts
       set provisioning = ${provisioning}, funding = coalesce(${sealed}::bytea, funding), updated_at = ${tx.now}
     where platform_id = ${tx.platformId} and id = ${account.id}`;
}

/** Stores the instructions; replies show the first `fundingCount` of them. */
export async function setFunding(
  tx: Tx,
  account: Pick<LockedAccount, 'id' | 'customer_id'>,
  funding: Funding,
  fundingCount: number,
): Promise<void> {
  await tx.sql`
    update internal_accounts
       set funding = ${sealFunding(tx, account, funding)}, funding_count = ${fundingCount}, updated_at = ${tx.now}
     where platform_id = ${tx.platformId} and id = ${account.id}`;
}

/** Sets whether the transfers of an embedded wallet are hidden. */
export async function setPrivateEnabled(tx: Tx, id: AccountId, privateEnabled: boolean): Promise<void> {
  await tx.sql`
    update internal_accounts set private_enabled = ${privateEnabled}, updated_at = ${tx.now}
     where platform_id = ${tx.platformId} and id = ${id}`;
}

/** The instructions contain the customer's name, so they are erased with the customer. */
export async function eraseFunding(tx: Tx, customerId: CustomerId): Promise<void> {
  const accounts = await lockWhere(tx, sql`customer_id = ${customerId}`);
  await tx.sql`
    update internal_accounts a
       set funding = n.funding, funding_count = 0, updated_at = ${tx.now}
      from unnest(
        ${accounts.map(({ id }) => id)}::uuid[],
        ${accounts.map(({ id }) => sealNoFunding(tx, id))}::bytea[]
      ) as n (id, funding)
     where a.platform_id = ${tx.platformId} and a.id = n.id`;
}

/** Finds the account whose funding instructions have this reference. */
export async function findAccountIdByReference(
  tx: ReadTx,
  reference: string,
): Promise<AccountId | undefined> {
  const [row] = await tx.sql<{ id: AccountId }>`
    select id from internal_accounts where platform_id = ${tx.platformId} and reference = ${reference}`;
  return row?.id;
}
