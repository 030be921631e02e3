import { Command } from 'commander';
import { type LockedCustomer, listLocked } from '#capabilities/sca/factors/operator-store.ts';
import { SCA_SHOW } from '#capabilities/sca/factors/sca-records.ts';
import { addShortList } from '#cli/operator/shell/listing.ts';
import { addShow } from '#cli/operator/shell/show.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** `corridor sca …`: facts for the support of a customer who cannot log in; never a secret of theirs. */
export function scaCommand(): Command {
  const sca = new Command('sca').addHelpText(
    'after',
    '\nExample:\n  $ corridor sca show Customer:0190a5d2-…',
  );
  addShortList(sca.command('list').description('list customers who are locked or suspended'), {
    example: '',
    limitMax: 1_000,
    none: 'No customer is locked or suspended.',
    // Suspended customers come first: their suspension has no end.
    order: 'newest first',
    rows: async (tx, { limit }: { limit: number }) => (await listLocked(tx, limit)).map(presentLocked),
    at: ({ suspended, lockedUntil }) => (suspended ? null : lockedUntil),
  });
  addShow(sca, {
    type: 'Customer',
    argument: 'customer',
    description: 'print a customer’s factors, sessions, open challenges and failed attempts',
    load: SCA_SHOW.load,
  });
  return sca;
}

function presentLocked({ customerId, isSuspended, ...rest }: LockedCustomer) {
  return { customer: publicId('Customer', customerId), suspended: isSuspended, ...rest };
}
