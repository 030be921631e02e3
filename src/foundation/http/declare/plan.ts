import type { Reason } from '#foundation/database/reasons.ts';
import type { Change, Changes, Tx } from '#foundation/database/tx.ts';
import type { Answer } from '#foundation/http/idempotency/reply.ts';
import type { Challenge } from '#foundation/http/signed/signed-retry.ts';
import type { Refusal } from '#foundation/lib/refusals.ts';

/** The prepared change of an operation: nothing has happened yet, and only the commit remains. */
export type Plan<Body> = SharedPlan<Body> | OwnPlan<Body>;

/** For a signed operation that needs another signature first: the reply contains the payload to sign. */
export interface ChallengePlan {
  readonly toSign: Omit<Challenge, 'expiresAt'>;
  /** Changes that this leg itself commits. */
  alsoCommit?(changes: Changes): void;
}

interface PlanBase {
  /** The refusal to answer with if the commit fails for this reason; undefined: prepare again. */
  refusalFor?(reason: Reason): Promise<Refusal | undefined> | Refusal | undefined;
  /** The subjects of the plan, for the gates. */
  readonly subjects?: readonly Subject[];
}

/** Every row is known beforehand: committed together with the changes of other callers. */
export interface SharedPlan<Body> extends PlanBase {
  readonly change: Change;
  /** Even if it is a refusal, the change is committed; then no gates are checked, and the key stays free. */
  readonly answer: Answer<Body>;
}

/**
 * A transaction of its own. It must find everything as `prepare` saw it, or else end with `stale`
 * (src/foundation/database/reasons.ts); returning a refusal commits its writes.
 */
export interface OwnPlan<Body> extends PlanBase {
  commit(tx: Tx): Promise<Answer<Body>>;
}

export interface Subject {
  readonly name: string;
  readonly about: unknown;
}

/** Declares a subject of plans: the folder that makes the plans declares it, and the gates of lower folders use it. */
export function subject<About>(name: string) {
  return {
    of: (about: About): Subject => ({ name, about }),
    in: ({ subjects = [] }: Plan<unknown>): About | undefined =>
      subjects.find((subject) => subject.name === name)?.about as About | undefined,
  };
}
