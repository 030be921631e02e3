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

const CUSTOMERS: readonly ScreenRoute[] = [
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
];

const SERVICE: readonly ScreenRoute[] = [
  ...records('platforms', {
    name: 'Platforms',
    key: 'f',
    words: 'settings tokens fees limits webhook keys',
    needs: 'listAllPlatforms',
  }),
  {
    path: '/console/operator/rates',
    load: () => import('../operator/rates/screen.tsx'),
    name: 'Rates',
    key: 'x',
    words: 'exchange currencies set clear stop',
    needs: 'setRates',
  },
  {
    path: '/console/operator/people',
    load: () => import('../operator/people/screen.tsx'),
    name: 'People',
    key: 'o',
    words: 'operators roles invite sessions suspend passkey',
    needs: 'listOperators',
  },
  { path: '/console/operator/people/:id', load: () => import('../operator/people/person.tsx') },
];

/** Every screen of operators, in the order of the navigation. */
export const OPERATOR_GROUPS: readonly RouteGroup[] = [
  { title: '', routes: START },
  { title: 'Customers', routes: CUSTOMERS },
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
};
