import {
  type Problems,
  parseRateDocument,
  type RateDocument,
} from '#capabilities/pricing/rate-source/rate-document.ts';
import {
  claimPoll,
  endPoll,
  listRates,
  type RateRow,
  removeOtherSourceRates,
  upsertRates,
} from '#capabilities/pricing/rate-source/store.ts';
import type { Database, Run } from '#foundation/database/database.ts';
import type { Clock } from '#foundation/lib/clock.ts';
import { compare, fraction, multiply, parseDecimal } from '#foundation/lib/money.ts';
import type { RateSource } from '#foundation/ports/rates.ts';

export interface PollParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly source: RateSource;
  /** How old a rate may become, by the source's timestamp. */
  readonly ageMaxMs: number;
}

/** `elsewhere`: another worker is polling, or the poll is not due yet. */
export type PollOutcome =
  | { readonly kind: 'taken'; readonly currencies: number }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'refused'; readonly problems: Problems };

/** platform.md §6.1: one snapshot for about five minutes. */
const EVERY_MS = 300_000;
const AFTER_TROUBLE_MS = 60_000;
/** Longer than the source may take to answer. */
const CLAIM_MS = 60_000;

/** Reads the source if a poll is due, and stores all of its rates or none. */
export async function pollRates(parts: PollParts, { isUrgent = false } = {}): Promise<PollOutcome> {
  const { database, clock, source, ageMaxMs } = parts;
  const now = new Date(clock.now());
  const until = new Date(now.getTime() + CLAIM_MS);
  if (!(await claimPoll(database.query, isUrgent ? END_OF_TIME : now, until))) return { kind: 'elsewhere' };
  const found = await source.read().then(
    (text) => parseRateDocument(text, { now: new Date(clock.now()), ageMaxMs }),
    (error: unknown) => ({ problems: [error instanceof Error ? error.message : 'the source failed'] }),
  );
  return database.transaction(async (run) => {
    const problems =
      'problems' in found ? found.problems : implausibleChanges(found, await listRates(run), now);
    if ('problems' in found || problems.length > 0) return refuse(run, until, clock, problems);
    return keep(run, until, parts, found);
  });
}

const END_OF_TIME = new Date('9999-01-01T00:00:00Z');

async function refuse(run: Run, until: Date, clock: Clock, problems: Problems): Promise<PollOutcome> {
  const nextAt = new Date(clock.now() + AFTER_TROUBLE_MS);
  const isOurs = await endPoll(run, until, { nextAt, trouble: problems.join('; ').slice(0, TROUBLE_MAX) });
  return isOurs ? { kind: 'refused', problems } : { kind: 'elsewhere' };
}

const TROUBLE_MAX = 2_000;

async function keep(
  run: Run,
  until: Date,
  { clock, ageMaxMs }: PollParts,
  { asOf, perUsd }: RateDocument,
): Promise<PollOutcome> {
  const now = new Date(clock.now());
  const nextAt = new Date(now.getTime() + EVERY_MS);
  if (!(await endPoll(run, until, { nextAt, takenAt: now }))) return { kind: 'elsewhere' };
  const expiresAt = new Date(asOf.getTime() + ageMaxMs);
  const rows = [...perUsd].map(
    ([currency, rate]): RateRow => ({
      currency,
      origin: 'SOURCE',
      per_usd: rate,
      as_of: asOf,
      read_at: now,
      expires_at: expiresAt,
    }),
  );
  await upsertRates(run, rows);
  await removeOtherSourceRates(run, [...perUsd.keys()]);
  return { kind: 'taken', currencies: perUsd.size };
}

/**
 * A rate that doubled or halved since the last poll is more likely a misplaced decimal point than a price. The operator
 * can confirm it with `corridor rates set`: while that rate is valid, the source's rate is close to it and is accepted.
 * A document that is older than the last one is refused as well.
 */
function implausibleChanges({ asOf, perUsd }: RateDocument, rows: readonly RateRow[], now: Date): Problems {
  const known = rows.filter((row) => row.origin === 'SOURCE' || row.expires_at > now);
  const older = known.find((row) => row.origin === 'SOURCE' && row.as_of > asOf);
  if (older) return [`timestamp is ${asOf.toISOString()}: older than that of the previous document`];
  return [...perUsd].flatMap(([currency, rate]) => {
    const before = known.filter((row) => row.currency === currency);
    if (before.length === 0 || before.some((row) => isNear(row.per_usd, rate))) return [];
    const last = before.map((row) => row.per_usd).join(' or ');
    return [`rates.${currency} is ${rate} after ${last}: confirm it with "corridor rates set"`];
  });
}

function isNear(before: string, after: string): boolean {
  const [a, b] = [parseDecimal(before), parseDecimal(after)];
  const twice = fraction(2n);
  return compare(a, multiply(b, twice)) < 0 && compare(b, multiply(a, twice)) < 0;
}
