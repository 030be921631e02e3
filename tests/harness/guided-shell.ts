import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';
import { freePort, type Server, serve } from '#tests/harness/corridor-process.ts';
import { createPersonKeys, createTestDatabase } from '#tests/harness/databases.ts';
import { USERS_PATH } from '#tests/harness/judges.ts';

/** The environment of a guide's reader: a clone, and a shell in it, with `npm start` in another one. */
export interface GuidedShell {
  run(
    code: string,
  ): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  /** The state that a guide must not change: the files of the folder, and the settings of the platform. */
  state(): Promise<{ readonly files: string[]; readonly config: unknown; readonly currencies: string[] }>;
}

/** Resources that end with a test, or with several tests. */
interface Closer {
  after(close: () => Promise<void>): void;
}

/** The port of the guides' webhook receiver; replaced by a free one. */
const GUIDES_PORT = /\b9000\b/g;

export async function openGuidedShell(t: Closer): Promise<GuidedShell> {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  // The seeds have the same customers for every reader, so that no two readers can share the keys of people.
  const keys = await createPersonKeys();
  t.after(() => keys.drop());
  const settings = {
    DATABASE_URL: database.url,
    PERSON_KEYS_URL: keys.url,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  };
  // A first start has seeds.
  const server = await serve({ ...settings, SANDBOX_SEEDS: 'true' });
  t.after(async () => {
    server.kill('SIGTERM');
    await server.finished;
  });
  await untilSeeded(server);
  const folder = await mkdtemp(join(tmpdir(), 'corridor-guide-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await fillLikeClone(folder);
  const home = await mkdtemp(join(tmpdir(), 'corridor-home-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  const line = server.told.inAShell ?? '';
  return {
    async run(code) {
      // A new port each time: the previous guide's receiver may still be ending.
      const port = await freePort();
      const script = `${line}\n${code}`.replace(GUIDES_PORT, String(port));
      // Where operators' commands find the database: a reader has it in ./data.
      // Their own Node.js, not the one that npm runs the tests with.
      const env = { PATH: USERS_PATH, HOME: home, npm_config_update_notifier: 'false', ...settings };
      const { stdout, ...rest } = await runToEnd(script, { cwd: folder, env });
      return { ...rest, stdout: stdout.replaceAll(`:${port}`, ':9000') };
    },
    async state() {
      const { updatedAt: _changes, supportedCurrencies, ...config } = await readApi(server, 'config');
      const currencies = supportedCurrencies.map(
        ({ currencyCode }: { currencyCode: string }) => currencyCode,
      );
      return { files: (await readdir(folder)).sort(), config, currencies: currencies.sort() };
    },
  };
}

/** Readers are slower than the seeds: the last seed and its payment are done before a reader has pasted a line. */
async function untilSeeded(server: Server): Promise<void> {
  const read = (path: string) => readApi(server, path);
  const isDone = async () =>
    (await read(`platform/external-accounts/${EXAMPLE_IDS.coinWallet}`)).id === EXAMPLE_IDS.coinWallet &&
    (await read(`transactions/${EXAMPLE_IDS.payment}`)).status === 'COMPLETED';
  while (!(await isDone())) await setTimeout(100);
}

async function readApi({ told: { baseUrl }, credentials }: Server, path: string) {
  const { tokenId, clientSecret } = credentials;
  const headers = { authorization: `Basic ${btoa(`${tokenId}:${clientSecret}`)}` };
  return (await fetch(`${baseUrl}/${path}`, { headers })).json();
}

/** Links to everything in this folder; files that a guide writes stay beside them. */
async function fillLikeClone(folder: string): Promise<void> {
  for (const name of await readdir('.')) {
    if (name !== '.git' && name !== 'data') await symlink(resolve(name), join(folder, name));
  }
}

/** A receiver that the code leaves in the background ends with it. */
async function runToEnd(script: string, options: { cwd: string; env: Record<string, string> }) {
  const child = spawn('bash', ['--norc', '-euc', script], {
    ...options,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const closed = once(child, 'close');
  const [code] = (await once(child, 'exit')) as [number | null];
  endGroup(child.pid as number);
  await closed;
  return { code, stdout, stderr };
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGTERM');
  } catch (error) {
    // No process was left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
