import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { appOptions } from '#cli/app-options.ts';
import { OperatorError } from '#cli/failure.ts';
import { type FirstPlatform, provideFirstPlatform } from '#cli/first-platform.ts';
import { type StopSignals, stopSignals } from '#cli/stop-signals.ts';
import type { Config, Role } from '#config.ts';
import { KEY_REFRESH_MS, type Keyring } from '#crypto/keyring.ts';
import { type Database, openDatabase } from '#database/database.ts';
import { type EmbeddedDatabase, EmbeddedError, startEmbedded } from '#database/embedded/embedded.ts';
import { DatabaseUnavailable } from '#database/failures.ts';
import { migrate } from '#database/migrate.ts';
import { openKeyring } from '#database/open-keyring.ts';
import { createOutageLog } from '#database/outage-log.ts';
import { durabilityRisk } from '#database/server-checks.ts';
import { createProbeServer } from '#http/pages.ts';
import { wireNames } from '#lib/wire-names.ts';
import type { Output } from '#log.ts';
import { type App, createApp } from './app.ts';

export interface ServeOptions {
  readonly config: Config;
  readonly role: Role;
  readonly output: Output;
}

/** Starts, serves until told to stop, and stops cleanly. The result is the exit code. */
export async function serve(options: ServeOptions): Promise<number> {
  const { report, log } = options.output;
  const signals = stopSignals();
  const closing = new AsyncDisposableStack();
  closing.defer(async () => signals.forget());
  try {
    const starting = start(options, closing, signals);
    const endings = await Promise.race([starting, signals.received]);
    if (!Array.isArray(endings)) await giveUp(starting);
    const end: End = Array.isArray(endings) ? await Promise.race([signals.received, ...endings]) : endings;
    if (end.because === undefined) report(end.line);
    else log.fatal({ err: end.because }, end.line);
    await closing.disposeAsync();
    report('Stopped.');
    return end.code;
  } finally {
    await closing.disposeAsync();
  }
}

/** A start that is told to end undoes what is half made; what it has made already is on the stack. */
async function giveUp(starting: Promise<unknown>): Promise<void> {
  await within(
    DRAIN_MS,
    starting.catch(() => undefined),
  );
}

/** Why the service ends. */
interface End {
  readonly code: number;
  readonly line: string;
  readonly because?: unknown;
}

/**
 * Each step leaves on the stack how to undo it, so that whatever was begun is ended in reverse order. The
 * result is what may end the service, other than a signal.
 */
async function start(
  { config, role, output }: ServeOptions,
  closing: AsyncDisposableStack,
  signals: StopSignals,
): Promise<Promise<End>[]> {
  const { report, log } = output;
  if (role !== 'all' && config.databaseUrl === undefined) {
    throw new OperatorError(
      `--role ${role} needs DATABASE_URL: the embedded database serves one process only.`,
    );
  }
  const endings: Promise<End>[] = [crash(closing, log)];
  let url = config.databaseUrl;
  if (url === undefined) {
    const embedded = await startEmbedded({ dataDir: config.dataDir, report, signal: signals.signal });
    closing.defer(() => embedded.stop());
    signals.onHaste(() => process.kill(embedded.pid, 'SIGQUIT'));
    endings.push(databaseEnd(embedded, config));
    url = embedded.url;
  }
  await bringUpToDate(url, { config, report, signal: signals.signal });
  const database = connectTo(url, config, closing, log);
  const risk = await durabilityRisk(database.query);
  if (risk) log.warn(risk);
  const keyring = await openKeyring(database, config);
  keepFresh(keyring, closing, log);
  const app = await createApp(appOptions(config, { database, vault: keyring.vault, log }));
  if (role !== 'api') startWorker(app, closing);
  if (role === 'worker') await answerProbes(app, config, closing);
  if (role !== 'worker') {
    const provide = () => provideFirstPlatform(app.runtime, config, (line) => log.warn(line));
    // Chosen credentials work from the first answer on. A generated secret is shown once, and a start that
    // fails must not use that up: it is made when nothing can fail any more.
    const chosen = config.firstToken && (await provide());
    const origin = await listen(app, config, closing);
    const first = config.firstToken ? chosen : await provide();
    tellWhere(origin, { config, first, output });
  }
  report(role === 'worker' ? 'The worker runs.' : 'Ready.');
  return endings;
}

/** Bounds how long anything may hold up the end. */
const DRAIN_MS = 8_000;
const CLOSE_MS = 5_000;
const SWEEP_MS = 50;

async function within(ms: number, step: Promise<unknown>): Promise<void> {
  const late = new AbortController();
  await Promise.race([step, delay(ms, undefined, { signal: late.signal }).catch(() => undefined)]);
  late.abort();
}

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

function connectTo(
  url: string,
  { databaseConnections: connectionsMax }: Config,
  closing: AsyncDisposableStack,
  log: Output['log'],
): Database {
  const outages = createOutageLog(log);
  closing.defer(async () => outages.end());
  const database = openDatabase({
    url,
    connectionsMax,
    onError(error) {
      // While we end, connections end too.
      if (!closing.disposed) outages.lost(error);
    },
    onUnavailable: (error) => outages.failed(error),
  });
  closing.defer(() => within(CLOSE_MS, database.close()));
  return database;
}

