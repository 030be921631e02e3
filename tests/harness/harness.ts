import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before } from 'node:test';
import pino from 'pino';
import { type App, createApp } from '#app/app.ts';
import { CAPABILITIES } from '#app/capabilities.ts';
import { compose, SERVICE } from '#app/compose.ts';
import type { AppOptions } from '#app/options.ts';
import type { AppParts } from '#app/parts.ts';
import type { Capability } from '#capabilities/capability.ts';
import type { TermsVersion } from '#capabilities/customers/terms/terms.ts';
import type { ServiceDomains } from '#capabilities/platform/change-config.ts';
import { createPlatform, type PlatformRequest } from '#capabilities/tokens/create-platform.ts';
import type { Permission } from '#capabilities/tokens/schemas.ts';
import type { ConsoleSettings } from '#edge/console/settings.ts';
import type { ProviderSettings } from '#edge/providers/settings.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { openServiceKey } from '#foundation/database/open-service-key.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import type { Sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import type { Environment } from '#foundation/lib/platform.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import type { PersonSealing } from '#foundation/person-keys/person-keys.ts';
import { domainRecord } from '#foundation/ports/uma-domains.ts';
import { traceDatabase } from '#foundation/tracing/wrap.ts';
import { folderStore } from '#foundation/uploads/storage/folder-store.ts';
import { sealedStorage } from '#foundation/uploads/storage/open-storage.ts';
import type { Answered, BodyOf, Call, CallOf, OperationId } from '#tests/harness/api-types.ts';
import { checkInvariants } from '#tests/harness/check-invariants.ts';
import {
  bySocket,
  createPersonKeys,
  createTestDatabase,
  PATIENCE,
  personKeysUrl,
  type TestDatabase,
} from '#tests/harness/databases.ts';
import { type HandClock, handClock } from '#tests/harness/hand-clock.ts';
import { givenPersonKeys, SHARED_VAULT, type TestSealing } from '#tests/harness/person-keys.ts';
import { createReceiver, type Receiver } from '#tests/harness/receiver.ts';
import { checkReply } from '#tests/harness/reply-check.ts';

export type { Answered, Call };

/** One platform as its developer sees it. Replies are checked against the declarations of their operations. */
export interface TestPlatform {
  readonly id: PlatformId;
  readonly authorization: string;
  /** The public key of its webhooks, as SPKI PEM. */
  readonly webhookPublicKey: string;
  call<Id extends OperationId>(operationId: Id, call?: CallOf<Id>): Promise<Answered<BodyOf<Id>>>;
  /** Sends anything to any operation, also input that no typed client would send. */
  send<Id extends string>(operationId: Id, call?: Call): Promise<Answered<BodyOf<Id>>>;
  /** For set-up and checks below the API. */
  work(): Promise<Work>;
  /** A webhook endpoint of this platform's own; set in its configuration. */
  receive(): Promise<Receiver>;
}

export interface World {
  readonly app: App;
  readonly database: Database;
  readonly databaseUrl: string;
  /** The database of the keys of people. */
  readonly personKeysUrl: string;
  readonly clock: HandClock;
  /** The folder of uploaded files, encrypted. */
  readonly storageFolder: string;
  /** The DNS records, by name. */
  readonly txtRecords: Map<string, string[][]>;
  /** Everything logged since the world began, as JSON lines. */
  readonly logged: string[];
  platform(options?: PlatformOptions): Promise<TestPlatform>;
  /**
   * The same platform, served by a second app on the same database, as another process would serve it. Each different
   * `people` has an app of its own.
   */
  elsewhere(platform: TestPlatform, people?: PersonSealing): Promise<TestPlatform>;
}

export interface PlatformOptions {
  environment?: Environment;
  settings?: PlatformRequest['settings'];
  permissions?: Permission[];
}

export interface WorldOptions {
  /** False for tests that break the ledger on purpose. */
  ledgerIsChecked?: boolean;
  /** The providers of production; called when the world starts, so that a test can start servers before. */
  providers?: () => ProviderSettings;
  /** The service's UMA domains, if not the default ones. */
  domains?: ServiceDomains;
  /** The published terms, if not the sample. */
  terms?: readonly TermsVersion[];
  /** The service's name, if a test uses another one through a client that knows it. */
  serviceName?: string;
  /** How the console is served, if not over plain http. */
  consoleSettings?: ConsoleSettings | undefined;
  /** Addresses of the proxies in front of the service. */
  trustedProxies?: readonly string[];
  /** A capability that the test adds to those of the service. */
  capability?: Capability<AppParts>;
  /** False for tests that post entries without the payments, purchases or mints that entries belong to. */
  journalIsChecked?: boolean;
  /** Whether the keys of people are in a database of this world alone, for tests that rotate all of them. */
  hasOwnPersonKeys?: boolean;
  /** Creates its tables. */
  prepare?: (database: Database) => Promise<unknown>;
}

