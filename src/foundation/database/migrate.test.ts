// lane: whole — databases at their limits

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import pg from 'pg';
import { checkServer, migrate } from '#foundation/database/migrate.ts';
import { createTestDatabase } from '#tests/harness/databases.ts';

describe('migrations', () => {
  it('a database of a version from before the first release is refused with advice, and not changed', async () => {
    const old = await createTestDatabase();
    const client = await connected(old.url);
    try {
      await client.query('delete from schema_migrations');
      await client.query(
        `insert into schema_migrations (name, hash)
         values ('0001_platforms', '39a416f26acc72f24426025a91c5365efa8b53c8a9f6ba12cfea3055130a1d3c'), ('0002_ledger', 'x')`,
      );
      await client.query(`update schema_functions set hash = 'of that version'`);
      await assert.rejects(migrate(old.url), {
        name: 'MigrationError',
        message:
          'A version of Corridor from before its first release has set up this database, and its data cannot be migrated. ' +
          'Nothing was changed. Start with an empty database: set another DATA_DIR, or a new database in DATABASE_URL.',
      });
      const { rows } = await client.query(
        'select (select count(*) from schema_migrations) as migrations, array_agg(distinct hash) as functions from schema_functions',
      );
      assert.deepEqual(rows, [{ migrations: '2', functions: ['of that version'] }]);
    } finally {
      await client.end();
      await old.drop();
    }
  });

  it('a migration that was changed after it was applied is refused by name', async () => {
    const changed = await createTestDatabase();
    try {
      await setHash(changed.url, 'another');
      await assert.rejects(migrate(changed.url), /migration 0013_payments was changed after it was applied/);
    } finally {
      await changed.drop();
    }
  });

  it('a database that a newer version set up is refused, and keeps its own functions', async () => {
    const newer = await createTestDatabase();
    const client = await connected(newer.url);
    try {
      await client.query(`insert into schema_migrations (name, hash) values ('9999_later', 'x')`);
      await client.query(`update schema_functions set hash = 'of a newer version'`);
      await assert.rejects(migrate(newer.url), /newer version .* has migration 9999_later/);
      const { rows } = await client.query('select distinct hash from schema_functions');
      assert.deepEqual(rows, [{ hash: 'of a newer version' }]);
    } finally {
      await client.end();
      await newer.drop();
    }
  });

  it('only a function whose file changed is created again', async () => {
    const changed = await createTestDatabase();
    const client = await connected(changed.url);
    const name = 'src/foundation/ledger/roll-up.sql';
    try {
      await client.query('drop function ledger_roll_up');
      await client.query(`update schema_functions set hash = 'of another text' where name = $1`, [name]);
      assert.deepEqual(await migrate(changed.url), { migrations: [], functions: [name] });
      const { rows } = await client.query(`select to_regproc('ledger_roll_up') is not null as made`);
      assert.deepEqual(rows, [{ made: true }]);
    } finally {
      await client.end();
      await changed.drop();
    }
  });

  it('all functions are created again after a version that keeps them in other files', async () => {
    const used = await createTestDatabase();
    const client = await connected(used.url);
    try {
      await client.query('drop function ledger_roll_up');
      await client.query(
        `insert into schema_functions (name, hash) values ('src/elsewhere/roll-up.sql', 'x')`,
      );
      const { functions } = await migrate(used.url);
      const { rows } = await client.query<{ name: string }>('select name from schema_functions');
      assert.deepEqual(functions.toSorted(), rows.map(({ name }) => name).toSorted());
      assert.ok(functions.includes('src/foundation/ledger/roll-up.sql'));
      assert.deepEqual((await migrate(used.url)).functions, []);
    } finally {
      await client.end();
      await used.drop();
    }
  });

  it('a database in another encoding than UTF8 is refused before anything is created in it', async () => {
    const beside = await createTestDatabase();
    const client = await connected(beside.url);
    const url = new URL(beside.url);
    url.pathname = '/latin';
    try {
      await client.query(`create database latin encoding 'LATIN1' locale 'C' template template0`);
      await assert.rejects(migrate(url.toString()), {
        name: 'MigrationError',
        message: 'The database is encoded in LATIN1: Corridor needs one in UTF8.',
      });
      const latin = await connected(url.toString());
      const { rows } = await latin.query(`select tablename from pg_tables where schemaname = 'public'`);
      await latin.end();
      assert.deepEqual(rows, []);
    } finally {
      await client.query('drop database if exists latin');
      await client.end();
      await beside.drop();
    }
  });

  it('a database with another isolation than read committed is refused', async () => {
    const strict = await createTestDatabase();
    const client = await connected(strict.url);
    try {
      const name = new URL(strict.url).pathname.slice(1);
      await client.query(`alter database ${name} set default_transaction_isolation = 'serializable'`);
      await assert.rejects(migrate(strict.url), {
        name: 'MigrationError',
        message:
          "The database's default_transaction_isolation is serializable: Corridor needs read committed.",
      });
    } finally {
      await client.end();
      await strict.drop();
    }
  });

  it('a read-only database is refused with a message that says so', async () => {
    const standby = await createTestDatabase();
    const client = await connected(standby.url);
    try {
      const name = new URL(standby.url).pathname.slice(1);
      await client.query(`alter database ${name} set default_transaction_read_only = on`);
      await assert.rejects(migrate(standby.url), {
        name: 'MigrationError',
        message:
          'The database takes no writes: it is a standby, or default_transaction_read_only is on for it or its user.',
      });
    } finally {
      await client.end();
      await standby.drop();
    }
  });

  it('a search_path without an existing schema is refused with a message that says so', async () => {
    const files = await createTestDatabase();
    const url = new URL(files.url);
    url.searchParams.set('options', '-c search_path=nowhere');
    try {
      await assert.rejects(migrate(url.toString()), {
        name: 'MigrationError',
        message: 'The search_path (nowhere) names no schema that the user of DATABASE_URL may use.',
      });
    } finally {
      await files.drop();
    }
  });

  it('the user’s limits on statements and locks end no migration, however long it takes', async () => {
    const files = await createTestDatabase();
    const client = await connected(files.url);
    const name = new URL(files.url).pathname.slice(1);
    try {
      await takeBack(client);
      await client.query(`alter database ${name} set statement_timeout = '1s'`);
      await client.query(`alter database ${name} set lock_timeout = '1s'`);
      await client.query('begin');
      await client.query('lock table schema_migrations in share mode');
      const migrated = migrate(files.url);
      await Promise.race([migrated, waitedFor(client, '1.1 s')]);
      await client.query('rollback');
      assert.deepEqual((await migrated).migrations, [STEP]);
    } finally {
      await client.end();
      await files.drop();
    }
  });

  it('PostgreSQL 15 is the oldest supported version', () => {
    const fit = {
      version: 150_000,
      encoding: 'UTF8',
      isolation: 'read committed',
      isReadOnly: false,
      searchPath: 'public',
      schema: 'public',
    };
    assert.equal(checkServer(fit), undefined);
    assert.match(checkServer({ ...fit, version: 140_012 }) ?? '', /PostgreSQL 14 is too old/);
  });

  it('a server that accepts the connection and then does not answer is given up', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    const sockets: Socket[] = [];
    silent.on('connection', (socket) => void sockets.push(socket));
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    try {
      await assert.rejects(migrate(`postgres://a@127.0.0.1:${port}/b`, { connectMaxMs: 20 }), {
        name: 'Error',
        message: 'timeout expired',
      });
    } finally {
      for (const socket of sockets) socket.destroy();
      silent.close();
    }
  });

  it('a migration that is killed before it is recorded leaves nothing, and the next start applies it', async () => {
    const files = await createTestDatabase();
    const client = await connected(files.url);
    try {
      await takeBack(client);
      // The process that records a step waits for this lock; the step itself is done by then.
      await client.query('begin');
      await client.query('lock table schema_migrations in share mode');
      const killed = assert.rejects(migrate(files.url), /terminating connection/);
      await terminateWaiting(client);
      await killed;
      await client.query('rollback');
      assert.ok(await isTakenBack(client));
      assert.deepEqual((await migrate(files.url)).migrations, [STEP]);
      assert.ok(!(await isTakenBack(client)));
    } finally {
      await client.end();
      await files.drop();
    }
  });

  it('if several processes start at once, each step is applied by one of them', async () => {
    const files = await createTestDatabase();
    const client = await connected(files.url);
    try {
      await takeBack(client);
      const outcomes = await Promise.all(Array.from({ length: 4 }, () => migrate(files.url)));
      assert.deepEqual(
        outcomes.flatMap(({ migrations }) => migrations),
        [STEP],
      );
    } finally {
      await client.end();
      await files.drop();
    }
  });
});

