// lane: whole — proposes and approves

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Value } from 'typebox/value';
import { receiveDeposit } from '#capabilities/payments/incoming/receive-deposit.ts';
import { approveProposal } from '#capabilities/proposals/decide-proposal.ts';
import { hashOf } from '#capabilities/proposals/make-proposal.ts';
import { openContent, type ProposalId } from '#capabilities/proposals/row.ts';
import { Proposal } from '#capabilities/proposals/schemas.ts';
import { findProposal } from '#capabilities/proposals/store.ts';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { listSuspended } from '#tests/given/open-items.ts';
import { givenPayer, givenPlatform, type Payer } from '#tests/given/payments.ts';
import { type SeatedOperator, seatedOperator, setApprovals } from '#tests/given/proposals.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const SENDER = 'Grace Brewster Hopper';
const REFERENCE = 'STMT-2026-03-02-4711';

describe('what operators see of a proposal', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let there: Platform;
  let payer: Payer;
  let maker: SeatedOperator;
  let checker: SeatedOperator;

  before(async () => {
    platform = await givenPlatform(world);
    there = (await platform.work()).platform;
    payer = await givenPayer(platform, 0);
    maker = await seatedOperator(world, there, ['finance']);
    checker = await seatedOperator(world, there, ['finance']);
    await setApprovals(world, { approvals: 'required', above: {} });
  });

  const deposit = { amount: 125_000, currency: 'USD', sender: SENDER };
  let references = 0;

  async function proposed(key?: string) {
    const accountId = uuidOf(payer.account('USD'));
    const body = { ...deposit, bankReference: `${REFERENCE}-${++references}` };
    const reply = await maker.call('bookDeposit', { accountId }, body, key);
    assert.equal(reply.status, 202, JSON.stringify(reply.body));
    return { id: uuidOf(reply.body.id) as ProposalId, body: reply.body, bankReference: body.bankReference };
  }

  const clear = (shown: unknown) =>
    [SENDER, 'Hopper', REFERENCE].filter((text) => JSON.stringify(shown).includes(text));

  it('operator.md §5.9: each field of the input is masked by its word, and nothing else repeats it', async () => {
    const { id, body, bankReference } = await proposed();
    const read = await checker.call('getProposalById', { proposalId: id });
    for (const shown of [body, read.body]) {
      assert.deepEqual(shown.input.body, {
        ...{
          amount: 125_000,
          currency: 'USD',
          sender: 'G. B. H.',
          bankReference: `…${bankReference.slice(-4)}`,
        },
        reason: 'case 4711',
      });
      assert.deepEqual(clear(shown), []);
      assert.deepEqual(shown.preview.amounts, { USD: '125000' });
    }
  });

  it('operator.md §5.1, §5.9: the hash that a checker signs is over the complete input', async () => {
    const { id, body } = await proposed();
    const row = (await (await platform.work()).read((tx) => findProposal(tx, id))) ?? assert.fail();
    const content = openContent(world.app.runtime.vault, row) ?? assert.fail();
    assert.deepEqual(clear(content), [SENDER, 'Hopper', REFERENCE]);
    assert.equal(hashOf(row, content).toString('hex'), body.hash);
    const shown = hashOf(row, { ...content, input: body.input });
    assert.notEqual(shown.toString('hex'), body.hash);
  });

  it('operator.md §5.9, §4.2: a field is shown for a reason, and it is recorded who looked', async () => {
    const { id, body } = await proposed();
    const look = (by: SeatedOperator, field: string) =>
      by.call('discloseProposalField', { proposalId: id }, { field });
    assert.deepEqual((await look(checker, 'sender')).body, { field: 'sender', value: SENDER });
    assert.equal((await look(checker, 'nothing')).status, 400);
    assert.equal((await look(checker, 'constructor')).status, 400);
    const stranger = await seatedOperator(world, there, ['support']);
    assert.deepEqual((await look(stranger, 'sender')).body.details.roles, ['finance']);
    const rows = await world.database.query(sql`
      select actor_id, kind, fields from record_reads where resource = ${body.id}`);
    assert.deepEqual(rows, [{ actor_id: checker.name, kind: 'FIELD', fields: ['sender'] }]);
  });

  it('operator.md §5.4, §5.9: the preview of a refusal as stale is masked as well', async () => {
    const { id } = await proposed();
    const other = await proposed();
    const work = await platform.work();
    const approval = { by: checker.name, operator: checker.id, proof: { for: id }, details: {} };
    const approve = (one: ProposalId) =>
      work.write((tx) => approveProposal(tx, world.app.operatorOperations, one, approval));
    await setApprovals(world, { approvals: 'off' });
    const { input } = openContent(
      world.app.runtime.vault,
      (await work.read((tx) => findProposal(tx, id))) ?? assert.fail(),
    ) as { input: { params: Record<string, string>; body: Record<string, unknown> } };
    assert.equal((await maker.call('bookDeposit', input.params, input.body)).status, 200);
    await setApprovals(world, { approvals: 'required' });
    await assert.rejects(approve(id), (error) => {
      assert.ok(error instanceof Refusal && error.code === 'PROPOSAL_STALE');
      assert.deepEqual(clear(error.details), []);
      return true;
    });
    assert.equal((await approve(other.id)).status, 'APPROVED');
  });

  it('operator.md §5.9: details of the preview hide values that are stored and not in the input', async () => {
    const work = await platform.work();
    const bankReference = `${REFERENCE}-${++references}`;
    const arrival = {
      ...{ amount: 900n, currency: 'USD', rail: 'ACH' as const, providerReference: bankReference },
      ...{ reference: 'for nobody', originator: { accountHolderName: SENDER } },
    };
    await work.write((tx) => receiveDeposit(tx, arrival));
    const [item] = await work.read((tx) => listSuspended(tx));
    assert.ok(item);
    const to = payer.account('USD').id;
    const reply = await maker.call('resolveSuspense', { entryId: item.id }, { to });
    assert.equal(reply.status, 202, JSON.stringify(reply.body));
    const row = (await work.read((tx) => findProposal(tx, uuidOf(reply.body.id)))) ?? assert.fail();
    const stored = openContent(world.app.runtime.vault, row) ?? assert.fail();
    assert.ok(clear(stored).includes(REFERENCE));
    assert.deepEqual(clear(reply.body), []);
    assert.equal(reply.body.preview.changes.at(-1).details.bankReference, `…${bankReference.slice(-4)}`);
  });

  it('customers.md §2.4.26a: the stored reply of a repeated call is sealed for the owner of the account', async () => {
    const key = 'the key of a proposal';
    const { body } = await proposed(key);
    const [row] = await world.database.query<{ reply: Buffer }>(
      sql`select reply from idempotency_keys where key = ${key}`,
    );
    assert.ok(row);
    const people = readReferences(row.reply).map(({ person }) => person);
    assert.deepEqual(people, [uuidOf(payer.id)]);
    assert.ok(!row.reply.includes(Buffer.from(body.hash)));
  });

  it('operator.md §5.9: every field of an input that may be proposed says how it is masked', () => {
    let fields = 0;
    for (const { id, operator, body } of world.app.operatorOperations) {
      if (!operator?.two) continue;
      for (const [name, schema] of Object.entries((body as Words | undefined)?.properties ?? {})) {
        assert.equal(saysHow(schema), true, `${id} ${name}`);
        fields += 1;
      }
    }
    assert.ok(fields > 40, String(fields));
  });

  it('operator.md §5.1: the document says that the reply may be a proposal, with an example that fits', () => {
    const [example] = (Proposal as { examples?: unknown[] }).examples ?? [];
    assert.deepEqual([...Value.Errors(Proposal, example)], []);
    for (const { id, operator, otherReplies } of world.app.operatorOperations)
      assert.equal(otherReplies?.[202] === Proposal, operator?.two !== undefined, id);
  });
});

interface Words {
  readonly 'x-masked'?: string;
  readonly properties?: Readonly<Record<string, Words>>;
  readonly items?: Words;
}

function saysHow(schema: Words): boolean {
  if (schema['x-masked'] !== undefined) return true;
  if (schema.items) return saysHow(schema.items);
  return schema.properties !== undefined && Object.values(schema.properties).every(saysHow);
}
