import type pg from 'pg';
import { rawSql } from '#foundation/database/sql.ts';

/**
 * The planner looks up rows by key. Connections keep the plans that they made while the tables were small, and planning
 * each statement again would cost more than running it. So plans are generic, and read tables along indexes only.
 */
function planByKey(isLocal: boolean): string {
  const off = ['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin', 'jit'];
  return [...off.map((name) => [name, 'off']), ['plan_cache_mode', 'force_generic_plan']]
    .map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`)
    .join(', ');
}

/**
 * A refused commit is not an error and must not fill the server's log (decision 0018). The server logs no `ERROR` then,
 * if our role may set that and the server is not already configured so.
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
 * A pooler lends the server's sessions to its clients in turn: settings would not stay with us, and would change the
 * sessions of others. A pooler gives its clients a number of its own in place of the server process's, by which we
 * notice it.
 */
async function settleSession(client: pg.ClientBase, settings: string): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { processID } = client as unknown as { processID: number | null };
  if (rows[0]?.pid !== processID) return;
  await client.query(settings);
  settled.add(client);
}
