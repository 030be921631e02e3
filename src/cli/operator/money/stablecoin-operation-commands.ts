import { Command } from 'commander';
import {
  COIN_OPERATION_LIST,
  COIN_OPERATION_SHOW,
  presentOperationSummary,
  requireCoin,
} from '#capabilities/stablecoins/operations/operation-records.ts';
import {
  OPERATION_STATUSES,
  OPERATION_TYPES,
  type OperationType,
} from '#capabilities/stablecoins/operations/row.ts';
import { findOperation } from '#capabilities/stablecoins/operations/store.ts';
import { idArgument } from '#cli/arguments.ts';
import { findResourcePlatform, type PlatformsOptions } from '#cli/operator/shell/choose-platform.ts';
import { addPages, given, listPages } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { addChange, addShow } from '#cli/operator/shell/show.ts';
import { choiceOption } from '#cli/options.ts';
import { notFound } from '#foundation/lib/refusals.ts';

interface ListOptions extends PlatformsOptions {
  type?: OperationType;
  status?: (typeof OPERATION_STATUSES)[number];
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
    load: COIN_OPERATION_SHOW.load,
  });
  for (const [name, words] of Object.entries(ENDS)) {
    addChange(operation, name, {
      type: 'StablecoinOperation',
      argument: 'operation',
      ...words,
      why: 'how you know it, for the audit log',
      example: '--reason "the provider says so"',
      ...{ param: 'operationId', two: true },
      async present(tx, operationId: Id<'StablecoinOperation'>) {
        const row = await findOperation(tx, operationId);
        if (!row) throw notFound('STABLECOIN_OPERATION_NOT_FOUND', 'StablecoinOperation');
        return presentOperationSummary(row, await requireCoin(tx, row.stablecoin_id));
      },
    });
  }
  return operation;
}

const ENDS = {
  complete: {
    operation: 'completeStablecoinOperation',
    description: 'record that the provider completed a mint or burn, if it can no longer be asked',
    effect: 'It is booked as completed: coins or dollars change hands in the books. This cannot be undone.',
  },
  fail: {
    operation: 'failStablecoinOperation',
    description: 'record that the provider will not perform a mint or burn, and release its hold',
    effect: 'It ends as failed, and its hold is released. This cannot be undone.',
  },
} as const;

/** If a coin is named, only its platform is searched. */
async function listAll(operator: Operator, coinId: CoinId | undefined, options: ListOptions): Promise<void> {
  const { type, status } = options;
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
      return COIN_OPERATION_LIST.page(tx, request, { stablecoin: coinId, type, status });
    },
  });
}
