import type { AddressInfo } from 'node:net';
import { type App, createApp } from '#app/app.ts';
import type { Config, Role } from '#app/config.ts';
import type { Output } from '#app/log.ts';
import { eraseRestored } from '#capabilities/erasure/erase-restored.ts';
import { findAllPlatforms } from '#capabilities/platform/platform-store.ts';
import { appOptions } from '#cli/app-options.ts';
import { OperatorError } from '#cli/failure.ts';
import { openPeople } from '#cli/reach-person-keys.ts';
import { consoleLine } from '#cli/serve/console-line.ts';
import { type CredentialsFile, credentialsFile } from '#cli/serve/credentials-file.ts';
import { connectTo, logOutages, reachDatabases, type Shutdown } from '#cli/serve/databases.ts';
import { ensureFirstPlatform, type FirstPlatform } from '#cli/serve/first-platform.ts';
import { waitAtMost } from '#cli/serve/wait-at-most.ts';
import { serverBaseUrl, serverOrigin, shellLine } from '#cli/service-urls.ts';
import { type StopSignals, stopSignals } from '#cli/stop-signals.ts';
import { KEY_REFRESH_MS, type Keyring } from '#foundation/crypto/keyring.ts';
import type { Database } from '#foundation/database/database.ts';
import type { DatabaseClock } from '#foundation/database/database-clock.ts';
import { DatabaseUnavailable } from '#foundation/database/failures.ts';
import { migrate } from '#foundation/database/migrate.ts';
import { openKeyring } from '#foundation/database/open-keyring.ts';
import { durabilityRisk } from '#foundation/database/server-checks.ts';
import { requireAgreement } from '#foundation/person-keys/agreement.ts';
import type { PersonKeys } from '#foundation/person-keys/person-keys.ts';
import { startTracing } from '#foundation/tracing/start.ts';
import { traceDatabase } from '#foundation/tracing/wrap.ts';
import { answerProbes, bind, proxyRisk, serveMetrics } from './listen.ts';

export interface ServeOptions {
  readonly config: Config;
  readonly role: Role;
  readonly output: Output;
}

/** Starts, serves until a signal arrives, and shuts down gracefully. The result is the exit code. */
export async function serve(options: ServeOptions): Promise<number> {
  const { report, log } = options.output;
  const signals = stopSignals();
  const closing = new AsyncDisposableStack();
  closing.defer(async () => signals.dispose());
  try {
    const starting = start(options, closing, signals);
    const shutdowns = await Promise.race([starting, signals.received]);
    if (!Array.isArray(shutdowns)) await awaitInterruptedStart(starting);
    const shutdown: Shutdown = Array.isArray(shutdowns)
      ? await Promise.race([signals.received, ...shutdowns])
      : shutdowns;
    if (shutdown.cause === undefined) report(shutdown.line);
    else log.fatal({ err: shutdown.cause }, shutdown.line);
    await closing.disposeAsync();
    report('Stopped.');
    return shutdown.code;
  } finally {
    await closing.disposeAsync();
  }
}

/** Waits for an interrupted start to undo the step it was in; the steps before that are undone by the stack. */
async function awaitInterruptedStart(starting: Promise<unknown>): Promise<void> {
  await waitAtMost(
    DRAIN_MS,
    starting.catch(() => undefined),
  );
}

/**
 * Each step pushes its cleanup on the stack, so that everything is undone in reverse order. Resolves to
 * the causes, other than a signal, that may shut the service down.
 */
