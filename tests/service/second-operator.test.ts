// lane: whole — every operation that needs a second operator, several times

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Approval, approveProposal } from '#capabilities/proposals/decide-proposal.ts';
import { addProposal } from '#capabilities/proposals/make-proposal.ts';
import { openContent, type ProposalId, type ProposalStatus } from '#capabilities/proposals/row.ts';
import { findProposal } from '#capabilities/proposals/store.ts';
import { sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { type SeatedOperator, seatedOperator, setApprovals } from '#tests/given/proposals.ts';
import { ARRANGED, type ArrangedCall } from '#tests/given/second-operator.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('every operation that needs a second operator', () => {
  const world = testWorld();

  interface Scene extends ArrangedCall {
    readonly id: string;
    readonly maker: SeatedOperator;
    readonly checker: SeatedOperator;
  }

  const declared = (id: string): NamedOperation =>
    world.app.operatorOperations.find((one) => one.id === id) ?? assert.fail(id);

  async function scene(id: string): Promise<Scene> {
    const arranged = ARRANGED[id] ?? assert.fail(`no call of ${id} is arranged`);
    await setApprovals(world, { approvals: 'off', above: {} });
    const call = await arranged.arrange(world);
    const roles = declared(id).operator?.roles ?? [];
    const [maker, checker] = [
      await seatedOperator(world, call.platform, roles),
      await seatedOperator(world, call.platform, roles),
    ];
    await setApprovals(world, { approvals: 'required', above: {} });
    return { id, ...call, maker, checker };
  }

  const propose = ({ id, params, body, maker }: Scene, key?: string) => maker.call(id, params, body, key);

  async function proposed(given: Scene): Promise<{ id: ProposalId; body: { hash: string } }> {
    const { status, body } = await propose(given);
    assert.equal(status, 202, JSON.stringify(body));
    assert.equal(body.operation, given.id);
    return { id: uuidOf(body.id), body };
  }

  /** The status after the approval, or the code with which it is refused. */
  async function approve({ platform, checker }: Scene, id: ProposalId): Promise<ProposalStatus | string> {
    const approval: Approval = { by: checker.name, operator: checker.id, proof: { for: id }, details: {} };
    const work = new Work(world.app.runtime, platform, { kind: 'operator', id: checker.name });
    return work
      .write((tx) => approveProposal(tx, world.app.operatorOperations, id, approval))
      .then(({ status }) => status)
      .catch((error) => (error instanceof Refusal ? error.code : Promise.reject(error)));
  }

  const read = async ({ maker }: Scene, id: ProposalId) =>
    (await maker.call('getProposalById', { proposalId: id })).body;

  /** What an operation leaves behind, without what tells of proposals. */
  async function traces({ platform }: Scene): Promise<unknown> {
    const [counted] = await world.database.query(sql`
      select (select count(*) from ledger_entries where platform_id = ${platform.id}) as entries,
             (select count(*) from events where platform_id = ${platform.id}) as events,
             (select count(*) from jobs where platform_id = ${platform.id}) as jobs,
             (select count(*) from audit_log where coalesce(platform_id, ${INSTALLATION.id}) = ${platform.id}
                 and action not like 'proposal %') as facts,
             (select count(*) from platforms) as platforms`);
    return counted;
  }

  const TWO = new Set<string>();
  before(() => {
    for (const { id, operator } of world.app.operatorOperations) if (operator?.two) TWO.add(id);
  });

  it('operator.md §5.1: has an arranged call, and nothing else has one', () => {
    assert.deepEqual(Object.keys(ARRANGED).sort(), [...TWO].sort());
  });

  for (const [id, { meanwhile }] of Object.entries(ARRANGED)) {
    describe(id, () => {
      it('operator.md §5.2, §5.3, §5.5: is proposed without a trace, once at a time, and rejected', async () => {
        const given = await scene(id);
        const before = await traces(given);
        const one = await proposed(given);
        const again = await propose(given);
        assert.deepEqual([again.status, again.body.code], [409, 'PROPOSAL_PENDING']);
        const rejected = await given.checker.call('rejectProposal', { proposalId: one.id });
        assert.deepEqual([rejected.status, rejected.body.status], [200, 'REJECTED']);
        assert.deepEqual(await traces(given), before);
        assert.equal(await approve(given, one.id), 'PROPOSAL_DECIDED');
      });

      it('operator.md §5.4, §6.1: is performed by an approval, once; the repeated call gets its first reply', async () => {
        const given = await scene(id);
        const before = await traces(given);
        const key = newUuid();
        const first = await propose(given, key);
        assert.equal(first.status, 202, JSON.stringify(first.body));
        const proposalId: ProposalId = uuidOf(first.body.id);
        assert.equal(await approve(given, proposalId), 'APPROVED');
        assert.notDeepEqual(await traces(given), before);
        assert.equal(await approve(given, proposalId), 'PROPOSAL_DECIDED');
        const repeated = await propose(given, key);
        if (id === 'eraseCustomer') assert.equal(repeated.body.code, 'CUSTOMER_DELETED');
        else assert.deepEqual([repeated.status, repeated.body], [202, first.body]);
        const { preview, reply } = await read(given, proposalId);
        assert.ok(preview.changes.length > 0, 'the preview names the change');
        if (!declared(id).idempotency?.secretReply) assert.ok(reply);
      });

      it('operator.md §5.4, §5.6: ends as it must if the same was done meanwhile', async () => {
        const given = await scene(id);
        const { id: proposalId } = await proposed(given);
        await setApprovals(world, { approvals: 'off' });
        const alone = await propose(given);
        assert.ok(alone.status < 300 && alone.status !== 202, JSON.stringify(alone.body));
        await setApprovals(world, { approvals: 'required' });
        const before = await traces(given);
        assert.equal(await approve(given, proposalId), meanwhile);
        const { status, failure } = await read(given, proposalId);
        assert.equal(status, meanwhile === 'PROPOSAL_STALE' ? 'PENDING' : meanwhile);
        assert.equal(failure !== undefined, meanwhile === 'FAILED');
        if (meanwhile !== 'APPROVED') assert.deepEqual(await traces(given), before);
      });

      it('operator.md §5.4: is stale if it would have another effect than the one proposed', async () => {
        const given = await scene(id);
        const before = await traces(given);
        const { id: proposalId } = await proposed(given);
        const work = new Work(world.app.runtime, given.platform, { kind: 'operator', id: given.maker.name });
        const row = (await work.read((tx) => findProposal(tx, proposalId))) ?? assert.fail();
        const content = openContent(world.app.runtime.vault, row) ?? assert.fail();
        assert.equal((await given.maker.call('withdrawProposal', { proposalId })).body.status, 'WITHDRAWN');
        const [change, ...rest] = content.preview.changes;
        const preview = {
          ...content.preview,
          changes: [{ ...(change as object), details: {} }, 'x', ...rest],
        };
        const other = await work.write((tx) =>
          addProposal(tx, {
            ...{ operation: id, resource: row.resource ?? undefined, subject: 'other' },
            ...{ maker: given.maker.id, isUnclaimed: false, content: { ...content, preview } },
          }),
        );
        assert.equal(await approve(given, other.id), 'PROPOSAL_STALE');
        assert.deepEqual(await traces(given), before);
      });
    });
  }

  it('operator.md §5.6: a deposit that cannot be credited fails its proposal, and its money is in suspense', async () => {
    const given = await scene('bookDeposit');
    await setApprovals(world, { approvals: 'off' });
    const [accountId, { platform }] = [given.params.accountId ?? '', given];
    const admin = await seatedOperator(world, platform, ['compliance']);
    assert.equal((await admin.call('closeAccount', { accountId })).status, 200);
    await setApprovals(world, { approvals: 'required' });
    const { id } = await proposed(given);
    assert.equal(await approve(given, id), 'FAILED');
    const { failure, preview } = await read(given, id);
    assert.equal(failure.code, 'CONFLICT');
    assert.match(failure.message, /booked to suspense/);
    assert.deepEqual(
      preview.entries.map(({ kind }: { kind: string }) => kind),
      ['receipt.suspended'],
    );
    const kinds = await world.database.query<{ kind: string }>(
      sql`select kind from ledger_entries where platform_id = ${platform.id}`,
    );
    assert.deepEqual(kinds, [{ kind: 'receipt.suspended' }]);
  });
});
