import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before } from 'node:test';
import { SERVICE } from '#app/compose.ts';
import { addPlatform } from '#capabilities/platform/add-platform.ts';
import { endpointContext } from '#capabilities/platform/webhook-endpoint.ts';
import { Deliverer, type DelivererOptions } from '#edge/webhooks/deliverer.ts';
import { urlContext } from '#edge/webhooks/send-event.ts';
import { generateKeyPair } from '#foundation/crypto/p256.ts';
import { deriveServiceKey } from '#foundation/crypto/service-key.ts';
import { openVault, type VaultKeys } from '#foundation/crypto/vault.ts';
import { createCommit } from '#foundation/database/commit.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import type { Runtime, Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { emit } from '#foundation/events/emit.ts';
import type { EventType } from '#foundation/events/types.ts';
import type { JobHandlers } from '#foundation/jobs/handlers.ts';
import { JobRunner } from '#foundation/jobs/job-runner.ts';
import { purgeHandler } from '#foundation/jobs/purge.ts';
import { createWorker, type Worker } from '#foundation/jobs/worker.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { type Environment, effectiveSettings } from '#foundation/lib/platform.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import type { PersonSealing } from '#foundation/person-keys/person-keys.ts';
import { createTestDatabase, PATIENCE, type TestDatabase } from '#tests/harness/databases.ts';
import { type HandClock, handClock } from '#tests/harness/hand-clock.ts';
import { givenPersonKeys, type TestSealing } from '#tests/harness/person-keys.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { createReceiver, type Receiver } from '#tests/harness/receiver.ts';

/** The outbox, the schedule and their worker, without the rest of the service. */
export interface OutboxWorld {
  readonly runtime: Runtime;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly clock: HandClock;
  readonly vaultKeys: VaultKeys;
  /** Errors in the background; a test that expects one removes it. */
  readonly errors: unknown[];
  platform(options?: { environment?: Environment; endpoint?: string }): Promise<OutboxPlatform>;
  receiver(): Promise<Receiver>;
  /** A worker that is stopped after the test; `settle` moves it. */
  worker(options?: WorkerParts): TestWorker;
}

export interface WorkerParts extends Partial<DelivererOptions> {
  /** The keys of people as another process has them, if not the world's. */
  readonly sealing?: PersonSealing;
  readonly jobs?: JobHandlers;
}

export interface TestWorker extends Worker {
  readonly deliverer: Deliverer;
  readonly jobs: JobRunner;
}

export interface EventRow {
  id: EventId;
  type: string;
  state: string;
  attempts: number;
  next_attempt_at: Date | null;
  payload: Buffer | null;
  facts: unknown;
}

