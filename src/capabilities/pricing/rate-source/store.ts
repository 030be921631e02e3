import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';

/** A stored rate of production. */
export interface RateRow {
  currency: string;
  origin: 'SOURCE' | 'OPERATOR';
  /** Units per US dollar, as decimal text. */
  per_usd: string;
  as_of: Date;
  read_at: Date;
  expires_at: Date;
}

/** A rate with what an operator said about its currency. */
export interface ListedRate extends RateRow {
  /** Since when nothing is priced in the currency. */
  stopped_since: Date | null;
}

/** Reads all rates in one statement, so that no reader sees half a change. A few hundred rows at most. */
export function listRates(run: Run): Promise<ListedRate[]> {
  return run<ListedRate>(sql`
    select r.currency, r.origin, r.per_usd::text as per_usd, r.as_of, r.read_at, r.expires_at, s.since as stopped_since
      from exchange_rates r left join stopped_currencies s on s.currency = r.currency
     order by r.currency, r.origin`);
}

/** Returns the currencies that were not stopped before. */
export async function stopCurrencies(
  run: Run,
  currencies: readonly string[],
  since: Date,
): Promise<string[]> {
  const rows = await run<{ currency: string }>(sql`
    insert into stopped_currencies (currency, since)
    select c, ${since} from unnest(${currencies.toSorted()}::text[]) c
    on conflict do nothing
    returning currency`);
  return rows.map(({ currency }) => currency);
}

/** Returns the currencies that were stopped. */
export async function resumeCurrencies(run: Run, currencies: readonly string[]): Promise<string[]> {
  const rows = await run<{ currency: string }>(sql`
    delete from stopped_currencies where currency = any(${currencies}::text[]) returning currency`);
  return rows.map(({ currency }) => currency);
}

/** Replaces rates of the same currency and origin, in a fixed order, so that two writers do not deadlock. */
export async function upsertRates(run: Run, rows: readonly RateRow[]): Promise<void> {
  const sorted = rows.toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
  await run(sql`
    insert into exchange_rates (currency, origin, per_usd, as_of, read_at, expires_at)
    select * from unnest(
      ${sorted.map((row) => row.currency)}::text[],
      ${sorted.map((row) => row.origin)}::text[],
      ${sorted.map((row) => row.per_usd)}::numeric[],
      ${sorted.map((row) => row.as_of)}::timestamptz[],
      ${sorted.map((row) => row.read_at)}::timestamptz[],
      ${sorted.map((row) => row.expires_at)}::timestamptz[])
    on conflict (currency, origin) do update
       set per_usd = excluded.per_usd, as_of = excluded.as_of, read_at = excluded.read_at,
           expires_at = excluded.expires_at`);
}

/** Removes rates set by hand, and returns them. */
export function removeOperatorRates(
  run: Run,
  currencies: readonly string[],
): Promise<Pick<RateRow, 'currency' | 'per_usd'>[]> {
  return run(sql`
    delete from exchange_rates where origin = 'OPERATOR' and currency = any(${currencies}::text[])
    returning currency, per_usd::text as per_usd`);
}

/** Removes the rates of currencies that the source no longer has. */
export async function removeOtherSourceRates(run: Run, currencies: readonly string[]): Promise<void> {
  await run(sql`
    delete from exchange_rates where origin = 'SOURCE' and currency <> all(${currencies}::text[])`);
}

export interface PollRow {
  next_at: Date;
  taken_at: Date | null;
  trouble: string | null;
}

/** Claims the poll until `until`, for one of all workers. */
export async function claimPoll(run: Run, now: Date, until: Date): Promise<boolean> {
  const rows = await run(sql`
    update rate_poll set next_at = ${until} where next_at <= ${now} returning next_at`);
  return rows.length > 0;
}

/** False: the poll took too long, and another worker has claimed it. Locks the row until the commit. */
export async function endPoll(
  run: Run,
  until: Date,
  outcome: { readonly nextAt: Date } & ({ readonly takenAt: Date } | { readonly trouble: string }),
): Promise<boolean> {
  const takenAt = 'takenAt' in outcome ? outcome.takenAt : null;
  const trouble = 'trouble' in outcome ? outcome.trouble : null;
  const rows = await run(sql`
    update rate_poll
       set next_at = ${outcome.nextAt}, trouble = ${trouble}, taken_at = coalesce(${takenAt}::timestamptz, taken_at)
     where next_at = ${until}
    returning next_at`);
  return rows.length > 0;
}

export async function findPoll(run: Run): Promise<PollRow | undefined> {
  const [row] = await run<PollRow>(sql`select next_at, taken_at, trouble from rate_poll`);
  return row;
}
