import { Command } from 'commander';
import type { AgentRow } from '#capabilities/agents/agent-row.ts';
import { agentNotFound, findAgent, findTokenUse, listAgents } from '#capabilities/agents/agent-store.ts';
import { pauseByOperator } from '#capabilities/agents/management/update-agent.ts';
import { presentOneAgent } from '#capabilities/agents/policy/present.ts';
import { idArgument } from '#cli/arguments.ts';
import { agentActionCommand } from '#cli/operator/people/agent-action-commands.ts';
import { addPagedList } from '#cli/operator/shell/listing.ts';
import { addChange, addShow } from '#cli/operator/shell/show.ts';
import { printResource } from '#cli/print.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface Filters {
  customer?: CustomerId;
  connected?: true;
  paused?: true;
}

/** `corridor agent …`: agents of customers and what they may do; never a token. */
export function agentCommand(): Command {
  const agent = new Command('agent').addHelpText(
    'after',
    '\nExample:\n  $ corridor agent show Agent:0190a5d2-…',
  );
  const list = agent
    .command('list')
    .description('list agents, the newest first')
    .option('--customer <customer>', 'only those of this customer', idArgument('Customer'))
    .option('--connected', 'only those that have a token')
    .option('--paused', 'only those that are paused');
  addPagedList(list, {
    example: '--customer Customer:0190a5d2-…',
    none: 'There are no agents.',
    async page(tx, request, { customer: customerId, connected: isConnected, paused: isPaused }: Filters) {
      const found = await listAgents(tx, request, { customerId, isConnected, isPaused });
      return { ...found, data: found.data.map(presentSummary) };
    },
  });
  addShow(agent, {
    type: 'Agent',
    argument: 'agent',
    description: 'print an agent with its policy and its usage of the limits',
    load: presentWhole,
    print: printResource,
  });
  addChange(agent, 'pause', {
    type: 'Agent',
    argument: 'agent',
    description: 'restrict an agent to reading; its platform can resume it',
    change: (tx, agentId: AgentId, { reason }) => pauseByOperator(tx, { agentId, reason }),
    print: printResource,
  });
  agent.addCommand(agentActionCommand());
  return agent;
}

function presentSummary(row: AgentRow) {
  return {
    agent: publicId('Agent', row.id),
    customer: publicId('Customer', row.customer_id),
    name: row.name,
    isPaused: row.is_paused,
    isConnected: row.token_hash !== null,
    mode: row.policy.defaultExecutionMode,
    createdAt: row.created_at,
  };
}

async function presentWhole(tx: Tx, agentId: AgentId) {
  const row = await findAgent(tx, agentId);
  if (!row) throw agentNotFound();
  return { ...(await presentOneAgent(tx, row)), tokenUsedAt: await findTokenUse(tx, agentId) };
}
