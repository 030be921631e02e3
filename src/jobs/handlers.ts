import type { Tx } from '#database/tx.ts';
import type { Work } from '#database/work.ts';

export interface Job<Payload = unknown> {
  readonly id: bigint;
  readonly kind: string;
  readonly key: string | null;
  readonly payload: Payload;
  /** Business time. */
  readonly dueAt: Date;
  /** How often it failed before. */
  readonly attempts: number;
}

/** An effect in the database alone. The job's row goes in the same transaction. */
export interface RunHandler {
  run(tx: Tx, job: Job): Promise<void>;
  /** Jobs of one platform that fall due together, in one transaction; if it fails each is run by itself. */
  many?(tx: Tx, jobs: readonly Job[]): Promise<void>;
}

/**
 * Something outside first: the job is leased and the lease committed, the call made with no transaction
 * open, and what it returns is applied in the transaction that removes the job. A process that dies in
 * between is followed by another call, so the other side must know a repetition by its reference
 * (decision 0004).
 */
export interface CallHandler {
  call(work: Work, job: Job): Promise<Effect>;
  /** Jobs of one platform in one call, with one effect; if it fails each is called by itself. */
  many?(work: Work, jobs: readonly Job[]): Promise<Effect>;
}

/** For a call that is made for many jobs as for one. */
export function inOneCall(many: NonNullable<CallHandler['many']>): CallHandler {
  return { call: (work, job) => many(work, [job]), many };
}

export type Effect = (tx: Tx) => Promise<void>;

export type JobHandler = RunHandler | CallHandler;

/** By kind. parts.ts fills it. */
export type JobHandlers = Readonly<Record<string, JobHandler>>;

export function isCall(handler: JobHandler): handler is CallHandler {
  return 'call' in handler;
}
