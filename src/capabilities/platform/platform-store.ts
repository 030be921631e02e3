import type { ExplicitSettings } from '#capabilities/platform/check-settings.ts';
import type { Database } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { keysetPage, type Page, type PageRequest } from '#foundation/http/paging.ts';
import type { OwnCurrencies, OwnCurrency } from '#foundation/lib/currencies.ts';
import { type Environment, effectiveSettings, type Platform } from '#foundation/lib/platform.ts';

/** A platform as the operator sees it. */
export interface PlatformRecord {
  readonly id: PlatformId;
  readonly name: string;
  readonly environment: Environment;
  readonly clockOffsetMs: number;
  /** Settings that the operator made; all others have their defaults. */
  readonly explicitSettings: ExplicitSettings;
  readonly ownCurrencies: OwnCurrencies;
  readonly disabledCurrencies: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly disabledAt: Date | null;
}

export interface NewPlatform {
  readonly explicitSettings: ExplicitSettings;
  /** Id of the key that is added in the same transaction. */
  readonly webhookKeyId: Id<'WebhookKey'>;
}

export async function insertPlatform(tx: Tx, platform: NewPlatform): Promise<void> {
  const { id, name, environment } = tx.platform;
  await tx.sql`
    insert into platforms (id, name, environment, settings, webhook_key_id, created_at, updated_at)
    values (${id}, ${name}, ${environment}, ${JSON.stringify(platform.explicitSettings)},
            ${platform.webhookKeyId}, ${tx.now}, ${tx.now})`;
}

/** For the operator's list, across all platforms; oldest first. */
export async function findAllPlatforms(database: Pick<Database, 'query'>): Promise<PlatformRecord[]> {
  const rows = await database.query<PlatformRow>(
    sql`select ${COLUMNS} from platforms order by created_at, id`,
  );
  return rows.map(recordOf);
}

/** The same in pages, the newest first. */
export function pagePlatforms(
  tx: ReadTx,
  request: PageRequest,
  { environment }: { readonly environment: Environment | undefined },
): Promise<Page<PlatformRecord>> {
  const where = [environment === undefined ? sql`true` : sql`t.environment = ${environment}`];
  return keysetPage(tx, request, { columns: COLUMNS, from: sql`platforms t`, where }, recordOf);
}

export async function findPlatformRecord(
  database: Pick<Database, 'query'>,
  id: PlatformId,
): Promise<PlatformRecord | undefined> {
  const [row] = await database.query<PlatformRow>(sql`select ${COLUMNS} from platforms where id = ${id}`);
  return row && recordOf(row);
}

/** Locks the row until the transaction ends, so that changes to one platform are serialized. */
export async function lockPlatform(tx: Tx): Promise<PlatformRecord | undefined> {
  const [row] =
    await tx.sql<PlatformRow>`select ${COLUMNS} from platforms where id = ${tx.platformId} for update`;
  return row && recordOf(row);
}

/** `updated_at` always increases: processes that cache the settings detect a change by it. */
export async function savePlatform(
  tx: Tx,
  values: Pick<PlatformRecord, 'name' | 'explicitSettings' | 'disabledAt'>,
): Promise<void> {
  const now = new Date(tx.runtime.clock.now());
  await tx.sql`
    update platforms
       set name = ${values.name}, settings = ${JSON.stringify(values.explicitSettings)},
           disabled_at = ${values.disabledAt},
           updated_at = greatest(${now}::timestamptz, updated_at + interval '1 millisecond')
     where id = ${tx.platformId}`;
}

/** Adds one of the platform's own currencies; false if it already has one with this code. */
export async function insertCurrency(tx: Tx, { code, ...terms }: OwnCurrency): Promise<boolean> {
  const now = new Date(tx.runtime.clock.now());
  const rows = await tx.sql`
    update platforms
       set own_currencies = own_currencies || ${JSON.stringify({ [code]: terms })}::jsonb,
           updated_at = greatest(${now}::timestamptz, updated_at + interval '1 millisecond')
     where id = ${tx.platformId} and not own_currencies ? ${code}::text
    returning id`;
  return rows.length > 0;
}

export async function findOwnCurrency(tx: Tx, code: string): Promise<OwnCurrency | undefined> {
  const [row] = await tx.sql<{ terms: Omit<OwnCurrency, 'code'> | null }>`
    select own_currencies -> ${code}::text as terms from platforms where id = ${tx.platformId}`;
  return row?.terms ? { code, ...row.terms } : undefined;
}

/** Disables or enables one of the platform's own currencies; false if that changes nothing. */
export async function saveDisabledCurrency(tx: Tx, code: string, isDisabled: boolean): Promise<boolean> {
  const now = new Date(tx.runtime.clock.now());
  const rows = await tx.sql`
    update platforms
       set disabled_currencies = case when ${isDisabled}::boolean
             then array_append(disabled_currencies, ${code}::text)
             else array_remove(disabled_currencies, ${code}::text) end,
           updated_at = greatest(${now}::timestamptz, updated_at + interval '1 millisecond')
     where id = ${tx.platformId} and (${code}::text = any(disabled_currencies)) <> ${isDisabled}::boolean
    returning id`;
  return rows.length > 0;
}

/** Locks until the transaction ends, so that only one of several starting processes sees no platform. */
export async function isFirstPlatform(tx: Tx): Promise<boolean> {
  await tx.sql`select pg_advisory_xact_lock(${FIRST_PLATFORM_LOCK}::bigint)`;
  const rows = await tx.sql`select from platforms limit 1`;
  return rows.length === 0;
}

export function platformFromRecord(record: PlatformRecord): Platform {
  return {
    id: record.id,
    name: record.name,
    environment: record.environment,
    clockOffsetMs: record.clockOffsetMs,
    settings: effectiveSettings(record.environment, record.explicitSettings),
    ownCurrencies: record.ownCurrencies,
    disabledCurrencies: record.disabledCurrencies,
  };
}

const FIRST_PLATFORM_LOCK = 7_265_420_114;

const COLUMNS = sql`id, name, environment, clock_offset_ms, settings, own_currencies, disabled_currencies,
  created_at, updated_at, disabled_at`;

interface PlatformRow {
  id: PlatformId;
  name: string;
  environment: Environment;
  clock_offset_ms: bigint;
  settings: ExplicitSettings;
  own_currencies: OwnCurrencies;
  disabled_currencies: string[];
  created_at: Date;
  updated_at: Date;
  disabled_at: Date | null;
}

function recordOf(row: PlatformRow): PlatformRecord {
  return {
    id: row.id,
    name: row.name,
    environment: row.environment,
    clockOffsetMs: Number(row.clock_offset_ms),
    explicitSettings: row.settings,
    ownCurrencies: row.own_currencies,
    disabledCurrencies: row.disabled_currencies,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    disabledAt: row.disabled_at,
  };
}
