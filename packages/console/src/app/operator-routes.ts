import type { RouteGroup, ScreenRoute } from './routes.ts';

const START: readonly ScreenRoute[] = [
  {
    path: '/console/operator',
    load: () => import('../operator/home/screen.tsx'),
    name: 'Home',
    key: 'h',
    words: 'start who am i roles sessions passkeys digits',
  },
  {
    path: '/console/operator/work',
    load: () => import('../operator/work/screen.tsx'),
    name: 'Work',
    key: 'w',
    words: 'waits queue attention to do',
    needs: 'listWork',
  },
  {
    path: '/console/operator/find',
    load: () => import('../operator/find/screen.tsx'),
    name: 'Find',
    words: 'search look up e-mail phone name reference id uma',
    needs: 'findRecords',
  },
  { path: '/console/operator/work/:kind', load: () => import('../operator/work/kind.tsx') },
  {
    path: '/console/operator/proposals',
    load: () => import('../operator/proposals/screen.tsx'),
    name: 'Proposals',
    key: 'r',
    words: 'approve approvals second operator four eyes reject withdraw',
    needs: 'listProposals',
  },
  { path: '/console/operator/proposals/:id', load: () => import('../operator/proposals/proposal.tsx') },
];

/** Lists and records of one kind, which differ in their columns, filters and changes only. */
function records(kind: string, words: Pick<ScreenRoute, 'name' | 'key' | 'words' | 'needs'>): ScreenRoute[] {
  return [
    { path: `/console/operator/${kind}`, load: () => import('../operator/records/screen.tsx'), ...words },
    { path: `/console/operator/${kind}/:id`, load: () => import('../operator/records/record.tsx') },
  ];
}

/** Lists whose rows have no page of their own. */
function rows(kind: string, words: Pick<ScreenRoute, 'name' | 'key' | 'words' | 'needs'>): ScreenRoute {
  return {
    path: `/console/operator/${kind}`,
    load: () => import('../operator/records/screen.tsx'),
    ...words,
  };
}

const CUSTOMERS: readonly ScreenRoute[] = [
  rows('reviews', {
    name: 'Reviews',
    key: 'v',
    words: 'kyc kyb verification documents',
    needs: 'openReview',
  }),
  { path: '/console/operator/reviews/:id', load: () => import('../operator/reviews/review.tsx') },
  ...records('customers', {
    name: 'Customers',
    key: 'c',
    words: 'people businesses search e-mail erase',
    needs: 'listAllCustomers',
  }),
  ...records('accounts', {
    name: 'Accounts',
    key: 'a',
    words: 'internal accounts balances freeze close provision',
    needs: 'listAllInternalAccounts',
  }),
  ...records('external-accounts', {
    name: 'External accounts',
    key: 'e',
    words: 'receivers banks wallets screening',
    needs: 'listAllExternalAccounts',
  }),
  ...records('cards', { name: 'Cards', key: 'd', words: 'purchases close', needs: 'listAllCards' }),
  ...records('wallets', { name: 'Wallets', words: 'credentials sessions keys', needs: 'listAllWallets' }),
  ...records('sca', { name: 'Locked customers', words: 'sca factors suspended proofs', needs: 'listAllSca' }),
  ...records('agents', { name: 'Agents', words: 'pause policy limits', needs: 'listAllAgents' }),
  ...records('agent-actions', {
    name: 'Actions of agents',
    words: 'approve policy',
    needs: 'listAllAgentActions',
  }),
  rows('invitations', { name: 'Invitations', words: 'uma claim', needs: 'listAllInvitations' }),
];

const MONEY: readonly ScreenRoute[] = [
  {
    path: '/console/operator/money',
    load: () => import('../operator/work/money.tsx'),
    name: 'Money',
    key: 'm',
    words: 'suspense receivables debts card exceptions deposits',
    needs: 'resolveSuspense',
  },
  ...records('payments', {
    name: 'Payments',
    key: 'p',
    words: 'transactions settle fail return purchases explanation',
    needs: 'listAllPayments',
  }),
  ...records('quotes', { name: 'Quotes', words: 'prices fees rates', needs: 'listAllQuotes' }),
  rows('suspense', {
    name: 'Suspense',
    words: 'unassigned unmatched money refunds deposits',
    needs: 'listAllSuspense',
  }),
  rows('receivables', { name: 'Debts', words: 'receivables owed write off', needs: 'listAllReceivables' }),
  ...records('stablecoins', {
    name: 'Stablecoins',
    key: 's',
    words: 'coins supply reserve approve',
    needs: 'listAllStablecoins',
  }),
  ...records('stablecoin-operations', {
    name: 'Mints and burns',
    words: 'coins provider',
    needs: 'listAllStablecoinOperations',
  }),
  {
    path: '/console/operator/rates',
    load: () => import('../operator/rates/screen.tsx'),
    name: 'Rates',
    key: 'x',
    words: 'exchange currencies set clear stop',
    needs: 'readRates',
  },
  {
    path: '/console/operator/statements',
    load: () => import('../operator/statements/screen.tsx'),
    name: 'Statements',
    words: 'accounts period movements export camt csv print',
    needs: 'showAccountStatement',
  },
];

