import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { corridor, type Environment, type Finished } from '#tests/harness/corridor-process.ts';
import { RUN_FOLDER, testedBinary } from '#tests/harness/tested-binary.ts';

/**
 * Runs one of the operator's commands in a process that is reused, because a start of the real binary takes a second.
 * Commands run one at a time. Tests about processes (signals, ports, a clean end) use the binary itself, and so do drills
 * outside a run of tests.
 */
export function command(words: readonly string[], environment: Environment): Promise<Finished> {
  if (process.env[RUN_FOLDER] === undefined) return corridor(words, environment);
  return inTurn({ words, environment });
}

/** A command line, and the folder in which it runs, if that is not the folder of the tests. */
export interface Ordered {
  readonly words: readonly string[];
  readonly environment: Environment;
  readonly folder?: string;
}

function inTurn(ordered: Ordered): Promise<Finished> {
  const finished = previous.then(() => runOnHost(ordered));
  previous = finished.catch(() => undefined);
  return finished;
}

let previous: Promise<unknown> = Promise.resolve();

/**
 * Takes command lines of shell scripts at this socket, and runs them in the same process. The answer is shell code that prints
 * the output of the command, and ends with its exit code (SEND_COMMAND).
 */
export async function serveCommands(socket: string): Promise<() => Promise<void>> {
  const server = createServer(async (request, response) => {
    const { code, stdout, stderr } = await inTurn(readOrdered(await text(request)));
    response.end(`printf %s ${quote(stdout)}; printf %s ${quote(stderr)} >&2; exit ${code}`);
  });
  await once(server.listen(socket), 'listening');
  return async () => {
    server.close();
    await once(server, 'close');
  };
}

/** The lines of a shell script that run the command line `"$@"` at the socket `$COMMANDS`. */
export const SEND_COMMAND = `ran=$({ printf '%s\\0' "$PWD" $# "$@"; env -0; } | curl -sS --unix-socket "$COMMANDS" --data-binary @- http://localhost)
eval "$ran"`;

function readOrdered(sent: string): Ordered {
  const [folder = '', count = '', ...rest] = sent.split('\0').slice(0, -1);
  const settings = rest.slice(Number(count)).map((line) => {
    const [name = '', ...value] = line.split('=');
    return [name, value.join('=')];
  });
  return { folder, words: rest.slice(0, Number(count)), environment: Object.fromEntries(settings) };
}

function quote(printed: string): string {
  return `'${printed.replaceAll("'", `'\\''`)}'`;
}

async function runOnHost(ordered: Ordered): Promise<Finished> {
  host ??= startHost();
  const child = await host;
  // The test process waits for it only while it works; when idle, it ends together with the test process.
  child.channel?.ref();
  child.send(ordered);
  const finished = await awaitAnswer(child);
  child.channel?.unref();
  return finished;
}

let host: Promise<ChildProcess> | undefined;

/** It runs the bundle that other tests start. */
async function startHost(): Promise<ChildProcess> {
  const path = fileURLToPath(new URL('command-line-host.ts', import.meta.url));
  const bundle = dirname(await testedBinary());
  // Without this process's own arguments, which would make it a test runner.
  const child = fork(path, [join(bundle, 'main.mjs')], {
    execArgv: [],
    env: { ...process.env, NODE_COMPILE_CACHE: join(bundle, 'cache') },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.unref();
  return child;
}

function awaitAnswer(child: ChildProcess): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      child.off('message', answered);
      child.off('exit', ended);
    };
    const answered = (message: unknown) => {
      settle();
      resolve(message as Finished);
    };
    const ended = () => {
      settle();
      reject(new Error('the process that runs the commands ended'));
    };
    child.on('message', answered);
    child.on('exit', ended);
  });
}
