import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { type EmbeddedDatabase, startEmbedded } from '#foundation/database/embedded/embedded.ts';
import type { Answer, ApiRequest, Deployment } from '#tests/drills/deployment.ts';
import { type Environment, type Server, serve } from '#tests/harness/corridor-process.ts';
import { createPersonKeysBeside, personKeysBeside } from '#tests/harness/databases.ts';
import { prepareDataFolder } from '#tests/harness/prepared-data-folder.ts';

const AGAIN_MS = 50;

export interface ClusterOptions {
  /** Of all processes. */
  readonly settings?: Environment;
  /** Of each process in addition, by the order of their starts: two APIs, two workers, then those that replace others. */
  settingsOf?(started: number): Environment;
}

/** Two API processes and two workers, on a PostgreSQL that can stop and restart at the same address. */
export class Cluster implements Deployment {
  readonly environment: Environment & Readonly<Record<'DATA_DIR' | 'DATABASE_URL', string>>;
  kills = 0;
  readonly faults: string[] = [];
  readonly #door: Door;
  readonly #servers: Server[] = [];
  readonly #apis: { readonly pool: Pool; readonly basePath: string }[] = [];
  /** The settings of each process, by the order of their starts, beside those of all. */
  readonly #settingsOf: (started: number) => Environment;
  #database: EmbeddedDatabase;
  #asked = 0;
  #started = 0;

  private constructor(
    folder: string,
    database: EmbeddedDatabase,
    door: Door,
    { settings, settingsOf }: Required<ClusterOptions>,
  ) {
    this.#settingsOf = settingsOf;
    this.#database = database;
    this.#door = door;
    const url = new URL(database.url);
    url.port = String(door.port);
    this.environment = {
      ...settings,
      DATA_DIR: folder,
      DATABASE_URL: url.toString(),
      PERSON_KEYS_URL: personKeysBeside(url.toString()),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    };
  }

  static async open({ settings = {}, settingsOf = () => ({}) }: ClusterOptions = {}): Promise<Cluster> {
    const folder = await prepareDataFolder(await mkdtemp(join(tmpdir(), 'corridor-drill-')));
    const database = await startEmbedded({ dataDir: folder, report: () => undefined });
    await createPersonKeysBeside(database.url);
    const cluster = new Cluster(folder, database, await openDoor(portOf(database)), { settings, settingsOf });
    for (const role of ['api', 'api']) await cluster.#start(role);
    await Promise.all(['worker', 'worker'].map((role) => cluster.#start(role)));
    return cluster;
  }

  /** Takes the database away for this time, plus PostgreSQL's own start. */
  async restartDatabase(awayMs: number): Promise<void> {
    const began = performance.now();
    this.#door.shut();
    await this.#database.stop();
    this.#database = await startEmbedded({ dataDir: this.environment.DATA_DIR, report: () => undefined });
    await delay(Math.max(0, awayMs - (performance.now() - began)));
    this.#door.open(portOf(this.#database));
  }

  /** Ends one of the workers as a crash would, and starts another. */
  async replaceWorker(): Promise<void> {
    const [killed] = this.#servers.splice(-1);
    this.kills++;
    killed?.kill('SIGKILL');
    await killed?.finished;
    await this.#start('worker');
  }

  /** Sends a signal to one of its processes, or to all. */
  signal(signal: NodeJS.Signals, which?: number): void {
    const servers = which === undefined ? this.#servers : [this.#servers[which % this.#servers.length]];
    for (const server of servers) server?.kill(signal);
  }

  async databaseUrl(): Promise<string> {
    return this.environment.DATABASE_URL;
  }

  /** Calls the processes in turn. */
  async ask({ method, path, body, key, authorization = '' }: ApiRequest): Promise<Answer> {
    const headers = {
      authorization,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(method === 'POST' && { 'idempotency-key': key ?? randomBytes(12).toString('hex') }),
    };
    const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    for (;;) {
      const api = this.#apis[this.#asked++ % this.#apis.length];
      const reply = await api?.pool.request({ ...sent, path: api.basePath + path }).catch(() => undefined);
      const text = await reply?.body.text().catch(() => undefined);
      if (reply && text !== undefined && reply.statusCode < 500) {
        return { status: reply.statusCode, text, headers: reply.headers };
      }
      if (reply) this.faults.push(`${method} ${path} answered ${reply.statusCode}: ${text}`);
      await delay(AGAIN_MS);
    }
  }

  /** Ends the processes; their database keeps running. */
  async stop(): Promise<void> {
    const servers = this.#servers.splice(0);
    for (const server of servers) server.kill('SIGTERM');
    await Promise.all(servers.map((server) => server.finished));
    await Promise.all(this.#apis.splice(0).map(({ pool }) => pool.destroy()));
  }

  async close(): Promise<void> {
    await this.stop();
    this.#door.close();
    await this.#database.stop();
    await rm(this.environment.DATA_DIR, { recursive: true, force: true });
  }

  async #start(role: string): Promise<void> {
    const environment = { ...this.environment, ...this.#settingsOf(this.#started++) };
    const server = await serve(environment, ['--role', role]);
    this.#servers.push(server);
    void server.finished.then(({ code, stderr }) => {
      if (this.#servers.includes(server)) this.faults.push(`the ${role} ended with ${code}: ${stderr}`);
    });
    if (server.told.baseUrl === undefined) return;
    const { origin, pathname } = new URL(server.told.baseUrl);
    this.#apis.push({ pool: new Pool(origin, { connections: 32 }), basePath: pathname });
  }
}

interface Door {
  readonly port: number;
  open(to: number): void;
  /** Closes all connections, and refuses new ones. */
  shut(): void;
  close(): void;
}

/** A fixed address for a server whose own address changes with every start. */
async function openDoor(firstTo: number): Promise<Door> {
  const inside = new Set<Socket>();
  let to: number | undefined = firstTo;
  const server = createServer((socket) => {
    if (to === undefined) return void socket.resetAndDestroy();
    const onward = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      inside.add(one);
      one
        .on('error', () => undefined)
        .on('close', () => {
          inside.delete(one);
          other.destroy();
        });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const shut = () => {
    to = undefined;
    for (const socket of inside) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    open: (port) => {
      to = port;
    },
    shut,
    close: () => {
      shut();
      server.close();
    },
  };
}

function portOf(database: EmbeddedDatabase): number {
  return Number(new URL(database.url).port);
}
