import {
  customerContactChanged,
  customerContactChanging,
  customerDeleted,
  customerErased,
} from '#customers/announcements.ts';
import { isScaRegion } from '#customers/regions.ts';
import { on, type Subscription } from '#events/reactions.ts';
import { voidChallenges } from '#sca/challenges.ts';
import { deleteStanding, endAuthentication } from '#sca/erase-store.ts';
import { retireNumber } from '#sca/prove-number.ts';
import { lockStanding } from '#sca/standing-store.ts';

/** How authentication follows what happens to the customer, in the same commit. */
export const scaReactions: Subscription[] = [
  on(customerContactChanging, async (tx, { customer, field }) => {
    // Every proof locks the standing before the customer, and so does what takes a factor away (decision 0023).
    if (field === 'phoneNumber' && isScaRegion(customer.region)) await lockStanding(tx, customer.id);
  }),
  on(customerContactChanged, async (tx, { customer, field, wasVerified }) => {
    if (field === 'phoneNumber' && isScaRegion(customer.region)) {
      await retireNumber(tx, customer.id, wasVerified);
    }
  }),
  on(customerDeleted, async (tx, { customer }) => {
    await voidChallenges(tx, customer.id);
    await endAuthentication(tx, customer.id);
  }),
  on(customerErased, (tx, { customer }) => deleteStanding(tx, customer.id)),
];
