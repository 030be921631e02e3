import { Command } from 'commander';
import {
  type CoinRow,
  ISSUANCE_STATUSES,
  presentCoinAmount,
  SVC_STATUSES,
} from '#capabilities/stablecoins/coin-row.ts';
import { findCoin } from '#capabilities/stablecoins/coin-store.ts';
import {
  coinNotFound,
  decideByOperator,
  type OperatorStep,
} from '#capabilities/stablecoins/coins/enablement.ts';
import { listCoins } from '#capabilities/stablecoins/coins/store.ts';
import { loadSupply } from '#capabilities/stablecoins/operations/supply-store.ts';
import { presentCoin } from '#capabilities/stablecoins/present.ts';
import { stablecoinLinkCommand } from '#cli/operator/money/stablecoin-link-commands.ts';
import { stablecoinOperationCommand } from '#cli/operator/money/stablecoin-operation-commands.ts';
import { addPagedList } from '#cli/operator/shell/listing.ts';
import { addChange, addShow } from '#cli/operator/shell/show.ts';
import { choiceOption } from '#cli/options.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface Filters {
  issuance?: string;
  status?: string;
}

/** The help of each decision, and the warning before it. A decision without a warning is not confirmed. */
const DECISIONS: Readonly<Record<OperatorStep, { description: string; effect?: string }>> = {
  approve: {
    description: 'approve a request; the coin becomes a currency of its platform',
    effect:
      'The coin becomes a currency of its platform for good; it can be disabled later, but not removed.',
  },
  decline: {
    description: 'decline a request; the platform can ask again',
    effect: 'The platform sees that its request was declined.',
  },
  disable: {
    description:
      'stop new payments, mints and burns of internal accounts in the coin; open ones finish, and balances stay',
    effect: 'Internal accounts in this coin cannot pay, mint or burn until it is enabled again.',
  },
  enable: { description: 'enable a disabled coin again' },
};

/** `corridor stablecoin …`: coins, their reserves, and which of them internal accounts may hold. */
export function stablecoinCommand(): Command {
  const coin = new Command('stablecoin').addHelpText(
    'after',
    '\nExample:\n  $ corridor stablecoin approve Stablecoin:0190a5d2-…',
  );
  addReading(coin);
  for (const step of Object.keys(DECISIONS) as OperatorStep[]) {
    addChange(coin, step, {
      type: 'Stablecoin',
      argument: 'stablecoin',
      ...DECISIONS[step],
      change: (tx, coinId: CoinId, { reason }) => decideByOperator(tx, step, { coinId, reason }),
    });
  }
  coin.addCommand(stablecoinOperationCommand());
  coin.addCommand(stablecoinLinkCommand());
  return coin;
}

function addReading(coin: Command): void {
  const list = coin
    .command('list')
    .description('list coins, the newest first')
    .addOption(
      choiceOption('--issuance <status>', 'only those in this status at the provider', ISSUANCE_STATUSES),
    )
    .addOption(
      choiceOption('--status <status>', 'only those in this status for internal accounts', SVC_STATUSES),
    );
  addPagedList(list, {
    example: '--status PENDING_APPROVAL',
    none: 'There are no stablecoins.',
    page: (tx, request, { issuance: issuanceStatus, status: svcOperationsStatus }: Filters) =>
      listCoins(tx, request, { issuanceStatus, svcOperationsStatus }, presentSummary),
  });
  addShow(coin, {
    type: 'Stablecoin',
    argument: 'stablecoin',
    description:
      'print a coin with its books: coins issued, the reserve in dollars, coins in external wallets, open mints and burns',
    load: presentWhole,
  });
}

function presentSummary(row: CoinRow) {
  return {
    stablecoin: publicId('Stablecoin', row.id),
    symbol: row.symbol,
    name: row.name,
    issuance: row.issuance_status,
    status: row.svc_operations_status,
    createdAt: row.created_at,
  };
}

async function presentWhole(tx: Tx, coinId: CoinId) {
  const coin = await findCoin(tx, coinId);
  if (!coin) throw coinNotFound();
  return { ...presentCoin(coin), ...(await presentBooks(tx, coin)) };
}

/** The coins issued, their reserve, and the open mints and burns (stablecoins.md §7). */
async function presentBooks(tx: Tx, coin: CoinRow) {
  const { issued, reserve, outside, openMints, openBurns } = await loadSupply(tx, coin);
  return {
    issued: presentCoinAmount(coin, issued),
    reserve: presentCoinAmount(coin, reserve, 'USD'),
    outside: presentCoinAmount(coin, outside),
    openMints: presentCoinAmount(coin, openMints),
    openBurns: presentCoinAmount(coin, openBurns),
  };
}
