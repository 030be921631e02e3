// lane: whole — makes database clusters of its own

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import {
  clusterName,
  findProcesses,
  stopLeftovers,
} from '#foundation/database/embedded/cluster-processes.ts';
import {
  attachEmbedded,
  type EmbeddedDatabase,
  startEmbedded,
} from '#foundation/database/embedded/embedded.ts';
import { EmbeddedError, FolderInUseError } from '#foundation/database/embedded/embedded-error.ts';
import { embeddedFolder } from '#foundation/database/embedded/embedded-folder.ts';

/** For speed only: these tests kill processes, never the machine. */
const quick = { fsync: 'off', shared_buffers: '16MB' };
const isRoot = process.getuid?.() === 0;
const source = new URL('./embedded.ts', import.meta.url);

describe('the embedded database', () => {
  /** Mode 0700: as root, PostgreSQL's user can enter none of the folders below. */
  let home: string;
  let template: string;
  let count = 0;

  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'corridor-embedded-'));
    template = join(home, 'template');
    const database = await startEmbedded({ dataDir: template, report() {} });
    await query(database.url, 'create table kept (value text)');
    await database.stop();
  });

  after(async () => {
    for (const name of await readdir(home)) {
      const folder = embeddedFolder(join(home, name));
      if (await stat(folder.cluster).catch(() => undefined)) await stopLeftovers(folder, () => {});
    }
    await rm(home, { recursive: true, force: true });
  });

  async function newFolder(): Promise<string> {
    const folder = join(home, `data ${++count}`);
    await promisify(execFile)('cp', ['-a', template, folder]);
    return folder;
  }

  async function start(t: TestContext, dataDir: string, lines: string[] = []): Promise<EmbeddedDatabase> {
    const database = await startEmbedded({ dataDir, report: (line) => lines.push(line), settings: quick });
    t.after(() => database.stop());
    return database;
  }

  it('a first start creates a durable, checksummed cluster that sorts by bytes and needs a password', async (t) => {
    const dataDir = join(home, 'first', 'nested');
    const lines: string[] = [];
    const database = await startEmbedded({ dataDir, report: (line) => lines.push(line) });
    t.after(() => database.stop());

    assert.match(
      lines.join('\n'),
      /^Creating the database cluster in .*nested …\nStarting PostgreSQL \d+\.\d+ …$/,
    );
    const [row] = await query(
      database.url,
      `select current_database() as database, current_setting('fsync') as fsync,
              current_setting('synchronous_commit') as synchronous_commit,
              current_setting('full_page_writes') as full_page_writes,
              current_setting('data_checksums') as data_checksums,
              current_setting('server_encoding') as server_encoding,
              current_setting('listen_addresses') as listen_addresses,
              (select string_agg(v, '' order by v) from unnest(array['é', 'b', 'B', 'a', '_']) as v) as ordered,
              upper('é') as upper`,
    );
    assert.deepEqual(row, {
      database: 'corridor',
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      server_encoding: 'UTF8',
      listen_addresses: '127.0.0.1',
      ordered: 'B_abé',
      upper: 'É',
    });
    const guessed = new URL(database.url);
    guessed.password = 'guess';
    await assert.rejects(query(guessed.href, 'select 1'), { code: '28P01' });
    const folder = embeddedFolder(dataDir);
    assert.equal((await stat(folder.password)).mode & 0o777, 0o600);
  });

  it('a later start finds the data, creates nothing and hands out the same password', async (t) => {
    const dataDir = await newFolder();
    const first = await start(t, dataDir);
    await query(first.url, `insert into kept values ('one')`);
    await first.stop();
    assert.equal(await first.exited, 0);

    const lines: string[] = [];
    const second = await start(t, dataDir, lines);
    assert.deepEqual(await query(second.url, 'select value from kept'), [{ value: 'one' }]);
    assert.equal(new URL(second.url).password, new URL(first.url).password);
    assert.equal(lines.length, 1);
  });

  it('commands attach to the database of a running server, and to none if no server runs', async (t) => {
    const dataDir = await newFolder();
    assert.equal(await attachEmbedded(join(home, 'nowhere')), undefined);
    assert.equal(await attachEmbedded(dataDir), undefined);
    const database = await start(t, dataDir);
    assert.deepEqual(await attachEmbedded(dataDir), { url: database.url });
    await query(database.url, 'select 1');
    await Promise.all([database.stop(), database.stop()]);
    assert.equal(await attachEmbedded(dataDir), undefined);
  });

  it('if two processes start on one folder at once, exactly one wins, and the other is refused with the pid of the first', async (t) => {
    const dataDir = await newFolder();
    const owners = [spawnOwner(t, dataDir), spawnOwner(t, dataDir)];
    const outcomes = await Promise.all(owners.map((owner) => owner.outcome));
    const winner = outcomes.findIndex(({ url }) => url !== undefined);
    const loser = outcomes[1 - winner];
    assert.equal(outcomes.filter(({ url }) => url !== undefined).length, 1);
    assert.equal(loser?.refusal, 'FolderInUseError');
    const winnerPid = owners[winner]?.process.pid;
    assert.match(
      loser?.message ?? '',
      new RegExp(`^Another Corridor process \\(pid ${winnerPid}\\)[^\\n]*$`),
    );

    await assert.rejects(startEmbedded({ dataDir, report() {} }), FolderInUseError);
    assert.deepEqual(await attachEmbedded(dataDir), { url: outcomes[winner]?.url });
  });

  it('a killed PostgreSQL is noticed, and after the next start all acknowledged data is there', async (t) => {
    const dataDir = await newFolder();
    const first = await start(t, dataDir);
    await query(first.url, `insert into kept values ('acknowledged')`);
    process.kill(first.pid, 'SIGKILL');
    assert.equal(await first.exited, null);
    await first.stop();

    const second = await start(t, dataDir);
    assert.deepEqual(await query(second.url, 'select value from kept'), [{ value: 'acknowledged' }]);
  });

  it('after the server was killed, a start ends its orphaned PostgreSQL, and all acknowledged data is there', async (t) => {
    const dataDir = await newFolder();
    const owner = spawnOwner(t, dataDir);
    const { url, pid } = await owner.outcome;
    assert.ok(url !== undefined && pid !== undefined);
    await kill(owner.process);
    await query(url, `insert into kept values ('acknowledged')`);
    assert.equal(await attachEmbedded(dataDir), undefined);

    const lines: string[] = [];
    const database = await start(t, dataDir, lines);
    assert.match(lines[0] ?? '', new RegExp(`^Stopping .*${pid}`));
    assert.deepEqual(await query(database.url, 'select value from kept'), [{ value: 'acknowledged' }]);
    const running = await findProcesses(await clusterName(embeddedFolder(dataDir)));
    assert.deepEqual(
      running.filter(({ isPostmaster }) => isPostmaster).map((found) => found.pid),
      [database.pid],
    );
  });

  it('after a server and its PostgreSQL were killed together, the next start succeeds', async (t) => {
    const dataDir = await newFolder();
    const owner = spawnOwner(t, dataDir);
    const { url, pid } = await owner.outcome;
    assert.ok(url !== undefined && pid !== undefined);
    await query(url, `insert into kept values ('acknowledged')`);
    process.kill(pid, 'SIGKILL');
    await kill(owner.process);

    const database = await start(t, dataDir);
    assert.deepEqual(await query(database.url, 'select value from kept'), [{ value: 'acknowledged' }]);
  });

  it('if the process is killed while it creates the cluster, the next start creates it again', {
    timeout: 120_000,
  }, async (t) => {
    const dataDir = join(home, 'half-made');
    const owner = spawnOwner(t, dataDir);
    const { root } = embeddedFolder(dataDir);
    const files = async () => (await readdir(root, { recursive: true }).catch(() => [])).join('\n');
    while (!/\bPG_VERSION\b/.test(await files())) await delay(5);
    await kill(owner.process);
    // In case the killed run was fast enough to finish, this is an unfinished one.
    await mkdir(join(root, 'new-half', 'cluster'), { recursive: true });
    await writeFile(join(root, 'new-half', 'cluster', 'PG_VERSION'), '18\n');

    const database = await start(t, dataDir);
    assert.deepEqual(await query(database.url, 'select 1 as one'), [{ one: 1 }]);
    assert.doesNotMatch(await files(), /^new-/m);
  });

  it('stale files whose pid now belongs to another process neither hinder a start nor harm that process', async (t) => {
    const dataDir = await newFolder();
    const folder = embeddedFolder(dataDir);
    // Started once so that the cluster has its owner, to whom the pid would seem to belong for PostgreSQL.
    await (await start(t, dataDir)).stop();
    const { uid, gid } = await stat(folder.cluster);
    const innocent = spawn('cat', { ...(isRoot ? { uid, gid } : {}), cwd: '/' });
    t.after(() => innocent.kill());
    await once(innocent, 'spawn');
    await writeFile(folder.owner, JSON.stringify({ pid: innocent.pid, port: 1 }));
    const pidFile = join(folder.cluster, 'postmaster.pid');
    await writeFile(pidFile, `${innocent.pid}\n/proc/self/cwd\n1700000000\n1\n\n127.0.0.1\n\nready   \n`);

    assert.equal(await attachEmbedded(dataDir), undefined);
    const database = await start(t, dataDir);
    assert.deepEqual(await query(database.url, 'select 1 as one'), [{ one: 1 }]);
    assert.equal(innocent.exitCode ?? innocent.signalCode, null);
  });

  it('a failed start reports PostgreSQL’s own message, and releases the folder', async (t) => {
    const dataDir = await newFolder();
    const failing = startEmbedded({ dataDir, report() {}, settings: { shared_buffers: 'plenty' } });
    await assert.rejects(failing, (error) => {
      assert.ok(error instanceof EmbeddedError);
      assert.match(error.message, /does not start in [\s\S]*server\.log[\s\S]*shared_buffers.*plenty/);
      return true;
    });
    await start(t, dataDir);
  });

  it('failed statements leave neither text nor values in the log', async (t) => {
    const dataDir = await newFolder();
    const database = await start(t, dataDir);
    await query(database.url, 'create table people (name text unique)');
    await query(database.url, `insert into people values ('Ada')`);
    await assert.rejects(query(database.url, `insert into people values ('Ada')`), { code: '23505' });
    await assert.rejects(query(database.url, `select 'Ada'::int`));
    await database.stop();
    assert.doesNotMatch(await readFile(embeddedFolder(dataDir).log, 'utf8'), /Ada/);
  });

  it('as root, PostgreSQL runs as another user, even on a restored copy that belongs to root', async (t) => {
    if (!isRoot) return t.skip('only root has to change user');
    const dataDir = join(home, 'restored');
    await cp(template, dataDir, { recursive: true });
    assert.equal((await stat(embeddedFolder(dataDir).cluster)).uid, 0);
    const earlier = await stat(home);
    const database = await start(t, dataDir);
    assert.notEqual(await readProcessUser(database.pid), 0);
    const later = await stat(home);
    assert.deepEqual([later.uid, later.mode, later.mode & 0o777], [earlier.uid, earlier.mode, 0o700]);
  });

  it('for an ordinary user, PostgreSQL runs as that user, in a folder that others cannot enter', async (t) => {
    if (!isRoot) return t.skip('every other test shows it');
    const user = { uid: 65_534, gid: 65_534 };
    const canRead = promisify(execFile)('head', ['-c', '1', fileURLToPath(source), process.execPath], user);
    if (!(await canRead.catch(() => undefined))) return t.skip('the checkout is closed to other users');
    const own = await mkdtemp(join(tmpdir(), 'corridor-embedded-user-'));
    t.after(() => rm(own, { recursive: true, force: true }));
    await chown(own, user.uid, user.gid);
    await chmod(own, 0o700);

    const owner = spawnOwner(t, join(own, 'data'), user);
    const { url, pid, message } = await owner.outcome;
    assert.ok(url !== undefined, String(message));
    assert.equal(await readProcessUser(pid), user.uid);
    assert.deepEqual(await query(url, 'select 1 as one'), [{ one: 1 }]);
    owner.process.stdin?.end();
    await once(owner.process, 'exit');
  });

  it('a folder with other content is not touched', async () => {
    const dataDir = join(home, 'strange');
    const { cluster } = embeddedFolder(dataDir);
    await mkdir(cluster, { recursive: true });
    await writeFile(join(cluster, 'letter.txt'), 'Dear Ada');
    await assert.rejects(startEmbedded({ dataDir, report() {} }), /is not a database cluster; move it away/);
    assert.equal(await readFile(join(cluster, 'letter.txt'), 'utf8'), 'Dear Ada');
  });
});

