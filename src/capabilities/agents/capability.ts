import { actionReactions } from '#capabilities/agents/actions/end-actions.ts';
import { agentActionWebhook } from '#capabilities/agents/actions/events.ts';
import { actionExplainer, agentRelatives, agentTrail } from '#capabilities/agents/actions/explain-action.ts';
import { agentPaymentDecider } from '#capabilities/agents/actions/prepare-decision.ts';
import { agentActionOperations } from '#capabilities/agents/actions/routes.ts';
import { createAgentAuthenticate } from '#capabilities/agents/credentials/authenticate.ts';
import { deviceCodeExpiries } from '#capabilities/agents/credentials/device-code-store.ts';
import { AGENT_CHECKS } from '#capabilities/agents/ledger-checks.ts';
import {
  ACTION_LIST,
  ACTION_SHOW,
  AGENT_LIST,
  AGENT_SHOW,
} from '#capabilities/agents/management/agent-records.ts';
import { agentChanges } from '#capabilities/agents/management/operator-changes.ts';
import { agentReactions } from '#capabilities/agents/management/reactions.ts';
import { agentOperations } from '#capabilities/agents/management/routes.ts';
import { ownAgentOperations } from '#capabilities/agents/own/routes.ts';
import type { Capability } from '#capabilities/capability.ts';
import type { PaymentParts } from '#capabilities/payments/execution/store.ts';
import type { ServiceDomains } from '#capabilities/platform/change-config.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';
import { recordOperations } from '#foundation/records/operations.ts';

interface Parts {
  readonly payments: PaymentParts;
  readonly domains: ServiceDomains;
  readonly names: WireNames;
}

export const agents = {
  name: 'agents',
  operatorOperations: [
    ...recordOperations([AGENT_LIST, ACTION_LIST], [AGENT_SHOW, ACTION_SHOW]),
    ...agentChanges,
  ],
  operations: ({ payments, domains, names }: Parts) => [
    ...agentOperations(),
    ...ownAgentOperations({ domains, serviceName: names.word }),
    ...agentActionOperations(payments),
  ],
  dueSources: [deviceCodeExpiries],
  reactions: [...actionReactions, ...agentReactions],
  webhooks: [agentActionWebhook],
  ledgerChecks: AGENT_CHECKS,
  paymentDecider: agentPaymentDecider,
  explainer: actionExplainer,
  trail: agentTrail,
  relatives: agentRelatives,
  authenticators: (runtime) => ({ agent: createAgentAuthenticate(runtime) }),
  searchPlaces: [
    { type: 'Agent', table: 'agents', where: 't.deleted_at is null' },
    { type: 'AgentAction', table: 'agent_actions' },
  ],
} satisfies Capability;
