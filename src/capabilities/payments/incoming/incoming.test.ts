// lane: whole — one of the longest of the short tests

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findLiveCustomer } from '#capabilities/customers/store.ts';
import { openPrivate } from '#capabilities/payments/details.ts';
import { decideOffer } from '#capabilities/payments/incoming/decide.ts';
import { incomingJobs } from '#capabilities/payments/incoming/jobs.ts';
import { receiveOffer } from '#capabilities/payments/incoming/receive-offer.ts';
import { JOB } from '#capabilities/payments/machine/jobs.ts';
import { findTransaction } from '#capabilities/payments/store.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import type { CallHandler, Job } from '#foundation/jobs/handlers.ts';
import type { AcceptedOffer } from '#foundation/ports/counterparties.ts';
import { supports } from '#tests/given/accounts.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import {
  advance,
  fetchBalance,
  givenPayer,
  givenPlatform,
  listEventTypes,
  type Payer,
  postedKinds,
  readTransaction,
} from '#tests/given/payments.ts';
import { freeze } from '#tests/given/quotes.ts';
import type { RequestOf } from '#tests/harness/api-types.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import type { Answer, Receiver } from '#tests/harness/receiver.ts';

const sender = (scenario: string) => `$${scenario}@${TEST_DOMAINS.sandboxUmaDomain}`;

interface Scene {
  readonly platform: TestPlatform;
  readonly receiver: Receiver;
  readonly customer: Payer;
}

