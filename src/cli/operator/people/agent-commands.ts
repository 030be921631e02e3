import { Command } from 'commander';
import { agentNotFound, findAgent } from '#capabilities/agents/agent-store.ts';
import { AGENT_LIST, AGENT_SHOW } from '#capabilities/agents/management/agent-records.ts';
import { presentOneAgent } from '#capabilities/agents/policy/present.ts';
import { idArgument } from '#cli/arguments.ts';
import { agentActionCommand } from '#cli/operator/people/agent-action-commands.ts';
import { addPagedList } from '#cli/operator/shell/listing.ts';
import { addChange, addShow } from '#cli/operator/shell/show.ts';
import { printResource } from '#cli/print.ts';

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
    page: (tx, request, { customer, connected, paused }: Filters) =>
      AGENT_LIST.page(tx, request, { customer, connected, paused }),
  });
  addShow(agent, {
    type: 'Agent',
    argument: 'agent',
    description: 'print an agent with its policy and its usage of the limits',
    load: AGENT_SHOW.load,
    print: printResource,
  });
  addChange(agent, 'pause', {
    type: 'Agent',
    argument: 'agent',
    description: 'restrict an agent to reading; its platform can resume it',
    ...{ operation: 'pauseAgent', param: 'agentId' },
    async present(tx, agentId: AgentId) {
      const row = await findAgent(tx, agentId);
      if (!row) throw agentNotFound();
      return presentOneAgent(tx, row);
    },
    print: printResource,
  });
  agent.addCommand(agentActionCommand());
  return agent;
}
