import Type from 'typebox';
import {
  type CoinRow,
  ISSUANCE_STATUSES,
  presentCoinAmount,
  SVC_STATUSES,
} from '#capabilities/stablecoins/coin-row.ts';
import { findCoin } from '#capabilities/stablecoins/coin-store.ts';
import { coinNotFound } from '#capabilities/stablecoins/coins/enablement.ts';
import { listCoins } from '#capabilities/stablecoins/coins/store.ts';
import { loadSupply } from '#capabilities/stablecoins/operations/supply-store.ts';
import { presentCoin } from '#capabilities/stablecoins/present.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { stringEnum } from '#foundation/http/schema.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { shown } from '#foundation/records/fields.ts';
import { recordList, recordShow } from '#foundation/records/record-list.ts';

const AREA = 'Stablecoins';

export const COIN_LIST = recordList({
  name: 'stablecoins',
  area: AREA,
  summary: 'Stablecoins',
  filters: {
    issuance: Type.Optional(
      stringEnum(ISSUANCE_STATUSES, { description: 'Only those in this status at the provider.' }),
    ),
    status: Type.Optional(
      stringEnum(SVC_STATUSES, { description: 'Only those in this status for internal accounts.' }),
    ),
  },
  item: Type.Object({
    stablecoin: shown.id('Stablecoin', 'The coin.'),
    symbol: shown.code('Its symbol.'),
    name: shown.masked('name', 'The first letters of its name.'),
    issuance: shown.code('Its status at the provider.', ISSUANCE_STATUSES),
    status: shown.code('Its status for internal accounts.', SVC_STATUSES),
    createdAt: shown.time('When it was registered.'),
  }),
  page: (tx, request, { issuance: issuanceStatus, status: svcOperationsStatus }) =>
    listCoins(tx, request, { issuanceStatus, svcOperationsStatus }, presentListed),
});

function presentListed(row: CoinRow) {
  return {
    stablecoin: publicId('Stablecoin', row.id),
    symbol: row.symbol,
    name: row.name,
    issuance: row.issuance_status,
    status: row.svc_operations_status,
    createdAt: row.created_at,
  };
}

export const COIN_SHOW = recordShow({
  name: 'stablecoins',
  area: AREA,
  summary: 'A stablecoin with its books',
  type: 'Stablecoin',
  async load(tx, coinId: CoinId) {
    const coin = await findCoin(tx, coinId);
    if (!coin) throw coinNotFound();
    return { ...presentCoin(coin), ...(await presentBooks(tx, coin)) };
  },
});

/** The coins issued, their reserve, and the open mints and burns (stablecoins.md §7). */
async function presentBooks(tx: ReadTx, coin: CoinRow) {
  const { issued, reserve, outside, openMints, openBurns } = await loadSupply(tx, coin);
  return {
    issued: presentCoinAmount(coin, issued),
    reserve: presentCoinAmount(coin, reserve, 'USD'),
    outside: presentCoinAmount(coin, outside),
    openMints: presentCoinAmount(coin, openMints),
    openBurns: presentCoinAmount(coin, openBurns),
  };
}
