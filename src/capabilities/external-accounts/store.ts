import assert from 'node:assert/strict';
import type { AccountStatus, OwnershipType } from '#capabilities/external-accounts/schemas.ts';
import {
  type ExternalAccountDetails,
  loadDetails,
  openDetails,
  sealDetails,
  sealReference,
} from '#capabilities/external-accounts/sealed-account.ts';
import type { AccountInfo } from '#capabilities/external-accounts/types/account-fields.ts';
import { fingerprintText } from '#capabilities/external-accounts/types/account-rules.ts';
import type { KeyedHash } from '#foundation/crypto/keyed-hashes.ts';
import { allVersionsOf } from '#foundation/database/known-hashes.ts';
import { joinSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { keysetPage, type Page, type PageRequest } from '#foundation/http/paging.ts';
import { notFound } from '#foundation/lib/refusals.ts';
import type { UsValidation } from '#foundation/ports/account-screening.ts';
import type { NameCheckStatus } from '#foundation/ports/name-check.ts';

export interface ExternalAccountRow {
  id: ExternalAccountId;
  customer_id: CustomerId | null;
  account_type: string;
  currency: string;
  status: AccountStatus;
  ownership_type: OwnershipType | null;
  /** Set in rows of earlier versions only: the platform's own reference in clear text. New rows have it sealed. */
  platform_account_id: string | null;
  account_reference: Buffer | null;
  is_default: boolean;
  name_check: NameCheckStatus | null;
  us_validation: UsValidation | null;
  trusted: boolean;
  details: Buffer;
  created_at: Date;
  updated_at: Date;
}

/** The accounts that a caller sees: all, the platform's own, or one customer's. */
export type Scope = 'ALL' | 'PLATFORM' | { readonly customerId: CustomerId };

const COLUMNS = accountColumns(sql`t`);

/** For statements of other folders that select external accounts together with their own rows. */
export function accountColumns(alias: Sql): Sql {
  return sql`${alias}.id, ${alias}.customer_id, ${alias}.account_type, ${alias}.currency, ${alias}.status,
    ${alias}.ownership_type, ${alias}.platform_account_id, ${alias}.account_reference, ${alias}.is_default,
    ${alias}.name_check, ${alias}.us_validation, ${alias}.trusted, ${alias}.details, ${alias}.created_at, ${alias}.updated_at`;
}

export async function findExternalAccount(
  tx: ReadTx,
  id: ExternalAccountId,
  scope: Scope = 'ALL',
): Promise<ExternalAccountRow | undefined> {
  const [row] = await tx.query<ExternalAccountRow>(sql`
    select ${COLUMNS} from external_accounts t where ${whereAccount(tx, id, scope)}`);
  return row;
}

/** Uses one statement; deleted and unknown accounts are left out. */
export async function findExternalAccounts(
  tx: ReadTx,
  ids: readonly ExternalAccountId[],
): Promise<ExternalAccountRow[]> {
  return tx.query<ExternalAccountRow>(sql`
    select ${COLUMNS} from external_accounts t
     where t.platform_id = ${tx.platformId} and t.id = any(${ids}::uuid[]) and t.deleted_at is null`);
}

/** Locks the row until the transaction ends, so that changes of one account happen one after the other. */
export async function lockExternalAccount(
  tx: Tx,
  id: ExternalAccountId,
  scope: Scope = 'ALL',
): Promise<ExternalAccountRow | undefined> {
  const [row] = await tx.query<ExternalAccountRow>(sql`
    select ${COLUMNS} from external_accounts t where ${whereAccount(tx, id, scope)} for no key update`);
  return row;
}

export interface ExternalAccountFilters {
  readonly currency?: string | undefined;
  readonly customerId?: CustomerId | undefined;
}

export async function listAccounts<Item>(
  tx: ReadTx,
  owners: 'CUSTOMERS' | 'PLATFORM',
  request: PageRequest,
  { currency, customerId }: ExternalAccountFilters,
  present: (row: ExternalAccountRow) => Item,
): Promise<Page<Item>> {
  const where = [
    sql`t.platform_id = ${tx.platformId}`,
    sql`t.deleted_at is null`,
    owners === 'PLATFORM' ? sql`t.customer_id is null` : sql`t.customer_id is not null`,
    ...(customerId === undefined ? [] : [sql`t.customer_id = ${customerId}`]),
    ...(currency === undefined ? [] : [sql`t.currency = ${currency}`]),
  ];
  const query = { columns: COLUMNS, from: sql`external_accounts t`, where };
  const page = await keysetPage(tx, request, query, (row: ExternalAccountRow) => row);
  await loadDetails(tx, page.data);
  return { ...page, data: page.data.map(present) };
}

/** The owner's live account with the same fingerprint (accounts.md §3.3.30). */
export async function findDuplicate(
  tx: ReadTx,
  customerId: CustomerId | undefined,
  currency: string,
  info: AccountInfo,
): Promise<string | undefined> {
  const [row] = await tx.sql<{ id: ExternalAccountId }>`
    select id from external_accounts
     where platform_id = ${tx.platformId}
       and fingerprint = any(${allVersionsOf(fingerprint(tx, customerId, currency, info))})
       and deleted_at is null`;
  return row?.id;
}

export interface NewExternalAccount {
  readonly id: ExternalAccountId;
  readonly customerId: CustomerId | undefined;
  readonly currency: string;
  readonly status: AccountStatus;
  readonly ownershipType: OwnershipType | undefined;
  readonly platformAccountId: string | undefined;
  readonly isDefault: boolean;
  readonly nameCheck: NameCheckStatus | undefined;
  readonly usValidation: UsValidation | undefined;
  readonly details: ExternalAccountDetails;
}

/** Undefined if another transaction stored the same account first. */
export async function insertAccount(
  tx: Tx,
  account: NewExternalAccount,
): Promise<ExternalAccountRow | undefined> {
  const { id, customerId, currency, details } = account;
  const owned = { id, customer_id: customerId ?? null };
  const [row] = await tx.sql<ExternalAccountRow>`
    insert into external_accounts as t
      (platform_id, id, customer_id, account_type, currency, status, ownership_type, account_reference,
       is_default, name_check, us_validation, details, fingerprint, created_at, updated_at)
    values
      (${tx.platformId}, ${id}, ${customerId ?? null}, ${details.info.accountType}, ${currency},
       ${account.status}, ${account.ownershipType ?? null}, ${sealReference(tx, owned, account.platformAccountId)},
       ${account.isDefault}, ${account.nameCheck ?? null}, ${account.usValidation ?? null},
       ${sealDetails(tx, owned, details)}, ${fingerprint(tx, customerId, currency, details.info).toStore}, ${tx.now},
       ${tx.now})
        on conflict (platform_id, fingerprint) where deleted_at is null do nothing
    returning ${COLUMNS}`;
  return row;
}

/** accounts.md §3.2.21. The caller has locked the customer's row, so no other default is set meanwhile. */
export async function unsetDefault(tx: Tx, customerId: CustomerId): Promise<void> {
  await tx.sql`
    update external_accounts set is_default = false, updated_at = ${tx.now}
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and is_default and deleted_at is null`;
}

/** accounts.md §3.2.23: the account to which the customer's incoming UMA payments are forwarded, if any. */
export async function findDefault(
  tx: ReadTx,
  customerId: CustomerId,
  currency: string,
): Promise<ExternalAccountRow | undefined> {
  const [row] = await tx.query<ExternalAccountRow>(sql`
    select ${COLUMNS} from external_accounts t
     where t.platform_id = ${tx.platformId} and t.customer_id = ${customerId} and t.is_default
       and t.deleted_at is null and t.status = 'ACTIVE' and t.currency = ${currency}`);
  return row;
}

/** Undefined if the account is deleted or its status is not one of `from`. */
export async function updateExternalAccountStatus(
  tx: ReadTx,
  id: ExternalAccountId,
  from: readonly AccountStatus[],
  to: AccountStatus,
): Promise<ExternalAccountRow | undefined> {
  const [row] = await tx.query<ExternalAccountRow>(sql`
    update external_accounts t set status = ${to}, updated_at = ${tx.now}
     where ${whereAccount(tx, id, 'ALL')} and t.status = any(${from}::text[])
    returning ${COLUMNS}`);
  return row;
}

export async function setNameCheck(
  tx: Tx,
  row: ExternalAccountRow,
  nameCheck: NameCheckStatus,
  verifiedName: string | undefined,
): Promise<void> {
  const { info } = openDetails(tx, row);
  await tx.sql`
    update external_accounts
       set name_check = ${nameCheck}, details = ${sealDetails(tx, row, { info, verifiedName })},
           updated_at = ${tx.now}
     where platform_id = ${tx.platformId} and id = ${row.id}`;
}

/** Only the first outcome counts: `VALID` and `FAILED` are both final. */
export async function settleUsValidation(
  tx: Tx,
  id: ExternalAccountId,
  state: UsValidation,
): Promise<boolean> {
  const rows = await tx.sql`
    update external_accounts set us_validation = ${state}
     where platform_id = ${tx.platformId} and id = ${id} and us_validation = 'PENDING' and deleted_at is null
    returning id`;
  return rows.length > 0;
}

/** Whether an external account is a trusted beneficiary; undefined if there is no such account. */
export async function findTrusted(tx: ReadTx, id: ExternalAccountId): Promise<boolean | undefined> {
  const [row] = await tx.sql<{ trusted: boolean }>`
    select trusted from external_accounts
     where platform_id = ${tx.platformId} and id = ${id} and deleted_at is null`;
  return row?.trusted;
}

/** accounts.md §3.4. */
export async function setTrusted(tx: Tx, id: ExternalAccountId, trusted: boolean): Promise<void> {
  await tx.sql`
    update external_accounts set trusted = ${trusted}, updated_at = ${tx.now}
     where platform_id = ${tx.platformId} and id = ${id}`;
}

export async function markExternalAccountDeleted(tx: Tx, id: ExternalAccountId): Promise<void> {
  await tx.sql`
    update external_accounts set deleted_at = ${tx.now}, updated_at = ${tx.now}
     where platform_id = ${tx.platformId} and id = ${id} and deleted_at is null`;
}

/** Deletes a deleted customer's accounts, trusted ones too (accounts.md §3.4). */
export async function markDeletedForCustomer(tx: Tx, customerId: CustomerId): Promise<void> {
  await tx.sql`
    with gone as (
      update external_accounts set deleted_at = ${tx.now}, updated_at = ${tx.now}
       where platform_id = ${tx.platformId} and customer_id = ${customerId} and deleted_at is null
      returning id)
    update ownership_challenges set closed_at = ${tx.now}
     where platform_id = ${tx.platformId} and closed_at is null and account_id in (select id from gone)`;
}

/** Keeps the rows for the transactions that refer to them, without any personal data. */
export async function eraseForCustomer(tx: Tx, customerId: CustomerId): Promise<void> {
  await tx.sql`
    delete from ownership_challenges
     where platform_id = ${tx.platformId} and account_id in (
       select id from external_accounts where platform_id = ${tx.platformId} and customer_id = ${customerId})`;
  await tx.sql`
    update external_accounts set details = null, fingerprint = null, platform_account_id = null,
           account_reference = null
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and deleted_at is not null`;
}

/** The same account has different fingerprints on different platforms, so that they cannot be compared. */
function fingerprint(
  tx: ReadTx,
  customerId: CustomerId | undefined,
  currency: string,
  info: AccountInfo,
): KeyedHash {
  const text = fingerprintText([tx.platformId, customerId].join(':'), currency, info);
  return tx.vault.hash(text, 'external_accounts.fingerprint');
}

function whereAccount(tx: ReadTx, id: ExternalAccountId, scope: Scope): Sql {
  const owner =
    scope === 'ALL'
      ? []
      : [scope === 'PLATFORM' ? sql`t.customer_id is null` : sql`t.customer_id = ${scope.customerId}`];
  return joinSql(
    [sql`t.platform_id = ${tx.platformId}`, sql`t.id = ${id}`, sql`t.deleted_at is null`, ...owner],
    ' and ',
  );
}

export function externalAccountNotFound() {
  return notFound('ACCOUNT_NOT_FOUND', 'ExternalAccount');
}

export function assertStored(row: ExternalAccountRow | undefined): ExternalAccountRow {
  assert(row, 'the row is held by this transaction');
  return row;
}
