// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { NO_OWN_CURRENCIES, presentAmount } from '#foundation/lib/currencies.ts';
import { inCurrency, platformAccounts, supports } from '#tests/given/accounts.ts';
import { advance, execute, givenFunds, givenOutside, givenPayer, type Payer } from '#tests/given/payments.ts';
import { type QuoteReply, quoted } from '#tests/given/quotes.ts';
import { operatorWorld } from '#tests/harness/operator-world.ts';

type PrintedPayment = Record<string, never>;

describe('finding payments, quotes and bookings', () => {
  const world = operatorWorld();
  let payer: Payer;
  let usd: string;
  let completed: QuoteReply;
  let failed: QuoteReply;
  let open: QuoteReply;
  let moving: QuoteReply;

  before(async () => {
    const { platform } = world;
    await world.run('platform', 'set', `Platform:${platform.id}`, 'isRegulatedFinancialInstitution=true');
    await supports(platform, ['USD', 'EUR']);
    payer = await givenPayer(platform);
    usd = payer.account('USD').id;
    const pay = async (suffix: string, send: number) => {
      const quote = await quoted(platform, {
        from: usd,
        to: await givenOutside(platform, payer.id, suffix),
        send,
      });
      assert.equal((await execute(platform, quote.id)).status, 200);
      return quote;
    };
    completed = await pay('999', 75_000);
    failed = await pay('002', 20_000);
    await advance(platform, 60);
    open = await quoted(platform, { from: usd, to: await givenOutside(platform, payer.id), send: 30_000 });
    moving = await pay('003', 75_000);
  });

  const json = async (...words: string[]) => JSON.parse(await world.run(...words, '--json'));

  it('shows a payment with its bookings, pending work and events', async () => {
    const { ledger, scheduled, events } = await json('payment', 'show', moving.transactionId);
    assert.deepEqual(
      ledger.map(({ kind }: PrintedPayment) => kind).filter((kind: string) => kind === 'payment.executed'),
      ['payment.executed', 'payment.executed'],
    );
    assert.deepEqual(ledger[0].amount, dollars(75_000n));
    assert.equal(scheduled.length, 1);
    assert.match(scheduled[0].kind, /^payments\.(pay|follow)$/);
    assert.ok(Date.parse(scheduled[0].dueAt) > 0);
    assert.deepEqual(
      events.map(({ type, state }: PrintedPayment) => [type, state]),
      [
        ['OUTGOING_PAYMENT.PROCESSING', 'PENDING'],
        ['OUTGOING_PAYMENT.PENDING', 'PENDING'],
      ],
    );
    assert.match(events[0].id, /^Webhook:/);
    const text = await world.run('payment', 'show', completed.transactionId);
    assert.match(text, /sentAmount +750\.00 USD\n/);
    assert.match(text, /\nscheduled +–\n/);
    assert.match(text, /\nevents +Webhook:\S+ {2}OUTGOING_PAYMENT\.COMPLETED {2}SKIPPED {2}0 {2}20/);
    const why = /SKIPPED: the platform had no webhook endpoint when it was due\. In a sandbox, a listener/;
    const [, id = ''] = /\nevents +(Webhook:\S+)/.exec(text) ?? [];
    assert.match(await world.run('webhook', 'show', id), why);
    for (const words of [
      ['webhook', 'list', '--resource', completed.transactionId],
      ['payment', 'show', completed.transactionId],
    ]) {
      assert.match((await world.hear(...words)).stderr, why);
    }
    await world.run('webhook', 'resend', id);
    await world.app.worker.settle(world.platform.id);
    const [resent] = await json('webhook', 'list', '--resource', completed.transactionId);
    assert.deepEqual(
      [resent.id, resent.state, resent.nextAttemptAt],
      [id, 'SKIPPED', null],
      'nothing is to come',
    );
  });

  it('shows an account with the parts of its balance and its bookings, newest first', async () => {
    const shown = await json('account', 'show', usd);
    assert.deepEqual(shown.balance, shown.balances.available);
    assert.deepEqual(shown.balances.onHold, dollars(0n));
    assert.deepEqual(shown.balances.arriving, dollars(0n));
    const booked = shown.ledger.map(({ kind, side, amount }: PrintedPayment) => [
      kind,
      side,
      (amount as unknown as Amount).amount,
    ]);
    assert.deepEqual(booked[0], ['payment.executed', 'DEBIT', 75_000]);
    assert.deepEqual(booked.at(-1), ['deposit.received', 'CREDIT', 1_000_000]);
    const refund = booked.findIndex(([kind]: string[]) => kind === 'refund.paid');
    assert.deepEqual(booked[refund], ['refund.paid', 'CREDIT', 20_000]);
    assert.equal(shown.ledger[0].transaction, moving.transactionId);
    const sum = booked.reduce((sum: number, [, side, amount]: [string, string, number]) => {
      return side === 'CREDIT' ? sum + amount : sum - amount;
    }, 0);
    assert.equal(sum, shown.balances.available.amount);
    const { ledger } = await json('account', 'show', usd, '--limit', '1');
    assert.deepEqual(ledger, [shown.ledger[0]]);
    const text = await world.run('account', 'show', usd);
    assert.match(text, /balances\n {2}available +8500\.00 USD\n/);
    assert.match(
      text,
      /\nledger +20\S+ {2}payment\.executed {2}available {2}DEBIT {2}750\.00 USD {2}Transaction:/,
    );
  });

  it('prints amounts in JSON as the API does, and in tables as people read them', async () => {
    const [quote] = await json('quote', 'list', '--limit', '1');
    assert.deepEqual(quote.sends, dollars(75_000n));
    assert.match(await world.run('quote', 'list'), /PROCESSING .* 750\.00 USD /);
    const accounts = await json('account', 'list', '--customer', payer.id, '--currency', 'usd');
    assert.deepEqual(accounts[0].available, dollars(850_000n));
    assert.match(await world.run('account', 'list', '--customer', payer.id), / 8500\.00 USD {2}/);
    const [payment] = await json(
      'payment',
      'list',
      '--account',
      usd,
      '--status',
      'completed',
      '--type',
      'outgoing',
    );
    assert.deepEqual(payment.sentAmount, dollars(75_000n));
    const { accounts: held } = await json('customer', 'show', payer.id);
    assert.ok(
      held.some(({ available }: PrintedPayment) => (available as unknown as Amount).amount === 850_000),
    );
  });

  it('lists page after page, and each item once', async () => {
    for (const group of ['quote', 'payment']) {
      const words = [group, 'list', '--customer', payer.id];
      const all: PrintedPayment[] = await json(...words);
      const found: PrintedPayment[] = [];
      let more: string[] = [];
      do {
        const { rows, next } = await page(...words, '--limit', '2', ...more);
        assert.ok(rows.length <= 2);
        found.push(...rows);
        more = next === undefined ? [] : ['--cursor', next];
      } while (more.length > 0);
      assert.ok(all.length > 2);
      assert.deepEqual(found, all, group);
    }
  });

  /** A page, and the cursor of the next one, which is printed on standard error. */
  async function page(...words: string[]): Promise<{ rows: PrintedPayment[]; next: string | undefined }> {
    const { stdout, stderr } = await world.hear(...words, '--json');
    return { rows: JSON.parse(stdout), next: /--cursor (\S+)/.exec(stderr)?.[1] };
  }

  it('finds quotes by customer and payments by status', async () => {
    const quotes = await json('quote', 'list', '--customer', payer.id);
    assert.deepEqual(
      quotes.map(({ quote, status }: PrintedPayment) => [quote, status]),
      [
        [moving.id, 'PROCESSING'],
        [open.id, 'PENDING'],
        [failed.id, 'FAILED'],
        [completed.id, 'COMPLETED'],
      ],
    );
    const byStatus = async (status: string) =>
      (await json('payment', 'list', '--status', status, '--type', 'outgoing')).map(
        ({ id }: PrintedPayment) => id,
      );
    assert.deepEqual(await byStatus('failed'), [failed.transactionId]);
    assert.deepEqual(await byStatus('PENDING'), [open.transactionId]);
  });

  it('finds payments by the amount sent or received, in the last month unless another filter narrows the search', async () => {
    const found = async (...words: string[]) =>
      (await json('payment', 'list', ...words)).map(({ id }: PrintedPayment) => id);
    assert.deepEqual(await found('--amount', '75000'), [moving.transactionId, completed.transactionId]);
    assert.deepEqual(await found('--amount', '75000', '--status', 'completed'), [completed.transactionId]);
    const received = String(completed.totalReceivingAmount);
    assert.deepEqual(await found('--amount', received, '--currency', 'eur'), [
      moving.transactionId,
      completed.transactionId,
    ]);
    assert.deepEqual(await found('--amount', '75000', '--currency', 'EUR'), []);
    assert.deepEqual(await found('--currency', 'eur', '--type', 'incoming'), []);
    assert.deepEqual(await found('--amount', '30000', '--after', '1h'), [open.transactionId]);
    assert.deepEqual(await found('--amount', '30000', '--before', '1h'), []);
    const words = ['payment', 'list', '--amount', '75000', '--limit', '1'];
    const first = await page(...words);
    const second = await page(...words, '--cursor', first.next ?? '');
    assert.deepEqual(
      [...first.rows, ...second.rows].map(({ id }) => id),
      [moving.transactionId, completed.transactionId],
    );
    assert.match(
      (await world.hear(...words)).stderr,
      /^Searched the last 31 days; --after searches further back\.\n/,
    );
    await advance(world.platform, 40 * 86_400);
    assert.deepEqual(await found('--amount', '30000'), []);
    assert.deepEqual(await found('--amount', '30000', '--account', usd), [open.transactionId]);
    await world.assertRefused([
      [['payment', 'list', '--amount', '750.00'], 2, /It must be a whole number above 0/],
    ]);
  });

  it('money.md §2.4: names the platform as the customer of its own payments, in every list', async () => {
    const { platform } = world;
    const { id: from } = inCurrency(await platformAccounts(platform), 'USD');
    await givenFunds(platform, from, 10_000);
    const own = await quoted(platform, {
      from,
      to: await givenOutside(platform, undefined, '003'),
      send: 4_200,
    });
    assert.equal((await execute(platform, own.id)).status, 200);
    for (const words of [
      ['quote', 'list', '--limit', '1'],
      ['payment', 'list'],
      ['payment', 'list', '--account', from],
    ]) {
      const rows = await json(...words);
      const row = rows.find((shown: PrintedPayment) => (shown.transaction ?? shown.id) === own.transactionId);
      assert.equal(row.customer ?? row.customerId, `Platform:${platform.id}`, words.join(' '));
    }
  });
});

interface Amount {
  readonly amount: number;
}

const dollars = (cents: bigint) => presentAmount(cents, 'USD', NO_OWN_CURRENCIES);
