import { CUSTOMER, choice, type Kind, SCOPE, status, words } from './kind.ts';

export const AGENTS: Kind = {
  title: 'Agents',
  one: 'Agent',
  answer: 'Programs that may act for customers, each within its policy.',
  empty: 'Platforms create agents over the API.',
  list: 'listAllAgents',
  show: 'showAgents',
  disclose: 'discloseAgentsField',
  columns: ['agent', 'isPaused', 'isConnected', 'mode', 'customer', 'platformName', 'createdAt'],
  filters: [
    ...SCOPE,
    CUSTOMER,
    choice('paused', 'Paused', 'true', 'false'),
    choice('connected', 'Connected', 'true', 'false'),
  ],
  changes: [
    { operation: 'pauseAgent', label: 'Pause', kind: 'danger', when: ({ isPaused }) => isPaused !== true },
  ],
  parts: [
    { kind: 'agent-actions', by: 'agent' },
    { kind: 'audit', by: 'resource', title: 'Changes' },
  ],
};

export const AGENT_ACTIONS: Kind = {
  title: 'Actions of agents',
  one: 'Action of an agent',
  answer: 'Actions that agents asked for, and whether their policies allowed them.',
  empty: 'Each payment that an agent begins is an action.',
  list: 'listAllAgentActions',
  show: 'showAgentActions',
  disclose: 'discloseAgentActionsField',
  explain: 'explainAgentAction',
  columns: ['action', 'type', 'status', 'failure', 'agent', 'transaction', 'platformName', 'createdAt'],
  filters: [
    ...SCOPE,
    words('agent', 'Agent', 'Agent:…'),
    CUSTOMER,
    status('PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'FAILED'),
  ],
  changes: [],
};
