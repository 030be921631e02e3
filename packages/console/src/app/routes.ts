import type { ComponentType } from 'preact';

export interface ScreenRoute {
  /** As in preact-iso: `/console/payments/:id`. */
  readonly path: string;
  /** Loads the screen with the first visit. The screen is the default export. */
  readonly load: () => Promise<{ default: ComponentType }>;
  /** The word in the navigation; absent for pages that are reached from others. */
  readonly name?: string;
  /** `g` and this letter lead here. */
  readonly key?: string;
  /** What somebody might type to find it, besides its name. */
  readonly words?: string;
  /** Only where there is a sandbox. */
  readonly isSandboxOnly?: boolean;
}

export interface RouteGroup {
  readonly title: string;
  readonly routes: readonly ScreenRoute[];
}

const START: readonly ScreenRoute[] = [];

const MONEY: readonly ScreenRoute[] = [
  {
    path: '/console/accounts',
    load: () => import('../developer/accounts/screen.tsx'),
    name: 'Accounts',
    key: 'a',
    words: 'balances entries statement holds fund ledger',
  },
  { path: '/console/accounts/:id', load: () => import('../developer/accounts/account.tsx') },
  {
    path: '/console/external-accounts/:id',
    load: () => import('../developer/accounts/external-account.tsx'),
  },
];

const PEOPLE: readonly ScreenRoute[] = [
  {
    path: '/console/customers',
    load: () => import('../developer/customers/screen.tsx'),
    name: 'Customers',
    key: 'c',
    words: 'people businesses verification kyc kyb documents',
  },
  { path: '/console/customers/:id', load: () => import('../developer/customers/customer.tsx') },
];

const PRODUCTS: readonly ScreenRoute[] = [
  {
    path: '/console/cards',
    load: () => import('../developer/cards/screen.tsx'),
    name: 'Cards',
    key: 'k',
    words: 'terminal purchase authorize clearing return simulate limits',
  },
  { path: '/console/cards/:id', load: () => import('../developer/cards/card.tsx') },
  {
    path: '/console/wallets',
    load: () => import('../developer/wallets/screen.tsx'),
    name: 'Wallets',
    key: 'w',
    words: 'embedded wallet credentials passkeys sessions delegated keys',
  },
  { path: '/console/wallets/:id', load: () => import('../developer/wallets/wallet.tsx') },
  {
    path: '/console/stablecoins',
    load: () => import('../developer/stablecoins/screen.tsx'),
    name: 'Stablecoins',
    key: 'o',
    words: 'coins mint burn supply reserve provider',
  },
  {
    path: '/console/stablecoins/operations/:id',
    load: () => import('../developer/stablecoins/operation.tsx'),
  },
  { path: '/console/stablecoins/:id', load: () => import('../developer/stablecoins/coin.tsx') },
  {
    path: '/console/agents',
    load: () => import('../developer/agents/screen.tsx'),
    name: 'Agents',
    key: 'n',
    words: 'approvals approve reject policy limits pause',
  },
  { path: '/console/agents/:id', load: () => import('../developer/agents/agent.tsx') },
];

const WORKSHOP: readonly ScreenRoute[] = [];

const PLATFORM: readonly ScreenRoute[] = [
  {
    path: '/console/settings',
    load: () => import('../developer/settings/screen.tsx'),
    name: 'Settings',
    key: 's',
    words: 'configuration tokens webhook endpoint keys currencies fees credentials',
  },
];

/** Every screen, in the order of the navigation. */
export const GROUPS: readonly RouteGroup[] = [
  { title: '', routes: START },
  { title: 'Money', routes: MONEY },
  { title: 'People', routes: PEOPLE },
  { title: 'Products', routes: PRODUCTS },
  { title: 'Workshop', routes: WORKSHOP },
  { title: 'Platform', routes: PLATFORM },
].filter(({ routes }) => routes.length > 0);

export const ROUTES: readonly ScreenRoute[] = GROUPS.flatMap(({ routes }) => routes);