async function start(
  { config, role, output }: ServeOptions,
  closing: AsyncDisposableStack,
  signals: StopSignals,
): Promise<Promise<Shutdown>[]> {
  const { report, log } = output;
  if (role !== 'all' && config.databaseUrl === undefined) {
    throw new OperatorError(
      `--role ${role} needs DATABASE_URL: the embedded database serves one process only.`,
    );
  }
  const failure = uncaughtFailure(closing, log);
  const { url, personKeysUrl, exits } = await reachDatabases(config, { closing, signals, report });
  await bringUpToDate(url, { config, report, signal: signals.signal });
  if (config.tracing) closing.use(await startTracing(config.tracing, log));
  const database = traceDatabase(connectTo(url, config, closing, log));
  await warnOfRisks(database, { config, role, log });
  const keyring = await openKeyring(database, config);
  refreshKeyringRegularly(keyring, closing, log);
  const people = await openPeople(personKeysUrl, keyring.vault, {
    ...{ closing, database, retentionYears: config.retentionYears, answerMaxMs: KEYS_ANSWER_MAX_MS },
    onLost: (line, people) => log.error({ people }, line),
    ...logOutages(closing, log, 'the database of the keys of people cannot be used'),
  });
  await requireAgreement(database, people.store, keyring);
  dropErasedRegularly(people.personKeys, closing, log);
  const app = await createApp(compareClocks(await appOptions(config, { database, ...people, log }), closing));
  await eraseRestored(app.runtime);
  if (role !== 'api') startWorker(app, closing);
  closing.use(await serveMetrics(app, config));
  if (role === 'worker') closing.use(await answerProbes(app, config));
  if (role !== 'worker') {
    const warn = (line: string) => log.warn(line);
    const ensurePlatform = (file?: CredentialsFile) =>
      ensureFirstPlatform(app.runtime, config, { warn, file });
    // Configured credentials must work from the first request on. A generated secret is shown only once, and a
    // failed start must not waste it: it is generated when nothing can fail any more.
    const chosen = config.firstToken && (await ensurePlatform());
    const origin = await listen(app, config, closing);
    const file = output.isTerminal ? undefined : credentialsFile(config, serverBaseUrl(origin, config));
    const first = config.firstToken ? chosen : await ensurePlatform(file);
    const consolePlace = await consoleLine(app.runtime, config, { origin, isTerminal: output.isTerminal });
    printEndpoints(origin, { config, first, file, output, consolePlace });
    // The resources that the examples name exist before the service reports that it is ready; in other roles, a
    // separate worker creates them.
    if (first && role === 'all') await app.worker.settle(first.id);
  }
  report(role === 'worker' ? 'The worker runs.' : 'Ready.');
  return [failure, ...exits];
}

/** Warns of settings that the operator should correct before anything depends on them. */
async function warnOfRisks(
  database: Database,
  { config, role, log }: { config: Config; role: Role; log: Output['log'] },
): Promise<void> {
  const durability = await durabilityRisk(database.query);
  if (durability) log.warn(durability);
  const exposed = role === 'worker' ? undefined : proxyRisk(config);
  if (exposed) log.warn(exposed);
  if (config.termsFile === undefined && (await hasOwnCustomers(database))) log.warn(SAMPLE_TERMS_IN_USE);
}

const SAMPLE_TERMS_IN_USE =
  'TERMS_FILE is not set: customers of production platforms are asked to accept sample terms, which are not a contract';

/** Whether customers of any production platform have to accept our terms. */
async function hasOwnCustomers(database: Database): Promise<boolean> {
  const platforms = await findAllPlatforms(database);
  return platforms.some(({ environment, explicitSettings }) => {
    return environment === 'PRODUCTION' && !explicitSettings.isRegulatedFinancialInstitution;
  });
}

/** Calls are answered within five seconds, even if they wait for another read of keys. */
const KEYS_ANSWER_MAX_MS = 2_000;
/** Limits how long each step of the shutdown may take. */
const DRAIN_MS = 8_000;
const SWEEP_MS = 50;

