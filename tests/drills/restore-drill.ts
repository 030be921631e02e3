import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiRequest } from '#tests/drills/deployment.ts';
import type { Drill, DrillRun, Figures } from '#tests/drills/frame/drill.ts';
import {
  findPostgres,
  InstalledPostgres,
  makeOwnFolder,
  POSTGRES_IS_MISSING,
  runAsPostgres,
} from '#tests/drills/postgres/installed-postgres.ts';
import { Processes } from '#tests/drills/processes.ts';
import { createRemotePlatform, type RemotePlatform } from '#tests/drills/remote-platform.ts';
import type { SeededRandom } from '#tests/drills/seeded-random.ts';
import { supports } from '#tests/given/accounts.ts';
import { fetchBalance, givenPayer, type Payer } from '#tests/given/payments.ts';
import { command } from '#tests/harness/command-line.ts';
import { freePort } from '#tests/harness/corridor-process.ts';
import { createPersonKeysBeside } from '#tests/harness/databases.ts';

/** Tables to which rows are only added while deposits are made, each with what names a row. */
const GROWING = { ledger_entries: 'seq', audit_log: 'id', idempotency_keys: 'key' } as const;
const PAYERS = 4;
const LOOK_MS = 100;
const DEADLINE_MS = 120_000;

/**
 * Restores PostgreSQL to a moment in the middle of a load, from a base backup and archived WAL, as docs/operating.md says. What
 * is missing must be exactly what was committed later. Then every caller repeats all of its calls under their keys: those that
 * were restored take no effect again, and the missing ones do.
 */
async function run(run: DrillRun): Promise<Figures> {
  const sums = { restored: 0, missing: 0, deposits: 0, seconds: 0 };
  let restores = 0;
  for (; run.continues('restores', restores); restores++) {
    const folder = await makeOwnFolder(await mkdtemp(join(tmpdir(), 'corridor-restore-')));
    const disaster = await Disaster.open(folder);
    try {
      const seen = await disaster.restore(run);
      for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += seen[name];
      run.say(
        `restore ${restores + 1}: ${seen.restored} rows are back, exactly the ${seen.missing} later ones are missing`,
      );
    } finally {
      await disaster.close();
      await rm(folder, { recursive: true, force: true });
    }
  }
  return {
    restores,
    deposits: sums.deposits,
    'rows restored': sums.restored,
    'rows missing, all of them later': sums.missing,
    'seconds from the start of PostgreSQL to the first answer, on average': Math.round(
      sums.seconds / restores,
    ),
  };
}

class Disaster {
  readonly #folder: string;
  readonly #programs: string;
  readonly #original: InstalledPostgres;
  readonly #closing: (() => Promise<void>)[] = [];

  private constructor(folder: string, programs: string, port: number) {
    this.#folder = folder;
    this.#programs = programs;
    this.#original = new InstalledPostgres(programs, join(folder, 'original'), port);
  }

