import { describe, it } from 'node:test';
import { WALKS } from '#tests/service/walked-machines.ts';

/** Another `WALK_SEED` draws other walks. */
const SEED = Number(process.env.WALK_SEED ?? 1);

describe('every machine, walked by random notices', () => {
  for (const walk of WALKS) {
    it(`${walk.name}: every notice in every state is applied, ignored or refused as the table says`, () =>
      walk.run(SEED));
  }
});
