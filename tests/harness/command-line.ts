import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Environment, Finished } from '#tests/harness/corridor-process.ts';

/**
 * Runs one of the operator's commands in a process that is reused, because a start of the real binary takes a second.
 * Commands run one at a time. Tests about processes (signals, ports, a clean end) use the binary itself.
 */
export async function command(words: readonly string[], environment: Environment): Promise<Finished> {
  host ??= startHost();
  const { channel } = host;
  // The test process waits for it only while it works; when idle, it ends together with the test process.
  channel?.ref();
  host.send({ words, environment });
  const finished = await awaitAnswer(host);
  channel?.unref();
  return finished;
}

/** As in bin/corridor.mjs. */
const SHORT_IMPORTS = new URL('../../bin/short-imports.mjs', import.meta.url).href;

let host: ChildProcess | undefined;

function startHost(): ChildProcess {
  const path = fileURLToPath(new URL('command-line-host.ts', import.meta.url));
  // Without this process's own arguments, which would make it a test runner.
  const child = fork(path, {
    execArgv: [`--import=${SHORT_IMPORTS}`],
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
