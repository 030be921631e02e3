import { eraseAddresses } from '#audit/store.ts';
import { customerContactChanged, customerDeleted, customerErased } from '#customers/announcements.ts';
import { on, type Subscription } from '#events/reactions.ts';
import { publicId } from '#lib/ids.ts';
import { voidChallenges } from '#sca/challenges.ts';
import { deleteStanding, endAuthentication } from '#sca/erase-store.ts';

/** How authentication follows what happens to the customer, in the same commit. */
export const scaReactions: Subscription[] = [
  on(customerContactChanged, async (tx, { customer, field }) => {
    // A code that went to the old number proves nothing of the new one (customers.md §7.10d).
    if (field === 'phoneNumber') await voidChallenges(tx, customer.id, 'SMS_OTP');
  }),
  on(customerDeleted, async (tx, { customer }) => {
    await voidChallenges(tx, customer.id);
    await endAuthentication(tx, customer.id);
  }),
  on(customerErased, async (tx, { customer }) => {
    await deleteStanding(tx, customer.id);
    await eraseAddresses(tx, publicId('Customer', customer.id));
  }),
];
