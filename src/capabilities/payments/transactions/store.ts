import { parseTransaction, TRANSACTIONS, type TransactionColumns } from '#capabilities/payments/columns.ts';
import { hashReference, hashUma, loadPrivate } from '#capabilities/payments/details.ts';
import { presentTransaction } from '#capabilities/payments/present-transaction.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { findTransaction } from '#capabilities/payments/store.ts';
import type { TransactionQuery } from '#capabilities/payments/transactions/schemas.ts';
import {
  type Alternatives,
  type AmountFilter,
  combineFilters,
  EXCLUDED,
  optionalFilter,
  type Party,
  type TransactionFilters,
  type TransactionSearch,
  type TransactionSource,
} from '#capabilities/payments/transactions/sources.ts';
import { versionsOf } from '#foundation/database/known-hashes.ts';
import { joinSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { parseDateTime } from '#foundation/lib/dates.ts';

/** The conditions on the rows of every source; both dates are inclusive (money.md §6.2). */
export function commonConditions(tx: ReadTx, { startDate, endDate }: TransactionQuery): Sql[] {
  return [
    sql`t.platform_id = ${tx.platformId}`,
    ...(startDate === undefined ? [] : [sql`t.created_at >= ${parseDateTime(startDate)}`]),
    ...(endDate === undefined ? [] : [sql`t.created_at <= ${parseDateTime(endDate)}`]),
  ];
}

/** For a table whose `customer_id` is null if the platform itself is the owner. */
export function ownerConditions(owners: readonly (string | null)[]): Alternatives {
  return owners.map((id) => (id === null ? sql`t.customer_id is null` : sql`t.customer_id = ${id}`));
}

/** The column to order by first if all matches belong to the platform itself (see `KeysetQuery`). */
export function nullOwner({ owners }: TransactionFilters): Pick<TransactionSearch, 'nullColumn'> {
  return owners?.length === 1 && owners[0] === null ? { nullColumn: sql`t.customer_id` } : {};
}

/**
 * Payments in the list of transactions. A filter on two columns reads both of their indexes and merges them, so that
 * the cost of a page does not depend on the size of the table.
 */
export const paymentSource: TransactionSource = {
  table: 'transactions',
  columns: TRANSACTIONS.names,
  search: (tx, filters) => ({ alternatives: combineFilters(conditions(tx, filters)), ...nullOwner(filters) }),
  load: (tx, rows: readonly TransactionColumns[]) => loadPrivate(tx, rows),
  present: (tx, row: TransactionColumns) => present(tx, parseTransaction(row)),
  async find(tx, id) {
    const row = await findTransaction(tx, id);
    return row && present(tx, row);
  },
};

function present(tx: ReadTx, row: TransactionRow) {
  return presentTransaction(tx, row, tx.now);
}

function conditions(tx: ReadTx, filters: TransactionFilters): Alternatives[] {
  return [
    ...optionalFilter(filters.owners, ownerConditions),
    ...optionalFilter(filters.accounts, accountConditions),
    ...optionalFilter(filters.account, (party) => eitherSideConditions(tx, party)),
    ...optionalFilter(filters.sender, (party) => onSide(tx, 'source', party)),
    ...optionalFilter(filters.receiver, (party) => onSide(tx, 'destination', party)),
    ...optionalFilter(filters.status, (status) => statusConditions(tx, status)),
    ...optionalFilter(filters.type, (type) => (type === 'CARD' ? EXCLUDED : [sql`t.type = ${type}`])),
    ...optionalFilter(filters.reference, (text) => byReference(tx, text)),
    ...optionalFilter(filters.cardId, () => EXCLUDED),
    ...optionalFilter(filters.amount, withAmount),
  ];
}

function withAmount({ units, currency }: AmountFilter): Alternatives {
  const side = (amount: Sql, code: Sql) =>
    sql`(${units === undefined ? sql`true` : sql`${amount} = ${units}`}
         and ${currency === undefined ? sql`true` : sql`${code} = ${currency}`})`;
  const isSent = side(sql`t.sending_amount`, sql`t.sending_currency`);
  return [sql`(${isSent} or ${side(sql`t.receiving_amount`, sql`t.receiving_currency`)})`];
}

type Side = 'source' | 'destination';

/** Reads each account and side along its own index. A payment from one account to another appears once. */
function accountConditions(accounts: readonly string[]): Alternatives {
  const parties = accounts.map((account) => ({ account, kind: 'INTERNAL' as const }));
  const isSource = sql`t.source_type <> 'EXTERNAL' and t.source_account = any(${accounts}::uuid[])`;
  return [
    ...parties.map((party) => inAccount('source', party)),
    ...parties.map((party) => sql`${inAccount('destination', party)} and (${isSource}) is not true`),
  ];
}

function eitherSideConditions(tx: ReadTx, party: Party): Alternatives {
  const sources = onSide(tx, 'source', party);
  const isSource = joinSql(
    sources.map((one) => sql`(${one})`),
    ' or ',
  );
  const destinations = onSide(tx, 'destination', party);
  return [...sources, ...destinations.map((one) => sql`${one} and (${isSource}) is not true`)];
}

/** Compares the hash, and the clear text of rows of earlier versions. No row has both forms of an address. */
function onSide(tx: ReadTx, side: Side, party: Party): Alternatives {
  if (!('uma' in party)) return [inAccount(side, party)];
  const hashes = versionsOf(hashUma(tx.vault, party.uma));
  return side === 'source'
    ? [...hashes.map((hash) => sql`t.source_uma_hash = ${hash}`), sql`t.source_uma = ${party.uma}`]
    : [...hashes.map((hash) => sql`t.destination_uma_hash = ${hash}`), sql`t.destination_uma = ${party.uma}`];
}

function inAccount(side: Side, party: Exclude<Party, { uma: string }>): Sql {
  const isSource = side === 'source';
  const [account, type] = isSource
    ? [sql`t.source_account`, sql`t.source_type`]
    : [sql`t.destination_account`, sql`t.destination_type`];
  const isAccount = sql`${account} = ${party.account}`;
  if (party.kind === undefined) return isAccount;
  return party.kind === 'EXTERNAL'
    ? sql`${isAccount} and ${type} = 'EXTERNAL'`
    : sql`${isAccount} and ${type} <> 'EXTERNAL'`;
}

/**
 * The status as presented: before its timer has run, an overdue quote reads `EXPIRED` or `FAILED` (money.md §3.1), and
 * an overdue unapproved transfer reads `FAILED` (agents.md §5.1).
 */
function statusConditions(tx: ReadTx, status: NonNullable<TransactionFilters['status']>): Alternatives {
  const hasLapsed = sql`t.status = 'PENDING_AUTHORIZATION' and t.authorize_by <= ${tx.now}`;
  if (status === 'PENDING_AUTHORIZATION') {
    return [sql`t.status = 'PENDING_AUTHORIZATION' and t.authorize_by > ${tx.now}`];
  }
  const isUnapproved = sql`t.kind = 'TRANSFER' and t.approve_by <= ${tx.now}`;
  if (status === 'FAILED') {
    return [sql`t.status = 'FAILED'`, hasLapsed, sql`t.status = 'PENDING' and ${isUnapproved}`];
  }
  const isLate = sql`t.kind = 'QUOTE' and t.executed_at is null and t.expires_at <= ${tx.now}`;
  if (status === 'PENDING') {
    return [sql`t.status = 'PENDING' and (${isLate}) is not true and (${isUnapproved}) is not true`];
  }
  if (status === 'EXPIRED') return [sql`t.status = 'EXPIRED'`, sql`t.status = 'PENDING' and ${isLate}`];
  return [sql`t.status = ${status}`];
}

/** Compares the hash of a reference that the payer stated, and references that we issued. No row has both. */
function byReference(tx: ReadTx, text: string): Alternatives {
  return [
    ...versionsOf(hashReference(tx.vault, text)).map((hash) => sql`t.reference_hash = ${hash}`),
    sql`t.reference = ${text}`,
    sql`t.refund_reference = ${text} and t.reference is distinct from ${text}`,
  ];
}
