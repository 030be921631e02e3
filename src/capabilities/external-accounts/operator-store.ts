import type { AccountStatus } from '#capabilities/external-accounts/schemas.ts';
import {
  accountColumns,
  type ExternalAccountFilters,
  type ExternalAccountRow,
} from '#capabilities/external-accounts/store.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { keysetPage, type Page, type PageRequest } from '#foundation/http/paging.ts';

/** Lists accounts of all owners for the operator, along the index of each kind of owner, or of the requested status. */
export function listByOperator<Item>(
  tx: ReadTx,
  request: PageRequest,
  filters: ExternalAccountFilters & { readonly status?: AccountStatus | undefined; readonly isOwn: boolean },
  present: (row: ExternalAccountRow) => Item,
): Promise<Page<Item>> {
  const { currency, customerId, status, isOwn } = filters;
  const where = [
    sql`t.platform_id = ${tx.platformId}`,
    sql`t.deleted_at is null`,
    ...(isOwn ? [sql`t.customer_id is null`] : []),
    ...(customerId === undefined ? [] : [sql`t.customer_id = ${customerId}`]),
    ...(currency === undefined ? [] : [sql`t.currency = ${currency}`]),
    ...(status === undefined ? [] : [sql`t.status = ${status}`]),
  ];
  const isNarrow = isOwn || customerId !== undefined || status !== undefined;
  const owners = [[sql`t.customer_id is not null`], [sql`t.customer_id is null`]];
  const query = { columns: accountColumns(sql`t`), from: sql`external_accounts t`, where };
  return keysetPage(tx, request, { ...query, ...(!isNarrow && { alternatives: owners }) }, present);
}
