import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { resolveLiveness } from '#capabilities/external-accounts/challenges/verify-challenge.ts';
import { disablePlatform, enablePlatform } from '#capabilities/platform/set-platform.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { listAccountWebhooks } from '#tests/given/accounts.ts';
import {
  type ExternalAccountReply,
  givenExternalAccount,
  readExternalAccount,
} from '#tests/given/external-accounts.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const HOUR_MS = 3_600_000;

describe('proving a wallet by liveness', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let origin: string;
  let count = 100;

  before(async () => {
    platform = await world.platform({ settings: { counterpartyRequirements: true } });
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    const address = world.app.http.server.address();
    origin = `http://localhost:${typeof address === 'object' ? address?.port : ''}`;
  });

  async function given(suffix = '888') {
    const address = `0x${String(count++).padStart(37, 'a')}${suffix}`;
    const account = await givenExternalAccount(
      platform,
      'BASE_WALLET',
      { address, vaspName: undefined },
      { ownershipType: 'FIRST_PARTY' },
    );
    const challenge = () =>
      platform.call('createExternalAccountOwnershipChallenge', {
        params: { externalAccountId: account.id },
        body: { method: 'LIVENESS' },
      });
    const status = async () => (await readExternalAccount(platform, account.id)).status;
    return { account, challenge, status, told: () => told(account) };
  }

  const told = async ({ id }: ExternalAccountReply) =>
    (await listAccountWebhooks(platform, 'EXTERNAL_ACCOUNT.'))
      .filter((event) => event.resourceId === id)
      .map((event) => event.data.status);

  const settle = async (afterMs: number) => {
    world.clock.advance(afterMs);
    await world.app.worker.settle(platform.id);
  };

  const post = (link: string, body: string) =>
    world.app.http.inject({
      method: 'POST',
      url: new URL(link).pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: body,
    });

  it('accounts.md §5.2.14, §5.2.15: a link with an opaque token, valid for 60 minutes', async () => {
    const { account, challenge } = await given();
    const { status, body } = await challenge();
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(body), ['method', 'verificationLink', 'expiresAt']);
    assert.equal(body.method, 'LIVENESS');
    assert.equal(body.expiresAt, new Date(world.clock.now() + HOUR_MS).toISOString());
    assert.match(body.verificationLink, new RegExp(`^${origin}/liveness/[A-Za-z0-9_-]{100,}$`));
    const token = Buffer.from(body.verificationLink.split('/').at(-1) ?? '', 'base64url').toString('latin1');
    assert.ok(!token.includes(account.id.slice(-12)) && !token.includes(platform.id));
  });

  it('accounts.md §5.2.16: resolves by itself after 5 s: active, or unverified with suffix 102', async () => {
    const good = await given();
    const bad = await given('102');
    await good.challenge();
    await bad.challenge();
    await settle(4_999);
    assert.equal(await good.status(), 'PENDING_OWNERSHIP_VERIFICATION');
    await settle(1);
    assert.equal(await good.status(), 'ACTIVE');
    assert.equal(await bad.status(), 'UNVERIFIED');
    assert.deepEqual(await good.told(), ['ACTIVE']);
    assert.deepEqual(await bad.told(), ['UNVERIFIED']);
    await bad.challenge();
    assert.deepEqual(await bad.told(), ['UNVERIFIED', 'PENDING_OWNERSHIP_VERIFICATION']);
  });

  it('accounts.md §5.2.16: with suffix 104 it never resolves by itself', async () => {
    const { challenge, status, told } = await given('104');
    await challenge();
    await settle(24 * HOUR_MS);
    assert.equal(await status(), 'PENDING_OWNERSHIP_VERIFICATION');
    assert.deepEqual(await told(), []);
  });

  it('accounts.md §5.2.16: a challenge that was replaced meanwhile, or whose account is gone, has no effect', async () => {
    const { account, challenge, status } = await given();
    await challenge();
    await settle(3_000);
    await platform.call('createExternalAccountOwnershipChallenge', {
      params: { externalAccountId: account.id },
      body: { method: 'WALLET_SIGNATURE' },
    });
    await settle(10_000);
    assert.equal(await status(), 'PENDING_OWNERSHIP_VERIFICATION');
    const other = await given();
    await other.challenge();
    await platform.call('deleteCustomerExternalAccountById', {
      params: { externalAccountId: other.account.id },
    });
    await settle(10_000);
    assert.deepEqual(await other.told(), []);
  });

  it('accounts.md §5.2.14: an outcome that is late, repeated or about an unknown challenge changes nothing', async () => {
    const { challenge, status } = await given('104');
    const { body } = await challenge();
    await settle(HOUR_MS);
    assert.equal((await post(body.verificationLink, 'outcome=pass')).statusCode, 404);
    assert.equal(await status(), 'PENDING_OWNERSHIP_VERIFICATION');
    const work = await platform.work();
    assert.equal(await work.write((tx) => resolveLiveness(tx, newUuid(), true)), false);
  });

  it('accounts.md §5.2: if a button and the timer race, the first counts', async () => {
    const { challenge, status, told } = await given();
    const { body } = await challenge();
    const replies = await Promise.all([
      post(body.verificationLink, 'outcome=fail'),
      post(body.verificationLink, 'outcome=pass'),
    ]);
    assert.deepEqual(replies.map((reply) => reply.statusCode).sort(), [200, 404]);
    const decided = await status();
    await settle(10_000);
    assert.equal(await status(), decided);
    assert.equal((await told()).length, 1);
  });

  it('accounts.md §5.2: a link that was altered, is of another kind, or names an unknown action has no effect', async () => {
    const { challenge, status } = await given('104');
    const { body } = await challenge();
    const token = body.verificationLink.split('/').at(-1) ?? '';
    for (const wrong of [
      'x',
      'a'.repeat(150),
      `${token.slice(0, -2)}AA`,
      `B${token.slice(1)}`,
      `${token}AAAA`,
    ]) {
      const path = `${origin}/liveness/${wrong}`;
      assert.equal((await world.app.http.inject({ url: new URL(path).pathname })).statusCode, 404);
      assert.equal((await post(path, 'outcome=pass')).statusCode, 404);
    }
    for (const form of ['', 'outcome=maybe', 'pass', '{"outcome":"pass"}']) {
      assert.equal((await post(body.verificationLink, form)).statusCode, 400);
    }
    assert.equal(await status(), 'PENDING_OWNERSHIP_VERIFICATION');
  });

  it('platform.md §10.3: while its platform is disabled, a link has no effect', async () => {
    const { challenge, status } = await given();
    const { verificationLink } = (await challenge()).body;
    const operator = { kind: 'operator', id: 'test' } as const;
    await disablePlatform(world.app.runtime, platform.id, operator);
    assert.equal((await world.app.http.inject({ url: new URL(verificationLink).pathname })).statusCode, 404);
    assert.equal((await post(verificationLink, 'outcome=pass')).statusCode, 404);
    await enablePlatform(world.app.runtime, platform.id, operator);
    assert.equal(await status(), 'PENDING_OWNERSHIP_VERIFICATION');
    assert.equal((await post(verificationLink, 'outcome=pass')).statusCode, 200);
  });

  it('accounts.md §5.2: production has no built-in provider', async () => {
    const production = await world.platform({
      environment: 'PRODUCTION',
      settings: { counterpartyRequirements: true },
    });
    const { id } = await givenExternalAccount(
      production,
      'BASE_WALLET',
      { vaspName: undefined },
      { ownershipType: 'FIRST_PARTY' },
    );
    const reply = await production.call('createExternalAccountOwnershipChallenge', {
      params: { externalAccountId: id },
      body: { method: 'LIVENESS' },
    });
    assert.equal(reply.status, 501);
    assert.equal(reply.body.code, 'NOT_IMPLEMENTED');
  });
});
