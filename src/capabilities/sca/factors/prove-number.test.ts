// lane: whole — one of the longest of the short tests

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { EUROPEAN, fieldsOf, givenCustomer, PERSON } from '#tests/given/customers.ts';
import { advance, execute, givenPlatform, readTransaction } from '#tests/given/payments.ts';
import { askQuote, quoted } from '#tests/given/quotes.ts';
import {
  givenEuropean,
  givenPasskey,
  givenScaSession,
  givenTotp,
  SCA_CODE,
  startedLogin,
} from '#tests/given/sca.ts';
import { authorize, fetchFunds, givenScaPayer, givenTrusted, givenWaiting } from '#tests/given/waiting.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const OLD_NUMBER = '+4915112345678';
const NEW_NUMBER = '+4915187654321';
const SAYS_WHY = /text message proves nothing until .* proved it with another factor .*POST \/sca\/factors/;

/** A platform's actions on the phone number of one of its customers. */
function phoneCalls(platform: TestPlatform, { id: customerId }: { id: string }) {
  const query = { customerId };
  return {
    query,
    change: (phoneNumber: string) =>
      platform.send('updateCustomerById', {
        params: query,
        body: { customerType: 'INDIVIDUAL', phoneNumber },
      }),
    async verify() {
      await platform.call('sendCustomerPhoneVerification', { params: query });
      const body = { code: SCA_CODE };
      const reply = await platform.call('confirmCustomerPhoneVerification', { params: query, body });
      assert.deepEqual([reply.status, reply.body.contactVerification?.phone], [200, 'VERIFIED'], reply.raw);
    },
    factors: async () =>
      (await platform.call('listScaFactors', { query })).body.factors.map(({ factor }) => factor),
    startLogin: (factor: string) => platform.send('startScaLogin', { query, body: { factor } }),
    start: (type: string) => platform.send('startScaFactorEnrollment', { query, body: { type } }),
    confirm: (body: object) =>
      platform.send('confirmScaFactorEnrollment', { query, body: { type: 'SMS_OTP', ...body } }),
  };
}

