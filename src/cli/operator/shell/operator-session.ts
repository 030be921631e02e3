import type { App } from '#app/app.ts';
import { type Config, readConfig } from '#app/config.ts';
import { eraseRestored } from '#capabilities/erasure/erase-restored.ts';
import { FAILURE_EXIT, OperatorError } from '#cli/failure.ts';
import { commandFacts, operatorName } from '#cli/operator/shell/operator-name.ts';
import { describePlatform, escapeControls, reportProgress } from '#cli/print.ts';
import { type OpenedPeople, openPeople, reachPersonKeys } from '#cli/reach-person-keys.ts';
import { type AuditFact, writeAudit } from '#foundation/audit/audit.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { DatabaseClock } from '#foundation/database/database-clock.ts';
import { attachEmbedded, hasEmbedded, startEmbedded } from '#foundation/database/embedded/embedded.ts';
import { migrate } from '#foundation/database/migrate.ts';
import { type OpenedKeyring, openKeyring } from '#foundation/database/open-keyring.ts';
import { openServiceKey } from '#foundation/database/open-service-key.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import type { Actor, Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION, type Platform } from '#foundation/lib/platform.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { requireAgreement } from '#foundation/person-keys/agreement.ts';
import type { PersonSealing } from '#foundation/person-keys/person-keys.ts';
import type { Reader } from '#foundation/records/read-across.ts';

export type { Reader };

/** The context in which a command runs. */
export interface Operator {
  readonly config: Config;
  readonly database: Database;
  readonly url: string;
  /** Whether servers may be running on the same database. */
  readonly isShared: boolean;
  readonly actor: Actor;
  keys(): Promise<OpenedKeyring>;
  /** The keys of people, for commands that open values without the rest of the service. */
  people(): Promise<OpenedPeople>;
  /** The URL of the database of people's keys. */
  personKeysUrl(): Promise<string>;
  runtime(): Promise<Runtime>;
  /** The operations of operators, which commands perform. */
  operations(): Promise<readonly NamedOperation[]>;
  /** Transactions on one platform, with the operator as the actor. */
  work(platformId: PlatformId): Promise<Work>;
  /** Transactions that belong to no platform. */
  installation(): Promise<Work>;
  /** The same for commands that change nothing and ask no provider: it loads without most of the service. */
  reader(platformId: PlatformId): Promise<Reader>;
  /** The same for each of several platforms. */
  readers(platforms: readonly Platform[]): Promise<Reader[]>;
  /** Writes an audit row for an action that has no transaction of its own. */
  audit(fact: AuditFact & { platformId?: PlatformId | undefined }): Promise<void>;
}

/**
 * Runs a command on the database of DATABASE_URL; without it, on the embedded database of a running server, or
 * on the embedded database, started for the duration of the command.
 */
export async function runAsOperator<T>(
  command: (operator: Operator) => Promise<T>,
  { isMigrating = false }: { isMigrating?: boolean } = {},
): Promise<T> {
  const config = readConfig(process.env);
  const closing = new AsyncDisposableStack();
  try {
    const reached = await connectDatabase(config, closing, isMigrating);
    const database = openDatabase({ url: reached.url, connectionsMax: 4 });
    closing.defer(() => database.close());
    const acted = new Set<Platform>();
    const result = await command(createOperator({ config, database, reached, closing }, acted));
    for (const platform of acted) reportProgress(escapeControls(`Platform: ${describePlatform(platform)}`));
    return result;
  } finally {
    await closing.disposeAsync();
  }
}

interface ReachedDatabase {
  readonly url: string;
  readonly isShared: boolean;
}

async function connectDatabase(
  config: Config,
  closing: AsyncDisposableStack,
  isMigrating: boolean,
): Promise<ReachedDatabase> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, isShared: true };
  const running = await attachEmbedded(config.dataDir);
  if (running) return { url: running.url, isShared: true };
  // A mistyped folder must not create a new, empty database.
  if (!isMigrating && !(await hasEmbedded(config.dataDir))) {
    throw new OperatorError(
      `There is no database in ${config.dataDir}: run "corridor serve" first, or set DATA_DIR or DATABASE_URL.`,
    );
  }
  const embedded = await startEmbedded({ dataDir: config.dataDir, report: reportProgress });
  closing.defer(() => embedded.stop());
  // The embedded database keeps running after its parent unless it is stopped: Ctrl-C must not leave it behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void closing.disposeAsync().finally(() => process.exit(FAILURE_EXIT)));
  }
  if (!isMigrating) await migrate(embedded.url);
  return { url: embedded.url, isShared: false };
}

