import { sqlFailure } from '#foundation/database/failures.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import { type PublicId, publicId, type ResourceType } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { commonTrace, traced } from '#foundation/lib/tracing.ts';
import type { Ports } from '#foundation/ports/ports.ts';

export interface Job<Payload = unknown> {
  readonly id: bigint;
  readonly kind: string;
  readonly key: string | null;
  readonly payload: Payload;
  /** Business time. */
  readonly dueAt: Date;
  /** The number of earlier failures. */
  readonly attempts: number;
  /** The trace in which it was scheduled. */
  readonly traceparent?: string | null;
}

/** For work in the database alone. The job's row is deleted in the same transaction. */
export interface RunHandler {
  run(tx: Tx, job: Job): Promise<void>;
  /** Jobs of one platform that are due together, in one transaction; if it fails, each is run by itself. */
  many?(tx: Tx, jobs: readonly Job[]): Promise<void>;
}

/**
 * For work that first makes an outbound call: the job is leased and the lease committed, the call is made with no
 * transaction open, and its result is applied in the transaction that deletes the job. If the process dies in between, the
 * call is repeated, so the provider must recognise a repetition by its reference (decision 0004).
 */
export interface CallHandler {
  call(work: Work, job: Job): Promise<Effect>;
  /** Jobs of one platform in one call, with one effect; if it fails, each is called by itself. */
  many?(work: Work, jobs: readonly Job[]): Promise<Effect>;
}

/** For a handler that treats one job as a batch of one. */
export function batchHandler(many: NonNullable<CallHandler['many']>): CallHandler {
  return { call: (work, job) => many(work, [job]), many };
}

export type Effect = (tx: Tx) => Promise<void>;

export type JobHandler = RunHandler | CallHandler;

/** By kind. */
export type JobHandlers = Readonly<Record<string, JobHandler>>;

/** Something that will happen on the platform's clock, in words for the platform's developers. */
export interface DueFact {
  /** The resource that it concerns. */
  readonly resourceId?: PublicId | undefined;
  /** One sentence that says what happens then. It names no secret and no person. */
  readonly sentence: string;
}

/**
 * What a pending job will do. `upkeep`: nothing that the platform's developers would wait for. `elsewhere`: a
 * `DueSource` of the same folder lists what the job does, because one job does it for several resources.
 */
export type JobMeaning = ((job: Job, ports: Ports) => DueFact) | 'upkeep' | 'elsewhere';

/** A job's handler with its meaning. */
export type JobDeclaration = JobHandler & { readonly due: JobMeaning };

/** By kind. Listed in src/foundation/manifest.ts. */
export type JobDeclarations = Readonly<Record<string, JobDeclaration>>;

/** The meaning of a job about the resource whose id is in a field of its payload. */
export function concerning(
  type: ResourceType,
  sentenceOf: (id: PublicId) => string,
  field = 'id',
): (job: Job) => DueFact {
  return ({ payload }) => {
    const resourceId = publicId(type, (payload as Record<string, string>)[field] ?? '');
    return { resourceId, sentence: sentenceOf(resourceId) };
  };
}

export function isCall(handler: JobHandler): handler is CallHandler {
  return 'call' in handler;
}

const TEXT_MAX = 300;

/** The stored text of a failure: enough to find the cause, without the values that a database message may quote. */
export function describeFailure(error: unknown): string {
  const failure = sqlFailure(error);
  if (failure) return `SQLSTATE ${failure.code}${failure.constraint ? ` on ${failure.constraint}` : ''}`;
  // The message quotes the unparsable text, which may describe a person.
  if (error instanceof SyntaxError) return error.name;
  if (error instanceof Refusal) return `${error.code}: ${error.message}`.slice(0, TEXT_MAX);
  if (error instanceof Error) return `${error.name}: ${error.message}`.slice(0, TEXT_MAX);
  return 'unknown failure';
}

const FIRST_DELAY_MS = 1_000;
const DELAY_MAX_MS = 30 * 60_000;

/** How long a job is postponed after its nth failure. */
export function delayAfterFailure(times: number): number {
  return doublingDelayMs(FIRST_DELAY_MS, DELAY_MAX_MS, times);
}

/** The delay before the nth retry: the first one, doubled each time, up to the longest. */
export function doublingDelayMs(firstMs: number, maxMs: number, n: number): number {
  return Math.min(firstMs * 2 ** Math.min(n - 1, 30), maxMs);
}

/** Runs jobs of one batch as one span, in the trace in which they were scheduled. */
export function tracedJobs<T>(jobs: readonly Job[], step: () => Promise<T>): Promise<T> {
  const [first] = jobs;
  if (!first) return step();
  const facts = () => ({
    name: `job ${first.kind}`,
    kind: 'consumer' as const,
    ...commonTrace(jobs.map((job) => job.traceparent)),
    attributes: { 'corridor.job_kind': first.kind, 'corridor.jobs': jobs.length },
  });
  return traced(facts, step);
}
