import type { Command } from 'commander';
import type { TokenStatus } from '#capabilities/tokens/store.ts';
import { TOKEN_LIST, TOKEN_SHOW, TOKEN_STATUSES } from '#capabilities/tokens/token-records.ts';
import { tokenArgument } from '#cli/arguments.ts';
import {
  findResourceReader,
  ownerOption,
  type PlatformOptions,
} from '#cli/operator/shell/choose-platform.ts';
import { addListing, given, type ListingOptions, listPages } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { readPending } from '#cli/operator/shell/show.ts';
import { choiceOption } from '#cli/options.ts';
import { printObject } from '#cli/print.ts';

interface ListOptions extends ListingOptions {
  name?: string;
  status?: TokenStatus;
  all?: true;
}

/** `corridor token list` and `show`: never a secret. */
export function addTokenReading(token: Command): void {
  const list = token
    .command('list')
    .description(
      'list tokens that are not revoked, the newest first; the time of last use is exact to an hour',
    )
    .option('--name <name>', 'only those with this name')
    .addOption(
      choiceOption('--status <status>', 'only tokens in this status; LIVE by default', TOKEN_STATUSES),
    )
    .option('--all', 'include revoked tokens');
  addListing(list)
    .addHelpText('after', '\nExample:\n  $ corridor token list --name Reports')
    .action((options: ListOptions) => asOperator((operator) => listAll(operator, options)));
  token
    .command('show')
    .description('print a token, without its secret')
    .argument('<token>', 'its id or client id', tokenArgument)
    .addOption(ownerOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor token show Token:0190a5d2-…')
    .action((id: string, options: PlatformOptions) => asOperator((operator) => show(operator, id, options)));
}

async function listAll(operator: Operator, options: ListOptions): Promise<void> {
  const { name, all, status = all ? undefined : 'LIVE' } = options;
  await listPages(operator, options, {
    action: 'token list',
    none: NONE[status ?? 'ANY'],
    page(tx, request) {
      const filter = given({
        ...{ name, status },
        createdAfter: options.after?.(tx.now),
        createdBefore: options.before?.(tx.now),
      });
      return TOKEN_LIST.page(tx, request, filter);
    },
    row: ({ permissions, updatedAt: _, ...token }) => ({ ...token, permissions: permissions.join(',') }),
  });
}

const NONE = {
  LIVE: 'There are no live tokens; --all includes revoked ones.',
  REVOKED: 'There are no revoked tokens.',
  ANY: 'There are no tokens.',
};

async function show(operator: Operator, name: string, options: PlatformOptions): Promise<void> {
  const work = await findResourceReader(operator, options, 'Token', name);
  const shown = await work.read(async (tx) => {
    const token = await TOKEN_SHOW.load(tx, name);
    return { ...token, ...(await readPending(tx, token.id)) };
  });
  await operator.audit({
    action: 'token show',
    platformId: work.platform.id,
    resource: shown.id,
  });
  const { json = false } = options;
  printObject(json ? shown : { ...shown, permissions: shown.permissions.join(',') }, { json });
}
