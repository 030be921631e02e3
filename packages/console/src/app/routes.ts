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
    path: '/console/rates',
    load: () => import('../developer/rates/screen.tsx'),
    name: 'Rates',
    key: 'f',
    words: 'exchange rates corridors currencies fees rails banks discoveries',
  },
];

const PEOPLE: readonly ScreenRoute[] = [
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

const PRODUCTS: readonly ScreenRoute[] = [];

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