describe('a phone number that replaces a factor', () => {
  const world = testWorld();
  let platform: TestPlatform;

  before(async () => {
    platform = await givenPlatform(world);
  });

  async function scene() {
    const payer = await givenScaPayer(platform);
    return { payer, ...phoneCalls(platform, payer) };
  }

  async function countFailures({ id }: { id: string }): Promise<number> {
    const rows = await world.database.query<{ failed_attempts: number }>(sql`
      select failed_attempts from sca_standings
       where platform_id = ${platform.id} and customer_id = ${uuidOf(id)}`);
    return rows[0]?.failed_attempts ?? 0;
  }

  it('customers.md §7.3a, §2.3.23, §7.21: a changed and verified number neither logs in nor authorizes, and the refusals say why', async () => {
    const { payer, change, verify, factors, startLogin, query } = await scene();
    const open = await startedLogin(platform, payer);
    assert.equal((await change(NEW_NUMBER)).status, 200);
    await verify();
    assert.deepEqual(await factors(), []);
    const login = await startLogin('SMS_OTP');
    assert.deepEqual([login.status, fieldsOf(login.body)], [400, ['factor']]);
    assert.match(String(login.body.reason), SAYS_WHY);
    const completed = await platform.call('completeScaLogin', { query, body: open });
    assert.equal(completed.status, 400);
    assert.match(completed.raw, SAYS_WHY);
    assert.equal(await countFailures(payer), 0, 'nothing was guessed');
    const wish = { from: payer.usd, to: payer.bank, more: { immediatelyExecute: true } };
    const paid = await askQuote(platform, wish);
    assert.deepEqual([paid.status, fieldsOf(paid.body as object)], [400, ['scaFactor']]);
    assert.match(paid.raw, SAYS_WHY);
    const trust = await platform.send('startBeneficiaryTrust', {
      params: { externalAccountId: payer.bank },
    });
    assert.equal(trust.status, 400);
    assert.match(trust.raw, SAYS_WHY);
  });

  it('customers.md §7.3a, §7.10d: the change ends all sessions and fails all waiting payments, whichever factor they wait for', async () => {
    const { payer, change } = await scene();
    await givenPasskey(platform, payer);
    await givenTrusted(platform, payer.bank);
    const to = await givenScaPayer(platform, 0, false);
    const before = await fetchFunds(platform, payer);
    const wish = { to: to.account('USD').id };
    const bySms = await givenWaiting(platform, payer, wish);
    const byPasskey = await givenWaiting(platform, payer, { ...wish, more: { scaFactor: 'PASSKEY' } });
    const trusted = await quoted(platform, { from: payer.usd, to: payer.bank });
    await change(NEW_NUMBER);
    for (const { transactionId } of [bySms, byPasskey]) {
      const { status, failureReason } = await readTransaction(platform, transactionId);
      assert.deepEqual([status, failureReason], ['FAILED', 'SCA_NOT_COMPLETED']);
    }
    assert.deepEqual(await fetchFunds(platform, payer), before, 'the holds are released in the same commit');
    const reply = await execute(platform, trusted.id);
    assert.deepEqual([reply.status, (reply.body as { code?: string }).code], [409, 'SCA_SESSION_REQUIRED']);
  });

  it('customers.md §7.3a: only a code of the app in a live session makes it a factor', async () => {
    const { payer, change, verify, factors, start, confirm } = await scene();
    await givenTotp(platform, payer);
    await change(NEW_NUMBER);
    const unverified = await start('SMS_OTP');
    assert.deepEqual([unverified.status, fieldsOf(unverified.body)], [400, ['type']]);
    await verify();
    for (const call of [start('SMS_OTP'), confirm({ challengeId: 'ScaChallenge:x', code: SCA_CODE })]) {
      const { status, body } = await call;
      assert.deepEqual([status, body.code], [409, 'SCA_SESSION_REQUIRED']);
    }
    await givenScaSession(platform, payer, 'TOTP');
    assert.deepEqual(await factors(), ['TOTP'], 'a number verified in a live session is not proved');
    const { body } = await start('SMS_OTP');
    const challenge = body.scaChallenge as { id: string; factor: string; availableFactors: string[] };
    assert.deepEqual([challenge.factor, challenge.availableFactors], ['TOTP', ['TOTP']]);
    for (const [sent, field] of [
      [{ challengeId: challenge.id, code: '654321' }, 'code'],
      [{ challengeId: 'ScaChallenge:019542f5-b3e7-7d02-8000-0000000000ff', code: SCA_CODE }, 'challengeId'],
    ] as const) {
      const wrong = await confirm(sent);
      assert.deepEqual([wrong.status, fieldsOf(wrong.body)], [400, [field]]);
    }
    assert.equal(await countFailures(payer), 2, 'a wrong proof counts');
    const right = await confirm({ challengeId: challenge.id, code: SCA_CODE });
    assert.deepEqual(right.body, { type: 'SMS_OTP', factor: { factor: 'SMS_OTP' } });
    assert.deepEqual(await factors(), ['SMS_OTP', 'TOTP']);
    await givenScaSession(platform, payer);
    const again = await confirm({ challengeId: challenge.id, code: SCA_CODE });
    assert.deepEqual([again.status, fieldsOf(again.body)], [400, ['challengeId']], 'it counts once');
    const enrolled = await start('SMS_OTP');
    assert.deepEqual([enrolled.status, fieldsOf(enrolled.body)], [400, ['type']], 'customers.md §7.4');
  });

  it('customers.md §7.3a: a passkey also makes it a factor', async () => {
    const { payer, change, verify, factors, start, confirm } = await scene();
    const passkey = await givenPasskey(platform, payer);
    await change(NEW_NUMBER);
    await verify();
    await givenScaSession(platform, payer, passkey);
    const { body } = await start('SMS_OTP');
    const { id, passkeyAssertionOptions } = body.scaChallenge as Record<string, unknown>;
    const code = await confirm({ challengeId: id, code: SCA_CODE });
    assert.deepEqual([code.status, fieldsOf(code.body)], [400, ['code']]);
    const reply = await confirm({ challengeId: id, ...passkey.answer(passkeyAssertionOptions) });
    assert.equal(reply.status, 200, reply.raw);
    assert.deepEqual(await factors(), ['SMS_OTP', 'PASSKEY']);
  });

  it('customers.md §7.3a, §7.16: a reset with a liveness check makes it a factor without another one', async () => {
    const { payer, query, change, verify, factors } = await scene();
    await change(NEW_NUMBER);
    await verify();
    const { body } = await platform.call('startTwoFactorReset', { query, body: { factor: 'SMS_OTP' } });
    await advance(platform, 2);
    const params = { resetId: body.resetId };
    const mobile = { countryCode: '+49', number: NEW_NUMBER.slice(3) };
    const done = await platform.call('completeTwoFactorReset', { query, params, body: { mobile } });
    assert.equal(done.status, 204, done.raw);
    assert.deepEqual(await factors(), ['SMS_OTP']);
    await givenScaSession(platform, payer);
  });

  it('customers.md §7.3a: changing back does not restore the old factor', async () => {
    const { change, verify, factors, startLogin } = await scene();
    await change(NEW_NUMBER);
    await change(OLD_NUMBER);
    await verify();
    assert.deepEqual(await factors(), []);
    assert.equal((await startLogin('SMS_OTP')).status, 400);
  });

  it('customers.md §7.3a: a change between start and proof voids the proof, even if the number is verified again', async () => {
    const { payer, change, verify, factors, start, confirm } = await scene();
    await givenTotp(platform, payer);
    await change(NEW_NUMBER);
    await verify();
    await givenScaSession(platform, payer, 'TOTP');
    const { body } = await start('SMS_OTP');
    const { id: challengeId } = body.scaChallenge as { id: string };
    await change('+4915100000001');
    await verify();
    const loggedOut = await confirm({ challengeId, code: SCA_CODE });
    assert.deepEqual([loggedOut.status, loggedOut.body.code], [409, 'SCA_SESSION_REQUIRED']);
    await givenScaSession(platform, payer, 'TOTP');
    const late = await confirm({ challengeId, code: SCA_CODE });
    assert.deepEqual([late.status, fieldsOf(late.body)], [400, ['challengeId']]);
    assert.deepEqual(await factors(), ['TOTP']);
  });

  it('customers.md §7.6a: this also applies without a login, and no other factor can be enrolled instead', async () => {
    const customer = await givenEuropean(platform);
    const { change, verify, factors, start } = phoneCalls(platform, customer);
    await change(NEW_NUMBER);
    await verify();
    assert.deepEqual(await factors(), []);
    for (const type of ['SMS_OTP', 'TOTP', 'PASSKEY']) {
      const { status, body } = await start(type);
      assert.deepEqual([status, body.code], [409, 'SCA_SESSION_REQUIRED'], type);
    }
  });

  it('customers.md §7.3a: an unverified number may change, and then becomes the first factor by itself', async () => {
    const customer = await givenCustomer(platform, EUROPEAN);
    const { change, verify, factors } = phoneCalls(platform, customer);
    await change(NEW_NUMBER);
    await verify();
    assert.deepEqual(await factors(), ['SMS_OTP']);
    await givenScaSession(platform, customer);
  });

  it('customers.md §7.3a: after a login by another factor, a number that is verified for the first time also needs the proof', async () => {
    const customer = await givenCustomer(platform, EUROPEAN);
    const { change, verify, factors, start, confirm } = phoneCalls(platform, customer);
    await givenTotp(platform, customer);
    await givenScaSession(platform, customer, 'TOTP');
    await change(NEW_NUMBER);
    await verify();
    assert.deepEqual(await factors(), ['TOTP']);
    await givenScaSession(platform, customer, 'TOTP');
    const { body } = await start('SMS_OTP');
    const { id: challengeId } = body.scaChallenge as { id: string };
    assert.equal((await confirm({ challengeId, code: SCA_CODE })).status, 200);
    assert.deepEqual(await factors(), ['SMS_OTP', 'TOTP']);
  });

  it('customers.md §7.3a: without another factor the number cannot be proved, and the refusal names the reset', async () => {
    const { payer, query, change, verify, start } = await scene();
    const { credentialId, ...passkey } = await givenPasskey(platform, payer);
    await change(NEW_NUMBER);
    await verify();
    await givenScaSession(platform, payer, { credentialId, ...passkey });
    await platform.call('deleteScaFactor', { query, params: { credentialId } });
    const reply = await start('SMS_OTP');
    assert.deepEqual([reply.status, reply.body.code], [409, 'CONFLICT']);
    assert.match(reply.raw, /POST \/sca\/factors\/reset/);
  });

  it('customers.md §7.3a: a concurrent change and proof in two processes are serialized and complete', async () => {
    const there = await world.elsewhere(platform);
    for (let round = 0; round < 6; round++) {
      const { payer, factors, query } = await scene();
      const quote = await givenWaiting(platform, payer);
      const login = await startedLogin(platform, payer);
      const [changed, paid, loggedIn] = await Promise.all([
        phoneCalls(there, payer).change(NEW_NUMBER),
        authorize(platform, quote.id),
        platform.call('completeScaLogin', { query, body: login }),
      ]);
      assert.equal(changed.status, 200, changed.raw);
      const { status } = await readTransaction(platform, quote.transactionId);
      assert.equal(paid.status === 200, status !== 'FAILED', paid.raw);
      assert.ok([200, 400].includes(loggedIn.status), loggedIn.raw);
      const live = await world.database.query(sql`
        select 1 from sca_sessions
         where platform_id = ${platform.id} and customer_id = ${uuidOf(payer.id)} and revoked_at is null`);
      assert.deepEqual(live, [], 'the change ended a login that came first');
      assert.deepEqual(await factors(), []);
    }
  });

  it('customers.md §7.3a, §7.16: a concurrent change and completed reset both end, and the last number is kept', async () => {
    const there = await world.elsewhere(platform);
    for (let round = 0; round < 4; round++) {
      const { payer, factors, query } = await scene();
      const { body } = await platform.call('startTwoFactorReset', { query, body: { factor: 'SMS_OTP' } });
      await advance(platform, 2);
      const params = { resetId: body.resetId };
      const mobile = { countryCode: '+49', number: '15100000002' };
      const [changed, reset] = await Promise.all([
        phoneCalls(there, payer).change(NEW_NUMBER),
        platform.call('completeTwoFactorReset', { query, params, body: { mobile } }),
      ]);
      assert.deepEqual([changed.status, reset.status], [200, 204], `${changed.raw} ${reset.raw}`);
      const customer = await platform.call('getCustomerById', { params: query });
      const isReset = customer.body.phoneNumber === '+4915100000002';
      assert.deepEqual(await factors(), isReset ? ['SMS_OTP'] : []);
    }
  });

  it('customers.md §7.3a: customers outside the regions are not affected', async () => {
    const customer = await givenCustomer(platform, { ...PERSON, phoneNumber: '+12025550143' });
    assert.equal((await phoneCalls(platform, customer).change('+12025550144')).status, 200);
    const rows = await world.database.query(sql`
      select 1 from sca_standings where platform_id = ${platform.id} and customer_id = ${uuidOf(customer.id)}`);
    assert.deepEqual(rows, []);
  });
});
