import { findCreditOf } from '#capabilities/connectors/credit-store.ts';
import { listOrders } from '#capabilities/connectors/order-store.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { RefundOrder } from '#foundation/ports/payments.ts';

/** The connector that brought the money of a payment, and the place where the money is (connectors.md §8.4). */
export interface Origin {
  readonly connectorId: string;
  readonly settlementAccount: string;
  readonly rail: string;
  /** The reference of the collection, or the connector's name of the credit. */
  readonly of: string;
}

/** Undefined if no connector brought the money, or the bank took it back: a refund is by hand then. */
export async function findOrigin(
  tx: ReadTx,
  { id }: Pick<TransactionRow, 'id'>,
  of: NonNullable<RefundOrder['of']>,
): Promise<Origin | undefined> {
  if (of === 'CREDIT') return findCreditOrigin(tx, id);
  const orders = await listOrders(tx, id);
  const found = orders.find(({ kind, state }) => kind === 'COLLECTION' && state === 'SETTLED');
  const { connector_id: connectorId, settlement_account: settlementAccount, rail, reference } = found ?? {};
  if (!connectorId || !settlementAccount || !rail || reference === undefined) return undefined;
  return { connectorId, settlementAccount, rail, of: reference };
}

async function findCreditOrigin(tx: ReadTx, id: TransactionId): Promise<Origin | undefined> {
  const credit = await findCreditOf(tx, id);
  if (!credit || credit.reversed_at !== null) return undefined;
  const { connector_id: connectorId, settlement_account: settlementAccount, rail, credit_id: of } = credit;
  return { connectorId, settlementAccount, rail, of };
}
