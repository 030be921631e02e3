import { ownersOf } from '#customers/owners/store.ts';
import { presentCustomer } from '#customers/present.ts';
import type { CustomerReply } from '#customers/schemas.ts';
import type { CustomerRow } from '#customers/store.ts';
import type { ReadTx } from '#database/tx.ts';

/** A customer as GET returns it, with a business's owners. */
export async function showCustomer(tx: ReadTx, row: CustomerRow): Promise<CustomerReply> {
  const [reply] = await showCustomers(tx, [row]);
  return reply as CustomerReply;
}

/** Several at once: owners of all businesses among them come in one statement. */
export async function showCustomers(tx: ReadTx, rows: readonly CustomerRow[]): Promise<CustomerReply[]> {
  const businesses = rows.filter((row) => row.customer_type === 'BUSINESS').map((row) => row.id);
  const owners = businesses.length > 0 ? await ownersOf(tx, businesses) : new Map();
  return rows.map((row) => presentCustomer(tx.vault, row, owners.get(row.id) ?? []));
}
