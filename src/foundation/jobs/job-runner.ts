import { randomUUID } from 'node:crypto';
import type { Runtime, Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import {
  type CallHandler,
  delayAfterFailure,
  describeFailure,
  type Effect,
  isCall,
  type Job,
  type JobHandlers,
  type RunHandler,
  tracedJobs,
} from '#foundation/jobs/handlers.ts';
import { LEASE_MS, Leases } from '#foundation/jobs/leases.ts';
import {
  type DueLane,
  type Lease,
  listDueLanes,
  listDuePlatforms,
  nextDueAt,
  WALK_START,
  walkLanes,
} from '#foundation/jobs/queues-store.ts';
import {
  endLease,
  findLeased,
  JOB_QUEUES,
  leaseJobs,
  postponeJob,
  takeJobs,
} from '#foundation/jobs/store.ts';
import {
  type Metric,
  MetricTotals,
  type StepResult,
  WakeSignal,
  type WorkSource,
} from '#foundation/jobs/work-source.ts';

export interface JobRunnerOptions {
  /** Called once per failure, for the log. */
  onFailure?(error: unknown, job: { kind: string; platformId: PlatformId }): void;
  /** The most queues whose jobs run at the same time; each takes a connection. */
  lanesMax?: number;
  /** The most queues that make outbound calls at the same time. */
  callLanesMax?: number;
  batchMax?: number;
}

/** After this many batches a lane lets other queues run. */
const BATCHES_MAX = 10;
const CALLS_AT_ONCE = 32;

/** Runs scheduled jobs: each takes effect exactly once, and each queue (platform and kind) runs by itself. */
export class JobRunner implements WorkSource {
  readonly name = 'jobs';
  readonly callsOutside = false;
  readonly signal = new WakeSignal();
  readonly #runtime: Runtime;
  readonly #handlers: JobHandlers;
  readonly #options: Required<JobRunnerOptions>;
  readonly #owner = randomUUID();
  readonly #leases: Leases<Lease>;
  readonly #running = new Map<string, Promise<void>>();
  readonly #jobs = new MetricTotals('corridor_jobs_total');
  #callLanes = 0;
  #finished = 0;
  #walk = WALK_START;
  #isDraining = false;

  constructor(runtime: Runtime, handlers: JobHandlers, options: JobRunnerOptions = {}) {
    this.#runtime = runtime;
    this.#handlers = handlers;
    this.#options = {
      onFailure: () => undefined,
      lanesMax: 6,
      callLanesMax: 256,
      batchMax: 500,
      ...options,
    };
    this.#leases = new Leases({ runtime, queues: JOB_QUEUES });
  }

  finished(): number {
    return this.#finished;
  }

  counters(): Metric[] {
    return this.#jobs.counters();
  }

  async pump(): Promise<void> {
    if (this.#isDraining || !this.#hasLane(false)) return;
    const { due, stoppedAt } = await walkLanes(this.#query, JOB_QUEUES, this.#now(), this.#walk);
    this.#walk = stoppedAt;
    for (const queue of due) {
      const name = `${queue.platform.id}/${queue.lane}`;
      const calls = this.#calls(queue.lane);
      if (this.#running.has(name) || !this.#hasLane(calls)) continue;
      if (calls) this.#callLanes++;
      this.#running.set(name, this.#runLane(name, queue, calls));
    }
    // There are more queues than one walk visits: continue at once.
    if (stoppedAt !== WALK_START) this.signal.raise();
  }

  duePlatforms(): Promise<PlatformId[]> {
    return listDuePlatforms(this.#query, JOB_QUEUES, this.#now());
  }

  async step(platformId: PlatformId): Promise<StepResult> {
    const queues = await listDueLanes(this.#query, JOB_QUEUES, platformId, this.#now());
    for (const [i, queue] of queues.entries()) {
      // Only up to the time of the next queue's first job, so that all jobs run in order.
      const dueUntil = queues[i + 1]?.dueAt;
      const done = await this.#runBatch(queue, dueUntil);
      if (done > 0) return { done, isDue: true, hadFailure: false };
    }
    return { done: 0, isDue: queues.length > 0, hadFailure: false };
  }

  nextDueAt(platformId: PlatformId, after: Date): Promise<Date | undefined> {
    return nextDueAt(this.#query, JOB_QUEUES, platformId, after);
  }

  async drain(withinMs: number): Promise<void> {
    this.#isDraining = true;
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, withinMs);
    await Promise.race([Promise.all(this.#running.values()), timeout.promise]);
    clearTimeout(timer);
    this.#leases.close();
  }

  get #query() {
    return this.#runtime.database.query;
  }

  #now(): Date {
    return new Date(this.#runtime.clock.now());
  }

  #calls(kind: string): boolean {
    const handler = this.#handlerOf(kind);
    return handler !== undefined && isCall(handler);
  }

  #handlerOf(kind: string) {
    return Object.hasOwn(this.#handlers, kind) ? this.#handlers[kind] : undefined;
  }

  #hasLane(calls: boolean): boolean {
    const { lanesMax, callLanesMax } = this.#options;
    return calls ? this.#callLanes < callLanesMax : this.#running.size - this.#callLanes < lanesMax;
  }

  async #runLane(name: string, queue: DueLane, calls: boolean): Promise<void> {
    let done = 0;
    try {
      for (let batch = 0; batch < BATCHES_MAX && !this.#isDraining; batch++) {
        const count = await this.#runBatch(queue);
        if (count === 0) break;
        done += count;
      }
    } catch (error) {
      this.#options.onFailure(error, { kind: queue.lane, platformId: queue.platform.id });
    } finally {
      this.#running.delete(name);
      if (calls) this.#callLanes--;
      // Without progress (another process holds the rows, or the database is down) the next poll is soon enough.
      if (done > 0) this.signal.raise();
    }
  }

  /** Runs one batch of a queue; returns the number of jobs that it took, whether they succeeded or were postponed. */
  #runBatch({ platform, lane: kind }: DueLane, dueUntil?: Date): Promise<number> {
    const work = new Work(this.#runtime, platform, { kind: 'worker', id: 'jobs' });
    const handler = this.#handlerOf(kind) ?? missing(kind);
    return isCall(handler)
      ? this.#callBatch(work, kind, handler, dueUntil)
      : this.#doBatch(work, kind, handler, dueUntil);
  }

  async #doBatch(work: Work, kind: string, handler: RunHandler, dueUntil?: Date): Promise<number> {
    const limit = handler.many ? this.#options.batchMax : 1;
    let jobs: Job[] = [];
    try {
      await work.write(async (tx) => {
        jobs = await takeJobs(tx, { kind, limit, ...(dueUntil && { dueUntil }) });
        await tracedJobs(jobs, () => runAll(tx, handler, jobs));
      });
      this.#count(work, jobs, 'done');
    } catch (error) {
      const [only, ...others] = jobs;
      if (!only) throw error;
      if (others.length === 0) await this.#fail(work, only, error);
      else for (const job of jobs) await this.#doOne(work, handler, job);
    }
    return jobs.length;
  }

  /** After a batch failed: runs its jobs one by one, so that only the failing job is postponed. */
  async #doOne(work: Work, handler: RunHandler, job: Job): Promise<void> {
    try {
      const taken = await work.write(async (tx) => {
        const jobs = await takeJobs(tx, { kind: job.kind, limit: 1, id: job.id });
        for (const mine of jobs) await tracedJobs([mine], () => handler.run(tx, mine));
        return jobs;
      });
      this.#count(work, taken, 'done');
    } catch (error) {
      await this.#fail(work, job, error);
    }
  }

  async #callBatch(work: Work, kind: string, handler: CallHandler, dueUntil?: Date): Promise<number> {
    const until = new Date(this.#runtime.clock.now() + LEASE_MS);
    const limit = handler.many ? this.#options.batchMax : CALLS_AT_ONCE;
    const jobs = await work.write((tx) =>
      leaseJobs(tx, { kind, limit, ...(dueUntil && { dueUntil }) }, this.#owner, until),
    );
    if (jobs.length === 0) return 0;
    const lease = { platform_id: work.platform.id, owner: this.#owner };
    const leases = jobs.map(({ id }) => ({ ...lease, key: id, leased_until: until }));
    this.#leases.hold(...leases);
    try {
      const apart = await this.#callMany(work, handler, jobs);
      await Promise.all(apart.map((job) => this.#callOne(work, handler, job)));
    } finally {
      for (const held of leases) this.#leases.drop(held);
    }
    return jobs.length;
  }

  /**
   * Makes one call for all jobs, if the handler supports it; returns the jobs to be called one by one. If a job was
   * cancelled meanwhile, or another process has it, the call is repeated without it.
   */
  async #callMany(work: Work, handler: CallHandler, jobs: readonly Job[]): Promise<readonly Job[]> {
    const many = handler.many;
    if (!many) return jobs;
    let mine = jobs;
    while (mine.length > 0) {
      try {
        await tracedJobs(mine, async () => this.#apply(work, mine, await many(work, mine)));
        return [];
      } catch (error) {
        if (!(error instanceof LeaseLost)) return mine;
        mine = await work.read((tx) => findLeased(tx, mine, this.#owner));
      }
    }
    return [];
  }

  async #callOne(work: Work, handler: CallHandler, job: Job): Promise<void> {
    try {
      await tracedJobs([job], async () => this.#apply(work, [job], await handler.call(work, job)));
    } catch (error) {
      if (!(error instanceof LeaseLost)) await this.#fail(work, job, error);
    }
  }

  /** Applies the effect and deletes the job in one commit, if the lease has not been taken over by another process. */
  async #apply(work: Work, jobs: readonly Job[], effect: Effect): Promise<void> {
    const ids = jobs.map((job) => job.id);
    await work.write(async (tx) => {
      if (!(await endLease(tx, ids, this.#owner))) throw new LeaseLost();
      await effect(tx);
    });
    this.#count(work, jobs, 'done');
  }

  async #fail(work: Work, job: Job, error: unknown): Promise<void> {
    this.#count(work, [job], 'failed');
    this.#options.onFailure(error, { kind: job.kind, platformId: work.platform.id });
    const delayMs = delayAfterFailure(job.attempts + 1);
    await work.write((tx) => postponeJob(tx, job, delayMs, describeFailure(error)));
  }

  #count({ platform }: Work, jobs: readonly Job[], outcome: 'done' | 'failed'): void {
    this.#finished += jobs.length;
    const environment = platform.environment.toLowerCase();
    for (const { kind } of jobs) this.#jobs.add({ kind, environment, outcome });
  }
}

/** The lease could not be renewed in time: another process has the job, and nothing is applied here. */
class LeaseLost extends Error {}

async function runAll(tx: Tx, handler: RunHandler, jobs: readonly Job[]): Promise<void> {
  if (handler.many && jobs.length > 1) return handler.many(tx, jobs);
  for (const job of jobs) await handler.run(tx, job);
}

/** A job of an unknown kind is postponed like any failure, and shows in the log and the metrics. */
function missing(kind: string): RunHandler {
  return { run: () => Promise.reject(new Error(`no handler for jobs of kind ${kind}`)) };
}
