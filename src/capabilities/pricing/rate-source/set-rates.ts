import { rateProblem } from '#capabilities/pricing/rate-source/rate-document.ts';
import {
  type ListedRate,
  listRates,
  type RateRow,
  removeOperatorRates,
  resumeCurrencies,
  stopCurrencies,
  upsertRates,
} from '#capabilities/pricing/rate-source/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { ChangedValue } from '#foundation/audit/changed-values.ts';
import type { Run } from '#foundation/database/database.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { isCurrencyCode } from '#foundation/lib/currencies.ts';
import { type FieldError, invalidFields } from '#foundation/lib/refusals.ts';

/**
 * Returns the valid rates by currency; the operator's rates take precedence over the source's. A currency that an operator
 * has stopped has none.
 */
export function ratesInForce(rows: readonly ListedRate[], now: Date): Map<string, RateRow> {
  const valid = rows.filter((row) => row.expires_at > now && row.stopped_since === null);
  const byOrigin = (origin: RateRow['origin']) =>
    valid.filter((row) => row.origin === origin).map((row): [string, RateRow] => [row.currency, row]);
  return new Map([...byOrigin('SOURCE'), ...byOrigin('OPERATOR')]);
}

export interface SetRates {
  /** Units per US dollar as decimal text, by currency. */
  readonly perUsd: ReadonlyMap<string, string>;
  /** How long they take precedence over the source's. */
  readonly forMs: number;
  readonly reason: string;
}

/** Sets rates by hand. They apply at once in all processes until they expire. */
export async function setRates(tx: Tx, wanted: SetRates): Promise<void> {
  const now = new Date(tx.runtime.clock.now());
  audit(tx, { action: 'rates set', ...(await replaceRates((piece) => tx.query(piece), now, wanted)) });
}

async function replaceRates(run: Run, now: Date, { perUsd, forMs, reason }: SetRates) {
  requireValidRates(perUsd);
  const expiresAt = new Date(now.getTime() + forMs);
  const before = ratesInForce(await listRates(run), now);
  const rows = [...perUsd].map(
    ([currency, rate]): RateRow => ({
      currency,
      origin: 'OPERATOR',
      per_usd: rate,
      as_of: now,
      read_at: now,
      expires_at: expiresAt,
    }),
  );
  await upsertRates(run, rows);
  const resumed = new Set(await resumeCurrencies(run, [...perUsd.keys()]));
  const changed = rows.map(({ currency, per_usd }) =>
    changedRate(currency, resumed.has(currency) ? STOPPED : before.get(currency), per_usd),
  );
  const rates = rows.map(({ currency, per_usd }) => ({ currency, to: per_usd }));
  return { details: { reason, until: expiresAt.toISOString(), rates }, changed };
}

const STOPPED = 'stopped';

/** The source changes its rates every minute. A rate that an operator set or stopped changes only by a decision. */
function changedRate(
  currency: string,
  before: RateRow | typeof STOPPED | undefined,
  after: string,
): ChangedValue {
  const field = `perUsd.${currency}`;
  if (before === STOPPED) return { field, before, after };
  const isOfSource = before?.origin !== 'OPERATOR';
  return { field, before: before?.per_usd ?? null, after, ...(isOfSource && { moves: true }) };
}

export interface ClearRates {
  readonly currencies: readonly string[];
  readonly reason: string;
}

/**
 * Removes rates set by hand and ends stops, so that the source's rates apply again. Returns the currencies that had one of
 * them.
 */
export async function clearRates(tx: Tx, wanted: ClearRates): Promise<string[]> {
  const removed = await removeRates((piece) => tx.query(piece), wanted);
  const { currencies } = removed.details;
  if (currencies.length > 0) audit(tx, { action: 'rates clear', ...removed });
  return currencies;
}

async function removeRates(run: Run, { currencies, reason }: ClearRates) {
  const removed = await removeOperatorRates(run, currencies);
  const resumed = await resumeCurrencies(run, currencies);
  // A currency may have both. A proposal that showed one of them must not end the other one.
  const before = [
    ...removed.map(({ currency, per_usd }) => [currency, per_usd] as const),
    ...resumed.map((currency) => [currency, STOPPED] as const),
  ].sort();
  const changed = before.map(
    ([currency, value]): ChangedValue => ({ field: `currencies.${currency}`, before: value, after: null }),
  );
  return { details: { reason, currencies: [...new Set(before.map(([currency]) => currency))] }, changed };
}

/**
 * Stops pricing in currencies from now on, until a rate is set or cleared by hand: new quotes in them are refused. Returns
 * the currencies that were not stopped before.
 */
export async function stopRates(tx: Tx, { currencies, reason }: ClearRates): Promise<string[]> {
  const unknown = currencies.flatMap((code): FieldError[] => {
    const message = currencyProblem(code);
    return message === undefined ? [] : [{ field: code, message }];
  });
  if (unknown.length > 0) throw invalidFields(unknown);
  const since = new Date(tx.runtime.clock.now());
  const stopped = (await stopCurrencies((piece) => tx.query(piece), currencies, since)).sort();
  if (stopped.length > 0) audit(tx, { action: 'rates stop', details: { reason, currencies: stopped } });
  return stopped;
}

function requireValidRates(perUsd: ReadonlyMap<string, string>): void {
  const errors = [...perUsd].flatMap(([currency, rate]): FieldError[] => {
    const message = currencyProblem(currency) ?? rateProblem(currency, rate);
    return message === undefined ? [] : [{ field: currency, message }];
  });
  if (errors.length > 0) throw invalidFields(errors);
}

function currencyProblem(code: string): string | undefined {
  if (!isCurrencyCode(code)) return 'is not a currency';
  return code === 'USD' ? 'is the unit of all rates' : undefined;
}
