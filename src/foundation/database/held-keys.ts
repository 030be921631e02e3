import type { PersonKeySource } from '#foundation/database/person-key-source.ts';

const made = new WeakMap<PersonKeySource, PersonKeySource>();

/**
 * Returns the keys of people as a transaction sees them: only those that the process holds. For all others it throws
 * `PersonKeysMissing` at once, so that the transaction ends, its locks are released, and `Work` fetches the keys before
 * it repeats the steps. So no transaction waits for the database of keys, except for a search (`loadPage`).
 */
export function heldKeysOf(source: PersonKeySource): PersonKeySource {
  const known = made.get(source);
  if (known) return known;
  const held: PersonKeySource = {
    provide: outside,
    newPerson: (platformId) => source.newPerson(platformId),
    takeBack: (platformId, person) => source.takeBack(platformId, person),
    requireNew: (platformId, count) => source.requireNew(platformId, count),
    requireHeld: (people, platformId) => source.requireHeld(people, platformId),
    requireOpenable: (sealed) => source.requireOpenable(sealed),
    isErased: (person) => source.isErased(person),
    ensure: async (platformId, people) => source.requireHeld(people, platformId),
    loadFor: async (sealed) => source.requireOpenable(sealed),
    loadPage: (sealed) => source.loadPage(sealed),
    load: outside,
    erase: outside,
    findErasures: outside,
    findLost: outside,
    findOldMonths: outside,
    shredDeleted: outside,
  };
  made.set(source, held);
  // A transaction on another platform within this one has the same keys.
  made.set(held, held);
  return held;
}

function outside(): never {
  throw new Error('a transaction must not wait for the database of keys');
}
