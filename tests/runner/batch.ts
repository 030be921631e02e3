import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { RUN_FOLDER } from '#tests/harness/tested-binary.ts';
import { EVENTS_FILE, readEvents } from '#tests/runner/events.ts';

export interface BatchOptions {
  /** Given to Node as they are. */
  readonly flags: readonly string[];
  readonly databaseUrl: string;
  /** The folder for files that processes leave behind. */
  readonly folder: string;
  /** A process that prints nothing, and begins and ends no test, for this time counts as hanging, and is ended. */
  readonly quietLimitMs: number;
  /** Ends it at once. */
  readonly signal: AbortSignal;
}

export interface BatchResult {
  readonly files: readonly string[];
  readonly events: TestEvent[];
  /** The output of tests or of a crash. */
  readonly output: string;
  /** Why it counts as failed, apart from failed tests. */
  readonly trouble: string | undefined;
}

const REPORTER = fileURLToPath(new URL('events.ts', import.meta.url));
/** Saves a quarter of the time that a process takes to load the service; the service itself uses the same. */
const SHORT_IMPORTS = new URL('../../bin/short-imports.mjs', import.meta.url).href;
const UNTRACKED = new URL('untracked.mjs', import.meta.url).href;
const PRELOADED = [
  `--import=${SHORT_IMPORTS}`,
  ...(process.env.TEST_TRACKED === '1' ? [] : ['--expose-internals', `--import=${UNTRACKED}`]),
];
/**
 * A process that lives for minutes allocates gigabytes of short-lived objects: with more room for them it collects them less
 * often, which takes a tenth less processor time.
 */
const YOUNG_OBJECTS = '--max-semi-space-size=64';
/** Halves the time that a process takes to load the service; the service itself uses the same folder. */
const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/corridor', import.meta.url));

let count = 0;

/** Runs some test files, one after the other, in one process of their own. */
export async function runBatch(files: readonly string[], options: BatchOptions): Promise<BatchResult> {
  const eventsFile = join(options.folder, `events-${++count}`);
  const child = spawn(
    process.execPath,
    [
      ...PRELOADED,
      YOUNG_OBJECTS,
      '--test',
      '--test-isolation=none',
      `--test-reporter=${REPORTER}`,
      ...options.flags,
      ...files,
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that nothing it started outlives it.
      detached: true,
      env: {
        ...process.env,
        TEST_DATABASE_URL: options.databaseUrl,
        NODE_ENV: 'test',
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        TMPDIR: options.folder,
        [RUN_FOLDER]: options.folder,
        [EVENTS_FILE]: eventsFile,
      },
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  const end = () => killGroup(child.pid);
  options.signal.addEventListener('abort', end);
  // Events are appended as tests begin and end: the file grows while there is progress.
  const heard = () => output.length + readSize(eventsFile);
  const { silence, stop } = watch(heard, options.quietLimitMs, end);
  const how = await new Promise<string | number>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'nothing'));
  });
  stop();
  options.signal.removeEventListener('abort', end);
  end();
  const events = readEvents(await readFile(eventsFile, 'utf8').catch(() => ''));
  const hung = silence.wasTooLong
    ? `hung: nothing was heard of it for ${options.quietLimitMs / 60_000} minutes`
    : undefined;
  return { files, events, output, trouble: hung ?? troubleIn(how, events) };
}

const LOOKS_PER_LIMIT = 20;

/** Calls `end` if `heard` does not grow for this time. */
function watch(heard: () => number, limitMs: number, end: () => void) {
  const silence = new Silence(limitMs);
  const timer = setInterval(() => {
    if (silence.isTooLong(heard(), performance.now())) end();
  }, limitMs / LOOKS_PER_LIMIT);
  return { stop: () => clearInterval(timer), silence };
}

/** The time since the last progress. */
export class Silence {
  readonly #limitMs: number;
  #last: { heard: number; at: number } | undefined;
  wasTooLong = false;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  isTooLong(heard: number, at: number): boolean {
    if (heard !== this.#last?.heard) this.#last = { heard, at };
    this.wasTooLong ||= at - this.#last.at >= this.#limitMs;
    return this.wasTooLong;
  }
}

function readSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // No process of the group is left.
  }
}

/** A process that ends in the middle has failed, whatever its exit code. */
function troubleIn(how: string | number, events: readonly TestEvent[]): string | undefined {
  if (!events.some(({ type }) => type === 'test:summary')) return `ended in the middle, with ${how}`;
  if (how === 0 || events.some(({ type }) => type === 'test:fail')) return undefined;
  const strays = events.flatMap(({ type, data }) =>
    type === 'test:diagnostic' && data.message.startsWith('Error') ? [data.message] : [],
  );
  const advice = strays.length > 0 ? ['TEST_TRACKED=1 names the test that it belongs to.'] : [];
  return [`ended with ${how}, though no test failed`, ...strays, ...advice].join('\n');
}
