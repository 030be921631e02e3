// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setCustomerStatus } from '#capabilities/customers/lifecycle/set-customer-status.ts';
import { sql } from '#foundation/database/sql.ts';
import { fieldsOf } from '#tests/given/customers.ts';
import {
  advance,
  execute,
  fetchBalance,
  givenFunds,
  givenOutside,
  givenPayer,
  givenPlatform,
  listEventTypes,
  postedKinds,
  readTransaction,
} from '#tests/given/payments.ts';
import { askQuote, freeze, lookedUp, quoted } from '#tests/given/quotes.ts';
import { givenEuropean, givenPasskey, givenScaSession, givenTotp, SCA_CODE } from '#tests/given/sca.ts';
import {
  authorize,
  fetchFunds,
  givenScaPayer,
  givenTrusted,
  givenWaiting,
  type ScaPayer,
} from '#tests/given/waiting.ts';
import { auditLines } from '#tests/harness/audit-lines.ts';
import { type Answered, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const codeOf = ({ status, body }: Answered<unknown>) => [status, (body as { code?: string }).code];

describe('payments of customers under strong authentication', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let payer: ScaPayer;

  before(async () => {
    platform = await givenPlatform(world);
    payer = await givenScaPayer(platform);
  });

  const readQuote = async (quoteId: string) =>
    (await platform.call('getQuoteById', { params: { quoteId } })).body;
  const messages = async () =>
    (await platform.call('listSandboxMessages', { query: { limit: 100 } })).body.data;

  async function assertFailed(quote: { id: string; transactionId: string }, reason: string): Promise<void> {
    assert.equal((await readQuote(quote.id)).status, 'FAILED');
    const transaction = await readTransaction(platform, quote.transactionId);
    assert.deepEqual([transaction.status, transaction.failureReason], ['FAILED', reason]);
    assert.equal(transaction.refund, undefined);
  }

  it('customers.md §7.42, §7.50, money.md §3.5, §11.L3a: an execution to an untrusted account waits, with S on hold; accounts.md §2.3.21: only the available balance falls', async () => {
    const [balance, total] = await fetchFunds(platform, payer);
    const quote = await givenWaiting(platform, payer, { send: 25_000 });
    const { scaChallenge, transactionId } = quote;
    assert.match(scaChallenge?.id ?? '', /^ScaChallenge:/);
    assert.deepEqual([scaChallenge?.factor, scaChallenge?.purpose], ['SMS_OTP', 'PAYOUT']);
    assert.deepEqual(scaChallenge?.availableFactors, ['SMS_OTP']);
    assert.equal(scaChallenge?.expiresAt, new Date(world.clock.now() + 300_000).toISOString());
    assert.deepEqual(await fetchFunds(platform, payer), [balance - 25_000, total]);
    assert.deepEqual(await postedKinds(platform, transactionId), ['L3a']);
    assert.deepEqual(await listEventTypes(platform, transactionId), ['PENDING', 'PENDING_AUTHORIZATION']);
    assert.deepEqual(await readQuote(quote.id), quote);
    const shown = await readTransaction(platform, transactionId);
    assert.equal(shown.status, 'PENDING_AUTHORIZATION');
    assert.ok(!('scaChallenge' in shown), 'customers.md §7.10: the challenge is only on the quote');
    assert.deepEqual(codeOf(await execute(platform, quote.id)), [409, 'CONFLICT'], 'customers.md §7.50');
    const authorized = await authorize(platform, quote.id);
    assert.equal(authorized.status, 200, authorized.raw);
    const { scaChallenge: _, ...rest } = quote;
    assert.deepEqual(authorized.body, { ...rest, status: 'PROCESSING' }, 'customers.md §7.46');
    assert.deepEqual(await fetchFunds(platform, payer), [balance - 25_000, total - 25_000]);
    assert.deepEqual(await postedKinds(platform, transactionId), ['L3a', 'L3b', 'L6']);
    await advance(platform, 1);
    assert.deepEqual(await listEventTypes(platform, transactionId), [
      'PENDING',
      'PENDING_AUTHORIZATION',
      'PROCESSING',
      'COMPLETED',
    ]);
    assert.deepEqual(await postedKinds(platform, transactionId), ['L3a', 'L3b', 'L6', 'L7']);
  });

  it('customers.md §7.42: if it is executed with the quote, the reply is 201 and it waits; customers.md §7.10: within one currency the purpose is TRANSFER', async () => {
    const to = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    const quote = await quoted(platform, { from: payer.usd, to, more: { immediatelyExecute: true } });
    assert.equal(quote.status, 'PENDING_AUTHORIZATION');
    assert.equal(quote.scaChallenge?.purpose, 'TRANSFER');
    assert.deepEqual(await listEventTypes(platform, quote.transactionId), [
      'PENDING',
      'PENDING_AUTHORIZATION',
    ]);
    assert.equal((await authorize(platform, quote.id)).body.status, 'PROCESSING');
    const over = await askQuote(platform, {
      from: payer.usd,
      to,
      send: 9_000_000,
      more: { immediatelyExecute: true },
    });
    assert.deepEqual(codeOf(over), [400, 'INSUFFICIENT_FUNDS']);
  });

  it('customers.md §7.10: the message names the amount and the payee, and is in the inbox', async () => {
    await givenWaiting(platform, payer, { send: 12_345 });
    await world.app.worker.settle(platform.id);
    const [latest] = await messages();
    assert.match(
      latest?.text ?? '',
      /^Your code to pay 123\.45 USD to the account ending in \d{4} is 123456\./,
    );
    assert.equal(latest?.recipient, '+4915112345678');
  });

  it('customers.md §7.49, money.md §11.L3c, §3.1: after its challenge it reads FAILED everywhere, and the timer releases the hold', async () => {
    const own = await givenPlatform(world);
    const customer = await givenScaPayer(own);
    const before = await fetchFunds(own, customer);
    const quote = await givenWaiting(own, customer);
    const list = async (status: string) =>
      (await own.call('listTransactions', { query: { status } })).body.data.map(({ id }) => id);
    assert.deepEqual(await list('PENDING_AUTHORIZATION'), [quote.transactionId]);
    world.clock.advance(300_000);
    const read = await own.call('getQuoteById', { params: { quoteId: quote.id } });
    assert.deepEqual([read.body.status, read.body.scaChallenge], ['FAILED', undefined]);
    const seen = await readTransaction(own, quote.transactionId);
    assert.deepEqual([seen.status, seen.failureReason], ['FAILED', 'SCA_NOT_COMPLETED']);
    assert.deepEqual(
      [await list('PENDING_AUTHORIZATION'), await list('FAILED')],
      [[], [quote.transactionId]],
    );
    assert.deepEqual(await postedKinds(own, quote.transactionId), ['L3a']);
    await world.app.worker.settle(own.id);
    assert.deepEqual(await fetchFunds(own, customer), before);
    assert.deepEqual(await postedKinds(own, quote.transactionId), ['L3a', 'L3c']);
    assert.deepEqual(await listEventTypes(own, quote.transactionId), [
      'PENDING',
      'PENDING_AUTHORIZATION',
      'FAILED',
    ]);
    const late = await authorize(own, quote.id);
    assert.deepEqual(
      codeOf(late),
      [400, 'QUOTE_EXPIRED'],
      'customers.md §7.11: after the timer has run as well',
    );
    assert.deepEqual(await list('FAILED'), [quote.transactionId]);
  });

  it('customers.md §7.11: a late answer is QUOTE_EXPIRED and fails the quote before the timer does', async () => {
    const quote = await givenWaiting(platform, payer);
    world.clock.advance(300_000);
    assert.deepEqual(codeOf(await authorize(platform, quote.id)), [400, 'QUOTE_EXPIRED']);
    await assertFailed(quote, 'SCA_NOT_COMPLETED');
    assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L3a', 'L3c']);
    await advance(platform, 60);
    assert.deepEqual(await listEventTypes(platform, quote.transactionId), [
      'PENDING',
      'PENDING_AUTHORIZATION',
      'FAILED',
    ]);
  });

  it('money.md §3.5: after execution the challenge’s deadline applies and not expiresAt, and the rate holds', async () => {
    const quote = await quoted(platform, { from: payer.usd, to: payer.bank });
    world.clock.advance(299_000);
    const waiting = await execute(platform, quote.id);
    assert.equal(waiting.body.status, 'PENDING_AUTHORIZATION');
    await advance(platform, 200);
    assert.equal((await readQuote(quote.id)).status, 'PENDING_AUTHORIZATION');
    const done = await authorize(platform, quote.id);
    assert.deepEqual([done.status, done.body.totalReceivingAmount], [200, quote.totalReceivingAmount]);
  });

  it('customers.md §7.43, §7.44, §7.15, money.md §3.5a: for a trusted account a session is enough; without one the reply is 409', async () => {
    const customer = await givenScaPayer(platform, 100_000, false);
    await givenTrusted(platform, customer.bank);
    const quote = await quoted(platform, { from: customer.usd, to: customer.bank });
    const refused = await execute(platform, quote.id);
    assert.deepEqual(codeOf(refused), [409, 'SCA_SESSION_REQUIRED']);
    assert.equal((await readQuote(quote.id)).status, 'PENDING');
    const wish = { from: customer.usd, to: customer.bank, more: { immediatelyExecute: true } };
    const realtime = { from: { realtime: 'USD', customerId: customer.id }, to: customer.bank };
    for (const each of [wish, realtime]) {
      assert.deepEqual(codeOf(await askQuote(platform, each)), [409, 'SCA_SESSION_REQUIRED']);
    }
    await givenScaSession(platform, customer);
    assert.equal((await execute(platform, quote.id)).body.status, 'PROCESSING');
    assert.equal((await quoted(platform, wish)).status, 'PROCESSING');
    const funded = await quoted(platform, realtime);
    assert.equal(funded.status, 'PENDING');
    assert.ok(funded.paymentInstructions?.length);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L2', 'L6']);
  });

  it('customers.md §7.10a: the customer’s own accounts count as trusted, those of others and UMA addresses never do', async () => {
    const other = await givenPayer(platform, 0);
    const own = await quoted(platform, { from: payer.usd, to: payer.account('EUR').id });
    assert.equal((await execute(platform, own.id)).body.status, 'PROCESSING');
    const { body } = await platform.call('getCustomerById', { params: { customerId: other.id } });
    const uma = await quoted(platform, {
      from: payer.usd,
      to: body.umaAddress,
      more: { lookupId: await lookedUp(platform, body.umaAddress) },
    });
    const others = await quoted(platform, { from: payer.usd, to: other.account('EUR').id });
    const unowned = await quoted(platform, { from: payer.usd, to: await givenOutside(platform, undefined) });
    for (const { id } of [uma, others, unowned]) {
      assert.equal((await execute(platform, id)).body.status, 'PENDING_AUTHORIZATION');
      assert.equal((await authorize(platform, id)).body.status, 'PROCESSING');
    }
  });

  it('customers.md §7.10a: incoming money needs no challenge: a pull within one currency, a transfer in', async () => {
    const bank = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    const pull = await quoted(platform, { from: bank, to: payer.usd });
    assert.equal((await execute(platform, pull.id)).body.status, 'PROCESSING');
    const transfer = await platform.call('createTransferIn', {
      body: { source: { accountId: bank }, destination: { accountId: payer.usd }, amount: 100 },
    });
    assert.equal(transfer.status, 201, transfer.raw);
  });

  it('customers.md §7.10b, §7.46: a pull waits without a hold', async () => {
    const bank = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    const quote = await givenWaiting(platform, payer, { from: bank, to: payer.bank });
    assert.deepEqual(await postedKinds(platform, quote.transactionId), []);
    assert.equal((await authorize(platform, quote.id)).body.status, 'PROCESSING');
    await advance(platform, 10);
    assert.deepEqual(await listEventTypes(platform, quote.transactionId), [
      'PENDING',
      'PENDING_AUTHORIZATION',
      'PROCESSING',
      'COMPLETED',
    ]);
    const late = await givenWaiting(platform, payer, { from: bank, to: payer.bank });
    await advance(platform, 301);
    await assertFailed(late, 'SCA_NOT_COMPLETED');
    assert.deepEqual(await postedKinds(platform, late.transactionId), []);
  });

  describe('funded in real time', () => {
    const wish = () => ({ from: { realtime: 'USD', customerId: payer.id }, to: payer.bank });

    it('customers.md §7.41, §7.45, §7.48, §7.10: across currencies there are two challenges; 202 without instructions, then instructions for five minutes', async () => {
      const made = await askQuote(platform, wish());
      assert.equal(made.status, 202, made.raw);
      const quote = made.body;
      assert.deepEqual([quote.status, quote.paymentInstructions], ['PENDING_AUTHORIZATION', undefined]);
      assert.equal(quote.scaChallenge?.purpose, 'CURRENCY_CONVERSION');
      assert.ok(!('paymentInstructions' in (await readTransaction(platform, quote.transactionId))));
      world.clock.advance(60_000);
      const first = await authorize(platform, quote.id);
      assert.deepEqual([first.status, first.body.status], [200, 'PENDING_AUTHORIZATION']);
      assert.notEqual(first.body.scaChallenge?.id, quote.scaChallenge?.id);
      assert.equal(first.body.scaChallenge?.purpose, 'PAYOUT');
      assert.equal(
        first.body.scaChallenge?.expiresAt,
        quote.expiresAt,
        'the challenge ends no later than the quote',
      );
      world.clock.advance(200_000);
      const second = await authorize(platform, quote.id);
      assert.deepEqual([second.status, second.body.status], [200, 'PENDING']);
      const fresh = await quoted(platform, { from: payer.usd, to: payer.bank });
      assert.equal(second.body.expiresAt, fresh.expiresAt, 'as long as a new quote');
      assert.equal(second.body.totalReceivingAmount, quote.totalReceivingAmount);
      assert.ok(second.body.paymentInstructions?.length);
      assert.equal(second.body.scaChallenge, undefined);
      await advance(platform, 250);
      const funded = await platform.call('sandboxSend', {
        body: { quoteId: quote.id, currencyCode: 'USD' },
      });
      assert.equal(funded.status, 200, funded.raw);
      await advance(platform, 1);
      assert.deepEqual(await listEventTypes(platform, quote.transactionId), [
        'PENDING',
        'PENDING_AUTHORIZATION',
        'PENDING_AUTHORIZATION',
        'PROCESSING',
        'COMPLETED',
      ]);
    });

    it('customers.md §7.10: within one currency there is one challenge; authorized but not funded, the quote expires', async () => {
      const to = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
      const made = await askQuote(platform, { ...wish(), to });
      assert.deepEqual([made.status, made.body.scaChallenge?.purpose], [202, 'TRANSFER']);
      assert.equal((await authorize(platform, made.body.id)).body.status, 'PENDING');
      await advance(platform, 301);
      assert.equal((await readQuote(made.body.id)).status, 'EXPIRED');
      assert.deepEqual(await listEventTypes(platform, made.body.transactionId), [
        'PENDING',
        'PENDING_AUTHORIZATION',
        'EXPIRED',
      ]);
    });

    it('customers.md §7.49: without authorization it fails, and money that arrives anyway is not taken for it', async () => {
      const made = await askQuote(platform, wish());
      const early = await platform.call('sandboxSend', {
        body: { quoteId: made.body.id, currencyCode: 'USD' },
      });
      assert.ok(early.status >= 400, early.raw);
      await advance(platform, 301);
      await assertFailed(made.body, 'SCA_NOT_COMPLETED');
      assert.ok(!('paymentInstructions' in (await readQuote(made.body.id))));
    });
  });

  it('customers.md §7.21, §7.22, §7.23, §7.10e: scaFactor of the execution, else of the quote, else SMS_OTP; a factor that is not enrolled is 400', async () => {
    const customer = await givenScaPayer(platform);
    const wish = { from: customer.usd, to: customer.bank };
    const refused = async (scaFactor: 'TOTP' | 'PASSKEY') => {
      const quote = await quoted(platform, wish);
      const atExecution = await platform.call('executeQuote', {
        params: { quoteId: quote.id },
        body: { scaFactor },
      });
      const atOnce = await askQuote(platform, { ...wish, more: { scaFactor, immediatelyExecute: true } });
      const later = await askQuote(platform, { ...wish, more: { scaFactor } });
      for (const reply of [atExecution, atOnce, later]) {
        assert.deepEqual(
          [...codeOf(reply), ...fieldsOf(reply.body as object)],
          [400, 'INVALID_INPUT', 'scaFactor'],
        );
      }
    };
    await refused('TOTP');
    await refused('PASSKEY');
    const passkey = await givenPasskey(platform, customer);
    const quote = await quoted(platform, { ...wish, more: { scaFactor: 'PASSKEY' } });
    const waiting = (await execute(platform, quote.id)).body;
    assert.equal(waiting.scaChallenge?.factor, 'PASSKEY');
    assert.deepEqual(waiting.scaChallenge?.availableFactors, ['SMS_OTP', 'PASSKEY']);
    assert.ok(!('passkeyAllowedOrigins' in (waiting.scaChallenge ?? {})), 'customers.md §7.10');
    const resent = await platform.call('resendQuoteScaCode', { params: { quoteId: quote.id } });
    assert.deepEqual(codeOf(resent), [409, 'CONFLICT'], 'customers.md §7.12');
    const answer = passkey.answer(waiting.scaChallenge?.passkeyAssertionOptions);
    const mistaken = await authorize(platform, quote.id, { code: SCA_CODE });
    assert.deepEqual(codeOf(mistaken), [400, 'INVALID_INPUT']);
    assert.match(mistaken.raw, /code: this challenge requires a passkey/, 'customers.md §7.8a');
    assert.equal((await authorize(platform, quote.id, answer)).body.status, 'PROCESSING');
    const byText = await quoted(platform, { ...wish, more: { scaFactor: 'PASSKEY' } });
    const chosen = await platform.call('executeQuote', {
      params: { quoteId: byText.id },
      body: { scaFactor: 'SMS_OTP' },
    });
    assert.equal(chosen.body.scaChallenge?.factor, 'SMS_OTP');
  });

  it('customers.md §7.22, §7.10, §7.10d, §7.12: an app’s code or a recovery code authorizes a payment; a reset of the app fails it', async () => {
    const customer = await givenScaPayer(platform);
    const query = { customerId: customer.id };
    const { recoveryCodes } = await givenTotp(platform, customer);
    const waiting = () => givenWaiting(platform, customer, { more: { scaFactor: 'TOTP' } });
    const first = await waiting();
    const { factor, availableFactors } = first.scaChallenge ?? {};
    assert.deepEqual([factor, availableFactors], ['TOTP', ['SMS_OTP', 'TOTP']]);
    const resent = await platform.call('resendQuoteScaCode', { params: { quoteId: first.id } });
    assert.deepEqual(codeOf(resent), [409, 'CONFLICT']);
    assert.deepEqual(codeOf(await authorize(platform, first.id, { code: '654321' })), [400, 'INVALID_INPUT']);
    assert.equal((await authorize(platform, first.id)).body.status, 'PROCESSING');
    const [code = ''] = recoveryCodes;
    const second = await waiting();
    const typed = { code: code.toLowerCase().replaceAll('-', ' ') };
    assert.equal((await authorize(platform, second.id, typed)).body.status, 'PROCESSING');
    const last = await waiting();
    assert.deepEqual(codeOf(await authorize(platform, last.id, { code })), [400, 'INVALID_INPUT'], 'once');
    const { body } = await platform.call('startTwoFactorReset', { query, body: { factor: 'TOTP' } });
    await advance(platform, 2);
    await platform.call('completeTwoFactorReset', { query, params: { resetId: body.resetId } });
    await assertFailed(last, 'SCA_NOT_COMPLETED');
  });

  it('customers.md §7.11: six calls before the login do not block the right code', async () => {
    const customer = await givenScaPayer(platform, 1_000_000, false);
    const quote = await givenWaiting(platform, customer);
    for (let call = 1; call <= 6; call++) {
      assert.deepEqual(codeOf(await authorize(platform, quote.id)), [409, 'SCA_SESSION_REQUIRED']);
    }
    await givenScaSession(platform, customer);
    assert.equal((await authorize(platform, quote.id)).body.status, 'PROCESSING');
  });

  it('customers.md §7.10: outside the regions scaFactor is ignored and there is no challenge', async () => {
    const elsewhere = await givenPayer(platform, 50_000);
    const to = await givenOutside(platform, elsewhere.id);
    const quote = await quoted(platform, {
      from: elsewhere.account('USD').id,
      to,
      more: { scaFactor: 'TOTP' },
    });
    const reply = await platform.call('executeQuote', {
      params: { quoteId: quote.id },
      body: { scaFactor: 'PASSKEY' },
    });
    assert.equal(reply.body.status, 'PROCESSING');
    assert.deepEqual(codeOf(await authorize(platform, quote.id)), [409, 'CONFLICT']);
    const resent = await platform.call('resendQuoteScaCode', { params: { quoteId: quote.id } });
    assert.deepEqual(codeOf(resent), [409, 'CONFLICT']);
  });

  it('customers.md §7.11: the order of its checks: body, 404, challenge, calls, lock, session, time, proof', async () => {
    const customer = await givenScaPayer(platform, 1_000_000, false);
    const unknown = 'Quote:01900000-0000-7000-8000-000000000000';
    const malformed = await authorize(platform, unknown, {});
    assert.deepEqual(
      [...codeOf(malformed), ...fieldsOf(malformed.body as object)],
      [400, 'INVALID_INPUT', 'code', 'passkeyAssertion'],
    );
    const assertion = { id: 'AA', response: {} };
    const both = await authorize(platform, unknown, {
      code: SCA_CODE,
      passkeyAssertion: assertion,
      origin: 'x',
    });
    assert.equal(both.status, 400);
    const lacking = await authorize(platform, unknown, { passkeyAssertion: assertion });
    assert.deepEqual(fieldsOf(lacking.body as object), ['origin']);
    assert.deepEqual(codeOf(await authorize(platform, unknown)), [404, 'QUOTE_NOT_FOUND']);
    const foreign = await givenPlatform(world);
    const quote = await givenWaiting(platform, customer);
    assert.deepEqual(codeOf(await authorize(foreign, quote.id)), [404, 'QUOTE_NOT_FOUND']);
    const pending = await quoted(platform, { from: customer.usd, to: customer.bank });
    assert.deepEqual(codeOf(await authorize(platform, pending.id)), [409, 'CONFLICT']);
    for (let call = 1; call <= 7; call++) {
      assert.deepEqual(
        codeOf(await authorize(platform, quote.id)),
        [409, 'SCA_SESSION_REQUIRED'],
        `call ${call}`,
      );
    }
    await givenScaSession(platform, customer);
    for (let call = 1; call <= 2; call++) {
      const wrong = await authorize(platform, quote.id, { code: '000000' });
      assert.deepEqual(codeOf(wrong), [400, 'INVALID_INPUT'], 'calls without a session were not counted');
    }
    const work = await platform.work();
    await work.write((tx) => setCustomerStatus(tx, uuidOf(customer), 'HOLD'));
    for (let call = 3; call <= 5; call++) {
      assert.deepEqual(codeOf(await authorize(platform, quote.id)), [403, 'USER_NOT_READY'], `call ${call}`);
    }
    await work.write((tx) => setCustomerStatus(tx, uuidOf(customer), 'APPROVED'));
    const limited = await authorize(platform, quote.id);
    assert.deepEqual(codeOf(limited), [429, 'RATE_LIMITED']);
    assert.equal(limited.headers['retry-after'], '60');
    world.clock.advance(60_000);
    const query = { customerId: customer.id };
    for (let failure = 3; failure <= 5; failure++) {
      const body = { eventType: 'FAILED_LOGIN_ATTEMPT' };
      await platform.call('recordSecurityEvent', { query, body });
    }
    await world.database.query(sql`
      update sca_sessions set revoked_at = now()
       where platform_id = ${platform.id} and customer_id = ${uuidOf(customer)}`);
    assert.deepEqual(codeOf(await authorize(platform, quote.id)), [423, 'ACCOUNT_LOCKED']);
    world.clock.advance(15 * 60_000);
    assert.deepEqual(codeOf(await authorize(platform, quote.id)), [409, 'SCA_SESSION_REQUIRED']);
    await givenScaSession(platform, customer);
    assert.deepEqual(codeOf(await authorize(platform, quote.id, { code: '000000' })), [400, 'QUOTE_EXPIRED']);
  });

  it('platform.md §1.3.9: the audit log records the address of each right and wrong answer, and accepts only valid addresses', async () => {
    const customer = await givenScaPayer(platform);
    const { id, transactionId } = await givenWaiting(platform, customer);
    for (const endUserIpAddress of ['x'.repeat(100_000), 'fe80::1%eth0', '']) {
      const refused = await authorize(platform, id, { code: '000000', endUserIpAddress });
      assert.deepEqual([refused.status, fieldsOf(refused.body as object)], [400, ['endUserIpAddress']]);
    }
    const none = await authorize(platform, id, { endUserIpAddress: 'here' });
    assert.deepEqual(fieldsOf(none.body as object), ['code', 'passkeyAssertion', 'endUserIpAddress']);
    await authorize(platform, id, { code: '000000', endUserIpAddress: '2001:db8::1' });
    await authorize(platform, id, { code: SCA_CODE, endUserIpAddress: '203.0.113.7' });
    assert.equal((await readTransaction(platform, transactionId)).status, 'PROCESSING');
    const rows = await auditLines(world, platform);
    const addressed = rows.filter(
      ({ action, details }) =>
        ['authorizeQuote', 'proof failed'].includes(action) && details.endUserIpAddress !== undefined,
    );
    assert.deepEqual(
      addressed.map(({ action, details }) => [action, details.endUserIpAddress]),
      [
        ['proof failed', '2001:db8::1'],
        ['authorizeQuote', '203.0.113.7'],
      ],
    );
  });

  it('customers.md §7.8a, §7.11, §7.31: wrong answers are counted, and the fifth voids the challenge and locks the customer', async () => {
    const customer = await givenScaPayer(platform);
    const before = await fetchFunds(platform, customer);
    const quote = await givenWaiting(platform, customer);
    for (let wrong = 1; wrong <= 5; wrong++) {
      const refused = await authorize(platform, quote.id, { code: '000000' });
      assert.deepEqual(
        [...codeOf(refused), ...fieldsOf(refused.body as object)],
        [400, 'INVALID_INPUT', 'code'],
      );
      const told =
        wrong < 5
          ? /"code: is wrong"/
          : /code: is wrong; the payment has failed, because this was the fifth wrong answer; the customer is locked until/;
      assert.match(refused.raw, told);
      world.clock.advance(13_000);
    }
    await assertFailed(quote, 'SCA_NOT_COMPLETED');
    assert.deepEqual(await fetchFunds(platform, customer), before);
    assert.deepEqual(
      codeOf(await authorize(platform, quote.id)),
      [409, 'CONFLICT'],
      'a voided challenge is over',
    );
    const next = await givenWaiting(platform, customer);
    assert.deepEqual(codeOf(await authorize(platform, next.id)), [423, 'ACCOUNT_LOCKED']);
  });

  it('customers.md §7.12: the code is sent again for the same challenge, whose deadline stays', async () => {
    const own = await givenPlatform(world);
    const customer = await givenScaPayer(own);
    const quote = await givenWaiting(own, customer);
    const resend = () => own.call('resendQuoteScaCode', { params: { quoteId: quote.id } });
    assert.equal((await resend()).status, 204);
    const soon = await resend();
    assert.deepEqual([...codeOf(soon), soon.headers['retry-after']], [429, 'RATE_LIMITED', '30']);
    for (let no = 2; no <= 5; no++) {
      world.clock.advance(30_000);
      assert.equal((await resend()).status, 204, `resend ${no}`);
    }
    world.clock.advance(30_000);
    assert.deepEqual(codeOf(await resend()), [429, 'RATE_LIMITED']);
    await world.app.worker.settle(own.id);
    const sent = (await own.call('listSandboxMessages', { query: { limit: 100 } })).body.data;
    assert.equal(sent.filter(({ text }) => text.startsWith('Your code to pay')).length, 6);
    const read = await own.call('getQuoteById', { params: { quoteId: quote.id } });
    assert.deepEqual(read.body.scaChallenge, quote.scaChallenge);
    assert.equal((await authorize(own, quote.id)).body.status, 'PROCESSING');
    assert.deepEqual(codeOf(await resend()), [409, 'CONFLICT']);
    const unknown = await own.call('resendQuoteScaCode', {
      params: { quoteId: 'Quote:01900000-0000-7000-8000-000000000000' },
    });
    assert.deepEqual(codeOf(unknown), [404, 'QUOTE_NOT_FOUND']);
  });

  it('customers.md §7.10c: the last authorize checks again; a refusal changes nothing, and the challenge stays open', async () => {
    const customer = await givenScaPayer(platform);
    const quote = await givenWaiting(platform, customer);
    const work = await platform.work();
    await work.write((tx) => setCustomerStatus(tx, uuidOf(customer), 'HOLD'));
    assert.deepEqual(codeOf(await authorize(platform, quote.id)), [403, 'USER_NOT_READY']);
    await work.write((tx) => setCustomerStatus(tx, uuidOf(customer), 'APPROVED'));
    await platform.call('deleteCustomerExternalAccountById', {
      params: { externalAccountId: customer.bank },
    });
    assert.deepEqual(codeOf(await authorize(platform, quote.id)), [404, 'ACCOUNT_NOT_FOUND']);
    assert.deepEqual(await readQuote(quote.id), quote);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L3a']);
    const other = await givenScaPayer(platform);
    const frozen = await givenWaiting(platform, other);
    await freeze(platform, other.usd);
    assert.deepEqual(codeOf(await authorize(platform, frozen.id)), [403, 'USER_NOT_READY']);
    await advance(platform, 301);
    await assertFailed(frozen, 'SCA_NOT_COMPLETED');
    assert.deepEqual(
      await fetchFunds(platform, other),
      [1_000_000, 1_000_000],
      'a hold on a frozen account is released',
    );
  });

  it('customers.md §7.47, §7.10c: the day’s volume is checked at execution, and checked and counted at the last authorize', async () => {
    const small = await givenPlatform(world, {
      settings: { limits: { default: { dailyUsdCents: 20_000 } } } as never,
    });
    const customer = await givenScaPayer(small);
    const [first, second] = [
      await givenWaiting(small, customer, { send: 15_000 }),
      await givenWaiting(small, customer, { send: 15_000 }),
    ];
    assert.equal((await authorize(small, first.id)).body.status, 'PROCESSING');
    const before = await fetchFunds(small, customer);
    const over = await authorize(small, second.id);
    assert.deepEqual([over.status, over.body.status], [200, 'FAILED'], over.raw);
    const transaction = await readTransaction(small, second.transactionId);
    assert.equal(transaction.failureReason, 'LIMIT_EXCEEDED');
    assert.deepEqual(await fetchFunds(small, customer), [before[0] + 15_000, before[1]]);
    const late = await quoted(small, { from: customer.usd, to: customer.bank, send: 15_000 });
    assert.deepEqual(codeOf(await execute(small, late.id)), [429, 'DAILY_VOLUME_LIMIT_EXCEEDED']);
    const atOnce = await askQuote(small, {
      from: customer.usd,
      to: customer.bank,
      send: 15_000,
      more: { immediatelyExecute: true },
    });
    assert.deepEqual(codeOf(atOnce), [429, 'DAILY_VOLUME_LIMIT_EXCEEDED']);
  });

  it('money.md §9: after the authorization, a payout that is refused at once is debited and refunded', async () => {
    const customer = await givenScaPayer(platform, 50_000);
    const to = await givenOutside(platform, customer.id, '003', 'USD_ACCOUNT');
    const quote = await givenWaiting(platform, customer, { to });
    assert.equal((await authorize(platform, quote.id)).body.status, 'FAILED');
    await advance(platform, 1);
    assert.equal(await fetchBalance(platform, customer, 'USD'), 50_000);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L3a', 'L3b', 'L10', 'L11']);
  });

  it('money.md §3.3: money on hold is not available to other payments', async () => {
    const customer = await givenScaPayer(platform, 10_000);
    const wish = { from: customer.usd, to: customer.bank };
    const [first, second] = [await quoted(platform, wish), await quoted(platform, wish)];
    assert.equal((await execute(platform, first.id)).status, 200);
    assert.deepEqual(codeOf(await execute(platform, second.id)), [400, 'INSUFFICIENT_FUNDS']);
    await givenFunds(platform, customer.usd, 10_000);
    assert.equal((await execute(platform, second.id)).status, 200);
  });

  it('customers.md §2.4.26: a customer with a waiting payment cannot be deleted; after it has lapsed, the customer can be', async () => {
    const customer = await givenEuropean(platform);
    const bank = await givenOutside(platform, customer.id, '999', 'USD_ACCOUNT');
    const quote = await quoted(platform, {
      from: bank,
      to: await givenOutside(platform, customer.id),
      more: { immediatelyExecute: true },
    });
    const remove = () => platform.call('deleteCustomerById', { params: { customerId: customer.id } });
    assert.deepEqual(codeOf(await remove()), [409, 'CONFLICT']);
    world.clock.advance(300_000);
    assert.equal((await remove()).status, 200);
    assert.deepEqual(await listEventTypes(platform, quote.transactionId), [
      'PENDING',
      'PENDING_AUTHORIZATION',
      'FAILED',
    ]);
  });
});
