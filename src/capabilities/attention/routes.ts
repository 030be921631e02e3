import { placeOf, writeItemId } from '#capabilities/attention/items.ts';
import { kindsOf, readerOf, requireKind, type WorkParts } from '#capabilities/attention/kinds.ts';
import {
  NoteWorkRequest,
  ReleaseWorkRequest,
  TakenWork,
  TakeWorkRequest,
  type WorkItemReply,
  WorkItems,
  WorkItemsQuery,
  WorkQuery,
  WorkReply,
  type WorkReplyBody,
} from '#capabilities/attention/schemas.ts';
import { countWaiting, type ItemRow, listWaiting, type WorkScope } from '#capabilities/attention/store.ts';
import type { TakeRow } from '#capabilities/attention/take-store.ts';
import { noteWork, openNote, releaseWork, takeWork } from '#capabilities/attention/take-work.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import { type AttentionKind, ownerOf, type WaitingKey } from '#foundation/database/attention.ts';
import { findMainEnvironment, findPlatform } from '#foundation/database/platforms.ts';
import type { Caller } from '#foundation/http/caller.ts';
import type { CallWork } from '#foundation/http/declare/call-work.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { EVERY_ROLE, type OperatorRule } from '#foundation/http/operator-rule.ts';
import { COUNT_MAX, readCursor, writeCursor } from '#foundation/http/paging.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { DECIDING_ROLES } from '#foundation/lib/operator-roles.ts';
import type { Environment } from '#foundation/lib/platform.ts';
import { invalidFields } from '#foundation/lib/refusals.ts';

const COMMON = { area: 'Work', access: 'operator' } as const;
const RULE: OperatorRule = { roles: EVERY_ROLE, on: 'platforms' };
const CHANGE: OperatorRule = { roles: DECIDING_ROLES, on: 'installation' };

/** What waits for the operator who asks, and who takes care of it (operator.md §6.4, §6.5). */
export function workOperations(parts: WorkParts) {
  return [summary(parts), items(parts), take(parts), release(parts), note(parts)];
}

const summary = (parts: WorkParts) =>
  operation('listWork', {
    ...COMMON,
    route: 'GET /work',
    operator: RULE,
    summary: 'List what waits',
    description:
      'The kinds of items that are work of the caller’s roles, each with its count and its oldest item.',
    query: WorkQuery,
    reply: WorkReply,
    codes: ['INVALID_INPUT'],
    async handle(work, { caller, query }): Promise<WorkReplyBody> {
      const scope = await openScope(work, parts, caller, query);
      const kinds = kindsOf(parts, caller);
      const counts = await countWaiting(work.runtime.database, kinds, scope);
      const found = new Map(counts.map((one) => [one.kind, one]));
      return {
        kinds: kinds.map(({ name, title, concerns }) => {
          const { count = 0, since, age_seconds } = found.get(name) ?? {};
          return {
            ...{
              kind: name,
              title,
              concerns,
              count: Math.min(count, COUNT_MAX),
              isCapped: count > COUNT_MAX,
            },
            ...(since && { oldestSince: since.toISOString() }),
            ...(since && { oldestAgeSeconds: Math.round(age_seconds ?? 0) }),
            list: listAddress(name, scope),
          };
        }),
      };
    },
  });

const items = (parts: WorkParts) =>
  operation('listWorkItems', {
    ...COMMON,
    route: 'GET /work/items',
    operator: RULE,
    summary: 'List the items of a kind',
    description:
      'Oldest first, over all platforms of an environment or one platform, with who has taken them.',
    query: WorkItemsQuery,
    reply: WorkItems,
    codes: ['INVALID_INPUT', 'FORBIDDEN'],
    async handle(work, { caller, query }) {
      const { kind: name, limit = 20, cursor } = query;
      const kind = requireKind(parts, caller, name, 'kind');
      const scope = await openScope(work, parts, caller, query);
      const { vault, personKeys, database } = work.runtime;
      const cursors = { platformId: scope.platformId ?? scope.environment, vault };
      const request = { list: 'listWorkItems', filters: { kind: name }, limit, cursor };
      const after = cursor === undefined ? undefined : keyOf(readCursor(cursors, request));
      const rows = await listWaiting(database, kind, scope, { limit, after });
      const shown = rows.slice(0, limit);
      await personKeys.loadFor(shown.map(({ take_note }) => take_note));
      const last = shown.at(-1);
      const hasMore = rows.length > limit;
      return {
        data: shown.map((row) => presentItem(vault, kind, row)),
        hasMore,
        ...(hasMore && last && { nextCursor: writeCursor(cursors, request, cursorOf(kind, last)) }),
      };
    },
  });

