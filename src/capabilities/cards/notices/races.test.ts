// lane: whole — repeats races many times

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Authorization, NetworkNotice, NoticeAnswer } from '#capabilities/cards/machine/notice.ts';
import { receiveNotice } from '#capabilities/cards/notices/receive-notice.ts';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Work } from '#foundation/database/work.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';
import { givenCard, patchCard } from '#tests/given/cards.ts';
import { givenPlatform } from '#tests/given/payments.ts';
import { fetchBalances, givenCardholder, loadCardTransaction } from '#tests/given/purchases.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const MERCHANT = { descriptor: 'CORNER BOOKS' };
/** Nothing here may depend on the speed of the machine. */
const SLOWLY = { settings: { cards: { decisionMs: 60_000 } } } as never;
const ROUNDS = 12;

describe('card notices at the same moment', () => {
  const world = testWorld();

  /** A cardholder whose notices arrive at two processes in turn. */
  async function givenTwoEntrances(cents: number, cards = 1) {
    const platform = await givenPlatform(world, SLOWLY);
    const { payer, cardId } = await givenCardholder(platform, cents);
    const ids: CardId[] = [uuidOf(cardId)];
    while (ids.length < cards) ids.push(uuidOf((await givenCard(platform, payer)).id));
    const entrances = [await platform.work(), await (await world.elsewhere(platform)).work()];
    let turn = 0;
    const send = (notice: NetworkNotice) => receiveNotice(entrances[turn++ % 2] as Work, notice);
    const settle = async () => {
      await world.app.worker.settle(platform.id);
    };
    return { platform, payer, cardIds: ids, cardId: ids[0] ?? NIL_ID, send, settle };
  }

  const asks = (cardId: CardId, amount: bigint, token: string = randomUUID()): Authorization => ({
    kind: 'authorization',
    asks: 'DEBIT',
    isFinal: false,
    id: randomUUID(),
    token,
    cardId,
    amount,
    merchant: MERCHANT,
  });
  const clears = (cardId: CardId, amount: bigint, token: string): NetworkNotice => ({
    kind: 'clearing',
    direction: 'DEBIT',
    id: randomUUID(),
    token,
    cardId,
    amount,
    merchant: MERCHANT,
  });
  const isApproved = (answer: NoticeAnswer) => 'isApproved' in answer && answer.isApproved;

  async function listRows(platform: TestPlatform): Promise<Pick<CardTransactionRow, 'status' | 'hold'>[]> {
    return world.database.query(
      sql`select status, hold from card_transactions where platform_id = ${platform.id}`,
    );
  }

  it('cards.md §6.6: of many concurrent authorizations on several cards of one account exactly as many are approved as it covers', async () => {
    const { platform, payer, cardIds, send } = await givenTwoEntrances(10_000, 3);
    const amounts = Array.from({ length: 24 }, (_, i) => asks(cardIds[i % 3] ?? NIL_ID, 1_500n));
    const answers = await Promise.all(amounts.map(send));
    assert.equal(answers.filter(isApproved).length, 6);
    assert.deepEqual(await fetchBalances(platform, payer), [1_000, 10_000]);
    assert.equal((await listRows(platform)).filter(({ status }) => status === 'AUTHORIZED').length, 6);
  });

  it('cards.md §6.6: the same holds with single messages among them', async () => {
    const { platform, payer, cardIds, send } = await givenTwoEntrances(10_000, 2);
    const wanted = Array.from({ length: 16 }, (_, i) => ({
      ...asks(cardIds[i % 2] ?? NIL_ID, 3_000n),
      isFinal: i % 3 > 0,
    }));
    const answers = await Promise.all(wanted.map(send));
    assert.equal(answers.filter(isApproved).length, 3);
    assert.equal((await fetchBalances(platform, payer))[0], 1_000);
  });

  it('cards.md §1.6: the day’s limit of a card admits exactly as many', async () => {
    const { platform, cardId, send } = await givenTwoEntrances(100_000);
    const limited = await patchCard(platform, `Card:${cardId}`, {
      maxSpendPerDay: 5_000,
      maxTransactionsPerDay: 4,
    });
    assert.equal(limited.status, 200, limited.raw);
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(asks(cardId, 1_000n))));
    assert.equal(answers.filter(isApproved).length, 4);
  });

  it('cards.md §6.10: every kind of notice, sent four times at once, is applied once, and all get the same answer', async () => {
    const { platform, payer, cardId, send } = await givenTwoEntrances(10_000);
    const named = (kind: string, token: string, more: object) =>
      ({ kind, id: randomUUID(), token, cardId, merchant: MERCHANT, ...more }) as NetworkNotice;
    const notices: NetworkNotice[] = [
      asks(cardId, 1_000n, 'a'),
      named('increment', 'a', { amount: 500n }),
      named('advice', 'a', { amount: 2_000n }),
      clears(cardId, 700n, 'a'),
      named('reversal', 'a', { amount: 100n }),
      named('return', 'b', { purchaseToken: 'a', amount: 300n }),
      named('return_reversal', 'c', { returnToken: 'b', amount: 300n }),
      named('expiry', 'a', {}),
      { ...asks(cardId, 400n, 'd'), isFinal: true },
      { ...asks(cardId, 250n, 'e'), asks: 'CREDIT', isFinal: true },
      asks(cardId, 1_000n, 'f'),
      named('pull_failure', 'f', {}),
      clears(cardId, 50n, 'g'),
      asks(cardId, 99_999n, 'h'),
    ];
    for (const notice of notices) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => send(notice)));
      for (const answer of answers) assert.deepEqual(answer, answers[0], notice.kind);
    }
    // 700 cleared, 400 and 250 in one message each, 50 without an authorization; 1,000 is owed by its row.
    assert.deepEqual(await fetchBalances(platform, payer), [9_100, 9_100]);
    assert.equal((await loadCardTransaction(platform, 'f')).receivable, 1_000n);
    assert.equal((await listRows(platform)).length, 8);
  });

  it('cards.md §6.11: an authorization and its concurrent clearing are charged once, whichever is first', async () => {
    const { platform, payer, cardId, send, settle } = await givenTwoEntrances(100_000);
    for (let round = 0; round < ROUNDS; round++) {
      const token = `t-${round}`;
      const [answer] = await Promise.all([
        send(asks(cardId, 1_000n, token)),
        send(clears(cardId, 1_000n, token)),
      ]);
      assert.ok(answer && isApproved(answer));
      await settle();
      assert.equal((await loadCardTransaction(platform, token)).status, 'SETTLED');
    }
    const left = 100_000 - ROUNDS * 1_000;
    assert.deepEqual(await fetchBalances(platform, payer), [left, left]);
  });

  it('cards.md §6.11: an authorization and its reversal at once leave nothing on hold', async () => {
    const { platform, payer, cardId, send, settle } = await givenTwoEntrances(100_000);
    for (let round = 0; round < ROUNDS; round++) {
      const token = `t-${round}`;
      const reversal = { kind: 'reversal', id: randomUUID(), token, cardId } as const;
      await Promise.all([send(asks(cardId, 1_000n, token)), send(reversal)]);
      await settle();
      const { status, hold } = await loadCardTransaction(platform, token);
      assert.deepEqual([status, hold], ['SETTLED', 0n]);
    }
    assert.deepEqual(await fetchBalances(platform, payer), [100_000, 100_000]);
  });

  for (const status of ['FROZEN', 'CLOSED'] as const) {
    it(`cards.md §3.4, §3.5: after the reply that a card is ${status} nothing is approved, and existing holds stay`, async () => {
      for (let round = 0; round < ROUNDS / 3; round++) {
        const { platform, payer, cardId, send } = await givenTwoEntrances(100_000);
        let isOver = false;
        const late: NoticeAnswer[] = [];
        let approved = 0;
        const ask = async () => {
          for (let i = 0; i < 6; i++) {
            const wasOver = isOver;
            const answer = await send(asks(cardId, 100n));
            if (isApproved(answer)) approved++;
            if (wasOver) late.push(answer);
          }
        };
        const change = async () => {
          const reply = await patchCard(platform, `Card:${cardId}`, { status });
          assert.equal(reply.status, 200, reply.raw);
          isOver = true;
        };
        await Promise.all([ask(), ask(), ask(), change()]);
        late.push(await send(asks(cardId, 100n)));
        const refused = { isApproved: false, reason: 'CARD_NOT_ACTIVE' };
        for (const answer of late) assert.deepEqual(answer, refused);
        assert.deepEqual(await fetchBalances(platform, payer), [100_000 - approved * 100, 100_000]);
      }
    });
  }

  it('cards.md §6.9: concurrent clearings, advices and reversals of one row add up to its books', async () => {
    const { platform, payer, cardId, send } = await givenTwoEntrances(100_000);
    await send(asks(cardId, 10_000n, 'a'));
    const named = { cardId, token: 'a' };
    await Promise.all([
      ...Array.from({ length: 6 }, () => send(clears(cardId, 500n, 'a'))),
      ...Array.from({ length: 3 }, () =>
        send({ kind: 'reversal', id: randomUUID(), amount: 100n, ...named }),
      ),
      ...Array.from({ length: 3 }, () =>
        send({ kind: 'increment', id: randomUUID(), amount: 200n, merchant: MERCHANT, ...named }),
      ),
    ]);
    const { status, authorized_amount, settled_amount, hold } = await loadCardTransaction(platform, 'a');
    assert.deepEqual(
      [status, authorized_amount, settled_amount, hold],
      ['PARTIALLY_SETTLED', 10_300n, 3_000n, 7_300n],
    );
    assert.deepEqual(await fetchBalances(platform, payer), [89_700, 97_000]);
  });
});
