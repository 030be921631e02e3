import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, appendFile, chown, glob, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';

const PROGRAMS = ['initdb', 'postgres', 'pg_ctl', 'pg_basebackup', 'pg_rewind', 'pg_controldata'];
const START_DEADLINE_MS = 120_000;
const LOOK_MS = 100;

/** The folder of PostgreSQL's programs: the embedded one has no tools for backups and standbys. */
export async function findPostgres(): Promise<string | undefined> {
  const folders = [
    ...(await Array.fromAsync(glob('/usr/lib/postgresql/*/bin'))).sort().reverse(),
    ...(process.env.PATH ?? '').split(':'),
  ];
  for (const folder of folders) {
    const found = await Promise.all(PROGRAMS.map((program) => isThere(join(folder, program))));
    if (found.every(Boolean)) return folder;
  }
  return undefined;
}

export const POSTGRES_IS_MISSING =
  'PostgreSQL with its tools is not installed. On Debian: apt-get install postgresql';

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The user of PostgreSQL's processes, which refuse to run as root. */
export async function postgresUser(): Promise<{ readonly uid?: number; readonly gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const id = async (option: string) => Number((await promisify(execFile)('id', [option, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

/** A new folder that belongs to PostgreSQL's user. */
export async function makeOwnFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const { uid, gid } = await postgresUser();
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
  return path;
}

/** Runs a program as PostgreSQL's user to its end. */
export async function runAsPostgres(program: string, words: readonly string[]): Promise<string> {
  const user = await postgresUser();
  const { stdout } = await promisify(execFile)(program, [...words], {
    ...user,
    cwd: '/',
    maxBuffer: 2 ** 26,
  });
  return stdout;
}

/** A PostgreSQL of this machine, on a folder of its own. */
export class InstalledPostgres {
  readonly folder: string;
  readonly port: number;
  readonly #programs: string;
  #process: ReturnType<typeof spawn> | undefined;
  #output = '';

  constructor(programs: string, folder: string, port: number) {
    this.#programs = programs;
    this.folder = folder;
    this.port = port;
  }

  urlOf(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  async initialize(settings: Readonly<Record<string, string>>): Promise<void> {
    await makeOwnFolder(this.folder);
    const words = ['-D', this.folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'];
    await runAsPostgres(join(this.#programs, 'initdb'), words);
    await this.configure(settings);
  }

  async configure(settings: Readonly<Record<string, string>>): Promise<void> {
    const lines = Object.entries(settings).map(
      ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
    );
    await appendFile(join(this.folder, 'postgresql.conf'), lines.join(''));
  }

  /** Starts it and waits until it takes changes: a recovery has ended by then. */
  async start(): Promise<void> {
    const words = ['-D', this.folder, '-p', String(this.port), '-k', this.folder, '-h', '127.0.0.1'];
    const child = spawn(join(this.#programs, 'postgres'), words, {
      ...(await postgresUser()),
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-20_000);
      });
    }
    for (const deadline = Date.now() + START_DEADLINE_MS; !(await this.#takesChanges()); ) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`PostgreSQL does not start:\n${this.#output}`);
      await delay(LOOK_MS);
    }
  }

  async query<Row extends object>(
    text: string,
    values: unknown[] = [],
    database = 'postgres',
  ): Promise<Row[]> {
    const client = new Client({ connectionString: this.urlOf(database) });
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null) return;
    child.kill('SIGINT');
    await once(child, 'exit');
  }

  #takesChanges(): Promise<boolean> {
    return this.query<{ is: boolean }>('select pg_is_in_recovery() as is').then(
      ([row]) => row?.is === false,
      () => false,
    );
  }
}
