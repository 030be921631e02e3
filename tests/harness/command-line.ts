import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Environment, Finished } from '#tests/harness/corridor-process.ts';

/**
 * Runs one of the operator's commands in a process that stays for the next ones, since a start of the real binary takes
 * a second. One at a time; what is about processes (signals, ports, a clean end) is tried with the binary itself.
 */
export async function command(words: readonly string[], environment: Environment): Promise<Finished> {
  host ??= startHost();
  const { channel } = host;
  // It is waited for while it works; idle, it keeps nobody from ending, and ends with whoever started it.
  channel?.ref();
  host.send({ words, environment });
  const finished = await answerOf(host);
  channel?.unref();
  return finished;
}

let host: ChildProcess | undefined;

function startHost(): ChildProcess {
  const path = fileURLToPath(new URL('command-line-host.ts', import.meta.url));
  // Not with this process's own arguments: they make it a test runner.
  const child = fork(path, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.unref();
  return child;
}

function answerOf(child: ChildProcess): Promise<Finished> {
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
