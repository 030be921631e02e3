import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { EmbeddedDatabase } from '#foundation/database/embedded/embedded.ts';

/** A PostgreSQL whose backends count their instructions. */
export interface CountedServer {
  /** The pieces of work that backends have finished since the last call, in the order of each backend. */
  collect(): Promise<Piece[]>;
  stop(): Promise<void>;
}

/** What one backend did up to a mark: the end of a statement, or the end of a round trip. */
export interface Piece {
  readonly instructions: number;
  readonly endsTrip: boolean;
  /** The profile as callgrind wrote it. */
  readonly profile: string;
}

/** PostgreSQL calls the first at the end of every statement of a client, and the second before it waits for the next trip. */
const [STATEMENT_ENDS, TRIP_ENDS] = ['EndCommand', 'ReadyForQuery'];

export function hasValgrind(): boolean {
  return process.platform === 'linux' && spawnSync('valgrind', ['--version']).status === 0;
}

export function requireValgrind(): void {
  if (hasValgrind()) return;
  throw new Error(
    'this needs Linux and valgrind, which counts the instructions (Debian: apt-get install valgrind)',
  );
}

/** Stops the server and starts it again on the same port, with the same settings, under valgrind. */
export async function restartUnderValgrind(embedded: EmbeddedDatabase): Promise<CountedServer> {
  const { program, words, folder, uid, gid } = await readProcess(embedded.pid);
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
  await embedded.stop();
  const profiles = join(folder, 'profiles');
  await mkdir(profiles);
  await chown(profiles, uid, gid);
  const child = spawn(
    'valgrind',
    [
      ...['--tool=callgrind', '--vgdb=no', '-q', '--compress-strings=no', '--compress-pos=no'],
      ...[`--dump-before=${STATEMENT_ENDS}`, `--dump-before=${TRIP_ENDS}`],
      // The folders above may be closed to PostgreSQL's user; its working directory is not.
      '--callgrind-out-file=/proc/self/cwd/profiles/%p',
      ...[program, ...words, '-c', 'autovacuum=off'],
    ],
    { uid, gid, cwd: folder, env, stdio: 'ignore' },
  );
  const exited = once(child, 'exit');
  const end = () => void child.kill('SIGQUIT');
  process.once('exit', end);
  await becomesReady(embedded.url, exited);
  return {
    collect: () => collect(profiles),
    async stop() {
      child.kill('SIGINT');
      await exited;
      process.off('exit', end);
    },
  };
}

async function readProcess(pid: number) {
  const [command, status] = await Promise.all([
    readFile(`/proc/${pid}/cmdline`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
  ]);
  const idOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return {
    program: await readlink(`/proc/${pid}/exe`),
    words: command.split('\0').slice(1, -1),
    folder: await readlink(`/proc/${pid}/cwd`),
    uid: idOf('Uid'),
    gid: idOf('Gid'),
  };
}

async function becomesReady(url: string, exited: Promise<unknown>): Promise<void> {
  let hasExited = false;
  void exited.then(() => {
    hasExited = true;
  });
  while (!hasExited) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.end();
    } catch {
      await delay(250);
    }
  }
  throw new Error('PostgreSQL does not start under valgrind');
}

/** A backend writes `<pid>.<number>` at each mark, before it answers. */
async function collect(folder: string): Promise<Piece[]> {
  const found = (await readdir(folder)).flatMap((name) => {
    const [pid, no] = name.split('.').map(Number);
    return no === undefined ? [] : [{ name, pid: pid ?? 0, no }];
  });
  found.sort((a, b) => a.pid - b.pid || a.no - b.no);
  return Promise.all(found.map(({ name }) => takePiece(join(folder, name))));
}

async function takePiece(path: string): Promise<Piece> {
  const profile = await readFile(path, 'latin1');
  await rm(path);
  return {
    instructions: Number(/^summary: (\d+)$/m.exec(profile)?.[1] ?? 0),
    endsTrip: profile.includes(`--dump-before=${TRIP_ENDS}`),
    profile,
  };
}
