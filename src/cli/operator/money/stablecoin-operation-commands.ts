import { Command } from 'commander';
import { type CoinRow, presentCoinAmount } from '#capabilities/stablecoins/coin-row.ts';
import { findCoin, findCoins } from '#capabilities/stablecoins/coin-store.ts';
import { coinNotFound } from '#capabilities/stablecoins/coins/enablement.ts';
import { endByOperator } from '#capabilities/stablecoins/operations/end-by-operator.ts';
import { heldAmountOf } from '#capabilities/stablecoins/operations/postings.ts';
import {
  isOpen,
  OPERATION_STATUSES,
  OPERATION_TYPES,
  type OperationRow,
  type OperationType,
} from '#capabilities/stablecoins/operations/row.ts';
import { findOperation, listOperations } from '#capabilities/stablecoins/operations/store.ts';
import { idArgument } from '#cli/arguments.ts';
import { findResourcePlatform, type PlatformsOptions } from '#cli/operator/shell/choose-platform.ts';
import { addPages, given, listPages } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { addChange, addShow } from '#cli/operator/shell/show.ts';
import { choiceOption } from '#cli/options.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { PresentedAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';

interface ListOptions extends PlatformsOptions {
  type?: OperationType;
  status?: string;
  limit: number;
  cursor?: string;
}

/** `corridor stablecoin operation …`: mints and burns. */
export function stablecoinOperationCommand(): Command {
  const operation = new Command('operation')
    .description('mints and burns')
    .addHelpText('after', '\nExample:\n  $ corridor stablecoin operation list Stablecoin:0190a5d2-…');
  const list = operation
    .command('list')
    .description('list mints and burns, of all coins or of one, the newest first')
    .argument('[stablecoin]', 'only those of this coin', idArgument('Stablecoin'))
    .addOption(choiceOption('--type <type>', 'only this type', OPERATION_TYPES))
    .addOption(choiceOption('--status <status>', 'only those in this status', OPERATION_STATUSES));
  addPages(list)
    .addHelpText('after', '\nExample:\n  $ corridor stablecoin operation list --status CREATED')
    .action((id: CoinId | undefined, options: ListOptions) =>
      asOperator((operator) => listAll(operator, id, options)),
    );
  addShow(operation, {
    type: 'StablecoinOperation',
    argument: 'operation',
    description: 'print a mint or burn; the provider knows it by the same UUID',
    load: presentWhole,
  });
  for (const [name, { status, ...words }] of Object.entries(ENDS)) {
    addChange(operation, name, {
      type: 'StablecoinOperation',
      argument: 'operation',
      ...words,
      why: 'how you know it, for the audit log',
      example: '--reason "the provider says so"',
      async change(tx, operationId: Id<'StablecoinOperation'>, { reason }) {
        const row = await endByOperator(tx, { operationId, status, reason });
        return presentSummary(row, await requireCoin(tx, row.stablecoin_id));
      },
    });
  }
  return operation;
}

const ENDS = {
  complete: {
    status: 'COMPLETED',
    description: 'record that the provider completed a mint or burn, if it can no longer be asked',
    effect: 'It is booked as completed: coins or dollars change hands in the books. This cannot be undone.',
  },
  fail: {
    status: 'FAILED',
    description: 'record that the provider will not perform a mint or burn, and release its hold',
    effect: 'It ends as failed, and its hold is released. This cannot be undone.',
  },
} as const;

/** If a coin is named, only its platform is searched. */
async function listAll(operator: Operator, coinId: CoinId | undefined, options: ListOptions): Promise<void> {
  const { type: operationType, status } = options;
  const platform =
    coinId === undefined
      ? options.platform
      : await findResourcePlatform(operator, options, 'Stablecoin', coinId);
  const chosen = { ...options, ...given({ platform, coin: coinId }) };
  await listPages(operator, chosen, {
    action: 'stablecoin operation list',
    none: 'There are no mints or burns.',
    async page(tx, request) {
      if (coinId !== undefined) await requireCoin(tx, coinId);
      const found = await listOperations(tx, request, { coinId, operationType, status }, (row) => row);
      const coins = await findCoins(
        tx,
        found.data.map((row) => row.stablecoin_id),
      );
      return { ...found, data: found.data.map((row) => presentListed(row, coins)) };
    },
  });
}

function presentListed(row: OperationRow, coins: readonly CoinRow[]) {
  const coin = coins.find(({ id }) => id === row.stablecoin_id) as CoinRow;
  return { ...presentSummary(row, coin), stablecoin: publicId('Stablecoin', coin.id) };
}

async function requireCoin(tx: ReadTx, coinId: CoinId): Promise<CoinRow> {
  const coin = await findCoin(tx, coinId);
  if (!coin) throw coinNotFound();
  return coin;
}

function presentSummary(row: OperationRow, coin: CoinRow) {
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
async function presentWhole(tx: Tx, operationId: Id<'StablecoinOperation'>) {
  const row = await findOperation(tx, operationId);
  if (!row) throw notFound('STABLECOIN_OPERATION_NOT_FOUND', 'StablecoinOperation');
  const coin = await requireCoin(tx, row.stablecoin_id);
  return {
    ...presentSummary(row, coin),
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
}

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
