// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TOTP } from 'otpauth';
import { deleteCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import type { ProviderSettings } from '#edge/providers/settings.ts';
import { sql } from '#foundation/database/sql.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import { fieldsOf } from '#tests/given/customers.ts';
import {
  givenEuropean,
  givenPasskey,
  givenScaSession,
  givenTotp,
  SCA_CODE,
  SCA_ORIGIN,
  startedLogin,
} from '#tests/given/sca.ts';
import { auditLines } from '#tests/harness/audit-lines.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import type { Changes } from '#tests/harness/passkeys.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { createReceiver, type Receiver } from '#tests/harness/receiver.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A customer with helpers to log in and inspect the result. */
function loginAt(platform: TestPlatform, customer: { id: string }) {
  const query = { customerId: customer.id };
  return {
    query,
    start: (factor: string) => platform.send('startScaLogin', { query, body: { factor } }),
    complete: (body: object) => platform.send('completeScaLogin', { query, body }),
    /** Reads the number of counted failures without adding one. */
    async failures() {
      const work = await platform.work();
      const rows = await work.read(
        (tx) =>
          tx.sql<{ failed_attempts: number }>`
          select failed_attempts from sca_standings
           where platform_id = ${tx.platformId} and customer_id = ${uuidOf(customer)}`,
      );
      return rows[0]?.failed_attempts ?? 0;
    },
  };
}

describe('logging in by strong customer authentication', () => {
  const world = testWorld();

  async function scene() {
    const platform = await world.platform();
    const customer = await givenEuropean(platform);
    return { platform, customer, ...loginAt(platform, customer) };
  }

  it('customers.md §7.7: each factor has its own start, and one that is not enrolled is an invalid field', async () => {
    const { platform, customer, start } = await scene();
    for (const factor of ['TOTP', 'PASSKEY']) {
      const reply = await start(factor);
      assert.deepEqual([reply.status, fieldsOf(reply.body)], [400, ['factor']], factor);
    }
    const { credentialId } = await givenPasskey(platform, customer);
    await givenTotp(platform, customer);
    const expiresAt = new Date(world.clock.now() + 5 * MINUTE_MS).toISOString();
    const { challengeId, ...sms } = (await start('SMS_OTP')).body;
    assert.deepEqual(sms, { factor: 'SMS_OTP', expiresAt });
    assert.match(String(challengeId), /^ScaChallenge:/);
    assert.deepEqual((await start('TOTP')).body, { factor: 'TOTP' });
    const { passkeyOptions, ...passkey } = (await start('PASSKEY')).body;
    assert.deepEqual(passkey, {
      factor: 'PASSKEY',
      allowedOrigins: [SCA_ORIGIN],
      relyingPartyId: 'localhost',
    });
    const { challenge, ...options } = passkeyOptions as Record<string, unknown>;
    assert.match(String(challenge), /^[\w-]{43}$/);
    assert.deepEqual(options, {
      rpId: 'localhost',
      timeout: 5 * MINUTE_MS,
      allowCredentials: [{ type: 'public-key', id: credentialId }],
      userVerification: 'preferred',
    });
  });

  it('customers.md §7.8: the right proof of each factor creates a session of 180 days, and sessions coexist', async () => {
    const { platform, customer } = await scene();
    await givenTotp(platform, customer);
    const passkey = await givenPasskey(platform, customer);
    const sessionExpiresAt = new Date(world.clock.now() + 180 * DAY_MS).toISOString();
    for (const factor of ['SMS_OTP', 'TOTP', passkey] as const) {
      const session = await givenScaSession(platform, customer, factor);
      assert.deepEqual(session, { status: 'SUCCESS', sessionExpiresAt });
    }
    const live = await world.database.query(sql`
      select factor from sca_sessions
       where platform_id = ${platform.id} and customer_id = ${uuidOf(customer)} and revoked_at is null`);
    assert.equal(live.length, 3);
  });

  it('customers.md §7.2: the code’s message is in the inbox and names its purpose', async () => {
    const { platform, start, customer } = await scene();
    await start('SMS_OTP');
    await world.app.worker.settle(platform.id);
    const { body } = await platform.call('listSandboxMessages', {
      query: { recipient: customer.phoneNumber },
    });
    assert.equal(
      body.data[0]?.text,
      'Your code to log in is 123456. It expires 300 seconds after it was requested. Do not share it with anyone.',
    );
  });

  it('customers.md §7.7: a new start voids the previous one, whatever its factor', async () => {
    const { platform, customer, complete, failures } = await scene();
    await givenTotp(platform, customer);
    const passkey = await givenPasskey(platform, customer);
    for (const [before, after] of [
      ['SMS_OTP', 'SMS_OTP'],
      ['SMS_OTP', 'TOTP'],
      ['SMS_OTP', passkey],
      [passkey, passkey],
    ] as const) {
      const first = await startedLogin(platform, customer, before);
      const second = await startedLogin(platform, customer, after);
      assert.equal((await complete(first)).status, 400);
      assert.equal(await failures(), 1);
      assert.equal((await complete(second)).status, 200);
      assert.equal(await failures(), 0, 'a success clears the counter');
    }
  });

  it('customers.md §7.8: a wrong, late or used proof is 400 and counts', async () => {
    const { platform, customer, complete, failures } = await scene();
    const right = await startedLogin(platform, customer);
    const wrong = await complete({ ...right, code: '654321' });
    assert.deepEqual([wrong.status, wrong.body.code, fieldsOf(wrong.body)], [400, 'INVALID_INPUT', ['code']]);
    assert.equal(await failures(), 1);
    const unknown = 'ScaChallenge:019542f5-b3e7-7d02-8000-0000000000ff';
    const foreign = await complete({ ...right, challengeId: unknown });
    assert.deepEqual([foreign.status, fieldsOf(foreign.body)], [400, ['challengeId']]);
    assert.equal((await complete({ ...right, challengeId: 'no id at all' })).status, 400);
    assert.equal(await failures(), 3);
    assert.equal((await complete(right)).status, 200, 'the challenge is still open');
    assert.equal((await complete(right)).status, 400, 'once');
    assert.equal(await failures(), 1);
    const late = await startedLogin(platform, customer);
    world.clock.advance(5 * MINUTE_MS);
    assert.equal((await complete(late)).status, 400, 'the five minutes have passed');
    const last = await startedLogin(platform, customer);
    world.clock.advance(5 * MINUTE_MS - 1);
    assert.equal((await complete(last)).status, 200);
  });

  it('customers.md §7.8: a code of a factor that is not enrolled, or was not started, is wrong and counts', async () => {
    const { complete, failures } = await scene();
    const base = { endUserIpAddress: '203.0.113.7' };
    assert.equal((await complete({ ...base, factor: 'TOTP', code: SCA_CODE })).status, 400);
    const challengeId = 'ScaChallenge:019542f5-b3e7-7d02-8000-0000000000ff';
    assert.equal((await complete({ ...base, factor: 'SMS_OTP', code: SCA_CODE, challengeId })).status, 400);
    assert.equal(await failures(), 2);
  });

  it('customers.md §7.8, platform.md §10.0.2: a malformed body is refused with all its problems, and not counted', async () => {
    const { platform, customer, complete, failures } = await scene();
    const passkey = await givenPasskey(platform, customer);
    const sms = await startedLogin(platform, customer);
    const assertion = passkey.answer({ challenge: 'AAAA' });
    const { passkeyAssertion } = assertion;
    const { endUserIpAddress: _address, ...noAddress } = sms as Record<string, unknown>;
    const refused: [body: object, fields: string[]][] = [
      [noAddress, ['endUserIpAddress']],
      [{ ...sms, endUserIpAddress: '300.1.2.3' }, ['endUserIpAddress']],
      [{ ...sms, endUserIpAddress: 'fe80::1%eth0' }, ['endUserIpAddress']],
      [{ ...sms, ...assertion }, ['code', 'passkeyAssertion']],
      [{ ...sms, code: null }, ['code', 'passkeyAssertion']],
      [{ ...sms, challengeId: null, endUserIpAddress: 'x' }, ['endUserIpAddress', 'challengeId']],
      [{ ...noAddress, factor: 'EMAIL' }, ['factor', 'endUserIpAddress']],
      [{ factor: 'PASSKEY', endUserIpAddress: '::1', passkeyAssertion }, ['origin']],
      [{ factor: 'PASSKEY', endUserIpAddress: '::1', code: SCA_CODE }, ['passkeyAssertion']],
      [{ factor: 'TOTP', endUserIpAddress: '::1', ...assertion }, ['code']],
      [
        { factor: 'PASSKEY', endUserIpAddress: '::1', passkeyAssertion: {}, origin: SCA_ORIGIN },
        [
          'passkeyAssertion.id',
          'passkeyAssertion.response.clientDataJSON',
          'passkeyAssertion.response.authenticatorData',
          'passkeyAssertion.response.signature',
        ],
      ],
    ];
    for (const [body, fields] of refused) {
      const reply = await complete(body);
      assert.deepEqual([reply.status, fieldsOf(reply.body)], [400, fields], reply.raw);
    }
    assert.equal(await failures(), 0);
    assert.equal((await complete(sms)).status, 200);
  });

  const WRONG: Readonly<Record<string, [Changes, told: RegExp]>> = {
    'another challenge': [{ clientData: { challenge: 'AAAA' } }, /challenge does not match/],
    'another type': [{ clientData: { type: 'webauthn.create' } }, /type is not webauthn\.get/],
    'another page': [{ clientData: { origin: 'http://localhost:4000' } }, /page of another origin/],
    'another relying party': [{ rpId: 'example.com' }, /RP ID hash/],
    'nobody present': [{ flags: 0 }, /user presence/],
    'another passkey': [{ credentialId: 'AAAAAAAAAAAAAAAAAAAAAA' }, /credential id is not the registered/],
    'an old counter': [{ counter: 0 }, /counter is not above/],
  };
  for (const [what, [changes, told]] of Object.entries(WRONG)) {
    it(`customers.md §7.2, §7.8, §7.8a: an assertion with ${what} is wrong and counts`, async () => {
      const { platform, customer, start, complete, failures } = await scene();
      const passkey = await givenPasskey(platform, customer);
      await givenScaSession(platform, customer, passkey);
      const { body } = await start('PASSKEY');
      const base = { factor: 'PASSKEY', endUserIpAddress: '203.0.113.7' };
      const reply = await complete({ ...base, ...passkey.answer(body.passkeyOptions, changes) });
      assert.deepEqual([reply.status, fieldsOf(reply.body)], [400, ['passkeyAssertion']], reply.raw);
      assert.match(String(reply.body.reason), told);
      assert.equal(await failures(), 1);
      assert.equal((await complete({ ...base, ...passkey.answer(body.passkeyOptions) })).status, 200);
    });
  }

  it('customers.md §7.8a: a refused proof names its problem, and the one that locks says so', async () => {
    const { platform, customer, complete, failures } = await scene();
    const app = { factor: 'TOTP', endUserIpAddress: '::1', code: SCA_CODE };
    const without = await complete(app);
    assert.deepEqual([without.status, fieldsOf(without.body)], [400, ['factor']]);
    assert.match(String(without.body.reason), /not enrolled for this customer/);
    assert.equal(await failures(), 1);
    const replaced = await startedLogin(platform, customer);
    const right = await startedLogin(platform, customer);
    const superseded = await complete(replaced);
    assert.match(String(superseded.body.reason), /^challengeId: the challenge is not that of the last start/);
    const wrong = { ...right, code: '654321' };
    assert.equal((await complete(wrong)).body.reason, 'code: is wrong');
    world.clock.advance(5 * MINUTE_MS);
    assert.match(String((await complete(right)).body.reason), /^challengeId: the challenge has expired/);
    const last = await complete({ ...(await startedLogin(platform, customer)), code: '654321' });
    assert.match(String(last.body.reason), /^code: is wrong; the customer is locked until 20/);
  });

  it('customers.md §7.2: the origin of the request must be that of the page, and an assertion counts once', async () => {
    const { platform, customer, complete } = await scene();
    const passkey = await givenPasskey(platform, customer);
    const login = await startedLogin(platform, customer, passkey);
    assert.equal((await complete({ ...login, origin: 'http://localhost:4000' })).status, 400);
    const { passkeyAssertion } = login as { passkeyAssertion: { response: { signature: string } } };
    const forged = { ...passkeyAssertion, response: { ...passkeyAssertion.response, signature: 'AAAA' } };
    assert.equal((await complete({ ...login, passkeyAssertion: forged })).status, 400);
    assert.equal((await complete(login)).status, 200);
    assert.equal((await complete(login)).status, 400);
  });

  it('customers.md §7.5, §7.5a: a recovery code works once in place of a code, in either case, for its customer only', async () => {
    const { platform, customer, complete } = await scene();
    const { recoveryCodes } = await givenTotp(platform, customer);
    const other = await givenEuropean(platform);
    await givenTotp(platform, other);
    const login = (code: string) => ({ factor: 'TOTP', endUserIpAddress: '::1', code });
    const [first = '', second = ''] = recoveryCodes;
    const foreign = await platform.send('completeScaLogin', {
      query: { customerId: other.id },
      body: login(first),
    });
    assert.equal(foreign.status, 400);
    assert.equal((await complete(login(first))).status, 200);
    assert.equal((await complete(login(first))).status, 400);
    assert.equal((await complete(login(second.toLowerCase()))).status, 200);
    const sms = await startedLogin(platform, customer);
    assert.equal((await complete({ ...sms, code: recoveryCodes[2] })).status, 400, 'for TOTP only');
    assert.equal((await complete(login(SCA_CODE))).status, 200);
  });

  it('customers.md §7.5: a recovery code works with or without its dashes, and with spaces in their place', async () => {
    const { platform, customer, complete } = await scene();
    const { recoveryCodes } = await givenTotp(platform, customer);
    const spellings = [
      (code: string) => code.replaceAll('-', ''),
      (code: string) => code.toLowerCase().replaceAll('-', ''),
      (code: string) => ` ${code.replaceAll('-', ' ')} `,
      (code: string) => code.replace('-', ''),
    ];
    for (const [i, spelled] of spellings.entries()) {
      const code = recoveryCodes[i] ?? '';
      const login = { factor: 'TOTP', endUserIpAddress: '::1' };
      assert.equal((await complete({ ...login, code: spelled(code) })).status, 200, spelled(code));
      assert.equal((await complete({ ...login, code })).status, 400, 'the same code is used up');
    }
  });

  it('customers.md §7.5a: of many concurrent logins with one recovery code one succeeds', async () => {
    const { platform, customer, query } = await scene();
    const { recoveryCodes } = await givenTotp(platform, customer);
    const elsewhere = await world.elsewhere(platform);
    const body = { factor: 'TOTP' as const, endUserIpAddress: '::1', code: recoveryCodes[0] };
    const replies = await Promise.all(
      [platform, elsewhere, platform, elsewhere].map((one) => one.call('completeScaLogin', { query, body })),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400, 400, 400]);
  });

  it('platform.md §1.3.9: a login, right or wrong, writes one audit row with customer, factor and address, never the proof', async () => {
    const { platform, customer, complete } = await scene();
    const login = await startedLogin(platform, customer);
    await complete({ ...login, code: '987654' });
    await complete(login);
    const rows = (await auditLines(world, platform)).filter(({ action }) =>
      ['completeScaLogin', 'proof failed'].includes(action),
    );
    const from = { endUserIpAddress: '203.0.113.7' };
    assert.deepEqual(
      rows.map(({ action, resource, details }) => [action, resource, details]),
      [
        ['proof failed', customer.id, { ...from, proof: 'SMS_OTP', reason: 'the code is wrong' }],
        [
          'completeScaLogin',
          '/svc/2025-10-13/sca/login/complete',
          { ...from, customerId: customer.id, factor: 'SMS_OTP' },
        ],
      ],
    );
    assert.doesNotMatch(JSON.stringify(rows), /123456|987654/);
  });

  it('customers.md §2.4.26: a login that waits for a deletion is refused, and a deletion ends every session', async () => {
    const { platform, customer, complete } = await scene();
    await givenScaSession(platform, customer);
    const login = await startedLogin(platform, customer);
    const letGo = await holdOpen(platform, (tx) => deleteCustomer(tx, uuidOf(customer)));
    const asked = complete(login);
    await untilBlocked(world.databaseUrl, 1, asked);
    await letGo();
    assert.equal((await asked).status, 404);
    const left = await world.database.query(sql`
      select 1 from sca_sessions where platform_id = ${platform.id} and customer_id = ${uuidOf(customer)}`);
    assert.deepEqual(left, []);
  });
});

