import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { openDatabase } from '#foundation/database/database.ts';
import { attachEmbedded } from '#foundation/database/embedded/embedded.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { LEASE_MS } from '#foundation/jobs/leases.ts';
import type { Answer, ApiRequest, Deployment } from '#tests/drills/deployment.ts';
import { type Environment, type Server, serve } from '#tests/harness/corridor-process.ts';
import { prepareDataFolder } from '#tests/harness/prepared-data-folder.ts';

/** While the lease of a killed process runs out, which takes seconds, each look costs processor time. */
export const LEASE_LOOK_MS = 500;

/** The real service on its own data folder, as clients see it: it stops, and restarts at another address. */
export class Site implements Deployment {
  readonly environment: Environment & { readonly DATA_DIR: string };
  kills = 0;
  readonly faults: string[] = [];
  readonly #authorization: string;
  #server: Server | undefined;
  #pool: Pool | undefined;
  #basePath = '';
  #isDown = true;
  #killedAt = 0;
  #isUp = Promise.withResolvers<void>();

  private constructor(environment: Environment & { DATA_DIR: string }, authorization: string) {
    this.environment = environment;
    this.#authorization = authorization;
  }

  /** A fresh folder, and the server started on it. */
  static async open(settings: Environment = {}): Promise<Site> {
    const id = randomBytes(16).toString('hex');
    const secret = randomBytes(24).toString('hex');
    const site = new Site(
      {
        ...settings,
        DATA_DIR: await prepareDataFolder(await mkdtemp(join(tmpdir(), 'corridor-drill-'))),
        API_TOKEN_ID: id,
        API_CLIENT_SECRET: secret,
      },
      `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
    );
    await site.start();
    return site;
  }

  /** Long after the kill, the leases of the killed process have expired; otherwise they expire in real time. */
  async start({ isLongAfter = false } = {}): Promise<void> {
    this.#server = await serve(this.environment);
    if (isLongAfter) await this.#expireLeases();
    const { origin, pathname } = new URL(this.#server.told.baseUrl ?? '');
    this.#basePath = pathname;
    this.#pool = new Pool(origin, { connections: 16 });
    this.#isDown = false;
    this.#isUp.resolve();
  }

  async kill(target: 'server' | 'database'): Promise<void> {
    const pid = await this.#databasePid();
    this.#isUp = Promise.withResolvers<void>();
    this.#isDown = true;
    this.kills++;
    if (target === 'server') this.#server?.kill('SIGKILL');
    else process.kill(pid, 'SIGKILL');
    // Without its database the server ends by itself.
    await this.#server?.finished;
    this.#killedAt = Date.now();
    this.#server = undefined;
    await this.#pool?.destroy();
  }

  /** The new process has leases already, which expire later. It has no calls yet. */
  async #expireLeases(): Promise<void> {
    const database = openDatabase({ url: await this.databaseUrl(), connectionsMax: 1 });
    const [now, lastUntil] = [new Date(), new Date(this.#killedAt + LEASE_MS)];
    try {
      for (const table of ['jobs', 'webhook_queues']) {
        await database.query(
          sql`update ${rawSql(table)} set leased_until = ${now} where leased_until <= ${lastUntil}`,
        );
      }
      await database.query(
        sql`update idempotency_keys set leased_until = ${now} where leased_until > ${now}`,
      );
    } finally {
      await database.close();
    }
  }

  /** Stops it normally, and removes the folder. */
  async close(): Promise<void> {
    this.#server?.kill('SIGTERM');
    await this.#server?.finished;
    await this.#pool?.destroy();
    await rm(this.environment.DATA_DIR, { recursive: true, force: true });
  }

  /** The address of the current server. */
  async databaseUrl(): Promise<string> {
    const attached = await attachEmbedded(this.environment.DATA_DIR);
    assert.ok(attached, 'a server runs on the folder');
    return attached.url;
  }

  /** Calls as the first platform, unless the call names another. */
  async ask({ method, path, body, key, authorization = this.#authorization }: ApiRequest): Promise<Answer> {
    const headers = {
      authorization,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(method === 'POST' && { 'idempotency-key': key ?? randomBytes(12).toString('hex') }),
    };
    const sent = { method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    for (;;) {
      await this.#isUp.promise;
      const answer = await this.#askOnce(sent);
      if (answer === undefined) continue;
      if (answer.status < 500) return answer;
      if (!this.#isDown) this.faults.push(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    }
  }

  /** The same, but the call must succeed. */
  async call(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) {
    const { status, text } = await this.ask({ method, path, ...(body !== undefined && { body }) });
    assert.ok(status < 300, `${method} ${path} answered ${status}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }

  async #askOnce(request: {
    method: ApiRequest['method'];
    path: string;
    headers: Record<string, string>;
    body?: string;
  }): Promise<Answer | undefined> {
    try {
      const reply = await (this.#pool as Pool).request({ ...request, path: this.#basePath + request.path });
      return { status: reply.statusCode, text: await reply.body.text(), headers: reply.headers };
    } catch {
      await new Promise((resolve) => setImmediate(resolve));
      return undefined;
    }
  }

  async #databasePid(): Promise<number> {
    const cwd = this.environment.DATA_DIR;
    const [found] = await Array.fromAsync(glob('postgres/**/postmaster.pid', { cwd }));
    assert.ok(found, 'the embedded database left no pid file');
    const text = await readFile(join(cwd, found), 'utf8');
    return Number(text.split('\n')[0]);
  }
}
