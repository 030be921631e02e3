import {
  type WorkItemReply,
  WorkItems,
  WorkItemsQuery,
  WorkQuery,
  WorkReply,
  type WorkReplyBody,
} from '#capabilities/attention/schemas.ts';
import { countWaiting, listWaiting, type WorkScope } from '#capabilities/attention/store.ts';
import { operatorOf } from '#capabilities/proposals/require-operator.ts';
import {
  type AttentionKind,
  ownerOf,
  type WaitingKey,
  type WaitingRow,
} from '#foundation/database/attention.ts';
import { findMainEnvironment, findPlatform } from '#foundation/database/platforms.ts';
import type { Caller } from '#foundation/http/caller.ts';
import type { CallWork } from '#foundation/http/declare/call-work.ts';
import { type NamedOperation, operation } from '#foundation/http/declare/operation.ts';
import { EVERY_ROLE, type OperatorRule } from '#foundation/http/operator-rule.ts';
import { COUNT_MAX, readCursor, writeCursor } from '#foundation/http/paging.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { type Environment, INSTALLATION } from '#foundation/lib/platform.ts';
import { invalidFields, refuse } from '#foundation/lib/refusals.ts';

export interface WorkParts {
  /** All kinds of items, in display order. */
  workKinds(): readonly AttentionKind[];
  operatorOperations(): readonly NamedOperation[];
}

const COMMON = { area: 'Work', access: 'operator', codes: ['INVALID_INPUT'] } as const;
const RULE: OperatorRule = { roles: EVERY_ROLE, on: 'platforms' };

/** What waits for the operator who asks (operator.md §6.4). */
export function workOperations(parts: WorkParts) {
  return [summary(parts), items(parts)];
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
    async handle(work, { caller, query }): Promise<WorkReplyBody> {
      const scope = await openScope(work, parts, caller, query);
      const kinds = parts.workKinds().filter((kind) => isOwnWork(kind, caller));
      const counts = await countWaiting(work.runtime.database, kinds, scope);
      const found = new Map(counts.map((one) => [one.kind, one]));
      return {
        kinds: kinds.map((kind) => {
          const { count = 0, since, age_seconds } = found.get(kind.name) ?? {};
          const { name, title, concerns } = kind;
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
    description: 'Oldest first, over all platforms of an environment or one platform.',
    query: WorkItemsQuery,
    reply: WorkItems,
    codes: ['INVALID_INPUT', 'FORBIDDEN'],
    async handle(work, { caller, query }) {
      const { kind: name, limit = 20, cursor } = query;
      const kind = requireKind(parts, caller, name);
      const scope = await openScope(work, parts, caller, query);
      const cursors = { platformId: scope.platformId ?? scope.environment, vault: work.runtime.vault };
      const request = { list: 'listWorkItems', filters: { kind: name }, limit, cursor };
      const after = cursor === undefined ? undefined : keyOf(readCursor(cursors, request));
      const rows = await listWaiting(work.runtime.database, kind, scope, { limit, after });
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      const hasMore = rows.length > limit;
      return {
        data: shown.map((row) => presentItem(kind, row)),
        hasMore,
        ...(hasMore && last && { nextCursor: writeCursor(cursors, request, placeOf(last)) }),
      };
    },
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
    reader: {
      operatorId: operatorOf(caller),
      operations: parts
        .operatorOperations()
        .filter(({ operator }) => operator?.two && hasRole(caller, operator.roles))
        .map(({ id }) => id),
    },
  };
}

function hasRole(caller: Caller, roles: OperatorRule['roles']): boolean {
  return caller.kind === 'operator' && caller.roles.some((role) => roles.includes(role));
}

function isOwnWork({ roles }: AttentionKind, caller: Caller): boolean {
  return hasRole(caller, roles);
}

function requireKind(parts: WorkParts, caller: Caller, name: string): AttentionKind {
  const kinds = parts.workKinds();
  const kind = kinds.find((one) => one.name === name);
  if (!kind) {
    const message = `is none of ${kinds.map((one) => one.name).join(', ')}`;
    throw invalidFields([{ field: 'kind', message }]);
  }
  const { roles } = kind;
  if (!isOwnWork(kind, caller)) refuse('FORBIDDEN', `These items are for ${roles.join(', ')}.`, { roles });
  return kind;
}

function listAddress(kind: string, { environment, platformId }: WorkScope): string {
  const where = platformId === undefined ? { environment } : { platform: publicId('Platform', platformId) };
  return `/work/items?${new URLSearchParams({ kind, ...where })}`;
}

function placeOf({ since, platform_id, key }: WaitingRow): string[] {
  return [since.toISOString(), platform_id ?? INSTALLATION.id, key];
}

function keyOf([since = '', platformId = '', key = '']: readonly string[]): WaitingKey {
  return { since, platformId, key };
}

function presentItem(kind: AttentionKind, row: WaitingRow): WorkItemReply {
  const { platform_id: platformId, platform_name: platformName } = row;
  const { subject, why, plainWhy = why } = kind.present(row as never, ownerOf(platformId));
  return {
    ...{ kind: kind.name, key: row.key },
    ...(platformId !== null && { platform: publicId('Platform', platformId) }),
    ...(platformName !== null && { platformName }),
    ...{ subject, why: plainWhy, since: row.since.toISOString() },
    ageSeconds: Math.round(row.age_seconds),
  };
}
