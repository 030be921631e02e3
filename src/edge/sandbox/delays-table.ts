import type { SandboxRow, SandboxTable } from '#edge/sandbox/table.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** All delays, on the platform's clock (money.md §9.7, accounts.md §4.7, OW-16, SR-3, SI-3, B.4.2). */
export const DELAYS = {
  step: {
    ms: SECOND_MS,
    effect:
      'What a bank, a network or another provider needs for its next word: a payment is delivered, refused or refunded.',
  },
  return: {
    ms: 5 * SECOND_MS,
    effect: 'How long after it was delivered a payment comes back from the bank.',
  },
  timeout: { ms: 30 * SECOND_MS, effect: 'How long a bank that never answers is waited for.' },
  long: { ms: 6 * MINUTE_MS, effect: 'How long a slow payment, or a review by another provider, takes.' },
  liveness: { ms: 5 * SECOND_MS, effect: 'When a liveness check that nobody opens has its outcome.' },
  reset: {
    ms: 2 * SECOND_MS,
    effect: 'When the liveness check of a factor’s reset has passed, unless somebody fails it first.',
  },
  usAccount: {
    ms: 30 * SECOND_MS,
    effect: 'How long the small entries travel that prove a US account by itself.',
  },
  slowIssuer: {
    ms: 30 * SECOND_MS,
    effect: 'How long a slow issuer of cards or coins takes for its next word.',
  },
  approval: {
    ms: 5 * SECOND_MS,
    effect: 'When a coin that needs no operator is approved for internal accounts.',
  },
  currency: { ms: 5 * SECOND_MS, effect: 'How long it takes to make a coin a currency.' },
  coinFunds: {
    ms: 10 * SECOND_MS,
    effect: 'When the dollars or coins arrive that a mint or burn waits for.',
  },
  coinStart: { ms: 2 * SECOND_MS, effect: 'How long after that the provider starts.' },
  coinDone: { ms: 3 * SECOND_MS, effect: 'How long the provider needs to mint or burn.' },
  coinUnfunded: {
    ms: MINUTE_MS,
    effect: 'When a mint or burn expires whose funds never come by what its description says.',
  },
  coinReconciled: {
    ms: MINUTE_MS,
    effect: 'When the provider is asked what became of a mint or burn whose answer was lost.',
  },
  coinGivenUp: {
    ms: 15 * MINUTE_MS,
    effect: 'When a mint or burn is given up that the provider never got.',
  },
  rates: {
    ms: 5 * MINUTE_MS,
    effect: 'How often exchange rates are read. They never change; their time does.',
  },
  inbox: { ms: 30 * DAY_MS, effect: 'How long a message stays in the inbox of the sandbox.' },
} as const;

export type DelayName = keyof typeof DELAYS;

export const DELAYS_TABLE: SandboxTable<number> = {
  id: 'delays',
  title: 'Delays',
  intro:
    'Everything takes its time on the platform’s own clock. Nobody has to wait for it: move the clock ahead, and what ' +
    'falls due on the way is done, in order. The value to copy is the body that passes the delay.',
  column: 'Delay',
  operations: ['advanceSandboxClock', 'getSandboxClock'],
  rows: Object.entries(DELAYS).map(
    ([name, { ms, effect }]): SandboxRow<number> => ({
      value: `${name}: ${inWords(ms)}`,
      example: JSON.stringify({ seconds: ms / SECOND_MS }),
      effect,
      shows: { offsetSeconds: ms / SECOND_MS },
      does: ms,
    }),
  ),
};

/** `6 minutes` */
export function inWords(ms: number): string {
  const [unit, count] =
    ms % DAY_MS === 0
      ? ['day', ms / DAY_MS]
      : ms % MINUTE_MS === 0
        ? ['minute', ms / MINUTE_MS]
        : ['second', ms / SECOND_MS];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
