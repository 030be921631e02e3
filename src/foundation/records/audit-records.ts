import Type from 'typebox';
import { type AuditLine, countAuditRows, listAuditRows, openAuditLines } from '#foundation/audit/store.ts';
import { COUNT_MAX, type ListKey, type Page, type PageRequest } from '#foundation/http/paging.ts';
import { isUuid, publicId } from '#foundation/lib/ids.ts';
import { shown } from './fields.ts';
import { filterBy } from './filters.ts';
import { countReads, listReads, type OpenedRead, READ_KINDS } from './reads-store.ts';
import { recordList } from './record-list.ts';

const AREA = 'Audit';
const FILTERS = {
  platform: filterBy.id('Platform', 'Only rows about this platform.'),
  resource: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only rows about this resource, by its id.' }),
  ),
};

/** The audit log of both environments. Its reasons and texts are left out, because they may describe people. */
export const AUDIT_LIST = recordList({
  name: 'audit',
  area: AREA,
  summary: 'The audit log',
  isOfInstallation: true,
  hasTimes: true,
  filters: {
    ...FILTERS,
    operator: Type.Optional(
      Type.String({ maxLength: 200, description: 'Only acts of this operator, by id or by name.' }),
    ),
    action: Type.Optional(Type.String({ maxLength: 200, description: 'Only this action.' })),
  },
  item: Type.Object({
    at: shown.time('When it was done, in real time.'),
    actorKind: shown.own(
      'The kind of actor: a token, an agent, an operator, a visitor of a page, the service.',
    ),
    actor: shown.own('The id of the token or agent, or the name of the operator.'),
    action: shown.own('The action.'),
    resource: shown.code('The resource of the action.'),
    platform: shown.id('Platform', 'The platform. Null: the installation.'),
    request: shown.code('The `X-Request-Id` of the request.'),
    details: shown.fields('Details: each field is masked by its name.'),
  }),
  async page(tx, request, { operator, createdAfter: since, createdBefore: until, ...filter }) {
    const actor = operator === undefined ? undefined : { id: operator, isOperator: true };
    const wanted = { ...filter, actor, since, until };
    const { database } = tx.runtime;
    return newestPage(request, {
      list: async (span) => openAuditLines(tx.runtime, await listAuditRows(database, wanted, span)),
      count: (most) => countAuditRows(database, wanted, most),
      present: presentAudited,
    });
  },
});

function presentAudited(row: AuditLine) {
  const type = ({ token: 'Token', agent: 'Agent' } as const)[row.actor_kind];
  return {
    ...{ at: row.at, actorKind: row.actor_kind, action: row.action, resource: row.resource },
    actor: type && isUuid(row.actor_id) ? publicId(type, row.actor_id) : nameOf(row),
    platform: row.platform_id && publicId('Platform', row.platform_id),
    ...{ request: row.request_id, details: row.details },
  };
}

/** The operator's name. A stranger may send anything in the place of a name. */
function nameOf({ actor_kind: kind, actor_id: id }: AuditLine): string | null {
  return kind === 'operator' ? id : null;
}

/** The operators who looked at data of people (operator.md §4.2). The reasons are left out, because they may name people. */
export const READS_LIST = recordList({
  name: 'reads',
  area: AREA,
  summary: 'Reads of data of people: who looked, and at which fields',
  isOfInstallation: true,
  hasTimes: true,
  filters: {
    ...FILTERS,
    operator: Type.Optional(
      Type.String({ maxLength: 200, description: 'Only reads of this operator, by id.' }),
    ),
  },
  item: Type.Object({
    at: shown.time('When it was read, in real time.'),
    operator: shown.own('The operator who looked.'),
    roles: shown.own('The roles of the operator.'),
    kind: shown.code('The kind of read.', READ_KINDS),
    resource: shown.own('The record, or the name of the list.'),
    fields: shown.own('The fields that were read or searched.'),
    platform: shown.id('Platform', 'The platform. Null: all of them.'),
  }),
  page: (tx, request, { operator: actor, createdAfter: since, createdBefore: until, ...filter }) => {
    const wanted = { ...filter, actor, since, until };
    return newestPage(request, {
      list: (span) => listReads(tx.runtime, wanted, span),
      count: (most) => countReads(tx.runtime.database, wanted, most),
      present: presentRead,
    });
  },
});

function presentRead(row: OpenedRead) {
  return {
    ...{ at: row.at, operator: row.actor_id, roles: row.roles.join(', '), kind: row.kind },
    ...{ resource: row.resource, fields: row.fields.join(', ') },
    platform: row.platform_id && publicId('Platform', row.platform_id),
  };
}

interface Newest<Row> {
  list(span: { readonly limit: number; readonly after?: ListKey | undefined }): Promise<readonly Row[]>;
  count(most: number): Promise<number>;
  present(row: Row): object;
}

/** One page of rows that belong to no platform alone, by time and id, as a part of a list that has cursors. */
async function newestPage<Row extends { readonly at: Date; readonly id: string }>(
  { limit, part, countMax = COUNT_MAX }: PageRequest,
  { list, count, present }: Newest<Row>,
): Promise<Page<object>> {
  const rows = await list({ limit: limit + 1, after: part?.after });
  const shownRows = rows.slice(0, limit);
  part?.keys.push(...shownRows.map(({ at, id }): ListKey => [at.toISOString(), id]));
  const totalCount = part ? countMax + 1 : await count(countMax + 1);
  return {
    data: shownRows.map(present),
    hasMore: rows.length > limit,
    ...(totalCount <= countMax && { totalCount }),
  };
}