const BANKS: readonly ScreenRoute[] = [
  ...records('connectors', {
    name: 'Connectors',
    words: 'banks providers health pause routes secrets cursor',
    needs: 'listAllConnectors',
  }),
  ...records('breaks', {
    name: 'Breaks',
    words: 'contradictions differences lost duplicates resolve',
    needs: 'listAllBreaks',
  }),
  {
    path: '/console/operator/reconciliation',
    load: () => import('../operator/reconciliation/screen.tsx'),
    name: 'Reconciliation',
    key: 'b',
    words: 'banks proofs days settlement accounts in transit statements',
    needs: 'listReconciledAccounts',
  },
  {
    path: '/console/operator/reconciliation/:account',
    load: () => import('../operator/reconciliation/account.tsx'),
  },
  {
    path: '/console/operator/reconciliation/:account/:day',
    load: () => import('../operator/reconciliation/day.tsx'),
  },
  rows('connector-orders', {
    name: 'Orders',
    words: 'connectors payouts collections refunds unknown',
    needs: 'listAllConnectorOrders',
  }),
  rows('connector-events', {
    name: 'Reports of banks',
    words: 'connectors events reported applied',
    needs: 'listAllConnectorEvents',
  }),
];

const LEDGER: readonly ScreenRoute[] = [
  {
    path: '/console/operator/ledger',
    load: () => import('../operator/ledger/screen.tsx'),
    name: 'Ledger',
    key: 'l',
    words: 'trial balance chart of accounts books debit credit',
    needs: 'getTrialBalance',
  },
  { path: '/console/operator/ledger/accounts', load: () => import('../operator/ledger/accounts.tsx') },
  { path: '/console/operator/ledger/lines', load: () => import('../operator/ledger/lines.tsx') },
  { path: '/console/operator/ledger/entries/:id', load: () => import('../operator/ledger/entry.tsx') },
  {
    path: '/console/operator/proof',
    load: () => import('../operator/ledger/proof.tsx'),
    name: 'Proof',
    words: 'verify hash chain heads attest invariants',
    needs: 'listLedgerChecks',
  },
];

const PLATFORMS: readonly ScreenRoute[] = [
  ...records('platforms', {
    name: 'Platforms',
    key: 'f',
    words: 'settings tokens fees limits webhook keys',
    needs: 'listAllPlatforms',
  }),
  ...records('tokens', { name: 'Tokens', key: 't', words: 'credentials revoke', needs: 'listAllTokens' }),
  ...records('events', {
    name: 'Events',
    key: 'n',
    words: 'webhooks deliveries exhausted resend',
    needs: 'listAllWebhooks',
  }),
  ...records('requests', { name: 'Requests', key: 'q', words: 'api log refused', needs: 'listAllRequests' }),
];

const SERVICE: readonly ScreenRoute[] = [
  {
    path: '/console/operator/people',
    load: () => import('../operator/people/screen.tsx'),
    name: 'People',
    key: 'o',
    words: 'operators roles invite sessions suspend passkey',
    needs: 'listOperators',
  },
  { path: '/console/operator/people/:id', load: () => import('../operator/people/person.tsx') },
  {
    path: '/console/operator/figures',
    load: () => import('../operator/figures/screen.tsx'),
    name: 'Figures',
    words: 'charts volume payments status requests refusals webhooks lag trends',
    needs: 'readFigures',
  },
  {
    path: '/console/operator/system',
    load: () => import('../operator/system/screen.tsx'),
    name: 'System',
    key: 'y',
    words: 'versions processes jobs lag database keys backup',
    needs: 'readSystem',
  },
  rows('audit', { name: 'Audit', key: 'u', words: 'who did log history', needs: 'listAllAudit' }),
  rows('reads', {
    name: 'Access log',
    key: 'i',
    words: 'who looked reads personal data disclose',
    needs: 'listAllReads',
  }),
];

/** Every screen of operators, in the order of the navigation. */
export const OPERATOR_GROUPS: readonly RouteGroup[] = [
  { title: '', routes: START },
  { title: 'Customers', routes: CUSTOMERS },
  { title: 'Money', routes: MONEY },
  { title: 'Banks', routes: BANKS },
  { title: 'Books', routes: LEDGER },
  { title: 'Platforms', routes: PLATFORMS },
  { title: 'Service', routes: SERVICE },
];

export const OPERATOR_ROUTES: readonly ScreenRoute[] = OPERATOR_GROUPS.flatMap(({ routes }) => routes);

/** The address of the page of each kind of resource, for operators. */
export const OPERATOR_PLACES: Readonly<Record<string, (id: string) => string>> = {
  Operator: (id) => `/console/operator/people/${id}`,
  Proposal: (id) => `/console/operator/proposals/${id}`,
  Platform: (id) => `/console/operator/platforms/${id}`,
  Customer: (id) => `/console/operator/customers/${id}`,
  InternalAccount: (id) => `/console/operator/accounts/${id}`,
  ExternalAccount: (id) => `/console/operator/external-accounts/${id}`,
  Transaction: (id) => `/console/operator/payments/${id}`,
  Quote: (id) => `/console/operator/quotes/${id}`,
  Card: (id) => `/console/operator/cards/${id}`,
  Stablecoin: (id) => `/console/operator/stablecoins/${id}`,
  StablecoinOperation: (id) => `/console/operator/stablecoin-operations/${id}`,
  Agent: (id) => `/console/operator/agents/${id}`,
  AgentAction: (id) => `/console/operator/agent-actions/${id}`,
  JournalEntry: (id) => `/console/operator/ledger/entries/${id}`,
  Break: (id) => `/console/operator/breaks/${id}`,
  Token: (id) => `/console/operator/tokens/${id}`,
  Webhook: (id) => `/console/operator/events/${id}`,
  RequestLog: (id) => `/console/operator/requests/${id}`,
};
