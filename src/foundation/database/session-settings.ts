import type pg from 'pg';
import { rawSql } from '#foundation/database/sql.ts';

/** Ways to find rows that read a whole table, also one that a nested loop keeps in memory. */
const SCANS_OF_ALL = [
  'enable_seqscan',
  'enable_bitmapscan',
  'enable_hashjoin',
  'enable_mergejoin',
  'enable_material',
];

/**
 * Makes the planner look up rows by key. Connections keep the plans that they made while the tables were small, and
 * planning each statement again would cost more than running it. So plans are generic, and use indexes only.
 */
function planByKey(isLocal: boolean): string {
  const off = [...SCANS_OF_ALL, 'jit'];
  return [...off.map((name) => [name, 'off']), ['plan_cache_mode', 'force_generic_plan']]
    .map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`)
    .join(', ');
}

/**
 * Keeps refused commits out of the server's log: they are not errors (decision 0018). The server then logs no `ERROR`.
 * This does nothing if our role may not set it, or if the server is configured so already.
 */
function keepQuiet(isLocal: boolean): string {
  return `case when current_setting('log_min_messages') not in ('log', 'fatal', 'panic')
    and has_parameter_privilege('log_min_messages', 'SET') then set_config('log_min_messages', 'log', ${isLocal}) end`;
}

/** Begins a commit on a connection whose session does not have these settings: they last until the commit ends. */
export const SETTINGS_OF_COMMIT = rawSql(`select ${planByKey(true)}, ${keepQuiet(true)}`);

/** Makes the settings of commits, or of look-ups, once for the session of a new connection. */
export const settleCommits = (client: pg.ClientBase) =>
  settleSession(client, `select ${planByKey(false)}, ${keepQuiet(false)}`);
export const settleLookUps = (client: pg.ClientBase) => settleSession(client, `select ${planByKey(false)}`);

const settled = new WeakSet<pg.ClientBase>();

/** Whether the connection's session has its settings; otherwise each commit makes them for itself. */
export function isSettled(client: pg.ClientBase): boolean {
  return settled.has(client);
}

/**
 * Makes the settings, unless a pooler lends the session: they would not stay with us, and would reach its other clients.
 * A pooler gives us a process number of its own, which differs from the one that the server reports.
 */
async function settleSession(client: pg.ClientBase, settings: string): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { processID } = client as unknown as { processID: number | null };
  if (rows[0]?.pid !== processID) return;
  await client.query(settings);
  settled.add(client);
}
