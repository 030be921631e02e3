import type { KeyedHash } from '#foundation/crypto/keyed-hashes.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import { versionsOf } from '#foundation/database/known-hashes.ts';
import { joinSql, rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import {
  isUuid,
  type PublicId,
  parseId,
  publicId,
  type ResourceType,
  typeOfId,
} from '#foundation/lib/ids.ts';
import type { OperatorRole } from '#foundation/lib/operator-roles.ts';

/** A table in which resources are found by a whole value. Names are SQL of our own, never of a caller. */
export interface SearchPlace {
  readonly type: ResourceType;
  /** A table that has `platform_id`. */
  readonly table: string;
  /** The column with the resource's id; default `id`. */
  readonly id?: string;
  /** The time of a row `t`, which puts the newest first; default `t.created_at`. */
  readonly at?: string;
  /** Texts by which it is also found, by their names in the API. An index over the platform and the column serves each. */
  readonly texts?: SearchTexts;
  /** Texts by which only operators find it. */
  readonly operatorTexts?: SearchTexts;
  /** The roles of operators that find it. Unset: platforms find it, too. */
  readonly operators?: readonly OperatorRole[];
  /**
   * Set if only operators find it, and its indexes do not begin with the platform: the platform of a row `t`, or null. One
   * look-up then finds the rows of all platforms.
   */
  readonly platform?: string;
  /** Columns of UUIDs by which it is found, with the names of their fields; default: the id. */
  readonly uuids?: Readonly<Record<string, string>>;
  /** A condition on rows, as `t`, that the API still shows; default: all. */
  readonly where?: string;
}

export type SearchTexts = Readonly<Record<string, SearchText | readonly SearchText[]>>;
export type SearchText = TextColumn | WordsColumn;

interface TextColumn {
  readonly column: string;
  /** Whether the index has the text in lower case. */
  readonly isFolded?: boolean;
  /** Set for a column that has a keyed hash of the text instead of the text. */
  readonly hash?: (vault: Vault, text: string) => KeyedHash;
}

/** A column with the keyed hashes of words, which differ between platforms; for operators only. */
export interface WordsColumn {
  readonly column: string;
  words(hashing: { readonly vault: Vault; readonly platformId: PlatformId }, text: string): KeyedHash[];
}

/** A resource that was found, and the field that matched. */
export interface Found {
  readonly resourceId: PublicId;
  readonly kind: ResourceType;
  readonly field: string;
}

/** The reply names at most this many records of each kind and field, the newest first. */
export const OF_FIELD_MAX = 5;

/** Finds the platform's resources by an id or a whole text, in one statement of look-ups by index. */
export async function search(tx: ReadTx, places: readonly SearchPlace[], text: string): Promise<Found[]> {
  const own = places.filter(({ operators }) => operators === undefined);
  const lookUps = matchesOf(own, text, ({ texts }) => [texts]).map(({ place, field, match }) =>
    lookUp(tx, { place, field, match: match as Exclude<Match, { words: unknown }> }),
  );
  if (lookUps.length === 0) return [];
  const rows = await tx.query<{ type: ResourceType; id: string; field: string }>(
    joinSql(lookUps, ' union all '),
  );
  return rows.map((row) => ({ resourceId: publicId(row.type, row.id), kind: row.type, field: row.field }));
}

/** The comparison of a look-up: with a column of UUIDs, of texts, or of words. */
export type Match =
  | { readonly uuid: string; readonly column: string }
  | { readonly text: string; readonly by: TextColumn }
  | { readonly text: string; readonly words: WordsColumn };

export interface LookUp {
  readonly place: SearchPlace;
  readonly field: string;
  readonly match: Match;
}

/** Returns the look-ups that a value needs: by id, by text, or by both. */
export function matchesOf(
  places: readonly SearchPlace[],
  text: string,
  textsOf: (place: SearchPlace) => readonly (SearchTexts | undefined)[],
): LookUp[] {
  const type = typeOfId(text);
  const uuid = type === undefined ? text : (parseId(type, text) ?? text);
  const ofType = places.filter((place) => type === undefined || place.type === type);
  // A bare UUID may also be a reference that the platform has chosen.
  const isText = type === undefined || !isUuid(uuid);
  return [
    ...(isUuid(uuid) ? ofType.flatMap((place) => byUuids(place, uuid, type !== undefined)) : []),
    ...(isText
      ? places.flatMap((place) => textsOf(place).flatMap((texts = {}) => byTexts(place, texts, text)))
      : []),
  ];
}

function byUuids(place: SearchPlace, uuid: string, isTyped: boolean): LookUp[] {
  const { id = 'id', uuids = { id } } = place;
  return Object.entries(uuids)
    .filter(([field]) => field === 'id' || !isTyped)
    .map(([field, column]) => ({ place, field, match: { uuid, column } }));
}

function byTexts(place: SearchPlace, texts: SearchTexts, text: string): LookUp[] {
  return Object.entries(texts).flatMap(([field, columns]) =>
    [columns].flat().map((by) => ({
      ...{ place, field },
      match: 'words' in by ? { text, words: by } : { text, by },
    })),
  );
}

/** Returns conditions on a row `t`, one for each version of a hash, so that each look-up reads in the order of its index. */
export function conditionsOf(vault: Vault, match: Exclude<Match, { words: unknown }>): Sql[] {
  if ('uuid' in match) return [sql`${column(match.column)} = ${match.uuid}::uuid`];
  const { column: name, isFolded = false, hash } = match.by;
  if (hash) return versionsOf(hash(vault, match.text)).map((one) => sql`${column(name)} = ${one}`);
  return [
    isFolded
      ? sql`lower(${column(name)}) = lower(${match.text}::text)`
      : sql`${column(name)} = ${match.text}::text`,
  ];
}

interface OwnLookUp extends LookUp {
  readonly match: Exclude<Match, { words: unknown }>;
}

function lookUp(tx: ReadTx, { place, field, match }: OwnLookUp): Sql {
  const { type, table, id = 'id', at = 't.created_at', where = 'true' } = place;
  const found = conditionsOf(tx.vault, match).map(
    (condition) => sql`(select ${type}::text as type, ${column(id)}::text as id, ${field}::text as field
      from ${rawSql(table)} t
     where t.platform_id = ${tx.platformId} and ${condition} and ${rawSql(where)}
     order by ${rawSql(at)} desc, ${column(id)} desc limit ${OF_FIELD_MAX})`,
  );
  return joinSql(found, ' union all ');
}

export function column(name: string): Sql {
  return rawSql(`t.${name}`);
}
