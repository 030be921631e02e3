import { Readable } from 'node:stream';
import type { TObject, TProperties } from 'typebox';
import Type from 'typebox';
import type { ReadTx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import type { OperatorCaller } from '#foundation/http/caller.ts';
import type { CallWork } from '#foundation/http/declare/call-work.ts';
import { checkOperator } from '#foundation/http/declare/check-operator.ts';
import { type NamedOperation, operation } from '#foundation/http/declare/operation.ts';
import { Reply } from '#foundation/http/idempotency/reply.ts';
import { EVERY_ROLE, type OperatorRule } from '#foundation/http/operator-rule.ts';
import type { PageRequest } from '#foundation/http/paging.ts';
import { component, dateTime, idSchema, page, pageQuery, stringEnum } from '#foundation/http/schema.ts';
import { parseDateTime } from '#foundation/lib/dates.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { type Environment, INSTALLATION } from '#foundation/lib/platform.ts';
import { invalidFields, refuseIf } from '#foundation/lib/refusals.ts';
import { csvColumns, csvLine, csvRow } from './csv.ts';
import { maskBySchema, masked } from './mask.ts';
import { type OpenedPlatforms, openPlatforms, PLATFORMS_QUERY } from './open-platforms.ts';
import { countAcross, type Reader, readAcross } from './read-across.ts';
import type { RecordList } from './record-list.ts';
import { recordRead } from './record-read.ts';

const RULE: OperatorRule = { roles: EVERY_ROLE, on: 'platforms' };

/** The operations that read a list over platforms: its pages or its file, and the search by personal data. */
export function listOperations(list: RecordList): NamedOperation[] {
  const isSearchable = Object.keys(list.personal).length > 0;
  return [listOperation(list), ...(isSearchable ? [searchOperation(list)] : [])] as NamedOperation[];
}

function listOperation(list: RecordList) {
  const { name, area, summary } = list;
  return operation(`listAll${pascal(name)}`, {
    route: `GET /${name}`,
    ...{ area, summary },
    description:
      'The newest first, over all platforms of an environment or one platform, masked for everybody. With `format=csv` ' +
      'the reply is a file of at most 100,000 rows; that needs a fresh proof of presence, and is recorded.',
    access: 'operator',
    operator: RULE,
    query: pageQuery({ ...scopeFilters(list), ...list.filters, ...READING }),
    reply: replyOf(list),
    codes: ['INVALID_INPUT', 'STEP_UP_REQUIRED'],
    async handle(work, { caller, query }) {
      const asked = query as ListQuery;
      if (asked.format === 'csv') return exportList(work, list, caller as OperatorCaller, asked);
      return readList(work, { ...(await openList(work, list, asked)), list }, asked, {});
    },
  });
}

function searchOperation(list: RecordList) {
  const { name, area, summary, personal } = list;
  return operation(`searchAll${pascal(name)}`, {
    route: `POST /${name}/search`,
    area,
    summary: `${summary}, by personal data`,
    description:
      'Like the list. The body has whole values of personal data; each search is recorded with a keyed hash of them.',
    access: 'operator',
    operator: RULE,
    idempotency: { key: 'ignored' },
    query: pageQuery({ ...scopeFilters(list), ...list.filters, count: READING.count }),
    body: component(
      `Search${pascal(name)}Request`,
      'Values of personal data; at least one.',
      optional(personal),
    ),
    reply: replyOf(list),
    status: 200,
    codes: ['INVALID_INPUT'],
    async handle(work, { caller, query, body }) {
      const terms = body as Record<string, unknown>;
      const fields = Object.keys(terms).toSorted();
      if (fields.length === 0)
        throw invalidFields([{ field: 'body', message: 'needs a value to search for' }]);
      const opened = await openList(work, list, query as ListQuery);
      await recordRead(work.runtime, caller as OperatorCaller, {
        ...{ kind: 'SEARCH', resource: name, fields, terms },
        platformId: (query as ListQuery).platform ?? null,
      });
      return readList(work, { ...opened, list }, query as ListQuery, terms);
    },
  });
}

interface ListQuery {
  readonly platform?: PlatformId;
  readonly environment?: Environment;
  readonly limit?: number;
  readonly cursor?: string;
  readonly count?: boolean;
  readonly format?: 'json' | 'csv';
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly [filter: string]: unknown;
}

const READING = {
  count: Type.Optional(
    Type.Boolean({ description: 'Whether to count the rows, up to 10,000. Default: `false`.' }),
  ),
  format: Type.Optional(
    stringEnum(['json', 'csv'], { description: 'A page in JSON, or a file of all rows. Default: `json`.' }),
  ),
};

function scopeFilters({ hasTimes, isOfInstallation }: RecordList): TProperties {
  return {
    ...(!isOfInstallation && PLATFORMS_QUERY),
    ...(hasTimes && {
      createdAfter: Type.Optional(dateTime({ description: 'Only rows created at or after this time.' })),
      createdBefore: Type.Optional(dateTime({ description: 'Only rows created at or before this time.' })),
    }),
  };
}

function optional(properties: TProperties): TProperties {
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, Type.Optional(one)]));
}

