// lane: whole — every notice of a processor

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import pg from 'pg';
import type { NetworkNotice, NoticeAnswer } from '#capabilities/cards/machine/notice.ts';
import { receiveNotice } from '#capabilities/cards/notices/receive-notice.ts';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import { Work } from '#foundation/database/work.ts';
import type { CardsPort } from '#foundation/ports/cards.ts';
import { untilBlocked } from '#tests/given/blocked.ts';
import { givenCard } from '#tests/given/cards.ts';
import { advance, givenPlatform, listEventTypes } from '#tests/given/payments.ts';
import {
  type Cardholder,
  fetchBalances,
  givenCardholder,
  loadCardTransaction,
  postedFor,
  settle,
} from '#tests/given/purchases.ts';
import { type PlatformOptions, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const MERCHANT = { descriptor: 'CORNER BOOKS' };
const APPROVED: NoticeAnswer = { isApproved: true };
type Sent = NetworkNotice extends infer Each
  ? Each extends NetworkNotice
    ? Omit<Each, 'cardId'>
    : never
  : never;

/** Plays a processor's adapter, which passes the network's notices to the entry point. */
describe('notices of a processor', () => {
  const world = testWorld();

  const asks = (amount: bigint, token: string, id: string = randomUUID()): Sent => ({
    kind: 'authorization',
    asks: 'DEBIT',
    isFinal: false,
    id,
    token,
    amount,
    merchant: MERCHANT,
  });
  const clears = (amount: bigint, token: string, id: string = randomUUID()): Sent => ({
    kind: 'clearing',
    direction: 'DEBIT',
    id,
    token,
    amount,
    merchant: MERCHANT,
  });

  interface Processor extends Cardholder {
    readonly platform: TestPlatform;
    send(notice: Sent): Promise<NoticeAnswer>;
    /** The same for another card. */
    sendAs(cardId: string, notice: Sent): Promise<NoticeAnswer>;
  }

  /** An issuer like the sandbox's, which may approve uncovered purchases. */
  async function givenProcessor(
    cents: number,
    {
      card,
      cards,
      settings,
    }: { card?: object; cards?: Partial<CardsPort>; settings?: PlatformOptions['settings'] } = {},
  ): Promise<Processor> {
    const platform = await givenPlatform(world, settings ? { settings } : {});
    const holder = await givenCardholder(platform, cents, card);
    const { runtime, platform: inside, actor } = await platform.work();
    const ports: typeof runtime.ports = (environment) => {
      const own = runtime.ports(environment);
      return { ...own, cards: { ...own.cards, ...cards } };
    };
    const work = new Work({ ...runtime, ports }, inside, actor);
    const sendAs = (cardId: string, notice: Sent) =>
      receiveNotice(work, { ...notice, cardId: uuidOf(cardId) } as NetworkNotice);
    return { ...holder, platform, sendAs, send: (notice) => sendAs(holder.cardId, notice) };
  }

  it('cards.md §6.10: a repeated notice changes nothing and gets the same answer', async () => {
    const { platform, payer, send } = await givenProcessor(10_000);
    const notices = [
      asks(1_000n, 'a', 'm1'),
      { kind: 'increment', id: 'm2', token: 'a', amount: 500n, merchant: MERCHANT },
      { kind: 'advice', id: 'm3', token: 'a', amount: 2_000n },
      clears(700n, 'a'),
      { kind: 'reversal', id: 'm4', token: 'a', amount: 100n },
      { kind: 'return', id: 'm5', token: 'b', purchaseToken: 'a', amount: 300n, merchant: MERCHANT },
      { kind: 'return_reversal', id: 'm6', token: 'c', returnToken: 'b', amount: 300n, merchant: MERCHANT },
      { kind: 'expiry', id: 'm7', token: 'a' },
      asks(99_999n, 'd', 'm8'),
      clears(50n, 'e', 'm9'),
    ] as Sent[];
    for (const notice of notices) {
      const first = await send(notice);
      const before = [
        await fetchBalances(platform, payer),
        await loadCardTransaction(platform, notice.token),
      ];
      assert.deepEqual(await send(notice), first, notice.kind);
      const repeated = await Promise.all([send(notice), send(notice)]);
      assert.deepEqual(repeated, [first, first]);
      assert.deepEqual(
        [await fetchBalances(platform, payer), await loadCardTransaction(platform, notice.token)],
        before,
      );
    }
    assert.deepEqual(await fetchBalances(platform, payer), [9_250, 9_250]);
  });

  it('cards.md §6.10: one notice sent many times at once is applied once', async () => {
    const { platform, payer, send } = await givenProcessor(10_000);
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(asks(1_000n, 'a', 'm1'))));
    assert.deepEqual(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
    assert.deepEqual(await fetchBalances(platform, payer), [9_000, 10_000]);
    await Promise.all(Array.from({ length: 6 }, () => send(clears(400n, 'a', 'm2'))));
    assert.deepEqual(await fetchBalances(platform, payer), [9_000, 9_600]);
  });

  it('cards.md §6.11, §6.1.14, §6.9.7: a clearing without its authorization is a force post, and the authorization then changes nothing', async () => {
    const { platform, payer, send } = await givenProcessor(1_000, { card: { maxSpendPerTransaction: 1 } });
    await send(clears(400n, 'a'));
    const row = await loadCardTransaction(platform, 'a');
    assert.deepEqual([row.status, row.authorized_amount, row.settled_amount], ['SETTLED', 400n, 400n]);
    assert.deepEqual(await send(asks(400n, 'a')), APPROVED);
    assert.deepEqual(await loadCardTransaction(platform, 'a'), row);
    await send(clears(601n, 'b'));
    const owing = await loadCardTransaction(platform, 'b');
    assert.deepEqual([owing.status, owing.receivable], ['EXCEPTION', 601n]);
    assert.deepEqual(await postedFor(platform, owing), ['L23 RECEIVABLE 601 → RAIL 601']);
    assert.deepEqual(await fetchBalances(platform, payer), [600, 600]);
  });

  it('cards.md §6.11: another authorization under the token of one that was declined is declined too, and clears as a force post', async () => {
    const { platform, payer, send } = await givenProcessor(1_000);
    assert.deepEqual(await send(asks(1_001n, 'a')), { isApproved: false, reason: 'INSUFFICIENT_FUNDS' });
    assert.deepEqual(await send(asks(1n, 'a')), { isApproved: false, reason: 'OTHER' });
    await send(clears(400n, 'a', 'm1'));
    assert.equal((await loadCardTransaction(platform, 'a')).status, 'DECLINED');
    assert.deepEqual(
      [(await loadCardTransaction(platform, 'm1')).status, await fetchBalances(platform, payer)],
      ['SETTLED', [600, 600]],
    );
  });

  it('cards.md §6.11: a return of an unknown purchase is a separate credit', async () => {
    const { platform, payer, send } = await givenProcessor(0);
    await send({ kind: 'return', id: 'm', token: 'r', purchaseToken: 'x', amount: 300n, merchant: MERCHANT });
    const row = await loadCardTransaction(platform, 'r');
    assert.deepEqual([row.direction, row.status, row.original_id], ['CREDIT', 'SETTLED', null]);
    assert.deepEqual(await fetchBalances(platform, payer), [300, 300]);
  });

  it('cards.md §6.11: a reversal that arrives before its authorization waits for it', async () => {
    const { platform, payer, send } = await givenProcessor(1_000);
    await send({ kind: 'reversal', id: 'm', token: 'a' });
    assert.deepEqual(await send(asks(400n, 'a')), APPROVED);
    await settle(world, platform);
    const row = await loadCardTransaction(platform, 'a');
    assert.deepEqual([row.status, row.settled_amount], ['SETTLED', 0n]);
    assert.deepEqual(await fetchBalances(platform, payer), [1_000, 1_000]);
    assert.deepEqual(await listEventTypes(platform, `Transaction:${row.id}`), ['AUTHORIZED', 'SETTLED']);
  });

  it('cards.md §6.11: a notice that waits for another card’s authorization under the same token keeps waiting', async () => {
    const { platform, payer, send, sendAs } = await givenProcessor(1_000);
    const other = (await givenCard(platform, payer)).id;
    await sendAs(other, { kind: 'reversal', id: 'm1', token: 'a' });
    await send({ kind: 'reversal', id: 'm2', token: 'a' });
    await send(asks(400n, 'a'));
    await settle(world, platform);
    const waiting = await (await platform.work()).read(
      (tx) => tx.sql<{ id: string }>`
      select id from card_messages where platform_id = ${tx.platformId} and is_early`,
    );
    assert.deepEqual(
      waiting.map(({ id }) => id),
      ['m1'],
    );
  });

  it('cards.md §6.11: whichever of the two is first, nothing stays on hold', async () => {
    for (let round = 0; round < 5; round++) {
      const { platform, payer, send } = await givenProcessor(1_000);
      await Promise.all([
        send(asks(400n, 'a')),
        send({ kind: 'advice', id: 'm1', token: 'a', amount: 300n }),
        send({ kind: 'reversal', id: 'm2', token: 'a' }),
      ]);
      await settle(world, platform);
      assert.equal((await loadCardTransaction(platform, 'a')).status, 'SETTLED');
      assert.deepEqual(await fetchBalances(platform, payer), [1_000, 1_000]);
    }
  });

  it('cards.md §6.11: after a day it is dropped, with an audit row', async () => {
    const { platform, payer, send, cardId } = await givenProcessor(1_000);
    await send({ kind: 'reversal', id: 'm', token: 'a' });
    await advance(platform, 86_400);
    assert.deepEqual(await send(asks(400n, 'a')), APPROVED);
    await settle(world, platform);
    assert.deepEqual(await fetchBalances(platform, payer), [600, 1_000]);
    const notes = await (await platform.work()).read(
      (tx) => tx.sql<{ details: { why: string } }>`
      select details from audit_log
       where platform_id = ${tx.platformId} and resource = ${cardId} and action = 'card message without effect'`,
    );
    assert.deepEqual(
      notes.map(({ details }) => details.why),
      ['no authorization came for it'],
    );
  });

  it('cards.md §6.11: the row of a return’s reversal cannot be returned, and a return of 0 changes nothing', async () => {
    const { platform, send } = await givenProcessor(10_000);
    await send(clears(1_000n, 'a'));
    const back = { kind: 'return', purchaseToken: 'a', amount: 1_000n, merchant: MERCHANT } as const;
    await send({ ...back, id: 'm1', token: 'b' });
    const undone = { kind: 'return_reversal', token: 'c', returnToken: 'b', merchant: MERCHANT } as const;
    await send({ ...undone, id: 'm2', amount: 1_000n });
    await send({ ...back, id: 'm3', token: 'd', purchaseToken: 'c' });
    assert.equal((await loadCardTransaction(platform, 'd')).original_id, null);
    assert.deepEqual(await send({ ...back, id: 'm4', token: 'e', amount: 0n }), { isApplied: false });
    assert.deepEqual(await send({ ...undone, id: 'm5', token: 'f', amount: 0n }), { isApplied: false });
  });

  it('cards.md §6.1.7: an advice that leaves nothing ends the row', async () => {
    const { platform, payer, send } = await givenProcessor(10_000);
    await send(asks(1_000n, 'a'));
    await send({ kind: 'advice', id: 'm1', token: 'a', amount: 0n });
    const { status, authorized_amount, settled_amount } = await loadCardTransaction(platform, 'a');
    assert.deepEqual([status, authorized_amount, settled_amount], ['SETTLED', 0n, 0n]);
    assert.deepEqual(await fetchBalances(platform, payer), [10_000, 10_000]);
  });

  it('cards.md §6.1.9, §6.1.10, §6.9.6: late clearings', async () => {
    const { platform, payer, send } = await givenProcessor(1_000);
    await send(asks(400n, 'a'));
    await send({ kind: 'expiry', id: 'm', token: 'a' });
    await send(clears(400n, 'a'));
    assert.equal((await loadCardTransaction(platform, 'a')).status, 'SETTLED');
    await send(clears(601n, 'a'));
    await send(clears(100n, 'a'));
    const row = await loadCardTransaction(platform, 'a');
    assert.deepEqual([row.status, row.settled_amount, row.receivable], ['EXCEPTION', 1_101n, 601n]);
    assert.deepEqual(await fetchBalances(platform, payer), [500, 500]);
    assert.deepEqual(await listEventTypes(platform, `Transaction:${row.id}`), [
      'AUTHORIZED',
      'SETTLED',
      'SETTLED',
      'EXCEPTION',
      'EXCEPTION',
    ]);
  });

  it('cards.md §6.9.5, §6.1.5, §6.1.6: a reversal lowers the total and the hold', async () => {
    const { platform, payer, send } = await givenProcessor(1_000);
    await send(asks(400n, 'a'));
    await send({ kind: 'reversal', id: 'm1', token: 'a', amount: 100n });
    const row = await loadCardTransaction(platform, 'a');
    assert.deepEqual([row.status, row.authorized_amount, row.hold], ['AUTHORIZED', 300n, 300n]);
    await send({ kind: 'reversal', id: 'm2', token: 'a', amount: 300n });
    assert.equal((await loadCardTransaction(platform, 'a')).status, 'SETTLED');
    assert.deepEqual(await fetchBalances(platform, payer), [1_000, 1_000]);
  });

  it('cards.md §6.9.4: an increment is decided like an authorization; declined, it is a row of its own', async () => {
    const { platform, payer, send } = await givenProcessor(1_000, {
      card: { maxSpendPerTransaction: 700, maxTransactionsPerDay: 1 },
    });
    const more = (amount: bigint, id: string): Sent => ({
      kind: 'increment',
      id,
      token: 'a',
      amount,
      merchant: MERCHANT,
    });
    await send(asks(400n, 'a'));
    assert.deepEqual(await send(more(300n, 'i1')), APPROVED);
    assert.deepEqual(await send(more(1n, 'i2')), { isApproved: false, reason: 'SPEND_LIMIT_EXCEEDED' });
    const row = await loadCardTransaction(platform, 'a');
    assert.deepEqual([row.status, row.authorized_amount, row.hold], ['AUTHORIZED', 700n, 700n]);
    const declined = await loadCardTransaction(platform, 'i2');
    assert.deepEqual([declined.status, declined.authorized_amount], ['DECLINED', 1n]);
    assert.deepEqual(await fetchBalances(platform, payer), [300, 1_000]);
  });

  it('cards.md §6.8: an uncovered approval has no hold, and is pulled entirely at the clearing', async () => {
    const { platform, payer, send } = await givenProcessor(1_000, { cards: { approvesUncovered: true } });
    assert.deepEqual(await send(asks(1_000n, 'covered')), APPROVED);
    assert.deepEqual(await send(asks(500n, 'a')), APPROVED);
    assert.equal((await loadCardTransaction(platform, 'a')).hold, 0n);
    await send({ kind: 'reversal', id: 'm', token: 'covered' });
    await send(clears(500n, 'a'));
    assert.deepEqual(await fetchBalances(platform, payer), [500, 500]);
    assert.deepEqual(await send(asks(501n, 'b')), APPROVED);
    await send(clears(501n, 'b'));
    const row = await loadCardTransaction(platform, 'b');
    assert.deepEqual([row.status, row.receivable], ['EXCEPTION', 501n]);
    const single = { ...asks(600n, 'c'), isFinal: true } as Sent;
    assert.deepEqual(await send(single), APPROVED);
    assert.equal((await loadCardTransaction(platform, 'c')).status, 'EXCEPTION');
  });

  it('cards.md §6.8: the uncovered amount can be limited exactly, also for parallel authorizations', async () => {
    const { platform, send } = await givenProcessor(0, {
      cards: { approvesUncovered: true },
      settings: { cards: { uncoveredMax: 1_000 } },
    });
    const tokens = ['a', 'b', 'c', 'd', 'e', 'f'];
    const answers = await Promise.all(tokens.map((token) => send(asks(400n, token))));
    assert.equal(answers.filter((answer) => 'isApproved' in answer && answer.isApproved).length, 2);
    const blocked = answers.find((answer) => 'isApproved' in answer && !answer.isApproved);
    assert.deepEqual(blocked, { isApproved: false, reason: 'BLOCKED' });
    const rows = await Promise.all(tokens.map((token) => loadCardTransaction(platform, token)));
    const [open] = rows.filter(({ status }) => status === 'AUTHORIZED');
    await send(clears(400n, open?.token ?? ''));
    assert.deepEqual(await send(asks(201n, 'g')), { isApproved: false, reason: 'BLOCKED' });
    assert.deepEqual(await send(asks(200n, 'h')), APPROVED);
  });

  it('cards.md §6.8: a commit that waits for this limit holds no lock on the account that others wait for', async () => {
    const { platform, send } = await givenProcessor(0, {
      cards: { approvesUncovered: true },
      settings: { cards: { uncoveredMax: 1_000, decisionMs: 60_000 } },
    });
    const other = new pg.Client({ connectionString: world.databaseUrl });
    await other.connect();
    try {
      const lock = (how: string) =>
        other.query(`select 1 from internal_accounts where platform_id = $1 for ${how}`, [platform.id]);
      await other.query(`begin; set local lock_timeout = '200ms'`);
      await lock('share');
      const answering = send(asks(400n, 'a'));
      await untilBlocked(world.databaseUrl, 1, answering);
      await lock('no key update');
      await other.query('commit');
      assert.deepEqual(await answering, APPROVED);
    } finally {
      await other.end();
    }
  });

  it('cards.md §6.6.3: another network than the card’s brand', async () => {
    const { send } = await givenProcessor(1_000);
    const answer = await send({ ...asks(1n, 'a'), network: 'MASTERCARD' } as Sent);
    assert.deepEqual(answer, { isApproved: false, reason: 'UNSUPPORTED_NETWORK' });
  });

  it('cards.md §6.6.8: an authorization that is not decided in time is declined, and a late approval is reversed', async () => {
    const settings = { cards: { decisionMs: 100 } };
    const { platform, payer, send } = await givenProcessor(1_000, { settings });
    const other = new pg.Client({ connectionString: world.databaseUrl });
    await other.connect();
    try {
      await other.query('begin');
      await other.query(`select 1 from ledger_balances where platform_id = $1 for update`, [platform.id]);
      const answering = send(asks(400n, 'a', 'm1'));
      assert.deepEqual(await answering, { isApproved: false, reason: 'OTHER' });
      await untilBlocked(world.databaseUrl, 1, new Promise(() => undefined));
    } finally {
      await other.query('rollback');
      await other.end();
    }
    for (;;) {
      const row = await loadCardTransaction(platform, 'a').catch(() => undefined);
      if (row?.status === 'SETTLED') break;
    }
    assert.deepEqual(await fetchBalances(platform, payer), [1_000, 1_000]);
  });

  const DECLINED: NoticeAnswer = { isApproved: false, reason: 'OTHER' };
  const FINAL = { isFinal: true } as const;

  it('cards.md §6.11: a token with a row approves no more than the row’s amount, and nothing if the row was declined', async () => {
    const { platform, payer, send } = await givenProcessor(1_000);
    await send(asks(1_001n, 'declined'));
    assert.deepEqual(await send(asks(1_001n, 'declined')), DECLINED);
    await send(asks(400n, 'a'));
    assert.deepEqual(await send(asks(400n, 'a')), APPROVED);
    assert.deepEqual(await send(asks(401n, 'a')), DECLINED);
    assert.deepEqual(await send({ ...asks(1n, 'a'), asks: 'CREDIT' } as Sent), DECLINED);
    const row = await loadCardTransaction(platform, 'a');
    assert.deepEqual([row.status, row.hold], ['AUTHORIZED', 400n]);
    assert.deepEqual(await fetchBalances(platform, payer), [600, 1_000]);
  });

  it('cards.md §6.10: the token of another card’s row approves nothing, and clearings and returns under it are booked', async () => {
    const { platform, payer, send, sendAs } = await givenProcessor(1_000);
    const other = (await givenCard(platform, payer)).id;
    const sendOther = (notice: Sent) => sendAs(other, notice);
    await send(asks(100n, 'a'));
    assert.deepEqual(await sendOther(asks(100n, 'a')), DECLINED);
    const more = { kind: 'increment', id: 'i', token: 'a', amount: 1n, merchant: MERCHANT } as const;
    assert.deepEqual(await sendOther(more), DECLINED);
    await sendOther(clears(300n, 'a', 'c'));
    assert.equal((await loadCardTransaction(platform, 'c')).settled_amount, 300n);
    await sendOther({
      kind: 'return',
      id: 'r',
      token: 'a',
      purchaseToken: 'c',
      amount: 50n,
      merchant: MERCHANT,
    });
    assert.equal((await loadCardTransaction(platform, 'r')).settled_amount, 50n);
    assert.equal((await loadCardTransaction(platform, 'a')).status, 'AUTHORIZED');
    assert.deepEqual(await fetchBalances(platform, payer), [650, 750]);
  });

  it('cards.md §6.9: a clearing in the opposite direction of its row is booked separately', async () => {
    const { platform, payer, send } = await givenProcessor(1_000);
    await send({ ...asks(100n, 'credit'), asks: 'CREDIT' } as Sent);
    await send(clears(100n, 'credit', 'c'));
    assert.equal((await loadCardTransaction(platform, 'credit')).status, 'AUTHORIZED');
    assert.deepEqual(await fetchBalances(platform, payer), [900, 900]);
  });

  it('cards.md §8.15: a return is reversed entirely; another amount is booked separately', async () => {
    const { platform, payer, send } = await givenProcessor(1_000);
    await send(clears(500n, 'a'));
    await send({
      kind: 'return',
      id: 'm1',
      token: 'r',
      purchaseToken: 'a',
      amount: 300n,
      merchant: MERCHANT,
    });
    await send({
      kind: 'return_reversal',
      id: 'm2',
      token: 'b',
      returnToken: 'r',
      amount: 100n,
      merchant: MERCHANT,
    });
    assert.deepEqual(
      [
        (await loadCardTransaction(platform, 'r')).is_reversed,
        (await loadCardTransaction(platform, 'b')).kind,
      ],
      [false, 'PURCHASE'],
    );
    assert.deepEqual(await fetchBalances(platform, payer), [700, 700]);
  });

  it('cards.md §6.11: a clearing of 0 that arrives before its authorization waits for it', async () => {
    const { platform, payer, send } = await givenProcessor(1_000);
    await send(clears(0n, 'a'));
    await send(asks(400n, 'a'));
    await settle(world, platform);
    assert.equal((await loadCardTransaction(platform, 'a')).status, 'SETTLED');
    assert.deepEqual(await fetchBalances(platform, payer), [1_000, 1_000]);
  });

  /** Lets notices be answered while the balances are locked, and then releases them. */
  async function whileLocked(platform: TestPlatform, steps: () => Promise<void>): Promise<void> {
    const other = new pg.Client({ connectionString: world.databaseUrl });
    await other.connect();
    try {
      await other.query('begin');
      await other.query(`select 1 from ledger_balances where platform_id = $1 for update`, [platform.id]);
      await steps();
      await untilBlocked(world.databaseUrl, 1, new Promise(() => undefined));
    } finally {
      await other.query('rollback');
      await other.end();
    }
  }

  async function untilRow(platform: TestPlatform, token: string): Promise<CardTransactionRow> {
    for (;;) {
      const row = await loadCardTransaction(platform, token).catch(() => undefined);
      if (row) return row;
    }
  }

  const IN_A_HURRY = { settings: { cards: { decisionMs: 100 } } };

  it('cards.md §6.6.8: a single message that was booked too late is refunded', async () => {
    const { platform, payer, send } = await givenProcessor(1_000, IN_A_HURRY);
    await whileLocked(platform, async () => {
      assert.deepEqual(await send({ ...asks(400n, 'a', 'm1'), ...FINAL } as Sent), DECLINED);
    });
    assert.equal(
      (await untilRow(platform, 'm1:late')).original_id,
      (await loadCardTransaction(platform, 'a')).id,
    );
    assert.deepEqual(await fetchBalances(platform, payer), [1_000, 1_000]);
    assert.deepEqual(await send({ ...asks(400n, 'a', 'm1'), ...FINAL } as Sent), DECLINED);
  });

  it('cards.md §6.6.8: a credit of a single message that was booked too late is taken back', async () => {
    const { platform, payer, send } = await givenProcessor(1_000, IN_A_HURRY);
    await whileLocked(platform, async () => {
      assert.deepEqual(await send({ ...asks(400n, 'a', 'm1'), asks: 'CREDIT', ...FINAL } as Sent), DECLINED);
    });
    assert.equal((await untilRow(platform, 'a')).status, 'DECLINED');
    assert.deepEqual(await fetchBalances(platform, payer), [1_000, 1_000]);
  });

  it('cards.md §6.6.8: an increment has the same deadline', async () => {
    const { platform, payer, send } = await givenProcessor(1_000, IN_A_HURRY);
    await send(asks(400n, 'a'));
    const more: Sent = { kind: 'increment', id: 'm1', token: 'a', amount: 100n, merchant: MERCHANT };
    await whileLocked(platform, async () => assert.deepEqual(await send(more), DECLINED));
    assert.equal((await untilRow(platform, 'm1')).status, 'DECLINED');
    assert.deepEqual(await send(more), DECLINED);
    assert.equal((await loadCardTransaction(platform, 'a')).hold, 400n);
    assert.deepEqual(await fetchBalances(platform, payer), [600, 1_000]);
  });

  it('cards.md §6.9: notices with amount 0 move nothing', async () => {
    const { platform, payer, send } = await givenProcessor(1_000);
    const more = { merchant: MERCHANT, amount: 0n };
    await send({ ...asks(0n, 'single'), ...FINAL } as Sent);
    await send({ ...asks(0n, 'credit'), ...FINAL, asks: 'CREDIT' } as Sent);
    await send(asks(0n, 'a'));
    await send({ kind: 'increment', id: 'm1', token: 'a', ...more });
    await send({ kind: 'advice', id: 'm2', token: 'a', amount: 0n });
    await send({ kind: 'reversal', id: 'm3', token: 'a', amount: 0n });
    await send({ kind: 'return', id: 'm4', token: 'r', purchaseToken: 'a', ...more });
    await send({ kind: 'return_reversal', id: 'm5', token: 'b', returnToken: 'r', ...more });
    await send({ kind: 'return_reversal', id: 'm6', token: 'c', returnToken: 'r', ...more });
    await send({ kind: 'pull_failure', id: 'm7', token: 'a' });
    assert.deepEqual(await fetchBalances(platform, payer), [1_000, 1_000]);
  });

  it('bad amounts and unknown cards change nothing', async () => {
    const { platform, send } = await givenProcessor(1_000);
    await assert.rejects(send(asks(-1n, 'a')), { code: 'INVALID_INPUT' });
    await assert.rejects(send(clears(100_000_000_001n, 'a')), { code: 'INVALID_INPUT' });
    const work = await platform.work();
    const unknown = { ...asks(1n, 'a'), cardId: randomUUID() } as NetworkNotice;
    await assert.rejects(receiveNotice(work, unknown), { code: 'NOT_FOUND' });
  });
});
