import type { ReadTx } from '#database/tx.ts';
import { decideKeys, JOB } from '#payments/machine/jobs.ts';
import type { TransactionRow } from '#payments/row.ts';

/** money.md §7.2: for the answer to the webhook, and after a 202 for the call. */
const DECIDE_WITHIN_MS = 5_000;

/**
 * The work that ends a time to decide. Its end is business time, from the offer or the answer on, and stands in the
 * payload: when the work itself is done is another matter.
 */
export function timeToDecide(id: string, from: Date) {
  const dueAt = new Date(from.getTime() + DECIDE_WITHIN_MS);
  return { kind: JOB.decide, dueAt, payload: { id, until: dueAt.toISOString() } };
}

/** Whether nobody can decide any more, be it that no worker got to saying so yet. */
export async function isTooLate(tx: ReadTx, { id, created_at: offeredAt }: TransactionRow): Promise<boolean> {
  const [row] = await tx.sql<{ until: Date | null }>`
    select max((payload->>'until')::timestamptz) as until from jobs
     where platform_id = ${tx.platformId} and kind = ${JOB.decide} and key = any(${[...decideKeys(id)]}::text[])`;
  const until = row?.until?.getTime() ?? offeredAt.getTime() + DECIDE_WITHIN_MS;
  return until <= tx.now.getTime();
}
