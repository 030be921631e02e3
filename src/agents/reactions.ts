import { eraseActions } from '#agents/action-store.ts';
import { eraseAgentNames, lockAgentsOf } from '#agents/agent-store.ts';
import { endAgent } from '#agents/update-agent.ts';
import { customerDeleted, customerErased } from '#customers/announcements.ts';
import { on, type Subscription } from '#events/reactions.ts';

/** Agents end with their customer (C.1.3), and what was written about them with what else is personal (customers.md §2.4.26a). */
export const agentReactions: Subscription[] = [
  on(customerDeleted, async (tx, { customer }) => {
    for (const agent of await lockAgentsOf(tx, customer.id)) await endAgent(tx, agent);
  }),
  on(customerErased, async (tx, { customer }) => {
    await eraseAgentNames(tx, customer.id);
    await eraseActions(tx, customer.id);
  }),
];
