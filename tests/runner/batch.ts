import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { EVENTS_FILE, readEvents } from '#tests/runner/events.ts';

export interface BatchOptions {
  /** Given to Node as they are. */
  readonly flags: readonly string[];
  readonly databaseUrl: string;
  /** For what processes leave behind. */
  readonly folder: string;
  /** What takes longer hangs, and is ended. */
  readonly limitMs: number;
  /** Ends it at once. */
  readonly signal: AbortSignal;
}

export interface BatchResult {
  readonly files: readonly string[];
  readonly events: TestEvent[];
  /** What was printed, by tests or by a crash. */
  readonly output: string;
  /** Why it counts as failed beside the tests that did. */
  readonly trouble: string | undefined;
}

const REPORTER = fileURLToPath(new URL('events.ts', import.meta.url));
/** Halves the time that a process takes to load the service; the service itself uses the same folder. */
const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/corridor', import.meta.url));

let count = 0;

/** Runs some test files, one after the other, in one process of their own. */
export async function runBatch(files: readonly string[], options: BatchOptions): Promise<BatchResult> {
  const eventsFile = join(options.folder, `events-${++count}`);
  const child = spawn(
    process.execPath,
    ['--test', '--test-isolation=none', `--test-reporter=${REPORTER}`, ...options.flags, ...files],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that nothing it started outlives it.
      detached: true,
      env: {
        ...process.env,
        TEST_DATABASE_URL: options.databaseUrl,
        NODE_ENV: 'test',
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        [EVENTS_FILE]: eventsFile,
      },
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  const tooLate = AbortSignal.timeout(options.limitMs);
  const end = () => killGroup(child.pid);
  for (const signal of [tooLate, options.signal]) signal.addEventListener('abort', end);
  const how = await new Promise<string | number>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'nothing'));
  });
  for (const signal of [tooLate, options.signal]) signal.removeEventListener('abort', end);
  end();
  const events = readEvents(await readFile(eventsFile, 'utf8').catch(() => ''));
  const late = tooLate.aborted ? `did not end within ${options.limitMs / 60_000} minutes` : undefined;
  return { files, events, output, trouble: late ?? troubleIn(how, events) };
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody of it is left.
  }
}

/** A process that ends in the middle is no success, whatever its exit code says. */
function troubleIn(how: string | number, events: readonly TestEvent[]): string | undefined {
  if (!events.some(({ type }) => type === 'test:summary')) return `ended in the middle, with ${how}`;
  if (how === 0 || events.some(({ type }) => type === 'test:fail')) return undefined;
  const strays = events.flatMap(({ type, data }) =>
    type === 'test:diagnostic' && data.message.startsWith('Error') ? [data.message] : [],
  );
  return [`ended with ${how}, though no test failed`, ...strays].join('\n');
}
