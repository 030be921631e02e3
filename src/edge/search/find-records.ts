import Type from 'typebox';
import { knowingVersions } from '#foundation/database/known-hashes.ts';
import { findPlatform, listPlatformsOf } from '#foundation/database/platforms.ts';
import { OF_FIELD_MAX, type SearchPlace } from '#foundation/database/search.ts';
import { type FoundAcross, searchAcross } from '#foundation/database/search-across.ts';
import type { OperatorCaller } from '#foundation/http/caller.ts';
import type { CallWork } from '#foundation/http/declare/call-work.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { EVERY_ROLE } from '#foundation/http/operator-rule.ts';
import { component, idSchema, queryId, stringEnum, text } from '#foundation/http/schema.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { ENVIRONMENTS, type Environment, type Platform } from '#foundation/lib/platform.ts';
import { invalidFields } from '#foundation/lib/refusals.ts';
import { recordRead } from '#foundation/records/record-read.ts';

/** More records rarely have the same value. */
const FOUND_MAX = 50;
/** A field has up to two look-ups, and each may find one record more than the reply names: this many rows are enough. */
const ROWS_MAX = Math.ceil((FOUND_MAX * 2 * (OF_FIELD_MAX + 1)) / OF_FIELD_MAX) + 1;

const FoundRecord = component('FoundRecord', 'A record that was found.', {
  resourceId: Type.String({ description: 'Its id.' }),
  kind: Type.String({ description: 'Its kind: the part of its id before the colon.' }),
  field: Type.String({ description: 'The field that matches.' }),
  platform: Type.Optional(
    idSchema('Platform', { description: 'The platform of the record. Absent: it belongs to none.' }),
  ),
  platformName: Type.Optional(Type.String({ description: 'The name of the platform.' })),
  environment: Type.Optional(stringEnum(ENVIRONMENTS, { description: 'The environment of the platform.' })),
});

const FoundRecords = component('FoundRecords', 'The records that have the value.', {
  data: Type.Array(FoundRecord, {
    description:
      'At most 50 records, the newest first, and at most five of each kind and field on one platform.',
  }),
  isTruncated: Type.Boolean({ description: 'Whether more records have the value.' }),
});

const SearchScope = Type.Object({
  platform: Type.Optional(queryId('Platform', { description: 'Only records of this platform.' })),
  environment: Type.Optional(
    stringEnum(ENVIRONMENTS, {
      description: 'Only platforms of this environment. Default: both, if no platform is named.',
    }),
  ),
});

/** Finds records over all platforms by a whole value (operator.md §6.2). */
export function findRecords(places: readonly SearchPlace[]) {
  return operation('findRecords', {
    route: 'POST /search',
    area: 'Search',
    summary: 'Find a record by a whole value',
    description:
      'Finds records of all platforms at once, by an id (in full or as the bare UUID), an e-mail address, a phone number, whole ' +
      'words of a name, a UMA address, a reference of the platform or of a bank, a client id, or the name of a platform. Only ' +
      'whole values match. Each search is recorded with a keyed hash of the value.',
    access: 'operator',
    operator: { roles: EVERY_ROLE, on: 'platforms' },
    idempotency: { key: 'ignored' },
    query: SearchScope,
    body: component('FindRecordsRequest', 'The value to look for.', {
      value: text(1, 255, { pattern: '\\S', description: 'The whole value.' }),
    }),
    reply: FoundRecords,
    status: 200,
    codes: ['INVALID_INPUT'],
    async handle(work, { caller, query, body }) {
      const value = body.value.trim();
      const platforms = await listSearched(work, query);
      await recordRead(work.runtime, caller as OperatorCaller, {
        ...{ kind: 'SEARCH', resource: 'records', fields: ['value'], terms: { value } },
        platformId: query.platform ?? null,
      });
      const { roles } = caller as OperatorCaller;
      const visible = places.filter(({ operators = EVERY_ROLE }) =>
        operators.some((role) => roles.includes(role)),
      );
      const found = await findAll(work, visible, {
        ...{ platforms, text: value },
        isWhole: query.platform === undefined,
      });
      const named = takeOfEachField(found);
      return {
        data: named.slice(0, FOUND_MAX).map((one) => presentFound(one, platforms)),
        isTruncated: named.length < found.length || named.length > FOUND_MAX,
      };
    },
  });
}

interface Scope {
  readonly platform?: PlatformId;
  readonly environment?: Environment;
}

async function listSearched({ runtime }: CallWork, { platform, environment }: Scope): Promise<Platform[]> {
  const run = runtime.database.query;
  if (platform === undefined) {
    const asked = environment === undefined ? ENVIRONMENTS : [environment];
    return (await Promise.all(asked.map((one) => listPlatformsOf(run, one)))).flat();
  }
  const found = await findPlatform(run, platform);
  if (!found) throw invalidFields([{ field: 'platform', message: 'is not the id of a platform' }]);
  return [found];
}

interface Wanted {
  readonly platforms: readonly Platform[];
  readonly isWhole: boolean;
  readonly text: string;
}

/** Removes repetitions, because one field may find a record by two look-ups. The newest come first. */
async function findAll({ runtime }: CallWork, places: readonly SearchPlace[], wanted: Wanted) {
  const { vault, database } = runtime;
  const { platforms, isWhole, text: value } = wanted;
  const asked = {
    ...{ vault, places, isWhole, text: value },
    platformIds: platforms.map(({ id }) => id),
    limit: ROWS_MAX,
  };
  const found = await knowingVersions(vault, () => searchAcross(database.query, asked));
  return [...new Map(found.map((one) => [`${one.resourceId} ${one.field}`, one])).values()];
}

/** Takes the first records of each kind and field on each platform. */
function takeOfEachField(found: readonly FoundAcross[]): FoundAcross[] {
  const counts = new Map<string, number>();
  return found.filter(({ platformId, kind, field }) => {
    const key = `${platformId} ${kind} ${field}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= OF_FIELD_MAX;
  });
}

function presentFound({ platformId, ...found }: FoundAcross, platforms: readonly Platform[]) {
  const platform = platforms.find(({ id }) => id === platformId);
  if (!platform) return found;
  const { id, name, environment } = platform;
  return { ...found, platform: publicId('Platform', id), platformName: name, environment };
}
