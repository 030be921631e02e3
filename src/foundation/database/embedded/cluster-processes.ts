import { execFile } from 'node:child_process';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { codeOf, EmbeddedError, undefinedIfMissing } from '#foundation/database/embedded/embedded-error.ts';
import type { EmbeddedFolder } from '#foundation/database/embedded/embedded-folder.ts';

/** Only for the owner of the folder: ends the processes that an earlier, killed run left on its cluster. */
export async function stopLeftovers(folder: EmbeddedFolder, report: (line: string) => void): Promise<void> {
  const name = await clusterName(folder);
  const found = await findProcesses(name);
  if (found.length > 0) {
    report(`Stopping the PostgreSQL that an earlier run left behind (process ${found[0]?.pid}) …`);
    await stopAll(name);
  }
  await removeStalePidFile(folder);
}

/**
 * PostgreSQL shows this name in the titles of all its processes. It is derived from the identity of the
 * folder and not stored in it, so that a copy of the folder has another name than the original.
 */
export async function clusterName(folder: EmbeddedFolder): Promise<string> {
  const { dev, ino } = await stat(folder.cluster, { bigint: true });
  return `corridor-${dev}-${ino}`;
}

/** First on the command line, where `findProcesses` looks for it. */
export function clusterNameArguments(name: string): string[] {
  return ['-c', `cluster_name=${name}`];
}

export interface ClusterProcess {
  readonly pid: number;
  readonly isPostmaster: boolean;
}

/** Processes are identified by their command line, never by a recorded id alone: ids are reused. */
export async function findProcesses(name: string): Promise<ClusterProcess[]> {
  const running = process.platform === 'linux' ? await listFromProc() : await listFromPs();
  const commandLine = `/postgres ${clusterNameArguments(name).join(' ')} `;
  const found = running.filter(
    ({ command }) => command.startsWith(`postgres: ${name}: `) || command.includes(commandLine),
  );
  const pids = new Set(found.map(({ pid }) => pid));
  // A child shows the command line of its postmaster until it has set its own title.
  return found.map(({ pid, parentPid, command }) => ({
    pid,
    isPostmaster: command.includes(commandLine) && !pids.has(parentPid),
  }));
}

/** A process whose program is `postgres`; merely naming it on the command line does not count. */
interface RunningPostgres {
  pid: number;
  parentPid: number;
  command: string;
}

async function listFromProc(): Promise<RunningPostgres[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  const processes = await Promise.all(pids.map(readProcess));
  return processes.filter((running) => running !== undefined);
}

async function readProcess(pid: number): Promise<RunningPostgres | undefined> {
  // A process may end after it was listed, or between the two reads.
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  const words = (await read('cmdline')).split('\0');
  if (!words[0]?.match(/^postgres: |\/postgres$/)) return undefined;
  const parentPid = Number(/^PPid:\s+(\d+)$/m.exec(await read('status'))?.[1] ?? 0);
  return { pid, parentPid, command: words.join(' ') };
}

async function listFromPs(): Promise<RunningPostgres[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,ppid=,ucomm=,command='], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parentPid, command] = /^\s*(\d+)\s+(\d+)\s+postgres\s+(.*)$/.exec(line) ?? [];
    return pid && command ? [{ pid: Number(pid), parentPid: Number(parentPid), command: `${command} ` }] : [];
  });
}

/** Fast shutdown first, then without a checkpoint, then by force; recovery makes each of them safe. */
const escalation: { signal: NodeJS.Signals; waitMs: number }[] = [
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGQUIT', waitMs: 8_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];

async function stopAll(name: string): Promise<void> {
  for (const { signal, waitMs } of escalation) {
    const found = await findProcesses(name);
    // Orphaned children exit by themselves once they notice; only those that do not are signalled.
    const targets = signal === 'SIGINT' ? found.filter((leftover) => leftover.isPostmaster) : found;
    for (const { pid } of targets) send(pid, signal);
    if (await haveEnded(name, waitMs)) return;
  }
  const left = (await findProcesses(name)).map(({ pid }) => pid).join(', ');
  throw new EmbeddedError(
    `A PostgreSQL of an earlier run does not end (processes ${left}); end it by hand and start again.`,
  );
}

async function haveEnded(name: string, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  while ((await findProcesses(name)).length > 0) {
    if (performance.now() > deadline) return false;
    await delay(20);
  }
  return true;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return;
    throw new EmbeddedError(
      `A PostgreSQL of an earlier run (process ${pid}) belongs to another user; end it and start again.`,
      { cause: error },
    );
  }
}

/**
 * PostgreSQL removes its own stale file, except when the id in it now belongs to another process (or to
 * a zombie): then it takes that process for a server and refuses. None of our processes runs any more.
 */
async function removeStalePidFile(folder: EmbeddedFolder): Promise<void> {
  const path = join(folder.cluster, 'postmaster.pid');
  const content = await undefinedIfMissing(readFile(path, 'utf8'));
  if (content === undefined) return;
  // Empty or incomplete if the machine went down while it was written.
  const pid = Number.parseInt(content, 10);
  if (!(pid > 0) || exists(pid)) await rm(path, { force: true });
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}