describe('incoming UMA payments', () => {
  const world = testWorld();

  async function scene(
    answer: Answer = { status: 200 },
    body: RequestOf<'createCustomer'> = {},
  ): Promise<Scene> {
    const platform = await givenPlatform(world);
    const receiver = await platform.receive();
    receiver.answer((delivery) =>
      delivery.body.type === 'INCOMING_PAYMENT.PENDING' ? answer : { status: 200 },
    );
    return { platform, receiver, customer: await givenPayer(platform, 0, body) };
  }

  async function offered(
    { platform, customer }: Scene,
    scenario = 'success.usd',
    more: RequestOf<'sandboxReceive'> = {},
  ): Promise<string> {
    const reply = await platform.call('sandboxReceive', {
      body: {
        senderUmaAddress: sender(scenario),
        customerId: customer.id,
        receivingCurrencyCode: 'USD',
        receivingCurrencyAmount: 5_000,
        ...more,
      },
    });
    assert.equal(reply.status, 200, reply.raw);
    assert.equal(reply.body.status, 'PENDING');
    return reply.body.id;
  }

  /** Sends due webhooks, and runs due jobs. */
  const settle = ({ platform }: Scene) => world.app.worker.settle(platform.id);

  const approve = ({ platform }: Scene, transactionId: string, body?: object) =>
    platform.call('approvePendingPayment', { params: { transactionId }, ...(body && { body }) });
  const reject = ({ platform }: Scene, transactionId: string, body?: object) =>
    platform.call('rejectPendingPayment', { params: { transactionId }, ...(body && { body }) });

  it('money.md §7.2, §7.5, §11.L13: 200 approves; the money arrives a step later, and not before', async () => {
    const at = await scene();
    const id = await offered(at);
    await settle(at);
    assert.equal((await readTransaction(at.platform, id)).status, 'PENDING');
    assert.equal(await fetchBalance(at.platform, at.customer, 'USD'), 0);
    await advance(at.platform, 1);
    const done = await readTransaction(at.platform, id);
    assert.equal(done.status, 'COMPLETED');
    assert.equal(done.type, 'INCOMING');
    assert.equal(done.direction, 'CREDIT');
    assert.equal(done.receivedAmount.amount, 5_000);
    assert.deepEqual(done.source, {
      sourceType: 'UMA_ADDRESS',
      currency: 'USD',
      umaAddress: sender('success.usd'),
    });
    assert.deepEqual(done.destination, {
      destinationType: 'ACCOUNT',
      currency: 'USD',
      accountId: at.customer.account('USD').id,
    });
    assert.match(done.reconciliationInstructions.transactionHash, /^[0-9a-f]{64}$/);
    assert.equal(await fetchBalance(at.platform, at.customer, 'USD'), 5_000);
    assert.deepEqual(await postedKinds(at.platform, id), ['L13a', 'L13b']);
    assert.deepEqual(await listEventTypes(at.platform, id), ['PENDING', 'COMPLETED']);
  });

  it('money.md §7.2, platform.md §4.4: the question is sent once, and later events come as usual', async () => {
    const at = await scene();
    const id = await offered(at);
    await advance(at.platform, 1);
    await advance(at.platform, 86_400);
    const ours = at.receiver.received.filter(({ body }) => body.data.id === id);
    assert.deepEqual(
      ours.map(({ body }) => body.type),
      ['INCOMING_PAYMENT.PENDING', 'INCOMING_PAYMENT.COMPLETED'],
    );
    assert.equal(ours[0]?.body.data.status, 'PENDING');
    assert.ok(!('requestedReceiverCustomerInfoFields' in (ours[0]?.body.data ?? {})));
  });

  const ANSWERS: [Answer, string, string | undefined][] = [
    [{ status: 403, body: { reason: 'no' } }, 'REJECTED', undefined],
    [{ status: 422 }, 'FAILED', 'PAY_REQUEST_FAILED'],
    [{ status: 500 }, 'FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'],
    [{ status: 404 }, 'FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'],
    [{ status: 201 }, 'FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'],
    [{ status: 302, headers: { location: '/' } }, 'FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'],
  ];
  for (const [answer, status, reason] of ANSWERS) {
    it(`money.md §7.2: the answer ${answer.status} makes it ${status} ${reason ?? ''}, and no money moves`, async () => {
      const at = await scene(answer);
      const id = await offered(at);
      await settle(at);
      const after = await readTransaction(at.platform, id);
      assert.deepEqual([after.status, after.failureReason, after.refund], [status, reason, undefined]);
      assert.deepEqual(await postedKinds(at.platform, id), []);
      assert.deepEqual(await listEventTypes(at.platform, id), ['PENDING', 'FAILED']);
      assert.equal(at.receiver.received.filter(({ body }) => body.type.endsWith('.PENDING')).length, 1);
    });
  }

  for (const [kind, reason] of [
    ['none', 'PAYMENT_APPROVAL_TIMED_OUT'],
    ['error', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'],
  ] as const) {
    it(`money.md §7.2: the outcome ${kind} makes it FAILED ${reason}`, async () => {
      const at = await scene();
      const id = await offered(at);
      const question = { eventId: '' as Id<never>, type: 'INCOMING_PAYMENT.PENDING', resourceId: id };
      const work = await at.platform.work();
      const outcome = kind === 'none' ? { kind } : { kind, reason: 'no connection' };
      await work.write((tx) => decideOffer(tx, question, outcome));
      const after = await readTransaction(at.platform, id);
      assert.deepEqual([after.status, after.failureReason], ['FAILED', reason]);
      await settle(at);
      assert.equal(
        (await readTransaction(at.platform, id)).failureReason,
        reason,
        'the answer comes too late',
      );
    });
  }

  for (const status of [202, 409]) {
    it(`money.md §7.2: after ${status} a call within five seconds approves`, async () => {
      const at = await scene({ status });
      const id = await offered(at);
      await settle(at);
      await advance(at.platform, 4);
      const reply = await approve(at, id);
      assert.equal(reply.status, 200, reply.raw);
      assert.equal(reply.body.id, id);
      await advance(at.platform, 10);
      assert.equal((await readTransaction(at.platform, id)).status, 'COMPLETED');
    });

    it(`money.md §7.2: after ${status} and five seconds without a call it times out`, async () => {
      const at = await scene({ status });
      const id = await offered(at);
      await settle(at);
      await advance(at.platform, 5);
      const after = await readTransaction(at.platform, id);
      assert.deepEqual([after.status, after.failureReason], ['FAILED', 'PAYMENT_APPROVAL_TIMED_OUT']);
      const late = await approve(at, id);
      assert.equal(late.body.code, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL');
      assert.equal(late.status, 409);
    });
  }

  it('money.md §7.2: a call after the five seconds is too late, even if the timer has not run', async () => {
    const at = await scene({ status: 202 });
    const id = await offered(at);
    await settle(at);
    world.clock.advance(5_000);
    for (const late of [await approve(at, id), await reject(at, id)]) {
      assert.deepEqual([late.status, late.body.code], [409, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL']);
    }
    await settle(at);
    assert.equal((await readTransaction(at.platform, id)).failureReason, 'PAYMENT_APPROVAL_TIMED_OUT');
  });

  /** The process that asked has died before it received the answer, and no other process will report it. */
  async function askedByDead({ platform }: Scene): Promise<void> {
    const work = await platform.work();
    const now = new Date(world.clock.now());
    const asked = await work.write(
      (tx) => tx.sql`
        update events set state = 'EXHAUSTED', finished_at = ${now}
         where platform_id = ${tx.platformId} and decision is not null and state = 'PENDING'
        returning id`,
    );
    assert.equal(asked.length, 1);
  }

  it('money.md §7.2: if the asking process died, a call within five seconds of the offer decides, and a later one finds it timed out', async () => {
    for (const [afterMs, code] of [
      [4_999, undefined],
      [5_000, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL'],
      [11_000, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL'],
    ] as const) {
      for (const call of [approve, reject]) {
        const at = await scene();
        const id = await offered(at);
        await askedByDead(at);
        world.clock.advance(afterMs);
        const reply = await call(at, id);
        assert.deepEqual(
          [reply.status, reply.body.code],
          [code ? 409 : 200, code],
          `${call.name} ${afterMs}`,
        );
        await settle(at);
        const { status, failureReason } = await readTransaction(at.platform, id);
        if (code) assert.deepEqual([status, failureReason], ['FAILED', 'PAYMENT_APPROVAL_TIMED_OUT']);
        else assert.notEqual(status, 'FAILED');
        await advance(at.platform, 60);
        assert.equal(
          await fetchBalance(at.platform, at.customer, 'USD'),
          code === undefined && call === approve ? 5_000 : 0,
        );
      }
    }
  });

  for (const status of [200, 202, 403, 422, 500]) {
    it(`money.md §7.2: an answer ${status} that is recorded after the five seconds finds it timed out`, async () => {
      const at = await scene();
      const id = await offered(at);
      const question = { eventId: '' as Id<never>, type: 'INCOMING_PAYMENT.PENDING', resourceId: id };
      world.clock.advance(5_000);
      const work = await at.platform.work();
      await work.write((tx) => decideOffer(tx, question, { kind: 'answered', status, body: {} }));
      const after = await readTransaction(at.platform, id);
      assert.deepEqual([after.status, after.failureReason], ['FAILED', 'PAYMENT_APPROVAL_TIMED_OUT']);
      assert.deepEqual(await listEventTypes(at.platform, id), ['PENDING', 'FAILED']);
    });
  }

  it('money.md §7.2: the five seconds of a call run from the answer 202, not from the offer', async () => {
    for (const [afterMs, status] of [
      [4_999, 200],
      [5_000, 409],
    ] as const) {
      const at = await scene();
      const id = await offered(at);
      const question = { eventId: '' as Id<never>, type: 'INCOMING_PAYMENT.PENDING', resourceId: id };
      world.clock.advance(4_000);
      const work = await at.platform.work();
      await work.write((tx) => decideOffer(tx, question, { kind: 'answered', status: 202, body: {} }));
      await askedByDead(at);
      world.clock.advance(2_000);
      await settle(at);
      assert.equal((await readTransaction(at.platform, id)).status, 'PENDING', 'its deadline has not passed');
      world.clock.advance(afterMs - 2_000);
      assert.equal((await approve(at, id)).status, status);
      await settle(at);
      await advance(at.platform, 60);
      const done = await readTransaction(at.platform, id);
      assert.equal(done.failureReason, status === 200 ? undefined : 'PAYMENT_APPROVAL_TIMED_OUT');
    }
  });

  it('money.md §7.2: a late call stays too late if the timer could not run in time', async () => {
    const at = await scene();
    const id = await offered(at);
    await askedByDead(at);
    world.clock.advance(5_000);
    const work = await at.platform.work();
    await work.write(
      (tx) => tx.sql`
        update jobs set due_at = due_at + interval '1 hour' where platform_id = ${tx.platformId} and kind = ${JOB.decide}`,
    );
    assert.equal((await approve(at, id)).status, 409);
    await advance(at.platform, 3_600);
    assert.equal((await readTransaction(at.platform, id)).failureReason, 'PAYMENT_APPROVAL_TIMED_OUT');
  });

  it('money.md §6.8: a call before the answer decides, and the answer then changes nothing', async () => {
    const at = await scene({ status: 200 });
    const id = await offered(at);
    const reply = await reject(at, id, { reason: 'not expected' });
    assert.deepEqual([reply.status, reply.body.status], [200, 'REJECTED']);
    await settle(at);
    await advance(at.platform, 10);
    assert.equal((await readTransaction(at.platform, id)).status, 'REJECTED');
    assert.deepEqual(await listEventTypes(at.platform, id), ['PENDING', 'FAILED']);
    assert.deepEqual(await postedKinds(at.platform, id), []);
    for (const again of [await approve(at, id), await reject(at, id)]) {
      assert.equal(again.status, 409);
      assert.equal(again.body.code, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL');
    }
  });

  it('money.md §7.2: if an answer, approvals and rejections race, one decides and the later calls get 409', async () => {
    for (let round = 0; round < 5; round++) {
      const at = await scene({ status: 403 });
      const id = await offered(at);
      const replies = await Promise.all([
        approve(at, id),
        reject(at, id),
        approve(at, id),
        settle(at).then(() => undefined),
      ]);
      const won = replies.filter((reply) => reply?.status === 200);
      const lost = replies.filter((reply) => reply?.status === 409);
      assert.ok(won.length <= 1);
      assert.equal(won.length + lost.length, 3);
      await advance(at.platform, 2);
      const { status } = await readTransaction(at.platform, id);
      const told = await listEventTypes(at.platform, id);
      assert.equal(told.length, 2, told.join());
      assert.equal(await fetchBalance(at.platform, at.customer, 'USD'), status === 'COMPLETED' ? 5_000 : 0);
    }
  });

  it('money.md §6.8: the same key gives the same reply, whatever happened to the payment since', async () => {
    const at = await scene({ status: 202 });
    const transactionId = await offered(at);
    await settle(at);
    const call = () =>
      at.platform.call('approvePendingPayment', { params: { transactionId }, key: 'once', body: {} });
    const first = await call();
    await advance(at.platform, 2);
    const second = await call();
    assert.deepEqual([first.status, second.status], [200, 200]);
    assert.equal(second.raw, first.raw);
  });

  it('money.md §6.8: payments that need no approval cannot be approved', async () => {
    const at = await scene();
    const funded = await at.platform.call('sandboxFundInternalAccount', {
      params: { accountId: at.customer.account('USD').id },
      body: { amount: 100 },
    });
    assert.equal(funded.status, 200);
    const { body } = await at.platform.call('listTransactions');
    const reply = await approve(at, body.data[0].id);
    assert.equal(reply.body.code, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL');
  });

  describe('money.md §7.3: data that the sender’s provider requests', () => {
    const UNKNOWN = { nationality: undefined };
    const NEEDED = [{ name: 'NATIONALITY', mandatory: true }];

    it('money.md §7.3, §10.1: is requested in the webhook if it is not on file', async () => {
      const at = await scene({ status: 200, body: { receiverCustomerInfo: { NATIONALITY: 'US' } } }, UNKNOWN);
      const id = await offered(at, 'needinfo.usd');
      await advance(at.platform, 1);
      const [question] = at.receiver.received.filter(({ body }) => body.type.endsWith('.PENDING'));
      assert.deepEqual(question?.body.data.requestedReceiverCustomerInfoFields, NEEDED);
      assert.equal((await readTransaction(at.platform, id)).status, 'COMPLETED');
    });

    it('money.md §7.3: is not requested if it is on file', async () => {
      const at = await scene();
      const id = await offered(at, 'needinfo.usd');
      await advance(at.platform, 1);
      const [question] = at.receiver.received.filter(({ body }) => body.type.endsWith('.PENDING'));
      assert.equal(question?.body.data.requestedReceiverCustomerInfoFields, undefined);
      assert.equal((await readTransaction(at.platform, id)).status, 'COMPLETED');
    });

    for (const body of [undefined, {}, { receiverCustomerInfo: { NATIONALITY: '' } }, [1], 'x']) {
      it(`fails the payment when 200 comes with ${JSON.stringify(body)}`, async () => {
        const at = await scene({ status: 200, ...(body !== undefined && { body }) }, UNKNOWN);
        const id = await offered(at, 'needinfo.usd');
        await settle(at);
        const after = await readTransaction(at.platform, id);
        assert.deepEqual([after.status, after.failureReason], ['FAILED', 'MISSING_MANDATORY_PAYEE_DATA']);
      });
    }

    it('money.md §6.8: an approval without it is refused, and the deadline stays', async () => {
      const at = await scene({ status: 202 }, UNKNOWN);
      const id = await offered(at, 'needinfo.usd');
      await settle(at);
      const refused = await approve(at, id);
      assert.deepEqual([refused.status, refused.body.code], [400, 'MISSING_MANDATORY_USER_INFO']);
      const taken = await approve(at, id, { receiverCustomerInfo: { NATIONALITY: 'US', HOBBY: 'chess' } });
      assert.equal(taken.status, 200, taken.raw);
      const work = await at.platform.work();
      const row = await work.read((tx) => findTransaction(tx, uuidOf(id)));
      assert.ok(row);
      const { receiverCustomerInfo } = openPrivate(world.app.runtime.vault, row);
      assert.deepEqual(receiverCustomerInfo, { NATIONALITY: 'US' }, 'the data sent to the sender’s provider');
      await advance(at.platform, 1);
      assert.equal((await readTransaction(at.platform, id)).status, 'COMPLETED');
    });
  });

  it('money.md §7.3: the sender’s provider gets the requested data, from the file and from the platform', async () => {
    const at = await scene({ status: 202 }, { nationality: undefined });
    const { runtime } = world.app;
    const accepted: AcceptedOffer[] = [];
    const listening: Runtime = {
      ...runtime,
      ports: (environment) => ({
        ...runtime.ports(environment),
        counterparties: {
          ...runtime.ports(environment).counterparties,
          async acceptOffer(offer) {
            accepted.push(offer);
            return { notices: [] };
          },
        },
      }),
    };
    const { platform: row, actor } = await at.platform.work();
    const work = new Work(listening, row, actor);
    const id = await work.write(async (tx) => {
      const receiver = await findLiveCustomer(tx, uuidOf(at.customer.id));
      assert.ok(receiver);
      const offer = await receiveOffer(tx, {
        senderAddress: sender('success.usd'),
        receiver,
        amount: 5_000n,
        currency: 'USD',
        senderData: {},
        requestedData: [
          { name: 'NATIONALITY', mandatory: true },
          { name: 'FULL_NAME', mandatory: true },
          { name: 'BIRTH_DATE', mandatory: true, mustBeSent: true },
          { name: 'EMAIL', mandatory: false },
        ],
      });
      return offer.id;
    });
    const told = { NATIONALITY: 'US', BIRTH_DATE: '1990-12-11' };
    const reply = await approve(at, `Transaction:${id}`, { receiverCustomerInfo: told });
    assert.equal(reply.status, 200, reply.raw);
    const receive = incomingJobs[JOB.receive] as CallHandler;
    await receive.call(work, { payload: { id } } as unknown as Job);
    assert.deepEqual(
      accepted.map(({ payeeData }) => payeeData),
      [{ ...told, FULL_NAME: 'Ada Lovelace' }],
    );
  });

  it('money.md §7.3: counterpartyInformation holds the fields that the platform requires, and nothing else', async () => {
    const at = await scene();
    const supportedCurrencies = [
      {
        currencyCode: 'USD',
        minAmount: 1,
        maxAmount: 1_000_000,
        requiredCounterpartyFields: [
          { name: 'FULL_NAME', mandatory: true },
          { name: 'NATIONALITY', mandatory: false },
        ],
        enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
      },
    ];
    const set = await at.platform.call('updatePlatformConfig', { body: { supportedCurrencies } });
    assert.equal(set.status, 200, set.raw);
    const id = await offered(at);
    const { counterpartyInformation } = await readTransaction(at.platform, id);
    assert.deepEqual(counterpartyInformation, { FULL_NAME: 'Sandbox Sender', NATIONALITY: 'US' });
  });

  it('platform.md §3.2.5: without the sender’s mandatory data it fails, and the platform is not asked', async () => {
    const at = await scene();
    const requiredCounterpartyFields = [{ name: 'FULL_NAME', mandatory: true }];
    const currency = { currencyCode: 'USD', minAmount: 1, maxAmount: 1_000_000, requiredCounterpartyFields };
    const enabledTransactionTypes = ['OUTGOING', 'INCOMING'];
    const body = { supportedCurrencies: [{ ...currency, enabledTransactionTypes }] };
    assert.equal((await at.platform.call('updatePlatformConfig', { body })).status, 200);
    const work = await at.platform.work();
    const row = await work.write(async (tx) => {
      const receiver = await findLiveCustomer(tx, uuidOf(at.customer.id));
      assert.ok(receiver);
      const senderData = { FULL_NAME: '' };
      const offer = { senderAddress: sender('success.usd'), receiver, senderData, requestedData: [] };
      return receiveOffer(tx, { ...offer, amount: 5_000n, currency: 'USD' });
    });
    await advance(at.platform, 1);
    const after = await readTransaction(at.platform, `Transaction:${row.id}`);
    assert.deepEqual([after.status, after.failureReason], ['FAILED', 'MISSING_MANDATORY_PAYEE_DATA']);
    assert.deepEqual(await listEventTypes(at.platform, after.id), ['FAILED']);
  });

  it('money.md §9.5, §11.L14: pending.long.usd: funds pend for six minutes with a reason, then are released', async () => {
    const at = await scene();
    const id = await offered(at, 'pending.long.usd');
    await advance(at.platform, 1);
    const held = await readTransaction(at.platform, id);
    assert.deepEqual([held.status, held.pendingReason], ['PENDING', 'COMPLIANCE_REVIEW']);
    const [account] = (
      await at.platform.call('listCustomerInternalAccounts', {
        query: { customerId: at.customer.id, currency: 'USD' },
      })
    ).body.data;
    assert.deepEqual([account.balance.amount, account.totalBalance.amount], [0, 5_000]);
    await advance(at.platform, 358);
    assert.equal((await readTransaction(at.platform, id)).status, 'PENDING');
    await advance(at.platform, 2);
    const done = await readTransaction(at.platform, id);
    assert.deepEqual([done.status, done.pendingReason], ['COMPLETED', undefined]);
    assert.equal(await fetchBalance(at.platform, at.customer, 'USD'), 5_000);
    assert.deepEqual(await postedKinds(at.platform, id), ['L13a', 'L14a', 'L14b']);
    assert.deepEqual(await listEventTypes(at.platform, id), ['PENDING', 'COMPLETED']);
  });

  it('money.md §9.5, §11.L15: fail.compliance.usd: FAILED after the approval, and the sender is refunded', async () => {
    const at = await scene();
    const id = await offered(at, 'fail.compliance.usd');
    await advance(at.platform, 1);
    const failed = await readTransaction(at.platform, id);
    assert.deepEqual([failed.status, failed.failureReason], ['FAILED', 'COMPLIANCE_REJECTED']);
    assert.equal(failed.refund.status, 'PENDING');
    await advance(at.platform, 1);
    const { refund } = await readTransaction(at.platform, id);
    assert.deepEqual([refund.status, refund.reason], ['COMPLETED', 'TRANSACTION_FAILED']);
    assert.match(refund.reference, /^SVC-[A-Z2-7]{8}-REFUND$/);
    assert.deepEqual(await postedKinds(at.platform, id), ['L13a', 'L15a', 'L15b']);
    assert.deepEqual(await listEventTypes(at.platform, id), [
      'PENDING',
      'FAILED',
      'REFUND_PENDING',
      'REFUND_COMPLETED',
    ]);
    assert.equal(await fetchBalance(at.platform, at.customer, 'USD'), 0);
  });

  it('money.md §7.4: an account that was frozen meanwhile is not credited; the sender is refunded', async () => {
    for (const scenario of ['success.usd', 'pending.long.usd']) {
      const at = await scene();
      const id = await offered(at, scenario);
      await settle(at);
      await freeze(at.platform, at.customer.account('USD').id);
      await advance(at.platform, 361);
      await advance(at.platform, 2);
      const after = await readTransaction(at.platform, id);
      assert.deepEqual([after.status, after.failureReason], ['FAILED', 'OFFRAMP_FAILED'], scenario);
      assert.equal(after.refund.status, 'COMPLETED');
      assert.equal(await fetchBalance(at.platform, at.customer, 'USD'), 0);
    }
  });

  describe('accounts.md §3.2.23: an external default deposit account', () => {
    async function withDefault(at: Scene, suffix: string, accountType = 'USD_ACCOUNT'): Promise<string> {
      const fields = accountType === 'USD_ACCOUNT' ? { accountNumber: `4455${suffix}` } : {};
      const account = await givenExternalAccount(at.platform, accountType as 'USD_ACCOUNT', fields, {
        customerId: at.customer.id,
        defaultUmaDepositAccount: true,
      });
      return account.id;
    }

    it('gets the money instead of the internal account', async () => {
      const at = await scene();
      const account = await withDefault(at, '999');
      const id = await offered(at);
      await advance(at.platform, 1);
      assert.equal((await readTransaction(at.platform, id)).status, 'PENDING');
      await advance(at.platform, 1);
      const done = await readTransaction(at.platform, id);
      assert.equal(done.status, 'COMPLETED');
      assert.equal(done.destination.accountId, account);
      assert.equal(await fetchBalance(at.platform, at.customer, 'USD'), 0);
      assert.deepEqual(await postedKinds(at.platform, id), ['L13a', 'L13b']);
    });

    for (const suffix of ['002', '003', '004', '005']) {
      it(`money.md §7.4: a payout that fails (${suffix}) makes it FAILED OFFRAMP_FAILED with a refund to the sender`, async () => {
        const at = await scene();
        await withDefault(at, suffix);
        const id = await offered(at);
        await advance(at.platform, 40);
        const after = await readTransaction(at.platform, id);
        assert.deepEqual([after.status, after.failureReason], ['FAILED', 'OFFRAMP_FAILED']);
        assert.equal(after.refund.status, 'COMPLETED');
        assert.deepEqual(await postedKinds(at.platform, id), ['L13a', 'L15a', 'L15b']);
      });
    }

    it('a held payment stays in flight until it is released', async () => {
      const at = await scene();
      await withDefault(at, '999');
      const id = await offered(at, 'pending.long.usd');
      await advance(at.platform, 10);
      assert.equal((await readTransaction(at.platform, id)).pendingReason, 'COMPLIANCE_REVIEW');
      await advance(at.platform, 360);
      assert.equal((await readTransaction(at.platform, id)).status, 'COMPLETED');
      assert.deepEqual(await postedKinds(at.platform, id), ['L13a', 'L13b']);
    });

    it('money.md §6.7, §10.2: over a chain, the event of the completion carries its hash as the transaction does', async () => {
      const at = await scene();
      await supports(at.platform, ['USD', 'USDC']);
      await withDefault(at, '', 'SOLANA_WALLET');
      const id = await offered(at, 'success.usd', { receivingCurrencyCode: 'USDC' });
      await advance(at.platform, 2);
      const done = await readTransaction(at.platform, id);
      assert.equal(done.destination.onChainTransaction.network, 'SOLANA');
      const told = at.receiver.received.find(({ body }) => body.type === 'INCOMING_PAYMENT.COMPLETED');
      assert.deepEqual(told?.body.data, done);
    });

    it('in another currency is skipped', async () => {
      const at = await scene();
      await withDefault(at, '999', 'EUR_ACCOUNT');
      const id = await offered(at);
      await advance(at.platform, 1);
      assert.equal((await readTransaction(at.platform, id)).status, 'COMPLETED');
      assert.equal(await fetchBalance(at.platform, at.customer, 'USD'), 5_000);
    });

    it('accounts.md §4.7: is skipped as well if its validation failed', async () => {
      const at = await scene();
      await givenExternalAccount(
        at.platform,
        'USD_ACCOUNT',
        { routingNumber: '999999992' },
        { customerId: at.customer.id, defaultUmaDepositAccount: true },
      );
      const id = await offered(at);
      await advance(at.platform, 1);
      assert.equal((await readTransaction(at.platform, id)).status, 'COMPLETED');
      assert.equal(await fetchBalance(at.platform, at.customer, 'USD'), 5_000);
    });
  });
});
