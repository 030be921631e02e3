import type { FastifyInstance } from 'fastify';
import type { CustomerPolicy } from '#capabilities/customers/terms/policy.ts';
import { SAMPLE_TERMS } from '#capabilities/customers/terms/sample-terms.ts';
import { createPaymentParts } from '#capabilities/payments/execution/store.ts';
import { loadSendingTerms } from '#capabilities/platform/store.ts';
import { sandboxUmaProvider } from '#edge/sandbox/rails/uma-table.ts';
import { Feed } from '#edge/webhooks/listeners/feed.ts';
import { createCommit } from '#foundation/database/commit.ts';
import type { Outbox } from '#foundation/database/outbox.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { reactionTable } from '#foundation/events/reactions.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { openApiDocument, operatorsDocument } from '#foundation/http/document/openapi.ts';
import { registerPages } from '#foundation/http/document/pages.ts';
import { createPerform, type Perform } from '#foundation/http/perform/perform.ts';
import { validate } from '#foundation/http/read/validate.ts';
import { createMetrics, type Metrics } from '#foundation/http/serve/metrics.ts';
import { createRateLimit } from '#foundation/http/serve/rate-limit.ts';
import type { RefusedCallers } from '#foundation/http/serve/refused-callers.ts';
import { createHttpServer } from '#foundation/http/serve/server.ts';
import type { DueSource } from '#foundation/jobs/due.ts';
import type { Worker } from '#foundation/jobs/worker.ts';
import { withoutReservedEndings } from '#foundation/lib/ids.ts';
import { tracePorts, traceRequests } from '#foundation/tracing/wrap.ts';
import { createPorts } from './adapters.ts';
import { AREA_GROUPS, OPERATOR_AREAS } from './areas.ts';
import { WORK_KINDS } from './attention.ts';
import { type Composition, SERVICE } from './compose.ts';
import { registerMetrics } from './metrics.ts';
import type { AppOptions } from './options.ts';
import type { AppParts } from './parts.ts';
import {
  createAppWorker,
  createDeliverer,
  flushAtClose,
  refusedCallers,
  requestRecorder,
} from './workers.ts';

export interface App {
  readonly http: FastifyInstance;
  readonly worker: Worker;
  readonly operations: readonly NamedOperation[];
  readonly operatorOperations: readonly NamedOperation[];
  readonly runtime: Runtime;
  /** Performs an operation without an HTTP request, for operator commands and for programs that embed the app. */
  readonly perform: Perform;
  readonly metrics: Metrics;
  close(): Promise<void>;
}

/** The composition root: builds the service from the manifests of its capabilities. */
export async function createApp(options: AppOptions, service: Composition = SERVICE): Promise<App> {
  const { database, names, log } = options;
  const publicUrl = () => options.publicUrl ?? originOf(http);
  const late: Late = { operations: [], operatorOperations: [], dueSources: [] };
  const runtime = createRuntime(options, service, publicUrl, late);
  const metrics = createMetrics();
  const refused = refusedCallers(options);
  const parts = createParts(options, service, { runtime, metrics, refused, publicUrl, late });
  const jobs = service.jobs(parts);
  const worker = createAppWorker(options, runtime, parts.deliverer, {
    handlers: jobs,
    upkeep: service.upkeep(parts),
    rounds: service.rounds(parts),
    ledgerChecks: service.ledgerChecks,
  });
  late.worker = worker;
  late.dueSources = service.dueSources(jobs);
  const operations = service.operations(parts);
  late.operations = operations;
  const operatorOperations = service.operatorOperations(parts);
  late.operatorOperations = operatorOperations;
  const http: FastifyInstance = await createHttpServer({
    ...parts,
    operations,
    log,
    ...{ trustedProxies: options.trustedProxies, arrival: options.arrival },
    metrics,
    onAnswered: (record) => parts.requestLog.record(record),
  });
  traceRequests(http);
  await registerPages(http, {
    ...{ publicUrl, basePath: names.basePath },
    describe: () => openApiDocument(operations, service.webhooks, names, AREA_GROUPS),
    ...{ metrics, metricsAccess: options.metricsAccess, database, storage: options.storage },
  });
  service.pages(http, parts);
  registerMetrics(metrics, { database, clock: options.clock, worker });
  http.addHook('preClose', async () => parts.feed.close());
  flushAtClose(http, refused, parts.requestLog);
  const { perform } = parts;
  const close = () => http.close();
  return { http, worker, operations, operatorOperations, runtime, perform, metrics, close };
}

