import { PersonKeysMissing } from '#foundation/crypto/person-seal.ts';
import type { PersonKeySource } from '#foundation/database/person-key-source.ts';

/** Enough for all steps: those that open the values of many people load all keys first. */
const FETCHES_MAX = 20;

/**
 * Repeats steps that missed keys of people, once the keys are fetched. The steps had no effect yet: a transaction that
 * misses a key is rolled back. A first key is wrapped for this platform.
 */
export async function fetchingKeys<T>(
  personKeys: Pick<PersonKeySource, 'provide'>,
  platformId: PlatformId,
  steps: () => Promise<T>,
): Promise<T> {
  for (let fetched = 0; ; fetched++) {
    try {
      return await steps();
    } catch (error) {
      if (!(error instanceof PersonKeysMissing) || fetched === FETCHES_MAX) throw error;
      await personKeys.provide(platformId, error);
    }
  }
}
