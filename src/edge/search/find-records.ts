import Type from 'typebox';
import { type SearchPlace, search } from '#foundation/database/search.ts';
import type { OperatorCaller } from '#foundation/http/caller.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { EVERY_ROLE } from '#foundation/http/operator-rule.ts';
import { component, idSchema, text } from '#foundation/http/schema.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { openPlatforms, PLATFORMS_QUERY } from '#foundation/records/open-platforms.ts';
import type { Reader } from '#foundation/records/read-across.ts';
import { recordRead } from '#foundation/records/record-read.ts';

/** A whole value rarely belongs to more. */
const FOUND_MAX = 50;
/** How many platforms are asked at a time. */
const ASKED_AT_ONCE = 8;

const FoundRecord = component('FoundRecord', 'A record that was found.', {
  resourceId: Type.String({ description: 'Its id.' }),
  kind: Type.String({ description: 'Its kind: the part of its id before the colon.' }),
  field: Type.String({ description: 'The field that matches.' }),
  platform: idSchema('Platform', { description: 'Its platform.' }),
  platformName: Type.String({ description: 'The name of the platform.' }),
});

/** Finds records over all platforms by a whole value (operator.md §6.2). */
export function findRecords(places: readonly SearchPlace[]) {
  return operation('findRecords', {
    route: 'POST /search',
    area: 'Search',
    summary: 'Find a record by a whole value',
    description:
      'Finds records by what the search of the platforms’ API finds them by: an id in full or as the bare UUID, an e-mail address, ' +
      'a UMA address, or a reference. Only whole values match. Each search is recorded with a keyed hash of the value.',
    access: 'operator',
    operator: { roles: EVERY_ROLE, on: 'platforms' },
    idempotency: { key: 'ignored' },
    query: Type.Object(PLATFORMS_QUERY),
    body: component('FindRecordsRequest', 'What to look for.', {
      value: text(1, 255, { description: 'The whole value.' }),
    }),
    reply: component('FoundRecords', 'What was found.', {
      data: Type.Array(FoundRecord, {
        description: 'At most 50 records, and at most five of each kind and field.',
      }),
    }),
    status: 200,
    codes: ['INVALID_INPUT'],
    async handle(work, { caller, query, body }) {
      const value = body.value.trim();
      await recordRead(work.runtime, caller as OperatorCaller, {
        ...{ kind: 'SEARCH', resource: 'records', fields: ['value'], terms: { value } },
        platformId: query.platform ?? null,
      });
      const { readers } = await openPlatforms(work, query);
      return { data: await findAcross(readers, places, value) };
    },
  });
}

async function findAcross(readers: readonly Reader[], places: readonly SearchPlace[], value: string) {
  const found = [];
  for (let at = 0; at < readers.length && found.length < FOUND_MAX; at += ASKED_AT_ONCE) {
    const asked = readers.slice(at, at + ASKED_AT_ONCE);
    found.push(...(await Promise.all(asked.map((reader) => findOn(reader, places, value)))).flat());
  }
  return found.slice(0, FOUND_MAX);
}

async function findOn(reader: Reader, places: readonly SearchPlace[], value: string) {
  const { id, name } = reader.platform;
  const found = await reader.read((tx) => search(tx, places, value));
  return found.map((one) => ({ ...one, platform: publicId('Platform', id), platformName: name }));
}