interface EarlyParts {
  readonly runtime: Runtime;
  readonly metrics: Metrics;
  readonly refused: RefusedCallers;
  readonly late: Late;
  publicUrl(): string;
}

/** Parts that are built from other parts, so that they exist only once the app is complete. */
interface Late {
  worker?: Worker;
  operations: readonly NamedOperation[];
  operatorOperations: readonly NamedOperation[];
  dueSources: readonly DueSource[];
}

function createParts(
  options: AppOptions,
  service: Composition,
  { runtime, metrics, refused, late, publicUrl }: EarlyParts,
): AppParts {
  const { names, domains, clock, log, sandboxReach, passkeyOrigins = [], consoleSettings } = options;
  const { retentionYears = 5, bankTextsKeptDays = 3_650 } = options;
  const { transactionSources, paymentDeciders, searchPlaces, renderers, decisions, erasers } = service;
  const { explainers, trails, relatives, ledgerChecks } = service;
  const deliverer = createDeliverer(options, service, runtime);
  return {
    ...{ names, domains, log, sandboxReach, passkeyOrigins, consoleSettings, runtime, publicUrl, validate },
    ...{ transactionSources, paymentDeciders, searchPlaces, renderers, decisions, erasers },
    ...{ explainers, trails, relatives, ledgerChecks, loadSendingTerms, deliverer },
    ...{ retentionYears, bankTextsKeptDays },
    revealUrl: () => options.revealUrl ?? publicUrl(),
    umaProviders: { SANDBOX: domains.sandboxUmaDomains.map(sandboxUmaProvider), PRODUCTION: [] },
    policy: customerPolicy(options, publicUrl),
    payments: createPaymentParts(runtime),
    feed: new Feed(deliverer.sender, renderers),
    requestLog: requestRecorder(options, metrics),
    perform: createPerform(runtime, service),
    authenticators: service.authenticators(runtime),
    rateLimit: createRateLimit(clock),
    onRefusedCaller: (call) => refused.record(call),
    get worker() {
      return required(late.worker);
    },
    operations: () => late.operations,
    operatorOperations: () => late.operatorOperations,
    describeOperators: () => operatorsDocument(late.operatorOperations, names, OPERATOR_AREAS),
    dueSources: () => late.dueSources,
    workKinds: () => WORK_KINDS,
  };
}

function required(worker: Worker | undefined): Worker {
  if (!worker) throw new Error('the worker is made after the jobs');
  return worker;
}

function createRuntime(
  options: AppOptions,
  { reactions, erasers }: Composition,
  publicUrl: () => string,
  late: Pick<Late, 'worker'>,
): Runtime {
  const { database, clock, newId, vault, personKeys, serviceKey, names, kept } = options;
  const ports = createPorts(options, publicUrl, () => runtime);
  const traced = { SANDBOX: tracePorts(ports.SANDBOX), PRODUCTION: tracePorts(ports.PRODUCTION) };
  const outbox: Outbox = {};
  const runtime: Runtime = {
    database,
    commit: createCommit(database, (names) => runtime.wakeWorker(names), outbox),
    outbox,
    clock,
    newId: withoutReservedEndings(newId),
    vault,
    personKeys,
    serviceKey,
    names,
    kept,
    ports: (environment) => traced[environment],
    reactions: reactionTable(reactions({ names, erasers })),
    wakeWorker: (names) => late.worker?.wake(names),
  };
  return runtime;
}

function customerPolicy({ terms, domains }: AppOptions, publicUrl: () => string): CustomerPolicy {
  return { terms: terms ?? SAMPLE_TERMS, publicUrl, domains, separateCurrencies: [] };
}

/** The address this process listens on; before it listens, a placeholder from which absolute URLs can be built. */
function originOf({ server }: FastifyInstance): string {
  const address = server.address();
  return address !== null && typeof address === 'object'
    ? `http://localhost:${address.port}`
    : 'http://localhost';
}
