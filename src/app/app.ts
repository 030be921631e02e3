import type { FastifyInstance } from 'fastify';
import { registerRevealPage } from '#capabilities/cards/reveal/page.ts';
import type { CustomerPolicy } from '#capabilities/customers/terms/policy.ts';
import { SAMPLE_TERMS } from '#capabilities/customers/terms/sample-terms.ts';
import { registerTermsPage, type TermsVersion } from '#capabilities/customers/terms/terms.ts';
import { registerInvitationPage } from '#capabilities/invitations/page.ts';
import { registerOnboardingPage } from '#capabilities/onboarding/register-page.ts';
import { createPaymentParts } from '#capabilities/payments/execution/store.ts';
import { RatePoller } from '#capabilities/pricing/rate-source/rate-poller.ts';
import { registerMcp } from '#edge/mcp/route.ts';
import { httpRateSource } from '#edge/providers/rate-source.ts';
import { RequestRecorder } from '#edge/request-log/recorder.ts';
import { registerLivenessPage } from '#edge/sandbox/identity/liveness-page.ts';
import { registerSandboxPage } from '#edge/sandbox/page/tables-page.ts';
import { registerResetPage } from '#edge/sandbox/sca/reset-page.ts';
import { withoutSuffixes } from '#edge/sandbox/table.ts';
import { Deliverer } from '#edge/webhooks/deliverer.ts';
import { Feed } from '#edge/webhooks/listeners/feed.ts';
import type { ServiceKey } from '#foundation/crypto/service-key.ts';
import type { ListedOrigin } from '#foundation/crypto/webauthn.ts';
import { createCommit } from '#foundation/database/commit.ts';
import { DatabaseUnavailable } from '#foundation/database/failures.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { reactionTable } from '#foundation/events/reactions.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { openApiDocument } from '#foundation/http/document/openapi.ts';
import { registerPages } from '#foundation/http/document/pages.ts';
import { createPerform, type Perform } from '#foundation/http/perform/perform.ts';
import { validate } from '#foundation/http/read/validate.ts';
import type { ArrivalLimits } from '#foundation/http/serve/arrival.ts';
import { createMetrics, type Metrics } from '#foundation/http/serve/metrics.ts';
import type { MetricsAccess } from '#foundation/http/serve/metrics-access.ts';
import { createRateLimit } from '#foundation/http/serve/rate-limit.ts';
import { RefusedCallers } from '#foundation/http/serve/refused-callers.ts';
import type { HttpParts } from '#foundation/http/serve/register.ts';
import { createHttpServer } from '#foundation/http/serve/server.ts';
import type { JobHandlers } from '#foundation/jobs/handlers.ts';
import { JobRunner } from '#foundation/jobs/job-runner.ts';
import { createWorker, type Worker } from '#foundation/jobs/worker.ts';
import type { SandboxReach } from '#foundation/outbound/addresses.ts';
import { createProviderClient } from '#foundation/outbound/outbound.ts';
import { tracePorts, traceRequests } from '#foundation/tracing/wrap.ts';
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
