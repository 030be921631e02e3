import type { FastifyInstance } from 'fastify';
import { registerRevealPage } from '#cards/reveal/page.ts';
import type { ServiceKey } from '#crypto/service-key.ts';
import type { ListedOrigin } from '#crypto/webauthn.ts';
import type { CustomerPolicy } from '#customers/policy.ts';
import { SAMPLE_TERMS } from '#customers/sample-terms.ts';
import { registerTermsPage, type TermsVersion } from '#customers/terms.ts';
import { createCommit } from '#database/commit.ts';
import { DatabaseUnavailable } from '#database/failures.ts';
import type { Runtime } from '#database/tx.ts';
import { reactionTable } from '#events/reactions.ts';
import type { ArrivalLimits } from '#http/arrival.ts';
import { createMetrics, type Metrics } from '#http/metrics.ts';
import type { MetricsAccess } from '#http/metrics-access.ts';
import { openApiDocument } from '#http/openapi.ts';
import type { NamedOperation } from '#http/operation.ts';
import { registerPages } from '#http/pages.ts';
import { createPerform, type Perform } from '#http/perform.ts';
import { createRateLimit } from '#http/rate-limit.ts';
import { RefusedCallers } from '#http/refused-callers.ts';
import type { HttpParts } from '#http/register.ts';
import { createHttpServer } from '#http/server.ts';
import { validate } from '#http/validate.ts';
import { registerInvitationPage } from '#invitations/page.ts';
import type { JobHandlers } from '#jobs/handlers.ts';
import { JobRunner } from '#jobs/job-runner.ts';
import { createWorker, type Worker } from '#jobs/worker.ts';
import { registerMcp } from '#mcp/route.ts';
import { registerOnboardingPage } from '#onboarding/register-page.ts';
import type { SandboxReach } from '#outbound/addresses.ts';
import { createProviderClient } from '#outbound/outbound.ts';
import { createPaymentParts } from '#payments/execution/store.ts';
import { RatePoller } from '#pricing/rate-source/rate-poller.ts';
import { httpRateSource } from '#providers/rate-source.ts';
import { RequestRecorder } from '#request-log/recorder.ts';
import { registerLivenessPage } from '#sandbox/liveness-page.ts';
import { registerResetPage } from '#sandbox/reset-page.ts';
import { withoutSuffixes } from '#sandbox/table.ts';
import { registerSandboxPage } from '#sandbox/tables-page.ts';
import { tracePorts, traceRequests } from '#tracing/wrap.ts';
import { Deliverer } from '#webhooks/deliverer.ts';
import { Feed } from '#webhooks/listeners/feed.ts';
import { createPorts, type PortOptions } from './adapters.ts';
import { registerMetrics } from './metrics.ts';
import { PARTS, type Parts } from './parts.ts';

/** What the process gives the app: settings, and everything that does I/O. */
export interface AppOptions extends PortOptions {
  readonly serviceKey: ServiceKey;
  /** The operator's own end-user terms; unset: sample text. */
  readonly terms?: readonly TermsVersion[] | undefined;
  /** The URL at which clients reach the service; unset: the address it listens on. */
  readonly publicUrl?: string | undefined;
  /** The URL at which people reach the page that shows card numbers; unset: the same as for clients. */
  readonly revealUrl?: string | undefined;
  /** Addresses and networks of the proxies in front of the service; unset: none. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** How requests have to arrive; unset: as platform.md §10.5 says. */
  readonly arrival?: ArrivalLimits | undefined;
  /** Which addresses sandbox webhooks may be sent to; unset: any, a developer's own network included. */
  readonly sandboxReach?: SandboxReach | undefined;
  /** Origins of passkeys that are no web pages; unset: none. */
  readonly passkeyOrigins?: readonly ListedOrigin[] | undefined;
  /** Who may read the metrics where operations are served; unset: anybody. */
  readonly metricsAccess?: MetricsAccess | undefined;
}

export interface App {
  readonly http: FastifyInstance;
  readonly worker: Worker;
  readonly operations: readonly NamedOperation[];
  readonly runtime: Runtime;
  /** Performs an operation without an HTTP request, for operator commands and for programs that embed the app. */
  readonly perform: Perform;
  readonly metrics: Metrics;
  close(): Promise<void>;
}

