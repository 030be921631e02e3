import type { Tx } from '#database/tx.ts';
import { Work } from '#database/work.ts';
import { lockVisit, type Visit } from '#onboarding/visit.ts';

/** Thrown to leave a transaction: the link was used, or the customer moved on, since the visit began. */
export class LateVisit extends Error {
  override name = 'LateVisit';
}

/**
 * What a form is saved through. It takes its time to arrive, so each write looks again, with the customer held,
 * whether the link is open and there is anything left to fill in (customers.md §6.4 and §6.7).
 */
export class VisitWork extends Work {
  readonly #visit: Visit;

  constructor(visit: Visit) {
    super(visit.work.runtime, visit.work.platform, visit.work.actor);
    this.#visit = visit;
  }

  override write<T>(steps: (tx: Tx) => Promise<T>): Promise<T> {
    return super.write(async (tx) => {
      const now = await lockVisit(tx, this.#visit);
      if (!now || now.stage === 'status') throw new LateVisit();
      return steps(tx);
    });
  }
}
