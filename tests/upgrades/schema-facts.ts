import pg from 'pg';

/**
 * All parts of a database's schema, a line each and sorted, so that two databases can be compared however they were
 * created: columns, constraints, indexes, triggers and functions. Parts of a partitioned table are left out, because they
 * depend on the time at which they were made.
 */
export async function schemaFacts(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ fact: string }>(FACTS);
    return rows.map(({ fact }) => fact).sort();
  } finally {
    await client.end();
  }
}

const FACTS = `
  with tables as (
    select oid from pg_class
     where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace and not relispartition)
  select concat_ws(' ', 'column', attrelid::regclass, attname, format_type(atttypid, atttypmod),
                   case when attnotnull then 'not null' end, attgenerated, attidentity,
                   pg_get_expr(adbin, adrelid)) as fact
    from pg_attribute
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
   where attrelid in (table tables) and attnum > 0 and not attisdropped
  union all
  -- A column that must have a value is a constraint of its own from PostgreSQL 18 on; the column says it already.
  select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where conrelid in (table tables) and contype <> 'n'
  union all
  select 'index ' || pg_get_indexdef(indexrelid) from pg_index where indrelid in (table tables)
  union all
  select concat_ws(' ', 'trigger', pg_get_triggerdef(oid), tgenabled)
    from pg_trigger where tgrelid in (table tables) and not tgisinternal
  union all
  select 'function ' || pg_get_functiondef(oid)
    from pg_proc where pronamespace = current_schema()::regnamespace and prokind in ('f', 'p')`;