const take = (parts: WorkParts) =>
  operation('takeWork', {
    ...COMMON,
    route: 'POST /work/take',
    operator: CHANGE,
    summary: 'Take an item',
    description: 'Tells others that the caller takes care of it. They can take it over.',
    body: TakeWorkRequest,
    reply: TakenWork,
    codes: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'INVALID_INPUT'],
    write: async (tx, { body, caller }) => presentTake(body.item, await takeWork(tx, parts, caller, body)),
  });

const release = (parts: WorkParts) =>
  operation('releaseWork', {
    ...COMMON,
    route: 'POST /work/release',
    operator: CHANGE,
    summary: 'Give an item back',
    description: 'The note is removed, too.',
    body: ReleaseWorkRequest,
    reply: TakenWork,
    codes: ['CONFLICT', 'FORBIDDEN', 'INVALID_INPUT'],
    async write(tx, { body: { item }, caller }) {
      await releaseWork(tx, parts, caller, item);
      return { item };
    },
  });

const note = (parts: WorkParts) =>
  operation('noteWork', {
    ...COMMON,
    route: 'POST /work/note',
    operator: CHANGE,
    summary: 'Write a note about an item',
    description: 'For an item that the caller has taken. All operators whose work it is can read the note.',
    body: NoteWorkRequest,
    reply: TakenWork,
    codes: ['CONFLICT', 'FORBIDDEN', 'INVALID_INPUT'],
    write: async (tx, { body, caller }) => presentTake(body.item, await noteWork(tx, parts, caller, body)),
  });

interface Chosen {
  readonly platform?: PlatformId | undefined;
  readonly environment?: Environment | undefined;
}

async function openScope(
  { runtime }: CallWork,
  parts: WorkParts,
  caller: Caller,
  { platform, environment }: Chosen,
): Promise<WorkScope> {
  const run = runtime.database.query;
  if (platform !== undefined && !(await findPlatform(run, platform)))
    throw invalidFields([{ field: 'platform', message: 'is not the id of a platform' }]);
  return {
    now: new Date(runtime.clock.now()),
    environment: environment ?? (await findMainEnvironment(run)),
    platformId: platform,
    reader: readerOf(parts, caller),
  };
}

function listAddress(kind: string, { environment, platformId }: WorkScope): string {
  const where = platformId === undefined ? { environment } : { platform: publicId('Platform', platformId) };
  return `/work/items?${new URLSearchParams({ kind, ...where })}`;
}

function cursorOf(kind: AttentionKind, row: ItemRow): string[] {
  const { since, platformId, key } = placeOf(kind, row);
  return [since, platformId, key];
}

function keyOf([since = '', platformId = '', key = '']: readonly string[]): WaitingKey {
  return { since, platformId, key };
}

function presentItem(vault: PersonVault, kind: AttentionKind, row: ItemRow): WorkItemReply {
  const { platform_id: platformId, platform_name: platformName } = row;
  const { subject, why, plainWhy = why } = kind.present(row as never, ownerOf(platformId));
  const written = openNote(vault, { id: row.take_id, note: row.take_note });
  return {
    ...{ id: writeItemId(placeOf(kind, row)), kind: kind.name, key: row.key },
    ...(platformId !== null && { platform: publicId('Platform', platformId) }),
    ...(platformName !== null && { platformName }),
    ...{ subject, why: plainWhy, since: row.since.toISOString() },
    ageSeconds: Math.round(row.age_seconds),
    ...(row.take_operator !== null && { takenBy: publicId('Operator', row.take_operator) }),
    ...(row.take_name !== null && { takenByName: row.take_name }),
    ...(row.take_at && { takenAt: row.take_at.toISOString() }),
    ...(written !== undefined && { note: written }),
  };
}

/** Without the note: the reply is stored under no customer, so an erasure would not find it. */
function presentTake(item: string, row: TakeRow) {
  return { item, takenBy: publicId('Operator', row.operator), takenAt: row.taken_at.toISOString() };
}