async function bringUpToDate(
  url: string,
  { config, report, signal }: { config: Config; report: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  report('Bringing the database schema up to date …');
  try {
    const { migrations } = await migrate(url, { signal });
    if (migrations.length > 0) report(`Applied ${migrations.length} migrations, up to ${migrations.at(-1)}.`);
  } catch (error) {
    if (config.databaseUrl === undefined || !isUnreachable(error)) throw error;
    const { host, pathname } = new URL(config.databaseUrl);
    const reason = (error as Error).message || (error as { code: string }).code;
    throw new OperatorError(`The database ${host}${pathname} of DATABASE_URL cannot be used: ${reason}.`);
  }
}

/** A failed connection (a system error), or one that PostgreSQL refused: classes 08, 28, 3D, 53, 57. */
function isUnreachable(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return (
    /^(E[A-Z_]+|(08|28|3D|53|57)...)$/.test(code) || /connection|SSL|timeout/i.test((error as Error).message)
  );
}

/** Reloads the keys regularly: another process may add a data key at any time (`corridor keys rotate`). */
function refreshKeyringRegularly(keyring: Keyring, closing: AsyncDisposableStack, log: Output['log']): void {
  const timer = setInterval(() => {
    keyring.refresh().catch((error) => {
      if (error instanceof DatabaseUnavailable) return;
      log.warn({ err: error }, 'the encryption keys cannot be reloaded');
    });
  }, KEY_REFRESH_MS);
  timer.unref();
  closing.defer(async () => clearInterval(timer));
}

/** Drops the keys of people whom any process has erased. */
function dropErasedRegularly(keys: PersonKeys, closing: AsyncDisposableStack, log: Output['log']): void {
  const timer = setInterval(() => {
    keys.dropErased().catch((error) => {
      if (error instanceof DatabaseUnavailable) return;
      log.warn({ err: error }, 'erasures of people cannot be read');
    });
  }, KEY_REFRESH_MS);
  timer.unref();
  closing.defer(async () => clearInterval(timer));
}

/** Keeps this process's time equal to the database's, whatever the clock of this machine says. */
function compareClocks<Parts extends { clock: DatabaseClock; log: Output['log'] }>(
  parts: Parts,
  closing: AsyncDisposableStack,
): Parts {
  const stop = parts.clock.start((error) => {
    if (error instanceof DatabaseUnavailable) return;
    parts.log.warn({ err: error }, 'the time of the database cannot be read');
  });
  closing.defer(async () => stop());
  return parts;
}

function startWorker(app: App, closing: AsyncDisposableStack): void {
  closing.defer(() => waitAtMost(DRAIN_MS, app.worker.stop(DRAIN_MS)));
  app.worker.start();
}

/** Requests that have been received are still answered; a connection is closed as soon as it is idle. */
async function drain(app: App): Promise<void> {
  const { server } = app.http;
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  await waitAtMost(DRAIN_MS, app.close());
  clearInterval(sweep);
  server.closeAllConnections();
}

async function listen(app: App, { host, port }: Config, closing: AsyncDisposableStack): Promise<string> {
  closing.defer(() => drain(app));
  await bind(app.http, { host, port, setting: 'PORT' });
  const address = app.http.server.address() as AddressInfo;
  return serverOrigin(host, address.port);
}

interface Printed {
  readonly config: Config;
  readonly first: FirstPlatform | undefined;
  /** Where the first platform's credentials are, if no terminal shows them. */
  readonly file: CredentialsFile | undefined;
  readonly output: Output;
  readonly consolePlace: { readonly Console?: string };
}

function printEndpoints(origin: string, { config, first, file, output, consolePlace }: Printed): void {
  const base = serverBaseUrl(origin, config);
  const reference = `${config.publicUrl ?? origin}/docs`;
  const places = { 'Base URL': base, 'API reference': reference, ...consolePlace };
  const waysIn = (user: string) => ({
    'Try it': `curl -u ${user} ${base}/config`,
    'In a shell': shellLine(base, user),
  });
  if (first?.clientSecret && file) {
    const { path, inAShell } = file;
    const title = `Corridor serves a new sandbox platform. Its credentials are in ${path}, readable by its owner only.`;
    const tryIt = `${inAShell}; curl -u "$CORRIDOR_AUTH" ${base}/config`;
    const kept = { 'Credentials file': path, 'Try it': tryIt, 'In a shell': inAShell };
    output.printFacts(title, { ...places, 'Token id': first.tokenId, ...kept });
    return;
  }
  if (first?.clientSecret) {
    const { tokenId, clientSecret } = first;
    const title = 'Corridor serves a new sandbox platform. Its secret is shown this once: keep it.';
    const credentials = { 'Token id': tokenId, 'Client secret': clientSecret };
    output.printFacts(title, { ...places, ...credentials, ...waysIn(`${tokenId}:${clientSecret}`) });
    return;
  }
  const credentials = first
    ? { Credentials: 'as set', ...waysIn('$API_TOKEN_ID:$API_CLIENT_SECRET') }
    : {
        Credentials: 'as before; lost? "corridor token create" makes new ones',
        ...waysIn("'<token id>:<client secret>'"),
      };
  output.printFacts('Corridor serves.', { ...places, ...credentials });
}

/**
 * An uncaught error may have left state in memory half updated, so the process shuts down in the usual order.
 * Later errors are only logged.
 */
function uncaughtFailure(closing: AsyncDisposableStack, log: Output['log']): Promise<Shutdown> {
  const { promise, resolve } = Promise.withResolvers<Shutdown>();
  const line = 'Corridor failed and is shutting down.';
  let isFirst = true;
  const onUncaught = (error: Error) => {
    if (!isFirst) log.fatal({ err: error }, 'Another error occurred during the shutdown.');
    isFirst = false;
    resolve({ code: 1, line, cause: error });
  };
  process.on('uncaughtException', onUncaught);
  closing.defer(async () => void process.off('uncaughtException', onUncaught));
  return promise;
}
