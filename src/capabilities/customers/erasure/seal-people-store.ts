import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { openCustomers, type StoredCustomer, sealCustomer } from '#capabilities/customers/sealed-customer.ts';
import { customerColumns, sealedColumns } from '#capabilities/customers/store.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';

const COLUMNS = customerColumns(sql`c`);

/** Locks customers that are still in clear text. Erased customers have nothing left to seal. */
export async function findClearCustomers(tx: Tx, limit: number): Promise<CustomerRow[]> {
  const rows = await tx.sql<StoredCustomer>`
    select ${COLUMNS} from customers c
     where c.platform_id = ${tx.platformId} and c.person is null and c.erased_at is null
     order by c.created_at desc, c.id desc
     limit ${limit}
       for no key update`;
  return openCustomers(tx, rows);
}

/** Seals a customer that an earlier version stored in clear text, unless it has been sealed meanwhile. */
export async function sealStoredCustomer(tx: Tx, row: CustomerRow): Promise<void> {
  await tx.sql`
    update customers c set ${sealedColumns(sealCustomer(tx, row.id, row))}
     where c.platform_id = ${tx.platformId} and c.id = ${row.id} and c.person is null`;
}
