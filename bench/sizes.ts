import type { Counting } from './count-instructions.ts';
import type { Stream } from './load.ts';

/** How much a run prepares and measures. */
export interface Size {
  readonly rounds: number;
  readonly roundMs: number;
  readonly warmUpRoundsMax: number;
  /** Callers at the same time, where many are wanted. */
  readonly clients: number;
  /** Customers of a platform, each with an account. */
  readonly customers: number;
  readonly cards: number;
  readonly ledgerAccounts: number;
  /** Accounts that refused executions compete for. */
  readonly contestedAccounts: number;
  /** Operations of each client before a round: while others were measured, connections and caches went cold. */
  readonly runIn: number;
  /** Transfers of each connection of the yardstick before its first round. */
  readonly plainWarmUp: number;
  /** A round of the yardstick beside a stream of payments, which takes some seconds. */
  readonly streamRoundMs: number;
  /** Payments to `COMPLETED`: those in flight, those before counting begins, and those counted. */
  readonly stream: Stream & { readonly counted: number };
  /** Operations whose instructions are counted, after others that are not. */
  readonly counting: Pick<Counting, 'names' | 'warmUp' | 'count'>;
  /** Payments whose webhooks are timed; the first pace only warms up. */
  readonly paces: readonly Pace[];
}

export interface Pace {
  readonly perSecond: number;
  readonly count: number;
}

export const FULL: Size = {
  rounds: 11,
  roundMs: 600,
  warmUpRoundsMax: 8,
  clients: 32,
  customers: 300,
  cards: 64,
  ledgerAccounts: 10_000,
  contestedAccounts: 64,
  runIn: 5,
  plainWarmUp: 200,
  streamRoundMs: 2_000,
  // The sandbox takes a second to deliver; with this many in flight that limits only rates above 1,500 a second.
  stream: { underWayMax: 1_500, lead: 500, counted: 1_500 },
  paces: [
    { perSecond: 200, count: 1_000 },
    { perSecond: 10, count: 60 },
    { perSecond: 100, count: 600 },
  ],
  // PostgreSQL plans a statement again five times before it keeps a plan, and look-ups alternate between two connections.
  counting: { names: ['payment'], warmUp: 16, count: 9 },
};

/** Shows only that everything runs. */
export const QUICK: Size = {
  rounds: 1,
  roundMs: 8,
  warmUpRoundsMax: 0,
  clients: 2,
  customers: 2,
  cards: 2,
  ledgerAccounts: 100,
  contestedAccounts: 2,
  runIn: 1,
  plainWarmUp: 1,
  streamRoundMs: 8,
  stream: { underWayMax: 4, lead: 2, counted: 2 },
  paces: [
    { perSecond: 100, count: 1 },
    { perSecond: 100, count: 2 },
  ],
  counting: { names: ['transfer'], warmUp: 0, count: 1 },
};
