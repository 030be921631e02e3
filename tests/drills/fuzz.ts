import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { corridor, serve } from '#tests/corridor-process.ts';
import { fuzz } from '#tests/fuzz/fuzz.ts';
import { surfaceAtRest } from '#tests/fuzz/surface.ts';

/**
 * `FUZZ_REQUESTS=50000 npm run drill:fuzz`: broken requests to every operation and page of a server of its own. It must
 * answer none with a 5xx, still be there, and have a ledger that verifies. Its memory is told on the way: what it holds
 * at the end of a round after everything was collected is `heap`.
 */
const requests = Number(process.env.FUZZ_REQUESTS ?? 50_000);
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
const TELL_EVERY = Math.max(400, Math.floor(requests / 20));

const id = randomBytes(16).toString('hex');
const secret = randomBytes(24).toString('hex');
const environment = {
  DATA_DIR: await mkdtemp(join(tmpdir(), 'corridor-fuzz-')),
  API_TOKEN_ID: id,
  API_CLIENT_SECRET: secret,
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

/** In MB: all that the system counts, what JavaScript's objects take of it, and what lies outside of them. */
async function tellMemory(sent: number): Promise<void> {
  if (ended !== undefined) return;
  const text = await (await fetch(`${origin}/metrics`)).text();
  const megabytes = (name: string) => {
    const value = Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    return (value / 1e6).toFixed(1).padStart(7);
  };
  console.log(
    `${String(sent).padStart(7)} sent: resident ${megabytes('process_resident_memory_bytes')}, ` +
      `heap ${megabytes('nodejs_heap_size_used_bytes')} of ${megabytes('nodejs_heap_size_total_bytes')}, ` +
      `external ${megabytes('nodejs_external_memory_bytes')}`,
  );
}
