import type { PersonId } from '#foundation/crypto/person-seal.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/**
 * The refusal of a call that needs keys that are missing although they were made and not destroyed: the database of keys
 * was damaged, or restored from an older backup. They are not replaced, because new keys would hide the loss.
 */
export class PersonKeysLost extends Refusal {
  readonly people: readonly PersonId[];

  constructor(people: readonly PersonId[]) {
    super(
      'SERVICE_UNAVAILABLE',
      'The data of a customer cannot be read at the moment; nothing was done. The operator has been notified.',
    );
    this.name = 'PersonKeysLost';
    this.people = people;
  }
}

/** For the operator's log. */
export const LOST =
  'the database of keys lacks keys of customers who were not erased: "corridor attention --kind lost-keys" lists them';
