// lane: whole — every operation that needs a second operator, several times

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Approval, approveProposal } from '#capabilities/proposals/decide-proposal.ts';
import { addProposal } from '#capabilities/proposals/make-proposal.ts';
import { openContent, type ProposalId, type ProposalStatus } from '#capabilities/proposals/row.ts';
import { findProposal } from '#capabilities/proposals/store.ts';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import { sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { OPERATOR_ROLES, type OperatorRole } from '#foundation/http/operator-rule.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { type SeatedOperator, seatedOperator, setApprovals } from '#tests/given/proposals.ts';
import { ARRANGED, type ArrangedCall } from '#tests/given/second-operator.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** An approval that no passkey has signed. */
const UNSIGNED = {
  nonce: 'AAAA',
  assertion: { credentialId: 'AAAA', clientDataJson: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
};

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

  /** Nobody approves an own proposal, whatever the passkey has signed. */
  async function requireClosedToMaker(given: Scene, id: ProposalId): Promise<void> {
    assert.equal(await approve({ ...given, checker: given.maker }, id), 'FORBIDDEN');
    const rejected = await given.maker.call('rejectProposal', { proposalId: id });
    assert.deepEqual([rejected.status, rejected.body.code], [403, 'FORBIDDEN']);
  }

  /** Requires that an operator with this role alone proposes, sees and decides as the declaration says, and nothing more. */
  async function requireRightsOf(role: OperatorRole, given: Scene, id: ProposalId): Promise<void> {
    const { roles = [] } = declared(given.id).operator ?? {};
    const mayDecide = roles.includes(role);
    const other = await seatedOperator(world, given.platform, [role]);
    const told = `${role} ${given.id}`;
    const outcomeOf = async (operation: string, body = {}) => {
      const reply = await other.call(operation, { proposalId: id }, body);
      return [reply.status, reply.body.code];
    };
    const own = await other.call(given.id, given.params, given.body);
    const expected = mayDecide ? [409, 'PROPOSAL_PENDING'] : [403, 'FORBIDDEN'];
    assert.deepEqual([own.status, own.body.code], expected, told);
    const refused = [403, 'FORBIDDEN'];
    const unsigned = await outcomeOf('approveProposal', UNSIGNED);
    assert.deepEqual(unsigned, mayDecide ? [403, 'STEP_UP_REQUIRED'] : refused, told);
    for (const operation of ['withdrawProposal', 'takeProposal', 'showProposalSecret']) {
      const [status, code] = await outcomeOf(operation);
      // Also with the role: only the maker withdraws, takes, and sees a secret.
      assert.ok(status === 403 && code === 'FORBIDDEN', `${operation} ${told} ${status} ${code}`);
    }
    if (!mayDecide) {
      assert.deepEqual(await outcomeOf('rejectProposal'), refused, told);
      assert.deepEqual(await outcomeOf('discloseProposalField', { field: 'reason' }), refused, told);
    }
    const { body } = await other.call('getProposalById', { proposalId: id });
    for (const part of ['reason', 'input', 'preview'])
      assert.equal(part in body, mayDecide, `${told} ${part}`);
  }

  /**
   * The reason of a change is sealed for the customer behind what is changed, like every text about a person. Only the reason of
   * an erasure outlives the key.
   */
  async function requireSealedReasons({ id, platform, maker }: Scene): Promise<void> {
    const rows = await world.database.query<{
      action: string;
      is_clear: boolean;
      sealed: Buffer | null;
      customer: string;
    }>(sql`
      select * from (
        select action, details ? 'reason' as is_clear, private as sealed, customer_of_resource(platform_id, resource) as customer
          from audit_log where platform_id = ${platform.id} and actor_id = ${maker.name}) as facts
       where customer is not null and action <> 'eraseCustomer'`);
    for (const { action, is_clear, sealed, customer } of rows) {
      const people = sealed ? readReferences(sealed).map(({ person }) => person) : [];
      assert.deepEqual([is_clear, people], [false, [customer]], `${id} ${action}`);
    }
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
      it('operator.md §5.2, §5.3, §5.5, §5.9, §10.1, §10.2: is proposed without a trace, once at a time, closed to its maker and to other roles, and rejected', async () => {
        const given = await scene(id);
        const before = await traces(given);
        const one = await proposed(given);
        const again = await propose(given);
        assert.deepEqual([again.status, again.body.code], [409, 'PROPOSAL_PENDING']);
        await requireClosedToMaker(given, one.id);
        for (const role of OPERATOR_ROLES) await requireRightsOf(role, given, one.id);
        assert.equal((await read(given, one.id)).status, 'PENDING');
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
        await requireSealedReasons(given);
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

  it('operator.md §6, platform.md §1.1.3: a body that names another platform’s resource is answered like an unknown id', async () => {
    const naming = world.app.operatorOperations.flatMap((operation) => {
      const { properties = {} } = (operation.body ?? {}) as {
        properties?: Record<string, { 'x-ids'?: string[] }>;
      };
      const fields = Object.entries(properties).filter(([, field]) => field['x-ids']);
      return fields.map(([field, { 'x-ids': types = [] }]) => ({ id: operation.id, field, types }));
    });
    // The other lists belong to the installation, and operators choose among all of their rows.
    const OF_INSTALLATION = ['Platform', 'Break', 'Operator'];
    const asked = naming.filter(({ types }) => !types.some((type) => OF_INSTALLATION.includes(type)));
    assert.deepEqual(
      asked.map(({ id, field }) => `${id} ${field}`),
      ['resolveSuspense to'],
    );
    for (const { id, field, types } of asked) {
      const [given, foreign] = [await scene(id), await scene(id)];
      const sent = [String(foreign.body?.[field]), `${types[0]}:${newUuid()}`];
      const answers = [];
      for (const named of sent) {
        const { status, body } = await given.maker.call(id, given.params, { ...given.body, [field]: named });
        const text = JSON.stringify(body).replaceAll(named, 'ID').replaceAll(uuidOf(named), 'ID');
        answers.push([status, text]);
      }
      assert.ok(Number(answers[0]?.[0]) >= 400, `${id} ${field} ${answers[0]}`);
      assert.deepEqual(answers[0], answers[1], `${id} ${field}`);
    }
  });

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
