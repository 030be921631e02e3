import { AGENT_PERMISSIONS, type AgentPermission } from '#capabilities/agents/schemas.ts';

interface Grant {
  /** A token that grants it must be allowed to move money itself (platform.md §1.3.4a). */
  readonly movesMoney: boolean;
  readonly showsBalances: boolean;
}

/** A new permission does not compile without a decision on both. */
const GRANTS: Readonly<Record<AgentPermission, Grant>> = {
  VIEW_TRANSACTIONS: { movesMoney: false, showsBalances: true },
  CREATE_TRANSFERS: { movesMoney: true, showsBalances: true },
  CREATE_QUOTES: { movesMoney: true, showsBalances: true },
  EXECUTE_QUOTES: { movesMoney: true, showsBalances: true },
  MANAGE_EXTERNAL_ACCOUNTS: { movesMoney: false, showsBalances: false },
};

export function movesMoney(permission: AgentPermission): boolean {
  return GRANTS[permission].movesMoney;
}

const ACCOUNTS: readonly AgentPermission[] = ['MANAGE_EXTERNAL_ACCOUNTS'];
const TRANSFERS: readonly AgentPermission[] = ['CREATE_TRANSFERS'];
const TRANSACTIONS: readonly AgentPermission[] = ['VIEW_TRANSACTIONS'];

/**
 * The permissions that an agent's operations need, by route: any one of the list is enough, and an empty list needs none
 * (agents.md §3.11–3.18). The operations check them, and MCP lists only the tools whose operations they allow.
 */
export const NEEDED_PERMISSIONS = {
  'GET /agents/me': [],
  'GET /agents/me/internal-accounts': AGENT_PERMISSIONS.filter(
    (permission) => GRANTS[permission].showsBalances,
  ),
  'GET /agents/me/external-accounts': ACCOUNTS,
  'POST /agents/me/external-accounts': ACCOUNTS,
  'GET /agents/me/external-accounts/:externalAccountId': ACCOUNTS,
  'DELETE /agents/me/external-accounts/:externalAccountId': ACCOUNTS,
  'GET /agents/me/transactions': TRANSACTIONS,
  'GET /agents/me/transactions/:transactionId': TRANSACTIONS,
  'POST /agents/me/quotes': ['CREATE_QUOTES'],
  'GET /agents/me/quotes/:quoteId': [],
  'POST /agents/me/quotes/:quoteId/execute': ['EXECUTE_QUOTES'],
  'POST /agents/me/transfer-in': TRANSFERS,
  'POST /agents/me/transfer-out': TRANSFERS,
  'GET /agents/me/actions': [],
  'GET /agents/me/actions/:actionId': [],
} as const satisfies Readonly<Record<`${string} /agents/me${string}`, readonly AgentPermission[]>>;

export type AgentRoute = keyof typeof NEEDED_PERMISSIONS;

/** The operation that asks for an action of each type; its decision needs the same permission. */
export const ROUTES_BY_ACTION = {
  EXECUTE_QUOTE: 'POST /agents/me/quotes/:quoteId/execute',
  TRANSFER_IN: 'POST /agents/me/transfer-in',
  TRANSFER_OUT: 'POST /agents/me/transfer-out',
} as const satisfies Readonly<Record<string, AgentRoute>>;

export function permissionsOf(route: AgentRoute): readonly AgentPermission[] {
  return NEEDED_PERMISSIONS[route];
}
