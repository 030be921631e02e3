import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testWorld } from '#tests/harness.ts';

describe('accounts of the platform', () => {
  const world = testWorld();

  it('IA-1, IA-6: a fresh sandbox platform has one ACTIVE account each in USD, USDC and USDB', async () => {
    const platform = await world.platform();
    const { status, body } = await platform.call('listPlatformInternalAccounts');
    assert.equal(status, 200);
    console.log(JSON.stringify(body, null, 1));
  });
});
