import { Command } from 'commander';
import { ACTION_STATUSES, type ActionStatus } from '#capabilities/agents/actions/row.ts';
import { ACTION_LIST, ACTION_SHOW } from '#capabilities/agents/management/agent-records.ts';
import { idArgument } from '#cli/arguments.ts';
import { addPagedList } from '#cli/operator/shell/listing.ts';
import { addShow } from '#cli/operator/shell/show.ts';
import { choiceOption } from '#cli/options.ts';
import { printResource } from '#cli/print.ts';

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
    page: (tx, request, { agent, customer, status }: Filters) =>
      ACTION_LIST.page(tx, request, { agent, customer, status }),
  });
  addShow(action, {
    type: 'AgentAction',
    argument: 'action',
    description: 'print one action with its quote or transfer',
    load: ACTION_SHOW.load,
    print: printResource,
  });
  return action;
}