describe('logging in by strong customer authentication, in production', () => {
  const providers: { -readonly [Name in keyof ProviderSettings]: ProviderSettings[Name] } = {};
  let gateway: Receiver;
  before(async () => {
    gateway = await createReceiver();
    providers.sms = { url: gateway.url };
  });
  after(() => gateway.close());
  const world = testWorld({ providers: () => providers });

  async function scene() {
    const platform = await world.platform({ environment: 'PRODUCTION' });
    const customer = await givenEuropean(platform);
    return { platform, customer, ...loginAt(platform, customer) };
  }

  async function sentCode(platform: TestPlatform): Promise<string> {
    await world.app.worker.settle(platform.id);
    return /code to log in is (\d{6})\./.exec(String(gateway.received.at(-1)?.raw))?.[1] ?? '';
  }

  it('customers.md §7.7: a code is random, is sent to the phone and logs in', async () => {
    const { platform, start, complete } = await scene();
    const { body } = await start('SMS_OTP');
    const code = await sentCode(platform);
    assert.match(code, /^\d{6}$/);
    const login = { factor: 'SMS_OTP', endUserIpAddress: '::1', challengeId: body.challengeId };
    const other = code === SCA_CODE ? '654321' : SCA_CODE;
    assert.equal((await complete({ ...login, code: other })).status, 400, '123456 is not special');
    assert.equal((await complete({ ...login, code })).status, 200);
  });

  it('customers.md §7.7a: codes are 30 seconds apart and at most 20 in 24 hours, counted per customer', async () => {
    const { platform, start } = await scene();
    const limited = async () => {
      const { status, body, headers } = await start('SMS_OTP');
      return status === 200 ? 200 : [status, body.code, headers['retry-after']];
    };
    assert.equal(await limited(), 200);
    assert.deepEqual(await limited(), [429, 'RATE_LIMITED', '30']);
    world.clock.advance(30 * SECOND_MS - 1);
    assert.deepEqual(await limited(), [429, 'RATE_LIMITED', '1']);
    world.clock.advance(1);
    assert.equal(await limited(), 200, 'the second');
    const another = loginAt(platform, await givenEuropean(platform));
    assert.equal((await another.start('SMS_OTP')).status, 200);
    for (let sent = 2; sent < 20; sent++) {
      world.clock.advance(30 * SECOND_MS);
      assert.equal(await limited(), 200);
    }
    world.clock.advance(30 * SECOND_MS);
    const wait = String(DAY_MS / SECOND_MS - 20 * 30);
    assert.deepEqual(await limited(), [429, 'RATE_LIMITED', wait]);
    world.clock.advance(Number(wait) * SECOND_MS);
    assert.equal(await limited(), 200);
  });

  it('customers.md §7.7a: of many concurrent starts over two processes one sends', async () => {
    const { platform, query } = await scene();
    const elsewhere = await world.elsewhere(platform);
    const body = { factor: 'SMS_OTP' as const };
    const replies = await Promise.all(
      [platform, elsewhere, platform, elsewhere].map((one) => one.call('startScaLogin', { query, body })),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 429, 429, 429]);
  });

  /** An app with the secret and a correct clock. */
  async function givenApp(platform: TestPlatform, query: { customerId: string }) {
    const started = await platform.send('startScaFactorEnrollment', { query, body: { type: 'TOTP' } });
    const app = new TOTP({ secret: String(started.body.secretBase32Encoded) });
    const codeAt = (ms: number) => app.generate({ timestamp: ms });
    const body = { type: 'TOTP', secret: started.body.secret, code: codeAt(world.clock.now()) };
    const confirmed = await platform.send('confirmScaFactorEnrollment', { query, body });
    assert.equal(confirmed.status, 200, confirmed.raw);
    return { codeAt };
  }

  it('customers.md §7.4, §7.5a: an app’s code is accepted within one step of its time, and each time step counts once', async () => {
    const { platform, query, complete } = await scene();
    const { codeAt } = await givenApp(platform, query);
    const STEP_MS = 30 * SECOND_MS;
    const login = async (shiftMs: number) => {
      const code = codeAt(world.clock.now() + shiftMs);
      return (await complete({ factor: 'TOTP', endUserIpAddress: '::1', code })).status;
    };
    assert.equal(await login(0), 400, 'the code that enrolled it');
    world.clock.advance(STEP_MS);
    assert.equal(await login(0), 200);
    assert.equal(await login(0), 400, 'used');
    assert.equal(await login(-STEP_MS), 400, 'older than a used one');
    assert.equal(await login(STEP_MS), 200, 'of the next step');
    assert.equal(await login(2 * STEP_MS), 400, 'of the step after next');
    world.clock.advance(3 * STEP_MS);
    assert.equal(await login(-STEP_MS), 200, 'of the previous step');
    assert.equal(await login(0), 200);
  });

  it('customers.md §7.5a: of many concurrent logins with one code over two processes one succeeds', async () => {
    const { platform, query } = await scene();
    const elsewhere = await world.elsewhere(platform);
    const { codeAt } = await givenApp(platform, query);
    world.clock.advance(30 * SECOND_MS);
    const body = { factor: 'TOTP' as const, endUserIpAddress: '::1', code: codeAt(world.clock.now()) };
    const replies = await Promise.all(
      [platform, elsewhere, platform, elsewhere].map((one) => one.call('completeScaLogin', { query, body })),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400, 400, 400]);
  });

  it('customers.md §7.2: an app does not accept the sandbox’s code', async () => {
    const { platform, query } = await scene();
    const started = await platform.send('startScaFactorEnrollment', { query, body: { type: 'TOTP' } });
    const app = new TOTP({ secret: String(started.body.secretBase32Encoded) });
    assert.notEqual(app.generate({ timestamp: world.clock.now() }), SCA_CODE, 'one in a million');
    const body = { type: 'TOTP', secret: started.body.secret, code: SCA_CODE };
    assert.equal((await platform.send('confirmScaFactorEnrollment', { query, body })).status, 400);
  });
});

describe('logging in by strong customer authentication, without a provider of text messages', () => {
  const world = testWorld();

  it('platform.md §10.5: a start by text message is 501, before anything is stored', async () => {
    const platform = await world.platform({ environment: 'PRODUCTION' });
    const { start } = loginAt(platform, await givenEuropean(platform));
    const reply = await start('SMS_OTP');
    assert.deepEqual([reply.status, reply.body.code], [501, 'NOT_IMPLEMENTED']);
    const stored = await world.database.query(sql`
      select 1 from sca_challenges where platform_id = ${platform.id}
      union all select 1 from code_attempts where platform_id = ${platform.id}`);
    assert.deepEqual(stored, []);
  });
});
