import type { KeyedHash } from '#foundation/crypto/keyed-hashes.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import { allVersionsOf } from '#foundation/database/known-hashes.ts';
import { rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import {
  isUuid,
  type PublicId,
  parseId,
  publicId,
  type ResourceType,
  typeOfId,
} from '#foundation/lib/ids.ts';

/** A table in which resources are found by a whole value. Names are SQL of our own, never of a caller. */
export interface SearchPlace {
  readonly type: ResourceType;
  /** It has `platform_id` and `created_at`. */
  readonly table: string;
  /** The column with the resource's id; default `id`. */
  readonly id?: string;
  /** Texts by which it is also found, by their names in the API. An index over the platform and the column serves each. */
  readonly texts?: Readonly<Record<string, TextColumn | readonly TextColumn[]>>;
  /** A condition on rows, as `t`, that the API still shows; default: all. */
  readonly where?: string;
}

interface TextColumn {
  readonly column: string;
  /** Whether the index has the text in lower case. */
  readonly isFolded?: boolean;
  /** Set for a column that has a keyed hash of the text instead of the text. */
  readonly hash?: (vault: Vault, text: string) => KeyedHash;
}

/** A resource that was found, and the field that matched. */
export interface Found {
  readonly resourceId: PublicId;
  readonly kind: ResourceType;
  readonly field: string;
}

/** Of each kind and field, at most this many are found, the newest first. */
const FOUND_MAX = 5;

/** Finds the platform's resources by an id or a whole text, in one statement of look-ups by index. */
export async function search(tx: ReadTx, places: readonly SearchPlace[], text: string): Promise<Found[]> {
  const type = typeOfId(text);
  const id = type === undefined ? text : (parseId(type, text) ?? text);
  const ofType = places.filter((place) => type === undefined || place.type === type);
  // A bare UUID may also be a reference that the platform has chosen.
  const isText = type === undefined || !isUuid(id);
  const lookUps = [
    ...(isUuid(id) ? ofType.map((place) => byId(tx, place, id)) : []),
    ...(isText ? places.flatMap((place) => byTexts(tx, place, text)) : []),
  ];
  if (lookUps.length === 0) return [];
  const rows = await tx.query<{ type: ResourceType; id: string; field: string }>(
    lookUps.reduce((one, other) => sql`${one} union all ${other}`),
  );
  return rows.map((row) => ({ resourceId: publicId(row.type, row.id), kind: row.type, field: row.field }));
}

function byId(tx: ReadTx, place: SearchPlace, id: string): Sql {
  return lookUp(tx, place, 'id', sql`${column(place.id ?? 'id')} = ${id}::uuid`);
}

function byTexts(tx: ReadTx, place: SearchPlace, text: string): Sql[] {
  return Object.entries(place.texts ?? {}).flatMap(([field, columns]) =>
    [columns].flat().map((one) => lookUp(tx, place, field, isText(tx, one, text))),
  );
}

function isText(tx: ReadTx, { column: name, isFolded = false, hash }: TextColumn, text: string): Sql {
  if (hash) return sql`${column(name)} = any(${allVersionsOf(hash(tx.vault, text))})`;
  return isFolded ? sql`lower(${column(name)}) = lower(${text}::text)` : sql`${column(name)} = ${text}::text`;
}

function lookUp(
  tx: ReadTx,
  { type, table, id = 'id', where = 'true' }: SearchPlace,
  field: string,
  condition: Sql,
): Sql {
  return sql`(select ${type}::text as type, ${column(id)}::text as id, ${field}::text as field
      from ${rawSql(table)} t
     where t.platform_id = ${tx.platformId} and ${condition} and ${rawSql(where)}
     order by t.created_at desc, ${column(id)} desc limit ${FOUND_MAX})`;
}

function column(name: string): Sql {
  return rawSql(`t.${name}`);
}
