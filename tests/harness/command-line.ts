import { type ChildProcess, fork } from 'node:child_process';
import { dirname, join } from 'node:path';
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
  const finished = previous.then(() => runOnHost(words, environment));
  previous = finished.catch(() => undefined);
  return finished;
}

let previous: Promise<unknown> = Promise.resolve();

async function runOnHost(words: readonly string[], environment: Environment): Promise<Finished> {
  host ??= startHost();
  const child = await host;
  // The test process waits for it only while it works; when idle, it ends together with the test process.
  child.channel?.ref();
  child.send({ words, environment });
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