/** A step that cannot be applied twice, because it creates a table. */
const STEP = '0016_sandbox';

/** Restores the state before the step. */
async function takeBack(client: pg.Client): Promise<void> {
  await client.query('drop table sandbox_messages');
  await client.query('delete from schema_migrations where name = $1', [STEP]);
}

async function isTakenBack(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`select to_regclass('sandbox_messages') is null as gone`);
  return rows[0].gone;
}

/** One view shows the locks of all databases, and a table has the same number in all databases of one template. */
const HERE = 'database = (select oid from pg_database where datname = current_database())';

/** Waits until a process waits to record a step, and ends it. */
async function terminateWaiting(client: pg.Client): Promise<void> {
  for (let ended = 0; ended === 0; ) {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from pg_locks
        where ${HERE} and relation = 'schema_migrations'::regclass and not granted`,
    );
    ended = rowCount ?? 0;
  }
}

/** Waits until a process has waited this long to record a step. */
async function waitedFor(client: pg.Client, duration: string): Promise<void> {
  for (let waiting = 0; waiting === 0; ) {
    const { rowCount } = await client.query(
      `select from pg_locks where ${HERE} and relation = 'schema_migrations'::regclass and not granted
                              and waitstart < clock_timestamp() - $1::interval`,
      [duration],
    );
    waiting = rowCount ?? 0;
  }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function setHash(url: string, hash: string): Promise<void> {
  const client = await connected(url);
  try {
    await client.query(`update schema_migrations set hash = $1 where name = '0013_payments'`, [hash]);
  } finally {
    await client.end();
  }
}
