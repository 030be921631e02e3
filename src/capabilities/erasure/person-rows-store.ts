import { PERSON_TABLES } from '#capabilities/erasure/person-tables.ts';
import {
  KEYED_CLASS,
  type KeyColumn,
  type SealedColumn,
  sealedColumns,
} from '#foundation/database/sealed-columns.ts';
import { joinSql, rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { ACCOUNT_KINDS } from '#foundation/ledger/kinds.ts';

/** A table as the schema describes it. */
export interface TableSchema {
  readonly table: string;
  readonly columns: readonly KeyColumn[];
  /** The primary key without the platform, in order; a few tables have none. */
  readonly key: readonly KeyColumn[];
  readonly sealed: readonly SealedColumn[];
}

/** Reads the columns of every table from the schema, so that code over all tables covers new columns. */
export async function describeTables(tx: ReadTx): Promise<Map<string, TableSchema>> {
  const tables = await tx.query<Omit<TableSchema, 'sealed'>>(sql`
    select c.relname as table,
           (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null)) order by a.attnum)
              from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
           coalesce(
             (select json_agg(json_build_object('name', p.attname, 'type', format_type(p.atttypid, null)) order by k.place)
                from pg_index i cross join unnest(i.indkey::int[]) with ordinality as k(attnum, place)
                join pg_attribute p on p.attrelid = i.indrelid and p.attnum = k.attnum
               where i.indrelid = ${KEYED_CLASS} and i.indisprimary and p.attname <> 'platform_id'), '[]') as key
      from pg_class c
     where c.relkind in ('r', 'p') and not c.relispartition
       and c.relnamespace = (select relnamespace from pg_class where oid = 'encryption_keys'::regclass)
     order by 1`);
  const sealed = Map.groupBy(await sealedColumns((piece) => tx.query(piece)), ({ table }) => table);
  return new Map(tables.map((one) => [one.table, { ...one, sealed: sealed.get(one.table) ?? [] }]));
}

/** All ids by which rows name a customer. */
export interface NamedPerson {
  readonly customerId: CustomerId;
  /** The public ids of the customer and of all resources that belong to the customer. */
  readonly resources: readonly string[];
  /** The same ids as bare UUIDs. */
  readonly ids: readonly string[];
}

/** Returns the condition, over the row `t`, that a row belongs to the customer by its columns. */
export function belongsTo(table: string, platformId: PlatformId, person: NamedPerson): Sql {
  const ways = PERSON_TABLES[table]?.ways;
  if (ways === undefined || typeof ways === 'string')
    throw new Error(`no column of ${table} leads to a customer`);
  const alternatives = Object.entries(ways).map(([column, way]) => follow(column, way, platformId, person));
  const isOfInstallation = PERSON_TABLES[table]?.isOfInstallation ?? false;
  const here = isOfInstallation
    ? sql`(${joinSql(alternatives, ' or ')})`
    : sql`t.platform_id = ${platformId} and (${joinSql(alternatives, ' or ')})`;
  // Only an invitation belongs to customers of two platforms.
  if (table !== 'invitations') return here;
  return sql`(${here} or t.claimant_platform_id = ${platformId} and t.claimant_customer_id = ${person.customerId})`;
}

function follow(column: string, way: string, platformId: PlatformId, person: NamedPerson): Sql {
  const value = rawSql(ofRow(column));
  if (way === '@customer' || way === 'customers.id') return sql`${value} = ${person.customerId}`;
  if (way === '@id') return sql`${value} = any(${person.ids}::uuid[])`;
  if (way === '@ids') return sql`${value} && ${person.ids}::uuid[]`;
  if (way === '@resource') return sql`${value} = any(${person.resources}::text[])`;
  if (way === '@ledger') return sql`${value} = any(${ledgerNames(person)}::text[])`;
  const dot = way.indexOf('.');
  const [table, target] = [way.slice(0, dot), way.slice(dot + 1)];
  return sql`${value} in (
    select ${rawSql(ofRow(target))} from ${rawSql(table)} t where ${belongsTo(table, platformId, person)})`;
}

/** A column of the row `t`, or an expression in parentheses that names `t` itself. */
function ofRow(text: string): string {
  return text.startsWith('(') ? text : `t.${text}`;
}

/** Returns the names of the customer's accounts in the ledger. */
export function ledgerNames({ ids }: NamedPerson): string[] {
  return Object.keys(ACCOUNT_KINDS).flatMap((kind) => ids.map((id) => `${kind}:${id}`));
}

/** A row with all its columns, as the database has them. */
export type StoredRow = Readonly<Record<string, unknown>>;

export async function countRows(tx: ReadTx, { table }: TableSchema, isWanted: Sql): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from ${rawSql(table)} t where ${isWanted}`,
  );
  return row?.count ?? 0;
}

export async function listIds(tx: ReadTx, { table }: TableSchema, isWanted: Sql): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`select t.id from ${rawSql(table)} t where ${isWanted}`);
  return rows.map(({ id }) => id);
}

/** Lists a page of rows in the order of their keys; without a key, all rows at once. */
export async function listRows(
  tx: ReadTx,
  { table, columns, key }: TableSchema,
  isWanted: Sql,
  { after, limit }: { readonly after?: readonly string[] | undefined; readonly limit: number },
): Promise<{ rows: StoredRow[]; next: readonly string[] | undefined }> {
  const names = rawSql(columns.map(({ name }) => `t."${name}"`).join(', '));
  const wanted = sql`from ${rawSql(table)} t where ${isWanted}`;
  if (key.length === 0) return { rows: await tx.query(sql`select ${names} ${wanted}`), next: undefined };
  const place = rawSql(key.map(({ name }) => `t."${name}"`).join(', '));
  const texts = rawSql(key.map(({ name }) => `t."${name}"::text`).join(', '));
  const bounds = after?.map((text, i) => sql`${text}::text::${rawSql(key[i]?.type ?? 'text')}`);
  const rows = await tx.query<StoredRow & { read_place: string[] }>(sql`
    select ${names}, array[${texts}] as read_place ${wanted}
       ${bounds ? sql`and (${place}) > (${joinSql(bounds, ', ')})` : sql``}
     order by ${place} limit ${limit}`);
  const next = rows.length < limit ? undefined : rows.at(-1)?.read_place;
  return { rows: rows.map(({ read_place: _place, ...row }) => row), next };
}

/** Returns the condition for all rows of the platform, for tables that have to be searched by their content. */
export function ofPlatform(platformId: PlatformId): Sql {
  return sql`t.platform_id = ${platformId}`;
}

/** Lists payments by others to the customer, with the columns that the customer may know. */
export function listPaymentsByOthers(tx: ReadTx, ids: readonly string[]): Promise<StoredRow[]> {
  return tx.sql<StoredRow>`
    select id, created_at, status, receiving_amount, receiving_currency from transactions
     where platform_id = ${tx.platformId} and id = any(${ids}::uuid[]) order by created_at, id`;
}
