import { ratesInForce } from '#capabilities/pricing/rate-source/set-rates.ts';
import { type ListedRate, listRates } from '#capabilities/pricing/rate-source/store.ts';
import type { Database } from '#foundation/database/database.ts';
import { shareReads } from '#foundation/lib/batch-calls.ts';
import type { RateSnapshot, RatesPort } from '#foundation/ports/rates.ts';

/**
 * Reads production's rates from the database, so that all processes use the rates that one of them polled or the
 * operator set, even after a restart. An expired rate is never used.
 */
export function operatorRates({ lookUp }: Pick<Database, 'lookUp'>): RatesPort {
  const read = shareReads(() => listRates(lookUp));
  return {
    async snapshot(now) {
      return buildSnapshot(await read(), now);
    },
  };
}

function buildSnapshot(rows: readonly ListedRate[], now: Date): RateSnapshot | undefined {
  if (rows.length === 0) return undefined;
  const inForce = ratesInForce(rows, now);
  const readAt = [...inForce.values()].map((row) => row.read_at.getTime());
  return {
    perUsd: { USD: '1', ...Object.fromEntries([...inForce].map(([code, row]) => [code, row.per_usd])) },
    lapsed: [...new Set(rows.map((row) => row.currency))].filter((code) => !inForce.has(code)),
    readAt: new Date(Math.max(0, ...readAt)),
  };
}
