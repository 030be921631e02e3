import { setTimeout as pause } from 'node:timers/promises';
import type { Tx } from '#foundation/database/tx.ts';
import type { CallWork } from '#foundation/http/declare/call-work.ts';
import { StillRunning, WAIT_MS } from '#foundation/http/idempotency/idempotency.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/** A call to an external provider, made between two commits, because no transaction may wait for it. */
export interface ExternalCall<Begun, Result, Reply> {
  /** The deadline of the call, whatever its outcome; real time. */
  readonly until: Date;
  /** Written before the call; commits with the claim of the request's key. */
  begin(tx: Tx): Promise<Begun>;
  call(begun: Begun): Promise<Result>;
  /** Written after the call; commits with the reply that is stored under the key. A refusal releases the key. */
  end(tx: Tx, begun: Begun, result: Result): Promise<Reply | Refusal>;
  /**
   * The refusal of a repeated call whose first outcome is unknown because its process died. Sent once; then the key is
   * free.
   */
  lost(): Refusal;
}

const POLL_MS = 100;

/** Makes the call once for its key, however many requests and processes compete for it (platform.md §2). */
export async function callExternal<Begun, Result, Reply>(
  work: CallWork,
  outside: ExternalCall<Begun, Result, Reply>,
): Promise<Reply | Refusal> {
  const { until } = outside;
  const begun = await retryWhileRunning(() => work.beginExternal(until, (tx) => outside.begin(tx)));
  if (begun === 'lost') return outside.lost();
  try {
    const result = await outside.call(begun.value);
    return await work.endExternal(until, (tx) => outside.end(tx, begun.value, result));
  } catch (error) {
    // If this fails as well, the claim expires.
    if (!(error instanceof Refusal)) await work.releaseKey(until).catch(() => undefined);
    throw error;
  }
}

/**
 * Waits for the same call in another process until it has ended or the waiting time is over (platform.md §2.4).
 */
async function retryWhileRunning<T>(step: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof StillRunning) || performance.now() >= deadline) throw error;
    }
    await pause(POLL_MS);
  }
}
