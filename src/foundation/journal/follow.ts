import type { Database, Run } from '#foundation/database/database.ts';
import {
  addStep,
  type ChainStep,
  insertMark,
  type JournalMark,
  listEntries,
  lockMark,
} from '#foundation/journal/chain-store.ts';
import { CHAIN_START, type ChainedEntry, hashEntry } from '#foundation/journal/entry-hash.ts';
import { kindsWithBalance } from '#foundation/ledger/kinds.ts';
import { rollUpLedger } from '#foundation/ledger/store.ts';

/** Small enough that a step takes a fraction of a second, and that a platform with a large journal delays no other. */
const ENTRIES_OF_STEP = 1_000;

/**
 * Reads the next entries of a platform's journal, and adds their lines and hashes (decision 0041). Returns how many
 * entries were read; undefined if another process is reading them.
 *
 * Each entry is read once: its lines, its hash and the mark behind it are one transaction, which the mark's lock lets
 * through one at a time. Entries are read in the order of their numbers: a step ends at the mark of the roll-ups, and
 * every transaction with a number up to there has ended.
 */
export async function followJournal(
  database: Database,
  platformId: PlatformId,
  entriesMax = ENTRIES_OF_STEP,
): Promise<number | undefined> {
  await rollUpLedger(database, platformId);
  return database.transaction(async (run, runAll) => {
    const mark = (await lockMark(run, platformId)) ?? (await startChain(run, platformId));
    if (!mark) return undefined;
    // A statement of its own, after the lock: it sees everything that was committed before the roll-ups' mark was set.
    const span = { after: mark.seq, upTo: mark.completeUpTo };
    const entries = await listEntries(run, platformId, span, entriesMax);
    if (entries.length === 0) return 0;
    await runAll(addStep(chainEntries(platformId, mark, entries), kindsWithBalance('summed')));
    return entries.length;
  });
}

/** Reads the entries that are there now, except those that another process is reading or an open transaction delays. */
export async function catchUp(database: Database, platformId: PlatformId): Promise<void> {
  // The first roll-up notes how far the journal goes, and the next one finds that it is complete up to there.
  await rollUpLedger(database, platformId);
  let read: number | undefined;
  do read = await followJournal(database, platformId);
  while (read !== undefined && read > 0);
}

/** Returns undefined if the platform has a mark, which another process has locked. */
async function startChain(run: Run, platformId: PlatformId): Promise<Awaited<ReturnType<typeof lockMark>>> {
  await insertMark(run, platformId, CHAIN_START);
  return lockMark(run, platformId);
}

function chainEntries(
  platformId: PlatformId,
  from: JournalMark,
  entries: readonly ChainedEntry[],
): ChainStep {
  let before = from.hash;
  const links = entries.map((entry) => {
    before = hashEntry(platformId, entry, before);
    return { seq: entry.seq, id: entry.id, hash: before };
  });
  const seq = BigInt(links.at(-1)?.seq ?? from.seq);
  const to = { seq, entryCount: from.entryCount + BigInt(links.length), hash: before };
  return { platformId, from, to, links };
}
