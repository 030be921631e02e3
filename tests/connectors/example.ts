import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type ConnectorKey, keyLine } from '#foundation/connector-protocol/signing.ts';

export type Language = 'python' | 'node';

const PROGRAMS: Readonly<Record<Language, readonly [string, string]>> = {
  python: ['python3', 'examples/connectors/python/connector.py'],
  node: [process.execPath, 'examples/connectors/node/connector.mjs'],
};

/** One of the examples, with a bank of its own. It can be killed and started again at the same address. */
export class ExampleConnector {
  readonly keys: readonly [ConnectorKey, ConnectorKey];
  readonly folder: string;
  readonly #language: Language;
  readonly #nudges: string | undefined;
  #child: ChildProcess | undefined;
  #port = 0;

  private constructor(language: Language, folder: string, nudges: string | undefined) {
    this.#language = language;
    this.#nudges = nudges;
    this.folder = folder;
    this.keys = [newKey(), newKey()];
  }

  /** With `nudges` it calls this URL after its events. */
  static async start(language: Language, nudges?: string): Promise<ExampleConnector> {
    const example = new ExampleConnector(language, await mkdtemp(join(tmpdir(), 'connector-')), nudges);
    await writeFile(example.secretFile, example.keys.map(keyLine).join('\n'));
    await example.startAgain();
    return example;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get secretFile(): string {
    return join(this.folder, 'secrets');
  }

  get database(): string {
    return join(this.folder, 'bank.sqlite');
  }

  async startAgain(): Promise<void> {
    const [program, path] = PROGRAMS[this.#language];
    const child = spawn(program, [path], {
      env: {
        ...process.env,
        SECRET_FILE: this.secretFile,
        DATABASE: this.database,
        PORT: String(this.#port),
        ...(this.#nudges !== undefined && { NUDGE_URL: this.#nudges }),
        PYTHONDONTWRITEBYTECODE: '1',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    for await (const line of createInterface({ input: child.stdout })) {
      const port = /^listening on http:\/\/127\.0\.0\.1:(\d+)$/.exec(line)?.[1];
      if (port === undefined) continue;
      this.#port = Number(port);
      break;
    }
    if (child.exitCode !== null || this.#port === 0) throw new Error('the example did not start');
  }

  /** Ends it as a crash does: nothing more is written. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Loses the store, while it does not run. */
  async forget(): Promise<void> {
    for (const end of FILES) await rm(`${this.database}${end}`, { force: true });
  }

  /** Keeps a copy of everything that it has recorded. */
  async backUp(): Promise<void> {
    await this.kill();
    await this.#copy('', '.backup');
    await this.startAgain();
  }

  /** Replaces everything by the last copy, as after the loss of a disk. */
  async restore(): Promise<void> {
    await this.kill();
    await this.forget();
    await this.#copy('.backup', '');
    await this.startAgain();
  }

  async #copy(from: string, to: string): Promise<void> {
    for (const end of FILES) {
      const [source, target] = [this.database + end + from, this.database + end + to];
      if (existsSync(source)) await copyFile(source, target);
    }
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** SQLite’s. */
const FILES = ['', '-wal', '-shm'];

function newKey(): ConnectorKey {
  return { id: `ConnectorKey:${randomUUID()}`, secret: randomBytes(32) };
}
