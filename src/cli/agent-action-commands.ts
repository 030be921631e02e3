import { Command } from 'commander';
import { ACTION_STATUSES, type ActionStatus } from '#agents/action-row.ts';
import { findAction, listNewestActions, type SeenAction } from '#agents/action-store.ts';
import { presentActions, shownAction } from '#agents/present-action.ts';
import { audit } from '#audit/audit.ts';
import { countArgument, idArgument } from '#cli/arguments.ts';
import { type PlatformOptions, platformOption, readerOf, workOf } from '#cli/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator.ts';
import { choiceOption } from '#cli/options.ts';
import { printResource, printRows } from '#cli/print.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import { publicId } from '#lib/ids.ts';
import { notFound } from '#lib/refusals.ts';

interface ListOptions extends PlatformOptions {
  agent?: string;
  customer?: string;
  status?: ActionStatus;
  limit: number;
}

const LIMIT_MAX = 1_000;

/** `corridor agent action …`: what agents asked for, those of deleted agents too. */
export function agentActionCommand(): Command {
  const action = new Command('action')
    .description('what agents asked for, and what became of it')
    .addHelpText('after', '\nExample:\n  $ corridor agent action list --status PENDING_APPROVAL');
  action
    .command('list')
    .description('list what agents asked for, the newest first')
    .option('--agent <agent>', 'only what this agent asked for', idArgument('Agent'))
    .option('--customer <customer>', 'only of agents of this customer', idArgument('Customer'))
    .addOption(choiceOption('--status <status>', 'only those in this status', ACTION_STATUSES))
    .option('--limit <count>', 'how many at most', countArgument(1, LIMIT_MAX), 100)
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor agent action list --agent Agent:0190a5d2-…')
    .action((options: ListOptions) => asOperator((operator) => list(operator, options)));
  action
    .command('show')
    .description('print something that an agent asked for, with its quote or transfer')
    .argument('<action>', 'its id', idArgument('AgentAction'))
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor agent action show AgentAction:0190a5d2-…')
    .action((id: string, options: PlatformOptions) => asOperator((operator) => show(operator, id, options)));
  return action;
}

async function list(operator: Operator, options: ListOptions): Promise<void> {
  const work = await readerOf(operator, options);
  const { agent: agentId, customer: customerId, status, limit } = options;
  const rows = await work.read(async (tx) => {
    const actions = await listNewestActions(tx, { agentId, customerId, status }, limit);
    return actions.map((action) => presentSummary(tx, action));
  });
  await operator.audit({ action: 'agent action list', platformId: work.platform.id });
  printRows(rows, { json: options.json ?? false, none: 'There are no actions.' });
}

function presentSummary({ now }: ReadTx, action: SeenAction) {
  const { status, failure } = shownAction(action, now);
  return {
    action: publicId('AgentAction', action.id),
    agent: publicId('Agent', action.agent_id),
    type: action.type,
    status,
    failure: failure?.code ?? null,
    transaction: action.transaction_id === null ? null : publicId('Transaction', action.transaction_id),
    createdAt: action.created_at,
  };
}

async function show(operator: Operator, actionId: string, options: PlatformOptions): Promise<void> {
  const work = await workOf(operator, options);
  printResource(await work.write((tx) => presentWhole(tx, actionId)), { json: options.json ?? false });
}

/** Says whom somebody wanted to pay, so it is audited. */
async function presentWhole(tx: Tx, actionId: string) {
  const action = await findAction(tx, actionId);
  const [shown] = action ? await presentActions(tx, [action]) : [];
  if (!shown) throw notFound('NOT_FOUND', 'AgentAction');
  audit(tx, { action: 'agent action show', resource: shown.id });
  return shown;
}
