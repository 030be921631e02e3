import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { givenPlatform } from '#tests/given-payments.ts';
import {
  bought,
  givenCardholder,
  purchaseBody,
  rowOf,
  settle,
  simulate,
  simulated,
} from '#tests/given-purchases.ts';
import { type TestPlatform, testWorld } from '#tests/harness.ts';

const UNKNOWN = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('the simulators of the card network', () => {
  const world = testWorld();

  it('A.8.2: a production token may not play the network', async () => {
    const platform = await givenPlatform(world, { environment: 'PRODUCTION' });
    const reply = await simulate(platform, `Card:${UNKNOWN}`, 'authorization', purchaseBody(1));
    assert.deepEqual([reply.status, reply.body.code], [403, 'FORBIDDEN']);
  });

  it('A.8.2: cards and transactions that nobody knows, or somebody else has', async () => {
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

  it('A.8.2: bodies that are wrong', async () => {
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

  it('A.8.2: the parent is judged as it is after everything that was accepted earlier', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform);
    const { id } = await bought(world, platform, cardId, 1_000);
    const on = (kind: 'clearing' | 'return' | 'authorization_advice', amount: number) =>
      simulate(platform, cardId, kind, { cardTransactionId: id, amount });
    const codes = async (...replies: Promise<{ status: number; body: { code?: string } }>[]) =>
      (await Promise.all(replies)).map(({ status, body }) => body.code ?? status);
    // Nothing has taken effect yet: no worker runs.
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
    const [row] = await rowsOf(platform, id);
    assert.deepEqual([row?.status, row?.settled_amount, row?.returned], ['SETTLED', 1_000n, 1_000n]);
  });

  it('A.8.2: a failing pull, too, is taken into account', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform);
    const { id } = await bought(world, platform, cardId, 1_000, 'BOOKS 006');
    const reply = await simulate(platform, cardId, 'clearing', { cardTransactionId: id, amount: 1 });
    assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT']);
  });

  it('CM-5: a return is taken back once', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform);
    const { id } = await bought(world, platform, cardId, 1_000, 'BOOKS', 'financial_authorization');
    const back = await simulated(world, platform, cardId, 'return', { cardTransactionId: id, amount: 1_000 });
    const reverse = () => simulate(platform, cardId, 'return_reversal', { cardTransactionId: back.id });
    const replies = await Promise.all([reverse(), reverse(), reverse()]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [202, 400, 400]);
    await settle(world, platform);
  });

  it('A.8.2, A.3.4, A.3.5: a card that is not active declines, and what exists goes on', async () => {
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

  it('A.6.10: a call with its key again is the same message', async () => {
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

  it('A.8.1: messages take effect in the order of their acceptance', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform, 1_000);
    const sent: string[] = [];
    for (let n = 0; n < 6; n++) {
      const reply = await simulate(platform, cardId, 'authorization', purchaseBody(400));
      sent.push(reply.body.issuerTransactionToken);
    }
    await Promise.all([settle(world, platform), settle(world, platform)]);
    const rows = await Promise.all(sent.map((token) => rowOf(platform, token)));
    const statuses = rows.map(({ status }) => status[0]);
    assert.deepEqual(statuses.join(''), 'AADDDD');
  });

  async function rowsOf(platform: TestPlatform, id: string) {
    const { body } = await platform.send('getTransactionById', { params: { transactionId: id } });
    return [await rowOf(platform, body.issuerTransactionToken)];
  }
});