/**
 * Call inside `describe`: the file gets a database and an app of its own, started before its first test and
 * gone after its last. Each test takes fresh platforms from it.
 */
export function testWorld(options: WorldOptions = {}): World {
  const world = {} as { -readonly [Key in keyof World]: World[Key] };
  const closers: (() => Promise<void>)[] = [];
  let files: TestDatabase;
  let checker: Database;
  let people: TestSealing;
  let ownKeys: TestDatabase | undefined;
  const others = new Map<PersonSealing, Promise<App>>();
  before(async () => {
    files = await createTestDatabase();
    world.storageFolder = await mkdtemp(join(tmpdir(), 'corridor-files-'));
    world.databaseUrl = files.url;
    world.clock = handClock();
    world.logged = [];
    world.txtRecords = new Map();
    world.database = traceDatabase(
      openDatabase({ url: bySocket(files.url), connectionsMax: 24, ...PATIENCE }),
    );
    checker = openDatabase({ url: withGenericPlans(bySocket(files.url)), connectionsMax: 1, ...PATIENCE });
    // By the world's database of the moment: a simulated crash replaces it.
    const database = { query: <Row>(piece: Sql) => world.database.query<Row>(piece) };
    ownKeys = options.hasOwnPersonKeys ? await createPersonKeys() : undefined;
    world.personKeysUrl = ownKeys?.url ?? personKeysUrl();
    people = await givenPersonKeys(database, SHARED_VAULT, world.clock, world.personKeysUrl);
    const { vault, personKeys } = people;
    const appOptions: AppOptions = {
      database: world.database,
      ...{ vault, personKeys },
      serviceKey: await openServiceKey(world.database, vault),
      clock: world.clock,
      newId: newUuid,
      names: wireNames(options.serviceName ?? 'Svc'),
      domains: options.domains ?? TEST_DOMAINS,
      storage: sealedStorage(folderStore(world.storageFolder)),
      providers: options.providers?.(),
      terms: options.terms,
      trustedProxies: options.trustedProxies,
      consoleSettings: 'consoleSettings' in options ? options.consoleSettings : { takesPlainHttp: true },
      resolveTxt: async (name) => world.txtRecords.get(name) ?? nothingThere(),
      log: pino({ level: 'debug' }, { write: (line: string) => void world.logged.push(line) }),
    };
    await options.prepare?.(world.database);
    const service = options.capability
      ? compose([...CAPABILITIES.slice(0, -1), options.capability, ...CAPABILITIES.slice(-1)])
      : SERVICE;
    world.app = await createApp(appOptions, service);
    world.platform = async (options) =>
      testPlatform(world, () => world.app, closers, await insertPlatform(world, options));
    world.elsewhere = async (platform, keys = people) => {
      const made = others.get(keys) ?? createApp({ ...appOptions, ...keys }, service);
      others.set(keys, made);
      const app = await made;
      return testPlatform(world, () => app, closers, platform);
    };
  });
  after(async () => {
    for (const close of closers) await close();
    for (const other of others.values()) await (await other).close();
    await world.app?.close();
    await world.database?.close();
    await checker?.close();
    await people?.close();
    await files?.drop();
    await ownKeys?.drop();
    await rm(world.storageFolder, { recursive: true, force: true });
  });
  afterEach(async () => {
    if (options.ledgerIsChecked !== false) await checkInvariants(checker, options.journalIsChecked !== false);
  });
  return world;
}

function nothingThere(): never {
  throw Object.assign(new Error('no such record'), { code: 'ENODATA' });
}

/** Makes DNS say that a domain is this platform's. */
export function givenDomain({ txtRecords }: World, platform: TestPlatform, domain: string): void {
  const { name, text } = domainRecord(domain, platform.id);
  txtRecords.set(name, [[text]]);
}

