import type { Reason } from '#foundation/database/reasons.ts';
import type { Change, Changes, Tx } from '#foundation/database/tx.ts';
import type { Answer } from '#foundation/http/idempotency/reply.ts';
import type { Challenge } from '#foundation/http/signed/signed-retry.ts';
import type { Refusal } from '#foundation/lib/refusals.ts';

/** What an operation has prepared: nothing has happened yet, and only the commit remains. */
export type Plan<Body> = SharedPlan<Body> | OwnPlan<Body>;

/** Of a signed operation: another signature is needed first, and the reply is what to sign. */
export interface ChallengePlan {
  readonly toSign: Omit<Challenge, 'expiresAt'>;
  /** What this leg itself leaves behind. */
  alsoCommit?(changes: Changes): void;
}

interface PlanBase {
  /** What to answer if the commit is refused for this reason; undefined: prepare again. */
  refusalFor?(reason: Reason): Promise<Refusal | undefined> | Refusal | undefined;
  /** What the plan is about, for the gates. */
  readonly subjects?: readonly Subject[];
}

/** Every row is known beforehand: committed together with the changes of other callers. */
export interface SharedPlan<Body> extends PlanBase {
  readonly change: Change;
  /** If it is a refusal the change is committed all the same; gates are not checked, and the key stays free. */
  readonly answer: Answer<Body>;
}

/**
 * A transaction of its own. It must find everything as `prepare` saw it, or else end with `stale` (src/foundation/database/reasons.ts);
 * returning a refusal keeps what it wrote.
 */
export interface OwnPlan<Body> extends PlanBase {
  commit(tx: Tx): Promise<Answer<Body>>;
}

export interface Subject {
  readonly name: string;
  readonly about: unknown;
}

/** Something that plans can be about: declared by the folder that makes them, used by the gates of folders below. */
export function subject<About>(name: string) {
  return {
    of: (about: About): Subject => ({ name, about }),
    in: ({ subjects = [] }: Plan<unknown>): About | undefined =>
      subjects.find((subject) => subject.name === name)?.about as About | undefined,
  };
}