/** The composition root: the one place that knows all folders. */
export async function createApp(options: AppOptions, parts: Parts = PARTS): Promise<App> {
  const { database, names, domains, sandboxReach, passkeyOrigins } = options;
  const publicUrl = () => options.publicUrl ?? originOf(http);
  const worker = {} as { current?: Worker };
  const runtime = createRuntime(options, parts, publicUrl, worker);
  const perform = createPerform(runtime, parts);
  const deliverer = createDeliverer(options, parts, runtime);
  const { transactionSources, paymentDeciders, renderers, decisions } = parts;
  const feed = new Feed(deliverer.sender, renderers);
  const policy = customerPolicy(options, publicUrl);
  const metrics = createMetrics();
  const requestLog = requestRecorder(options, metrics);
  const jobs = parts.jobs({ policy, perform, operations: () => operations, log: options.log });
  worker.current = createAppWorker(options, runtime, deliverer, jobs);
  const operations = parts.operations({
    ...{ domains, sandboxReach, passkeyOrigins },
    revealUrl: () => options.revealUrl ?? publicUrl(),
    names,
    policy,
    deliverer,
    requestLog,
    worker: worker.current,
    payments: createPaymentParts(runtime),
    ...{ transactionSources, paymentDeciders, renderers, decisions, feed },
  });
  const refused = refusedCallers(options);
  const served = { operations, ...httpParts(options, parts, { runtime, perform, refused }) };
  const http: FastifyInstance = await createHttpServer({
    ...served,
    log: options.log,
    ...{ trustedProxies: options.trustedProxies, arrival: options.arrival },
    metrics,
    onAnswered: (record) => requestLog.record(record),
  });
  traceRequests(http);
  await registerPages(http, {
    ...{ publicUrl, basePath: names.basePath },
    describe: () => openApiDocument(operations, parts.webhooks, names, parts.areaGroups),
    ...{ metrics, metricsAccess: options.metricsAccess, database, storage: options.storage },
  });
  registerHostedPages(http, runtime, policy);
  registerMcp(http, { ...served, publicUrl });
  registerSandboxPage(http, { operations, umaDomain: options.domains.sandboxUmaDomains[0] ?? '' });
  registerMetrics(metrics, { database, clock: options.clock, worker: worker.current });
  http.addHook('preClose', async () => feed.close());
  flushAtClose(http, refused, requestLog);
  return { http, worker: worker.current, operations, runtime, perform, metrics, close: () => http.close() };
}

/** What routes of every kind need: those of the operations, and that of tools for language models. */
function httpParts(
  { names, clock }: AppOptions,
  { authenticators }: Parts,
  { runtime, perform, refused }: { runtime: Runtime; perform: Perform; refused: RefusedCallers },
): HttpParts {
  return {
    names,
    runtime,
    authenticators: authenticators(runtime),
    perform,
    validate,
    rateLimit: createRateLimit(clock),
    onRefusedCaller: (call) => refused.record(call),
  };
}

function createRuntime(
  options: AppOptions,
  { reactions }: Parts,
  publicUrl: () => string,
  worker: { readonly current?: Worker },
): Runtime {
  const { database, clock, newId, vault, serviceKey, names } = options;
  const ports = createPorts(options, publicUrl);
  const traced = { SANDBOX: tracePorts(ports.SANDBOX), PRODUCTION: tracePorts(ports.PRODUCTION) };
  const runtime: Runtime = {
    database,
    commit: createCommit(database, () => runtime.wakeWorker()),
    clock,
    newId: withoutSuffixes(newId),
    vault,
    serviceKey,
    names,
    ports: (environment) => traced[environment],
    reactions: reactionTable(reactions(names)),
    wakeWorker: () => worker.current?.wake(),
  };
  return runtime;
}

/** What people open whom a platform sends here. */
function registerHostedPages(http: FastifyInstance, runtime: Runtime, policy: CustomerPolicy): void {
  registerTermsPage(http, policy.terms);
  registerOnboardingPage(http, { runtime, policy, validate });
  registerInvitationPage(http, runtime);
  registerRevealPage(http, runtime);
  registerLivenessPage(http, runtime);
  registerResetPage(http, runtime);
}

