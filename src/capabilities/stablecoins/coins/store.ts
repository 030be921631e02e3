import { COINS, type CoinRow } from '#capabilities/stablecoins/coin-row.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { keysetPage, type Page, type PageRequest } from '#foundation/http/paging.ts';

const COLUMNS = COINS.columns('t');

export interface CoinFilters {
  readonly issuanceStatus?: string | undefined;
  readonly svcOperationsStatus?: string | undefined;
  readonly provider?: string | undefined;
}

export function listCoins<Item>(
  tx: ReadTx,
  request: PageRequest,
  filters: CoinFilters,
  present: (row: CoinRow) => Item,
): Promise<Page<Item>> {
  const query = { columns: COLUMNS, from: sql`stablecoins t`, where: conditions(tx, filters) };
  return keysetPage(tx, request, query, present);
}

function conditions({ platformId }: ReadTx, filters: CoinFilters): Sql[] {
  const { issuanceStatus, svcOperationsStatus, provider } = filters;
  return [
    sql`t.platform_id = ${platformId}`,
    ...(issuanceStatus === undefined ? [] : [sql`t.issuance_status = ${issuanceStatus}`]),
    ...(svcOperationsStatus === undefined ? [] : [sql`t.svc_operations_status = ${svcOperationsStatus}`]),
    ...(provider === undefined ? [] : [sql`t.provider = ${provider}`]),
  ];
}

type NewCoin = Pick<
  CoinRow,
  'platform_id' | 'environment' | 'network' | 'network_token_identifier' | 'symbol'
>;

/**
 * Which of a new coin's two names another coin has: on any platform in production, on this platform in the sandbox
 * (stablecoins.md §3.4). A coin that was rejected, or failed, takes no name.
 */
export async function findTakenNames(
  tx: ReadTx,
  { platform_id, environment, network, network_token_identifier, symbol }: NewCoin,
): Promise<{ readonly token: boolean; readonly symbol: boolean }> {
  const scope = sql`case ${environment}::text when 'SANDBOX' then ${platform_id}::uuid
                    else '00000000-0000-0000-0000-000000000000'::uuid end`;
  const lives = sql`t.scope = ${scope} and t.issuance_status not in ('REJECTED', 'FAILED')`;
  const [taken] = await tx.query<{ token: boolean; symbol: boolean }>(sql`
    select exists (select from stablecoins t
                    where ${lives} and t.network = ${network}
                      and t.network_token_identifier = ${network_token_identifier}) as token,
           exists (select from stablecoins t where ${lives} and t.symbol = ${symbol}) as symbol`);
  return taken ?? { token: false, symbol: false };
}