/** The service's own UMA domains in tests. */
export const TEST_DOMAINS = {
  defaultUmaDomain: 'uma.corridor.test',
  sandboxUmaDomain: 'sandbox.corridor.test',
  sandboxUmaDomains: ['sandbox.corridor.test', 'other.sandbox.test'],
};

/**
 * Planning the many large checks of the ledger takes ten times as long as running them on a test's small tables. On a
 * connection of their own they are planned only once.
 */
function withGenericPlans(url: string): string {
  const copy = new URL(url);
  copy.searchParams.set('options', '-c plan_cache_mode=force_generic_plan');
  return copy.toString();
}

/**
 * An existing platform, as its developer sees it through an app. Each call looks up the app again, because a killed one
 * may have been replaced.
 */
export function testPlatform(
  world: Pick<World, 'database'>,
  app: () => App,
  closers: (() => Promise<void>)[],
  { id, authorization, webhookPublicKey }: Pick<TestPlatform, 'id' | 'authorization' | 'webhookPublicKey'>,
): TestPlatform {
  const operations = new Map(app().operations.map((operation) => [operation.id, operation]));
  const self: TestPlatform = {
    id,
    authorization,
    webhookPublicKey,
    call: (operationId, call) => self.send(operationId, call as Call),
    async send(operationId, call = {}) {
      const operation = operations.get(operationId);
      assert.ok(operation, `no operation ${operationId}`);
      const answer = await inject(app(), operation, call, authorization);
      if (!isFile(operation, answer))
        checkReply(operation, answer.status, answer.raw === '' ? undefined : answer.body);
      return answer as Answered<never>;
    },
    async work() {
      const platform = await findPlatform(world.database.query, id);
      assert.ok(platform);
      return new Work(app().runtime, platform, { kind: 'operator', id: 'test' });
    },
    async receive() {
      const receiver = await createReceiver();
      closers.push(receiver.close);
      const set = await self.call('updatePlatformConfig', { body: { webhookEndpoint: receiver.url } });
      assert.equal(set.status, 200);
      return receiver;
    },
  };
  return self;
}

/** Whether an operation that has formats answered with a file, which no schema describes. */
function isFile({ query }: NamedOperation, { status, headers }: Answered<unknown>): boolean {
  const type = String(headers['content-type'] ?? '');
  return query?.properties.format !== undefined && status === 200 && !type.startsWith('application/json');
}

async function inject(
  app: App,
  operation: NamedOperation,
  call: Call,
  authorization: string,
): Promise<Answered<unknown>> {
  const path = operation.path.replace(/:(\w+)/g, (_whole, name: string) =>
    encodeURIComponent(call.params?.[name] ?? ''),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {})) {
    for (const item of [value].flat()) query.append(name, String(item));
  }
  const search = query.size > 0 ? `?${query}` : '';
  const sender = call.as ?? authorization;
  const { payload, contentType } = await encode(call.body);
  const reply = await app.http.inject({
    method: operation.method,
    url: `${wireNames('Svc').basePath}${path}${search}`,
    headers: {
      ...(sender !== 'nobody' && { authorization: sender }),
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...(call.key !== undefined && { 'idempotency-key': call.key }),
      ...call.headers,
    },
    ...(payload !== undefined && { payload }),
  });
  const isJson = String(reply.headers['content-type'] ?? '').startsWith('application/json');
  return {
    status: reply.statusCode,
    headers: reply.headers,
    raw: reply.body,
    body: isJson ? reply.json() : {},
  };
}

async function encode(body: unknown): Promise<{ payload?: string | Buffer; contentType?: string }> {
  if (body === undefined) return {};
  if (body instanceof FormData) {
    const form = new Response(body);
    const contentType = form.headers.get('content-type') ?? '';
    return { payload: Buffer.from(await form.arrayBuffer()), contentType };
  }
  const isEncoded = typeof body === 'string' || Buffer.isBuffer(body);
  return { payload: isEncoded ? body : JSON.stringify(body), contentType: 'application/json' };
}

async function insertPlatform(world: World, options: PlatformOptions = {}) {
  const { environment = 'SANDBOX', settings = {}, permissions } = options;
  const created = await createPlatform(
    world.app.runtime,
    { kind: 'operator', id: 'test' },
    {
      name: 'Test platform',
      environment,
      settings,
      ...(permissions && { token: { permissions } }),
    },
  );
  const credentials = `${created.token.client_id}:${created.clientSecret}`;
  return {
    id: created.id,
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    webhookPublicKey: created.webhookPublicKey,
  };
}
