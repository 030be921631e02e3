import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, type FileHandle, open, readFile, stat, truncate } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from '#foundation/database/embedded/binaries.ts';
import { clusterName, clusterNameArguments } from '#foundation/database/embedded/cluster-processes.ts';
import { codeOf, EmbeddedError, undefinedIfMissing } from '#foundation/database/embedded/embedded-error.ts';
import type { EmbeddedFolder } from '#foundation/database/embedded/embedded-folder.ts';
import { bareEnvironment, type RunAs, workingFolder } from '#foundation/database/embedded/run-as.ts';
import {
  baseSettings,
  fixedSettings,
  type Settings,
  settingArguments,
} from '#foundation/database/embedded/settings.ts';

/** A running PostgreSQL that accepts connections. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** Resolves with the exit code, or null after a signal. */
  readonly exited: Promise<number | null>;
  /** Rolls back open transactions and closes connections. */
  stop(): Promise<void>;
}

export interface LaunchOptions {
  binaries: Binaries;
  as: RunAs;
  settings: Settings;
  report(line: string): void;
  signal?: AbortSignal | undefined;
}

export async function launchPostmaster(folder: EmbeddedFolder, options: LaunchOptions): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const launched = await launchOn(port, folder, options);
    if (!('failure' in launched)) return launched;
    // Another process may have taken the port in between.
    const isPortTaken = /could not bind|could not create any TCP\/IP sockets/.test(launched.failure);
    if (!isPortTaken || attempt === portAttemptsMax) throw new EmbeddedError(launched.failure);
  }
}

const portAttemptsMax = 5;

async function launchOn(
  port: number,
  folder: EmbeddedFolder,
  { binaries, as, settings, report, signal }: LaunchOptions,
): Promise<Postmaster | { failure: string }> {
  const name = await clusterName(folder);
  const log = await openLog(folder.log);
  const { size: logStart } = await log.stat();
  const child = spawn(
    binaries.postgres,
    [
      ...clusterNameArguments(name),
      '-D',
      workingFolder ?? folder.cluster,
      ...settingArguments({ ...baseSettings, ...settings, ...fixedSettings(port) }),
    ],
    {
      ...as,
      cwd: folder.cluster,
      env: bareEnvironment(),
      stdio: ['ignore', log.fd, log.fd],
      // Its own process group: Ctrl-C in a terminal reaches us alone, and we drain first.
      detached: true,
    },
  );
  const exited = awaitExit(child);
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw cannotSpawn(binaries, error);
  } finally {
    await log.close();
  }
  const isReady = await becomesReady(child, { folder, exited, report, signal });
  if (signal?.aborted) {
    await stopChild(child, exited);
    signal.throwIfAborted();
  }
  if (isReady) {
    return { pid: child.pid as number, port, exited, stop: () => stopChild(child, exited) };
  }
  const tail = await logTail(folder.log, logStart);
  return { failure: `PostgreSQL does not start in ${folder.dataDir}. It says (${folder.log}):\n${tail}` };
}

function awaitExit(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code));
    // A signal that could not be sent: the process still runs, which the caller's timeout notices.
    child.on('error', () => {});
  });
}

/** Recovery after a crash may take any time, so there is no timeout: only the end of the process ends the wait. */
async function becomesReady(
  child: ChildProcess,
  {
    folder,
    exited,
    report,
    signal,
  }: Pick<LaunchOptions, 'report' | 'signal'> & { folder: EmbeddedFolder; exited: Promise<unknown> },
): Promise<boolean> {
  const notice = setTimeout(() => report('PostgreSQL is recovering from its log …'), noticeMs);
  const ended = exited.then(() => true);
  try {
    while (!(await isReady(folder, child.pid))) {
      if (signal?.aborted) return false;
      if (await Promise.race([ended, delay(pollMs, false)])) return false;
    }
    return true;
  } finally {
    clearTimeout(notice);
  }
}

const noticeMs = 3_000;
const pollMs = 15;

/** PostgreSQL keeps its state in the eighth line of its pid file. A standby answers reads. */
async function isReady(folder: EmbeddedFolder, pid: number | undefined): Promise<boolean> {
  const content = await undefinedIfMissing(readFile(join(folder.cluster, 'postmaster.pid'), 'utf8'));
  const lines = content?.split('\n') ?? [];
  return lines[0] === String(pid) && ['ready', 'standby'].includes(lines[7]?.trim() ?? '');
}

/** Fast shutdown; without a checkpoint if that takes too long; by force if nothing else helps. */
async function stopChild(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
  ];
  for (const [signal, waitMs] of steps) {
    if (hasEnded(child)) return;
    child.kill(signal);
    const timeout = new AbortController();
    const ended = exited.then(() => true);
    const isOver = await Promise.race([ended, delay(waitMs, false, { signal: timeout.signal })]);
    timeout.abort();
    if (isOver) return;
  }
  child.kill('SIGKILL');
  await exited;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string')
    throw new EmbeddedError('There is no free local port.');
  return address.port;
}

function cannotSpawn(binaries: Binaries, error: unknown): EmbeddedError {
  return new EmbeddedError(
    `PostgreSQL cannot be run from ${binaries.postgres} (${codeOf(error) ?? error}); ` +
      'start Corridor as an ordinary user, or set DATABASE_URL.',
    { cause: error },
  );
}

/** Opens the log for PostgreSQL to inherit, because its user may have no access to the folder. */
export async function openLog(path: string): Promise<FileHandle> {
  await boundLog(path);
  return open(path, 'a', 0o600);
}

/** Limits the size of the log and keeps one earlier part. PostgreSQL appends, so truncating the file is safe. */
export async function boundLog(path: string): Promise<void> {
  const found = await undefinedIfMissing(stat(path));
  if (!found || found.size <= logBytesMax) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}

/** The last lines written since the log was this long. */
export async function logTail(path: string, sinceByte: number): Promise<string> {
  const log = await undefinedIfMissing(open(path, 'r'));
  if (!log) return '';
  try {
    const { size } = await log.stat();
    const start = Math.max(Math.min(sinceByte, size), size - tailBytesMax);
    const { buffer, bytesRead } = await log.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n').slice(-tailLinesMax).join('\n');
  } finally {
    await log.close();
  }
}

const logBytesMax = 5 * 1024 * 1024;
const tailBytesMax = 16 * 1024;
const tailLinesMax = 15;
