import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type EmbeddedDatabase, startEmbedded } from '#foundation/database/embedded/embedded.ts';
import { type Door, openDoor } from '#tests/drills/door.ts';
import { Processes, type Role } from '#tests/drills/processes.ts';
import type { Environment } from '#tests/harness/corridor-process.ts';
import { createPersonKeysBeside, personKeysBeside } from '#tests/harness/databases.ts';
import { prepareDataFolder } from '#tests/harness/prepared-data-folder.ts';

export interface ClusterOptions {
  /** Of all processes. */
  readonly settings?: Environment;
  /** Of each process in addition, by the order of their starts: two APIs, two workers, then those that replace others. */
  settingsOf?(started: number): Environment;
  /** The roles of the processes; by default two APIs and two workers. */
  readonly roles?: readonly Role[];
  /** Prepares the database before the first process starts, and returns the address by which the processes reach it. */
  prepare?(url: string): Promise<string>;
}

/** Two API processes and two workers, on a PostgreSQL that can stop and restart at the same address. */
export class Cluster extends Processes {
  readonly #folder: string;
  readonly #door: Door;
  #database: EmbeddedDatabase;

  private constructor(
    folder: string,
    database: EmbeddedDatabase,
    door: Door,
    {
      url: prepared,
      settings,
      settingsOf,
    }: Required<Omit<ClusterOptions, 'prepare' | 'roles'>> & { readonly url: string },
  ) {
    const url = new URL(prepared);
    url.port = String(door.port);
    const keysUrl = new URL(database.url);
    keysUrl.port = url.port;
    const environment = {
      ...settings,
      DATA_DIR: folder,
      DATABASE_URL: url.toString(),
      PERSON_KEYS_URL: personKeysBeside(keysUrl.toString()),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    };
    super(environment, settingsOf);
    this.#folder = folder;
    this.#database = database;
    this.#door = door;
  }

  static async open({
    settings = {},
    settingsOf = () => ({}),
    roles = ['api', 'api', 'worker', 'worker'],
    prepare = async (url) => url,
  }: ClusterOptions = {}): Promise<Cluster> {
    const folder = await prepareDataFolder(await mkdtemp(join(tmpdir(), 'corridor-drill-')));
    const database = await startEmbedded({ dataDir: folder, report: () => undefined });
    await createPersonKeysBeside(database.url);
    const url = await prepare(database.url);
    const cluster = new Cluster(folder, database, await openDoor(portOf(database)), {
      url,
      settings,
      settingsOf,
    });
    await cluster.startAll(roles);
    return cluster;
  }

  /** Takes the database away for this time, plus PostgreSQL's own start. */
  async restartDatabase(awayMs: number): Promise<void> {
    const began = performance.now();
    this.excuse(awayMs);
    this.#door.shut();
    await this.#database.stop();
    await this.#restart();
    await delay(Math.max(0, awayMs - (performance.now() - began)));
    this.#door.open(portOf(this.#database));
    this.excuse();
  }

  /** Ends PostgreSQL as a crash would, and starts it on the same files. */
  async killDatabase(): Promise<void> {
    this.kills++;
    this.excuse(60_000);
    process.kill(this.#database.pid, 'SIGKILL');
    await this.#database.exited;
    this.#door.shut();
    await this.#database.stop();
    await this.#restart();
    this.#door.open(portOf(this.#database));
    this.excuse();
  }

  async close(): Promise<void> {
    await this.stop();
    this.#door.close();
    await this.#database.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #restart(): Promise<void> {
    this.#database = await startEmbedded({ dataDir: this.#folder, report: () => undefined });
  }
}

function portOf(database: EmbeddedDatabase): number {
  return Number(new URL(database.url).port);
}
