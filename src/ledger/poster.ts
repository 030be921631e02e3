import { sqlFailure } from '#database/database.ts';
import type { Surroundings } from '#database/tx.ts';
import { assertPostable, type CompleteEntry, type Entry, type Verdict } from '#ledger/entries.ts';
import { postEntries } from '#ledger/store.ts';
import { gather } from '#lib/gather.ts';

/** An entry of its own commit, which strangers may share. */
export interface LoneEntry extends Entry {
  readonly platformId: string;
  readonly createdAt: Date;
}

/**
 * For entries that need no other row in their commit: callers that come at the same time share one trip and
 * one commit, each with its own verdict. After a lost connection the outcome is unknown; trying the same step
 * again tells.
 */
export function createPoster(
  { database, clock, newId }: Pick<Surroundings, 'database' | 'clock' | 'newId'>,
  options: { lanes?: number; batchMax?: number } = {},
): (entry: LoneEntry) => Promise<Verdict> {
  const send = (entries: CompleteEntry[]) => postEntries(database.query, entries, new Date(clock.now()));
  const share = gather((entries: CompleteEntry[]) => postApart(send, entries), { lanes: 2, ...options });
  return async (entry) => {
    assertPostable(entry);
    const outcome = await share({ ...entry, id: entry.id ?? newId() });
    if ('failure' in outcome) throw outcome.failure;
    return outcome;
  };
}

type Send = (entries: CompleteEntry[]) => Promise<Verdict[]>;
type Outcome = Verdict | { failure: unknown };

/** A refused statement wrote nothing, so its entries are tried one by one: nobody fails for a stranger's fault. */
async function postApart(send: Send, entries: CompleteEntry[]): Promise<Outcome[]> {
  try {
    return await send(entries);
  } catch (error) {
    if (!isDefinite(error)) throw error;
  }
  const outcomes: Outcome[] = [];
  for (const entry of entries) outcomes.push(await postAlone(send, entry));
  return outcomes;
}

async function postAlone(send: Send, entry: CompleteEntry): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      const [verdict] = await send([entry]);
      return verdict as Verdict;
    } catch (failure) {
      if (!isPassing(failure) || attempt === ATTEMPTS_MAX) return { failure };
    }
  }
}

const ATTEMPTS_MAX = 5;

/** Data, integrity, transaction, syntax or our own exceptions; a server that goes down may have committed. */
function isDefinite(error: unknown): boolean {
  const code = sqlFailure(error)?.code ?? '';
  return ['22', '23', '40', '42', 'P0'].includes(code.slice(0, 2));
}

/** Serialization failure, deadlock: over when tried again. */
function isPassing(error: unknown): boolean {
  const code = sqlFailure(error)?.code;
  return code === '40001' || code === '40P01';
}
