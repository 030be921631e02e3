import type { SandboxRow, SandboxTable } from '#edge/sandbox/table.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * All delays, on the platform's clock (money.md §9.7, accounts.md §4.7, §5.2.16, customers.md §7.63, cards.md §1.23,
 * stablecoins.md §4.2).
 */
export const DELAYS = {
  step: {
    ms: SECOND_MS,
    effect:
      'The time that a bank, a network or another provider takes for its next step: a payment is delivered, refused or refunded.',
  },
  return: {
    ms: 5 * SECOND_MS,
    effect: 'The time from the delivery of a payment to its return by the bank.',
  },
  timeout: { ms: 30 * SECOND_MS, effect: 'The time after which a bank that never answers counts as failed.' },
  long: {
    ms: 6 * MINUTE_MS,
    effect: 'The time that a slow payment, or a review by another provider, takes.',
  },
  liveness: {
    ms: 5 * SECOND_MS,
    effect: 'The time after which a liveness check that is not opened gets its outcome.',
  },
  reset: {
    ms: 2 * SECOND_MS,
    effect:
      'The time after which the liveness check of a factor’s reset passes, unless it was failed before.',
  },
  usAccount: {
    ms: 30 * SECOND_MS,
    effect: 'The time until the small entries have proved that a US account exists.',
  },
  slowIssuer: {
    ms: 30 * SECOND_MS,
    effect: 'The time that a slow issuer of cards or coins takes for its next step.',
  },
  approval: {
    ms: 5 * SECOND_MS,
    effect: 'The time after which a coin that needs no operator is approved for internal accounts.',
  },
  currency: { ms: 5 * SECOND_MS, effect: 'The time that it takes to make a coin a currency.' },
  coinFunds: {
    ms: 10 * SECOND_MS,
    effect: 'The time after which the dollars or coins for a mint or burn arrive.',
  },
  coinStart: { ms: 2 * SECOND_MS, effect: 'The time from their arrival until the provider starts.' },
  coinDone: { ms: 3 * SECOND_MS, effect: 'The time that the provider takes to mint or burn.' },
  coinUnfunded: {
    ms: MINUTE_MS,
    effect:
      'The time after which a mint or burn expires if its description prevents its funds from arriving.',
  },
  coinReconciled: {
    ms: MINUTE_MS,
    effect: 'The time after which the provider is asked about a mint or burn whose answer was lost.',
  },
  coinGivenUp: {
    ms: 15 * MINUTE_MS,
    effect: 'The time after which a mint or burn fails if it never reached the provider.',
  },
  rates: {
    ms: 5 * MINUTE_MS,
    effect:
      'The interval at which exchange rates are read. The rates never change, but their timestamp does.',
  },
  inbox: { ms: 30 * DAY_MS, effect: 'The time that a message stays in the inbox of the sandbox.' },
} as const;

export const DELAYS_TABLE: SandboxTable<number> = {
  id: 'delays',
  title: 'Delays',
  intro:
    'All delays run on the platform’s own clock. You need not wait for them: move the clock ahead, and everything that falls ' +
    'due on the way happens, in order. The value to copy is the body that moves the clock past the delay.',
  column: 'Delay',
  operations: ['advanceSandboxClock', 'getSandboxClock'],
  rows: Object.entries(DELAYS).map(
    ([name, { ms, effect }]): SandboxRow<number> => ({
      value: `${name}: ${formatDuration(ms)}`,
      example: JSON.stringify({ seconds: ms / SECOND_MS }),
      effect,
      shows: { offsetSeconds: ms / SECOND_MS },
      does: ms,
    }),
  ),
};

/** `6 minutes` */
export function formatDuration(ms: number): string {
  const [unit, count] =
    ms % DAY_MS === 0
      ? ['day', ms / DAY_MS]
      : ms % MINUTE_MS === 0
        ? ['minute', ms / MINUTE_MS]
        : ['second', ms / SECOND_MS];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
