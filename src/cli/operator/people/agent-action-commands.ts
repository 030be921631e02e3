import { Command } from 'commander';
import { presentActions, shownAction } from '#capabilities/agents/actions/present.ts';
import { ACTION_STATUSES, type ActionStatus } from '#capabilities/agents/actions/row.ts';
import { findAction, type JoinedActionRow, listActions } from '#capabilities/agents/actions/store.ts';
import { idArgument } from '#cli/arguments.ts';
import { addPagedList } from '#cli/operator/shell/listing.ts';
import { addShow } from '#cli/operator/shell/show.ts';
import { choiceOption } from '#cli/options.ts';
import { printResource } from '#cli/print.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';

interface Filters {
  agent?: AgentId;
  customer?: CustomerId;
  status?: ActionStatus;
}

/** `corridor agent action …`: actions that agents asked for, deleted agents included. */
export function agentActionCommand(): Command {
  const action = new Command('action')
    .description('actions that agents requested, with their outcomes')
    .addHelpText('after', '\nExample:\n  $ corridor agent action list --status PENDING_APPROVAL');
  const list = action
    .command('list')
    .description('list the actions that agents requested, the newest first')
    .option('--agent <agent>', 'only actions of this agent', idArgument('Agent'))
    .option('--customer <customer>', 'only actions of this customer’s agents', idArgument('Customer'))
    .addOption(choiceOption('--status <status>', 'only those in this status', ACTION_STATUSES));
  addPagedList(list, {
    example: '--agent Agent:0190a5d2-…',
    none: 'There are no actions.',
    async page(tx, request, { agent: agentId, customer: customerId, status }: Filters) {
      const found = await listActions(tx, request, { agentId, customerId, status });
      return { ...found, data: found.data.map((action) => presentSummary(tx, action)) };
    },
  });
  addShow(action, {
    type: 'AgentAction',
    argument: 'action',
    description: 'print one action with its quote or transfer',
    load: presentWhole,
    print: printResource,
  });
  return action;
}

function presentSummary({ now }: ReadTx, action: JoinedActionRow) {
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

async function presentWhole(tx: Tx, actionId: Id<'AgentAction'>) {
  const action = await findAction(tx, actionId);
  const [shown] = action ? await presentActions(tx, [action]) : [];
  if (!shown) throw notFound('NOT_FOUND', 'AgentAction');
  return shown;
}
