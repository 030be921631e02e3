import { Command } from 'commander';
import {
  type CoinRow,
  ISSUANCE_STATUSES,
  issuedAccountOf,
  presentCoinAmount,
  reserveAccountOf,
  SVC_STATUSES,
} from '#capabilities/stablecoins/coin-row.ts';
import { findCoin } from '#capabilities/stablecoins/coin-store.ts';
import {
  coinNotFound,
  decideByOperator,
  type OperatorStep,
} from '#capabilities/stablecoins/coins/enablement.ts';
import { listCoins } from '#capabilities/stablecoins/coins/store.ts';
import { loadOpenAmounts, loadOutside } from '#capabilities/stablecoins/operations/store.ts';
import { presentCoin } from '#capabilities/stablecoins/present.ts';
import { idArgument } from '#cli/arguments.ts';
import { stablecoinLinkCommand } from '#cli/operator/money/stablecoin-link-commands.ts';
import { stablecoinOperationCommand } from '#cli/operator/money/stablecoin-operation-commands.ts';
import {
  findResourceWork,
  ownerOption,
  type PlatformOptions,
  type PlatformsOptions,
} from '#cli/operator/shell/choose-platform.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { addPages, listPages } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { addShow } from '#cli/operator/shell/show.ts';
import { choiceOption, reasonOption } from '#cli/options.ts';
import { printObject } from '#cli/print.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { findBalances } from '#foundation/ledger/store.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface ListOptions extends PlatformsOptions {
  issuance?: string;
  status?: string;
  limit: number;
  cursor?: string;
}

interface DecisionOptions extends PlatformOptions {
  reason: string;
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
    addDecision(coin, step);
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
  addPages(list)
    .addHelpText('after', '\nExample:\n  $ corridor stablecoin list --status PENDING_APPROVAL')
    .action((options: ListOptions) => asOperator((operator) => listAll(operator, options)));
  addShow(coin, {
    type: 'Stablecoin',
    argument: 'stablecoin',
    description:
      'print a coin with its books: coins issued, the reserve in dollars, coins in external wallets, open mints and burns',
    load: presentWhole,
  });
}

function addDecision(coin: Command, step: OperatorStep): void {
  const { description, effect } = DECISIONS[step];
  const command = coin.command(step).description(description);
  if (effect !== undefined) confirmed(command, effect);
  command
    .argument('<stablecoin>', 'its id', idArgument('Stablecoin'))
    .addOption(ownerOption())
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nExample:\n  $ corridor stablecoin ${step} Stablecoin:0190a5d2-… --reason "case 4711"`,
    )
    .action((id: CoinId, options: DecisionOptions) =>
      asOperator((operator) => decide(operator, step, id, options)),
    );
}

async function listAll(operator: Operator, options: ListOptions): Promise<void> {
  const { issuance: issuanceStatus, status: svcOperationsStatus } = options;
  await listPages(operator, options, {
    action: 'stablecoin list',
    none: 'There are no stablecoins.',
    page: (tx, request) => listCoins(tx, request, { issuanceStatus, svcOperationsStatus }, presentSummary),
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
  audit(tx, { action: 'stablecoin show', resource: publicId('Stablecoin', coinId) });
  return { ...presentCoin(coin), ...(await presentBooks(tx, coin)) };
}

/** The coins issued, their reserve, and the open mints and burns (stablecoins.md §7). */
async function presentBooks(tx: Tx, coin: CoinRow) {
  const balances = await findBalances(tx, [issuedAccountOf(coin.id), reserveAccountOf(coin.id)]);
  const balanceOf = (account: string) => balances.find((state) => state.account === account)?.balance ?? 0n;
  const open = await loadOpenAmounts(tx, coin.id);
  return {
    issued: presentCoinAmount(coin, balanceOf(issuedAccountOf(coin.id))),
    reserve: presentCoinAmount(coin, balanceOf(reserveAccountOf(coin.id)), 'USD'),
    outside: presentCoinAmount(coin, await loadOutside(tx, coin)),
    openMints: presentCoinAmount(coin, open.mints),
    openBurns: presentCoinAmount(coin, open.burns),
  };
}

async function decide(
  operator: Operator,
  step: OperatorStep,
  coinId: CoinId,
  { reason, ...options }: DecisionOptions,
): Promise<void> {
  const work = await findResourceWork(operator, options, 'Stablecoin', coinId);
  const decided = await work.write((tx) => decideByOperator(tx, step, { coinId, reason }));
  printObject(decided, { json: options.json ?? false });
}
