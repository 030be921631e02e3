import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testWorld } from '#tests/harness.ts';
import { givenWallet, logIn } from '#tests/wallet-client.ts';

describe('logging in with a code', () => {
  const world = testWorld();

  it('W32: a client seals the code, signs the token with its key, and has a session', async () => {
    const platform = await world.platform();
    const wallet = await givenWallet(platform);
    const { session } = await logIn(platform, wallet.credentialId);
    assert.match(session.id, /^Session:/);
    const { body } = await platform.call('listAuthSessions', { query: { accountId: wallet.accountId } });
    assert.deepEqual(
      body.data.map(({ id }) => id),
      [session.id],
    );
  });
});