/** A row with its platform. */
function itemOf({ name, item, isOfInstallation, summary }: RecordList): TObject {
  const own = isOfInstallation
    ? {}
    : {
        platform: masked('code', idSchema('Platform', { description: 'The platform of the row.' })),
        platformName: masked('none', Type.String({ description: 'Its name.' })),
      };
  const loose = Object.entries({ ...item.properties, ...own }).map(([key, one]) => [key, Type.Optional(one)]);
  return component(`Listed${pascal(name)}`, `${summary}: one row.`, Object.fromEntries(loose) as TProperties);
}

function replyOf(list: RecordList) {
  return page(`PageOf${pascal(list.name)}`, itemOf(list));
}

async function openList(work: CallWork, list: RecordList, query: ListQuery): Promise<OpenedPlatforms> {
  if (!list.isOfInstallation) return openPlatforms(work, query);
  return { readers: [new Work(work.runtime, INSTALLATION, work.actor)], scope: 'installation' };
}

interface OpenedList extends OpenedPlatforms {
  readonly list: RecordList;
}

async function readList(
  work: CallWork,
  { list, readers, scope }: OpenedList,
  query: ListQuery,
  personal: object,
) {
  const { limit = 20, cursor, count = false } = query;
  const filters = filtersOf(list, query, personal);
  const of = pageOf(list, filters);
  const found = await readAcross(
    readers,
    { platformId: scope, vault: work.runtime.vault },
    { list: list.name, filters, limit, cursor },
    of,
  );
  const totalCount = count ? await countAcross(readers, of) : undefined;
  return {
    data: found.rows.map(({ item, source }) => presentItem(list, item, readers[source])),
    hasMore: found.nextCursor !== undefined,
    ...(found.nextCursor !== undefined && { nextCursor: found.nextCursor }),
    ...(totalCount !== undefined && { totalCount }),
  };
}

/** As the list's function takes them: times as dates. A cursor is bound to all of them. */
function filtersOf(
  { isOfInstallation }: RecordList,
  query: ListQuery,
  personal: object,
): Record<string, unknown> {
  const { platform, environment, limit, cursor, count, format, createdAfter, createdBefore, ...filters } =
    query;
  return {
    ...filters,
    // They choose the platforms, but in a list of the installation they are filters like the others.
    ...(isOfInstallation && { platform, environment }),
    ...personal,
    ...(createdAfter !== undefined && { createdAfter: parseDateTime(createdAfter) }),
    ...(createdBefore !== undefined && { createdBefore: parseDateTime(createdBefore) }),
  };
}

function pageOf(list: RecordList, filters: object) {
  return (tx: ReadTx, request: PageRequest) => list.page(tx, request, filters as never);
}

function presentItem(list: RecordList, item: object, reader: Reader | undefined): Record<string, unknown> {
  const shown = maskBySchema(list.item, item) as Record<string, unknown>;
  if (list.isOfInstallation || !reader) return shown;
  const { id, name } = reader.platform;
  return { ...shown, platform: publicId('Platform', id), platformName: name };
}

/** The most rows of a file (operator.md §6.2). */
export const EXPORT_MAX = 100_000;
const EXPORT_CHUNK = 500;

async function exportList(work: CallWork, list: RecordList, caller: OperatorCaller, query: ListQuery) {
  refuseIf(checkOperator({ operator: { ...RULE, stepUp: true } }, caller, work.runtime.clock));
  const opened = await openList(work, list, query);
  const filters = filtersOf(list, query, {});
  const of = pageOf(list, filters);
  if ((await countAcross(opened.readers, of, EXPORT_MAX)) === undefined) {
    const message = `a file has at most ${EXPORT_MAX.toLocaleString('en')} rows: narrow the filters`;
    throw invalidFields([{ field: 'format', message }]);
  }
  await recordRead(work.runtime, caller, {
    ...{ kind: 'EXPORT', resource: list.name, fields: Object.keys(filters).toSorted() },
    platformId: query.platform ?? null,
  });
  const lines = exportLines(work, list, { ...opened, filters });
  return new Reply(200, Readable.from(lines, { objectMode: false }) as never, {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${list.name}.csv"`,
    'x-content-type-options': 'nosniff',
  });
}

async function* exportLines(
  { runtime }: CallWork,
  list: RecordList,
  { readers, scope, filters }: OpenedPlatforms & { readonly filters: Record<string, unknown> },
): AsyncGenerator<string> {
  const { properties } = itemOf(list);
  yield csvLine(csvColumns(properties));
  const cursors = { platformId: scope, vault: runtime.vault };
  let cursor: string | undefined;
  do {
    const request = { list: list.name, filters, limit: EXPORT_CHUNK, cursor };
    const found = await readAcross(readers, cursors, request, pageOf(list, filters));
    yield found.rows
      .map(({ item, source }) => csvRow(properties, presentItem(list, item, readers[source])))
      .join('');
    cursor = found.nextCursor;
  } while (cursor !== undefined);
}

export function pascal(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_whole, letter: string) => letter.toUpperCase());
}
