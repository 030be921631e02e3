// lane: whole — pays and settles many payments

import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { type Approval, approveProposal, withdrawAllOf } from '#capabilities/proposals/decide-proposal.ts';
import { addProposal } from '#capabilities/proposals/make-proposal.ts';
import { openContent, type ProposalId } from '#capabilities/proposals/row.ts';
import { findProposal } from '#capabilities/proposals/store.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import {
  execute,
  givenOutside,
  givenPayer,
  givenPlatform,
  listEventTypes,
  type Payer,
  postedKinds,
  readTransaction,
} from '#tests/given/payments.ts';
import { type SeatedOperator, seatedOperator, setApprovals } from '#tests/given/proposals.ts';
import { quoted } from '#tests/given/quotes.ts';
import { withWritten } from '#tests/harness/audit-lines.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('approval by a second operator', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let there: Platform;
  let payer: Payer;
  let maker: SeatedOperator;
  let checker: SeatedOperator;

  before(async () => {
    platform = await givenPlatform(world);
    payer = await givenPayer(platform, 100_000_000);
    there = (await platform.work()).platform;
  });

  beforeEach(async () => {
    maker = await seatedOperator(world, there);
    checker = await seatedOperator(world, there);
    await setApprovals(world, { approvals: 'required', above: {} });
  });

  /** A payment that waits for its rail. */
  async function waiting(send = 10_000): Promise<TransactionId> {
    const to = await givenOutside(platform, payer.id, '003');
    const quote = await quoted(platform, { from: payer.account('USD').id, to, send });
    assert.equal((await execute(platform, quote.id)).status, 200);
    await world.app.worker.settle(platform.id);
    return uuidOf(quote.transactionId);
  }

  const publicOf = (transactionId: TransactionId) => `Transaction:${transactionId}`;
  const statusOf = async (id: TransactionId) => (await readTransaction(platform, publicOf(id))).status;
  const idOf = (proposal: { id: string }): ProposalId => uuidOf(proposal.id);

  async function propose(transactionId: TransactionId, by = maker, operation = 'settlePayment') {
    const reply = await by.call(operation, { transactionId });
    assert.equal(reply.status, 202, JSON.stringify(reply.body));
    return reply.body;
  }

  async function approve(proposal: { id: string }, by = checker, more: Partial<Approval> = {}) {
    const approval: Approval = {
      by: by.name,
      operator: by.id,
      proof: { signed: proposal.id },
      details: {},
      ...more,
    };
    const work = await platform.work();
    return work.write((tx) => approveProposal(tx, world.app.operatorOperations, idOf(proposal), approval));
  }

  const codeOf = (error: unknown) =>
    error instanceof Refusal ? error.code : error instanceof Error ? error.message : error;
  const refused = (code: string) => (error: unknown) => codeOf(error) === code;
  const read = async (proposal: { id: string }, by = maker) =>
    (await by.call('getProposalById', { proposalId: idOf(proposal) })).body;

  it('operator.md §5.1, §5.2: an operation is proposed with its preview, and nothing happens', async () => {
    const id = await waiting();
    const proposal = await propose(id);
    assert.deepEqual(
      [proposal.status, proposal.operation, proposal.resource, proposal.makerId, proposal.reason],
      ['PENDING', 'settlePayment', publicOf(id), maker.name, 'case 4711'],
    );
    assert.deepEqual(proposal.input.params, { transactionId: id });
    const { entries, events, rows, changes, reply, amounts } = proposal.preview;
    assert.deepEqual(
      entries.map(({ kind }: { kind: string }) => kind),
      ['payment.delivered'],
    );
    assert.match(entries[0].says, /^Booked: .* was delivered\.$/);
    assert.ok(entries[0].lines.every(({ amount }: { amount: number }) => amount > 0));
    assert.ok(events.some(({ resource }: { resource: string }) => resource === publicOf(id)));
    assert.deepEqual(
      rows.map(({ statuses }: { statuses: object }) => statuses),
      [{ status: 'COMPLETED' }],
    );
    assert.deepEqual(changes[0].action, 'payment settle');
    assert.deepEqual(reply, { id: publicOf(id), status: 'COMPLETED' });
    assert.equal(Object.keys(amounts).length, 1);
    assert.equal(
      new Date(proposal.expiresAt).getTime() - new Date(proposal.createdAt).getTime(),
      72 * 3_600_000,
    );
    assert.equal(await statusOf(id), 'PROCESSING');
    assert.deepEqual(await postedKinds(platform, publicOf(id)), ['L2', 'L6']);
    await maker.call('withdrawProposal', { proposalId: idOf(proposal) });
  });

  it('operator.md §5.2: it is refused at once with the refusal of the operation', async () => {
    const id = await waiting();
    await approve(await propose(id));
    const again = await maker.call('settlePayment', { transactionId: id });
    assert.deepEqual([again.status, again.body.code], [409, 'CONFLICT']);
    assert.match(again.body.reason, /nothing to settle/);
  });

  it('operator.md §5.4: a second operator performs it with the approval; the audit row names both', async () => {
    const id = await waiting();
    const proposal = await propose(id);
    const row = await approve(proposal);
    assert.deepEqual([row.status, row.checker], ['APPROVED', checker.id]);
    assert.equal(await statusOf(id), 'COMPLETED');
    assert.deepEqual(await postedKinds(platform, publicOf(id)), ['L2', 'L6', 'L7']);
    assert.deepEqual(await listEventTypes(platform, publicOf(id)), ['PENDING', 'PROCESSING', 'COMPLETED']);
    const audited = await auditRows(publicOf(id));
    assert.equal(audited.length, 1);
    assert.equal(audited[0]?.actor_id, maker.name);
    const { proposal: about, checker: second, reason } = audited[0]?.details ?? {};
    assert.deepEqual([about, second, reason], [proposal.id, checker.name, 'case 4711']);
    assert.deepEqual((await read(proposal)).reply, { id: publicOf(id), status: 'COMPLETED' });
  });

  it('operator.md §5.4: the maker approves nothing, and the database refuses it as well', async () => {
    const id = await waiting();
    const proposal = await propose(id);
    await assert.rejects(approve(proposal, maker), refused('FORBIDDEN'));
    await assert.rejects(
      world.database.query(sql`
        update proposals set status = 'APPROVED', checker = maker, decided_at = created_at, decided_by = 'x', version = version + 1
         where id = ${idOf(proposal)}`),
      /proposals_second_operator/,
    );
    assert.equal(await statusOf(id), 'PROCESSING');
    await approve(proposal);
    await assert.rejects(
      world.database.query(sql`update proposals set status = 'PENDING', decided_at = null, decided_by = null
        where id = ${idOf(proposal)}`),
      /is decided/,
    );
    await assert.rejects(
      world.database.query(sql`delete from proposals where id = ${idOf(proposal)}`),
      /never removed/,
    );
  });

  it('operator.md §5.3: one undecided proposal for an operation and its subject, also at the same moment', async () => {
    const id = await waiting();
    const replies = await Promise.all(
      [1, 2, 3].map(() => maker.call('settlePayment', { transactionId: id })),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [202, 409, 409]);
    assert.ok(
      replies.filter(({ status }) => status === 409).every(({ body }) => body.code === 'PROPOSAL_PENDING'),
    );
    const other = await checker.call('failPayment', { transactionId: id });
    assert.equal(other.status, 202, 'another operation has its own place');
    const first = replies.find(({ status }) => status === 202);
    const shown = async () => (await maker.call('showPayments', { id })).body.pendingProposals;
    assert.deepEqual((await shown()).toSorted(), [first?.body.id, other.body.id].toSorted());
    const rejection = { proposalId: idOf(other.body) };
    assert.equal((await maker.call('rejectProposal', rejection)).status, 200);
    assert.deepEqual(await shown(), [first?.body.id], 'the record names those that are undecided');
    assert.equal((await maker.call('withdrawProposal', { proposalId: idOf(first?.body) })).status, 200);
    assert.equal(await shown(), undefined);
  });

  it('operator.md §5.4: a changed effect is stale, with the new preview, and nothing happens', async () => {
    const id = await waiting();
    const proposal = await propose(id);
    // Meanwhile the payment failed, so that settling would now settle its refund.
    const failing = await propose(id, maker, 'failPayment');
    await approve(failing);
    await assert.rejects(approve(proposal), (error) => {
      assert.ok(error instanceof Refusal);
      assert.equal(error.code, 'PROPOSAL_STALE');
      assert.ok(error.details?.preview);
      return true;
    });
    assert.equal((await read(proposal)).status, 'PENDING');
    assert.deepEqual(await postedKinds(platform, publicOf(id)), ['L2', 'L6', 'L9', 'L10']);
  });

  it('operator.md §5.6: an operation that refuses at the approval fails its proposal and leaves nothing', async () => {
    const id = await waiting();
    const proposal = await propose(id);
    await world.app.worker.settle(platform.id);
    await setApprovals(world, { approvals: 'off' });
    assert.equal((await maker.call('settlePayment', { transactionId: id })).status, 200);
    const row = await approve(proposal);
    assert.equal(row.status, 'FAILED');
    const { failure } = await read(proposal);
    assert.deepEqual([failure.code, /nothing to settle/.test(failure.message)], ['CONFLICT', true]);
    assert.deepEqual(await postedKinds(platform, publicOf(id)), ['L2', 'L6', 'L7']);
  });

  it('operator.md §5.5, §5.7: of two decisions at once one wins', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await waiting();
      const proposal = await propose(id);
      const third = await seatedOperator(world, there);
      const work = await platform.work();
      const outcomes = await Promise.allSettled([
        approve(proposal),
        approve(proposal, third),
        done(third.call('rejectProposal', { proposalId: idOf(proposal) })),
        done(maker.call('withdrawProposal', { proposalId: idOf(proposal) })),
        work.write((tx) => withdrawAllOf(tx, maker.id, 'for the test')),
      ]);
      const won = outcomes.slice(0, 4).filter(({ status }) => status === 'fulfilled').length;
      const { status } = await read(proposal);
      assert.ok(won <= 1 && status !== 'PENDING', `${won} won: ${status}`);
      for (const lost of outcomes.slice(0, 4))
        if (lost.status === 'rejected') assert.equal(codeOf(lost.reason), 'PROPOSAL_DECIDED');
      const kinds = await postedKinds(platform, publicOf(id));
      assert.equal(kinds.filter((kind) => kind === 'L7').length, status === 'APPROVED' ? 1 : 0);
    }
  });

  it('operator.md §5.5: a proposal expires without a job, and gives way to the next one', async () => {
    const id = await waiting();
    const proposal = await propose(id);
    world.clock.advance(72 * 3_600_000);
    assert.equal((await read(proposal)).status, 'EXPIRED');
    await assert.rejects(approve(proposal), refused('PROPOSAL_DECIDED'));
    assert.equal(await statusOf(id), 'PROCESSING');
    const next = await propose(id);
    assert.equal((await read(proposal)).status, 'EXPIRED');
    await approve(next);
    assert.equal(await statusOf(id), 'COMPLETED');
  });

  it('operator.md §5.1: one operator acts alone while approvals are off, and up to the amounts of a day', async () => {
    await setApprovals(world, { above: { EUR: 20_000, USD: 20_000 } });
    const [one, two, three] = [await waiting(9_000), await waiting(9_000), await waiting(9_000)];
    const statuses = [];
    for (const transactionId of [one, two, three]) {
      statuses.push((await maker.call('settlePayment', { transactionId })).status);
    }
    assert.deepEqual(statuses, [200, 200, 202]);
    assert.equal((await checker.call('settlePayment', { transactionId: await waiting(9_000) })).status, 200);
    await setApprovals(world, { approvals: 'off', above: {} });
    assert.equal((await maker.call('settlePayment', { transactionId: await waiting() })).status, 200);
  });

  it('operator.md §5.1: a call that books nothing has no amount, so a second operator decides whatever one may move', async () => {
    await setApprovals(world, { above: { EUR: 1_000_000, USD: 1_000_000 } });
    const source = { accountId: await givenOutside(platform, payer.id) };
    const destination = { accountId: payer.account('EUR').id };
    const body = { source, destination, amount: 500 };
    const pulled = await platform.call('createTransferIn', { body });
    assert.equal(pulled.status, 201, pulled.raw);
    const transactionId: TransactionId = uuidOf(pulled.body.id);
    assert.equal((await maker.call('failPayment', { transactionId })).status, 202);
  });

  it('operator.md §5.6: a proposal from the command line waits until its maker takes it', async () => {
    const id = await waiting();
    const made = await propose(id);
    const work = await platform.work();
    const stored = (await work.read((tx) => findProposal(tx, idOf(made)))) ?? assert.fail();
    const content = openContent(world.app.runtime.vault, stored) ?? assert.fail();
    await maker.call('withdrawProposal', { proposalId: idOf(made) });
    const { id: unclaimed } = await work.write((tx) =>
      addProposal(tx, {
        ...{
          operation: 'settlePayment',
          resource: publicOf(id),
          subject: id,
          maker: maker.id,
          isUnclaimed: true,
        },
        content: { ...content, details: {} },
      }),
    );
    const proposal = { id: `Proposal:${unclaimed}` };
    await assert.rejects(approve(proposal), refused('CONFLICT'));
    assert.equal((await checker.call('takeProposal', { proposalId: unclaimed })).status, 403);
    assert.equal((await maker.call('takeProposal', { proposalId: unclaimed })).body.status, 'PENDING');
    assert.equal((await maker.call('takeProposal', { proposalId: unclaimed })).body.code, 'CONFLICT');
    assert.equal((await approve(proposal)).status, 'APPROVED');
  });

  it('operator.md §6.1: a repeated key gets the same proposal, whatever became of it', async () => {
    const transactionId = await waiting();
    const first = await maker.call('settlePayment', { transactionId }, {}, 'key-of-the-proposal');
    await approve(first.body);
    const again = await maker.call('settlePayment', { transactionId }, {}, 'key-of-the-proposal');
    assert.deepEqual([again.status, again.body], [202, first.body]);
  });

  it('operator.md §5.9: others see neither input nor effect, and decide nothing', async () => {
    const proposal = await propose(await waiting());
    const stranger = await seatedOperator(world, there, ['support']);
    const seen = await read(proposal, stranger);
    assert.deepEqual([seen.input, seen.preview, seen.reason], [undefined, undefined, undefined]);
    const rejected = await stranger.call('rejectProposal', { proposalId: idOf(proposal) });
    assert.deepEqual([rejected.status, rejected.body.details.roles], [403, ['treasury']]);
    const own = await maker.call('rejectProposal', { proposalId: idOf(proposal) });
    assert.equal(own.status, 403);
    const listed = async (by: SeatedOperator, view: string) =>
      (await by.call('listProposals', {}, { view })).body.data.some(
        ({ id }: { id: string }) => id === proposal.id,
      );
    assert.deepEqual(
      [
        await listed(checker, 'TO_CHECK'),
        await listed(maker, 'TO_CHECK'),
        await listed(stranger, 'TO_CHECK'),
      ],
      [true, false, false],
    );
    assert.deepEqual([await listed(maker, 'MINE'), await listed(checker, 'DECIDED')], [true, false]);
    const done = await checker.call('rejectProposal', { proposalId: idOf(proposal) });
    assert.deepEqual([done.body.status, done.body.rejectionReason], ['REJECTED', 'case 4711']);
    assert.equal(await listed(checker, 'DECIDED'), true);
  });

  async function done(reply: Promise<{ status: number; body: { code?: string; reason?: string } }>) {
    const { status, body } = await reply;
    if (status >= 400) throw new Refusal(body.code as 'CONFLICT', body.reason ?? '');
  }

  async function auditRows(resource: string) {
    const rows = await world.database.query<{
      id: Id<'AuditRow'>;
      private: Buffer | null;
      actor_id: string;
      details: Record<string, unknown>;
    }>(sql`
      select id, private, actor_id, details from audit_log
       where platform_id = ${platform.id} and resource = ${resource} and actor_kind = 'operator' order by at, id`);
    return withWritten(world.app.runtime, rows);
  }
});
