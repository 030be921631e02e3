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
  /** An operation that its visitor must be allowed to call, for the navigation to show it. */
  readonly needs?: string;
  /** Only shown in a sandbox. */
  readonly isSandboxOnly?: boolean;
}

export interface RouteGroup {
  readonly title: string;
  readonly routes: readonly ScreenRoute[];
}

const START: readonly ScreenRoute[] = [
  {
    path: '/console',
    load: () => import('../developer/home/screen.tsx'),
    name: 'Home',
    key: 'h',
    words: 'start first payment overview base url',
  },
];

const MONEY: readonly ScreenRoute[] = [
  {
    path: '/console/pay',
    load: () => import('../developer/pay/screen.tsx'),
    name: 'Pay',
    key: 'y',
    words: 'quote send transfer execute look up uma',
  },
  { path: '/console/quotes/:id', load: () => import('../developer/pay/quote.tsx') },
  {
    path: '/console/payments',
    load: () => import('../developer/payments/screen.tsx'),
    name: 'Payments',
    key: 'p',
    words: 'transactions explanation why failed refund',
  },
  { path: '/console/payments/:id', load: () => import('../developer/payments/payment.tsx') },
  {
    path: '/console/accounts',
    load: () => import('../developer/accounts/screen.tsx'),
    name: 'Accounts',
    key: 'a',
    words: 'balances entries statement holds fund ledger',
  },
  { path: '/console/accounts/:id', load: () => import('../developer/accounts/account.tsx') },
  {
    path: '/console/external-accounts',
    load: () => import('../developer/accounts/external-accounts.tsx'),
    name: 'External accounts',
    key: 'b',
    words: 'receivers payees beneficiaries banks iban new receiver',
  },
  {
    path: '/console/external-accounts/:id',
    load: () => import('../developer/accounts/external-account.tsx'),
  },
  {
    path: '/console/rates',
    load: () => import('../developer/rates/screen.tsx'),
    name: 'Rates',
    key: 'f',
    words: 'exchange rates corridors currencies fees rails banks discoveries',
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
  {
    path: '/console/imports',
    load: () => import('../developer/imports/screen.tsx'),
    name: 'Imports',
    key: 'i',
    words: 'csv upload bulk customers jobs',
  },
  { path: '/console/imports/:id', load: () => import('../developer/imports/import.tsx') },
  {
    path: '/console/invitations',
    load: () => import('../developer/invitations/screen.tsx'),
    name: 'Invitations',
    key: 'v',
    words: 'invite uma',
  },
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

const WORKSHOP: readonly ScreenRoute[] = [
  {
    path: '/console/requests',
    load: () => import('../developer/requests/screen.tsx'),
    name: 'Requests',
    key: 'r',
    words: 'request log calls refusals errors curl',
  },
  { path: '/console/requests/:id', load: () => import('../developer/requests/request.tsx') },
  {
    path: '/console/events',
    load: () => import('../developer/events/screen.tsx'),
    name: 'Events',
    key: 'e',
    words: 'webhooks deliveries attempts resend signature',
  },
  { path: '/console/events/:id', load: () => import('../developer/events/event.tsx') },
  {
    path: '/console/triggers',
    load: () => import('../developer/triggers/screen.tsx'),
    name: 'Triggers',
    key: 'x',
    words: 'cause an event webhook simulate',
    isSandboxOnly: true,
  },
  {
    path: '/console/triggers/:type',
    load: () => import('../developer/triggers/trigger.tsx'),
    isSandboxOnly: true,
  },
  {
    path: '/console/messages',
    load: () => import('../developer/messages/screen.tsx'),
    name: 'Messages',
    key: 'm',
    words: 'inbox e-mail text message code otp',
    isSandboxOnly: true,
  },
  {
    path: '/console/time',
    load: () => import('../developer/time/screen.tsx'),
    name: 'Time',
    key: 't',
    words: 'clock advance due next expiry',
    isSandboxOnly: true,
  },
];

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
  { title: 'Developers', routes: WORKSHOP },
  { title: 'Platform', routes: PLATFORM },
].filter(({ routes }) => routes.length > 0);

export const ROUTES: readonly ScreenRoute[] = GROUPS.flatMap(({ routes }) => routes);
