import { eraseActions } from '#capabilities/agents/actions/store.ts';
import { eraseAgentNames, lockCustomerAgents } from '#capabilities/agents/agent-store.ts';
import { endAgent } from '#capabilities/agents/management/update-agent.ts';
import { customerDeleted, customerErased } from '#capabilities/customers/announcements.ts';
import { on, type Subscription } from '#foundation/events/reactions.ts';

/**
 * Agents end with their customer (agents.md §1.3), and texts about them are erased with its data
 * (customers.md §2.4.26a).
 */
export const agentReactions: Subscription[] = [
  on(customerDeleted, async (tx, { customer }) => {
    for (const agent of await lockCustomerAgents(tx, customer.id)) await endAgent(tx, agent);
  }),
  on(customerErased, async (tx, { customer }) => {
    await eraseAgentNames(tx, customer.id);
    await eraseActions(tx, customer.id);
  }),
];