export interface OutboxPlatform {
  readonly id: PlatformId;
  readonly publicKey: string;
  work(): Promise<Work>;
  write<T>(steps: (tx: Tx) => Promise<T>): Promise<T>;
  /** Emits one event in its own transaction; returns its bare id. */
  emit(type?: EventType, resourceId?: string, data?: unknown): Promise<EventId>;
  setEndpoint(url: string | null): Promise<void>;
  events(): Promise<EventRow[]>;
  event(id: string): Promise<EventRow>;
  attempts(
    id: string,
  ): Promise<{ attempt: number; status: number | null; error: string | null; url: string }[]>;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Call inside `describe`: a database for the file, fresh platforms for each test. */
export function outboxWorld(): OutboxWorld {
  const world = {} as Mutable<OutboxWorld>;
  const closers: (() => Promise<unknown>)[] = [];
  let files: TestDatabase;
  let people: TestSealing;
  before(async () => {
    files = await createTestDatabase();
    const database = openDatabase({ url: files.url, connectionsMax: 20, ...PATIENCE });
    const vaultKeys = { data: new Map([[1, randomBytes(32)]]), fingerprint: randomBytes(32) };
    const clock = handClock();
    Object.assign(world, { database, databaseUrl: files.url, clock, vaultKeys, errors: [] });
    people = await givenPersonKeys(database, openVault(vaultKeys), clock);
    world.runtime = outboxRuntime(database, clock, people);
    world.platform = (options = {}) => createPlatform(world, options);
    world.receiver = async () => {
      const receiver = await createReceiver();
      closers.push(() => receiver.close());
      return receiver;
    };
    world.worker = (options = {}) => {
      const { sealing, ...parts } = options;
      const worker = outboxWorker(runtimeWith(world.runtime, sealing), world.errors, parts);
      closers.push(() => worker.stop(100));
      return worker;
    };
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    for (const table of ['jobs', 'webhook_attempts', 'events', 'webhook_queues']) {
      await world.database.query(sql`delete from ${rawSql(table)}`);
    }
    assert.deepEqual(world.errors.splice(0), []);
  });
  after(async () => {
    await world.database?.close();
    await people?.close();
    await files?.drop();
  });
  return world;
}

function runtimeWith(runtime: Runtime, sealing: PersonSealing | undefined): Runtime {
  if (!sealing) return runtime;
  const { vault, personKeys } = sealing;
  return { ...runtime, vault, personKeys };
}

export function outboxRuntime(
  database: Database,
  clock: { now(): number },
  { vault, personKeys }: PersonSealing,
): Runtime {
  const outbox = {};
  return {
    database,
    outbox,
    clock,
    newId: newUuid,
    ...{ vault, personKeys },
    serviceKey: deriveServiceKey(generateKeyPair().privateKey),
    names: wireNames('Svc'),
    ports: () => {
      throw new Error('the outbox asks no port');
    },
    reactions: new Map(),
    commit: createCommit(database, () => undefined, outbox),
    wakeWorker: () => undefined,
  };
}

function outboxWorker(runtime: Runtime, errors: unknown[], options: WorkerParts): TestWorker {
  const { jobs = {}, ...rest } = options;
  const onError = (error: unknown) => void errors.push(error);
  const deliverer = new Deliverer(runtime, {
    names: wireNames('Svc'),
    random: () => 0.5,
    onError,
    ...rest,
  });
  const runner = new JobRunner(runtime, { ...purgeHandler(SERVICE.purges), ...jobs }, { onFailure: onError });
  return { ...createWorker([runner, deliverer], { onError }), deliverer, jobs: runner };
}

async function createPlatform(
  world: OutboxWorld,
  { environment = 'SANDBOX', endpoint }: { environment?: Environment; endpoint?: string },
): Promise<OutboxPlatform> {
  const { runtime, database } = world;
  const id = newUuid<'Platform'>();
  const settings = effectiveSettings(environment, {});
  const currencies = { ownCurrencies: {}, disabledCurrencies: [] };
  const platform = { id, name: 'Test', environment, clockOffsetMs: 0, settings, ...currencies };
  const actor = { kind: 'operator', id: 'test' } as const;
  const { webhookPublicKey } = await new Work(runtime, platform, actor).write((tx) => addPlatform(tx, {}));
  const self: OutboxPlatform = {
    id,
    publicKey: webhookPublicKey,
    async work() {
      const current = await findPlatform(database.query, id);
      if (!current) throw new Error('no such platform');
      return new Work(runtime, current, actor);
    },
    write: async (steps) => (await self.work()).write(steps),
    emit: (type = 'CUSTOMER.KYC_APPROVED', resourceId = `Customer:${newUuid()}`, data = { id: resourceId }) =>
      self.write(async (tx) => uuidOf(emit(tx, { type, resourceId, data }))),
    async setEndpoint(url) {
      const sealed = url && runtime.vault.seal(url, endpointContext(id));
      await database.query(
        sql`update platform_configs set webhook_endpoint = ${sealed} where platform_id = ${id}`,
      );
    },
    events: () =>
      database.query<EventRow>(sql`
        select id, type, state, attempts, next_attempt_at, payload, facts from events
         where platform_id = ${id} order by seq`),
    async event(eventId) {
      const found = (await self.events()).find((event) => event.id === eventId);
      if (!found) throw new Error('no such event');
      return found;
    },
    async attempts(eventId) {
      const rows = await database.query<{
        attempt: number;
        status: number | null;
        error: string | null;
        url: Buffer;
      }>(sql`
        select attempt, status, error, url from webhook_attempts
         where platform_id = ${id} and event_id = ${eventId} order by attempt`);
      const { vault } = runtime;
      return rows.map((row) => ({
        ...row,
        url: vault.openText(row.url, urlContext(eventId as EventId, row.attempt)),
      }));
    },
  };
  if (endpoint !== undefined) await self.setEndpoint(endpoint);
  return self;
}
