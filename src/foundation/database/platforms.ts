import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { OwnCurrencies } from '#foundation/lib/currencies.ts';
import { type Environment, effectiveSettings, type Platform } from '#foundation/lib/platform.ts';

/** The columns of `platforms` that a transaction needs. */
export interface PlatformRow {
  id: PlatformId;
  name: string;
  environment: Environment;
  clock_offset_ms: bigint;
  /** JSON, as text: almost every request finds the same texts as the one before. */
  settings: string;
  own_currencies: string;
  disabled_currencies: string[];
}

export const PLATFORM_COLUMNS = sql`
  p.id, p.name, p.environment, p.clock_offset_ms, p.settings::text as settings,
  p.own_currencies::text as own_currencies, p.disabled_currencies`;

export function toPlatform(row: PlatformRow): Platform {
  return {
    id: row.id,
    name: row.name,
    environment: row.environment,
    clockOffsetMs: Number(row.clock_offset_ms),
    ...readTexts(row),
    disabledCurrencies: row.disabled_currencies,
  };
}

type ReadTexts = Pick<Platform, 'settings' | 'ownCurrencies'>;

interface LastRead {
  readonly settings: string;
  readonly ownCurrencies: string;
  readonly read: ReadTexts;
}

const lastRead = new Map<PlatformId, LastRead>();
const LAST_READ_MAX = 1_000;

/** Parses the texts of a row, but only if they have changed. */
function readTexts({ id, environment, settings, own_currencies: ownCurrencies }: PlatformRow): ReadTexts {
  const known = lastRead.get(id);
  if (known?.settings === settings && known.ownCurrencies === ownCurrencies) return known.read;
  const read = freezeAll({
    settings: effectiveSettings(environment, JSON.parse(settings)),
    ownCurrencies: JSON.parse(ownCurrencies) as OwnCurrencies,
  });
  lastRead.delete(id);
  lastRead.set(id, { settings, ownCurrencies, read });
  const [oldest] = lastRead.keys();
  if (lastRead.size > LAST_READ_MAX && oldest !== undefined) lastRead.delete(oldest);
  return read;
}

/** Requests share these values, so none of them may change one. */
function freezeAll<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value))
    Object.values(Object.freeze(value)).forEach(freezeAll);
  return value;
}

/** Finds the present state of a platform: its clock may have been moved a moment ago. */
export async function findPlatform(run: Run, id: PlatformId): Promise<Platform | undefined> {
  const row = await findRow(run, id);
  return row && toPlatform(row);
}

/** For visitors with a link of the platform: the links of a disabled platform do not work, like its tokens. */
export async function findEnabledPlatform(run: Run, id: PlatformId): Promise<Platform | undefined> {
  const row = await findRow(run, id);
  return row?.disabled_at === null ? toPlatform(row) : undefined;
}

async function findRow(run: Run, id: PlatformId) {
  const [row] = await run<PlatformRow & { disabled_at: Date | null }>(sql`
    select ${PLATFORM_COLUMNS}, p.disabled_at from platforms p where p.id = ${id}`);
  return row;
}

/** Lists the platforms of an environment, the oldest first, across platforms: for the lists of operators. */
export async function listPlatformsOf(run: Run, environment: Environment): Promise<Platform[]> {
  const rows = await run<PlatformRow>(sql`
    select ${PLATFORM_COLUMNS} from platforms p where p.environment = ${environment} order by p.created_at, p.id`);
  return rows.map(toPlatform);
}

/** Returns production if it has a platform, and otherwise the sandbox. */
export async function findMainEnvironment(run: Run): Promise<Environment> {
  const [found] = await run(sql`select from platforms where environment = 'PRODUCTION' limit 1`);
  return found ? 'PRODUCTION' : 'SANDBOX';
}
