import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#database/sql.ts';
import { EUROPEAN, givenCustomer } from '#tests/given-customers.ts';
import { givenExternalAccount } from '#tests/given-external-accounts.ts';
import { type TestPlatform, testWorld } from '#tests/harness.ts';

interface Row {
  actor_kind: string;
  actor_id: string;
  resource: string;
  request_id: string;
  remote_address: string;
  details: Record<string, unknown>;
}

/** platform.md §1.3.9: whoever looks into an attack later finds who tried, on whom, from where, and why it failed. */
describe('proofs that fail', () => {
  const world = testWorld();

  const failures = (platform: TestPlatform) =>
    world.database.query<Row>(sql`
      select actor_kind, actor_id, resource, request_id, remote_address, details from audit_log
       where platform_id = ${platform.id} and action = 'proof failed' order by at, id`);

  /** Who signs the platform's calls. */
  async function tokenOf(platform: TestPlatform): Promise<string> {
    const { body } = await platform.call('listTokens');
    return (body.data.at(-1)?.id ?? '').slice('Token:'.length);
  }

  it('platform.md §1.3.9: a code that is wrong, late or was never sent leaves a row with its reason, and never the code', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, EUROPEAN);
    const params = { customerId: customer.id };
    const confirm = (word: 'Email' | 'Phone', code: string) =>
      platform.call(`confirmCustomer${word}Verification`, { params, body: { code } });
    // Refused by throwing, which rolls back; the second by returning, which keeps the count of tries.
    const refused = [await confirm('Email', '987654')];
    await platform.call('sendCustomerEmailVerification', { params });
    refused.push(await confirm('Email', '987654'));
    world.clock.advance(10 * 60_000);
    refused.push(await confirm('Email', '123456'), await confirm('Phone', '123456'));
    assert.deepEqual(
      refused.map(({ status }) => status),
      [400, 400, 400, 400],
    );
    assert.equal(new Set(refused.map(({ body }) => body.reason)).size, 1, 'the caller is not told why');
    const rows = await failures(platform);
    assert.deepEqual(
      rows.map(({ details }) => [details.proof, details.reason]),
      [
        ['EMAIL_CODE', 'no code was sent'],
        ['EMAIL_CODE', 'the code is wrong'],
        ['EMAIL_CODE', 'the code has expired or was used'],
        ['PHONE_CODE', 'no code was sent'],
      ],
    );
    const tokenId = await tokenOf(platform);
    for (const [i, row] of rows.entries()) {
      assert.deepEqual(
        [row.actor_kind, row.actor_id, row.resource, row.remote_address, row.request_id],
        ['token', tokenId, customer.id, '127.0.0.1', refused[i]?.headers['x-request-id']],
      );
      assert.doesNotMatch(JSON.stringify(row.details), /\d{6}/);
    }
  });

  it('platform.md §1.3.9: a signature that does not prove the wallet leaves a row, and never the signature', async () => {
    const platform = await world.platform({ settings: { counterpartyRequirements: true } });
    const customer = await givenCustomer(platform);
    const account = await givenExternalAccount(
      platform,
      'ETHEREUM_WALLET',
      { vaspName: undefined },
      { customerId: customer.id, ownershipType: 'FIRST_PARTY' },
    );
    const params = { externalAccountId: account.id };
    const signature = `0x${'ab'.repeat(65)}`;
    const attempt = async (waitMs: number) => {
      const body = { method: 'WALLET_SIGNATURE' };
      const challenge = await platform.call('createExternalAccountOwnershipChallenge', { params, body });
      assert.ok(challenge.status < 300, challenge.raw);
      world.clock.advance(waitMs);
      return platform.call('verifyExternalAccountOwnership', { params, body: { signature } });
    };
    assert.equal((await attempt(0)).status, 400);
    assert.equal((await attempt(24 * 3_600_000)).status, 400);
    const rows = await failures(platform);
    assert.deepEqual(
      rows.map(({ resource, details }) => [resource, details]),
      [
        'does not prove that the wallet’s key signed the challenge',
        'came after the challenge had expired',
      ].map((reason) => [account.id, { proof: 'WALLET_SIGNATURE', reason, customerId: customer.id }]),
    );
    assert.ok(!JSON.stringify(rows).includes('abab'));
  });

  it('platform.md §1.3.9: a call leaves one row, however it fails: no more than one that succeeds', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, EUROPEAN);
    const params = { customerId: customer.id };
    await platform.call('sendCustomerEmailVerification', { params });
    const wrong = (code: unknown) =>
      platform.send('confirmCustomerEmailVerification', { params, body: { code }, key: 'the-same-key' });
    await Promise.all(Array.from({ length: 10 }, () => wrong('000000')));
    assert.equal((await failures(platform)).length, 10);
    // What is no code at all, or asked of nobody, is no proof.
    await wrong(null);
    await platform.call('confirmCustomerEmailVerification', {
      params: { customerId: 'Customer:019542f5-b3e7-7d02-8000-0000000000ff' },
      body: { code: '000000' },
    });
    assert.equal((await failures(platform)).length, 10);
    assert.equal((await wrong('123456')).status, 200);
    assert.equal((await failures(platform)).length, 10);
  });
});
