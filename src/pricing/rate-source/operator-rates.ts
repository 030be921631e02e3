import type { Database } from '#database/database.ts';
import { gatherReaders } from '#lib/gather.ts';
import { listRates, type RateRow } from '#pricing/rate-source/store.ts';
import type { RateSnapshot, RatesPort } from '#rails/rates.ts';

/**
 * The operator's rates, from the database: what one process polled or one command set is what all of them price with,
 * and a restart has it. A rate past its time is never used.
 */
export function operatorRates({ lookUp }: Pick<Database, 'lookUp'>): RatesPort {
  const read = gatherReaders(() => listRates(lookUp));
  return {
    async snapshot(now) {
      return snapshotOf(await read(), now);
    },
  };
}

function snapshotOf(rows: readonly RateRow[], now: Date): RateSnapshot | undefined {
  if (rows.length === 0) return undefined;
  const inForce = ratesInForce(rows, now);
  const readAt = [...inForce.values()].map((row) => row.read_at.getTime());
  return {
    perUsd: { USD: '1', ...Object.fromEntries([...inForce].map(([code, row]) => [code, row.per_usd])) },
    lapsed: [...new Set(rows.map((row) => row.currency))].filter((code) => !inForce.has(code)),
    readAt: new Date(Math.max(0, ...readAt)),
  };
}

/** The operator's own before the source's. */
export function ratesInForce(rows: readonly RateRow[], now: Date): Map<string, RateRow> {
  const counting = rows.filter((row) => row.expires_at > now);
  const byOrigin = (origin: RateRow['origin']) =>
    counting.filter((row) => row.origin === origin).map((row): [string, RateRow] => [row.currency, row]);
  return new Map([...byOrigin('SOURCE'), ...byOrigin('OPERATOR')]);
}
