import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Answer, ApiRequest, Deployment } from '#tests/drills/deployment.ts';
import { type Environment, type Server, serve } from '#tests/harness/corridor-process.ts';

const AGAIN_MS = 50;
/** After a fault has ended, 503 may still be answered for this long: connections that it broke are noticed late. */
const EXCUSED_MS = 15_000;

/** How much of the log of a process that ended by itself is shown. */
const LOG_SHOWN = 6_000;

export type Role = 'api' | 'worker';

interface Slot {
  readonly role: Role;
  server: Server | undefined;
  api: { readonly pool: Pool; readonly basePath: string } | undefined;
}

/** Processes of one service on a database that somebody else runs. A killed process is replaced by a new one. */
export class Processes implements Deployment {
  readonly environment: Environment & { readonly DATABASE_URL: string };
  kills = 0;
  /** How often a call was answered 503 while a fault explained it, and repeated. */
  unavailable = 0;
  readonly faults: string[] = [];
  /** The settings of each process in addition, by the order of their starts. */
  readonly #settingsOf: (started: number) => Environment;
  readonly #slots: Slot[] = [];
  readonly #waiting = new Set<{ readonly since: number; succeeded(ms: number): void }>();
  #excusedUntil = 0;
  #asked = 0;
  #started = 0;
  #isStopping = false;

  constructor(
    environment: Environment & { readonly DATABASE_URL: string },
    settingsOf: (started: number) => Environment = () => ({}),
  ) {
    this.environment = environment;
    this.#settingsOf = settingsOf;
  }

  /** The first process migrates the schema. */
  async startAll(roles: readonly Role[]): Promise<void> {
    const [first, ...others] = roles.map((role) => ({ role, server: undefined, api: undefined }) as Slot);
    for (const slot of [first, ...others]) if (slot) this.#slots.push(slot);
    if (first) await this.#start(first);
    await Promise.all(others.map((slot) => this.#start(slot)));
  }

  async databaseUrl(): Promise<string> {
    return this.environment.DATABASE_URL;
  }

  /** Something is about to happen, or has just happened, for which 503 is the right answer. */
  excuse(forMs = 0): void {
    this.#excusedUntil = Math.max(this.#excusedUntil, performance.now() + forMs + EXCUSED_MS);
  }

  /** Does something during which 503 is the right answer. */
  async excused<Result>(step: () => Promise<Result>): Promise<Result> {
    this.#excusedUntil = Number.POSITIVE_INFINITY;
    try {
      return await step();
    } finally {
      this.#excusedUntil = performance.now() + EXCUSED_MS;
    }
  }

  /** Milliseconds until the first success of a change that is asked for from now on. */
  nextSuccess(): Promise<number> {
    return new Promise((succeeded) => this.#waiting.add({ since: performance.now(), succeeded }));
  }

  /** Ends a process of this role as a crash would, and starts another. */
  async replace(role: Role, which = 0): Promise<void> {
    const slots = this.#slots.filter((slot) => slot.role === role);
    const slot = slots[which % slots.length] as Slot;
    const { server } = slot;
    slot.server = undefined;
    this.kills++;
    this.excuse();
    server?.kill('SIGKILL');
    await server?.finished;
    await slot.api?.pool.destroy();
    slot.api = undefined;
    await this.#start(slot);
  }

  /** Sends a signal to one of the processes. */
  signal(signal: NodeJS.Signals, which: number): void {
    this.#slots[which % this.#slots.length]?.server?.kill(signal);
  }

  /** The processes that run, with their roles. */
  servers(): { readonly role: Role; readonly server: Server }[] {
    return this.#slots.flatMap(({ role, server }) => (server ? [{ role, server }] : []));
  }

  /** Calls the API processes in turn. */
  async ask({ method, path, body, key, authorization = '' }: ApiRequest): Promise<Answer> {
    const headers = {
      authorization,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(method === 'POST' && { 'idempotency-key': key ?? randomBytes(12).toString('hex') }),
    };
    const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    for (;;) {
      const began = performance.now();
      const answer = await this.#askOnce(sent, path);
      if (answer && answer.status < 500) {
        if (method === 'POST' && answer.status < 300) this.#note(began);
        return answer;
      }
      if (answer?.status === 503 && began < this.#excusedUntil) this.unavailable++;
      else if (answer) this.faults.push(`${method} ${path} answered ${answer.status}: ${answer.text}`);
      await delay(AGAIN_MS);
    }
  }

  /** Ends the processes; their database keeps running. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const slots = this.#slots.splice(0);
    for (const { server } of slots) server?.kill('SIGTERM');
    await Promise.all(slots.map(({ server }) => server?.finished));
    await Promise.all(slots.map(({ api }) => api?.pool.destroy()));
  }

  async #askOnce(
    sent: { method: ApiRequest['method']; headers: Record<string, string>; body?: string },
    path: string,
  ): Promise<Answer | undefined> {
    const apis = this.#slots.flatMap(({ api }) => api ?? []);
    const api = apis[this.#asked++ % apis.length];
    const reply = await api?.pool.request({ ...sent, path: api.basePath + path }).catch(() => undefined);
    const text = await reply?.body.text().catch(() => undefined);
    return reply && text !== undefined
      ? { status: reply.statusCode, text, headers: reply.headers }
      : undefined;
  }

  #note(began: number): void {
    for (const one of this.#waiting) {
      if (began < one.since) continue;
      this.#waiting.delete(one);
      one.succeeded(performance.now() - one.since);
    }
  }

  async #start(slot: Slot): Promise<void> {
    const environment = { ...this.environment, ...this.#settingsOf(this.#started++) };
    const server = await serve(environment, ['--role', slot.role]);
    slot.server = server;
    void server.finished.then(({ code, stdout, stderr }) => {
      const isExpected = this.#isStopping || slot.server !== server;
      if (isExpected) return;
      // Its log says why; the last lines are about its end.
      this.faults.push(`the ${slot.role} ended with ${code}: ${stderr}${stdout.slice(-LOG_SHOWN)}`);
    });
    if (server.told.baseUrl === undefined) return;
    const { origin, pathname } = new URL(server.told.baseUrl);
    slot.api = { pool: new Pool(origin, { connections: 32 }), basePath: pathname };
  }
}
