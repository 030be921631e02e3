// lane: whole — signs in, and mails

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { mailingWorld } from '#tests/given/mailing-world.ts';
import { answer, givenOperator, type TestOperator } from '#tests/given/operators.ts';

describe('inviting an operator with a second one', () => {
  const { world, mail } = mailingWorld();
  let maker: TestOperator;
  let checker: TestOperator;
  before(async () => {
    maker = await givenOperator(world);
    checker = await givenOperator(world);
  });

  const declared = (id: string) =>
    world.app.operatorOperations.find((one) => one.id === id) ?? assert.fail(id);
  async function approve(proposal: { id: string; hash: string }) {
    const challenge = await checker.ask('POST', '/console/api/operator/step-up/challenge', {
      body: { signs: proposal.hash },
    });
    const signed = await answer(checker.passkey, challenge.body);
    return checker.call(declared('approveProposal'), { proposalId: proposal.id }, signed);
  }

  it('operator.md §5.2, §1.2: the preview mails nothing, and the approval mails the address', async () => {
    const isMailed = () => mail().received.some(({ to }) => to.includes('alan@example.com'));
    const invitation = { name: 'Alan Turing', email: 'alan@example.com', roles: ['treasury'] };
    const proposed = await maker.call(declared('inviteOperator'), {}, invitation);
    assert.equal(proposed.status, 202, proposed.raw);
    assert.ok(!isMailed());
    const done = await approve(proposed.body);
    assert.deepEqual([done.status, done.body.status], [200, 'APPROVED'], done.raw);
    while (!isMailed()) await mail().next();
    assert.ok(!`${proposed.raw}${done.raw}`.includes('join#'));
  });

  it('operator.md §1.4: an operator gets other roles by two others, and never by an approval of the own', async () => {
    const other = await givenOperator(world, ['viewer']);
    const params = { operatorId: `Operator:${other.id}` };
    const proposed = await maker.call(declared('setOperatorRoles'), params, {
      roles: ['finance'],
      reason: 'new job',
    });
    assert.equal(proposed.status, 202, proposed.raw);
    assert.equal((await approve(proposed.body)).body.status, 'APPROVED');
    const own = await maker.call(
      declared('setOperatorRoles'),
      { operatorId: `Operator:${checker.id}` },
      { roles: ['admin', 'treasury'], reason: 'more' },
    );
    assert.equal(own.status, 202, own.raw);
    const refused = await approve(own.body);
    assert.deepEqual([refused.status, refused.body.code], [403, 'FORBIDDEN'], refused.raw);
    const kept = await maker.call(declared('getProposalById'), { proposalId: own.body.id });
    assert.equal(kept.body.status, 'PENDING', 'nobody ends a proposal by approving it in vain');
  });
});
