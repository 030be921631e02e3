// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PaymentNotice } from '#capabilities/payments/machine/notice.ts';
import { receiveReports } from '#capabilities/payments/settlement/notices.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { NoticeRefused } from '#foundation/machine/machine.ts';
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
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** Every notice that an incoming UMA payment can get. */
const EVERYTHING: readonly PaymentNotice[] = [
  { kind: 'approved' },
  { kind: 'rejected' },
  { kind: 'approvalFailed', reason: 'PAY_REQUEST_FAILED' },
  { kind: 'arrived', transactionHash: 'ab' },
  { kind: 'held' },
  { kind: 'released', transactionHash: 'ab' },
  { kind: 'complianceRejected' },
  { kind: 'delivered' },
  { kind: 'payoutFailed', reason: 'ACCOUNT_INVALID' },
  { kind: 'accepted' },
  { kind: 'collected' },
  { kind: 'collectionFailed' },
  { kind: 'collectionReversed' },
  { kind: 'cancelled' },
  { kind: 'refunded' },
  { kind: 'refundFailed' },
  { kind: 'executed' },
  { kind: 'expired' },
  { kind: 'funded', amount: 5_000n },
];

describe('notices about incoming UMA payments', () => {
  const world = testWorld();

  interface Scene {
    readonly platform: TestPlatform;
    readonly customer: Payer;
    readonly id: string;
  }

  async function offered(scenario = 'success.usd', isOutside = false): Promise<Scene> {
    const platform = await givenPlatform(world);
    await platform.receive();
    const customer = await givenPayer(platform, 0);
    if (isOutside) {
      const more = { customerId: customer.id, defaultUmaDepositAccount: true };
      await givenExternalAccount(platform, 'USD_ACCOUNT', { accountNumber: '4455999' }, more);
    }
    const reply = await platform.call('sandboxReceive', {
      body: {
        senderUmaAddress: `$${scenario}@${TEST_DOMAINS.sandboxUmaDomain}`,
        customerId: customer.id,
        receivingCurrencyCode: 'USD',
        receivingCurrencyAmount: 5_000,
      },
    });
    assert.equal(reply.status, 200, reply.raw);
    return { platform, customer, id: reply.body.id };
  }

  async function tell({ platform, id }: Scene, notices: readonly PaymentNotice[]): Promise<void> {
    const work = await platform.work();
    for (const notice of notices) {
      const report = { reference: uuidOf(id), notices: [notice] };
      const told = work.write((tx) => receiveReports(tx, [report]));
      // A caller's notice is refused, where a rail's late one is ignored.
      if (notice.kind === 'executed') await assert.rejects(told, NoticeRefused);
      else await told;
    }
  }

  async function standing({ platform, customer, id }: Scene) {
    return {
      transaction: await readTransaction(platform, id),
      kinds: await postedKinds(platform, id),
      told: await listEventTypes(platform, id),
      balance: await fetchBalance(platform, customer, 'USD'),
    };
  }

  const ENDS: [string, readonly PaymentNotice[]][] = [
    ['completed', [{ kind: 'approved' }, { kind: 'arrived', transactionHash: 'ab' }]],
    ['completed after a hold', [{ kind: 'approved' }, { kind: 'held' }, { kind: 'released' }]],
    ['rejected', [{ kind: 'rejected' }]],
    ['timed out', [{ kind: 'approvalFailed', reason: 'PAYMENT_APPROVAL_TIMED_OUT' }]],
    ['refunded', [{ kind: 'approved' }, { kind: 'complianceRejected' }, { kind: 'refunded' }]],
    [
      'refused after a hold',
      [{ kind: 'approved' }, { kind: 'held' }, { kind: 'complianceRejected' }, { kind: 'refunded' }],
    ],
    ['not refundable', [{ kind: 'approved' }, { kind: 'complianceRejected' }, { kind: 'refundFailed' }]],
  ];
  for (const [name, course] of ENDS) {
    it(`money.md §4.2: once it is ${name}, every late or repeated notice changes nothing`, async () => {
      const scene = await offered();
      await tell(scene, course);
      const before = await standing(scene);
      await tell(scene, EVERYTHING);
      await tell(scene, EVERYTHING.toReversed());
      await tell(scene, [{ kind: 'returned' }]);
      assert.deepEqual(await standing(scene), before);
      await advance(scene.platform, 400);
      assert.deepEqual(await standing(scene), before);
    });
  }

  it('money.md §4.2: before the decision only a decision applies', async () => {
    const scene = await offered();
    const before = await standing(scene);
    for (const notice of EVERYTHING.filter(({ kind }) => !/^(approv|reject)/.test(kind))) {
      await tell(scene, [notice]);
      assert.deepEqual(await standing(scene), before, notice.kind);
    }
  });

  it('money.md §7.4: a hold by the rail of the payout does not block the delivery', async () => {
    const scene = await offered('success.usd', true);
    const arrived: PaymentNotice = { kind: 'arrived', transactionHash: 'ab' };
    await tell(scene, [{ kind: 'approved' }, arrived, { kind: 'held' }, { kind: 'delivered' }]);
    const { transaction, kinds } = await standing(scene);
    assert.equal(transaction.status, 'COMPLETED');
    assert.deepEqual(kinds, ['L13a', 'L13b']);
  });

  it('money.md §4.2, §10.3: every step applies once, even if it is reported twice', async () => {
    const scene = await offered();
    const course: PaymentNotice[] = [{ kind: 'approved' }, { kind: 'held' }, { kind: 'released' }];
    await tell(
      scene,
      course.flatMap((notice) => [notice, notice]),
    );
    const { kinds, balance } = await standing(scene);
    assert.deepEqual(kinds, ['L13a', 'L14a', 'L14b']);
    assert.equal(balance, 5_000);
  });

  it('money.md §7.4: a bank that returns the money after COMPLETED makes it OFFRAMP_FAILED, once', async () => {
    const scene = await offered('success.usd', true);
    await advance(scene.platform, 3);
    assert.equal((await readTransaction(scene.platform, scene.id)).status, 'COMPLETED');
    await tell(scene, [{ kind: 'returned' }, { kind: 'returned' }]);
    await advance(scene.platform, 2);
    const { transaction, kinds, told } = await standing(scene);
    assert.deepEqual(
      [transaction.status, transaction.failureReason, transaction.refund.status],
      ['FAILED', 'OFFRAMP_FAILED', 'COMPLETED'],
    );
    assert.deepEqual(kinds, ['L13a', 'L13b', 'L8', 'L15a', 'L15b']);
    assert.deepEqual(told, ['PENDING', 'COMPLETED', 'FAILED', 'REFUND_PENDING', 'REFUND_COMPLETED']);
  });

  it('money.md §7.4: a return before the delivery makes it OFFRAMP_FAILED; the later delivery changes nothing', async () => {
    const scene = await offered('success.usd', true);
    const arrived: PaymentNotice = { kind: 'arrived', transactionHash: 'ab' };
    await tell(scene, [{ kind: 'approved' }, arrived, { kind: 'returned' }, { kind: 'delivered' }]);
    await advance(scene.platform, 2);
    const { transaction, kinds } = await standing(scene);
    assert.deepEqual([transaction.status, transaction.failureReason], ['FAILED', 'OFFRAMP_FAILED']);
    assert.deepEqual(kinds, ['L13a', 'L15a', 'L15b']);
  });

  it('money.md §4.1: a report about an unknown transaction leaves only an audit row', async () => {
    const { platform } = await offered();
    const work = await platform.work();
    const reference = newUuid();
    const rows = await work.write((tx) =>
      receiveReports(tx, [{ reference, notices: [{ kind: 'arrived' }] }]),
    );
    assert.deepEqual(rows, []);
    const [row] = await work.read(
      (tx) => tx.sql<{ action: string }>`
        select action from audit_log
         where platform_id = ${tx.platformId} and resource = ${`Transaction:${reference}`}`,
    );
    assert.equal(row?.action, 'payment notice ignored');
  });
});