/** Another process may add a data key at any time (`corridor keys rotate`). */
function keepFresh(keyring: Keyring, closing: AsyncDisposableStack, log: Output['log']): void {
  const timer = setInterval(() => {
    keyring.refresh().catch((error) => {
      if (error instanceof DatabaseUnavailable) return;
      log.warn({ err: error }, 'the encryption keys cannot be read again');
    });
  }, KEY_REFRESH_MS);
  timer.unref();
  closing.defer(async () => clearInterval(timer));
}

function startWorker(app: App, closing: AsyncDisposableStack): void {
  closing.defer(() => within(DRAIN_MS, app.worker.stop(DRAIN_MS)));
  app.worker.start();
}

/** What was asked before the end is still answered; a connection is closed as soon as nothing is asked on it. */
async function drain(app: App): Promise<void> {
  const { server } = app.http;
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  await within(DRAIN_MS, app.close());
  clearInterval(sweep);
  server.closeAllConnections();
}

async function listen(app: App, { host, port }: Config, closing: AsyncDisposableStack): Promise<string> {
  closing.defer(() => drain(app));
  await bind(app.http, { host, port, setting: 'PORT' });
  const address = app.http.server.address() as AddressInfo;
  // Nobody can call "all addresses"; this machine answers under its own name.
  const name = /^(0\.0\.0\.0|::)$/.test(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${address.port}`;
}

/** A worker by itself takes no requests, but whoever supervises it asks how it is and what it did. */
async function answerProbes(
  { runtime: { database, ports }, metrics }: App,
  { host, probePort }: Config,
  closing: AsyncDisposableStack,
): Promise<void> {
  if (probePort === undefined) return;
  const probes = createProbeServer({ metrics, database, storage: ports('PRODUCTION').storage });
  closing.defer(() => within(CLOSE_MS, probes.close()));
  await bind(probes, { host, port: probePort, setting: 'PROBE_PORT' });
}

async function bind(
  http: FastifyInstance,
  { host, port, setting }: { host: string; port: number; setting: string },
): Promise<void> {
  try {
    await http.listen({ host, port });
  } catch (error) {
    throw new OperatorError(cannotListen(error, `${host}:${port}`, setting), { cause: error });
  }
}

function cannotListen(error: unknown, where: string, setting: string): string {
  const code = (error as { code?: string }).code;
  if (code === 'EADDRINUSE') return `${where} is taken by another program; set ${setting} to a free port.`;
  if (code === 'EACCES') return `This user may not listen on ${where}; set ${setting} to one above 1023.`;
  return `Cannot listen on ${where} (${code ?? error}); set HOST to an address of this machine.`;
}

function tellWhere(
  origin: string,
  { config, first, output }: { config: Config; first: FirstPlatform | undefined; output: Output },
): void {
  const base = `${config.publicUrl ?? origin}${wireNames(config.serviceName).basePath}`;
  const places = { 'Base URL': base, 'API reference': `${config.publicUrl ?? origin}/docs` };
  const curl = (user: string) => `curl -u ${user} ${base}/config`;
  if (first?.clientSecret) {
    const { tokenId, clientSecret } = first;
    const credentials = { 'Token id': tokenId, 'Client secret': clientSecret };
    const facts = { ...places, ...credentials, 'Try it': curl(`${tokenId}:${clientSecret}`) };
    output.tell('Corridor serves a new sandbox platform. Its secret is shown this once: keep it.', facts);
    return;
  }
  const origins = first
    ? 'API_TOKEN_ID and API_CLIENT_SECRET'
    : 'as before; make more with "corridor token create"';
  const facts = { ...places, Credentials: origins, 'Try it': curl('"$API_TOKEN_ID:$API_CLIENT_SECRET"') };
  output.tell('Corridor serves.', facts);
}

/**
 * Without its database the service can do nothing, and a fresh start is the one way of repair that is used
 * every day: it ends for whoever supervises it to start it again, and restarts nothing behind the pool's back.
 */
async function databaseEnd(embedded: EmbeddedDatabase, { dataDir }: Config): Promise<End> {
  await embedded.exited;
  const line = `The database ended by itself; see ${dataDir}/postgres/server.log. Start again: it repairs itself.`;
  return { code: 1, line, because: new EmbeddedError('PostgreSQL ended unexpectedly') };
}

/**
 * A fault that nobody caught: what was under way may be half done in memory, so the process ends, in the ordinary way.
 * Those that follow on the first change nothing about that.
 */
function crash(closing: AsyncDisposableStack, log: Output['log']): Promise<End> {
  const { promise, resolve } = Promise.withResolvers<End>();
  const line = 'Corridor failed and stops.';
  let isFirst = true;
  const hear = (error: Error) => {
    if (!isFirst) log.fatal({ err: error }, 'Something else failed.');
    isFirst = false;
    resolve({ code: 1, line, because: error });
  };
  process.on('uncaughtException', hear);
  closing.defer(async () => void process.off('uncaughtException', hear));
  return promise;
}
