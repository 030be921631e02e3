import { WAITING_ACTION } from '#capabilities/agents/actions/examples.ts';
import { AgentAction } from '#capabilities/agents/actions/schemas.ts';
import { webhookBody } from '#foundation/events/webhook-body.ts';
import type { WebhookDeclaration } from '#foundation/http/document/openapi.ts';

/** The only event of actions in the OpenAPI document (agents.md §5.4). */
export const agentActionWebhook: WebhookDeclaration<AgentAction> = {
  name: 'agent-action',
  summary: 'An agent’s action needs approval',
  description:
    'Sent when an agent’s action waits for your decision. `data` is the action with its quote or transfer; decide by ' +
    '`POST /agents/{agentId}/actions/{actionId}/approve` or `…/reject`.',
  body: webhookBody(
    'AgentActionWebhook',
    ['AGENT_ACTION.PENDING_APPROVAL'],
    AgentAction,
    'An action that waits for approval.',
  ),
  examples: { 'AGENT_ACTION.PENDING_APPROVAL': WAITING_ACTION },
};
