// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { PaymentNotice } from '#capabilities/payments/machine/notice.ts';
import { applyNotices } from '#capabilities/payments/settlement/notices.ts';
import type { TransactionType } from '#capabilities/payments/statuses.ts';
import { planNewTransfer } from '#capabilities/payments/transfers/create-transfer.ts';
import {
  loadTransferIn,
  loadTransferOut,
  resolveTransferIn,
  resolveTransferOut,
} from '#capabilities/payments/transfers/resolve-transfer.ts';
import { CollectedItems } from '#foundation/database/changes.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import {
  advance,
  execute,
  fetchBalance,
  givenOutside,
  givenPayer,
  givenPlatform,
  givenQuote,
  listEventTypes,
  type Payer,
  postedKinds,
  readTransaction,
} from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;

describe('an agent’s request that the platform has yet to approve', () => {
  const world = testWorld();
  const agentId = newUuid();
  let platform: TestPlatform;
  let payer: Payer;
  let usd: string;
  let bank: string;

  before(async () => {
    platform = await givenPlatform(world);
    payer = await givenPayer(platform, 100_000);
    usd = payer.account('USD').id;
    bank = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
  });

  /** A transfer that waits; its public id. */
  async function givenTransfer(type: TransactionType): Promise<string> {
    const inside = { accountId: usd as `InternalAccount:${string}` };
    const outside = { accountId: bank as `ExternalAccount:${string}` };
    const amount = 1_000;
    const plan = await (await platform.work()).read(async (tx) => {
      const transfer =
        type === 'OUTGOING'
          ? await loadTransferOut(tx, { source: inside, destination: outside, amount }).then((named) =>
              resolveTransferOut(tx, named),
            )
          : await loadTransferIn(tx, { source: outside, destination: inside, amount }).then((named) =>
              resolveTransferIn(tx, named),
            );
      return planNewTransfer(tx, { ...transfer, agentId }, { type, kind: 'submitted' }, ({ id }) => ({
        id: publicId('Transaction', id),
      }));
    });
    const collected = new CollectedItems();
    collected.addAll(plan.change.collected);
    await world.database.commit(collected.statements());
    return (plan.answer as { id: string }).id;
  }

  /** A quote of an agent that waits. */
  async function givenWaitingQuote() {
    const quote = await givenQuote(world, platform, { from: usd, to: bank, send: 1_000n });
    await (await platform.work()).write(async (tx) => {
      await tx.sql`update transactions set agent_id = ${agentId}
        where platform_id = ${tx.platformId} and id = ${uuidOf(quote.transactionId)}`;
    });
    await note(quote.transactionId, { kind: 'submitted' });
    return quote;
  }

  async function note(transactionId: string, notice: PaymentNotice): Promise<void> {
    await (await platform.work()).write(async (tx) => {
      const { ignored } = await applyNotices(tx, [{ reference: uuidOf(transactionId), notices: [notice] }]);
      assert.deepEqual(ignored, []);
    });
  }

  async function list(status: string): Promise<string[]> {
    const { body } = await platform.call('listTransactions', { query: { status } });
    return body.data.map(({ id }) => id);
  }

  for (const type of ['OUTGOING', 'INCOMING'] as const) {
    const failure = type === 'OUTGOING' ? 'QUOTE_EXECUTION_FAILED' : 'COLLECTION_FAILED';

    it(`agents.md §4.9, §4.10: ${type}: it is PENDING, with its agent and without an entry, and cannot be cancelled`, async () => {
      const before = await fetchBalance(platform, payer, 'USD');
      const id = await givenTransfer(type);
      await advance(platform, 3600);
      const { status, agentId: shown } = await readTransaction(platform, id);
      assert.deepEqual([status, shown], ['PENDING', publicId('Agent', agentId)]);
      assert.deepEqual(await postedKinds(platform, id), []);
      assert.deepEqual(await listEventTypes(platform, id), ['PENDING']);
      assert.equal(await fetchBalance(platform, payer, 'USD'), before);
      const cancelled = await platform.call('cancelTransaction', { params: { transactionId: id } });
      assert.equal(cancelled.body.code, 'TRANSACTION_NOT_CANCELLABLE', cancelled.raw);
      // No agent requested it here, and the ledger check would report a waiting payment without a request.
      await note(id, { kind: 'rejected' });
    });

    it(`agents.md §5.22, §5.1: ${type}: after seven days it reads FAILED ${failure}, and the timer ends it without a refund`, async () => {
      const id = await givenTransfer(type);
      world.clock.advance(WEEK_MS - 1);
      assert.equal((await readTransaction(platform, id)).status, 'PENDING');
      world.clock.advance(1);
      const read = await readTransaction(platform, id);
      assert.deepEqual([read.status, read.failureReason], ['FAILED', failure]);
      assert.deepEqual(
        [(await list('PENDING')).includes(id), (await list('FAILED')).includes(id)],
        [false, true],
      );
      assert.deepEqual(await listEventTypes(platform, id), ['PENDING']);
      await advance(platform, 1);
      const ended = await readTransaction(platform, id);
      assert.deepEqual([ended.status, ended.failureReason, ended.refund], ['FAILED', failure, undefined]);
      assert.deepEqual(await listEventTypes(platform, id), ['PENDING', 'FAILED']);
      assert.deepEqual(
        [(await list('PENDING')).includes(id), (await list('FAILED')).includes(id)],
        [false, true],
      );
    });

    it(`agents.md §5.21: ${type}: if it is rejected, no money has moved`, async () => {
      const id = await givenTransfer(type);
      await note(id, { kind: 'rejected' });
      const { status } = await readTransaction(platform, id);
      assert.equal(status, type === 'OUTGOING' ? 'EXPIRED' : 'REJECTED');
      assert.deepEqual(await listEventTypes(platform, id), [
        'PENDING',
        type === 'OUTGOING' ? 'EXPIRED' : 'FAILED',
      ]);
      assert.deepEqual(await postedKinds(platform, id), []);
    });

    it(`agents.md §5.11: ${type}: if it is approved, it proceeds like any transfer`, async () => {
      const before = await fetchBalance(platform, payer, 'USD');
      const id = await givenTransfer(type);
      await note(id, { kind: 'executed' });
      await advance(platform, 60);
      assert.equal((await readTransaction(platform, id)).status, 'COMPLETED');
      const [events, moved] =
        type === 'OUTGOING'
          ? [['PENDING', 'PROCESSING', 'COMPLETED'], -1_000]
          : [['PENDING', 'COMPLETED'], 1_000];
      assert.deepEqual(await listEventTypes(platform, id), events);
      assert.equal(await fetchBalance(platform, payer, 'USD'), before + moved);
    });
  }

  it('agents.md §5.6: the platform’s own execution of a quote under approval is 409, and possible after the approval has ended', async () => {
    const quote = await givenWaitingQuote();
    const early = await execute(platform, quote.id);
    assert.deepEqual([early.status, early.body.code], [409, 'CONFLICT'], early.raw);
    await note(quote.transactionId, { kind: 'rejected' });
    assert.equal((await readTransaction(platform, quote.transactionId)).status, 'PENDING');
    const late = await execute(platform, quote.id);
    assert.equal(late.status, 200, late.raw);
  });

  it('agents.md §5.21, §5.22: a quote under approval expires like any other, and is QUOTE_EXPIRED before its timer has run', async () => {
    const quote = await givenWaitingQuote();
    world.clock.advance(300_000);
    assert.equal((await readTransaction(platform, quote.transactionId)).status, 'EXPIRED');
    const late = await execute(platform, quote.id);
    assert.deepEqual([late.status, late.body.code], [400, 'QUOTE_EXPIRED'], late.raw);
    const other = await givenWaitingQuote();
    await advance(platform, 300);
    assert.deepEqual(await listEventTypes(platform, other.transactionId), ['PENDING', 'EXPIRED']);
  });
});