interface Outcome {
  url?: string;
  pid?: number;
  refusal?: string;
  message?: string;
}

interface Owner {
  process: ChildProcess;
  outcome: Promise<Outcome>;
}

const ownerProgram = `
  const { startEmbedded } = await import(process.argv[1]);
  const tell = (value) => console.log(JSON.stringify(value));
  try {
    const settings = JSON.parse(process.argv[3]);
    const database = await startEmbedded({ dataDir: process.argv[2], report() {}, settings });
    tell({ url: database.url, pid: database.pid });
    process.stdin.on('end', () => database.stop());
    process.stdin.resume();
  } catch (error) {
    tell({ refusal: error.name, message: error.message });
  }
`;

/** Starts another process that runs the database of the folder until its input ends or it is killed. */
function spawnOwner(t: TestContext, dataDir: string, user: { uid?: number; gid?: number } = {}): Owner {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', ownerProgram, source.href, dataDir, JSON.stringify(quick)],
    { ...user, cwd: '/', env: { PATH: process.env.PATH }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  t.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.stdin.end();
    await once(child, 'exit');
  });
  const lines = createInterface(child.stdout);
  const outcome = new Promise<Outcome>((resolve) => {
    lines.once('line', (line) => resolve(JSON.parse(line)));
    lines.once('close', () => resolve({ message: 'the owner ended without output' }));
  });
  return { process: child, outcome };
}

async function readProcessUser(pid: number | undefined): Promise<number> {
  return Number((await promisify(execFile)('ps', ['-o', 'uid=', '-p', String(pid)])).stdout);
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
