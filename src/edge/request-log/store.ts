import type { LoggedBodies, RetainedFields } from '#edge/request-log/retention.ts';
import { purgeRows } from '#foundation/database/rows.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { CallerKind } from '#foundation/http/caller.ts';
import { keysetPage, type Page, type PageRequest } from '#foundation/http/paging.ts';
import type { KeyVerdict } from '#foundation/http/serve/request-record.ts';
import type { Traces } from '#foundation/lib/erasure-traces.ts';
import { keptSince } from '#foundation/lib/kept-times.ts';

export interface NewRequestLog extends RetainedFields {
  readonly platformId: PlatformId;
  readonly id: Id<'RequestLog'>;
  readonly createdAt: Date;
  readonly requestId: string;
  readonly caller: { readonly kind: CallerKind; readonly id: string };
  readonly via: string | undefined;
  readonly method: string;
  /** `/quotes/{quoteId}/execute` */
  readonly route: string;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly durationMs: number;
  readonly keyVerdict: KeyVerdict;
}

/** Returns the statement that inserts rows of any platforms. */
export function insertRequests(
  rows: readonly (NewRequestLog & { readonly [Column in SealedColumn]: Buffer | null })[],
): Sql {
  return sql`
    insert into request_logs (platform_id, id, created_at, request_id, caller_kind, caller_id, method, route, path,
                              status, code, duration_ms, key_verdict, resource_ids, bodies, unknown_fields, via)
    select r.platform_id, r.id, r.created_at, r.request_id, r.caller_kind, r.caller_id, r.method, r.route, r.path,
           r.status, r.code, r.duration_ms, r.key_verdict, string_to_array(r.resource_ids, ' ')::uuid[], r.bodies,
           r.unknown_fields, r.via
      from unnest(
        ${rows.map(({ platformId }) => platformId)}::uuid[], ${rows.map(({ id }) => id)}::uuid[],
        ${rows.map(({ createdAt }) => createdAt)}::timestamptz[], ${rows.map(({ requestId }) => requestId)}::uuid[],
        ${rows.map(({ caller }) => caller.kind)}::text[], ${rows.map(({ caller }) => caller.id)}::uuid[],
        ${rows.map(({ method }) => method)}::text[], ${rows.map(({ route }) => route)}::text[],
        ${rows.map(({ path }) => path)}::text[], ${rows.map(({ status }) => status)}::smallint[],
        ${rows.map(({ code }) => code)}::text[], ${rows.map(({ durationMs }) => durationMs)}::integer[],
        ${rows.map(({ keyVerdict }) => keyVerdict)}::text[],
        ${rows.map(({ resourceIds }) => resourceIds.join(' '))}::text[],
        ${rows.map(({ bodies }) => bodies)}::bytea[],
        ${rows.map(({ unknown_fields }) => unknown_fields)}::bytea[],
        ${rows.map(({ via }) => via ?? null)}::text[])
        as r (platform_id, id, created_at, request_id, caller_kind, caller_id, method, route, path, status, code,
              duration_ms, key_verdict, resource_ids, bodies, unknown_fields, via)`;
}

export type SealedColumn = 'bodies' | 'unknown_fields';

export function sealContext(column: SealedColumn, platformId: PlatformId, id: Id<'RequestLog'>): string {
  return `request_logs.${column}:${platformId}:${id}`;
}

/** Returns nothing if a person whom the content describes was erased. */
function openColumn(tx: ReadTx, column: SealedColumn, id: Id<'RequestLog'>, sealed: Buffer | null): unknown {
  const text = sealed && tx.vault.openKept(sealed, sealContext(column, tx.platformId, id));
  return text ? JSON.parse(text) : null;
}

export interface RequestLogRow extends FactsRow {
  /** The unknown fields, as the reply's header named them. */
  unknown_fields: string[] | null;
}

interface StoredRow extends FactsRow {
  unknown_fields: Buffer | null;
}

function openRow<Row extends StoredRow>(tx: ReadTx, row: Row): Omit<Row, 'unknown_fields'> & RequestLogRow {
  const opened = openColumn(tx, 'unknown_fields', row.id, row.unknown_fields);
  return { ...row, unknown_fields: opened as string[] | null };
}

interface FactsRow {
  id: Id<'RequestLog'>;
  created_at: Date;
  request_id: string;
  caller_kind: CallerKind;
  caller_id: string;
  method: string;
  route: string;
  path: string;
  status: number;
  code: string | null;
  duration_ms: number;
  key_verdict: KeyVerdict;
  via: string | null;
}

const COLUMNS = sql`t.id, t.created_at, t.request_id, t.caller_kind, t.caller_id, t.method, t.route, t.path, t.status,
  t.code, t.duration_ms, t.key_verdict, t.via, t.unknown_fields`;

