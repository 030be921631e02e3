import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { corridor, serve } from '#tests/corridor-process.ts';
import { fuzz } from '#tests/fuzz/fuzz.ts';
import { surfaceAtRest } from '#tests/fuzz/surface.ts';

/**
 * `FUZZ_REQUESTS=50000 npm run drill:fuzz`: broken requests to every operation and page of a server of its own. It must
 * answer none with a 5xx, still be there, and have a ledger that verifies. Its memory is told on the way, each time after
 * a full collection: what grows then is held by something.
 */
const requests = Number(process.env.FUZZ_REQUESTS ?? 50_000);
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
const MEMORY = /\{"memory":\{[^}]*\}\}/;
const TELL_EVERY = Math.max(400, Math.floor(requests / 20));

/** At this signal the server collects its garbage and prints what is left. */
const COLLECT = 'SIGUSR2';
const collector = `process.on('${COLLECT}', () => {
  gc();
  gc();
  console.log(JSON.stringify({ memory: process.memoryUsage() }));
});`;

const id = randomBytes(16).toString('hex');
const secret = randomBytes(24).toString('hex');
const environment = {
  DATA_DIR: await mkdtemp(join(tmpdir(), 'corridor-fuzz-')),
  API_TOKEN_ID: id,
  API_CLIENT_SECRET: secret,
  NODE_OPTIONS: `--expose-gc --import=data:text/javascript,${encodeURIComponent(collector)}`,
};
const server = await serve(environment);
let ended: number | null | undefined;
void server.finished.then(({ code }) => {
  ended = code;
});
const { origin, port } = new URL(server.told.baseUrl ?? '');
console.log(`FUZZ_SEED=${seed} FUZZ_REQUESTS=${requests}, process ${server.pid}`);
await tellMemory(0);
let told = 0;
const report = await fuzz({
  port: Number(port),
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  routes: await surfaceAtRest(),
  requests,
  seed,
  isOver: () => ended !== undefined,
  async onProgress(sent) {
    if (sent - told < TELL_EVERY && sent < requests) return;
    told = sent;
    await tellMemory(sent);
  },
});
console.log(`${report.sent} requests; answers by status:`);
for (const [status, count] of [...report.statuses].sort()) console.log(`  ${status}  ${count}`);
for (const fault of report.faults) console.log(`\nFAULT ${fault}`);
const live = ended === undefined && (await fetch(`${origin}/health/ready`)).status;
const ledger = await corridor(['ledger', 'verify'], environment);
server.kill('SIGTERM');
const { code, stdout, stderr } = await server.finished;
const logged = (stdout + stderr).split('\n').filter((line) => /"level":"(error|fatal)"/.test(line));
for (const line of logged.slice(0, 20)) console.log(`LOGGED ${line.slice(0, 2_000)}`);
console.log(
  `ready afterwards: ${live}; ledger verify: exit code ${ledger.code}; stopped with exit code ${code};`,
);
console.log(`${report.faults.length} faults, ${logged.length} errors logged`);
await rm(environment.DATA_DIR, { recursive: true, force: true });
const isGood = live === 200 && ledger.code === 0 && code === 0 && report.faults.length + logged.length === 0;
process.exit(isGood ? 0 : 1);

/** In MB: all that the system counts, what JavaScript's objects take of it, and buffers outside of them. */
async function tellMemory(sent: number): Promise<void> {
  if (ended !== undefined) return;
  const before = memories().length;
  server.kill(COLLECT);
  await server.prints(new RegExp(`(${MEMORY.source}[^]*){${before + 1}}`));
  const { rss, heapUsed, heapTotal, external } = memories().at(-1) as NodeJS.MemoryUsage;
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1).padStart(6);
  console.log(
    `${String(sent).padStart(7)} sent: resident ${megabytes(rss)}, heap ${megabytes(heapUsed)} of ` +
      `${megabytes(heapTotal)}, external ${megabytes(external)}`,
  );
}

function memories(): NodeJS.MemoryUsage[] {
  return [...server.output().matchAll(new RegExp(MEMORY, 'g'))].map(([line]) => JSON.parse(line).memory);
}
