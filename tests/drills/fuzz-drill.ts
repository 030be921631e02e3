import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FuzzReport, fuzz } from '#tests/fuzz/fuzz.ts';
import { surfaceAtRest } from '#tests/fuzz/surface.ts';
import { corridor, type Server, serve } from '#tests/harness/corridor-process.ts';

export interface FuzzDrillOptions {
  readonly requests: number;
  readonly seed: number;
  say(line: string): void;
}

export interface FuzzResult extends FuzzReport {
  /** The problems in the answers and in the process. */
  readonly problems: readonly string[];
}

/** At this signal the server collects its garbage and prints what is left. */
const COLLECT = 'SIGUSR2';
const COLLECTOR = `let collection = 0;
process.on('${COLLECT}', () => {
  gc();
  gc();
  console.log(JSON.stringify({ collection: ++collection, ...process.memoryUsage() }));
});`;

/**
 * Sends broken requests to every operation and page of a separate server. None may be answered with a 5xx or logged as an
 * error. Afterwards the server must be ready, its ledger must verify, and it must stop normally. Its memory is reported on
 * the way, each time after a full collection, so that growth means a leak.
 */
export async function fuzzDrill({ requests, seed, say }: FuzzDrillOptions): Promise<FuzzResult> {
  const credentials = `${randomBytes(16).toString('hex')}:${randomBytes(24).toString('hex')}`;
  const [id = '', secret = ''] = credentials.split(':');
  const environment = {
    DATA_DIR: await mkdtemp(join(tmpdir(), 'corridor-fuzz-')),
    API_TOKEN_ID: id,
    API_CLIENT_SECRET: secret,
    NODE_OPTIONS: `--expose-gc --import=data:text/javascript,${encodeURIComponent(COLLECTOR)}`,
  };
  const server = await serve(environment);
  const ended = { is: false };
  void server.finished.then(() => {
    ended.is = true;
  });
  try {
    const tell = memoryTeller(server, requests, say);
    await tell(0);
    const { origin, port } = new URL(server.told.baseUrl ?? '');
    const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
    const report = await fuzz({
      port: Number(port),
      authorization,
      routes: await surfaceAtRest(),
      requests,
      seed,
      isOver: () => ended.is,
      onProgress: async (sent) => (ended.is ? undefined : tell(sent)),
    });
    const ready = ended.is ? undefined : await fetch(`${origin}/health/ready`);
    const ledger = await corridor(['ledger', 'verify'], environment);
    server.kill('SIGTERM');
    const { code, stdout, stderr } = await server.finished;
    const problems = [
      ...report.faults,
      ...(stdout + stderr).split('\n').filter((line) => /"level":"(error|fatal)"/.test(line)),
      ...(ready?.status === 200 ? [] : ['the server is not ready']),
      ...(ledger.code === 0 ? [] : [`the ledger does not verify: ${ledger.stdout}${ledger.stderr}`]),
      ...(code === 0 ? [] : [`the server ended with exit code ${code}`]),
    ];
    return { ...report, problems };
  } finally {
    server.kill('SIGTERM');
    await server.finished;
    await rm(environment.DATA_DIR, { recursive: true, force: true });
  }
}

/** In MB: the process's total memory, JavaScript's heap, and external buffers. */
function memoryTeller(server: Server, requests: number, say: (line: string) => void) {
  let collections = 0;
  let told = Number.NEGATIVE_INFINITY;
  return async (sent: number): Promise<void> => {
    if (sent < requests && sent - told < requests / 20) return;
    told = sent;
    const printed = new RegExp(`\\{"collection":${++collections},[^}]*\\}`);
    server.kill(COLLECT);
    await server.prints(printed);
    const usage = JSON.parse(printed.exec(server.output())?.[0] ?? '{}') as NodeJS.MemoryUsage;
    const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1).padStart(6);
    const { rss, heapUsed, heapTotal, external } = usage;
    say(
      `${String(sent).padStart(7)} sent: resident ${megabytes(rss)}, heap ${megabytes(heapUsed)} of ` +
        `${megabytes(heapTotal)}, external ${megabytes(external)}`,
    );
  };
}
