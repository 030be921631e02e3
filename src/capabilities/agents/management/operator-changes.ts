import Type from 'typebox';
import { pauseByOperator } from '#capabilities/agents/management/update-agent.ts';
import { operatorChange } from '#foundation/http/declare/operator-change.ts';
import { component, idSchema } from '#foundation/http/schema.ts';
import { publicId } from '#foundation/lib/ids.ts';

const PausedAgent = component('PausedAgent', 'An agent that an operator paused.', {
  id: idSchema('Agent'),
  isPaused: Type.Boolean({ description: 'Whether it may only read.' }),
});

/** What operators do with agents (operator.md §6). The command calls the same function. */
export const agentChanges = [
  operatorChange('pauseAgent', {
    area: 'Agents',
    route: 'POST /agents/:agentId/pause',
    summary: 'Pause an agent',
    description: 'Restricts an agent to reading, until its platform resumes it.',
    roles: ['support', 'compliance'],
    params: { agentId: { id: 'Agent', missing: 'NOT_FOUND' } },
    reply: PausedAgent,
    codes: [],
    async change(tx, { params: { agentId }, body: { reason } }) {
      const { isPaused } = await pauseByOperator(tx, { agentId, reason });
      return { id: publicId('Agent', agentId), isPaused };
    },
  }),
];
