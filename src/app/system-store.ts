import type { Database } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';

const TABLES_SHOWN = 10;

/** What the database knows about the installation. Each figure is read from catalogs or from a table of a few rows. */
export async function loadInstallation({ query }: Pick<Database, 'query'>) {
  const processes = await query<{ name: string; connections: number; since: Date }>(PROCESSES);
  const [database] = await query<DatabaseFigures>(DATABASE);
  const tables = await query<{ name: string; bytes: string }>(TABLES);
  const keys = await query<{ purpose: string; count: number; newest_at: Date }>(KEYS);
  const runs = await query<{ name: string; at: Date | null; trouble: string | null }>(RUNS);
  const { version = '', bytes = '0', connections = 0, connections_max: connectionsMax = 0 } = database ?? {};
  return {
    processes: processes.map((one) => ({ ...one, since: one.since.toISOString() })),
    database: { version, bytes, connections, connectionsMax },
    tables,
    keys: keys.map(({ purpose, count, newest_at }) => ({
      purpose,
      count,
      newestAt: newest_at.toISOString(),
    })),
    runs: runs.map(({ name, at, trouble }) => ({
      name,
      ...(at && { at: at.toISOString() }),
      ...(trouble !== null && { trouble }),
    })),
  };
}

interface DatabaseFigures {
  readonly version: string;
  readonly bytes: string;
  readonly connections: number;
  readonly connections_max: number;
}

/** Every process names itself when it connects (src/foundation/database/connections.ts). */
const PROCESSES: Sql = sql`
  select application_name as name, count(*)::integer as connections, min(backend_start) as since
    from pg_stat_activity
   where datname = current_database() and backend_type = 'client backend' and application_name <> ''
   group by application_name order by since, name`;

const DATABASE: Sql = sql`
  select current_setting('server_version') as version, pg_database_size(current_database())::text as bytes,
         (select count(*)::integer from pg_stat_activity where backend_type = 'client backend') as connections,
         current_setting('max_connections')::integer as connections_max`;

/** Adds up the parts of a partitioned table, which are one table to an operator. */
const TABLES: Sql = sql`
  select t.name, t.bytes::text as bytes
    from (select coalesce(h.inhparent, c.oid)::regclass::text as name, sum(pg_total_relation_size(c.oid)) as bytes
            from pg_class c left join pg_inherits h on h.inhrelid = c.oid
           where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
           group by 1) t
   order by t.bytes desc, t.name limit ${TABLES_SHOWN}`;

const KEYS: Sql = sql`
  select purpose, count(*)::integer as count, max(created_at) as newest_at from (
    select purpose, created_at from encryption_keys
    union all select 'journal heads', created_at from journal_keys
    union all select 'embedded wallets', created_at from service_keys) k
   group by purpose order by purpose`;

const RUNS: Sql = sql`
  select n.name, r.at, r.trouble from unnest(array['backup', 'ledger verify']) as n (name)
    left join operator_runs r using (name) order by n.name`;
