import { setTimeout as pause } from 'node:timers/promises';
import type { Tx } from '#database/tx.ts';
import type { CallWork } from '#http/call-work.ts';
import { StillRunning, WAIT_MS } from '#http/idempotency.ts';
import { Refusal } from '#lib/refusals.ts';

/** An effect outside the database, which no transaction may wait for, between the two commits that know of it. */
export interface ExternalCall<Begun, Result, Reply> {
  /** When it is over, whatever became of it; real time. */
  readonly until: Date;
  /** What is known before it; commits with the claim of the request's key. */
  begin(tx: Tx): Promise<Begun>;
  call(begun: Begun): Promise<Result>;
  /** What became of it; commits with the reply that the key keeps. A refusal frees the key. */
  end(tx: Tx, begun: Begun, result: Result): Promise<Reply | Refusal>;
  /** For whoever repeats a call that nobody knows the end of: its process died. Said once; then the key is free. */
  lost(): Refusal;
}

const POLL_MS = 100;

/** Makes the call once for its key, however many ask at once and in however many processes (platform.md §2). */
export async function callExternal<Begun, Result, Reply>(
  work: CallWork,
  outside: ExternalCall<Begun, Result, Reply>,
): Promise<Reply | Refusal> {
  const { until } = outside;
  const begun = await oncePossible(() => work.beginExternal(until, (tx) => outside.begin(tx)));
  if (begun === 'lost') return outside.lost();
  try {
    const result = await outside.call(begun.value);
    return await work.endExternal(until, (tx) => outside.end(tx, begun.value, result));
  } catch (error) {
    // Where this fails as well, the claim runs out.
    if (!(error instanceof Refusal)) await work.freeExternal(until).catch(() => undefined);
    throw error;
  }
}

/**
 * The call of another process is looked after until it has ended or the time to wait for it is over (platform.md §2.4).
 */
async function oncePossible<T>(step: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof StillRunning) || Date.now() >= deadline) throw error;
    }
    await pause(POLL_MS);
  }
}
