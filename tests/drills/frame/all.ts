import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Drill } from '#tests/drills/frame/drill.ts';
import { type Report, runDrill } from '#tests/drills/frame/report.ts';

const PROGRAM = fileURLToPath(new URL('../run.ts', import.meta.url));
/** A drill may need this much longer than its time, to start and to check its result. */
const PATIENCE_MS = 30 * 60_000;

export interface AllOptions {
  /** For each drill. */
  readonly minutes: number;
  readonly seed: number;
  say(line: string): void;
}

/** Runs drills one after another, each in a process of its own, so that a drill that crashes or hangs is one failure. */
export async function* runAll(
  drills: readonly Drill[],
  { minutes, seed, say }: AllOptions,
): AsyncGenerator<Report> {
  for (const drill of drills) {
    const words = [drill.name, '--minutes', String(minutes), '--seed', String(seed), '--json'];
    const { stdout, how } = await runApart(words, minutes * 60_000 + PATIENCE_MS, (line) =>
      say(`${drill.name}: ${line}`),
    );
    yield readReport(stdout) ?? (await failure(drill, seed, `The drill's process ${how} without a report.`));
  }
}

async function runApart(words: readonly string[], limitMs: number, say: (line: string) => void) {
  // A group of its own, so that the end of a hanging drill is the end of the servers that it started.
  const child = spawn(process.execPath, [...process.execArgv, PROGRAM, ...words], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  createInterface(child.stderr).on('line', say);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, limitMs);
  const [code, signal] = await once(child, 'close');
  clearTimeout(timer);
  return { stdout, how: isLate ? 'was ended, because it took too long,' : `ended with ${signal ?? code}` };
}

function readReport(stdout: string): Report | undefined {
  const line = stdout.trim().split('\n').at(-1) ?? '';
  try {
    return JSON.parse(line) as Report;
  } catch {
    return undefined;
  }
}

function failure(drill: Drill, seed: number, problem: string): Promise<Report> {
  const run = () => Promise.reject(new Error(problem));
  return runDrill(
    { name: drill.name, proves: drill.proves, amounts: {}, run },
    {
      ...{ seed, amounts: {} },
      say: () => undefined,
    },
  );
}
