// lane: whole — every lock, every way of a reset, all that voids a challenge; factors and logins stay in the fast lane

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { deleteCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { applyLiveness } from '#capabilities/sca/factors/reset-factor.ts';
import { sql } from '#foundation/database/sql.ts';
import { fetchAccounts, inCurrency } from '#tests/given/accounts.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import { fieldsOf } from '#tests/given/customers.ts';
import { givenEuropean, givenPasskey, givenScaSession, givenTotp, startedLogin } from '#tests/given/sca.ts';
import type { RequestOf } from '#tests/harness/api-types.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { callStamped } from '#tests/harness/wallet-client.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MOBILE = { countryCode: '+49', number: '15187654321' };
const NEW_NUMBER = '+4915187654321';

describe('resets of factors', () => {
  const world = testWorld();
  let origin: string;

  before(async () => {
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    const address = world.app.http.server.address();
    origin = `http://localhost:${typeof address === 'object' ? address?.port : ''}`;
  });

  async function settle(platform: TestPlatform, ms: number) {
    world.clock.advance(ms);
    await world.app.worker.settle(platform.id);
  }

  async function scene() {
    const platform = await world.platform();
    const customer = await givenEuropean(platform);
    const query = { customerId: customer.id };
    return {
      platform,
      customer,
      query,
      start: (factor: string) => platform.send('startTwoFactorReset', { query, body: { factor } }),
      async started(factor: 'SMS_OTP' | 'TOTP' | 'PASSKEY') {
        const reply = await platform.call('startTwoFactorReset', { query, body: { factor } });
        assert.equal(reply.status, 201, reply.raw);
        return reply.body;
      },
      async read(resetId: string) {
        const reply = await platform.call('getTwoFactorResetStatus', { query, params: { resetId } });
        assert.equal(reply.status, 200, reply.raw);
        return reply.body;
      },
      complete: (resetId: string, body?: RequestOf<'completeTwoFactorReset'>) =>
        platform.call('completeTwoFactorReset', { query, params: { resetId }, ...(body && { body }) }),
      /** Whether the customer is logged in, which changing a factor requires. */
      isLoggedIn: async () => {
        const reply = await platform.send('deleteScaFactor', { query, params: { credentialId: 'AAAA' } });
        return reply.body.code === 'NOT_FOUND';
      },
    };
  }

  /** Applies a provider's report like production. */
  async function report(platform: TestPlatform, resetId: string, what: 'submitted' | 'passed' | 'failed') {
    const work = await platform.work();
    return work.write((tx) => applyLiveness(tx, uuidOf(resetId), what));
  }

  const open = (link: string | null | undefined, search = '') =>
    world.app.http.inject({ method: 'GET', url: `${String(link).replace(origin, '')}${search}` });

  it('customers.md §7.61: a start is 201 with a link that is valid for 15 minutes, and INITIATED', async () => {
    const { customer, started, read, platform } = await scene();
    const { resetId, verificationLink, ...rest } = await started('SMS_OTP');
    const expiresAt = new Date(world.clock.now() + 15 * MINUTE_MS).toISOString();
    assert.deepEqual(rest, { livenessAccessToken: null, expiresAt });
    assert.match(resetId, /^ScaReset:/);
    assert.match(String(verificationLink), new RegExp(`^${origin}/factor-reset/[A-Za-z0-9_-]{100,}$`));
    const token = Buffer.from(String(verificationLink).split('/').at(-1) ?? '', 'base64url').toString(
      'latin1',
    );
    for (const id of [customer.id, platform.id, resetId]) assert.ok(!token.includes(id.slice(-12)));
    assert.deepEqual(await read(resetId), {
      status: 'INITIATED',
      factor: 'SMS_OTP',
      enrollmentStatus: null,
      expiresAt,
      completedAt: null,
    });
  });

  it('customers.md §7.62, §7.63, §7.64: a provider’s reports: submitted waits for review, then passes or fails', async () => {
    const { platform, started, read } = await scene();
    for (const [reports, status] of [
      [['submitted'], 'PENDING_REVIEW'],
      [['submitted', 'submitted'], 'PENDING_REVIEW'],
      [['submitted', 'passed'], 'LIVENESS_PASSED'],
      [['submitted', 'failed'], 'REJECTED'],
      [['failed', 'passed', 'submitted'], 'REJECTED'],
    ] as const) {
      const { resetId } = await started('SMS_OTP');
      for (const one of reports) await report(platform, resetId, one);
      assert.equal((await read(resetId)).status, status, reports.join());
    }
  });

  it('customers.md §7.63: in the sandbox the check passes by itself 2 s after the start', async () => {
    const { platform, started, read } = await scene();
    const { resetId, verificationLink } = await started('SMS_OTP');
    await settle(platform, 2 * SECOND_MS - 1);
    assert.equal((await read(resetId)).status, 'INITIATED');
    const page = await open(verificationLink);
    assert.equal(page.statusCode, 200);
    assert.match(page.body, /<button name="result" value="fail">/);
    await settle(platform, 1);
    assert.equal((await read(resetId)).status, 'LIVENESS_PASSED');
  });

  it('customers.md §7.64: in the sandbox opening the link with result=fail within those 2 s rejects it finally', async () => {
    const { platform, started, read, complete } = await scene();
    const { resetId, verificationLink } = await started('SMS_OTP');
    await settle(platform, 2 * SECOND_MS - 1);
    const page = await open(verificationLink, '?result=fail');
    assert.deepEqual([page.statusCode, /<h1>Failed<\/h1>/.test(page.body)], [200, true]);
    assert.equal((await read(resetId)).status, 'REJECTED');
    assert.equal((await open(verificationLink, '?result=fail')).statusCode, 404);
    await settle(platform, 20 * MINUTE_MS);
    assert.equal((await read(resetId)).status, 'REJECTED', 'final, even after its expiry');
    assert.equal((await complete(resetId, { mobile: MOBILE })).status, 400);
    const late = await started('SMS_OTP');
    await settle(platform, 2 * SECOND_MS);
    const passed = await open(late.verificationLink, '?result=fail');
    assert.deepEqual(
      [passed.statusCode, /<h1>Passed<\/h1>/.test(passed.body)],
      [200, true],
      'after those 2 s',
    );
    assert.equal((await read(late.resetId)).status, 'LIVENESS_PASSED');
  });

  it('customers.md §7.16: the sandbox’s page can be opened until the reset is completed, or has expired', async () => {
    const { platform, started, complete } = await scene();
    const { resetId, verificationLink } = await started('SMS_OTP');
    await settle(platform, 2 * SECOND_MS);
    for (let visit = 1; visit <= 2; visit++) {
      const page = await open(verificationLink);
      assert.deepEqual([page.statusCode, /<h1>Passed<\/h1>/.test(page.body)], [200, true]);
      assert.ok(!page.body.includes('<button'), 'nothing is left to decide');
    }
    assert.equal((await complete(resetId, { mobile: MOBILE })).status, 204);
    assert.equal((await open(verificationLink)).statusCode, 404, 'used');
    const other = await started('SMS_OTP');
    await settle(platform, 15 * MINUTE_MS - 1);
    assert.equal((await open(other.verificationLink)).statusCode, 200);
    await settle(platform, 1);
    assert.equal((await open(other.verificationLink)).statusCode, 404, 'expired');
  });

  it('customers.md §7.64: an unknown link, or one of a production platform, decides nothing', async () => {
    const { started } = await scene();
    const { verificationLink } = await started('SMS_OTP');
    for (const link of [
      `${verificationLink}x`,
      `${origin}/factor-reset/abc`,
      `${origin}/factor-reset/${'A'.repeat(200)}`,
    ]) {
      assert.equal((await open(link, '?result=fail')).statusCode, 404);
    }
    const other = String(verificationLink).replace('/factor-reset/', '/liveness/');
    assert.equal((await open(other)).statusCode, 404, 'the page for another purpose refuses it as well');
  });

  it('customers.md §7.65: a passed reset is completed with 204, once', async () => {
    const { platform, started, read, complete } = await scene();
    const { resetId } = await started('SMS_OTP');
    const early = await complete(resetId, { mobile: MOBILE });
    assert.deepEqual([early.status, early.body.code], [400, 'INVALID_INPUT']);
    await settle(platform, 2 * SECOND_MS);
    const done = await complete(resetId, { mobile: MOBILE });
    assert.deepEqual([done.status, done.raw], [204, '']);
    const { status, completedAt } = await read(resetId);
    assert.deepEqual([status, completedAt], ['COMPLETED', new Date(world.clock.now()).toISOString()]);
    assert.equal((await complete(resetId, { mobile: MOBILE })).status, 400);
    world.clock.advance(15 * MINUTE_MS);
    assert.equal((await read(resetId)).status, 'COMPLETED', 'final, even after its expiry');
  });

  it('customers.md §7.66: an unfinished reset has expired 15 minutes after its start, for reading and completing', async () => {
    const { platform, started, read, complete } = await scene();
    const initiated = await started('SMS_OTP');
    await report(platform, initiated.resetId, 'submitted');
    const passed = await started('SMS_OTP');
    await report(platform, passed.resetId, 'passed');
    world.clock.advance(15 * MINUTE_MS - 1);
    assert.equal((await read(initiated.resetId)).status, 'PENDING_REVIEW');
    assert.equal((await read(passed.resetId)).status, 'LIVENESS_PASSED');
    world.clock.advance(1);
    for (const { resetId } of [initiated, passed]) {
      assert.equal((await read(resetId)).status, 'EXPIRED');
      const reply = await complete(resetId, { mobile: MOBILE });
      assert.deepEqual([reply.status, reply.body.details], [400, { status: 'EXPIRED' }]);
      assert.equal(await report(platform, resetId, 'passed'), false, 'no report revives it');
    }
  });

  it('customers.md §7.16: a factor that is not enrolled is an invalid field', async () => {
    const { start } = await scene();
    for (const factor of ['TOTP', 'PASSKEY', 'EMAIL']) {
      const reply = await start(factor);
      assert.deepEqual([reply.status, fieldsOf(reply.body)], [400, ['factor']], factor);
    }
  });

  it('customers.md §7.16: a sixth start within 24 h is 429 with Retry-After, even among concurrent ones', async () => {
    const { platform, query, start, started } = await scene();
    const elsewhere = await world.elsewhere(platform);
    await started('SMS_OTP');
    world.clock.advance(10 * MINUTE_MS);
    const body = { factor: 'SMS_OTP' as const };
    const replies = await Promise.all(
      [platform, elsewhere, platform, elsewhere, platform, elsewhere].map((one) =>
        one.call('startTwoFactorReset', { query, body }),
      ),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 201, 201, 201, 429, 429]);
    const wait = DAY_MS - 10 * MINUTE_MS;
    const sixth = await start('SMS_OTP');
    assert.deepEqual(
      [sixth.status, sixth.body.code, sixth.headers['retry-after']],
      [429, 'RATE_LIMITED', String(wait / SECOND_MS)],
    );
    world.clock.advance(wait);
    await started('SMS_OTP');
    assert.equal((await start('SMS_OTP')).status, 429);
  });

  it('customers.md §7.16: the number for SMS_OTP is required and must be valid', async () => {
    const { platform, started, complete } = await scene();
    const { resetId } = await started('SMS_OTP');
    await settle(platform, 2 * SECOND_MS);
    const refused: [body: object | undefined, field: string][] = [
      [undefined, 'mobile'],
      [{}, 'mobile'],
      [{ mobile: { countryCode: '+49' } }, 'mobile.number'],
      [{ mobile: { countryCode: '+49', number: '' } }, 'mobile'],
      [{ mobile: { countryCode: '++49', number: '15187654321' } }, 'mobile'],
      [{ mobile: { countryCode: '+0', number: '15187654321' } }, 'mobile'],
      [{ mobile: { countryCode: '+49', number: '1518 765' } }, 'mobile'],
      [{ mobile: { countryCode: '+49', number: '1'.repeat(15) } }, 'mobile'],
    ];
    for (const [body, field] of refused) {
      const reply = await complete(resetId, body as never);
      assert.deepEqual([reply.status, fieldsOf(reply.body)], [400, [field]], JSON.stringify(body));
    }
    const bare = { mobile: { ...MOBILE, countryCode: '49' } };
    assert.equal((await complete(resetId, bare)).status, 204);
  });

  it('customers.md §7.16: SMS_OTP changes the number at once, ends all sessions and voids open codes', async () => {
    const { platform, customer, query, started, read, complete, isLoggedIn } = await scene();
    await givenScaSession(platform, customer);
    const open = await startedLogin(platform, customer);
    const { resetId } = await started('SMS_OTP');
    await settle(platform, 2 * SECOND_MS);
    assert.equal(await isLoggedIn(), true);
    assert.equal((await complete(resetId, { mobile: MOBILE })).status, 204);
    const shown = await platform.call('getCustomerById', { params: query });
    assert.deepEqual(
      [shown.body.phoneNumber, shown.body.contactVerification],
      [NEW_NUMBER, { email: 'VERIFIED', phone: 'VERIFIED' }],
    );
    assert.equal((await read(resetId)).enrollmentStatus, null);
    assert.equal(await isLoggedIn(), false);
    const late = await platform.call('completeScaLogin', { query, body: open });
    assert.equal(late.status, 400, 'customers.md §7.10d');
    const login = await startedLogin(platform, customer);
    await world.app.worker.settle(platform.id);
    assert.equal((await platform.call('completeScaLogin', { query, body: login })).status, 200);
    const inbox = await platform.call('listSandboxMessages', { query: { recipient: NEW_NUMBER } });
    assert.equal(inbox.body.data.length, 1);
  });

  it('customers.md §7.16: an app or a passkey is removed and can be enrolled again', async () => {
    for (const factor of ['TOTP', 'PASSKEY'] as const) {
      const { platform, customer, query, started, read, complete, isLoggedIn } = await scene();
      const enrol = () =>
        factor === 'TOTP' ? givenTotp(platform, customer) : givenPasskey(platform, customer);
      const old = await enrol();
      await givenScaSession(platform, customer);
      const { resetId } = await started(factor);
      await settle(platform, 2 * SECOND_MS);
      assert.equal((await read(resetId)).enrollmentStatus, null, 'nothing is removed yet');
      assert.equal((await complete(resetId)).status, 204);
      assert.equal(await isLoggedIn(), false);
      const { body } = await platform.call('listScaFactors', { query });
      assert.deepEqual(body.factors, [{ factor: 'SMS_OTP' }]);
      assert.equal((await read(resetId)).enrollmentStatus, 'PENDING');
      if ('recoveryCodes' in old) {
        const login = { factor: 'TOTP' as const, endUserIpAddress: '::1', code: old.recoveryCodes[0] };
        const reply = await platform.call('completeScaLogin', { query, body: login });
        assert.equal(reply.status, 400, 'its recovery codes are deleted as well');
      }
      await givenScaSession(platform, customer);
      await enrol();
      assert.equal((await read(resetId)).enrollmentStatus, 'COMPLETED');
    }
  });

  it('customers.md §7.16: a reset that is unknown, or of another customer, is 404', async () => {
    const { platform, started } = await scene();
    const { resetId } = await started('SMS_OTP');
    const other = { customerId: (await givenEuropean(platform)).id };
    const unknown = 'ScaReset:019542f5-b3e7-7d02-8000-0000000000ff';
    for (const [query, id] of [
      [other, resetId],
      [other, unknown],
      [other, 'Quote:x'],
    ] as const) {
      const params = { resetId: id };
      const replies = [
        await platform.call('getTwoFactorResetStatus', { query, params }),
        await platform.send('completeTwoFactorReset', { query, params, body: { mobile: 1 } }),
      ];
      for (const { status, body } of replies)
        assert.deepEqual([status, body.code], [404, 'REQUEST_NOT_FOUND']);
    }
  });

  it('customers.md §7.16: of two concurrent completions over two processes one succeeds', async () => {
    const { platform, customer, query, started } = await scene();
    const elsewhere = await world.elsewhere(platform);
    await givenTotp(platform, customer);
    const { resetId } = await started('TOTP');
    await settle(platform, 2 * SECOND_MS);
    const replies = await Promise.all(
      [platform, elsewhere].map((one) =>
        one.call('completeTwoFactorReset', { query, params: { resetId }, body: {} }),
      ),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [204, 400]);
  });

  describe('if a wallet’s codes go to the phone', () => {
    /** A customer whose wallet has codes that go to this number. */
    async function withTiedWallet(platform: TestPlatform, phoneNumber: string) {
      const customer = await givenEuropean(platform, { phoneNumber });
      const { id: accountId } = inCurrency(await fetchAccounts(platform, customer.id), 'USDB');
      const body = { type: 'SMS_OTP', accountId };
      const added = await callStamped(platform, 'createAuthCredential', { body });
      assert.equal(added.status, 201, added.raw);
      return customer;
    }

    async function passedReset(platform: TestPlatform, customer: { id: string }) {
      const query = { customerId: customer.id };
      const { body } = await platform.call('startTwoFactorReset', { query, body: { factor: 'SMS_OTP' } });
      await settle(platform, 2 * SECOND_MS);
      const params = { resetId: body.resetId };
      return (number: string) =>
        platform.call('completeTwoFactorReset', {
          query,
          params,
          body: { mobile: { countryCode: '+49', number } },
        });
    }

    it('customers.md §7.16a: another number is 409, the same one is verified again', async () => {
      const platform = await world.platform();
      const complete = await passedReset(platform, await withTiedWallet(platform, '+4915112345678'));
      const refused = await complete('15187654321');
      assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT']);
      assert.equal((await complete('15112345678')).status, 204);
    });

    it('customers.md §7.16a: a number that a credential of another wallet has is 409', async () => {
      const platform = await world.platform();
      await withTiedWallet(platform, NEW_NUMBER);
      const complete = await passedReset(platform, await givenEuropean(platform));
      const refused = await complete('15187654321');
      assert.deepEqual([refused.status, refused.body.code], [409, 'SMS_OTP_PHONE_NUMBER_ALREADY_EXISTS']);
      assert.equal((await complete('15187654322')).status, 204);
    });
  });

  it('platform.md §10.5: production without a liveness provider refuses before it stores anything', async () => {
    const platform = await world.platform({ environment: 'PRODUCTION' });
    const query = { customerId: (await givenEuropean(platform)).id };
    const reply = await platform.send('startTwoFactorReset', { query, body: { factor: 'SMS_OTP' } });
    assert.deepEqual([reply.status, reply.body.code], [501, 'NOT_IMPLEMENTED']);
    const stored = await world.database.query(
      sql`select 1 from sca_resets where platform_id = ${platform.id}`,
    );
    assert.deepEqual(stored, []);
  });

  it('customers.md §2.4.26: a completion that waits for a deletion is refused, and the deletion ends the reset', async () => {
    const { platform, customer, started, complete } = await scene();
    await givenTotp(platform, customer);
    const { resetId } = await started('TOTP');
    await settle(platform, 2 * SECOND_MS);
    const letGo = await holdOpen(platform, (tx) => deleteCustomer(tx, uuidOf(customer)));
    const asked = complete(resetId);
    await untilBlocked(world.databaseUrl, 1, asked);
    await letGo();
    assert.equal((await asked).status, 404);
    const left = await world.database.query(sql`select 1 from sca_resets where platform_id = ${platform.id}`);
    assert.deepEqual(left, []);
  });
});
