import { Collection } from '#database/changes.ts';
import type { Database } from '#database/database.ts';
import { isDefinite, type Reason, reasonOf } from '#database/reasons.ts';
import { Suspects } from '#database/suspects.ts';
import { gather } from '#lib/gather.ts';

/** What is to be committed whole. */
export interface Committable {
  readonly collected: Collection;
}

/** Commits a change together with those of others; gives the reason where it could not be, and then nothing was written. */
export type Commit = (change: Committable) => Promise<Reason | undefined>;

/**
 * The one way to commit changes whose every row is known beforehand: callers that come at the same time share one trip
 * and one transaction. All or nothing: where something does not hold, the set is split in halves until whatever it was
 * stands alone; alone, the reason is the verdict. Whoever was refused lately goes apart, and of those that change one row
 * only the first goes along, so that strangers are not drawn into the splitting. After a lost connection the outcome is unknown; looking again tells.
 */
export function createCommit(database: Pick<Database, 'commit'>, wakeWorker: () => void): Commit {
  const commitAll = (changes: Committable[]) => settleInTurns(database, changes);
  const together = gather(commitAll);
  const apart = gather(commitAll, { batchMax: APART_MAX });
  const suspects = new Suspects();
  return async (change) => {
    const contested = change.collected.contested();
    const outcome = await (suspects.has(contested) ? apart : together)(change);
    if ('failure' in outcome) throw outcome.failure;
    suspects.learn(contested, outcome.reason);
    if (!outcome.reason && change.collected.wakes()) wakeWorker();
    return outcome.reason;
  };
}

/** Suspects wait for each other; few at a time, so that none of them waits long. */
const APART_MAX = 16;

type CommitResult =
  | { readonly reason: Reason | undefined }
  /** Lost: nobody knows whether it was committed. */
  | { readonly failure: unknown; readonly isLost: boolean };

/**
 * Of changes that exclude each other the first goes. Where it stands, the others are stale; where it was lost, so are
 * they; else the next one goes.
 */
async function settleInTurns(
  database: Pick<Database, 'commit'>,
  changes: Committable[],
): Promise<CommitResult[]> {
  const outcomes: CommitResult[] = [];
  let waiting = changes.map((change, i) => ({ change, i, wants: change.collected.exclusive() }));
  while (waiting.length > 0) {
    const wanted = new Set<string>();
    const [turn, later] = [[] as typeof waiting, [] as typeof waiting];
    for (const one of waiting) {
      (one.wants.some((name) => wanted.has(name)) ? later : turn).push(one);
      for (const name of one.wants) wanted.add(name);
    }
    const settled = await settle(
      database,
      turn.map(({ change }) => change),
    );
    const ended = new Map<string, CommitResult>();
    turn.forEach(({ i, wants }, at) => {
      const outcome = settled[at] as CommitResult;
      outcomes[i] = outcome;
      const forOthers = othersOf(outcome);
      if (forOthers) for (const name of wants) ended.set(name, forOthers);
    });
    waiting = later.filter(({ i, wants }) => {
      const name = wants.find((one) => ended.has(one));
      if (name !== undefined) outcomes[i] = ended.get(name) as CommitResult;
      return name === undefined;
    });
  }
  return outcomes;
}

/** What this outcome of a change means for those that it excludes; undefined: they may go. */
function othersOf(outcome: CommitResult): CommitResult | undefined {
  if ('failure' in outcome) return outcome.isLost ? outcome : undefined;
  return outcome.reason ? undefined : { reason: { name: 'stale' } };
}

async function settle(database: Pick<Database, 'commit'>, changes: Committable[]): Promise<CommitResult[]> {
  const all = new Collection();
  for (const { collected } of changes) all.addAll(collected);
  let isSent = false;
  try {
    const sent = database.commit(all.statements());
    isSent = true;
    await sent;
    return changes.map(() => ({ reason: undefined }));
  } catch (failure) {
    if (isSent && !isDefinite(failure)) return changes.map(() => ({ failure, isLost: true }));
    if (changes.length === 1) {
      const reason = reasonOf(failure, all.constraints());
      return [reason ? { reason } : { failure, isLost: false }];
    }
  }
  const middle = Math.ceil(changes.length / 2);
  const first = await settle(database, changes.slice(0, middle));
  return [...first, ...(await settle(database, changes.slice(middle)))];
}
