import { Command } from 'commander';
import { ISSUANCE_STATUSES, SVC_STATUSES } from '#capabilities/stablecoins/coin-row.ts';
import type { OperatorStep } from '#capabilities/stablecoins/coins/enablement.ts';
import { COIN_LIST, COIN_SHOW } from '#capabilities/stablecoins/operations/coin-records.ts';
import { requireCoin } from '#capabilities/stablecoins/operations/operation-records.ts';
import { presentCoin } from '#capabilities/stablecoins/present.ts';
import { stablecoinLinkCommand } from '#cli/operator/money/stablecoin-link-commands.ts';
import { stablecoinOperationCommand } from '#cli/operator/money/stablecoin-operation-commands.ts';
import { addPagedList } from '#cli/operator/shell/listing.ts';
import { addChange, addShow } from '#cli/operator/shell/show.ts';
import { choiceOption } from '#cli/options.ts';

interface Filters {
  issuance?: (typeof ISSUANCE_STATUSES)[number];
  status?: (typeof SVC_STATUSES)[number];
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
      ...{ operation: `${step}Stablecoin`, param: 'coinId', two: step !== 'disable' },
      present: async (tx, coinId: CoinId) => presentCoin(await requireCoin(tx, coinId)),
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
    page: (tx, request, { issuance, status }: Filters) => COIN_LIST.page(tx, request, { issuance, status }),
  });
  addShow(coin, {
    type: 'Stablecoin',
    argument: 'stablecoin',
    description:
      'print a coin with its books: coins issued, the reserve in dollars, coins in external wallets, open mints and burns',
    load: COIN_SHOW.load,
  });
}
