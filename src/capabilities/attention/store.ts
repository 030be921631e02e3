import {
  type AttentionKind,
  type AttentionReader,
  HAS_PRODUCTION,
  type WaitingKey,
  type WaitingRequest,
  type WaitingRow,
  waitingRows,
} from '#foundation/database/attention.ts';
import type { Database } from '#foundation/database/database.ts';
import { readingFigures } from '#foundation/database/figures.ts';
import { joinSql, type Sql, sql } from '#foundation/database/sql.ts';
import { COUNT_MAX } from '#foundation/http/paging.ts';
import { type Environment, INSTALLATION } from '#foundation/lib/platform.ts';

/** The roles and platforms of the work to read. */
export interface WorkScope {
  readonly now: Date;
  readonly environment: Environment;
  /** Undefined: all platforms of the environment, and items that belong to no platform. */
  readonly platformId: PlatformId | undefined;
  /** Undefined: items for all roles. */
  readonly reader: AttentionReader | undefined;
}

export interface WaitingCount {
  readonly kind: string;
  readonly count: number;
  readonly since: Date | null;
  readonly age_seconds: number | null;
}

type ReadingDatabase = Pick<Database, 'transaction'>;

/** Counts the items of each kind, with the oldest, in one statement. It reads no more rows than it counts. */
export function countWaiting(
  database: ReadingDatabase,
  kinds: readonly AttentionKind[],
  scope: WorkScope,
): Promise<WaitingCount[]> {
  if (kinds.length === 0) return Promise.resolve([]);
  return readingFigures(database, (run) => run<WaitingCount>(countStatement(kinds, scope)));
}

export function countStatement(kinds: readonly AttentionKind[], scope: WorkScope): Sql {
  return joinSql(
    kinds.map((kind) => countOf(kind, scope)),
    ' union all ',
  );
}

/** The oldest item of a platform is its first row, so that neither part reads more than it needs. */
function countOf(kind: AttentionKind, scope: WorkScope): Sql {
  const counted = requestOf(kind, scope, { limit: COUNT_MAX + 1 });
  const oldest = requestOf(kind, scope, { limit: 1 });
  return sql`
    select ${kind.name}::text as kind, c.count, o.since, o.age_seconds
      from (
        select count(*)::integer as count
          from (select from (${waitingRows(kind, counted)}) w where ${isWork(kind)} limit ${COUNT_MAX + 1}) counted) c
      left join (
        select w.since, w.age_seconds from (${waitingRows(kind, oldest)}) w
         where ${isWork(kind)} order by w.age_seconds desc, w.since limit 1) o on true`;
}

/** A waiting row, with the operator who has taken it. */
export interface ItemRow extends WaitingRow {
  readonly take_id: Id<'WorkTake'> | null;
  readonly take_operator: Id<'Operator'> | null;
  readonly take_name: string | null;
  readonly take_at: Date | null;
  readonly take_note: Buffer | null;
}

/** Reads one page of the items of a kind, the oldest first, and one row more if there is another page. */
export function listWaiting(
  database: ReadingDatabase,
  kind: AttentionKind,
  scope: WorkScope,
  page: { readonly limit: number; readonly after: WaitingKey | undefined },
): Promise<ItemRow[]> {
  return readingFigures(database, (run) => run<ItemRow>(pageStatement(kind, scope, page)));
}

export function pageStatement(
  kind: AttentionKind,
  scope: WorkScope,
  { limit, after }: { readonly limit: number; readonly after: WaitingKey | undefined },
): Sql {
  const request = requestOf(kind, scope, { limit: limit + 1, after });
  return sql`
    with page as materialized (
      select w.* from (${waitingRows(kind, request)}) w
       where ${isWork(kind)}
       order by w.since, w.platform_id nulls first, w.key limit ${limit + 1})
    select w.*, t.id as take_id, t.operator as take_operator, o.name as take_name, t.taken_at as take_at,
           t.note as take_note
      from page w
      left join work_takes t
        on t.kind = ${kind.name} and t.platform_id = coalesce(w.platform_id, ${INSTALLATION.id}) and t.key = w.key
      left join operators o on o.id = t.operator
     order by w.since, w.platform_id nulls first, w.key`;
}

function isWork({ workAfterSeconds }: AttentionKind): Sql {
  return workAfterSeconds === undefined ? sql`true` : sql`w.age_seconds >= ${workAfterSeconds}`;
}

function requestOf(
  kind: AttentionKind,
  { now, environment, platformId, reader }: WorkScope,
  part: Pick<WaitingRequest, 'limit' | 'after'>,
): WaitingRequest {
  const platforms =
    platformId === undefined ? sql`p.environment = ${environment}` : sql`p.id = ${platformId}`;
  const isOfProduction = kind.scope === 'installation';
  const installation = sql`${platformId === undefined}
       and (not ${isOfProduction} or ${environment} = 'PRODUCTION' and ${HAS_PRODUCTION})`;
  return { now, platforms, installation, reader, ...part };
}
