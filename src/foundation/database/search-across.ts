import type { Vault } from '#foundation/crypto/vault.ts';
import type { Run } from '#foundation/database/database.ts';
import { listsOfEach } from '#foundation/database/known-hashes.ts';
import {
  column,
  conditionsOf,
  type Found,
  type LookUp,
  matchesOf,
  OF_FIELD_MAX,
  type SearchPlace,
  type WordsColumn,
} from '#foundation/database/search.ts';
import { joinSql, rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import { publicId, type ResourceType } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';

/** One more row than the reply names shows that there are more. */
const LOOK_UP_MAX = OF_FIELD_MAX + 1;

/** A search of an operator: the value, and where to look for it. */
export interface SearchAcross {
  readonly vault: Vault;
  /** The places that the operator may see. */
  readonly places: readonly SearchPlace[];
  readonly platformIds: readonly PlatformId[];
  /** Whether records that belong to no platform are found, too. */
  readonly isWhole: boolean;
  readonly text: string;
  readonly limit: number;
}

/** A found record with its platform. Null: it belongs to none. */
export interface FoundAcross extends Found {
  readonly platformId: PlatformId | null;
}

interface FoundRow {
  readonly type: ResourceType;
  readonly id: string;
  readonly field: string;
  readonly platform_id: PlatformId | null;
}

/** Finds records of all these platforms by a whole value, the newest first, in one statement of look-ups by index. */
export async function searchAcross(run: Run, asked: SearchAcross): Promise<FoundAcross[]> {
  const statement = acrossStatement(asked);
  if (!statement) return [];
  const rows = await run<FoundRow>(statement);
  return rows.map((row) => ({
    ...{ resourceId: publicId(row.type, row.id), kind: row.type, field: row.field },
    platformId: row.platform_id,
  }));
}

/** Returns the statement of a search. Undefined: no record can have the value. */
export function acrossStatement(asked: SearchAcross): Sql | undefined {
  const { places, text, limit } = asked;
  const found = matchesOf(places, text, ({ texts, operatorTexts }) => [texts, operatorTexts]).flatMap(
    (lookUp) => lookUps(asked, lookUp),
  );
  if (found.length === 0) return undefined;
  return sql`
    select type, id, field, platform_id from (${joinSql(found, ' union all ')}) found
     order by at desc nulls first, id desc, field limit ${limit}`;
}

function lookUps(asked: SearchAcross, { place, field, match }: LookUp): Sql[] {
  if ('words' in match) return byWords(asked, { place, field }, match.words);
  return conditionsOf(asked.vault, match).map((condition) =>
    place.platform === undefined
      ? onEach(asked, { place, field }, condition)
      : onAll(asked, { place, field }, condition),
  );
}

type Wanted = Pick<LookUp, 'place' | 'field'>;

/** Looks on each platform, because the indexes begin with the platform. */
function onEach({ platformIds }: SearchAcross, { place, field }: Wanted, condition: Sql): Sql {
  const { type, table, id = 'id', at = 't.created_at', where = 'true' } = place;
  return sql`
    select ${type}::text as type, f.id, ${field}::text as field, p.id as platform_id, f.at
      from unnest(${platformIds}::uuid[]) as p(id)
     cross join lateral (
       select ${column(id)}::text as id, ${rawSql(at)} as at from ${rawSql(table)} t
        where t.platform_id = p.id and ${condition} and ${rawSql(where)}
        order by ${rawSql(at)} desc, ${column(id)} desc limit ${LOOK_UP_MAX}) f`;
}

/** Looks once for all platforms, because the indexes do not begin with the platform. */
function onAll(asked: SearchAcross, { place, field }: Wanted, condition: Sql): Sql {
  const { platformIds, isWhole } = asked;
  const { type, table, id = 'id', at = 't.created_at', where = 'true', platform = 'null' } = place;
  return sql`
    (select ${type}::text as type, f.id, ${field}::text as field, f.platform_id, f.at
       from (select ${column(id)}::text as id, nullif(${rawSql(platform)}, ${INSTALLATION.id}::uuid) as platform_id,
                    ${rawSql(at)} as at
               from ${rawSql(table)} t where ${condition} and ${rawSql(where)} offset 0) f
      where f.platform_id = any(${platformIds}::uuid[]) or ${isWhole} and f.platform_id is null
      order by f.at desc, f.id desc limit ${asked.limit})`;
}

/**
 * Looks for words, whose hashes differ between platforms. It finds the rows with all words before it sorts them: otherwise the
 * planner might read all rows in their order, because the search needs only a few.
 */
function byWords(asked: SearchAcross, { place, field }: Wanted, { column: name, words }: WordsColumn): Sql[] {
  const { vault, platformIds, text } = asked;
  const { type, table, id = 'id', at = 't.created_at', where = 'true' } = place;
  const hashes = platformIds.map((platformId) => words({ vault, platformId }, text));
  return listsOfEach(hashes).map(
    ({ lists, known }) => sql`
      select ${type}::text as type, f.id, ${field}::text as field, p.id as platform_id, f.at
        from unnest(${platformIds}::uuid[], ${lists}::text[]) as p(id, words)
       cross join lateral (
         select w.id, w.at from (
           select ${column(id)}::text as id, ${rawSql(at)} as at from ${rawSql(table)} t
            where t.platform_id = p.id and ${column(name)} @> ${known(sql`p.words`)}
              and ${rawSql(where)} offset 0) w
          order by w.at desc, w.id desc limit ${LOOK_UP_MAX}) f`,
  );
}
