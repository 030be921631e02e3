// lane: whole — every simulated notice of the card network

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { advance, givenPlatform, listEventTypes } from '#tests/given/payments.ts';
import {
  bought,
  fetchBalances,
  givenCardholder,
  loadCardTransaction,
  postedFor,
  purchaseBody,
  settle,
  simulate,
  simulated,
} from '#tests/given/purchases.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const UNKNOWN = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('the simulators of the card network', () => {
  const world = testWorld();

  it('cards.md §8.2: a production token may not play the network', async () => {
    const platform = await givenPlatform(world, { environment: 'PRODUCTION' });
    const reply = await simulate(platform, `Card:${UNKNOWN}`, 'authorization', purchaseBody(1));
    assert.deepEqual([reply.status, reply.body.code], [403, 'FORBIDDEN']);
  });

  it('cards.md §8.2: unknown cards and transactions, and those of another platform, are refused', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform);
    const { cardId: other } = await givenCardholder(platform);
    const { id } = await bought(world, platform, other, 100);
    for (const unknown of [`Card:${UNKNOWN}`, UNKNOWN, 'nonsense']) {
      const reply = await simulate(platform, unknown, 'authorization', purchaseBody(1));
      assert.deepEqual([reply.status, reply.body.code], [404, 'NOT_FOUND'], unknown);
    }
    for (const cardTransactionId of [`Transaction:${UNKNOWN}`, `Transaction:${id}`, id]) {
      for (const kind of ['clearing', 'authorization_advice', 'return', 'return_reversal'] as const) {
        const reply = await simulate(platform, cardId, kind, { cardTransactionId, amount: 1 });
        assert.deepEqual([reply.status, reply.body.code], [404, 'TRANSACTION_NOT_FOUND'], kind);
      }
    }
  });

  it('cards.md §8.2: bodies that are wrong', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform);
    const { id } = await bought(world, platform, cardId, 100);
    const merchant = { descriptor: 'BOOKS' };
    const cases: [string, object, string][] = [
      ['authorization', {}, 'INVALID_INPUT'],
      ['authorization', { amount: 1, currency: {}, merchant }, 'INVALID_INPUT'],
      ['authorization', { amount: 1, currency: { code: 'EUR' }, merchant }, 'INVALID_CURRENCY'],
      ['authorization', { amount: 0, currency: { code: 'USD' }, merchant }, 'INVALID_INPUT'],
      ['authorization', { amount: 1.5, currency: { code: 'USD' }, merchant }, 'INVALID_INPUT'],
      ['authorization', { amount: 1, currency: { code: 'USD' }, merchant: {} }, 'INVALID_INPUT'],
      ['clearing', { cardTransactionId: 'nonsense', amount: 1 }, 'INVALID_INPUT'],
      ['clearing', { cardTransactionId: cardId, amount: 1 }, 'INVALID_INPUT'],
      ['clearing', { cardTransactionId: id, amount: -1 }, 'INVALID_INPUT'],
      ['authorization_advice', { cardTransactionId: id, amount: 0 }, 'INVALID_INPUT'],
      ['return', { cardTransactionId: id, amount: 0 }, 'INVALID_INPUT'],
      ['return', { cardTransactionId: id, amount: 1 }, 'INVALID_INPUT'],
      ['return_reversal', { cardTransactionId: id }, 'INVALID_INPUT'],
      ['return_reversal', {}, 'INVALID_INPUT'],
      ['balance_inquiry', {}, 'INVALID_INPUT'],
    ];
    for (const [kind, body, code] of cases) {
      const reply = await simulate(platform, cardId, kind as 'clearing', body);
      assert.deepEqual([reply.status, reply.body.code], [400, code], `${kind} ${JSON.stringify(body)}`);
    }
  });

  it('cards.md §8.2: an amount of 0 or less is refused, with the bounds', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform);
    const { id } = await bought(world, platform, cardId, 100);
    const about = { cardTransactionId: id };
    for (const amount of [0, -5]) {
      for (const [kind, body] of [
        ['authorization', purchaseBody(amount)],
        ['financial_authorization', purchaseBody(amount)],
        ['credit_authorization', purchaseBody(amount)],
        ['authorization_advice', { ...about, amount }],
        ['return', { ...about, amount }],
      ] as const) {
        const reply = await simulate(platform, cardId, kind, body);
        assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT'], reply.raw);
        assert.equal(reply.body.reason, 'amount: must be greater than 0', kind);
      }
    }
    const less = await simulate(platform, cardId, 'clearing', { ...about, amount: -1 });
    assert.equal(less.body.reason, 'amount: must be at least 0');
  });

  it('cards.md §8.2: a merchant has a category of four digits and a country that exists, or none', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform);
    const body = (merchant: object) => purchaseBody(100, 'BOOKS', merchant);
    const inquiry = (merchant: object) => ({ merchant: { descriptor: 'BOOKS', ...merchant } });
    for (const [merchant, fields] of [
      [{ mcc: '594' }, ['merchant.mcc']],
      [{ mcc: '59422' }, ['merchant.mcc']],
      [{ mcc: 'food' }, ['merchant.mcc']],
      [{ country: 'XX' }, ['merchant.country']],
      [{ country: 'Germany' }, ['merchant.country']],
      [{ mcc: '5', country: 'ZZZ' }, ['merchant.mcc', 'merchant.country']],
    ] as const) {
      for (const [kind, sent] of [
        ['authorization', body(merchant)],
        ['credit_authorization', body(merchant)],
        ['financial_authorization', body(merchant)],
        ['balance_inquiry', inquiry(merchant)],
      ] as const) {
        const reply = await simulate(platform, cardId, kind, sent);
        assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT'], reply.raw);
        const errors = reply.body.details.errors as { field: string }[];
        assert.deepEqual(
          errors.map(({ field }) => field),
          fields,
        );
      }
    }
    for (const country of ['US', 'us', 'USA', 'deu']) {
      const row = await simulated(world, platform, cardId, 'authorization', body({ mcc: '5942', country }));
      assert.deepEqual([row.status, row.merchant.country], ['AUTHORIZED', country]);
    }
  });

  it('cards.md §6.6.4: a blocked country is blocked in two letters and in three', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform);
    for (const country of ['IR', 'IRN', 'irn', 'prk', 'SYR', 'CUB']) {
      const sent = purchaseBody(100, 'BOOKS', { country });
      const row = await simulated(world, platform, cardId, 'authorization', sent);
      assert.deepEqual([row.status, row.declined_reason], ['DECLINED', 'BLOCKED'], country);
    }
  });

  describe('notices that follow a purchase by themselves', () => {
    const scene = async (
      descriptor: string,
      kind: 'authorization' | 'financial_authorization' = 'authorization',
    ) => {
      const platform = await givenPlatform(world);
      const { cardId, payer } = await givenCardholder(platform);
      const [available] = await fetchBalances(platform, payer);
      const row = await bought(world, platform, cardId, 1_250, descriptor, kind);
      const spent = async () => (available ?? 0) - ((await fetchBalances(platform, payer))[0] ?? 0);
      const rows = async () => {
        const query = { type: 'CARD', cardId, sortOrder: 'asc' };
        const { body } = await platform.send('listTransactions', { query });
        return (body.data as { id: string; status: string; settledAmount?: { amount: number } }[]).map(
          ({ status, settledAmount }) => [status, settledAmount?.amount],
        );
      };
      return { platform, cardId, row, spent, rows };
    };

    it('cards.md §8.38: a reversal releases the hold', async () => {
      const { platform, row, spent, rows } = await scene('BOOKS 011');
      assert.deepEqual([row.status, await spent()], ['AUTHORIZED', 1_250]);
      await advance(platform, 1);
      assert.deepEqual([await rows(), await spent()], [[['SETTLED', 0]], 0]);
      assert.deepEqual(await listEventTypes(platform, `Transaction:${row.id}`), ['AUTHORIZED', 'SETTLED']);
    });

    for (const steps of [[1, 1], [5]]) {
      it(`cards.md §8.39: a clearing after the expiry is pulled out of the balance (${steps.join(' and ')} s)`, async () => {
        const { platform, row, spent, rows } = await scene('BOOKS 012');
        if (steps.length > 1) {
          await advance(platform, 1);
          assert.deepEqual([await rows(), await spent()], [[['SETTLED', 0]], 0]);
          await advance(platform, 1);
        } else await advance(platform, 5);
        assert.deepEqual([await rows(), await spent()], [[['SETTLED', 1_250]], 1_250]);
        assert.deepEqual(await listEventTypes(platform, `Transaction:${row.id}`), [
          'AUTHORIZED',
          'SETTLED',
          'SETTLED',
        ]);
        assert.deepEqual(await postedFor(platform, row), [
          'L16 AVAIL 1250 → HOLD 1250',
          'L16 HOLD 1250 → AVAIL 1250',
          'L17 AVAIL 1250 → RAIL 1250',
        ]);
      });
    }

    it('cards.md §8.40: an increment is declined as a row of its own, and the purchase continues', async () => {
      const { platform, cardId, row, spent, rows } = await scene('BOOKS 013');
      await advance(platform, 1);
      assert.deepEqual((await rows()).toSorted(), [
        ['AUTHORIZED', undefined],
        ['DECLINED', undefined],
      ]);
      assert.equal(await spent(), 1_250);
      const about = { cardTransactionId: row.id, amount: 1_250 };
      assert.equal((await simulated(world, platform, cardId, 'clearing', about)).status, 'SETTLED');
      assert.equal(await spent(), 1_250);
    });

    it('cards.md §8.41: a declined purchase is posted all the same, as a row of its own', async () => {
      const { platform, row, spent, rows } = await scene('BOOKS 014');
      assert.deepEqual([row.status, row.declined_reason, await spent()], ['DECLINED', 'OTHER', 0]);
      await advance(platform, 1);
      assert.deepEqual((await rows()).toSorted(), [
        ['DECLINED', undefined],
        ['SETTLED', 1_250],
      ]);
      assert.equal(await spent(), 1_250);
    });

    it('cards.md §8.37, §8.38: nothing follows a single message, nor a purchase that was declined', async () => {
      const single = await scene('BOOKS 011', 'financial_authorization');
      await advance(single.platform, 5);
      assert.deepEqual([await single.rows(), await single.spent()], [[['SETTLED', 1_250]], 1_250]);
      const platform = await givenPlatform(world);
      const { cardId } = await givenCardholder(platform);
      const row = await bought(world, platform, cardId, 99_000_000, 'BOOKS 011');
      assert.equal(row.status, 'DECLINED');
      await advance(platform, 5);
      assert.equal((await loadCardTransaction(platform, row.token)).status, 'DECLINED');
    });
  });

  it('cards.md §8.2: the parent is judged by its state after all notices that were accepted earlier', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform);
    const { id } = await bought(world, platform, cardId, 1_000);
    const on = (kind: 'clearing' | 'return' | 'authorization_advice', amount: number) =>
      simulate(platform, cardId, kind, { cardTransactionId: id, amount });
    const codes = async (...replies: Promise<{ status: number; body: { code?: string } }>[]) =>
      (await Promise.all(replies)).map(({ status, body }) => body.code ?? status);
    // Nothing is applied yet: no worker runs.
    assert.deepEqual(await codes(on('return', 1)), ['INVALID_INPUT']);
    assert.deepEqual(await codes(on('clearing', 400)), [202]);
    assert.deepEqual(await codes(on('return', 401)), ['INVALID_AMOUNT']);
    assert.deepEqual(await codes(on('return', 400)), [202]);
    assert.deepEqual(await codes(on('return', 1)), ['INVALID_AMOUNT']);
    assert.deepEqual(await codes(on('clearing', 600)), [202]);
    assert.deepEqual(await codes(on('clearing', 1)), ['INVALID_INPUT']);
    assert.deepEqual(await codes(on('authorization_advice', 1)), ['INVALID_INPUT']);
    assert.deepEqual(await codes(on('return', 600)), [202]);
    await settle(world, platform);
    const [row] = await listRows(platform, id);
    assert.deepEqual([row?.status, row?.settled_amount, row?.returned], ['SETTLED', 1_000n, 1_000n]);
  });

  it('cards.md §8.2: a failing pull is taken into account, too', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform);
    const { id } = await bought(world, platform, cardId, 1_000, 'BOOKS 006');
    const reply = await simulate(platform, cardId, 'clearing', { cardTransactionId: id, amount: 1 });
    assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT']);
  });

  it('cards.md §8.15: a return is reversed only once', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform);
    const { id } = await bought(world, platform, cardId, 1_000, 'BOOKS', 'financial_authorization');
    const back = await simulated(world, platform, cardId, 'return', { cardTransactionId: id, amount: 1_000 });
    const reverse = () => simulate(platform, cardId, 'return_reversal', { cardTransactionId: back.id });
    const replies = await Promise.all([reverse(), reverse(), reverse()]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [202, 400, 400]);
    await settle(world, platform);
  });

  it('cards.md §8.2, §3.4, §3.5: a card that is not active declines, and existing transactions continue', async () => {
    const platform = await givenPlatform(world);
    for (const status of ['FROZEN', 'CLOSED']) {
      const { cardId } = await givenCardholder(platform);
      const { id } = await bought(world, platform, cardId, 1_000);
      const changed = await platform.send('updateCardById', { params: { id: cardId }, body: { status } });
      assert.equal(changed.status, 200, changed.raw);
      const declined = await bought(world, platform, cardId, 1_000);
      assert.equal(declined.declined_reason, 'CARD_NOT_ACTIVE');
      const clearing = { cardTransactionId: id, amount: 1_200 };
      const cleared = await simulated(world, platform, cardId, 'clearing', clearing);
      assert.deepEqual([cleared.status, cleared.settled_amount], ['SETTLED', 1_200n], status);
      const returning = { cardTransactionId: id, amount: 1_200 };
      const returned = await simulated(world, platform, cardId, 'return', returning);
      assert.equal(returned.status, 'SETTLED');
    }
  });

  it('cards.md §6.10: a call with its key again is the same notice', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform);
    const call = { params: { id: cardId }, body: purchaseBody(100), key: 'purchase-1' };
    const replies = await Promise.all(
      [1, 2, 3].map(() => platform.send('sandboxSimulateCardAuthorization', call)),
    );
    const tokens = new Set(replies.map(({ body }) => body.issuerTransactionToken));
    assert.equal(tokens.size, 1);
    await settle(world, platform);
    const { body } = await platform.send('listTransactions', { query: { cardId } });
    assert.equal(body.data.length, 1);
  });

  it('cards.md §8.1: notices are applied in the order they were accepted', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform, 1_000);
    const sent: string[] = [];
    for (let n = 0; n < 6; n++) {
      const reply = await simulate(platform, cardId, 'authorization', purchaseBody(400));
      sent.push(reply.body.issuerTransactionToken);
    }
    await Promise.all([settle(world, platform), settle(world, platform)]);
    const rows = await Promise.all(sent.map((token) => loadCardTransaction(platform, token)));
    const statuses = rows.map(({ status }) => status[0]);
    assert.deepEqual(statuses.join(''), 'AADDDD');
  });

  async function listRows(platform: TestPlatform, id: string) {
    const { body } = await platform.send('getTransactionById', { params: { transactionId: id } });
    return [await loadCardTransaction(platform, body.issuerTransactionToken)];
  }
});
