// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { receiveReport } from '#capabilities/payments/settlement/notices.ts';
import { cancelTransaction } from '#capabilities/payments/transactions/cancel-transaction.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { givenExternalAccount, refusedFields } from '#tests/given/external-accounts.ts';
import {
  advance,
  execute,
  fetchBalance,
  givenOutside,
  givenPayer,
  givenPlatform,
  listEventTypes,
  type Payer,
  postedKinds,
  readTransaction,
} from '#tests/given/payments.ts';
import { lookedUp, quoted } from '#tests/given/quotes.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const SUCCESS = `$success.usd@${TEST_DOMAINS.sandboxUmaDomain}`;

describe('confirming and cancelling transactions', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let payer: Payer;

  before(async () => {
    platform = await givenPlatform(world);
    payer = await givenPayer(platform, 100_000_000);
  });

  /** A payment to a bank that is on its way. */
  async function paying(suffix = '999', send = 10_000): Promise<string> {
    const to = await givenOutside(platform, payer.id, suffix);
    const quote = await quoted(platform, { from: payer.account('USD').id, to, send });
    const reply = await execute(platform, quote.id);
    assert.equal(reply.status, 200, reply.raw);
    return quote.transactionId;
  }

  async function completed(): Promise<string> {
    const id = await paying();
    await advance(platform, 2);
    return id;
  }

  /** The payer's balance when no earlier test has a payment under way. */
  async function settledBalance(): Promise<number> {
    await advance(platform, 10);
    return fetchBalance(platform, payer, 'USD');
  }

  const confirm = (transactionId: string, body?: object) =>
    platform.call('confirmReceiptDelivery', { params: { transactionId }, ...(body && { body }) });
  const cancel = (transactionId: string, more: object = {}) =>
    platform.call('cancelTransaction', { params: { transactionId }, ...more });

  describe('confirm', () => {
    it('money.md §6.10: stores the given time or now, and the last one counts', async () => {
      const id = await completed();
      const first = await confirm(id);
      assert.equal(first.status, 200, first.raw);
      assert.ok(first.body.receiptDeliveryConfirmedAt);
      const given = '2026-03-01T09:00:00.000Z';
      const second = await confirm(id, { receiptDeliveryConfirmedAt: '2026-03-01T10:00:00+01:00' });
      assert.equal(second.body.receiptDeliveryConfirmedAt, given);
      assert.equal((await readTransaction(platform, id)).receiptDeliveryConfirmedAt, given);
      assert.equal((await confirm(id, {})).status, 200);
    });

    it('money.md §6.10: sends no event', async () => {
      const id = await completed();
      await confirm(id);
      assert.deepEqual(await listEventTypes(platform, id), ['PENDING', 'PROCESSING', 'COMPLETED']);
    });

    it('money.md §6.10: any past time is stored; one before the year 1 is 400 INVALID_INPUT', async () => {
      const id = await completed();
      for (const sent of ['0000-01-01T00:00:00Z', '0000-06-01T00:00:00+23:00', '0001-01-01T00:00:00+00:01']) {
        const reply = await confirm(id, { receiptDeliveryConfirmedAt: sent });
        assert.equal(reply.status, 400, reply.raw);
        assert.deepEqual(refusedFields(reply), ['receiptDeliveryConfirmedAt']);
      }
      const first = '0001-01-01T00:00:00.000Z';
      const reply = await confirm(id, { receiptDeliveryConfirmedAt: '0001-01-01T00:00:00Z' });
      assert.equal(reply.status, 200, reply.raw);
      assert.equal((await readTransaction(platform, id)).receiptDeliveryConfirmedAt, first);
    });

    it('money.md §6.10: a time over five minutes ahead is 400, and five minutes are not', async () => {
      const id = await completed();
      const now = Date.parse((await platform.call('getSandboxClock')).body.now);
      const at = (ms: number) => ({ receiptDeliveryConfirmedAt: new Date(now + ms).toISOString() });
      const late = await confirm(id, at(300_001));
      assert.deepEqual([late.status, late.body.code], [400, 'INVALID_INPUT']);
      assert.equal((await confirm(id, at(300_000))).status, 200);
      assert.equal((await confirm(id, { receiptDeliveryConfirmedAt: 'soon' })).status, 400);
    });

    it('money.md §6.10: only a transaction that reached COMPLETED has a receipt, whatever happened later', async () => {
      const open = await paying();
      assert.equal((await confirm(open)).body.code, 'INVALID_INPUT');
      const failed = await paying('002');
      const returned = await paying('005');
      await advance(platform, 10);
      assert.equal((await confirm(failed)).body.code, 'INVALID_INPUT');
      assert.equal((await readTransaction(platform, returned)).status, 'FAILED');
      assert.equal((await confirm(returned)).status, 200);
    });
  });

  describe('cancel', () => {
    it('money.md §6.9: the refund is due at once, and when it is done the payment is COMPLETED', async () => {
      const before = await settledBalance();
      const id = await paying();
      const reply = await cancel(id, { body: { reason: 'typed wrongly' } });
      assert.equal(reply.status, 200, reply.raw);
      assert.equal(reply.body.status, 'PROCESSING');
      assert.deepEqual(
        [reply.body.refund.status, reply.body.refund.reason],
        ['PENDING', 'USER_CANCELLATION'],
      );
      await advance(platform, 2);
      const after = await readTransaction(platform, id);
      assert.deepEqual([after.status, after.refund.status], ['COMPLETED', 'COMPLETED']);
      assert.equal(await fetchBalance(platform, payer, 'USD'), before);
      assert.deepEqual(await listEventTypes(platform, id), [
        'PENDING',
        'PROCESSING',
        'REFUND_PENDING',
        'REFUND_COMPLETED',
        'COMPLETED',
      ]);
      assert.deepEqual(await postedKinds(platform, id), ['L2', 'L6', 'L9', 'L10', 'L11']);
      await advance(platform, 600);
      assert.equal((await readTransaction(platform, id)).refund.status, 'COMPLETED', 'no job is left');
    });

    it('money.md §4.5: the refund has the time when it became due and, once paid, when it settled', async () => {
      const id = await paying('003');
      await advance(platform, 5);
      const cancelled = (await cancel(id)).body;
      const { refund: due } = cancelled;
      assert.deepEqual(
        [due.status, due.reason, due.initiatedAt, due.settledAt],
        ['PENDING', 'USER_CANCELLATION', cancelled.updatedAt, undefined],
      );
      assert.match(due.reference, /^SVC-[A-Z2-7]{8}-REFUND$/);
      await advance(platform, 1);
      const done = await readTransaction(platform, id);
      assert.deepEqual(done.refund, { ...due, status: 'COMPLETED', settledAt: done.settledAt });
      assert.equal(Date.parse(done.refund.settledAt) - Date.parse(due.initiatedAt), 1_000);
    });

    it('money.md §4.5: a refund that cannot be paid has no settlement time', async () => {
      const id = await paying('007');
      await advance(platform, 3);
      const { status, refund, settledAt } = await readTransaction(platform, id);
      assert.deepEqual(
        [status, refund.status, refund.reason, refund.settledAt, settledAt],
        ['FAILED', 'FAILED', 'TRANSACTION_FAILED', undefined, undefined],
      );
    });

    it('money.md §6.9: during a long delay the scheduled outcome is dropped', async () => {
      const id = await paying('003');
      await advance(platform, 200);
      assert.equal((await cancel(id)).status, 200);
      await advance(platform, 400);
      const after = await readTransaction(platform, id);
      assert.deepEqual([after.status, after.refund.status], ['COMPLETED', 'COMPLETED']);
    });

    it('money.md §6.9: a pull that is cancelled is FAILED COLLECTION_FAILED without refund', async () => {
      const from = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
      const quote = await quoted(platform, { from, to: payer.account('USD').id, send: 5_000 });
      assert.equal((await execute(platform, quote.id)).status, 200);
      const reply = await cancel(quote.transactionId);
      assert.equal(reply.status, 200, reply.raw);
      assert.deepEqual(
        [reply.body.status, reply.body.failureReason, reply.body.refund],
        ['FAILED', 'COLLECTION_FAILED', undefined],
      );
      await advance(platform, 60);
      assert.deepEqual(await postedKinds(platform, quote.transactionId), []);
      assert.deepEqual(await listEventTypes(platform, quote.transactionId), ['PENDING', 'FAILED']);
    });

    it('money.md §6.9: not yet executed, settled, failed or being cancelled → 409', async () => {
      const to = await givenOutside(platform, payer.id);
      const unexecuted = await quoted(platform, { from: payer.account('USD').id, to });
      const failed = await paying('002');
      const settled = await completed();
      const cancelling = await paying();
      assert.equal((await cancel(cancelling)).status, 200);
      for (const id of [unexecuted.transactionId, failed, settled, cancelling]) {
        const reply = await cancel(id);
        assert.deepEqual([reply.status, reply.body.code], [409, 'TRANSACTION_NOT_CANCELLABLE']);
      }
    });

    it('money.md §6.9: a pull into an internal account can be cancelled until it is collected', async () => {
      const from = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
      const more = { immediatelyExecute: true };
      const wish = { from, to: payer.account('EUR').id, more };
      const [early, late] = [await quoted(platform, wish), await quoted(platform, wish)];
      assert.equal((await cancel(early.transactionId)).body.failureReason, 'QUOTE_EXECUTION_FAILED');
      const work = await platform.work();
      const reference = uuidOf(late.transactionId);
      await work.write((tx) => receiveReport(tx, { reference, notices: [{ kind: 'collected' }] }));
      const reply = await cancel(late.transactionId);
      assert.deepEqual([reply.status, reply.body.code], [409, 'TRANSACTION_NOT_CANCELLABLE']);
    });

    it('money.md §6.9: internal, crypto, UMA and deposited payments are not over a bank → 400', async () => {
      const inside = await quoted(platform, { from: payer.account('USD').id, to: payer.account('EUR').id });
      await execute(platform, inside.id);
      const more = { lookupId: await lookedUp(platform, SUCCESS) };
      const uma = await quoted(platform, { from: payer.account('USD').id, to: SUCCESS, more });
      await execute(platform, uma.id);
      const wallet = await givenExternalAccount(platform, 'BASE_WALLET', {}, { customerId: payer.id });
      const crypto = await quoted(platform, { from: payer.account('USD').id, to: wallet.id });
      await execute(platform, crypto.id);
      const deposits = await platform.call('listTransactions', {
        query: { type: 'INCOMING', status: 'COMPLETED', limit: 1 },
      });
      const made = [inside, crypto, uma].map(({ transactionId }) => transactionId);
      for (const id of [...made, deposits.body.data[0].id]) {
        const reply = await cancel(id);
        assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT']);
      }
    });

    it('money.md §6.9: a payment that the rail can no longer cancel → 409, and it proceeds', async () => {
      const id = await paying();
      const { platform: row, actor, runtime } = await platform.work();
      const settling: Runtime = {
        ...runtime,
        ports: (environment) => {
          const ports = runtime.ports(environment);
          return { ...ports, rails: { ...ports.rails, cancel: async () => 'refused' } };
        },
      };
      const bare = uuidOf(id);
      const call = cancelTransaction(new Work(settling, row, actor), [], { id: bare, reason: undefined });
      await assert.rejects(call, { code: 'TRANSACTION_NOT_CANCELLABLE' });
      await advance(platform, 1);
      assert.equal((await readTransaction(platform, id)).status, 'COMPLETED');
    });

    it('money.md §6.9: if cancellations race, one wins and one refund is paid', async () => {
      const before = await settledBalance();
      const id = await paying();
      const replies = await Promise.all(Array.from({ length: 6 }, () => cancel(id)));
      assert.equal(replies.filter(({ status }) => status === 200).length, 1);
      assert.equal(replies.filter(({ status }) => status === 409).length, 5);
      await advance(platform, 3);
      assert.equal(await fetchBalance(platform, payer, 'USD'), before);
    });

    it('money.md §6.9: the same key gives the same reply', async () => {
      const id = await paying();
      const first = await cancel(id, { key: 'cancel-once' });
      await advance(platform, 3);
      const second = await cancel(id, { key: 'cancel-once' });
      assert.equal(second.status, 200);
      assert.equal(second.raw, first.raw);
    });

    it('money.md §4.1: a delivery or a failure that is reported after the cancellation changes nothing', async () => {
      const before = await settledBalance();
      const id = await paying();
      assert.equal((await cancel(id)).status, 200);
      const work = await platform.work();
      const reference = uuidOf(id);
      for (const kind of ['delivered', 'returned'] as const) {
        await work.write((tx) => receiveReport(tx, { reference, notices: [{ kind }] }));
      }
      await advance(platform, 3);
      assert.equal(await fetchBalance(platform, payer, 'USD'), before);
    });
  });

  it('money.md §6.5: unknown, malformed and foreign ids are 404, for reads and for every action', async () => {
    const own = await completed();
    const other = await givenPlatform(world);
    const actions = [
      'getTransactionById',
      'confirmReceiptDelivery',
      'approvePendingPayment',
      'rejectPendingPayment',
      'cancelTransaction',
    ] as const;
    for (const action of actions) {
      for (const transactionId of [`Transaction:${newUuid()}`, 'x', own]) {
        const reply = await other.call(action, { params: { transactionId } });
        assert.deepEqual([reply.status, reply.body.code], [404, 'TRANSACTION_NOT_FOUND'], action);
      }
      const reply = await platform.call(action, { params: { transactionId: own }, as: 'nobody' });
      assert.equal(reply.status, 401);
    }
  });
});
