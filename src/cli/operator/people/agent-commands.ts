import { Command } from 'commander';
import type { AgentRow } from '#capabilities/agents/agent-row.ts';
import { agentNotFound, findAgent, findTokenUse, listAgents } from '#capabilities/agents/agent-store.ts';
import { pauseByOperator } from '#capabilities/agents/management/update-agent.ts';
import { presentOneAgent } from '#capabilities/agents/policy/present.ts';
import { idArgument } from '#cli/arguments.ts';
import { agentActionCommand } from '#cli/operator/people/agent-action-commands.ts';
import {
  findResourceWork,
  ownerOption,
  type PlatformOptions,
  type PlatformsOptions,
} from '#cli/operator/shell/choose-platform.ts';
import { addPages, listPages } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { addShow } from '#cli/operator/shell/show.ts';
import { reasonOption } from '#cli/options.ts';
import { printResource } from '#cli/print.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface ListOptions extends PlatformsOptions {
  customer?: CustomerId;
  connected?: true;
  paused?: true;
  limit: number;
  cursor?: string;
}

interface PauseOptions extends PlatformOptions {
  reason: string;
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
  addPages(list)
    .addHelpText('after', '\nExample:\n  $ corridor agent list --customer Customer:0190a5d2-…')
    .action((options: ListOptions) => asOperator((operator) => listAll(operator, options)));
  addShow(agent, {
    type: 'Agent',
    argument: 'agent',
    description: 'print an agent with its policy and its usage of the limits',
    load: presentWhole,
    print: printResource,
  });
  agent
    .command('pause')
    .description('restrict an agent to reading; its platform can resume it')
    .argument('<agent>', 'its id', idArgument('Agent'))
    .addOption(ownerOption())
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor agent pause Agent:0190a5d2-… --reason "case 4711"')
    .action((id: AgentId, options: PauseOptions) => asOperator((operator) => pause(operator, id, options)));
  agent.addCommand(agentActionCommand());
  return agent;
}

async function listAll(operator: Operator, options: ListOptions): Promise<void> {
  const { customer: customerId, connected: isConnected, paused: isPaused } = options;
  await listPages(operator, options, {
    action: 'agent list',
    none: 'There are no agents.',
    async page(tx, request) {
      const found = await listAgents(tx, request, { customerId, isConnected, isPaused });
      return { ...found, data: found.data.map(presentSummary) };
    },
  });
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
  audit(tx, { action: 'agent show', resource: publicId('Agent', agentId) });
  return { ...(await presentOneAgent(tx, row)), tokenUsedAt: await findTokenUse(tx, agentId) };
}

async function pause(operator: Operator, agentId: AgentId, options: PauseOptions): Promise<void> {
  const work = await findResourceWork(operator, options, 'Agent', agentId);
  const paused = await work.write((tx) => pauseByOperator(tx, { agentId, reason: options.reason }));
  printResource(paused, { json: options.json ?? false });
}
