import { Command } from 'commander';
import type { AgentRow } from '#agents/agent-row.ts';
import { agentNotFound, findAgent, findTokenUse, listNewestAgents } from '#agents/agent-store.ts';
import { presentOneAgent } from '#agents/present.ts';
import { pauseByOperator } from '#agents/update-agent.ts';
import { audit } from '#audit/audit.ts';
import { agentActionCommand } from '#cli/agent-action-commands.ts';
import { countArgument, idArgument } from '#cli/arguments.ts';
import { type PlatformOptions, platformOption, readerOf, workOf } from '#cli/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator.ts';
import { reasonOption } from '#cli/options.ts';
import { printResource, printRows } from '#cli/print.ts';
import type { Tx } from '#database/tx.ts';
import { publicId } from '#lib/ids.ts';

interface ListOptions extends PlatformOptions {
  customer?: string;
  connected?: true;
  paused?: true;
  limit: number;
}

interface PauseOptions extends PlatformOptions {
  reason: string;
}

const LIMIT_MAX = 1_000;

/** `corridor agent …`: agents of customers and what they may do; never a token. */
export function agentCommand(): Command {
  const agent = new Command('agent')
    .description('agents of customers, and what they may do')
    .addHelpText('after', '\nExample:\n  $ corridor agent show Agent:0190a5d2-…');
  agent
    .command('list')
    .description('list agents, the newest first')
    .option('--customer <customer>', 'only those of this customer', idArgument('Customer'))
    .option('--connected', 'only those that have a token')
    .option('--paused', 'only those that are paused')
    .option('--limit <count>', 'how many at most', countArgument(1, LIMIT_MAX), 100)
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor agent list --customer Customer:0190a5d2-…')
    .action((options: ListOptions) => asOperator((operator) => list(operator, options)));
  agent
    .command('show')
    .description('print an agent with its policy and what it has used of its limits')
    .argument('<agent>', 'its id', idArgument('Agent'))
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor agent show Agent:0190a5d2-…')
    .action((id: string, options: PlatformOptions) => asOperator((operator) => show(operator, id, options)));
  agent
    .command('pause')
    .description('have an agent do nothing but read, at once; its platform can resume it')
    .argument('<agent>', 'its id', idArgument('Agent'))
    .addOption(platformOption())
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor agent pause Agent:0190a5d2-… --reason "case 4711"')
    .action((id: string, options: PauseOptions) => asOperator((operator) => pause(operator, id, options)));
  agent.addCommand(agentActionCommand());
  return agent;
}

async function list(operator: Operator, options: ListOptions): Promise<void> {
  const work = await readerOf(operator, options);
  const { customer: customerId, connected: isConnected, paused: isPaused, limit } = options;
  const agents = await work.read((tx) => listNewestAgents(tx, { customerId, isConnected, isPaused }, limit));
  await operator.audit({ action: 'agent list', platformId: work.platform.id });
  printRows(agents.map(presentSummary), { json: options.json ?? false, none: 'There are no agents.' });
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

async function show(operator: Operator, agentId: string, options: PlatformOptions): Promise<void> {
  const work = await workOf(operator, options);
  printResource(await work.write((tx) => presentWhole(tx, agentId)), { json: options.json ?? false });
}

async function presentWhole(tx: Tx, agentId: string) {
  const row = await findAgent(tx, agentId);
  if (!row) throw agentNotFound();
  audit(tx, { action: 'agent show', resource: publicId('Agent', agentId) });
  return { ...(await presentOneAgent(tx, row)), tokenUsedAt: await findTokenUse(tx, agentId) };
}

async function pause(operator: Operator, agentId: string, options: PauseOptions): Promise<void> {
  const work = await workOf(operator, options);
  const paused = await work.write((tx) => pauseByOperator(tx, { agentId, reason: options.reason }));
  printResource(paused, { json: options.json ?? false });
}
