import { hostname } from 'node:os';
import pg from 'pg';
import { connectionConfig } from '#foundation/database/connections.ts';

/** Another command changes keys, or this one can no longer be sure that it is alone. The message says what to do. */
export class KeyCommandRefused extends Error {
  override name = 'KeyCommandRefused';
}

const LOCK = `hashtextextended('commands of keys', 0)`;
const CONNECT_MAX_MS = 10_000;
/** The server ends a connection that is silent for longer than `SILENCE_MAX`: its machine may be gone. */
const SIGN_OF_LIFE_MS = 10_000;
const SILENCE_MAX = '60s';

/**
 * Runs a command that changes keys while no other one does, in any process. The lock belongs to one transaction that stays
 * open until the end: a pooler keeps its session for it, and it ends with the process, however that dies. It reads and
 * writes nothing, so it holds nothing else back. If its connection is lost, another command may begin, so this one fails.
 */
export async function runKeyCommand<T>(url: string, command: string, steps: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...connectionConfig(url), connectionTimeoutMillis: CONNECT_MAX_MS });
  const lost = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(lostConnection());
    client.on('error', fail).on('end', fail);
  });
  lost.catch(() => undefined);
  await client.connect();
  const signs = setInterval(() => void client.query('select 1').catch(() => undefined), SIGN_OF_LIFE_MS);
  try {
    await takeLock(client, command);
    return await Promise.race([steps(), lost]);
  } finally {
    clearInterval(signs);
    await client.end();
  }
}

async function takeLock(client: pg.Client, command: string): Promise<void> {
  await client.query('begin');
  await client.query(
    `select set_config('idle_in_transaction_session_timeout', $1, true), set_config('application_name', $2, true)`,
    [SILENCE_MAX, `${command} on ${hostname().slice(0, 30)}:${process.pid}`],
  );
  for (;;) {
    const taken = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_xact_lock(${LOCK}) as taken`,
    );
    if (taken.rows[0]?.taken) return;
    const [holder] = (await client.query<Holder>(HOLDER)).rows;
    // Without a holder, the other command has just ended.
    if (holder) throw refusedBy(holder);
  }
}

interface Holder {
  readonly name: string | null;
  readonly since: Date | null;
}

/** PostgreSQL shows the key of such a lock as two halves. */
const HOLDER = `
  select a.application_name as name, a.xact_start as since
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
   where l.locktype = 'advisory' and l.granted and l.objsubid = 1
     and l.database = (select oid from pg_database where datname = current_database())
     and (l.classid::bigint << 32 | l.objid::bigint) = ${LOCK}`;

function refusedBy({ name, since }: Holder): KeyCommandRefused {
  const started = since ? `, since ${since.toISOString()}` : '';
  return new KeyCommandRefused(
    `Another command changes keys: "corridor ${name}"${started}. Nothing was changed. Run this command again when that one has ended.`,
  );
}

function lostConnection(): KeyCommandRefused {
  return new KeyCommandRefused(
    'The database closed the connection with which this command excludes other commands of keys, so it has stopped. Run it again: it continues where it stopped.',
  );
}
