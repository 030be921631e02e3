import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { NO_OWN_CURRENCIES, presentAmount } from '#foundation/lib/currencies.ts';
import { quoted } from '#tests/given/quotes.ts';
import { authorize, givenScaPayer, givenWaiting, type ScaPayer } from '#tests/given/waiting.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';
import { operatorWorld, parseRows } from '#tests/harness/operator-world.ts';

describe('corridor payment list and show', () => {
  const world = operatorWorld();
  let platform: TestPlatform;
  let payer: ScaPayer;
  before(async () => {
    ({ platform } = world);
    await world.run('platform', 'set', `Platform:${platform.id}`, 'isRegulatedFinancialInstitution=true');
    payer = await givenScaPayer(platform);
  });

  const payment = async (...words: string[]) => JSON.parse(await world.run('payment', ...words, '--json'));

  it('lists unfinished payments, the oldest first, with the deadline of a customer’s authorization', async () => {
    assert.equal(
      await world.run('payment', 'list'),
      'There are no unfinished payments; --after 7d lists finished ones, too.\n',
    );
    await quoted(platform, { from: payer.usd, to: payer.bank });
    const waiting = await givenWaiting(platform, payer, { send: 25_000 });
    const moving = await givenWaiting(platform, payer, { send: 5_000 });
    await authorize(platform, moving.id);
    const rows = parseRows(await world.run('payment', 'list', '--json'));
    assert.deepEqual(
      rows.map(({ createdAt: _, ...row }) => row),
      [
        {
          transaction: waiting.transactionId,
          status: 'PENDING_AUTHORIZATION',
          refund: null,
          customer: payer.id,
          sends: dollars(25_000n),
          authorizeBy: waiting.scaChallenge?.expiresAt,
          approveBy: null,
        },
        {
          transaction: moving.transactionId,
          status: 'PROCESSING',
          refund: null,
          customer: payer.id,
          sends: dollars(5_000n),
          authorizeBy: null,
          approveBy: null,
        },
      ],
    );
    assert.equal((await payment('list', '--limit', '1')).length, 1);
    assert.match(
      await world.run('payment', 'list'),
      /^TRANSACTION +STATUS +REFUND +CUSTOMER +SENDS +CREATED AT +/,
    );
    const { ledger } = await payment('show', moving.transactionId);
    const { side, amount } = ledger[0];
    assert.deepEqual([side, amount], ['DEBIT', dollars(5_000n)]);
    assert.match(
      await world.run('payment', 'show', moving.transactionId),
      /ledger +[a-z]+\.[a-z_]+ {2}20\S+ {2}\S+ {2}DEBIT {2}50\.00 USD\n/,
    );
  });

  it('shows the customer’s authorizations, and why a payment was not authorized, audited', async () => {
    const { id, transactionId, scaChallenge } = await givenWaiting(platform, payer);
    await authorize(platform, id, { code: '654321' });
    await platform.call('resendQuoteScaCode', { params: { quoteId: id } });
    const asked = {
      authorizeBy: scaChallenge?.expiresAt,
      challenge: scaChallenge?.id,
      purpose: 'PAYOUT',
      factor: 'SMS_OTP',
      wrongAnswers: 1,
      resends: 1,
      voidedAt: null,
    };
    const shown = await payment('show', transactionId);
    assert.deepEqual([shown.status, shown.authorization], ['PENDING_AUTHORIZATION', asked]);
    await platform.call('advanceSandboxClock', { body: { seconds: 300 } });
    const lapsed = await payment('show', transactionId);
    assert.deepEqual(
      [lapsed.status, lapsed.failureReason, lapsed.authorization],
      ['FAILED', 'SCA_NOT_COMPLETED', asked],
    );
    const voided = await givenWaiting(platform, payer);
    const body = { eventType: 'RESET_PASSWORD_COMPLETED' as const };
    await platform.call('recordSecurityEvent', { query: { customerId: payer.id }, body });
    const { failureReason, authorization } = await payment('show', voided.transactionId);
    assert.equal(failureReason, 'SCA_NOT_COMPLETED');
    assert.deepEqual([authorization.wrongAnswers, typeof authorization.voidedAt], [0, 'string']);
    assert.match(await world.run('payment', 'show', transactionId), /wrongAnswers +1/);
    const rows = await world.database.query(sql`
      select distinct action, actor_kind from audit_log where resource = ${transactionId} and actor_kind = 'operator'`);
    assert.deepEqual(rows, [{ action: 'payment show', actor_kind: 'operator' }]);
  });

  it('shows no more than the platform sees if a payment needs no authorization', async () => {
    const quote = await quoted(platform, { from: payer.usd, to: payer.bank });
    const { body } = await platform.call('getTransactionById', {
      params: { transactionId: quote.transactionId },
    });
    const { events, scheduled, causedBy, ...shown } = await payment('show', quote.transactionId);
    assert.deepEqual(
      causedBy.map(({ action }: Record<string, string>) => action),
      ['createQuote'],
    );
    assert.deepEqual(shown, { ...body, ledger: [] });
    assert.deepEqual(
      events.map(({ type, state }: Record<string, string>) => [type, state]),
      [['OUTGOING_PAYMENT.PENDING', 'PENDING']],
    );
    assert.deepEqual(
      scheduled.map(({ kind }: Record<string, string>) => kind),
      ['payments.expire'],
    );
  });

  it('a wrong argument and an unknown payment are one clear line each', async () => {
    await world.assertRefused([
      [['payment', 'show', 'Quote:1'], 2, /It must be an id such as Transaction:<uuid>/],
      [['payment', 'show', 'Transaction:019542f5-b3e7-7d02-8000-0000000000ff'], 1, /no such Transaction/],
      [['payment', 'list', '--limit', '0'], 2, /--limit/],
    ]);
  });
});

const dollars = (cents: bigint) => presentAmount(cents, 'USD', NO_OWN_CURRENCIES);
