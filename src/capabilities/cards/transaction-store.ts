import { presentCardTransaction } from '#capabilities/cards/present.ts';
import { openPurchase, openPurchases } from '#capabilities/cards/sealed-purchase.ts';
import {
  type CardTransactionRow,
  STORED_COLUMNS,
  type StoredCardTransaction,
} from '#capabilities/cards/transaction-row.ts';
import {
  type Alternatives,
  type AmountFilter,
  combineFilters,
  EXCLUDED,
  optionalFilter,
  type Party,
  type TransactionFilters,
  type TransactionSource,
} from '#capabilities/payments/transactions/sources.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';

const COLUMNS = rawSql(STORED_COLUMNS.map((name) => `t.${name}`).join(', '));

export async function findCardTransaction(
  tx: ReadTx,
  id: TransactionId,
): Promise<CardTransactionRow | undefined> {
  const rows = await tx.query<StoredCardTransaction>(sql`
    select ${COLUMNS} from card_transactions t where t.platform_id = ${tx.platformId} and t.id = ${id}`);
  return (await openPurchases(tx, rows))[0];
}

/** Finds the row with this token of the issuer. */
export async function findRowByToken(tx: ReadTx, token: string): Promise<CardTransactionRow | undefined> {
  const rows = await tx.query<StoredCardTransaction>(sql`
    select ${COLUMNS} from card_transactions t where t.platform_id = ${tx.platformId} and t.token = ${token}`);
  return (await openPurchases(tx, rows))[0];
}

/** The newest rows of a card. */
export async function listRowsOfCard(
  tx: ReadTx,
  cardId: CardId,
  rowsMax: number,
): Promise<CardTransactionRow[]> {
  const rows = await tx.query<StoredCardTransaction>(sql`
    select ${COLUMNS} from card_transactions t
     where t.platform_id = ${tx.platformId} and t.card_id = ${cardId}
     order by t.created_at desc, t.id desc limit ${rowsMax}`);
  return openPurchases(tx, rows);
}

/** Card transactions in the list of transactions (cards.md §9). */
export const cardSource: TransactionSource = {
  table: 'card_transactions',
  columns: STORED_COLUMNS,
  search: (_tx, filters) => ({ alternatives: combineFilters(conditions(filters)) }),
  load: ({ runtime }, rows: readonly StoredCardTransaction[]) =>
    runtime.personKeys.loadFor(rows.map(({ details }) => details)),
  present: ({ vault }, row: StoredCardTransaction) => presentCardTransaction(openPurchase(vault, row)),
  async find(tx, id) {
    const row = await findCardTransaction(tx, id);
    return row && presentCardTransaction(row);
  },
};

function conditions(filters: TransactionFilters): Alternatives[] {
  return [
    ...optionalFilter(filters.owners, customerConditions),
    ...optionalFilter(filters.account, (party) => [...onSide('DEBIT', party), ...onSide('CREDIT', party)]),
    ...optionalFilter(filters.sender, (party) => onSide('DEBIT', party)),
    ...optionalFilter(filters.receiver, (party) => onSide('CREDIT', party)),
    ...optionalFilter(filters.type, (type) => (type === 'CARD' ? [sql`true`] : EXCLUDED)),
    ...optionalFilter(filters.cardId, (id) => [sql`t.card_id = ${id}`]),
    ...optionalFilter(filters.status, () => EXCLUDED),
    ...optionalFilter(filters.reference, () => EXCLUDED),
    ...optionalFilter(filters.amount, withAmount),
  ];
}

function withAmount({ units, currency }: AmountFilter): Alternatives {
  const isAmount =
    units === undefined ? sql`true` : sql`(t.authorized_amount = ${units} or t.settled_amount = ${units})`;
  return [currency === undefined ? isAmount : sql`${isAmount} and t.currency = ${currency}`];
}

/** No card belongs to the platform itself. */
function customerConditions(owners: readonly (string | null)[]): Alternatives {
  return owners.filter((id) => id !== null).map((id) => sql`t.customer_id = ${id}`);
}

/** The account behind the card is the sender of debits and the receiver of credits (cards.md §9.2). */
function onSide(direction: CardTransactionRow['direction'], party: Party): Alternatives {
  if ('uma' in party || party.kind === 'EXTERNAL') return EXCLUDED;
  return [sql`t.account_id = ${party.account} and t.direction = ${direction}`];
}

/** Unresolved rows whose money could not be pulled, the oldest first. */
export async function listExceptions(tx: ReadTx, limit: number): Promise<CardTransactionRow[]> {
  const rows = await tx.query<StoredCardTransaction>(sql`
    select ${COLUMNS} from card_transactions t
     where t.platform_id = ${tx.platformId} and t.status = 'EXCEPTION'
     order by t.created_at, t.id limit ${limit}`);
  return openPurchases(tx, rows);
}

export async function findCardTransactionIds(
  tx: ReadTx,
  ids: readonly TransactionId[],
): Promise<Set<TransactionId>> {
  const rows = await tx.sql<{ id: TransactionId }>`
    select id from card_transactions where platform_id = ${tx.platformId} and id = any(${ids}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
}