export interface RequestLogFilter {
  /** The first digit of the status. */
  readonly statusClass?: number | undefined;
  readonly method?: string | undefined;
  /** The route's template, or the called path. */
  readonly path?: string | undefined;
  readonly code?: string | undefined;
  readonly isExcludingConsoleReads?: boolean | undefined;
  readonly requestId?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  /** Only rows after this one. */
  readonly afterId?: Id<'RequestLog'> | undefined;
}

export async function listRequests<Item>(
  tx: ReadTx,
  request: PageRequest,
  { filter, order }: { filter: RequestLogFilter; order: 'asc' | 'desc' },
  present: (row: RequestLogRow) => Item,
): Promise<Page<Item>> {
  const where: Sql[] = [sql`t.platform_id = ${tx.platformId}`];
  const { statusClass, method, path, code, requestId, createdAfter, createdBefore, afterId } = filter;
  if (statusClass !== undefined) where.push(sql`t.status / 100 = ${statusClass}`);
  if (method !== undefined) where.push(sql`t.method = ${method}`);
  if (path !== undefined) where.push(sql`(t.route = ${path} or t.path = ${path})`);
  if (code !== undefined) where.push(sql`t.code = ${code}`);
  if (filter.isExcludingConsoleReads) where.push(sql`(t.via is null or t.method <> 'GET')`);
  if (requestId !== undefined) where.push(sql`t.request_id = ${requestId}`);
  if (createdAfter) where.push(sql`t.created_at >= ${createdAfter}`);
  if (createdBefore) where.push(sql`t.created_at <= ${createdBefore}`);
  if (afterId !== undefined) {
    where.push(sql`(t.created_at, t.id) > (
      select a.created_at, a.id from request_logs a where a.platform_id = ${tx.platformId} and a.id = ${afterId})`);
  }
  const query = { columns: COLUMNS, from: sql`request_logs t`, where, order };
  const page = await keysetPage<StoredRow, StoredRow>(tx, request, query, (row) => row);
  await tx.runtime.personKeys.loadFor(page.data.map((row) => row.unknown_fields));
  return { ...page, data: page.data.map((row) => present(openRow(tx, row))) };
}

export async function findRequest(
  tx: ReadTx,
  id: Id<'RequestLog'>,
): Promise<(RequestLogRow & { bodies: LoggedBodies | null }) | undefined> {
  const [row] = await tx.sql<StoredRow & { bodies: Buffer | null }>`
    select ${COLUMNS}, t.bodies from request_logs t where t.platform_id = ${tx.platformId} and t.id = ${id}`;
  if (!row) return undefined;
  const bodies = openColumn(tx, 'bodies', id, row.bodies) as LoggedBodies | null;
  return { ...openRow(tx, row), bodies };
}

/** A request about a resource. */
export type RequestAbout = Omit<FactsRow, 'key_verdict'>;

/**
 * Lists the newest requests that named one of these resources or have one of these ids, the newest first. Reads are left
 * out. The table is small, so this needs no index.
 */
export function listRequestsAbout(
  tx: ReadTx,
  { uuids, requestIds }: { readonly uuids: readonly string[]; readonly requestIds: readonly string[] },
  rowsMax: number,
): Promise<RequestAbout[]> {
  return tx.sql`
    select t.id, t.created_at, t.request_id, t.caller_kind, t.caller_id, t.method, t.route, t.path, t.status, t.code,
           t.duration_ms
      from request_logs t
     where t.platform_id = ${tx.platformId} and t.method <> 'GET'
       and (t.resource_ids && ${uuids}::uuid[] or t.request_id = any(${requestIds}::uuid[]))
     order by t.created_at desc, t.id desc limit ${rowsMax}`;
}

/** How many requests of a platform the log keeps (platform.md §11.3). */
export const KEPT_ROWS = 20_000;

/** Returns the statement that deletes a platform's rows from before this moment, or beyond the newest `KEPT_ROWS`. */
export function trimRequests(platformId: PlatformId, since: Date): Sql {
  return sql`
    delete from request_logs
     where platform_id = ${platformId}
       and created_at <= greatest(${since}::timestamptz,
         (select created_at from request_logs where platform_id = ${platformId}
           order by created_at desc, id desc offset ${KEPT_ROWS} limit 1))`;
}

/** Deletes at most `rowsMax` requests that are too old; returns their number. */
export function purgeRequestLogs(tx: Tx, rowsMax: number): Promise<number> {
  const isOld = sql`created_at < ${keptSince(tx.runtime, 'requestLogDays')}`;
  return purgeRows(tx, 'request_logs', isOld, rowsMax);
}

/** Deletes requests that name an erased customer or its resources. The table is small, so this needs no index. */
export async function eraseRequests(tx: Tx, { ids }: Traces): Promise<void> {
  const rows = await tx.sql<{ id: Id<'RequestLog'>; resource_ids: string[] }>`
    select id, resource_ids from request_logs where platform_id = ${tx.platformId}`;
  const named = rows.filter((row) => row.resource_ids.some((id) => ids.has(id)));
  await tx.sql`
    delete from request_logs
     where platform_id = ${tx.platformId} and id = any(${named.map(({ id }) => id)}::uuid[])`;
}
