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
];

const PEOPLE: readonly ScreenRoute[] = [];

const PRODUCTS: readonly ScreenRoute[] = [];

const WORKSHOP: readonly ScreenRoute[] = [
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
  { title: 'Workshop', routes: WORKSHOP },
  { title: 'Platform', routes: PLATFORM },
].filter(({ routes }) => routes.length > 0);

export const ROUTES: readonly ScreenRoute[] = GROUPS.flatMap(({ routes }) => routes);
