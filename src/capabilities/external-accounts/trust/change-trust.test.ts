// lane: whole — one of the longest of the short tests

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import type { ScaChallenge } from '#capabilities/sca/schemas.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { listAccountWebhooks } from '#tests/given/accounts.ts';
import { EUROPEAN, givenCustomer } from '#tests/given/customers.ts';
import { givenExternalAccount, readExternalAccount, refusedFields } from '#tests/given/external-accounts.ts';
import {
  givenEuropean,
  givenPasskey,
  givenScaSession,
  givenTotp,
  SCA_CODE,
  SCA_ORIGIN,
  type ScaPasskey,
} from '#tests/given/sca.ts';
import type { Answered, RequestOf } from '#tests/harness/api-types.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import type { Changes } from '#tests/harness/passkeys.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

type Change = 'Trust' | 'Untrust';
type Confirmation = RequestOf<'confirmBeneficiaryTrust'>;

const OTHER_ORIGIN = 'http://localhost:4000';
const MINUTE_MS = 60_000;

describe('trusted beneficiaries', () => {
  const world = testWorld();
  let platform: TestPlatform;

  before(async () => {
    platform = await world.platform();
  });

  async function givenAccount(customerId: string | undefined, of = platform): Promise<string> {
    const rest = customerId === undefined ? {} : { customerId };
    const { id } = await givenExternalAccount(of, 'EUR_ACCOUNT', { iban: nextIban() }, rest);
    return id;
  }

  const params = (externalAccountId: string) => ({ params: { externalAccountId } });

  const start = (account: string, change: Change = 'Trust', of = platform) =>
    of.call(`startBeneficiary${change}`, params(account));

  const confirm = (account: string, body: Confirmation, change: Change = 'Trust', of = platform) =>
    of.call(`confirmBeneficiary${change}`, { ...params(account), body });

  const remove = (account: string, of = platform) =>
    of.call('deleteCustomerExternalAccountById', params(account));

  async function started(account: string, change: Change = 'Trust', of = platform): Promise<ScaChallenge> {
    const { status, raw, body } = await start(account, change, of);
    assert.equal(status, 200, raw);
    assert.ok(body.scaChallenge, raw);
    return body.scaChallenge;
  }

  /** Confirmed by a code to the phone. */
  async function changed(account: string, change: Change = 'Trust', of = platform): Promise<void> {
    const { id: challengeId } = await started(account, change, of);
    const done = await confirm(account, { challengeId, code: SCA_CODE }, change, of);
    assert.equal(done.status, 200, done.raw);
    assert.deepEqual(done.body, { trusted: change === 'Trust' });
  }

  async function isTrusted(account: string): Promise<boolean | undefined> {
    const [row] = await world.database.query<{ trusted: boolean }>(sql`
      select trusted from external_accounts where id = ${uuidOf(account)}`);
    return row?.trusted;
  }

  async function countFailures(customer: string): Promise<number> {
    const [row] = await world.database.query<{ failed_attempts: number }>(sql`
      select failed_attempts from sca_standings where customer_id = ${uuidOf(customer)}`);
    return row?.failed_attempts ?? 0;
  }

  const endSessions = (customer: string) =>
    world.database.query(sql`
      update sca_sessions set revoked_at = ${new Date(world.clock.now())}
       where customer_id = ${uuidOf(customer)}`);

  const challengesAbout = (account: string) =>
    world.database.query<{ purpose: string }>(sql`
      select purpose from sca_challenges where target = ${uuidOf(account)}`);

  function assertRefused(
    { status, body, raw }: Answered<{ code?: string }>,
    [expected, code]: [number, string],
  ) {
    assert.deepEqual([status, body.code], [expected, code], raw);
  }

  it('accounts.md §3.4.1, §3.4.2, customers.md §7.14: without a session a code goes to the phone, and confirms trust and then untrust', async () => {
    const customer = (await givenEuropean(platform)).id;
    const account = await givenAccount(customer);
    const challenge = await started(account);
    assert.deepEqual(challenge, {
      id: challenge.id,
      expiresAt: new Date(world.clock.now() + 5 * MINUTE_MS).toISOString(),
      factor: 'SMS_OTP',
      availableFactors: ['SMS_OTP'],
    });
    const done = await confirm(account, { challengeId: challenge.id, code: SCA_CODE });
    assert.deepEqual([done.status, done.body], [200, { trusted: true }]);
    assert.equal(await isTrusted(account), true);
    await changed(account, 'Untrust');
    assert.equal(await isTrusted(account), false);
  });

  it('customers.md §7.14: the message identifies the account, but not by its whole number', async () => {
    const own = await world.platform();
    const account = await givenAccount((await givenEuropean(own)).id, own);
    await started(account, 'Trust', own);
    await world.app.worker.settle(own.id);
    const query = { recipient: EUROPEAN.phoneNumber };
    const [message] = (await own.call('listSandboxMessages', { query })).body.data;
    const iban = String((await readExternalAccount(own, account)).accountInfo.iban);
    assert.match(
      message?.text ?? '',
      new RegExp(`^Your code to trust the EUR account ending in ${iban.slice(-4)} is 123456\\.`),
    );
    await changed(account, 'Trust', own);
    await started(account, 'Untrust', own);
    await world.app.worker.settle(own.id);
    const [next] = (await own.call('listSandboxMessages', { query })).body.data;
    assert.match(next?.text ?? '', /^Your code to stop trusting the EUR account ending in /);
  });

  it('customers.md §7.14: 404 before 409 for the region, before 409 for the state, before the body, before the proof', async () => {
    const customer = (await givenEuropean(platform)).id;
    const trusted = await givenAccount(customer);
    const untrusted = await givenAccount(customer);
    await changed(trusted);
    const american = await givenAccount((await givenCustomer(platform)).id);
    const cases: [string, Change, [number, string]][] = [
      [`ExternalAccount:${newUuid()}`, 'Trust', [404, 'ACCOUNT_NOT_FOUND']],
      [await givenAccount(undefined), 'Trust', [404, 'ACCOUNT_NOT_FOUND']],
      [american, 'Trust', [409, 'CONFLICT']],
      [american, 'Untrust', [409, 'CONFLICT']],
      [trusted, 'Trust', [409, 'CONFLICT']],
      [untrusted, 'Untrust', [409, 'CONFLICT']],
    ];
    for (const [account, change, expected] of cases) {
      assertRefused(await start(account, change), expected);
      for (const body of [{}, { code: 5 }, { code: '000000' }]) {
        const call = { ...params(account), body };
        assertRefused(await platform.send(`confirmBeneficiary${change}`, call), expected);
      }
    }
    assert.equal(await countFailures(customer), 0);
    assert.match((await start(american)).body.reason ?? '', /does not apply in US/);
    assert.match((await start(trusted)).body.reason ?? '', /already trusts this account/);
    assert.match((await start(untrusted, 'Untrust')).body.reason ?? '', /does not trust this account/);
  });

  it('customers.md §7.8, §7.14: a body without one complete answer is 400 with the field’s name, and is not counted', async () => {
    const customer = (await givenEuropean(platform)).id;
    const account = await givenAccount(customer);
    const { id: challengeId } = await started(account);
    const cases: [object, string[]][] = [
      [{}, ['code', 'passkeyAssertion']],
      [{ challengeId }, ['code', 'passkeyAssertion']],
      [{ challengeId, code: null, passkeyAssertion: null }, ['code', 'passkeyAssertion']],
      [
        { challengeId, code: SCA_CODE, passkeyAssertion: {}, origin: SCA_ORIGIN },
        ['code', 'passkeyAssertion'],
      ],
      [{ challengeId, passkeyAssertion: {} }, ['origin']],
      [{ passkeyAssertion: {} }, ['challengeId', 'origin']],
      [{ challengeId: 7, code: 123456 }, ['challengeId', 'code']],
      [{ code: SCA_CODE }, ['challengeId']],
    ];
    for (const [body, fields] of cases) {
      const reply = await platform.send('confirmBeneficiaryTrust', { ...params(account), body });
      assert.equal(reply.status, 400, reply.raw);
      assert.deepEqual(refusedFields(reply).sort(), fields, JSON.stringify(body));
    }
    assert.equal(await countFailures(customer), 0);
    assert.equal((await confirm(account, { challengeId, code: SCA_CODE })).status, 200);
  });

  it('customers.md §7.14: a wrong code, and a challenge of another account, change, customer or time, are 400 and count', async () => {
    const customer = (await givenEuropean(platform)).id;
    const [account, other, trusted] = [
      await givenAccount(customer),
      await givenAccount(customer),
      await givenAccount(customer),
    ];
    await changed(trusted);
    const strangers = await givenAccount((await givenEuropean(platform)).id);
    const { id: challengeId } = await started(account);
    const attempts: Confirmation[] = [
      { challengeId, code: '654321' },
      { challengeId: (await started(other)).id, code: SCA_CODE },
      { challengeId: (await started(trusted, 'Untrust')).id, code: SCA_CODE },
      { challengeId: (await started(strangers)).id, code: SCA_CODE },
    ];
    for (const [i, body] of attempts.entries()) {
      const reply = await confirm(account, body);
      assertRefused(reply, [400, 'INVALID_INPUT']);
      assert.deepEqual(refusedFields(reply), [i === 0 ? 'code' : 'challengeId']);
      assert.equal(await countFailures(customer), i + 1);
    }
    assert.equal(await isTrusted(account), false);
    // The right answer still works, but not a second time.
    assert.equal((await confirm(account, { challengeId, code: SCA_CODE })).status, 200);
    assert.equal(await countFailures(customer), 4);
    assertRefused(await confirm(account, { challengeId, code: SCA_CODE }, 'Untrust'), [400, 'INVALID_INPUT']);
    assert.equal(await countFailures(customer), 5);
  });

  it('customers.md §7.14: an unknown challenge, an expired one and one that a new start replaced are 400 and count', async () => {
    const customer = (await givenEuropean(platform)).id;
    const account = await givenAccount(customer);
    const first = (await started(account)).id;
    const second = (await started(account)).id;
    const wrong = [first, 'no id at all', `ScaChallenge:${newUuid()}`, uuidOf(account)];
    for (const challengeId of wrong)
      assertRefused(await confirm(account, { challengeId, code: SCA_CODE }), [400, 'INVALID_INPUT']);
    assert.equal(await countFailures(customer), 4);
    world.clock.advance(5 * MINUTE_MS);
    assertRefused(await confirm(account, { challengeId: second, code: SCA_CODE }), [400, 'INVALID_INPUT']);
    assert.equal(await countFailures(customer), 5);
    assert.equal(await isTrusted(account), false);
  });

  it('customers.md §7.14: a challenge is valid until its last moment', async () => {
    const account = await givenAccount((await givenEuropean(platform)).id);
    const { id: challengeId } = await started(account);
    world.clock.advance(5 * MINUTE_MS - 1);
    assert.equal((await confirm(account, { challengeId, code: SCA_CODE })).status, 200);
  });

  it('customers.md §7.1, §7.14: while the customer is locked, a confirmation is 423 without a check of the proof; a start works', async () => {
    const customer = (await givenEuropean(platform)).id;
    const account = await givenAccount(customer);
    const { id: challengeId } = await started(account);
    for (let i = 0; i < 5; i++) await confirm(account, { challengeId, code: '000000' });
    const locked = await confirm(account, { challengeId, code: SCA_CODE });
    assertRefused(locked, [423, 'ACCOUNT_LOCKED']);
    assert.deepEqual(locked.body.details, {
      suspended: false,
      lockedUntil: new Date(world.clock.now() + 15 * MINUTE_MS).toISOString(),
      failedAttempts: 5,
    });
    for (const body of [{}, { code: SCA_CODE }]) {
      const bad = await platform.send('confirmBeneficiaryTrust', { ...params(account), body });
      assert.equal(bad.status, 400, 'the body is checked before the lock');
    }
    assert.equal(await countFailures(customer), 5);
    await started(account);
    world.clock.advance(15 * MINUTE_MS);
    await changed(account);
  });

  it('platform.md §1.3.9: a wrong answer leaves an audit row with its reason, and never the code; a right one leaves its own row', async () => {
    const own = await world.platform();
    const customer = (await givenEuropean(own)).id;
    const account = await givenAccount(customer, own);
    const { id: challengeId } = await started(account, 'Trust', own);
    await confirm(account, { challengeId, code: '424242' }, 'Trust', own);
    await confirm(account, { challengeId: 'another', code: '424242' }, 'Trust', own);
    await changed(account, 'Trust', own);
    const rows = await world.database.query<{ action: string; resource: string; details: unknown }>(sql`
      select action, resource, details from audit_log
       where platform_id = ${own.id} and (action = 'proof failed' or action like '%BeneficiaryTrust') order by at, id`);
    const failed = (reason: string) => ({
      action: 'proof failed',
      resource: customer,
      details: { proof: 'SMS_OTP', reason },
    });
    assert.deepEqual(
      rows.map(({ action, resource, details }) => ({ action, resource, details })),
      [
        { action: 'startBeneficiaryTrust', resource: account, details: {} },
        failed('the code is wrong'),
        failed('the challenge is unknown, was answered or was replaced'),
        { action: 'startBeneficiaryTrust', resource: account, details: {} },
        { action: 'confirmBeneficiaryTrust', resource: account, details: {} },
      ],
    );
  });

  it('accounts.md §3.4: the account shows whether it is trusted, and no event is sent', async () => {
    const own = await world.platform();
    const account = await givenAccount((await givenEuropean(own)).id, own);
    const before = await readExternalAccount(own, account);
    assert.equal(before.trusted, false);
    for (const [change, trusted] of [
      ['Trust', true],
      ['Untrust', false],
    ] as const) {
      world.clock.advance(1_000);
      await changed(account, change, own);
      const updatedAt = new Date(world.clock.now()).toISOString();
      assert.deepEqual(await readExternalAccount(own, account), { ...before, trusted, updatedAt });
    }
    const unowned = await givenExternalAccount(own, 'EUR_ACCOUNT', { iban: nextIban() });
    assert.ok(!('trusted' in unowned), 'an account of the platform cannot be trusted');
    assert.deepEqual(await listAccountWebhooks(own, 'EXTERNAL_ACCOUNT.'), []);
  });

  it('accounts.md §3.4.3, customers.md §7.15: a trusted account cannot be deleted, not even after an untrust has started', async () => {
    const account = await givenAccount((await givenEuropean(platform)).id);
    await changed(account);
    assertRefused(await remove(account), [409, 'BENEFICIARY_TRUSTED']);
    const { id: challengeId } = await started(account, 'Untrust');
    assertRefused(await remove(account), [409, 'BENEFICIARY_TRUSTED']);
    assert.equal((await confirm(account, { challengeId, code: SCA_CODE }, 'Untrust')).status, 200);
    assert.equal((await remove(account)).status, 204);
  });

  it('accounts.md §3.4.4: an untrusted account can be deleted while trust is being confirmed, and its challenge is deleted with it', async () => {
    const customer = (await givenEuropean(platform)).id;
    const account = await givenAccount(customer);
    const { id: challengeId } = await started(account);
    assert.equal((await remove(account)).status, 204);
    assert.deepEqual(await challengesAbout(account), []);
    assertRefused(await confirm(account, { challengeId, code: SCA_CODE }), [404, 'ACCOUNT_NOT_FOUND']);
    assertRefused(await start(account), [404, 'ACCOUNT_NOT_FOUND']);
    assert.equal(await countFailures(customer), 0);
  });

  it('accounts.md §3.4: a customer is deleted with its accounts, trusted ones too, and nothing can be confirmed afterwards', async () => {
    const customer = (await givenEuropean(platform)).id;
    const [trusted, asked] = [await givenAccount(customer), await givenAccount(customer)];
    await changed(trusted);
    const { id: challengeId } = await started(asked);
    const gone = await platform.call('deleteCustomerById', { params: { customerId: customer } });
    assert.equal(gone.status, 200, gone.raw);
    assertRefused(await confirm(asked, { challengeId, code: SCA_CODE }), [404, 'ACCOUNT_NOT_FOUND']);
    assertRefused(await start(trusted, 'Untrust'), [404, 'ACCOUNT_NOT_FOUND']);
    assertRefused(await remove(trusted), [404, 'ACCOUNT_NOT_FOUND']);
  });

  it('customers.md §7.14: without a usable factor, a start is 400 with instructions', async () => {
    const { id } = await givenCustomer(platform, EUROPEAN);
    const reply = await start(await givenAccount(id));
    assertRefused(reply, [400, 'INVALID_INPUT']);
    assert.match(reply.body.reason ?? '', /phone number is not verified/);
  });

  describe('by a passkey', () => {
    /** A customer who is logged in with a passkey. */
    async function givenAuthenticated() {
      const customer = await givenEuropean(platform);
      const passkey = await givenPasskey(platform, customer);
      await givenScaSession(platform, customer, passkey);
      return { customer: customer.id, passkey, account: await givenAccount(customer.id) };
    }

    const answer = (
      passkey: ScaPasskey,
      { id, passkeyAssertionOptions }: ScaChallenge,
      changes: Changes = {},
    ) => ({
      challengeId: id,
      ...passkey.answer(passkeyAssertionOptions, changes),
    });

    it('customers.md §7.23, §7.2, §7.14: the challenge is for the session’s factor, on the platform’s origins', async () => {
      const { passkey, account } = await givenAuthenticated();
      const challenge = await started(account);
      assert.deepEqual(challenge, {
        id: challenge.id,
        expiresAt: new Date(world.clock.now() + 5 * MINUTE_MS).toISOString(),
        factor: 'PASSKEY',
        availableFactors: ['SMS_OTP', 'PASSKEY'],
        passkeyAllowedOrigins: [SCA_ORIGIN],
        passkeyAssertionOptions: {
          ...challenge.passkeyAssertionOptions,
          timeout: 5 * MINUTE_MS,
          rpId: 'localhost',
          allowCredentials: [{ type: 'public-key', id: passkey.credentialId }],
        },
      });
      const done = await confirm(account, answer(passkey, challenge));
      assert.deepEqual([done.status, done.body], [200, { trusted: true }], done.raw);
      // The passkey's counter has increased.
      const next = await started(account, 'Untrust');
      assertRefused(await confirm(account, answer(passkey, next, { counter: 1 }), 'Untrust'), [
        400,
        'INVALID_INPUT',
      ]);
      assert.equal((await confirm(account, answer(passkey, next), 'Untrust')).status, 200);
    });

    it('customers.md §7.2, §7.14: a wrong origin, challenge, presence or signature is 400 and counts', async () => {
      const { customer, passkey, account } = await givenAuthenticated();
      const challenge = await started(account);
      const other = await started(await givenAccount(customer));
      const right = answer(passkey, challenge);
      const wrong: Confirmation[] = [
        { ...answer(passkey, challenge, { clientData: { origin: OTHER_ORIGIN } }), origin: OTHER_ORIGIN },
        { ...right, origin: OTHER_ORIGIN },
        { ...answer(passkey, other), challengeId: challenge.id },
        answer(passkey, challenge, { flags: 0 }),
      ];
      for (const [i, body] of wrong.entries()) {
        const reply = await confirm(account, body);
        assertRefused(reply, [400, 'INVALID_INPUT']);
        assert.deepEqual(refusedFields(reply), ['passkeyAssertion']);
        assert.equal(await countFailures(customer), i + 1);
      }
      const { challengeId: _left, ...alone } = right;
      assert.deepEqual(refusedFields(await confirm(account, alone)), ['challengeId']);
      assert.equal(await countFailures(customer), 4);
      assert.equal((await confirm(account, answer(passkey, challenge))).status, 200);
    });

    it('customers.md §7.14: each challenge accepts only its own factor: no code instead of a passkey, and no passkey instead of a code', async () => {
      const { customer, passkey, account } = await givenAuthenticated();
      const byPasskey = await started(account);
      assertRefused(await confirm(account, { challengeId: byPasskey.id, code: SCA_CODE }), [
        400,
        'INVALID_INPUT',
      ]);
      await endSessions(customer);
      const byCode = await started(account);
      assert.equal(byCode.factor, 'SMS_OTP');
      const body = { ...answer(passkey, byPasskey), challengeId: byCode.id };
      assertRefused(await confirm(account, body), [400, 'INVALID_INPUT']);
      assert.equal(await countFailures(customer), 2);
      assert.equal(await isTrusted(account), false);
    });

    it('customers.md §7.14: if the session’s factor was removed, a code is sent; the session may end before the answer', async () => {
      const { customer, passkey, account } = await givenAuthenticated();
      const challenge = await started(account);
      await endSessions(customer);
      assert.equal((await confirm(account, answer(passkey, challenge))).status, 200);
      const other = await givenAuthenticated();
      const removed = await platform.call('deleteScaFactor', {
        query: { customerId: other.customer },
        params: { credentialId: other.passkey.credentialId },
      });
      assert.equal(removed.status, 204, removed.raw);
      assert.equal((await started(other.account)).factor, 'SMS_OTP');
    });
  });

  describe('by an authenticator app', () => {
    /** A customer who is logged in with an app. */
    async function givenAuthenticated() {
      const customer = await givenEuropean(platform);
      const totp = await givenTotp(platform, customer);
      await givenScaSession(platform, customer, 'TOTP');
      return { ...totp, customer: customer.id, account: await givenAccount(customer.id) };
    }

    it('customers.md §7.22, §7.14, accounts.md §3.4.1, §3.4.2: the start answers {}, and the code alone confirms', async () => {
      const { account } = await givenAuthenticated();
      for (const change of ['Trust', 'Untrust'] as const) {
        const { status, body } = await start(account, change);
        assert.deepEqual([status, body], [200, {}]);
        const done = await confirm(account, { code: SCA_CODE }, change);
        assert.deepEqual([done.status, done.body], [200, { trusted: change === 'Trust' }], done.raw);
      }
    });

    it('customers.md §7.14: a wrong code counts, and the app’s code answers no challenge', async () => {
      const { customer, account } = await givenAuthenticated();
      assertRefused(await confirm(account, { code: '000000' }), [400, 'INVALID_INPUT']);
      const challengeId = `ScaChallenge:${newUuid()}`;
      assertRefused(await confirm(account, { challengeId, code: SCA_CODE }), [400, 'INVALID_INPUT']);
      assert.equal(await countFailures(customer), 2);
      assert.equal(await isTrusted(account), false);
    });

    it('customers.md §7.5, §7.14: a recovery code works in place of the app’s, once', async () => {
      const { account, recoveryCodes } = await givenAuthenticated();
      const [code = ''] = recoveryCodes;
      assert.equal((await confirm(account, { code })).status, 200);
      assertRefused(await confirm(account, { code }, 'Untrust'), [400, 'INVALID_INPUT']);
    });

    it('customers.md §7.14: no session is needed, and a start for the app voids the previous challenge', async () => {
      const customer = await givenEuropean(platform);
      await givenTotp(platform, customer);
      const account = await givenAccount(customer.id);
      const { id: challengeId, availableFactors } = await started(account);
      assert.deepEqual(availableFactors, ['SMS_OTP', 'TOTP']);
      await givenScaSession(platform, customer, 'TOTP');
      assert.deepEqual((await start(account)).body, {});
      assertRefused(await confirm(account, { challengeId, code: SCA_CODE }), [400, 'INVALID_INPUT']);
      await endSessions(customer.id);
      assert.equal((await confirm(account, { code: SCA_CODE })).status, 200);
    });

    it('customers.md §7.5a, §7.14: in production, a code that was used to log in cannot confirm as well', async () => {
      const own = await world.platform({ environment: 'PRODUCTION' });
      const customer = await givenEuropean(own);
      const query = { customerId: customer.id };
      const enrolled = await own.call('startScaFactorEnrollment', { query, body: { type: 'TOTP' } });
      const { secret } = enrolled.body;
      const app = new TOTP({ secret: Secret.fromHex(secret) });
      const code = () => app.generate({ timestamp: world.clock.now() });
      await own.call('confirmScaFactorEnrollment', { query, body: { type: 'TOTP', secret, code: code() } });
      world.clock.advance(MINUTE_MS);
      const login = { factor: 'TOTP', endUserIpAddress: '203.0.113.7', code: code() } as const;
      assert.equal((await own.call('completeScaLogin', { query, body: login })).status, 200);
      const account = await givenAccount(customer.id, own);
      assertRefused(await confirm(account, { code: code() }, 'Trust', own), [400, 'INVALID_INPUT']);
      world.clock.advance(MINUTE_MS);
      assert.equal((await confirm(account, { code: code() }, 'Trust', own)).status, 200);
    });
  });

  describe('text messages', () => {
    const sca = { codePauseSeconds: 30, codesPerDay: 4 };

    it('customers.md §7.7a: starts that send one must be 30 s apart, counting login, trust and untrust together', async () => {
      const own = await world.platform({ settings: { sca } });
      const customer = await givenEuropean(own);
      const [account, other] = [await givenAccount(customer.id, own), await givenAccount(customer.id, own)];
      const { id: challengeId } = await started(account, 'Trust', own);
      const soon = await start(other, 'Trust', own);
      assertRefused(soon, [429, 'RATE_LIMITED']);
      assert.equal(soon.headers['retry-after'], '30');
      const query = { customerId: customer.id };
      const login = () => own.call('startScaLogin', { query, body: { factor: 'SMS_OTP' } });
      assertRefused(await login(), [429, 'RATE_LIMITED']);
      // The code that was sent before is still valid.
      assert.equal((await confirm(account, { challengeId, code: SCA_CODE }, 'Trust', own)).status, 200);
      assertRefused(await start(account, 'Untrust', own), [429, 'RATE_LIMITED']);
      world.clock.advance(30_000);
      await started(account, 'Untrust', own);
      world.clock.advance(29_999);
      assert.equal((await login()).headers['retry-after'], '1');
      world.clock.advance(1);
      assert.equal((await login()).status, 200);
    });

    it('customers.md §7.7a: the number per day is limited, and a passkey’s challenge does not count', async () => {
      const own = await world.platform({ settings: { sca } });
      const customer = await givenEuropean(own);
      const account = await givenAccount(customer.id, own);
      const passkey = await givenPasskey(own, customer);
      for (let i = 0; i < 4; i++) {
        await started(account, 'Trust', own);
        world.clock.advance(MINUTE_MS);
      }
      const full = await start(account, 'Trust', own);
      assertRefused(full, [429, 'RATE_LIMITED']);
      assert.equal(full.headers['retry-after'], String(24 * 3_600 - 4 * 60));
      await givenScaSession(own, customer, passkey);
      for (let i = 0; i < 3; i++) assert.equal((await started(account, 'Trust', own)).factor, 'PASSKEY');
    });
  });

  describe('at once', () => {
    it('customers.md §7.14: if two processes confirm at once, one changes the trust, and the other is 409', async () => {
      const elsewhere = await world.elsewhere(platform);
      for (let round = 0; round < 5; round++) {
        const customer = (await givenEuropean(platform)).id;
        const account = await givenAccount(customer);
        const { id: challengeId } = await started(account);
        const body = { challengeId, code: SCA_CODE };
        const replies = await Promise.all([
          confirm(account, body),
          confirm(account, body, 'Trust', elsewhere),
        ]);
        assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
        assert.equal(await isTrusted(account), true);
        assert.equal(await countFailures(customer), 0);
      }
    });

    it('accounts.md §3.4.3, §3.4.4: if a confirmation of trust and a deletion race, one of them succeeds', async () => {
      const elsewhere = await world.elsewhere(platform);
      for (let round = 0; round < 10; round++) {
        const account = await givenAccount((await givenEuropean(platform)).id);
        const { id: challengeId } = await started(account);
        const [confirmed, removed] = await Promise.all([
          confirm(account, { challengeId, code: SCA_CODE }),
          remove(account, elsewhere),
        ]);
        const seen = `${confirmed.status} ${removed.status}`;
        assert.ok(['200 409', '404 204'].includes(seen), seen);
        assert.equal(await isTrusted(account), confirmed.status === 200);
      }
    });

    it('accounts.md §3.4: a confirmation and the deletion of its customer leave no trusted account behind', async () => {
      const elsewhere = await world.elsewhere(platform);
      for (let round = 0; round < 5; round++) {
        const customerId = (await givenEuropean(platform)).id;
        const account = await givenAccount(customerId);
        const { id: challengeId } = await started(account);
        const [confirmed, gone] = await Promise.all([
          confirm(account, { challengeId, code: SCA_CODE }),
          elsewhere.call('deleteCustomerById', { params: { customerId } }),
        ]);
        assert.equal(gone.status, 200, gone.raw);
        assert.ok([200, 404].includes(confirmed.status), confirmed.raw);
        assertRefused(await start(account, 'Untrust'), [404, 'ACCOUNT_NOT_FOUND']);
      }
    });

    it('customers.md §7.14: starts can race with confirmations, deletions and each other, and the last start counts', async () => {
      const elsewhere = await world.elsewhere(platform);
      for (let round = 0; round < 5; round++) {
        const customerId = (await givenEuropean(platform)).id;
        const [account, other] = [await givenAccount(customerId), await givenAccount(customerId)];
        const { id: challengeId } = await started(account);
        await started(other);
        const replies = await Promise.all([
          start(account),
          start(account, 'Trust', elsewhere),
          confirm(account, { challengeId, code: '000000' }, 'Trust', elsewhere),
          start(other),
          remove(other, elsewhere),
        ]);
        const statuses = replies.map(({ status }) => status);
        assert.deepEqual(statuses.toSpliced(3, 1), [200, 200, 400, 204], String(statuses));
        assert.ok([200, 404].includes(statuses[3] ?? 0), String(statuses));
        await changed(account);
        const [gone, late] = await Promise.all([
          platform.call('deleteCustomerById', { params: { customerId } }),
          start(account, 'Untrust', elsewhere),
        ]);
        assert.equal(gone.status, 200, gone.raw);
        assert.ok([200, 404].includes(late.status), late.raw);
      }
    });

    it('customers.md §7.31, §7.14: exactly five of many concurrent wrong answers are checked, and the customer is locked once', async () => {
      const elsewhere = await world.elsewhere(platform);
      const customer = (await givenEuropean(platform)).id;
      const account = await givenAccount(customer);
      const { id: challengeId } = await started(account);
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          confirm(account, { challengeId, code: '000000' }, 'Trust', i % 2 === 0 ? platform : elsewhere),
        ),
      );
      const statuses = replies.map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 400).length, 5);
      assert.equal(statuses.filter((status) => status === 423).length, 15);
      assert.equal(await countFailures(customer), 5);
    });
  });

  it('platform.md §2.3: a confirmation with the same key gets the same reply, even after an untrust', async () => {
    const account = await givenAccount((await givenEuropean(platform)).id);
    const { id: challengeId } = await started(account);
    const call = { ...params(account), body: { challengeId, code: SCA_CODE }, key: 'trust-1' };
    assert.equal((await platform.call('confirmBeneficiaryTrust', call)).status, 200);
    await changed(account, 'Untrust');
    const again = await platform.call('confirmBeneficiaryTrust', call);
    assert.deepEqual([again.status, again.body], [200, { trusted: true }]);
    assert.equal(await isTrusted(account), false);
  });
});

let ibans = 0;

/** A German IBAN that no other test uses. */
function nextIban(): string {
  ibans += 1;
  const account = `37040044${String(ibans * 7 + 100).padStart(7, '0')}111`;
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${account}`;
}
