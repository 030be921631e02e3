import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { fetchAccounts, inCurrency, listAccountWebhooks, platformAccounts } from '#tests/given/accounts.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { callSigned, givenWallet, logIn } from '#tests/harness/wallet-client.ts';

describe('changing the privacy of a wallet', () => {
  const world = testWorld();

  async function scene() {
    const platform = await world.platform();
    const wallet = await givenWallet(platform);
    const { key } = await logIn(platform, wallet.credentialId);
    const params = { id: wallet.accountId };
    const set = (privateEnabled: boolean) =>
      callSigned(platform, key, 'updateInternalAccount', { params, body: { privateEnabled } });
    const shown = async () => inCurrency(await fetchAccounts(platform, wallet.customer.id), 'USDB');
    return { platform, wallet, params, set, shown };
  }

  it('accounts.md §2.5.30, wallets.md §6.10.47: the signed request returns the account with a later updatedAt, and sends no event', async () => {
    const { platform, set, shown } = await scene();
    const before = await shown();
    assert.equal(before.privateEnabled, false);
    const told = await listAccountWebhooks(platform);
    world.clock.advance(1000);
    const reply = await set(true);
    assert.equal(reply.status, 200, reply.raw);
    const updatedAt = new Date(world.clock.now()).toISOString();
    assert.deepEqual(reply.body, { ...before, privateEnabled: true, updatedAt });
    assert.deepEqual(await shown(), reply.body);
    assert.deepEqual(await listAccountWebhooks(platform), told, 'wallets.md §2');
  });

  it('wallets.md §6.10.47: an unchanged value takes both legs as well', async () => {
    const { set, shown } = await scene();
    assert.equal((await set(false)).status, 200);
    assert.equal((await set(true)).status, 200);
    assert.equal((await set(true)).status, 200);
    assert.equal((await shown()).privateEnabled, true);
    assert.equal((await set(false)).status, 200);
    assert.equal((await shown()).privateEnabled, false);
  });

  it('accounts.md §2.5.30, wallets.md §6.10.47: a body without a known field, or with one that is not a boolean, is 400 and names the field', async () => {
    const { platform, params } = await scene();
    const bodies = [
      {},
      { other: true },
      ...[null, 'true', 1, []].map((privateEnabled) => ({ privateEnabled })),
    ];
    for (const body of bodies) {
      const reply = await platform.send('updateInternalAccount', { params, body });
      assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT'], JSON.stringify(body));
      assert.deepEqual(
        reply.body.details.errors.map(({ field }) => field),
        ['privateEnabled'],
      );
    }
  });

  it('accounts.md §2.5.33: an account that is not a wallet is 400', async () => {
    const { platform, wallet } = await scene();
    const usd = inCurrency(await fetchAccounts(platform, wallet.customer.id), 'USD');
    for (const { id } of [usd, inCurrency(await platformAccounts(platform), 'USDB')]) {
      const call = { params: { id }, body: { privateEnabled: true } };
      const reply = await platform.send('updateInternalAccount', call);
      assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT'], reply.raw);
    }
  });

  it('wallets.md §3.8, §3.9: the payload is the digest of the account and the new setting', async () => {
    const { platform, params } = await scene();
    const { body } = await platform.send('updateInternalAccount', { params, body: { privateEnabled: true } });
    const { parameters, type, organizationId } = JSON.parse(String(Reflect.get(body, 'payloadToSign')));
    const uuid = uuidOf(params.id).replaceAll('-', '');
    const digest = createHash('sha256').update(`{"accountId":"${params.id}","privateEnabled":true}`);
    assert.deepEqual([organizationId, type], [`org_${uuid}`, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2']);
    assert.deepEqual(parameters, {
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_NO_OP',
      payload: digest.digest('hex'),
      signWith: `wallet_${uuid}`,
    });
  });

  it('wallets.md §3.8: payloads of one wallet have increasing timestamps, even if the clock stands still', async () => {
    const { platform, params } = await scene();
    const dates: bigint[] = [];
    for (let i = 0; i < 5; i++) {
      const { body } = await platform.send('updateInternalAccount', {
        params,
        body: { privateEnabled: true },
      });
      dates.push(BigInt(JSON.parse(String(Reflect.get(body, 'payloadToSign'))).timestampMs));
    }
    assert.deepEqual(
      dates,
      [...new Set(dates)].toSorted((a, b) => (a < b ? -1 : 1)),
    );
  });
});
