import Type from 'typebox';
import { type CoinRow, presentCoinAmount } from '#capabilities/stablecoins/coin-row.ts';
import { findCoin, findCoins } from '#capabilities/stablecoins/coin-store.ts';
import { coinNotFound } from '#capabilities/stablecoins/coins/enablement.ts';
import { heldAmountOf } from '#capabilities/stablecoins/operations/postings.ts';
import {
  isOpen,
  OPERATION_STATUSES,
  OPERATION_TYPES,
  type OperationRow,
} from '#capabilities/stablecoins/operations/row.ts';
import { findOperation, listOperations } from '#capabilities/stablecoins/operations/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { PresentedAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';
import { shown } from '#foundation/records/fields.ts';
import { filterBy } from '#foundation/records/filters.ts';
import { COUNTERPARTIES_DISCLOSED_TO, recordList, recordShow } from '#foundation/records/record-list.ts';

const AREA = 'Stablecoins';

export const COIN_OPERATION_LIST = recordList({
  name: 'stablecoin-operations',
  area: AREA,
  summary: 'Mints and burns',
  filters: {
    stablecoin: filterBy.id('Stablecoin', 'Only those of this coin.'),
    type: filterBy.type(OPERATION_TYPES),
    status: filterBy.status(OPERATION_STATUSES),
  },
  item: Type.Object({
    operation: shown.id('StablecoinOperation', 'The mint or burn.'),
    stablecoin: shown.id('Stablecoin', 'Its coin.'),
    type: shown.code('Whether coins are minted or burnt.', OPERATION_TYPES),
    status: shown.code('Its status.', OPERATION_STATUSES),
    amount: shown.amount('The amount of the coin.'),
    source: shown.code('The kind of source that pays for it.'),
    createdAt: shown.time('When it was created.'),
    updatedAt: shown.time('When it changed last.'),
  }),
  async page(tx, request, { stablecoin: coinId, type: operationType, status }) {
    const found = await listOperations(tx, request, { coinId, operationType, status }, (row) => row);
    const coinIds = found.data.map((row) => row.stablecoin_id);
    const coins = await findCoins(tx, coinIds);
    return { ...found, data: found.data.map((row) => presentListed(row, coins)) };
  },
});

function presentListed(row: OperationRow, coins: readonly CoinRow[]) {
  const coin = coins.find(({ id }) => id === row.stablecoin_id) as CoinRow;
  return { ...presentOperationSummary(row, coin), stablecoin: publicId('Stablecoin', coin.id) };
}

export async function requireCoin(tx: ReadTx, coinId: CoinId): Promise<CoinRow> {
  const coin = await findCoin(tx, coinId);
  if (!coin) throw coinNotFound();
  return coin;
}

export function presentOperationSummary(row: OperationRow, coin: CoinRow) {
  return {
    operation: publicId('StablecoinOperation', row.id),
    type: row.operation_type,
    status: row.status,
    amount: presentCoinAmount(coin, row.amount),
    source: row.source_type,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Includes the provider's reason for a refusal, which the platform does not see (stablecoins.md §6.3). */
export const COIN_OPERATION_SHOW = recordShow({
  name: 'stablecoin-operations',
  area: AREA,
  summary: 'A mint or burn; the provider knows it by the same UUID',
  type: 'StablecoinOperation',
  disclosedTo: COUNTERPARTIES_DISCLOSED_TO,
  async load(tx, operationId: Id<'StablecoinOperation'>) {
    const row = await findOperation(tx, operationId);
    if (!row) throw notFound('STABLECOIN_OPERATION_NOT_FOUND', 'StablecoinOperation');
    const coin = await requireCoin(tx, row.stablecoin_id);
    return {
      ...presentOperationSummary(row, coin),
      stablecoin: publicId('Stablecoin', coin.id),
      worth: presentCoinAmount(coin, row.cents, 'USD'),
      sourceAccount: accountId(row.source_internal, row.source_external),
      onHold: presentHold(row, coin),
      destinationAccount: accountId(row.destination_internal, row.destination_external),
      rail: row.rail,
      expiresAt: row.expires_at,
      providerStatus: row.provider_status,
      failureReason: row.failure_reason,
    };
  },
});

/** The amount on hold in the internal source account, while the operation is open. */
function presentHold(row: OperationRow, coin: CoinRow): PresentedAmount | null {
  if (row.source_internal === null || !isOpen(row)) return null;
  const [currency, amount] = heldAmountOf(row);
  return presentCoinAmount(coin, amount, currency);
}

function accountId(internal: AccountId | null, external: ExternalAccountId | null): string | null {
  if (internal !== null) return publicId('InternalAccount', internal);
  return external === null ? null : publicId('ExternalAccount', external);
}
