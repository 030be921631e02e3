import { Command } from 'commander';
import { LINK_STATUSES, type LinkRow } from '#capabilities/stablecoins/link-row.ts';
import { findLink } from '#capabilities/stablecoins/link-store.ts';
import { linkNotFound } from '#capabilities/stablecoins/links/change-link.ts';
import { listLinks } from '#capabilities/stablecoins/links/store.ts';
import { presentLink } from '#capabilities/stablecoins/present.ts';
import { addPagedList } from '#cli/operator/shell/listing.ts';
import { addChange, addShow } from '#cli/operator/shell/show.ts';
import { choiceOption } from '#cli/options.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** `corridor stablecoin link …`: the platforms' accounts at the provider; never their credentials. */
export function stablecoinLinkCommand(): Command {
  const link = new Command('link')
    .description('accounts at the provider that issues stablecoins')
    .addHelpText('after', '\nExample:\n  $ corridor stablecoin link list --status INVALID');
  const list = link
    .command('list')
    .description('list linked accounts, the newest first')
    .addOption(choiceOption('--status <status>', 'only those in this status', LINK_STATUSES));
  addPagedList(list, {
    example: '--status INVALID',
    none: 'There are no linked provider accounts.',
    page: (tx, request, { status }: { status?: string }) =>
      listLinks(tx, request, { status }, presentSummary),
  });
  addShow(link, {
    type: 'StablecoinProviderAccount',
    argument: 'account',
    description: 'print a linked account, without its credentials',
    load: presentWhole,
  });
  addChange(link, 'revoke', {
    type: 'StablecoinProviderAccount',
    argument: 'account',
    description:
      'revoke a link for good and destroy its secret; its coins wait for a new link to the account',
    effect: 'The link ends, and its secret is destroyed. The platform has to link the account again.',
    ...{ operation: 'revokeStablecoinLink', param: 'linkId' },
    present: presentWhole,
  });
  return link;
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
  return presentLink(link, tx.platform);
}
