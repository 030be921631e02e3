import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';

/** A column of sealed values, as the schema describes it. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The primary key, in order. */
  readonly key: readonly KeyColumn[];
  /** The context that a value is bound to; `{name}` stands for another column of the row. */
  readonly context: string;
  /** The person whose key seals the values: a column, or an expression in parentheses over the row `t`. */
  readonly person: string | null;
  /** Whether values of unknown people belong to strangers; otherwise they are the platform's own. */
  readonly isOfStrangers: boolean;
  /** Where an earlier version stored the values in clear text: a column, or an expression over the row `t`. */
  readonly was: string | null;
  /** The kind of job that seals stored values of this column, instead of the job for all columns. */
  readonly by: string | null;
  /** The assignments that remove the clear text; by default the column becomes null. */
  readonly next: string | null;
}

/** A column of keyed hashes that find a sealed value. */
export interface HashedColumn {
  readonly column: string;
  /** The purpose of the fingerprint. */
  readonly purpose: string;
  /** The text that an earlier version stored in clear: a column, or an expression over the row `t`. */
  readonly was: string;
}

/** A column of keyed hashes that a rotation of their key replaces. */
export interface RotatedHash {
  readonly table: string;
  readonly column: string;
  /** Whether each row has a list of hashes. */
  readonly isList: boolean;
  readonly key: readonly KeyColumn[];
}

export interface KeyColumn {
  readonly name: string;
  readonly type: string;
}

/** The class with the primary key of the class `c`: for a partitioned table any part, because all parts have the same key. */
export const KEYED_CLASS = sql`
  coalesce((select min(h.inhrelid) from pg_inherits h where h.inhparent = c.oid), c.oid)`;

/** The columns of the primary key of the class `c`. */
const PRIMARY_KEY = sql`
  (select json_agg(json_build_object('name', p.attname, 'type', format_type(p.atttypid, null)) order by k.place)
     from pg_index i cross join unnest(i.indkey::int[]) with ordinality as k(attnum, place)
     join pg_attribute p on p.attrelid = i.indrelid and p.attnum = k.attnum
    where i.indisprimary and i.indrelid = ${KEYED_CLASS})`;

/**
 * Lists every column whose comment is `sealed: <context>`. For values of people the comment goes on with
 * `; person: <column>`. Where an earlier version stored clear text, `; was: <column or expression>` follows, and
 * perhaps `; then: <assignments>`. Only migrations declare these comments, so the list cannot be outdated; a test
 * requires the comment on every column of bytes.
 */
export function sealedColumns(run: Run): Promise<SealedColumn[]> {
  return run<SealedColumn>(sql`
    select c.relname as table, a.attname as column,
           substring(col_description(c.oid, a.attnum) from '^sealed: ([^;]*)') as context,
           substring(col_description(c.oid, a.attnum) from '; person: ([^;]*)') as person,
           col_description(c.oid, a.attnum) like '%; otherwise: strangers%' as "isOfStrangers",
           substring(col_description(c.oid, a.attnum) from '; was: ([^;]*)') as was,
           substring(col_description(c.oid, a.attnum) from '; then: ([^;]*)') as next,
           substring(col_description(c.oid, a.attnum) from '; by: ([^;]*)') as by,
           ${PRIMARY_KEY} as key
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind in ('r', 'p') and not c.relispartition
       and c.relnamespace = (select relnamespace from pg_class where oid = 'encryption_keys'::regclass)
       and col_description(c.oid, a.attnum) like 'sealed: %'
     order by 1, 2`);
}

/** Lists every column whose comment begins with `hash: <purpose>`. */
export function rotatedHashes(run: Run): Promise<RotatedHash[]> {
  return run<RotatedHash>(sql`
    select c.relname as table, a.attname as column, a.atttypid = 'bytea[]'::regtype as "isList", ${PRIMARY_KEY} as key
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind in ('r', 'p') and not c.relispartition
       and c.relnamespace = (select relnamespace from pg_class where oid = 'encryption_keys'::regclass)
       and col_description(c.oid, a.attnum) like 'hash: %'
     order by 1, 2`);
}

/** Lists the columns of a table whose comment is `hash: <purpose>; was: <column or expression>`. */
export function hashedColumns(run: Run, table: string): Promise<HashedColumn[]> {
  return run<HashedColumn>(sql`
    select a.attname as column,
           substring(col_description(a.attrelid, a.attnum) from '^hash: ([^;]*)') as purpose,
           substring(col_description(a.attrelid, a.attnum) from '; was: ([^;]*)') as was
      from pg_attribute a
     where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped
       and col_description(a.attrelid, a.attnum) like 'hash: %; was: %'
     order by 1`);
}

/**
 * Columns of bytes that need no comment, by the ending of their names: hashes, wrapped keys, and the challenges and public
 * data of passkeys.
 */
export const UNSEALED_BYTES =
  /(^|[._])(hash|digest|salt|fingerprint|wrapped|webauthn_id|webauthn_challenge|cose_key)$/;

export function contextColumns({ context }: SealedColumn): string[] {
  return [...context.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

export function sealContext({ context }: SealedColumn, row: Readonly<Record<string, unknown>>): string {
  return context.replace(PLACEHOLDER, (_whole, name: string) => String(row[name]));
}

const PLACEHOLDER = /\{(\w+)\}/g;
