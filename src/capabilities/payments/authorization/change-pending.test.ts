import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { fieldsOf } from '#tests/given/customers.ts';
import {
  advance,
  givenOutside,
  givenPayer,
  givenPlatform,
  listEventTypes,
  postedKinds,
  readTransaction,
} from '#tests/given/payments.ts';
import { askQuote, quoted } from '#tests/given/quotes.ts';
import { givenPasskey, givenTotp, SCA_CODE } from '#tests/given/sca.ts';
import { authorize, fetchFunds, givenScaPayer, givenWaiting, type ScaPayer } from '#tests/given/waiting.ts';
import { type Answered, type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const UNKNOWN = 'Quote:01900000-0000-7000-8000-000000000000';
const codeOf = ({ status, body }: Answered<unknown>) => [status, (body as { code?: string }).code];

describe('changing a payment that waits for its customer', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let payer: ScaPayer;

  before(async () => {
    platform = await givenPlatform(world);
    payer = await givenScaPayer(platform);
    await givenTotp(platform, payer);
  });

  const cancel = (quoteId: string, on = platform, key?: string) =>
    on.call('cancelQuoteAuthorization', { params: { quoteId }, ...(key !== undefined && { key }) });
  const move = (quoteId: string, scaFactor: 'SMS_OTP' | 'TOTP' | 'PASSKEY', on = platform) =>
    on.call('changeQuoteScaFactor', { params: { quoteId }, body: { scaFactor } });

  /** Quotes without an open challenge: unknown, another platform's, not executed, outside the regions, ended. */
  async function notWaiting(): Promise<[quoteId: string, on: TestPlatform, answer: (number | string)[]][]> {
    const waiting = await givenWaiting(platform, payer);
    const pending = await quoted(platform, { from: payer.usd, to: payer.bank });
    const elsewhere = await givenPayer(platform, 50_000);
    const to = await givenOutside(platform, elsewhere.id);
    const free = await quoted(platform, { from: elsewhere.account('USD').id, to });
    const done = await givenWaiting(platform, payer);
    assert.equal((await authorize(platform, done.id)).status, 200);
    const late = await givenWaiting(platform, payer);
    world.clock.advance(300_000);
    const notFound = [404, 'QUOTE_NOT_FOUND'];
    const conflict = [409, 'CONFLICT'];
    return [
      [UNKNOWN, platform, notFound],
      [waiting.id, await givenPlatform(world), notFound],
      [pending.id, platform, conflict],
      [free.id, platform, conflict],
      [done.id, platform, conflict],
      [late.id, platform, conflict],
    ];
  }

  it('customers.md §7.12a: cancelling makes it FAILED, releases the hold and notifies the platform, in one commit', async () => {
    const before = await fetchFunds(platform, payer);
    const quote = await givenWaiting(platform, payer);
    const { scaChallenge: _, ...rest } = quote;
    const reply = await cancel(quote.id, platform, 'cancel-once');
    assert.deepEqual([reply.status, reply.body], [200, { ...rest, status: 'FAILED' }], reply.raw);
    const { status, failureReason, refund } = await readTransaction(platform, quote.transactionId);
    assert.deepEqual([status, failureReason, refund], ['FAILED', 'SCA_NOT_COMPLETED', undefined]);
    assert.deepEqual(await fetchFunds(platform, payer), before);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L3a', 'L3c']);
    assert.deepEqual(codeOf(await cancel(quote.id)), [409, 'CONFLICT'], 'once');
    const again = await cancel(quote.id, platform, 'cancel-once');
    assert.deepEqual([again.status, again.body], [200, reply.body], 'the same key gives the same reply');
    assert.deepEqual(codeOf(await authorize(platform, quote.id)), [409, 'CONFLICT']);
    await advance(platform, 301);
    assert.deepEqual(await listEventTypes(platform, quote.transactionId), [
      'PENDING',
      'PENDING_AUTHORIZATION',
      'FAILED',
    ]);
  });

  it('customers.md §7.12a: a real-time quote and a pull are cancelled as well, with nothing to release', async () => {
    const bank = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    const pull = await givenWaiting(platform, payer, { from: bank, to: payer.bank });
    const from = { realtime: 'USD', customerId: payer.id };
    const realtime = (await askQuote(platform, { from, to: payer.bank })).body;
    for (const { id, transactionId } of [pull, realtime]) {
      assert.equal((await cancel(id)).body.status, 'FAILED');
      assert.deepEqual(await postedKinds(platform, transactionId), []);
    }
  });

  it('customers.md §7.12a, §7.12b: a payment that does not wait is refused', async () => {
    for (const [quoteId, on, answer] of await notWaiting()) {
      assert.deepEqual(codeOf(await cancel(quoteId, on)), answer);
      assert.deepEqual(codeOf(await move(quoteId, 'TOTP', on)), answer);
    }
  });

  it('customers.md §7.12a: if a cancellation and a right answer race through two processes, one of them counts', async () => {
    const there = await world.elsewhere(platform);
    for (let round = 0; round < 6; round++) {
      const quote = await givenWaiting(platform, payer);
      const [cancelled, paid] = await Promise.all([cancel(quote.id, there), authorize(platform, quote.id)]);
      assert.deepEqual([cancelled.status, paid.status].sort(), [200, 409], `${cancelled.raw} ${paid.raw}`);
      const kinds = (await postedKinds(platform, quote.transactionId)).slice(0, 2);
      assert.deepEqual(kinds, ['L3a', paid.status === 200 ? 'L3b' : 'L3c']);
    }
  });

  it('customers.md §7.12b: after a change of factor only the new factor authorizes it, for the time that is left', async () => {
    const quote = await givenWaiting(platform, payer);
    world.clock.advance(60_000);
    const moved = await move(quote.id, 'TOTP');
    assert.equal(moved.status, 200, moved.raw);
    const { scaChallenge, ...rest } = moved.body;
    const { scaChallenge: first, ...same } = quote;
    assert.deepEqual(rest, same);
    assert.notEqual(scaChallenge?.id, first?.id);
    assert.deepEqual(scaChallenge, { ...first, id: scaChallenge?.id, factor: 'TOTP' });
    const read = await platform.call('getQuoteById', { params: { quoteId: quote.id } });
    assert.deepEqual(read.body, moved.body);
    assert.deepEqual(
      codeOf(await move(quote.id, 'TOTP')),
      [409, 'CONFLICT'],
      'it already waits for that factor',
    );
    assert.deepEqual(await listEventTypes(platform, quote.transactionId), [
      'PENDING',
      'PENDING_AUTHORIZATION',
    ]);
    assert.equal((await authorize(platform, quote.id)).body.status, 'PROCESSING');
  });

  it('customers.md §7.12b: a change to a passkey and back to a text message, which is sent', async () => {
    const own = await givenPlatform(world);
    const customer = await givenScaPayer(own);
    const passkey = await givenPasskey(own, customer);
    const quote = await givenWaiting(own, customer);
    const { body } = await move(quote.id, 'PASSKEY', own);
    const answer = passkey.answer(body.scaChallenge?.passkeyAssertionOptions);
    assert.equal((await move(quote.id, 'SMS_OTP', own)).status, 200);
    const mistaken = await authorize(own, quote.id, answer);
    assert.match(mistaken.raw, /this challenge requires the code of a text message/);
    await world.app.worker.settle(own.id);
    const sent = (await own.call('listSandboxMessages', { query: { limit: 100 } })).body.data;
    assert.equal(sent.filter(({ text }) => text.startsWith('Your code to pay')).length, 1);
    assert.equal((await authorize(own, quote.id, { code: SCA_CODE })).body.status, 'PROCESSING');
  });

  it('customers.md §7.12b: a factor that is not enrolled is 400, and changing the factor is no way around a limit', async () => {
    const customer = await givenScaPayer(platform);
    const quote = await givenWaiting(platform, customer);
    const missing = await move(quote.id, 'PASSKEY');
    assert.deepEqual([missing.status, fieldsOf(missing.body)], [400, ['scaFactor']]);
    await givenTotp(platform, customer);
    for (let wrong = 1; wrong <= 4; wrong++) {
      assert.equal((await authorize(platform, quote.id, { code: '000000' })).status, 400);
      await move(quote.id, wrong % 2 ? 'TOTP' : 'SMS_OTP');
      world.clock.advance(31_000);
    }
    const last = await authorize(platform, quote.id, { code: '000000' });
    assert.match(last.raw, /the payment has failed/, 'the fifth wrong answer, over all factors');
    const other = await givenWaiting(platform, payer);
    for (let sent = 1; sent <= 2; sent++) {
      await move(other.id, 'TOTP');
      const back = await move(other.id, 'SMS_OTP');
      assert.deepEqual(
        [back.status, back.headers['retry-after']],
        sent === 1 ? [200, undefined] : [429, '30'],
        back.raw,
      );
    }
  });

  it('customers.md §7.12b: if a change of factor and a right answer race through two processes, the money moves at most once', async () => {
    const there = await world.elsewhere(platform);
    for (let round = 0; round < 6; round++) {
      const quote = await givenWaiting(platform, payer);
      const [moved, paid] = await Promise.all([move(quote.id, 'TOTP', there), authorize(platform, quote.id)]);
      assert.ok([200, 409].includes(moved.status), moved.raw);
      assert.equal(paid.status, 200, paid.raw);
      assert.equal((await readTransaction(platform, quote.transactionId)).status, 'PROCESSING');
    }
  });
});
