import { Command } from 'commander';
import { INVITATION_LIST, presentInvitationSummary } from '#capabilities/invitations/invitation-records.ts';
import { findOwnInvitation, invitationNotFound } from '#capabilities/invitations/store.ts';
import { idArgument } from '#cli/arguments.ts';
import { findResourceWork, ownerOption, type PlatformOptions } from '#cli/operator/shell/choose-platform.ts';
import { addPagedList } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { printObject } from '#cli/print.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface Filters {
  customer?: CustomerId;
}

/** `corridor invitation …`: invitations to UMA and their status. */
export function invitationCommand(): Command {
  const invitation = new Command('invitation').addHelpText(
    'after',
    '\nExample:\n  $ corridor invitation show 7h3qk2vd9x',
  );
  const list = invitation
    .command('list')
    .description('list invitations, the newest first')
    .option('--customer <customer>', 'only those of this customer', idArgument('Customer'));
  addPagedList(list, {
    example: '--customer Customer:0190a5d2-…',
    none: 'There are no invitations.',
    page: (tx, request, { customer }: Filters) => INVITATION_LIST.page(tx, request, { customer }),
  });
  invitation
    .command('show')
    .description('print an invitation with its inviter and its claimant')
    .argument('<code>', 'its code')
    .addOption(ownerOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor invitation show 7h3qk2vd9x')
    .action((code: string, options: PlatformOptions) =>
      asOperator((operator) => show(operator, code, options)),
    );
  return invitation;
}

async function show(operator: Operator, code: string, options: PlatformOptions): Promise<void> {
  const work = await findResourceWork(operator, options, 'Invitation', code);
  const invitation = await work.write((tx) => presentWhole(tx, code));
  printObject(invitation, { json: options.json ?? false });
}

/** Audited, because it prints a name and addresses. */
async function presentWhole(tx: Tx, code: string) {
  const row = await findOwnInvitation(tx, code);
  if (!row) throw invitationNotFound();
  audit(tx, { action: 'invitation show', resource: `invitation ${row.code}` });
  const { amount, currency, claimant_platform_id, claimant_customer_id } = row;
  return {
    ...presentInvitationSummary(tx, row),
    inviterUma: row.inviter_uma,
    firstName: row.first_name,
    amountToSend:
      amount !== null && currency !== null
        ? presentAmount(amount, currency, tx.platform.ownCurrencies)
        : null,
    inviteeUma: row.invitee_uma,
    claimedBy: claimant_platform_id && publicId('Platform', claimant_platform_id),
    claimedFor: claimant_customer_id && publicId('Customer', claimant_customer_id),
  };
}
