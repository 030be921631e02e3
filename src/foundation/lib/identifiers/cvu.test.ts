import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isCvu } from '#foundation/lib/identifiers/account-numbers.ts';

describe('CVU', () => {
  it('accounts.md §2.4: both blocks need their check digit', () => {
    assert.equal(isCvu('2850590940090418135201'), true);
    assert.equal(isCvu('2850590840090418135201'), false);
    assert.equal(isCvu('2850590940090418135202'), false);
  });
});
