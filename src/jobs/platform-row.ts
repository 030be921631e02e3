import type { Run } from '#database/database.ts';
import { sql } from '#database/sql.ts';
import type { Environment, Platform } from '#lib/platform.ts';
import { settingsOf } from '#lib/platform-settings.ts';

/** The columns of `platforms` that a worker's transaction needs. */
export interface PlatformRow {
  id: string;
  name: string;
  environment: Environment;
  clock_offset_ms: bigint;
  settings: Record<string, unknown>;
}

export function platformOf({ id, name, environment, clock_offset_ms, settings }: PlatformRow): Platform {
  const clockOffsetMs = Number(clock_offset_ms);
  return { id, name, environment, clockOffsetMs, settings: settingsOf(environment, settings) };
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
    select id, name, environment, clock_offset_ms, settings, disabled_at from platforms where id = ${id}`);
  return row;
}
