import { COINS, type CoinRow } from '#capabilities/stablecoins/coin-row.ts';
import { LINKS, type LinkRow } from '#capabilities/stablecoins/link-row.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { keysetPage, type Page, type PageRequest } from '#foundation/http/paging.ts';

const COLUMNS = LINKS.columns('t');

export interface LinkFilters {
  readonly provider?: string | undefined;
  readonly status?: string | undefined;
}

export function listLinks<Item>(
  tx: ReadTx,
  request: PageRequest,
  filters: LinkFilters,
  present: (row: LinkRow) => Item,
): Promise<Page<Item>> {
  const from = sql`stablecoin_provider_accounts t`;
  return keysetPage(tx, request, { columns: COLUMNS, from, where: conditions(tx, filters) }, present);
}

function conditions({ platformId }: ReadTx, { provider, status }: LinkFilters): Sql[] {
  return [
    sql`t.platform_id = ${platformId}`,
    ...(provider === undefined ? [] : [sql`t.provider = ${provider}`]),
    ...(status === undefined ? [] : [sql`t.status = ${status}`]),
  ];
}

/** The two first candidates if no link is named: active ones before others, then the newest. */
export function listUsableFirst(tx: ReadTx): Promise<LinkRow[]> {
  return tx.query<LinkRow>(sql`
    select ${COLUMNS} from stablecoin_provider_accounts t where t.platform_id = ${tx.platformId}
     order by t.status = 'ACTIVE' desc, t.created_at desc, t.id desc limit 2`);
}

/** Whether an active link has this provider account. */
export async function isAccountLinked(tx: ReadTx, provider: string, accountId: string): Promise<boolean> {
  const rows = await tx.sql`
    select 1 from stablecoin_provider_accounts
     where platform_id = ${tx.platformId} and provider = ${provider} and provider_account_id = ${accountId}
       and status = 'ACTIVE'`;
  return rows.length > 0;
}

/** Locks the coins of this provider account until the transaction ends. */
export function lockCoinsOfAccount(tx: Tx, provider: string, accountId: string): Promise<CoinRow[]> {
  return tx.query<CoinRow>(sql`
    select ${COINS.columns('t')} from stablecoins t
      join stablecoin_provider_accounts l on l.platform_id = t.platform_id and l.id = t.provider_account
     where t.platform_id = ${tx.platformId} and l.provider = ${provider} and l.provider_account_id = ${accountId}
     order by t.id
       for no key update of t`);
}
