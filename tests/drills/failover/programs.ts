import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { findPostgres, postgresUser } from '#tests/drills/postgres/installed-postgres.ts';

/** Programs of a PostgreSQL cluster, each with the Debian package that contains it. */
const PACKAGES = {
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
} as const;

export type ProgramName = keyof typeof PACKAGES;

const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
const OUTPUT_MAX = 20_000;

export async function findProgram(name: ProgramName): Promise<string | undefined> {
  for (const folder of FOLDERS) {
    const path = join(folder, name);
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return undefined;
}

/** Returns which of these programs, and of PostgreSQL's own, are missing on the machine. Undefined: none. */
export async function describeMissing(names: readonly ProgramName[]): Promise<string | undefined> {
  const missing: { readonly name: string; readonly packaged: string }[] = [];
  if ((await findPostgres()) === undefined) {
    missing.push({ name: 'PostgreSQL with its tools', packaged: 'postgresql' });
  }
  for (const name of names) {
    if ((await findProgram(name)) === undefined) missing.push({ name, packaged: PACKAGES[name] });
  }
  if (missing.length === 0) return undefined;
  const packages = missing.map(({ packaged }) => packaged).join(' ');
  const listed = missing.map(({ name }) => name).join(' and ');
  return `${listed} is not installed. On Debian: apt-get install ${packages}`;
}

/** Returns the version that a program prints, such as 3.0.2. */
export async function versionOf(program: string, option = '--version'): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [option]);
  return /\d+\.\d+(\.\d+)?/.exec(stdout)?.[0] ?? stdout;
}

/**
 * Chooses which of two interfaces of etcd Patroni uses. With the newer one, Patroni before 3.0.3 lets a leader that was stopped take the
 * lock from its successor (its pull request 2689), and then no follower is the synchronous one any more.
 */
export async function interfaceOfEtcd(): Promise<'etcd' | 'etcd3'> {
  const version = await versionOf((await findProgram('patroni')) as string);
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return major * 1e4 + minor * 100 + patch < 30_003 ? 'etcd' : 'etcd3';
}

/** A program that runs until it is ended, as PostgreSQL's user. */
export class RunningProgram {
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;
  #output = '';

  private constructor(process: ChildProcess) {
    this.#process = process;
    this.#ended = once(process, 'close');
    for (const stream of [process.stdout, process.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-OUTPUT_MAX);
      });
    }
  }

  static async start(path: string, words: readonly string[]): Promise<RunningProgram> {
    const child = spawn(path, [...words], {
      ...(await postgresUser()),
      cwd: '/',
      env: { PATH: FOLDERS.join(delimiter), HOME: '/', LC_ALL: 'C.UTF-8', PYTHONUNBUFFERED: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new RunningProgram(child);
  }

  /** The end of its output. */
  get output(): string {
    return this.#output;
  }

  get hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.hasEnded) this.#process.kill(signal);
  }

  /** Waits for the process itself: a child may keep its streams open. */
  async kill(): Promise<void> {
    if (this.hasEnded) return;
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exited;
    this.#process.stdout?.destroy();
    this.#process.stderr?.destroy();
    await this.#ended;
  }
}
