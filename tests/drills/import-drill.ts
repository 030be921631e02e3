import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { startEmbedded } from '#foundation/database/embedded/embedded.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Drill, DrillRun, Figures } from '#tests/drills/frame/drill.ts';
import { personRow, renderCsv } from '#tests/given/imports.ts';
import { type Environment, type Server, serve } from '#tests/harness/corridor-process.ts';
import { createPersonKeysBeside } from '#tests/harness/databases.ts';
import { prepareDataFolder } from '#tests/harness/prepared-data-folder.ts';

const LOOK_MS = 1_000;

/**
 * Imports a long file into a real server, kills that server on the way, starts another, and reports how much memory each
 * took. Every row must be created once.
 */
async function run(run: DrillRun): Promise<Figures> {
  const folder = await prepareDataFolder(await mkdtemp(join(tmpdir(), 'corridor-drill-')));
  const embedded = await startEmbedded({ dataDir: folder, report: () => undefined });
  const database = openDatabase({ url: embedded.url, connectionsMax: 2 });
  const credentials = [randomBytes(16).toString('hex'), randomBytes(24).toString('hex')] as const;
  const upload = new Upload(run, credentials, {
    DATABASE_URL: embedded.url,
    PERSON_KEYS_URL: await createPersonKeysBeside(embedded.url),
    DATA_DIR: folder,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    API_TOKEN_ID: credentials[0],
    API_CLIENT_SECRET: credentials[1],
  });
  try {
    const figures = await upload.complete();
    await proveOnce(database, run.amount('rows'));
    return figures;
  } finally {
    await upload.end();
    await database.close();
    await embedded.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** One file, the server that reads it, and the servers that follow after kills. */
class Upload {
  readonly #run: DrillRun;
  readonly #authorization: string;
  readonly #environment: Environment;
  readonly #rows: number;
  #server: Server | undefined;
  #memoryMb = 0;

  constructor(run: DrillRun, credentials: readonly [string, string], environment: Environment) {
    this.#run = run;
    this.#rows = run.amount('rows');
    this.#authorization = `Basic ${Buffer.from(credentials.join(':')).toString('base64')}`;
    this.#environment = environment;
  }

  async complete(): Promise<Figures> {
    const began = performance.now();
    const kills = this.#run.amount('kills');
    this.#server = await serve(this.#environment);
    const jobId = await this.#upload();
    for (let kill = 1; kill <= kills; kill++) {
      const until = Math.ceil((this.#rows * kill) / (kills + 1));
      await this.#watch(jobId, (processed) => processed >= until);
      this.#server.kill('SIGKILL');
      await this.#server.finished;
      this.#run.say(`killed after ${secondsSince(began)} s, with more than ${until} rows done`);
      this.#server = await serve(this.#environment);
    }
    await this.#watch(jobId, (processed) => processed >= this.#rows);
    const seconds = secondsSince(began);
    return { rows: this.#rows, kills, seconds, 'most memory of a process in MB': this.#memoryMb };
  }

  async end(): Promise<void> {
    this.#server?.kill('SIGTERM');
    await this.#server?.finished;
  }

  async #call(path: string, body?: FormData) {
    const reply = await fetch(`${this.#server?.told.baseUrl}/customers/bulk/${path}`, {
      headers: { authorization: this.#authorization },
      ...(body && { method: 'POST', body }),
    });
    assert.ok(reply.ok, `${reply.status}`);
    return (await reply.json()) as Record<string, unknown>;
  }

  async #upload(): Promise<string> {
    const pieces: string[] = [];
    for (let made = 0; made < this.#rows; made += 1_000) {
      const length = Math.min(1_000, this.#rows - made);
      const text = renderCsv(Array.from({ length }, (_, i) => personRow(made + i + 1)));
      pieces.push(made === 0 ? text : text.slice(text.indexOf('\r\n') + 2));
    }
    const form = new FormData();
    form.append('file', new Blob(pieces, { type: 'text/csv' }), 'customers.csv');
    const { jobId } = await this.#call('csv', form);
    return String(jobId);
  }

  /** Polls until enough is done, and watches the memory of the process meanwhile. */
  async #watch(jobId: string, isEnough: (processed: number) => boolean): Promise<void> {
    const server = this.#server as Server;
    for (let looks = 1; ; looks++) {
      const { status, progress } = await this.#call(`jobs/${jobId}`);
      const { processed } = progress as { processed: number };
      const megabytes = await residentMb(server.pid);
      this.#memoryMb = Math.max(this.#memoryMb, megabytes);
      if (looks % 30 === 0) this.#run.say(`${status} ${processed} rows, ${megabytes} MB`);
      assert.notEqual(status, 'FAILED');
      if (isEnough(processed) && (processed < this.#rows || status === 'COMPLETED')) return;
      await delay(LOOK_MS);
    }
  }
}

async function residentMb(pid: number): Promise<number> {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

function secondsSince(began: number): number {
  return Math.round((performance.now() - began) / 1000);
}

async function proveOnce(database: Database, rows: number): Promise<void> {
  const [found] = await database.query<{ rows: bigint; names: bigint }>(sql`
    select count(*) as rows, count(distinct reference_hash) as names from customers`);
  assert.deepEqual(found, { rows: BigInt(rows), names: BigInt(rows) });
}

export const importDrill: Drill = {
  name: 'import',
  proves: 'A long file of customers is imported across kills of the server, and every row is created once.',
  amounts: {
    rows: { says: 'rows of the file; the drill lasts until all are imported', usual: 100_000, brief: 300 },
    kills: { says: 'kills of the server, spread over the file', usual: 1, brief: 1 },
  },
  run,
};
