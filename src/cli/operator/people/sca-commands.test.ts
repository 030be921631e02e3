import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { givenEuropean, givenPasskey, givenScaSession, givenTotp, startedLogin } from '#tests/given/sca.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';
import { operatorWorld, parseRows } from '#tests/harness/operator-world.ts';

describe('corridor sca', () => {
  const world = operatorWorld();
  let platform: TestPlatform;
  before(() => {
    ({ platform } = world);
  });

  const sca = (...words: string[]) => world.run('sca', ...words);

  async function givenFailures(failures: number) {
    const { id: customerId } = await givenEuropean(platform);
    let state: Record<string, unknown> = {};
    for (let i = 0; i < failures; i++) {
      const body = { eventType: 'FAILED_LOGIN_ATTEMPT' as const };
      state = (await platform.call('recordSecurityEvent', { query: { customerId }, body })).body;
    }
    return { customer: customerId, lockedUntil: state.lockedUntil };
  }

  it('lists locked and suspended customers, suspended ones first, and no others', async () => {
    assert.equal(await sca('list'), 'No customer is locked or suspended.\n');
    await givenFailures(4);
    const locked = await givenFailures(5);
    const longer = await givenFailures(7);
    const suspended = await givenFailures(9);
    const rows = parseRows(await sca('list', '--json'));
    const row = ({ customer, lockedUntil }: typeof locked, failedAttempts: number) => ({
      customer,
      suspended: failedAttempts >= 9,
      lockedUntil,
      failedAttempts,
    });
    assert.deepEqual(rows, [row(suspended, 9), row(longer, 7), row(locked, 5)]);
    assert.equal(JSON.parse(await sca('list', '--limit', '1', '--json')).length, 1);
    assert.match(await sca('list'), /^CUSTOMER +SUSPENDED +LOCKED UNTIL +FAILED ATTEMPTS +PLATFORM\n/);
  });

  it('shows factors, sessions, challenges and resets, without any secret, audited', async () => {
    const customer = await givenEuropean(platform);
    const { secret, recoveryCodes } = await givenTotp(platform, customer);
    await givenPasskey(platform, customer);
    const query = { customerId: customer.id };
    const body = { factor: 'TOTP' as const, endUserIpAddress: '::1', code: recoveryCodes[0] };
    await platform.call('completeScaLogin', { query, body });
    await givenScaSession(platform, customer);
    const login = await startedLogin(platform, customer);
    await platform.call('completeScaLogin', { query, body: { ...login, code: '654321' } });
    const reset = await platform.call('startTwoFactorReset', { query, body: { factor: 'TOTP' } });
    const text = await sca('show', customer.id, '--json');
    const shown = JSON.parse(text);
    assert.deepEqual(
      { ...shown, ...withoutTimes(shown), firstLoginAt: typeof shown.firstLoginAt },
      {
        customer: customer.id,
        failedAttempts: 1,
        suspended: false,
        lockedUntil: null,
        firstLoginAt: 'string',
        textMessagesTo: customer.phoneNumber,
        numberNeedsProof: false,
        factors: [{ factor: 'TOTP' }, { factor: 'PASSKEY' }],
        recoveryCodesLeft: 9,
        liveSessions: [{ factor: 'TOTP' }, { factor: 'SMS_OTP' }],
        openChallenges: [{ id: login.challengeId, purpose: 'LOGIN', factor: 'SMS_OTP', wrongTries: 0 }],
        resets: [{ id: reset.body.resetId, factor: 'TOTP', status: 'INITIATED' }],
      },
    );
    for (const hidden of [secret, recoveryCodes[1] ?? '?']) assert.ok(!text.includes(hidden), hidden);
    assert.match(await sca('show', customer.id), /recoveryCodesLeft +9/);
    const rows = await world.database.query(sql`
      select action, actor_kind from audit_log where resource = ${customer.id} and actor_kind = 'operator'`);
    const row = { action: 'sca show', actor_kind: 'operator' };
    assert.deepEqual(rows, [row, row]);
  });

  it('a customer outside SCA regions, an unknown one and a wrong argument are one clear line each', async () => {
    const outside = await givenCustomer(platform, PERSON);
    await world.assertRefused([
      [['sca', 'show', outside.id], 1, /does not apply in US/],
      [['sca', 'show', 'Customer:01890a5d-ac96-774b-bcce-b302099a8057'], 1, /no such Customer/],
      [['sca', 'show', 'Quote:1'], 2, /It must be an id such as Customer:<uuid>/],
      [['sca', 'list', '--limit', '0'], 2, /a whole number from 1 to 1000/],
    ]);
  });
});

const LISTS = ['factors', 'liveSessions', 'openChallenges', 'resets'];

/** The lists without their times. */
function withoutTimes(shown: Record<string, Record<string, unknown>[]>): Record<string, unknown> {
  return Object.fromEntries(
    LISTS.map((name) => [name, shown[name]?.map(({ createdAt: _made, expiresAt: _ends, ...rest }) => rest)]),
  );
}
