import { Command } from 'commander';
import type { InvitationRow } from '#capabilities/invitations/invitation-row.ts';
import { invitationStatus } from '#capabilities/invitations/present.ts';
import {
  findOwnInvitation,
  invitationNotFound,
  listNewestInvitations,
} from '#capabilities/invitations/store.ts';
import { idArgument } from '#cli/arguments.ts';
import { findResourceWork, ownerOption, type PlatformOptions } from '#cli/operator/shell/choose-platform.ts';
import { addShortList } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { printObject } from '#cli/print.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface Filters {
  customer?: CustomerId;
  limit: number;
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
  addShortList(list, {
    example: '--customer Customer:0190a5d2-…',
    limitMax: 1_000,
    none: 'There are no invitations.',
    order: 'newest first',
    rows: async (tx, { customer: customerId, limit: rowsMax }: Filters) =>
      (await listNewestInvitations(tx, { customerId, rowsMax })).map((row) => presentSummary(tx, row)),
    at: ({ createdAt }) => createdAt,
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

function presentSummary(tx: ReadTx, row: InvitationRow) {
  return {
    code: row.code,
    customer: publicId('Customer', row.customer_id),
    status: invitationStatus(row, tx.now),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    claimedAt: row.claimed_at,
  };
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
    ...presentSummary(tx, row),
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