/** There is no poller if no rate source is configured: rates are then set by hand. */
function createRatePoller({ database, clock, log, providers }: AppOptions): RatePoller[] {
  if (!providers?.rates) return [];
  const { rates } = providers;
  const source = httpRateSource(rates, createProviderClient());
  const poller = new RatePoller(
    { database, clock, source, ageMaxMs: rates.ageMaxMs },
    {
      onOutcome(outcome) {
        if (outcome.kind === 'refused')
          log.error(outcome, 'the rates that the source returned were rejected');
        else log.debug(outcome, 'rates were updated');
      },
      onError: (error) => log.error({ err: error }, 'the rate source could not be read'),
    },
  );
  return [poller];
}

function createDeliverer(
  { names, log, sandboxReach }: AppOptions,
  { renderers, decisions }: Parts,
  runtime: Runtime,
): Deliverer {
  return new Deliverer(runtime, {
    names,
    renderers,
    decisions,
    sandboxReach,
    onError: exceptOutages((error, event) => log.error({ err: error, event }, 'a webhook could not be sent')),
    onFailedAttempt: ({ type, outcome, ...attempt }) =>
      log.warn(attempt, `webhook ${type} attempt ${attempt.attempt}: ${outcome}`),
  });
}

/** The worker does nothing until it is started. */
function createAppWorker(
  options: AppOptions,
  runtime: Runtime,
  deliverer: Deliverer,
  handlers: JobHandlers,
): Worker {
  const { log } = options;
  const jobs = new JobRunner(runtime, handlers, {
    onFailure: exceptOutages((error, job) =>
      log.error({ err: error, job }, 'scheduled work failed and will be tried again'),
    ),
  });
  return createWorker([jobs, deliverer, ...createRatePoller(options)], {
    onError: exceptOutages((error, source) =>
      log.error({ err: error, source }, 'the worker cannot look for work'),
    ),
  });
}

/** An outage of the database is logged by the pool, once a second for the whole process, so it is not repeated here. */
function exceptOutages<About>(log: (error: unknown, about: About) => void): typeof log {
  return (error, about) => {
    if (!(error instanceof DatabaseUnavailable)) log(error, about);
  };
}

function customerPolicy({ terms, domains }: AppOptions, publicUrl: () => string): CustomerPolicy {
  return { terms: terms ?? SAMPLE_TERMS, publicUrl, domains, separateCurrencies: [] };
}

function refusedCallers({ database, clock, newId, log }: AppOptions): RefusedCallers {
  const onLost = (error: unknown, rows: number) =>
    log.error({ err: error, rows }, 'failed authentications could not be recorded');
  return new RefusedCallers({ database, clock, newId, onLost });
}

function requestRecorder(
  { database, clock, newId, vault, log }: AppOptions,
  metrics: Metrics,
): RequestRecorder {
  const onLost = exceptOutages((error: unknown, rows: number) =>
    log.error({ err: error, rows }, 'requests could not be written to the request log'),
  );
  const recorder = new RequestRecorder({ database, clock, newId, vault, onLost });
  const name = 'corridor_request_log_rows_total';
  metrics.counter(name, 'Entries of the request log, by outcome.', () => recorder.counters());
  return recorder;
}

/** How long the process waits at its end for the request log, which may lose entries. */
const REQUEST_LOG_CLOSE_MS = 2_000;

/** What waits in memory is written before the process ends. */
function flushAtClose(http: FastifyInstance, refused: RefusedCallers, requestLog: RequestRecorder): void {
  http.addHook('onClose', async () => {
    await refused.flush();
    await requestLog.close(REQUEST_LOG_CLOSE_MS);
  });
}

/** The address this process listens on; until it does, a placeholder that makes absolute URLs possible. */
function originOf({ server }: FastifyInstance): string {
  const address = server.address();
  return address !== null && typeof address === 'object'
    ? `http://localhost:${address.port}`
    : 'http://localhost';
}
