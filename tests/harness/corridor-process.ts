import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testedBinary } from '#tests/harness/tested-binary.ts';

export type Environment = Readonly<Record<string, string>>;

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command of the binary to its end. */
export async function corridor(
  words: readonly string[],
  environment: Environment,
  binary?: string,
): Promise<Finished> {
  return (await launch(words, environment, binary)).finished;
}

export interface Server {
  readonly pid: number;
  /** Everything printed so far, on either stream. */
  output(): string;
  /** The lines printed when the service became ready. */
  readonly told: Readonly<Record<string, string>>;
  /** The first platform's credentials, from the printed file; empty if the platform existed or has configured ones. */
  readonly credentials: { readonly tokenId: string; readonly clientSecret: string };
  readonly finished: Promise<Finished>;
  /** Waits for something to be printed. */
  prints(pattern: RegExp): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts `corridor serve` on a free port and waits until it is ready. */
export async function serve(
  environment: Environment,
  words: readonly string[] = [],
  binary?: string,
): Promise<Server> {
  const run = await launch(['serve', ...words], { PORT: '0', ...environment }, binary);
  await run.prints(/"msg":"(Ready\.|The worker runs\.)"/);
  const lines = run.output().split('\n');
  const line = lines.find((line) => line.includes('"baseUrl"'));
  const told: Record<string, string> = line === undefined ? {} : JSON.parse(line);
  return { ...run, told, credentials: await readCredentials(told.credentialsFile) };
}

async function readCredentials(path: string | undefined): Promise<Server['credentials']> {
  const text = path === undefined ? '' : await readFile(path, 'utf8');
  const [, tokenId = '', clientSecret = ''] = /CORRIDOR_AUTH=(\w+):(\w+);/.exec(text) ?? [];
  return { tokenId, clientSecret };
}

const DEADLINE_MS = 120_000;

/** Starts a process of the given binary, by default of the bundle (tested-binary.ts). */
export async function launch(words: readonly string[], environment: Environment, binary?: string) {
  const path = binary ?? (await testedBinary());
  // Without its own folder it would leave credentials in the data folder of the person who runs the tests.
  const credentials = join(tmpdir(), `corridor-credentials-${randomUUID()}.sh`);
  const child = spawn(process.execPath, ['--max-semi-space-size=8', path, ...words], {
    // Only the given settings: those of the person who runs the tests must not matter. Seeds have their own tests.
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '/',
      SANDBOX_SEEDS: 'false',
      ...(environment.DATA_DIR === undefined && { CREDENTIALS_FILE: credentials }),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout = collect(child, 'stdout');
  const stderr = collect(child, 'stderr');
  const finished = once(child, 'close').then(async ([code]): Promise<Finished> => {
    await rm(credentials, { force: true });
    return { code: code as number | null, stdout: stdout(), stderr: stderr() };
  });
  const output = () => stdout() + stderr();
  return {
    pid: child.pid as number,
    output,
    finished,
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    prints: (pattern: RegExp) => printed(child, output, pattern),
  };
}

function collect(child: ChildProcess, stream: 'stdout' | 'stderr'): () => string {
  let text = '';
  child[stream]?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

function printed(child: ChildProcess, output: () => string, pattern: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      clearTimeout(timer);
      child.off('close', ended);
      for (const stream of [child.stdout, child.stderr]) stream?.off('data', look);
      end();
    };
    const fail = (why: string) =>
      settle(() => reject(new Error(`${why} before it printed ${pattern}:\n${output()}`)));
    const look = () => {
      if (pattern.test(output())) settle(resolve);
    };
    const ended = () => fail('it ended');
    const timer = setTimeout(() => fail('time was up'), DEADLINE_MS);
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', look);
    child.once('close', ended);
    look();
  });
}

/** A port that nothing listens on right now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
