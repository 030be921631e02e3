import type { Run } from '#database/database.ts';
import { sql } from '#database/sql.ts';
import type { OwnCurrencies } from '#lib/currencies.ts';
import { type Environment, type Platform, settingsOf } from '#lib/platform.ts';

/** The columns of `platforms` that a transaction needs. */
export interface PlatformRow {
  id: string;
  name: string;
  environment: Environment;
  clock_offset_ms: bigint;
  settings: Record<string, unknown>;
  own_currencies: OwnCurrencies;
}

export const PLATFORM_COLUMNS = sql`p.id, p.name, p.environment, p.clock_offset_ms, p.settings, p.own_currencies`;

export function platformOf(row: PlatformRow): Platform {
  return {
    id: row.id,
    name: row.name,
    environment: row.environment,
    clockOffsetMs: Number(row.clock_offset_ms),
    settings: settingsOf(row.environment, row.settings),
    ownCurrencies: row.own_currencies,
  };
}

/** As it stands now: a platform's clock may have been moved a moment ago. */
export async function loadPlatform(run: Run, id: string): Promise<Platform | undefined> {
  const row = await loadRow(run, id);
  return row && platformOf(row);
}

/** For whoever comes with a link of the platform: while it is disabled, its links open nothing, as its tokens. */
export async function loadEnabledPlatform(run: Run, id: string): Promise<Platform | undefined> {
  const row = await loadRow(run, id);
  return row?.disabled_at === null ? platformOf(row) : undefined;
}

async function loadRow(run: Run, id: string) {
  const [row] = await run<PlatformRow & { disabled_at: Date | null }>(sql`
    select ${PLATFORM_COLUMNS}, p.disabled_at from platforms p where p.id = ${id}`);
  return row;
}
