import { Command } from 'commander';
import { LINK_STATUSES, type LinkRow } from '#capabilities/stablecoins/link-row.ts';
import { findLink } from '#capabilities/stablecoins/link-store.ts';
import { linkNotFound, revokeLink } from '#capabilities/stablecoins/links/change-link.ts';
import { listLinks } from '#capabilities/stablecoins/links/store.ts';
import { presentLink } from '#capabilities/stablecoins/present.ts';
import { idArgument } from '#cli/arguments.ts';
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
import { publicId } from '#foundation/lib/ids.ts';

interface ListOptions extends PlatformsOptions {
  status?: string;
  limit: number;
  cursor?: string;
}

interface RevokeOptions extends PlatformOptions {
  reason: string;
}

/** `corridor stablecoin link …`: the platforms' accounts at the provider; never their credentials. */
export function stablecoinLinkCommand(): Command {
  const link = new Command('link')
    .description('accounts at the provider that issues stablecoins')
    .addHelpText('after', '\nExample:\n  $ corridor stablecoin link list --status INVALID');
  const list = link
    .command('list')
    .description('list linked accounts, the newest first')
    .addOption(choiceOption('--status <status>', 'only those in this status', LINK_STATUSES));
  addPages(list)
    .addHelpText('after', '\nExample:\n  $ corridor stablecoin link list --status INVALID')
    .action((options: ListOptions) => asOperator((operator) => listAll(operator, options)));
  addShow(link, {
    type: 'StablecoinProviderAccount',
    argument: 'account',
    description: 'print a linked account, without its credentials',
    load: presentWhole,
  });
  const command = link.command('revoke');
  confirmed(
    command,
    'The link ends, and its secret is destroyed. The platform has to link the account again.',
  )
    .description(
      'revoke a link for good and destroy its secret; its coins wait for a new link to the account',
    )
    .argument('<account>', 'its id', idArgument('StablecoinProviderAccount'))
    .addOption(ownerOption())
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor stablecoin link revoke StablecoinProviderAccount:0190a5d2-… --reason "case 4711"',
    )
    .action((id: LinkId, options: RevokeOptions) => asOperator((operator) => revoke(operator, id, options)));
  return link;
}

async function listAll(operator: Operator, options: ListOptions): Promise<void> {
  await listPages(operator, options, {
    action: 'stablecoin link list',
    none: 'There are no linked provider accounts.',
    page: (tx, request) => listLinks(tx, request, { status: options.status }, presentSummary),
  });
}

function presentSummary(row: LinkRow) {
  return {
    account: publicId('StablecoinProviderAccount', row.id),
    provider: row.provider,
    providerAccountId: row.provider_account_id,
    status: row.status,
    lastVerifiedAt: row.last_verified_at,
    createdAt: row.created_at,
  };
}

async function presentWhole(tx: Tx, linkId: LinkId) {
  const link = await findLink(tx, linkId);
  if (!link) throw linkNotFound();
  audit(tx, { action: 'stablecoin link show', resource: publicId('StablecoinProviderAccount', linkId) });
  return presentLink(link, tx.platform);
}

async function revoke(operator: Operator, linkId: LinkId, options: RevokeOptions): Promise<void> {
  const work = await findResourceWork(operator, options, 'StablecoinProviderAccount', linkId);
  const revoked = await work.write((tx) => revokeLink(tx, { linkId, reason: options.reason }));
  printObject(revoked, { json: options.json ?? false });
}
