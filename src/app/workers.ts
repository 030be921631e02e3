import type { FastifyInstance } from 'fastify';
import { RatePoller } from '#capabilities/pricing/rate-source/rate-poller.ts';
import { openFilePlaces } from '#edge/providers/bank-files/open-places.ts';
import { BankFileWorker } from '#edge/providers/bank-files/worker.ts';
import { createConnectorClient } from '#edge/providers/connectors/client.ts';
import { ConnectorWorker } from '#edge/providers/connectors/worker.ts';
import { httpRateSource } from '#edge/providers/rate-source.ts';
import { RequestRecorder } from '#edge/request-log/recorder.ts';
import { Deliverer } from '#edge/webhooks/deliverer.ts';
import { LedgerProver } from '#foundation/books/ledger-prover.ts';
import { DatabaseUnavailable } from '#foundation/database/failures.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import type { Metrics } from '#foundation/http/serve/metrics.ts';
import { RefusedCallers } from '#foundation/http/serve/refused-callers.ts';
import type { JobHandlers } from '#foundation/jobs/handlers.ts';
import { type InstallationTask, InstallationWork } from '#foundation/jobs/installation-work.ts';
import { JobRunner } from '#foundation/jobs/job-runner.ts';
import { createWorker, type Worker } from '#foundation/jobs/worker.ts';
import { JournalFollower } from '#foundation/journal/follower.ts';
import type { LedgerCheck } from '#foundation/ledger/checks.ts';
import { createProviderClient } from '#foundation/outbound/outbound.ts';
import type { Composition } from './compose.ts';
import type { AppOptions } from './options.ts';

/** Without a configured rate source there is no poller: the operator then sets rates by hand. */
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

export function createDeliverer(
  { names, log, sandboxReach }: AppOptions,
  { renderers, decisions }: Composition,
  runtime: Runtime,
): Deliverer {
  return new Deliverer(runtime, {
    names,
    renderers,
    decisions,
    sandboxReach,
    onError: ignoreOutages((error, event) => log.error({ err: error, event }, 'a webhook could not be sent')),
    onFailedAttempt: ({ type, outcome, ...attempt }) =>
      log.warn(attempt, `webhook ${type} attempt ${attempt.attempt}: ${outcome}`),
  });
}

const ROUND_MS = 10 * 60 * 1000;

/** What the composition gives the worker to do. */
interface WorkOf {
  readonly handlers: JobHandlers;
  readonly upkeep: readonly InstallationTask[];
  readonly rounds: readonly InstallationTask[];
  readonly ledgerChecks: readonly LedgerCheck[];
}

/** Without a place for files no connector speaks by files. */
function createFileWorker({ log, clock, providers }: AppOptions, runtime: Runtime): BankFileWorker[] {
  if (!providers?.bankFiles) return [];
  const worker = new BankFileWorker({
    ...{
      runtime,
      places: openFilePlaces(providers.bankFiles, clock),
      keptDays: providers.bankFiles.keptDays,
    },
    onFailure: ignoreOutages((error, at) =>
      log.error({ err: error, ...at }, 'the files of a bank could not be processed; the worker tries again'),
    ),
    onAlarm: (reason, at) => log.error({ reason, ...at }, 'a file of a bank needs a person'),
  });
  return [worker];
}

/** The worker does nothing until it is started. */
export function createAppWorker(
  options: AppOptions,
  runtime: Runtime,
  deliverer: Deliverer,
  { handlers, upkeep, rounds, ledgerChecks }: WorkOf,
): Worker {
  const { log } = options;
  const connectors = new ConnectorWorker({
    ...{ runtime, client: createConnectorClient(runtime) },
    onFailure: ignoreOutages((error, at) =>
      log.error({ err: error, ...at }, 'a connector’s work failed and will be retried'),
    ),
  });
  const jobs = new JobRunner(runtime, handlers, {
    onFailure: ignoreOutages((error, job) =>
      log.error({ err: error, job }, 'a job failed and will be retried'),
    ),
  });
  const follower = new JournalFollower(
    runtime,
    ignoreOutages((error: unknown, platform: PlatformId | undefined) =>
      log.error({ err: error, platform }, 'a journal could not be read'),
    ),
  );
  const prover = new LedgerProver(
    runtime,
    ledgerChecks,
    ignoreOutages((error: unknown, verification: bigint | undefined) =>
      log.error({ err: error, verification }, 'the ledger could not be verified'),
    ),
  );
  const onFailure = ignoreOutages((error: unknown, task: string) =>
    log.error({ err: error, task }, 'a task of the upkeep failed and will be retried'),
  );
  const installation = [
    new InstallationWork(runtime, upkeep, { onFailure }),
    new InstallationWork(runtime, rounds, { name: 'rounds', everyMs: ROUND_MS, onFailure }),
  ];
  const files = createFileWorker(options, runtime);
  const inside = [jobs, deliverer, follower, prover, ...files, ...installation];
  return createWorker([...inside, connectors, ...createRatePoller(options)], {
    onError: ignoreOutages((error, source) =>
      log.error({ err: error, source }, 'the worker cannot look for work'),
    ),
  });
}

/** The pool logs a database outage once a second for the whole process, so it is not logged again here. */
function ignoreOutages<About>(log: (error: unknown, about: About) => void): typeof log {
  return (error, about) => {
    if (!(error instanceof DatabaseUnavailable)) log(error, about);
  };
}

export function refusedCallers({ database, clock, newId, log }: AppOptions): RefusedCallers {
  const onLost = (error: unknown, rows: number) =>
    log.error({ err: error, rows }, 'failed authentications could not be recorded');
  return new RefusedCallers({ database, clock, newId, onLost });
}

export function requestRecorder(
  { database, clock, newId, vault, personKeys, log, kept }: AppOptions,
  metrics: Metrics,
): RequestRecorder {
  const onLost = ignoreOutages((error: unknown, rows: number) =>
    log.error({ err: error, rows }, 'requests could not be written to the request log'),
  );
  const recorder = new RequestRecorder({ database, clock, newId, vault, personKeys, kept, onLost });
  const name = 'corridor_request_log_rows_total';
  metrics.counter(name, 'Entries of the request log, by outcome.', () => recorder.counters());
  return recorder;
}

/** How long a stopping process waits for the request log, which may lose entries. */
const REQUEST_LOG_CLOSE_MS = 2_000;

/** Writes the entries that are still in memory before the process ends. */
export function flushAtClose(
  http: FastifyInstance,
  refused: RefusedCallers,
  requestLog: RequestRecorder,
): void {
  http.addHook('onClose', async () => {
    await refused.flush();
    await requestLog.close(REQUEST_LOG_CLOSE_MS);
  });
}
