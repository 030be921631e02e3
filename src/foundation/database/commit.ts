import { CollectedItems, type WorkName } from '#foundation/database/changes.ts';
import type { Database } from '#foundation/database/database.ts';
import type { Outbox } from '#foundation/database/outbox.ts';
import { isCertainlyRolledBack, type Reason, readReason } from '#foundation/database/reasons.ts';
import { tellCommitted } from '#foundation/database/sql.ts';
import { batchCalls } from '#foundation/lib/batch-calls.ts';

/** Changes that are committed together or not at all. */
export interface Committable {
  readonly collected: CollectedItems;
}

/** Commits a change together with those of other callers. Returns the reason if it was refused; nothing is written then. */
export type Commit = (change: Committable) => Promise<Reason | undefined>;

/**
 * The only way to commit changes whose rows are all known beforehand: concurrent callers share one round trip and one
 * transaction. It is all or nothing: if a statement refuses, the batch is split in halves until the change that caused it
 * is alone, and the reason is its result. A change that competes for something refused recently commits apart from the
 * others, and of several changes to one row only the first is in the batch, so that unrelated callers are not drawn into
 * the splitting. After a lost connection the outcome is unknown; the caller finds out by reading the rows again.
 */
export function createCommit(
  database: Pick<Database, 'commit'>,
  wakeWorker: (names: readonly WorkName[]) => void,
  outbox: Outbox = {},
): Commit {
  const commitAll = (changes: Committable[]) => commitInRounds({ database, outbox }, changes);
  const together = batchCalls(commitAll, { lanes: LANES, laneMin: LANE_MIN });
  const apart = batchCalls(commitAll, { batchMax: APART_MAX });
  const suspects = new RecentRefusals();
  return async (change) => {
    const contested = change.collected.contested();
    const outcome = await (suspects.has(contested) ? apart : together)(change);
    if ('failure' in outcome) throw outcome.failure;
    suspects.learn(contested, outcome.reason);
    const woken = outcome.reason ? [] : change.collected.wakes(outbox.taker);
    if (woken.length > 0) wakeWorker(woken);
    return outcome.reason;
  };
}

/** While one commit waits for the disk, others can be prepared and written, if enough changes wait for them. */
const LANES = 3;
const LANE_MIN = 4;
/** Changes that may be refused again wait for each other, in small batches, so that none of them waits long. */
const APART_MAX = 16;

interface Parts {
  readonly database: Pick<Database, 'commit'>;
  readonly outbox: Outbox;
}

type CommitResult =
  | { readonly reason: Reason | undefined }
  /** Lost: the connection broke, and it is unknown whether the change was committed. */
  | { readonly failure: unknown; readonly isLost: boolean };

/**
 * Of changes that exclude each other, the first is tried. If it was committed, the others are stale; if it was lost, the
 * others are lost too; if it was refused, the next one is tried in another round.
 */
async function commitInRounds(parts: Parts, changes: Committable[]): Promise<CommitResult[]> {
  const outcomes: CommitResult[] = [];
  let waiting = changes.map((change, i) => ({ change, i, wants: change.collected.exclusive() }));
  while (waiting.length > 0) {
    const wanted = new Set<string>();
    const [turn, later] = [[] as typeof waiting, [] as typeof waiting];
    for (const one of waiting) {
      (one.wants.some((name) => wanted.has(name)) ? later : turn).push(one);
      for (const name of one.wants) wanted.add(name);
    }
    const settled = await commitOrSplit(
      parts,
      turn.map(({ change }) => change),
    );
    const ended = new Map<string, CommitResult>();
    turn.forEach(({ i, wants }, at) => {
      const outcome = settled[at] as CommitResult;
      outcomes[i] = outcome;
      const forOthers = resultForExcluded(outcome);
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

/** The result that the outcome of a change implies for those that it excludes; undefined: they may be tried. */
function resultForExcluded(outcome: CommitResult): CommitResult | undefined {
  if ('failure' in outcome) return outcome.isLost ? outcome : undefined;
  return outcome.reason ? undefined : { reason: { name: 'stale' } };
}

async function commitOrSplit(parts: Parts, changes: Committable[]): Promise<CommitResult[]> {
  const all = new CollectedItems();
  for (const { collected } of changes) all.addAll(collected);
  let isSent = false;
  try {
    const statements = all.statements(parts.outbox.taker);
    const sent = parts.database.commit(statements);
    isSent = true;
    await sent;
    tellCommitted(statements);
    return changes.map(() => ({ reason: undefined }));
  } catch (failure) {
    if (isSent && !isCertainlyRolledBack(failure)) return changes.map(() => ({ failure, isLost: true }));
    if (changes.length === 1) {
      const reason = readReason(failure, all.constraints());
      return [reason ? { reason } : { failure, isLost: false }];
    }
  }
  const middle = Math.ceil(changes.length / 2);
  const first = await commitOrSplit(parts, changes.slice(0, middle));
  return [...first, ...(await commitOrSplit(parts, changes.slice(middle)))];
}

const SUCCESSES_TO_CLEAR = 16;
const NAMES_MAX = 10_000;

/** Names that were refused recently: an account without enough money, a counter at its limit. */
export class RecentRefusals {
  /** By name, the number of successes left before it is forgotten; the most recently refused last. */
  readonly #left = new Map<string, number>();

  has(contested: readonly string[]): boolean {
    return this.#left.size > 0 && contested.some((name) => this.#left.has(name));
  }

  /** Records that a change which competed for these was committed, or was refused for this reason. */
  learn(contested: readonly string[], reason: Reason | undefined): void {
    if (!reason && this.#left.size > 0) for (const name of contested) this.#clear(name);
    const subject = reason?.subject;
    if (subject === undefined) return;
    this.#left.delete(subject);
    this.#left.set(subject, SUCCESSES_TO_CLEAR);
    const [oldest] = this.#left.keys();
    if (this.#left.size > NAMES_MAX && oldest !== undefined) this.#left.delete(oldest);
  }

  #clear(name: string): void {
    const left = this.#left.get(name);
    if (left === undefined) return;
    if (left > 1) this.#left.set(name, left - 1);
    else this.#left.delete(name);
  }
}
