// lane: whole — every lock, every way of a reset, all that voids a challenge; factors and logins stay in the fast lane

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { advance, givenPlatform, readTransaction } from '#tests/given/payments.ts';
import { givenPasskey, givenTotp, startedLogin } from '#tests/given/sca.ts';
import { authorize, fetchFunds, givenScaPayer, givenWaiting } from '#tests/given/waiting.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const FUNDS = 1_000_000;

/** customers.md §7.10d: removing a factor voids its open challenges at once. */
describe('challenges that are voided before they expire', () => {
  const world = testWorld();
  let platform: TestPlatform;

  before(async () => {
    platform = await givenPlatform(world);
  });

  /** A customer with every factor, a payment that waits for a text message, one that waits for a passkey, and an open login. */
  async function scene() {
    const payer = await givenScaPayer(platform, FUNDS);
    const query = { customerId: payer.id };
    const passkey = await givenPasskey(platform, payer);
    await givenTotp(platform, payer);
    const bySms = await givenWaiting(platform, payer);
    const byPasskey = await givenWaiting(platform, payer, { more: { scaFactor: 'PASSKEY' } });
    const login = await startedLogin(platform, payer);
    return { payer, query, passkey, bySms, byPasskey, login };
  }

  type Scene = Awaited<ReturnType<typeof scene>>;

  const record = (query: Scene['query'], eventType: 'RESET_PASSWORD_COMPLETED' | 'FAILED_LOGIN_ATTEMPT') =>
    platform.call('recordSecurityEvent', { query, body: { eventType } });

  async function reset({ query }: Scene, factor: 'SMS_OTP' | 'TOTP' | 'PASSKEY') {
    const { body } = await platform.call('startTwoFactorReset', { query, body: { factor } });
    await advance(platform, 2);
    const mobile = { countryCode: '+49', number: '15187654321' };
    const params = { resetId: body.resetId };
    const done = await platform.call('completeTwoFactorReset', { query, params, body: { mobile } });
    assert.equal(done.status, 204, done.raw);
  }

  const CAUSES: readonly {
    readonly name: string;
    readonly voids: readonly ('SMS_OTP' | 'PASSKEY')[];
    happen(scene: Scene): Promise<unknown>;
  }[] = [
    {
      name: 'a changed phone number',
      voids: ['SMS_OTP', 'PASSKEY'],
      happen: ({ query }) =>
        platform.send('updateCustomerById', {
          params: query,
          body: { customerType: 'INDIVIDUAL', phoneNumber: '+4915187654321' },
        }),
    },
    {
      name: 'another name',
      voids: [],
      happen: ({ query }) =>
        platform.send('updateCustomerById', {
          params: query,
          body: { customerType: 'INDIVIDUAL', fullName: 'Amalie Noether' },
        }),
    },
    {
      name: 'a deleted passkey',
      voids: ['PASSKEY'],
      happen: ({ query, passkey: { credentialId } }) =>
        platform.call('deleteScaFactor', { query, params: { credentialId } }),
    },
    { name: 'a reset passkey', voids: ['PASSKEY'], happen: (scene) => reset(scene, 'PASSKEY') },
    {
      name: 'text messages that are reset to another number',
      voids: ['SMS_OTP', 'PASSKEY'],
      happen: (scene) => reset(scene, 'SMS_OTP'),
    },
    { name: 'a reset authenticator app', voids: [], happen: (scene) => reset(scene, 'TOTP') },
    {
      name: 'RESET_PASSWORD_COMPLETED',
      voids: ['SMS_OTP', 'PASSKEY'],
      happen: ({ query }) => record(query, 'RESET_PASSWORD_COMPLETED'),
    },
    {
      name: 'a lock',
      voids: [],
      async happen({ query }) {
        for (let i = 0; i < 8; i++) await record(query, 'FAILED_LOGIN_ATTEMPT');
      },
    },
    {
      name: 'a suspension',
      voids: ['SMS_OTP', 'PASSKEY'],
      async happen({ query }) {
        for (let i = 0; i < 9; i++) await record(query, 'FAILED_LOGIN_ATTEMPT');
      },
    },
  ];

  for (const { name, voids, happen } of CAUSES) {
    it(`customers.md §7.10d: ${name} voids ${voids.join(' and ') || 'nothing'}`, async () => {
      const given = await scene();
      const { payer, query, bySms, byPasskey, login } = given;
      await happen(given);
      const [sms, passkey] = [
        await readTransaction(platform, bySms.transactionId),
        await readTransaction(platform, byPasskey.transactionId),
      ];
      const expected = (factor: 'SMS_OTP' | 'PASSKEY') =>
        voids.includes(factor) ? ['FAILED', 'SCA_NOT_COMPLETED'] : ['PENDING_AUTHORIZATION', undefined];
      assert.deepEqual([sms.status, sms.failureReason], expected('SMS_OTP'));
      assert.deepEqual([passkey.status, passkey.failureReason], expected('PASSKEY'));
      const held = [sms, passkey].filter(({ status }) => status !== 'FAILED').length * 10_000;
      assert.deepEqual(
        await fetchFunds(platform, payer),
        [FUNDS - held, FUNDS],
        'the hold is released as well',
      );
      const loggedIn = await platform.call('completeScaLogin', { query, body: login });
      assert.equal(loggedIn.status === 200, !voids.includes('SMS_OTP') && name !== 'a lock', loggedIn.raw);
      if (voids.includes('SMS_OTP')) {
        const reply = await authorize(platform, bySms.id);
        assert.deepEqual([reply.status, reply.body.code], [409, 'CONFLICT']);
      }
    });
  }
});