  static async open(folder: string): Promise<Disaster> {
    const disaster = new Disaster(folder, (await findPostgres()) as string, await freePort());
    const archive = await makeOwnFolder(join(folder, 'archive'));
    await disaster.#original.initialize({
      archive_mode: 'on',
      archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
      // The oracle: when each row was committed.
      track_commit_timestamp: 'on',
    });
    await disaster.#original.start();
    return disaster;
  }

  async restore(run: DrillRun) {
    const original = this.#original;
    await original.query('create database corridor');
    const environment = {
      DATABASE_URL: original.urlOf('corridor'),
      // Only the service's database is lost: the keys of people stay in place (docs/operating.md).
      PERSON_KEYS_URL: await createPersonKeysBeside(original.urlOf('postgres')),
      DATA_DIR: join(this.#folder, 'data'),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    };
    const before = await this.#serve(environment, ['api', 'worker']);
    let now = before;
    const site = { environment: before.environment, ask: (asked: ApiRequest) => now.ask(asked) };
    const platform = await createRemotePlatform(site, ['requestRate.perSecond=0']);
    this.#closing.push(() => platform.receiver.close());
    const load = await Deposits.start(platform, run.random);
    await load.more(run.amount('deposits') / 4);
    const words = ['-D', this.#backup, '-h', '127.0.0.1', '-p', String(original.port), '-U', 'postgres'];
    await runAsPostgres(join(this.#programs, 'pg_basebackup'), [...words, '-c', 'fast', '-X', 'none']);
    await load.more(run.random.between(10, run.amount('deposits') / 4));
    const [at] = await original.query<{ now: string }>('select clock_timestamp()::text as now');
    const target = at?.now ?? '';
    await load.more(run.amount('deposits') / 4);
    await load.stop();
    await before.stop();
    await this.#archiveAll();
    const began = performance.now();
    const restored = await this.#recover(target);
    const counts = await compareRows(original, restored, target);
    // The worker last, when the restored state has been looked at.
    const after = await this.#serve({ ...environment, DATABASE_URL: restored.urlOf('corridor') }, ['api']);
    const verified = await command(['ledger', 'verify'], after.environment);
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
    now = after;
    await load.repeatAll();
    const seconds = (performance.now() - began) / 1_000;
    await after.startAll(['worker']);
    await requireDelivered(restored, platform);
    return { ...counts, seconds, deposits: load.made };
  }

  async close(): Promise<void> {
    for (const end of this.#closing.reverse()) await end();
    await this.#original.stop();
  }

  get #backup(): string {
    return join(this.#folder, 'backup');
  }

  async #serve(
    environment: Processes['environment'],
    roles: readonly ('api' | 'worker')[],
  ): Promise<Processes> {
    const processes = new Processes(environment);
    this.#closing.push(() => processes.stop());
    await processes.startAll(roles);
    return processes;
  }

  /** Waits until the last segment with changes is in the archive. */
  async #archiveAll(): Promise<void> {
    const [row] = await this.#original.query<{ file: string }>(
      'select pg_walfile_name(pg_switch_wal()) as file',
    );
    for (const deadline = Date.now() + DEADLINE_MS; ; await delay(LOOK_MS)) {
      const [archived] = await this.#original.query<{ file: string | null }>(
        'select last_archived_wal as file from pg_stat_archiver',
      );
      if ((archived?.file ?? '') >= (row?.file ?? '')) return;
      assert.ok(Date.now() < deadline, 'the last segment is archived');
    }
  }

  async #recover(target: string): Promise<InstalledPostgres> {
    const restored = new InstalledPostgres(this.#programs, this.#backup, await freePort());
    await restored.configure({
      archive_mode: 'off',
      restore_command: `cp ${join(this.#folder, 'archive')}/%f %p`,
      recovery_target_time: target,
      recovery_target_action: 'promote',
    });
    await writeFile(join(this.#backup, 'recovery.signal'), '');
    this.#closing.push(() => restored.stop());
    await restored.start();
    return restored;
  }
}

/** Compares which rows are there with the time of each row's commit. */
async function compareRows(original: InstalledPostgres, restored: InstalledPostgres, target: string) {
  let [kept, missing] = [0, 0];
  for (const [table, name] of Object.entries(GROWING)) {
    const there = await original.query<{ name: string; early: boolean }>(
      `select ${name}::text as name, pg_xact_commit_timestamp(xmin) <= $1::timestamptz as early from ${table}`,
      [target],
      'corridor',
    );
    const back = await restored.query<{ name: string }>(
      `select ${name}::text as name from ${table}`,
      [],
      'corridor',
    );
    const early = there.filter((row) => row.early).map((row) => row.name);
    assert.deepEqual(
      back.map((row) => row.name).sort(),
      early.sort(),
      `${table}: what was committed by ${target}`,
    );
    kept += early.length;
    missing += there.length - early.length;
  }
  assert.ok(kept > 0 && missing > 0, 'some rows are earlier, and some later');
  return { restored: kept, missing };
}

/** Callers that deposit into an account each, one call after the other, and remember what they have asked for. */
class Deposits {
  readonly #platform: RemotePlatform;
  readonly #asked: { readonly payer: Payer; readonly amount: number; readonly key: string }[] = [];
  readonly #payers: readonly Payer[];
  #loops: Promise<unknown> = Promise.resolve();
  #isOver = false;
  #answered = 0;

  private constructor(platform: RemotePlatform, payers: readonly Payer[]) {
    this.#platform = platform;
    this.#payers = payers;
  }

  static async start(platform: RemotePlatform, random: SeededRandom): Promise<Deposits> {
    await supports(platform, ['USD']);
    const payers: Payer[] = [];
    while (payers.length < PAYERS) payers.push(await givenPayer(platform, 0));
    const deposits = new Deposits(platform, payers);
    deposits.#loops = Promise.all(
      payers.map(async (payer) => {
        while (!deposits.#isOver) await deposits.#deposit(payer, random.between(1, 1_000));
      }),
    );
    return deposits;
  }

  get made(): number {
    return this.#answered;
  }

  async more(count: number): Promise<void> {
    for (const until = this.#answered + count; this.#answered < until; ) {
      await Promise.race([delay(LOOK_MS), this.#loops]);
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#loops;
  }

  /** Calls again, as callers do that lost their answers; afterwards every deposit is in the books once. */
  async repeatAll(): Promise<void> {
    for (const { payer, amount, key } of this.#asked) await this.#send(payer, amount, key);
    for (const payer of this.#payers) {
      const own = this.#asked.filter((asked) => asked.payer === payer);
      const sum = own.reduce((total, { amount }) => total + amount, 0);
      assert.equal(await fetchBalance(this.#platform, payer, 'USD'), sum);
    }
  }

  async #deposit(payer: Payer, amount: number): Promise<void> {
    const key = randomBytes(12).toString('hex');
    this.#asked.push({ payer, amount, key });
    await this.#send(payer, amount, key);
    this.#answered++;
  }

  async #send(payer: Payer, amount: number, key: string): Promise<void> {
    const params = { accountId: payer.account('USD').id };
    const reply = await this.#platform.send('sandboxFundInternalAccount', { params, body: { amount }, key });
    assert.equal(reply.status, 200, reply.raw);
  }
}

/** Every event of the restored database reaches its receiver, also those that had been delivered before. */
async function requireDelivered(
  restored: InstalledPostgres,
  { receiver, id }: RemotePlatform,
): Promise<void> {
  for (const deadline = Date.now() + DEADLINE_MS; ; await delay(LOOK_MS)) {
    const events = await restored.query<{ id: string }>(
      'select id::text as id from events where platform_id = $1',
      [id],
      'corridor',
    );
    const seen = new Set(receiver.received.map(({ body }) => body.id));
    const lacking = events.filter((event) => !seen.has(`Webhook:${event.id}`));
    if (lacking.length === 0) return;
    assert.ok(Date.now() < deadline, `${lacking.length} events are not delivered`);
  }
}

export const restoreDrill: Drill = {
  name: 'restore',
  proves:
    'After a restore to a moment in the middle of a load, exactly what was committed later is missing; repeated calls take effect once, every webhook arrives, and the ledger verifies.',
  amounts: {
    restores: { says: 'restores, each of another database', usual: 3, brief: 1 },
    deposits: { says: 'deposits under which it happens', usual: 2_000, brief: 120 },
  },
  work: 'restores',
  missing: async () => ((await findPostgres()) === undefined ? POSTGRES_IS_MISSING : undefined),
  run,
};
