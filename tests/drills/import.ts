import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '#foundation/database/database.ts';
import { startEmbedded } from '#foundation/database/embedded/embedded.ts';
import { sql } from '#foundation/database/sql.ts';
import { personRow, renderCsv } from '#tests/given/imports.ts';
import { type Server, serve } from '#tests/harness/corridor-process.ts';
import { createPersonKeysBeside } from '#tests/harness/databases.ts';

/**
 * Imports a long file into a real server, kills that server in the middle, starts another, and reports how much memory
 * each took and whether every row was created once. Run by hand, because it takes minutes:
 *
 *   npm run drill:import -- --rows 100000 --kills 1
 */
const { values: options } = parseArgs({
  options: { rows: { type: 'string', default: '100000' }, kills: { type: 'string', default: '1' } },
});
const ROWS = Number(options.rows);
const KILLS = Number(options.kills);
const LOOK_MS = 1_000;

const folder = await mkdtemp(join(tmpdir(), 'corridor-drill-'));
const embedded = await startEmbedded({ dataDir: folder, report: () => undefined });
const database = openDatabase({ url: embedded.url, connectionsMax: 2 });
const credentials = { id: randomBytes(16).toString('hex'), secret: randomBytes(24).toString('hex') };
const environment = {
  DATABASE_URL: embedded.url,
  PERSON_KEYS_URL: await createPersonKeysBeside(embedded.url),
  DATA_DIR: folder,
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  API_TOKEN_ID: credentials.id,
  API_CLIENT_SECRET: credentials.secret,
  // For a profile of the server itself.
  ...(process.env.NODE_OPTIONS !== undefined && { NODE_OPTIONS: process.env.NODE_OPTIONS }),
};
let server = await serve(environment);
try {
  const began = performance.now();
  const jobId = await upload(server);
  for (let kill = 1; kill <= KILLS; kill++) {
    const until = Math.ceil((ROWS * kill) / (KILLS + 1));
    await watch(server, jobId, (processed) => processed >= until);
    server.kill('SIGKILL');
    await server.finished;
    console.log(`killed at ${seconds(began)} s, with more than ${until} rows done`);
    server = await serve(environment);
  }
  await watch(server, jobId, (processed) => processed >= ROWS);
  await proveOnce();
  console.log(`${ROWS} rows in ${seconds(began)} s with ${KILLS} kills, each made once.`);
} finally {
  server.kill('SIGTERM');
  await server.finished;
  await database.close();
  await embedded.stop();
  await rm(folder, { recursive: true, force: true });
}

async function call(server: Server, path: string, body?: FormData) {
  const basic = Buffer.from(`${credentials.id}:${credentials.secret}`).toString('base64');
  const reply = await fetch(`${server.told.baseUrl}/customers/bulk/${path}`, {
    headers: { authorization: `Basic ${basic}` },
    ...(body && { method: 'POST', body }),
  });
  assert.ok(reply.ok, `${reply.status}`);
  return (await reply.json()) as Record<string, unknown>;
}

async function upload(server: Server): Promise<string> {
  const pieces: string[] = [];
  for (let made = 0; made < ROWS; made += 1_000) {
    const rows = Array.from({ length: Math.min(1_000, ROWS - made) }, (_, i) => personRow(made + i + 1));
    const text = renderCsv(rows);
    pieces.push(made === 0 ? text : text.slice(text.indexOf('\r\n') + 2));
  }
  const form = new FormData();
  form.append('file', new Blob(pieces, { type: 'text/csv' }), 'customers.csv');
  const { jobId } = await call(server, 'csv', form);
  return String(jobId);
}

/** Polls until enough is done, and returns the memory of the process over that time. */
async function watch(server: Server, jobId: string, isEnough: (processed: number) => boolean): Promise<void> {
  const sizes: number[] = [];
  for (;;) {
    const { status, progress } = await call(server, `jobs/${jobId}`);
    const { processed } = progress as { processed: number };
    sizes.push(await residentMb(server.pid));
    if (sizes.length % 30 === 0) console.log(`${status} ${processed} rows, ${sizes.at(-1)} MB`);
    assert.notEqual(status, 'FAILED');
    if (isEnough(processed) && (processed < ROWS || status === 'COMPLETED')) break;
    await delay(LOOK_MS);
  }
  console.log(`Memory of process ${server.pid} in MB: ${describe(sizes)}`);
}

async function residentMb(pid: number): Promise<number> {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

/** The start does not count: code is loaded and compiled then. */
function describe(sizes: readonly number[]): string {
  const quarters = [0.25, 0.5, 0.75, 1].map((part) => sizes[Math.ceil(part * sizes.length) - 1]);
  return `${quarters.join(', ')} at each quarter, ${Math.max(...sizes)} at most`;
}

function seconds(began: number): number {
  return Math.round((performance.now() - began) / 1000);
}

async function proveOnce(): Promise<void> {
  const [found] = await database.query<{ rows: bigint; names: bigint }>(sql`
    select count(*) as rows, count(distinct reference_hash) as names from customers`);
  assert.deepEqual(found, { rows: BigInt(ROWS), names: BigInt(ROWS) });
}
