import { describe, it } from 'node:test';
import { seedOf } from '#tests/harness/seed.ts';
import { WALKS } from '#tests/service/walked-machines.ts';

/** Another `WALK_SEED` draws other walks. */
const SEED = seedOf('WALK_SEED');

describe('every machine, walked by random notices', () => {
  for (const walk of WALKS) {
    it(`${walk.name}: every notice in every state is applied, ignored or refused as the table says`, () =>
      walk.run(SEED));
  }
});
