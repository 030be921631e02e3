import {
  customerContactChanged,
  customerContactChanging,
  customerDeleted,
  customerErased,
} from '#capabilities/customers/announcements.ts';
import { isScaRegion } from '#capabilities/customers/profile/regions.ts';
import { voidChallenges } from '#capabilities/sca/challenges/challenges.ts';
import { deleteStanding, endAuthentication } from '#capabilities/sca/erase-store.ts';
import { retireNumber } from '#capabilities/sca/factors/prove-number.ts';
import { lockStanding } from '#capabilities/sca/standing/store.ts';
import { on, type Subscription } from '#foundation/events/reactions.ts';

/** Updates authentication in the same commit as the customer's change. */
export const scaReactions: Subscription[] = [
  on(customerContactChanging, async (tx, { customer, field }) => {
    // Every proof, and every removal of a factor, locks the standing before the customer (decision 0023).
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
