import { AGENT_ACTIONS, AGENTS } from './agent-kinds.ts';
import { AUDIT, READS } from './audit-kinds.ts';
import { BREAKS, CONNECTOR_EVENTS, CONNECTOR_ORDERS, CONNECTORS } from './connector-kinds.ts';
import { ACCOUNTS, CUSTOMERS, EXTERNAL_ACCOUNTS, INVITATIONS, REVIEWS, SCA } from './customer-kinds.ts';
import type { Kind } from './kind.ts';
import {
  CARDS,
  COIN_OPERATIONS,
  PAYMENTS,
  QUOTES,
  RECEIVABLES,
  STABLECOINS,
  SUSPENSE,
  WALLETS,
} from './money-kinds.ts';
import { EVENTS, PLATFORMS, REQUESTS, TOKENS } from './platform-kinds.ts';

/** By their part of the address. */
export const KINDS: Readonly<Record<string, Kind>> = {
  customers: CUSTOMERS,
  accounts: ACCOUNTS,
  'external-accounts': EXTERNAL_ACCOUNTS,
  sca: SCA,
  reviews: REVIEWS,
  invitations: INVITATIONS,
  payments: PAYMENTS,
  quotes: QUOTES,
  suspense: SUSPENSE,
  receivables: RECEIVABLES,
  cards: CARDS,
  wallets: WALLETS,
  stablecoins: STABLECOINS,
  'stablecoin-operations': COIN_OPERATIONS,
  agents: AGENTS,
  'agent-actions': AGENT_ACTIONS,
  connectors: CONNECTORS,
  breaks: BREAKS,
  'connector-orders': CONNECTOR_ORDERS,
  'connector-events': CONNECTOR_EVENTS,
  platforms: PLATFORMS,
  tokens: TOKENS,
  events: EVENTS,
  requests: REQUESTS,
  audit: AUDIT,
  reads: READS,
};

/** The kind of an address such as `/console/operator/customers/Customer:…`. */
export function kindAt(path: string): Kind {
  const kind = KINDS[path.split('/')[3] ?? ''];
  if (!kind) throw new Error(`there is no kind of record at ${path}`);
  return kind;
}
