// lane: whole — makes database clusters of its own

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explainUnrunnable } from '#foundation/database/embedded/binaries.ts';

describe('the packaged PostgreSQL', () => {
  it('Alpine: if the packaged PostgreSQL cannot be loaded, one line says what to do', () => {
    const missing = Object.assign(new Error('spawn postgres ENOENT'), { code: 'ENOENT' });
    assert.match(
      explainUnrunnable(missing, missing),
      /^The packaged PostgreSQL needs glibc[^\n]+DATABASE_URL[^\n]+$/,
    );
  });
});
