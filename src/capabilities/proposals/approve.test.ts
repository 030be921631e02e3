// lane: whole — signs in, pays and settles

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { endOperator } from '#capabilities/operators/manage.ts';
import { setApprovalSettings } from '#capabilities/proposals/settings-store.ts';
import { sql } from '#foundation/database/sql.ts';
import { answer, givenOperator, onInstallation, SHELL, type TestOperator } from '#tests/given/operators.ts';
import {
  execute,
  givenOutside,
  givenPayer,
  givenPlatform,
  type Payer,
  postedKinds,
} from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import { withWritten } from '#tests/harness/audit-lines.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

describe('approving over HTTP', () => {
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
    maker = await givenOperator(world, ['treasury']);
    checker = await givenOperator(world, ['treasury']);
  });

  async function waiting(): Promise<string> {
    const to = await givenOutside(platform, payer.id, '003');
    const quote = await quoted(platform, { from: payer.account('USD').id, to, send: 10_000 });
    assert.equal((await execute(platform, quote.id)).status, 200);
    await world.app.worker.settle(platform.id);
    return quote.transactionId;
  }

  const declared = (id: string) => {
    const found = world.app.operatorOperations.find((one) => one.id === id);
    assert.ok(found, id);
    return found;
  };
  const settle = (transactionId: string, by = maker) => by.call(declared('settlePayment'), { transactionId });
  const act = (id: string, proposalId: string, by: TestOperator, body = {}) =>
    by.call(declared(id), { proposalId }, body);

  async function withdrawals(proposal: string) {
    const rows = await world.database.query<{
      id: Id<'AuditRow'>;
      private: Buffer | null;
      platform_id: string;
      actor_id: string;
      details: Record<string, unknown>;
    }>(sql`
      select id, private, platform_id, actor_id, details from audit_log
       where action = 'proposal withdraw' and resource = ${proposal}`);
    return withWritten(world.app.runtime, rows);
  }

  async function sign(by: TestOperator, hash: string) {
    const challenge = await by.ask('POST', '/console/api/operator/step-up/challenge', {
      body: { signs: hash },
    });
    assert.equal(challenge.status, 200, challenge.raw);
    return answer(by.passkey, challenge.body);
  }

  it('operator.md §5.1, §5.4: with two active operators one proposes, and another approves with a passkey', async () => {
    const id = await waiting();
    const { status, body } = await settle(id);
    assert.deepEqual([status, body.status, body.resource], [202, 'PENDING', id]);
    assert.deepEqual(await postedKinds(platform, id), ['L2', 'L6']);
    const wrong = await act('approveProposal', body.id, checker, await sign(checker, '0'.repeat(64)));
    assert.deepEqual([wrong.status, wrong.body.code], [403, 'STEP_UP_REQUIRED'], 'it signed something else');
    const own = await act('approveProposal', body.id, maker, await sign(maker, body.hash));
    assert.deepEqual([own.status, own.body.code], [403, 'FORBIDDEN']);
    const signed = await sign(checker, body.hash);
    const foreign = await act('approveProposal', body.id, admin, signed);
    assert.deepEqual([foreign.status, foreign.body.code], [403, 'FORBIDDEN']);
    const done = await act('approveProposal', body.id, checker, signed);
    assert.deepEqual([done.status, done.body.status], [200, 'APPROVED'], done.raw);
    assert.equal(done.body.checkerId, `Operator:${checker.id}`);
    assert.deepEqual(await postedKinds(platform, id), ['L2', 'L6', 'L7']);
    const again = await act('approveProposal', body.id, checker, await sign(checker, body.hash));
    assert.deepEqual([again.status, again.body.code], [409, 'PROPOSAL_DECIDED']);
  });

  it('operator.md §5.4: an answer counts once', async () => {
    const [one, two] = [await settle(await waiting()), await settle(await waiting())];
    const signed = await sign(checker, one.body.hash);
    assert.equal((await act('approveProposal', one.body.id, checker, signed)).status, 200);
    const replayed = await act('approveProposal', two.body.id, checker, signed);
    assert.equal(replayed.body.code, 'STEP_UP_REQUIRED');
  });

  it('operator.md §5.7: a suspended maker’s proposals end in the same commit, and a suspended checker decides nothing', async () => {
    const [leaving, other] = [
      await givenOperator(world, ['treasury']),
      await givenOperator(world, ['treasury']),
    ];
    const theirs = await settle(await waiting(), leaving);
    const kept = await settle(await waiting());
    const signed = await sign(other, kept.body.hash);
    for (const { id } of [leaving, other])
      await onInstallation(world, (tx) => endOperator(tx, id, 'SUSPENDED', 'for the test'));
    const read = await checker.call(declared('getProposalById'), { proposalId: theirs.body.id });
    assert.equal(read.body.status, 'WITHDRAWN');
    const [told, ...more] = await withdrawals(theirs.body.id);
    assert.deepEqual(more, []);
    assert.deepEqual([told?.platform_id, told?.actor_id], [platform.id, SHELL.id]);
    assert.deepEqual(told?.details, {
      ...{ operation: 'settlePayment', about: theirs.body.resource, reason: 'the operator is SUSPENDED' },
    });
    assert.equal((await act('approveProposal', kept.body.id, other, signed)).status, 401);
  });

  it('operator.md §5.8: a secret is shown to its maker alone, once', async () => {
    const second = await givenOperator(world);
    const live = await givenPlatform(world, { environment: 'PRODUCTION' });
    const request = { name: 'For a backend', permissions: ['VIEW'] };
    const params = { platformId: `Platform:${live.id}` };
    const proposed = await admin.call(declared('createTokenOfPlatform'), params, request);
    assert.equal(proposed.status, 202, proposed.raw);
    const { id, hash } = proposed.body;
    const done = await act('approveProposal', id, second, await sign(second, hash));
    assert.equal(done.body.status, 'APPROVED', done.raw);
    assert.equal(done.body.reply, undefined);
    assert.equal((await act('showProposalSecret', id, second)).status, 403);
    const shown = await act('showProposalSecret', id, admin);
    assert.ok(shown.body.reply.clientSecret, shown.raw);
    assert.equal((await act('showProposalSecret', id, admin)).status, 409);
  });

  it('operator.md §5.1: the setting alone switches it off', async () => {
    await onInstallation(world, (tx) => setApprovalSettings(tx, { approvals: 'off' }));
    assert.equal((await settle(await waiting())).status, 200);
    await onInstallation(world, (tx) => setApprovalSettings(tx, { approvals: 'required' }));
    assert.equal((await settle(await waiting())).status, 202);
  });
});
