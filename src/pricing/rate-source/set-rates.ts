import { type AuditFact, writeAudit } from '#audit/audit.ts';
import type { Run } from '#database/database.ts';
import type { Actor, Runtime } from '#database/tx.ts';
import { isCurrencyCode } from '#lib/currencies.ts';
import { type FieldError, invalidFields } from '#lib/refusals.ts';
import { ratesInForce } from '#pricing/rate-source/operator-rates.ts';
import { rateProblem } from '#pricing/rate-source/rate-document.ts';
import { listRates, putRates, type RateRow, removeOperatorRates } from '#pricing/rate-source/store.ts';

type Parts = Pick<Runtime, 'database' | 'clock' | 'newId'>;

export interface SetRates {
  /** Units per US dollar as decimal text, by currency. */
  readonly perUsd: ReadonlyMap<string, string>;
  /** How long they stand over the source's. */
  readonly forMs: number;
  readonly reason: string;
}

/** Rates by hand: they count at once and for all processes, until their time is over. One commit with its audit row. */
export async function setRates(
  parts: Parts,
  actor: Actor,
  { perUsd, forMs, reason }: SetRates,
): Promise<void> {
  checkRates(perUsd);
  const now = new Date(parts.clock.now());
  const expiresAt = new Date(now.getTime() + forMs);
  await parts.database.transaction(async (run) => {
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
    await putRates(run, rows);
    const changes = rows.map(({ currency, per_usd: to }) => ({
      currency,
      from: before.get(currency)?.per_usd ?? null,
      to,
    }));
    const details = { reason, until: expiresAt.toISOString(), rates: changes };
    await leave(run, parts, actor, { action: 'rates set', details });
  });
}

/** Takes rates by hand back: the source's count again. Gives back those that there were. */
export async function clearRates(
  parts: Parts,
  actor: Actor,
  { currencies, reason }: { readonly currencies: readonly string[]; readonly reason: string },
): Promise<string[]> {
  return parts.database.transaction(async (run) => {
    const removed = (await removeOperatorRates(run, currencies)).sort();
    const details = { reason, currencies: removed };
    if (removed.length > 0) await leave(run, parts, actor, { action: 'rates clear', details });
    return removed;
  });
}

function checkRates(perUsd: ReadonlyMap<string, string>): void {
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

/** Of no platform: rates are everybody's. */
function leave(run: Run, { clock, newId }: Parts, actor: Actor, fact: AuditFact): Promise<void> {
  const row = { id: newId(), platformId: null, at: new Date(clock.now()), actor, ...fact };
  return writeAudit({ query: run }, [row]);
}
