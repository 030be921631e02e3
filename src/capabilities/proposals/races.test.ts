// lane: whole — signs in, and lets calls wait for each other

import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { endOperator, setRoles } from '#capabilities/operators/manage.ts';
import { settleByHand } from '#capabilities/payments/operator/settle-by-hand.ts';
import { withdrawAllOf } from '#capabilities/proposals/decide-proposal.ts';
import type { ProposalId } from '#capabilities/proposals/row.ts';
import { lockProposal } from '#capabilities/proposals/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import { answer, givenOperator, onInstallation, type TestOperator } from '#tests/given/operators.ts';
import {
  execute,
  givenOutside,
  givenPayer,
  givenPlatform,
  type Payer,
  postedKinds,
} from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('approving while something else happens', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let payer: Payer;
  let admin: TestOperator;
  let maker: TestOperator;
  let checker: TestOperator;

  before(async () => {
    platform = await givenPlatform(world);
    payer = await givenPayer(platform, 100_000_000);
    admin = await givenOperator(world);
  });
  beforeEach(async () => {
    maker = await givenOperator(world, ['treasury', 'support']);
    checker = await givenOperator(world, ['treasury', 'support']);
  });

  const declared = (id: string) =>
    world.app.operatorOperations.find((one) => one.id === id) ?? assert.fail(id);

  interface Proposed {
    readonly id: ProposalId;
    readonly publicId: string;
    readonly transaction: string;
    readonly hash: string;
  }

  async function proposed(): Promise<Proposed> {
    const to = await givenOutside(platform, payer.id, '003');
    const quote = await quoted(platform, { from: payer.account('USD').id, to, send: 10_000 });
    assert.equal((await execute(platform, quote.id)).status, 200);
    await world.app.worker.settle(platform.id);
    const transaction = quote.transactionId;
    const { status, body, raw } = await settle(transaction);
    assert.equal(status, 202, raw);
    return { id: uuidOf(body.id), publicId: body.id, transaction, hash: body.hash };
  }

  const settle = (transactionId: string, by = maker) => by.call(declared('settlePayment'), { transactionId });

  /** Signs now; the returned function sends the approval. */
  async function signed({ publicId, hash }: Proposed, by = checker) {
    const challenge = await by.ask('POST', '/console/api/operator/step-up/challenge', {
      body: { signs: hash },
    });
    assert.equal(challenge.status, 200, challenge.raw);
    const body = answer(by.passkey, challenge.body);
    return () => by.call(declared('approveProposal'), { proposalId: publicId }, body);
  }

  const statusOf = async ({ publicId }: Proposed) =>
    (await admin.call(declared('getProposalById'), { proposalId: publicId })).body.status;
  const wasSettled = async ({ transaction }: Proposed) =>
    (await postedKinds(platform, transaction)).filter((kind) => kind === 'L7').length;
  const outcome = async (one: Proposed) => [await statusOf(one), await wasSettled(one)];

  const suspend = (who: TestOperator) => (tx: Tx) => endOperator(tx, who.id, 'SUSPENDED', 'for the test');
  const demote = (who: TestOperator) => (tx: Tx) => setRoles(tx, who.id, ['support'], 'for the test');
  const untilWaiting = (call: Promise<unknown>) => untilBlocked(world.databaseUrl, 1, call);

  /** Something that is decided, but not committed, when the approval arrives. */
  async function first(steps: (tx: Tx) => Promise<unknown>): Promise<() => Promise<void>> {
    const [done, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ended = onInstallation(world, async (tx) => {
      await steps(tx);
      done.resolve();
      await end.promise;
    });
    await Promise.race([done.promise, ended]);
    return async () => {
      end.resolve();
      await ended;
    };
  }

  for (const [name, curtail] of Object.entries({ 'is suspended': suspend, 'loses the role': demote })) {
    it(`operator.md §5.7, §10.2: a checker who ${name} before the approval approves nothing`, async () => {
      const one = await proposed();
      const approve = await signed(one);
      const commit = await first(curtail(checker));
      const approving = approve();
      await untilWaiting(approving);
      await commit();
      assert.ok([401, 403].includes((await approving).status));
      assert.deepEqual(await outcome(one), ['PENDING', 0]);
    });

    it(`operator.md §5.5, §10.2: a checker who ${name} before the rejection rejects nothing`, async () => {
      const one = await proposed();
      const commit = await first(curtail(checker));
      const rejecting = checker.call(declared('rejectProposal'), { proposalId: one.publicId });
      await untilWaiting(rejecting);
      await commit();
      assert.ok([401, 403].includes((await rejecting).status));
      assert.deepEqual(await outcome(one), ['PENDING', 0]);
    });

    it(`operator.md §5.7, §10.2: a checker who ${name} during the approval has approved`, async () => {
      const one = await proposed();
      const approve = await signed(one);
      const release = await holdOpen(platform, (tx) => lockProposal(tx, one.id));
      const approving = approve();
      await untilWaiting(approving);
      const curtailing = onInstallation(world, curtail(checker));
      await untilBlocked(world.databaseUrl, 2, curtailing);
      await release();
      assert.equal((await approving).body.status, 'APPROVED');
      await curtailing;
      assert.deepEqual(await outcome(one), ['APPROVED', 1]);
    });

    it(`operator.md §5.7, §10.2: the proposal of a maker who ${name} before its approval is withdrawn`, async () => {
      const one = await proposed();
      const approve = await signed(one);
      const commit = await first(curtail(maker));
      const approving = approve();
      await untilWaiting(approving);
      await commit();
      assert.deepEqual([(await approving).status, (await approving).body.code], [409, 'PROPOSAL_DECIDED']);
      assert.deepEqual(await outcome(one), ['WITHDRAWN', 0]);
    });

    it(`operator.md §5.7, §10.2: a maker who ${name} during an approval changes nothing about it`, async () => {
      const one = await proposed();
      const approve = await signed(one);
      const release = await holdOpen(platform, (tx) => lockProposal(tx, one.id));
      const approving = approve();
      await untilWaiting(approving);
      const curtailing = onInstallation(world, curtail(maker));
      await untilBlocked(world.databaseUrl, 2, curtailing);
      await release();
      await Promise.all([approving, curtailing]);
      const [status, settled] = await outcome(one);
      assert.equal(settled, status === 'APPROVED' ? 1 : 0);
      assert.ok(['APPROVED', 'WITHDRAWN'].includes(status), status);
    });
  }

  it('operator.md §5.5, §10.2: approvals, a rejection, a withdrawal and a suspension at once: one of them counts', async () => {
    const third = await givenOperator(world, ['treasury', 'support']);
    for (let round = 0; round < 5; round++) {
      const one = await proposed();
      const approvals = [await signed(one), await signed(one, third)];
      const reject = () => third.call(declared('rejectProposal'), { proposalId: one.publicId });
      const withdraw = () => maker.call(declared('withdrawProposal'), { proposalId: one.publicId });
      const replies = Promise.all([...approvals, reject, withdraw].map((decide) => decide()));
      const ending = onInstallation(world, (tx) => withdrawAllOf(tx, maker.id, 'for the test'));
      const [replied] = await Promise.all([replies, ending]);
      const decided = replied.filter(({ status }) => status === 200);
      assert.ok(decided.length <= 1, `${decided.length} decided`);
      for (const { status, body } of replied) if (status !== 200) assert.equal(body.code, 'PROPOSAL_DECIDED');
      const [status, settled] = await outcome(one);
      assert.equal(settled, status === 'APPROVED' ? 1 : 0);
      assert.equal(decided[0]?.body.status ?? 'WITHDRAWN', status);
    }
  });

  it('operator.md §5.5, §10.2: after its time a proposal gives way to the next one, and is never approved', async () => {
    const one = await proposed();
    const before = await signed(one);
    world.clock.advance(72 * 3_600_000);
    for (const who of [maker, checker, admin]) assert.equal((await who.signIn()).status, 204);
    const late = await signed(one);
    const [next, ...approvals] = await Promise.all([settle(one.transaction), late(), before()]);
    assert.equal(next?.status, 202, next?.raw);
    assert.deepEqual(
      approvals.map(({ body }) => ['PROPOSAL_DECIDED', 'STEP_UP_REQUIRED'].includes(body.code)),
      [true, true],
    );
    assert.deepEqual(await outcome(one), ['EXPIRED', 0]);
  });

  it('operator.md §5.4, §10.2: a payment that settles at the same moment is settled once', async () => {
    for (let round = 0; round < 5; round++) {
      const one = await proposed();
      const approve = await signed(one);
      const reported = (async () => {
        const work = await platform.work();
        const transactionId = uuidOf<'Transaction'>(one.transaction as never);
        return work
          .write((tx) => settleByHand(tx, [], { transactionId, action: 'settle', reason: 'by the rail' }))
          .then(() => true)
          .catch((error) => (error instanceof Refusal ? false : Promise.reject(error)));
      })();
      const { body, raw } = await approve();
      const [wasReported, [status, settled]] = [await reported, await outcome(one)];
      assert.equal(settled, 1);
      assert.equal(wasReported, status !== 'APPROVED', raw);
      assert.ok(['APPROVED', 'FAILED', 'PENDING'].includes(status), status);
      if (status === 'PENDING') assert.ok(['PROPOSAL_STALE', 'SERVICE_UNAVAILABLE'].includes(body.code), raw);
    }
  });
});
