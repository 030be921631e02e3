import { searchCustomers } from '#customers/list-store.ts';
import { showCustomers } from '#customers/load.ts';
import type { CustomerQuery, CustomerReply } from '#customers/schemas.ts';
import type { CustomerRow } from '#customers/store.ts';
import type { ReadTx } from '#database/tx.ts';
import { checkBounds, keysetPage, type Page, pageRequest } from '#http/paging.ts';

/** GET /customers (customers.md §2.2.19): newest first, filters ANDed, bounds inclusive. */
export async function listCustomers(tx: ReadTx, query: CustomerQuery): Promise<Page<CustomerReply>> {
  checkBounds(query, [
    ['createdAfter', 'createdBefore'],
    ['updatedAfter', 'updatedBefore'],
  ]);
  const request = pageRequest('listCustomers', query);
  const search = searchCustomers(tx, query);
  const found = await keysetPage<CustomerRow, CustomerRow>(tx, request, search, (row) => row);
  return { ...found, data: await showCustomers(tx, found.data) };
}
