import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { findWalletKey } from '#capabilities/wallet-auth/wallet-store.ts';
import { sql } from '#foundation/database/sql.ts';
import { fetchAccounts, inCurrency } from '#tests/given/accounts.ts';
import { givenDelegatedKey, givenWalletCard } from '#tests/given/delegated-keys.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';
import { operatorWorld, parseRows } from '#tests/harness/operator-world.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { givenWallet, logIn, newClientKey, newPerson, sealCode } from '#tests/harness/wallet-client.ts';

describe('corridor wallet', () => {
  const world = operatorWorld();
  let platform: TestPlatform;
  before(() => {
    ({ platform } = world);
  });

  const wallet = (...words: string[]) => world.run('wallet', ...words);

  it('lists wallets with their owners’ credentials and sessions, and says if there are none', async () => {
    assert.equal(await wallet('list'), 'There are no wallets.\n');
    const first = await givenWallet(platform, newPerson());
    await logIn(platform, first.credentialId);
    const second = await givenWallet(platform, newPerson());
    const listed = parseRows(await wallet('list', '--json'));
    const seen = (given: typeof first, activeSessions: number) => ({
      wallet: given.accountId,
      customer: given.customer.id,
      status: 'ACTIVE',
      credentials: 'EMAIL_OTP',
      activeSessions,
      hasKey: true,
      createdAt: given.customer.createdAt,
    });
    assert.deepEqual(listed, [seen(second, 0), seen(first, 1)]);
    const own = parseRows(await wallet('list', '--customer', first.customer.id, '--json'));
    assert.deepEqual(own, [seen(first, 1)]);
    assert.deepEqual(parseRows(await wallet('list', '--limit', '1', '--json')), [seen(second, 0)]);
    assert.match(
      await wallet('list'),
      /^WALLET +CUSTOMER +STATUS +CREDENTIALS +ACTIVE SESSIONS +HAS KEY +CREATED AT +PLATFORM\n/,
    );
  });

  it('wallets.md §6.7.42a: shows credentials, sessions and the address, without any secret, audited', async () => {
    const { accountId, credentialId, customer } = await givenWallet(platform, newPerson());
    const { session, key } = await logIn(platform, credentialId);
    const params = { id: credentialId };
    const challenge = await platform.send('challengeAuthCredential', { params });
    const bundle = String(Reflect.get(challenge.body, 'otpEncryptionTargetBundle'));
    const encryptedOtpBundle = await sealCode(bundle, newClientKey(), '999999');
    await platform.send('verifyAuthCredential', { params, body: { type: 'EMAIL_OTP', encryptedOtpBundle } });
    const text = await wallet('show', accountId, '--json');
    const shown = JSON.parse(text);
    const { createdAt, expiresAt } = session;
    assert.match(shown.address, /^sparkt1/);
    assert.deepEqual(
      {
        ...shown,
        credentials: shown.credentials.map(({ createdAt: _, ...rest }: { createdAt: string }) => rest),
      },
      {
        wallet: accountId,
        customer: customer.id,
        status: 'ACTIVE',
        address: shown.address,
        privateEnabled: false,
        credentials: [
          { id: credentialId, type: 'EMAIL_OTP', nickname: customer.email, failuresWithinADay: 1 },
        ],
        activeSessions: [{ id: session.id, type: 'EMAIL_OTP', createdAt, expiresAt }],
        delegatedKeys: [],
      },
    );
    const work = await platform.work();
    const words = await work.read((tx) => findWalletKey(tx, uuidOf(accountId)));
    for (const secret of [words?.mnemonic ?? '?', key.compressed, '000000']) {
      assert.ok(!text.includes(secret), secret);
    }
    assert.match(await wallet('show', accountId), new RegExp(`activeSessions +${session.id}`));
    const rows = await world.database.query<{ action: string; actor_kind: string }>(sql`
      select action, actor_kind from audit_log where resource = ${accountId} and actor_kind = 'operator'`);
    assert.deepEqual(rows, [
      { action: 'wallet show', actor_kind: 'operator' },
      { action: 'wallet show', actor_kind: 'operator' },
    ]);
  });

  it('wallets.md §6.7.42a: shows the keys delegated to cards, and no private key', async () => {
    const given = await givenWallet(platform, newPerson());
    const card = await givenWalletCard(platform, given);
    const body = { cardId: card.id, internalAccountId: given.accountId, nickname: 'Groceries' };
    const { accountId: _wallet, ...key } = await givenDelegatedKey(platform, body);
    const shown = JSON.parse(await wallet('show', given.accountId, '--json'));
    assert.deepEqual(shown.delegatedKeys, [key]);
  });

  it('an account that is no wallet, an unknown one and a wrong argument are one clear line each', async () => {
    const { customer } = await givenWallet(platform, newPerson());
    const usd = inCurrency(await fetchAccounts(platform, customer.id), 'USD');
    const wrong: [string[], number, RegExp][] = [
      [['wallet', 'show', usd.id], 1, /INTERNAL_FIAT, not an embedded wallet/],
      [
        ['wallet', 'show', 'InternalAccount:01890a5d-ac96-774b-bcce-b302099a8057'],
        1,
        /no such InternalAccount/,
      ],
      [['wallet', 'show', 'Customer:1'], 2, /It must be an id such as InternalAccount:<uuid>/],
      [['wallet', 'list', '--limit', '0'], 2, /a whole number from 1 to 10000/],
    ];
    await world.assertRefused(wrong);
  });
});
