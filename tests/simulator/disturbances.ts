import assert from 'node:assert/strict';
import { CommitRefused, type Reason } from '#foundation/database/reasons.ts';
import { NoticeRefused } from '#foundation/machine/machine.ts';
import { SeededRandom } from '#tests/drills/seeded-random.ts';
import { Crashed, type Memory, type MemoryChange } from '#tests/simulator/memory.ts';

/** A change that is ready to be committed, and what its caller gets then. */
export interface Prepared<Result> {
  readonly change: MemoryChange;
  readonly result: Result;
}

/** Something that another process does after the reading and before the commit, which must refuse it. */
export interface Meanwhile {
  readonly what: string;
  /** Few sequences come to it, so it happens every time. */
  readonly isRare?: boolean;
  /** Returns what undoes it. */
  happens(): () => void;
}

/** How a commit ended; undefined: there was nothing to change. */
export type Outcome<Result> = { readonly result: Result } | { readonly reason: Reason } | undefined;

/** The result of a commit that must not be refused. */
export function requireCommitted<Result>(outcome: Outcome<Result>, what: string): Result {
  if (outcome && 'result' in outcome) return outcome.result;
  return assert.fail(`${what} is not committed: ${outcome ? outcome.reason.name : 'nothing to change'}`);
}

/** What was read: the present state, or one that has changed since. */
export type Reading = 'present' | 'old';

/** Prepares a change from what it reads; undefined: there is nothing to change. */
export type Prepare<Result> = (reading: Reading) => Prepared<Result> | undefined;

const KINDS = ['old reading', 'lost race', 'crash', 'repeated call'] as const;

/** One commit in this many is disturbed, and before one in this many something happens that must refuse it. */
const CALM = 4;
const QUIET = 6;
const ATTEMPTS_MAX = 20;

/**
 * Commits changes as processes do that die, lose races and read old rows. A change that was refused as stale, or that a
 * crash interrupted, is prepared again, so the result is that of an undisturbed caller. `seen` counts what happened.
 */
export class Disturbances {
  readonly seen = new Map<string, number>();
  readonly #memory: Memory;
  readonly #random: SeededRandom;

  constructor(memory: Memory, seed: number) {
    this.#memory = memory;
    this.#random = new SeededRandom(seed);
  }

  /** From 0 to `max`, both included. */
  draw(max: number): number {
    return this.#random.between(0, max);
  }

  /** Commits what `prepare` returns. A refusal that another attempt would meet again is the result. */
  commit<Result>(prepare: Prepare<Result>, meanwhile: readonly Meanwhile[] = []): Outcome<Result> {
    for (const each of meanwhile) {
      if (each.isRare || this.draw(QUIET - 1) === 0) this.#commitAfter(prepare, each);
    }
    const how = this.draw(CALM - 1) === 0 ? KINDS[this.draw(KINDS.length - 1)] : undefined;
    if (how === 'old reading') this.#commitOld(prepare);
    if (how === 'crash') this.#crash(prepare, this.draw(12));
    if (how === 'lost race') this.#crash(prepare, 0);
    const result = this.#commitNow(prepare);
    if (how === 'repeated call') this.#repeat(prepare);
    return result;
  }

  #note(what: string): void {
    this.seen.set(what, 1 + (this.seen.get(what) ?? 0));
  }

  #commitNow<Result>(prepare: Prepare<Result>): Outcome<Result> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const prepared = prepare('present');
      if (!prepared) return undefined;
      const reason = this.#try(prepared.change);
      if (!reason) return { result: prepared.result };
      this.#note(reason.name);
      if (reason.name !== 'stale') return { reason };
    }
    return assert.fail('a change is stale again and again, although nothing else happens');
  }

  #try(change: MemoryChange): Reason | undefined {
    try {
      withoutStack(() => this.#memory.commit(change));
      return undefined;
    } catch (error) {
      if (error instanceof CommitRefused) return error.reason;
      throw error;
    }
  }

  /** A change of an old row must be refused, whatever it is. */
  #commitOld<Result>(prepare: Prepare<Result>): void {
    const prepared = withoutRefusal(() => prepare('old'));
    if (!prepared) return;
    const reason = this.#try(prepared.change);
    assert.ok(reason, 'a change of a row that has changed since was committed');
    this.#note('old reading refused');
  }

  #commitAfter<Result>(prepare: Prepare<Result>, { what, happens }: Meanwhile): void {
    const prepared = withoutRefusal(() => prepare('present'));
    if (!prepared) return;
    const undo = happens();
    const reason = this.#try(prepared.change);
    undo();
    assert.ok(reason, `committed, although meanwhile ${what}`);
    this.#note(`meanwhile ${what}`);
  }

  #crash<Result>(prepare: Prepare<Result>, after: number): void {
    const prepared = withoutRefusal(() => prepare('present'));
    if (!prepared) return;
    const { collected } = prepared.change;
    try {
      withoutStack(() => this.#memory.commit(prepared.change, Math.min(after, collected.length)));
      assert.fail('the commit ended in spite of a crash');
    } catch (error) {
      if (error instanceof CommitRefused) return;
      if (!(error instanceof Crashed)) throw error;
      this.#note(after === 0 ? 'lost race' : 'crash');
    }
  }

  /** The reply was lost. Nothing happens twice; if it did, the model would differ. */
  #repeat<Result>(prepare: Prepare<Result>): void {
    const prepared = withoutRefusal(() => prepare('present'));
    if (prepared) this.#try(prepared.change);
    this.#note('repeated call');
  }
}

/** A command that does not apply to the row is a bug of its caller, who would have checked the row before. */
function withoutRefusal<Result>(prepare: () => Result): Result | undefined {
  try {
    return withoutStack(prepare);
  } catch (error) {
    if (error instanceof NoticeRefused) return undefined;
    throw error;
  }
}

/** Refusals and crashes are frequent here, and an error takes longer to record where it was thrown than a commit takes. */
function withoutStack<Result>(step: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return step();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
