import { presentCardTransaction } from '#capabilities/cards/present.ts';
import { CARD_TRANSACTIONS, type CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
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
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';

export async function findCardTransaction(
  tx: ReadTx,
  id: TransactionId,
): Promise<CardTransactionRow | undefined> {
  const [row] = await tx.query<CardTransactionRow>(sql`
    select ${CARD_TRANSACTIONS.columns('t')} from card_transactions t
     where t.platform_id = ${tx.platformId} and t.id = ${id}`);
  return row;
}

/** The newest rows of a card. */
export function listRowsOfCard(tx: ReadTx, cardId: CardId, rowsMax: number): Promise<CardTransactionRow[]> {
  return tx.query<CardTransactionRow>(sql`
    select ${CARD_TRANSACTIONS.columns('t')} from card_transactions t
     where t.platform_id = ${tx.platformId} and t.card_id = ${cardId}
     order by t.created_at desc, t.id desc limit ${rowsMax}`);
}

/** Card transactions in the list of transactions (cards.md §9). */
export const cardSource: TransactionSource = {
  table: 'card_transactions',
  columns: CARD_TRANSACTIONS.names,
  search: (_tx, filters) => ({ alternatives: combineFilters(conditions(filters)) }),
  present: (_tx, row: CardTransactionRow) => presentCardTransaction(row),
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
export function listExceptions(tx: ReadTx, limit: number): Promise<CardTransactionRow[]> {
  return tx.query<CardTransactionRow>(sql`
    select ${CARD_TRANSACTIONS.columns('t')} from card_transactions t
     where t.platform_id = ${tx.platformId} and t.status = 'EXCEPTION'
     order by t.created_at, t.id limit ${limit}`);
}

export async function findCardTransactionIds(
  tx: ReadTx,
  ids: readonly TransactionId[],
): Promise<Set<TransactionId>> {
  const rows = await tx.sql<{ id: TransactionId }>`
    select id from card_transactions where platform_id = ${tx.platformId} and id = any(${ids}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
}
