import { parseTransaction, TRANSACTIONS, type TransactionColumns } from '#capabilities/payments/columns.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { readTransactions } from '#capabilities/payments/store.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { keysetPage, type Page, type PageRequest, type RowKey } from '#foundation/http/paging.ts';
import {
  RECEIVABLE_ROWS,
  type Receivable,
  SUSPENDED_ROWS,
  type Suspended,
} from '#foundation/ledger/open-items-store.ts';

/** Unfinished payments, pending refunds included, oldest first. A quote counts from its execution. */
export function listUnfinished(tx: ReadTx, rowsMax: number): Promise<TransactionRow[]> {
  return readTransactions(
    tx,
    sql`t.platform_id = ${tx.platformId}
       and (t.status in ('PENDING_AUTHORIZATION', 'PROCESSING') or t.refund_status = 'PENDING'
            or t.status = 'PENDING' and (t.kind <> 'QUOTE' or t.executed_at is not null))
     order by t.created_at, t.id
     limit ${rowsMax}`,
  );
}

/** Stores the bank's reference with the notice that the operator reported, once per notice. */
export async function keepBankReference(
  tx: Tx,
  transactionId: TransactionId,
  notice: string,
  bankReference: string,
): Promise<void> {
  await tx.sql`
    insert into payment_bank_references (platform_id, transaction_id, notice, bank_reference, created_at)
    values (${tx.platformId}, ${transactionId}, ${notice}, ${bankReference}, ${tx.now})`;
}

export function listBankReferences(
  tx: ReadTx,
  transactionId: TransactionId,
): Promise<{ notice: string; bankReference: string; at: Date }[]> {
  return tx.sql`
    select notice, bank_reference as "bankReference", created_at as at from payment_bank_references
     where platform_id = ${tx.platformId} and transaction_id = ${transactionId}
     order by created_at, notice`;
}

export interface QuoteFilter {
  readonly customerId: CustomerId | undefined;
  readonly after: Date | undefined;
  readonly before: Date | undefined;
}

/** Reads in the order of all transactions, or of the customer's, because most of them are quotes. */
export function listQuotes<Item>(
  tx: ReadTx,
  request: PageRequest,
  { customerId, after, before }: QuoteFilter,
  present: (row: TransactionRow) => Item,
): Promise<Page<Item>> {
  const where = [sql`t.platform_id = ${tx.platformId}`, sql`t.quote_id is not null`];
  if (customerId !== undefined) where.push(sql`t.customer_id = ${customerId}`);
  if (after) where.push(sql`t.created_at >= ${after}`);
  if (before) where.push(sql`t.created_at <= ${before}`);
  return keysetPage(
    tx,
    request,
    { columns: TRANSACTIONS.columns('t'), from: sql`transactions t`, where },
    (row: TransactionColumns) => present(parseTransaction(row)),
  );
}

/** Money in SUSPENSE that nobody has resolved, the newest first. */
export function pageSuspended<Item>(
  tx: ReadTx,
  request: PageRequest,
  present: (row: Suspended) => Item,
): Promise<Page<Item>> {
  const where = [sql`t.platform_id = ${tx.platformId}`];
  return keysetPage(tx, request, { ...SUSPENDED_ROWS, where }, present);
}

/** Debts to us, the newest first. */
export function pageReceivables<Item>(
  tx: ReadTx,
  request: PageRequest,
  present: (row: Receivable) => Item,
): Promise<Page<Item>> {
  const where = [sql`t.platform_id = ${tx.platformId}`];
  return keysetPage(tx, request, { ...RECEIVABLE_ROWS, where }, (row: Receivable & RowKey) => present(row));
}