interface OperatorParts {
  readonly config: Config;
  readonly database: Database;
  readonly reached: ReachedDatabase;
  readonly closing: AsyncDisposableStack;
}

async function checkedApp(
  { config, database }: OperatorParts,
  people: OpenedPeople,
  keyring: OpenedKeyring,
): Promise<App> {
  await requireAgreement(database, people.store, keyring);
  const app = await composeApp(config, database, people);
  // A command that erases somebody records the last erasure: the ones before it must not be forgotten.
  await eraseRestored(app.runtime);
  return app;
}

/** Opens parts of a command only when it needs them, and then once. */
function openLate(parts: OperatorParts) {
  const { config, database, closing } = parts;
  let opened: Promise<OpenedKeyring> | undefined;
  const keys = (): Promise<OpenedKeyring> => (opened ??= openKeyring(database, config));
  let reachedKeys: Promise<string> | undefined;
  const personKeysUrl = (): Promise<string> =>
    (reachedKeys ??= reachPersonKeys(config, { closing, report: reportProgress }));
  let withPeople: Promise<OpenedPeople> | undefined;
  const people = (): Promise<OpenedPeople> =>
    (withPeople ??= keys().then(async ({ vault }) =>
      openPeople(await personKeysUrl(), vault, { closing, database, retentionYears: config.retentionYears }),
    ));
  let composed: Promise<App> | undefined;
  const app = (): Promise<App> =>
    (composed ??= people().then(async (reached) => checkedApp(parts, reached, await keys())));
  return { keys, personKeysUrl, people, app };
}

/** Adds the platform that a command works on to `acted`, for the report at the end. */
function createOperator(parts: OperatorParts, acted: Set<Platform>): Operator {
  const { config, database, reached } = parts;
  const actor: Actor = { kind: 'operator', id: operatorName(process.env), details: commandFacts() };
  const { keys, personKeysUrl, people, app } = openLate(parts);
  const runtime = async (): Promise<Runtime> => (await app()).runtime;
  const readers = async (platforms: readonly Platform[]): Promise<Reader[]> => {
    const reading = await createReadingRuntime(config, database, await people());
    return platforms.map((platform) => new Work(reading, platform, actor));
  };
  return {
    config,
    database,
    ...reached,
    actor,
    keys,
    people,
    personKeysUrl,
    runtime,
    operations: async () => (await app()).operatorOperations,
    async work(platformId) {
      const platform = await knownPlatform(database, platformId);
      acted.add(platform);
      return new Work(await runtime(), platform, actor);
    },
    installation: async () => new Work(await runtime(), INSTALLATION, actor),
    async reader(platformId) {
      const platform = await knownPlatform(database, platformId);
      acted.add(platform);
      const [reader] = await readers([platform]);
      return reader as Reader;
    },
    readers,
    async audit({ platformId = null, ...fact }: AuditFact & { platformId?: PlatformId | null | undefined }) {
      const clock = await DatabaseClock.open(database);
      await writeAudit(database, [
        {
          id: newUuid(),
          platformId,
          at: new Date(clock.now()),
          actor,
          ...fact,
          details: { ...fact.details, ...actor.details },
        },
      ]);
    },
  };
}

async function knownPlatform(database: Database, platformId: PlatformId): Promise<Platform> {
  const platform = await findPlatform(database.query, platformId);
  if (platform) return platform;
  throw new OperatorError(`There is no platform ${publicId('Platform', platformId)}.`);
}

/** The app itself, so that a command has the same effects as a request. */
async function composeApp(config: Config, database: Database, people: PersonSealing): Promise<App> {
  const [{ pino }, { appOptions }, { createApp }] = await Promise.all([
    import('pino'),
    import('#cli/app-options.ts'),
    import('#app/app.ts'),
  ]);
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const options = await appOptions(config, { database, ...people, log: pino({ level: 'silent' }) });
  return createApp({ ...options, publicUrl });
}

/** A runtime for reading, without adapters and reactions, because those import the whole service. */
async function createReadingRuntime(
  config: Config,
  database: Database,
  { vault, personKeys }: PersonSealing,
): Promise<Runtime> {
  const refuse = (): never => {
    throw new Error('A command that only reads asks no provider and commits nothing.');
  };
  return {
    database,
    commit: refuse,
    outbox: {},
    clock: await DatabaseClock.open(database),
    newId: newUuid,
    vault,
    personKeys,
    serviceKey: await openServiceKey(database, vault),
    names: wireNames(config.serviceName),
    ports: refuse,
    reactions: new Map(),
    wakeWorker: refuse,
  };
}
