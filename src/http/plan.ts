import type { Reason } from '#database/reasons.ts';
import type { Change, Tx } from '#database/tx.ts';
import type { Answer } from '#http/reply.ts';
import type { Refusal } from '#lib/refusals.ts';

/** What an operation has prepared: nothing has happened yet, and all that remains is to commit it. */
export type Plan<Body> = SharedPlan<Body> | OwnPlan<Body>;

interface PlanBase {
  /** What a named reason of the commit means to the caller; undefined: look again. */
  refused?(reason: Reason): Promise<Refusal | undefined> | Refusal | undefined;
  /** What the plan is about, for the gates. */
  readonly subjects?: readonly Subject[];
}

/** Every row is known: committed together with the changes of strangers. */
export interface SharedPlan<Body> extends PlanBase {
  readonly change: Change;
  /** A refusal keeps the change, as a mark that it leaves; no gate is asked, and the key stays free. */
  readonly answer: Answer<Body>;
}

/**
 * A transaction of its own. It must find everything as it was seen when it was prepared, or else end with `stale`
 * (database/reasons.ts); what it refuses by returning keeps what it wrote.
 */
export interface OwnPlan<Body> extends PlanBase {
  commit(tx: Tx): Promise<Answer<Body>>;
}

export interface Subject {
  readonly name: string;
  readonly about: unknown;
}

/** Something that plans can be about, declared by the folder that makes them and known to the gates of those below. */
export function subject<About>(name: string) {
  return {
    of: (about: About): Subject => ({ name, about }),
    in: ({ subjects = [] }: Plan<unknown>): About | undefined =>
      subjects.find((subject) => subject.name === name)?.about as About | undefined,
  };
}
