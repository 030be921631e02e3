// lane: whole — imports large files

import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { publicId } from '#foundation/lib/ids.ts';
import { givenOperator, type TestOperator } from '#tests/given/operators.ts';
import { setApprovals } from '#tests/given/proposals.ts';
import type { World } from '#tests/harness/harness.ts';
import { operatorWorld } from '#tests/harness/operator-world.ts';

const REASON = ['--reason', 'case 4711'];

describe('corridor proposal', () => {
  const world = operatorWorld();
  // Operators join over HTTP, which needs only the app.
  const joined = world as unknown as World;
  let maker: TestOperator;
  let proposal: { id: string };
  const json = async (...words: string[]) => JSON.parse(await world.run('proposal', ...words, '--json'));
  const perUsd = async () =>
    JSON.parse(await world.run('rates', 'show', '--json')).find(
      ({ currency }: { currency: string }) => currency === 'EUR',
    )?.perUsd;

  before(async () => {
    await givenOperator(joined);
    maker = await givenOperator(joined, ['treasury']);
    await setApprovals(joined, { approvals: 'required' });
  });
  beforeEach(async () => {
    const words = ['rates', 'set', 'EUR=0.92', '--as', maker.email, ...REASON, '--yes', '--json'];
    proposal = JSON.parse(await world.run(...words));
  });

  it('operator.md §7.3: it lists and shows proposals of the installation, and withdraws one for its maker', async () => {
    const listed = await json('list');
    assert.deepEqual(
      [listed[0].id, listed[0].operation, listed[0].status],
      [proposal.id, 'setRates', 'UNCLAIMED'],
    );
    const shown = await json('show', proposal.id);
    assert.equal(shown.input.body.perUsd.EUR, '0.92');
    assert.equal(shown.makerId, publicId('Operator', maker.id));
    assert.equal((await json('withdraw', proposal.id, ...REASON)).status, 'WITHDRAWN');
    assert.deepEqual(await json('list'), []);
    assert.equal((await json('list', '--all'))[0].status, 'WITHDRAWN');
    assert.equal(await perUsd(), undefined);
  });

  it('operator.md §7.3: it rejects one for a reason, and decisions are final', async () => {
    const rejected = await json('reject', proposal.id, ...REASON);
    assert.deepEqual([rejected.status, rejected.rejectionReason], ['REJECTED', 'case 4711']);
    await world.assertRefused([
      [['proposal', 'withdraw', proposal.id, ...REASON], 1, /is REJECTED/],
      [['proposal', 'approve', proposal.id, ...REASON, '--break-glass', '--yes'], 1, /is REJECTED/],
      [['proposal', 'show', `Proposal:${maker.id}`], 1, /no proposal Proposal:/],
    ]);
  });

  it('operator.md §7.3: it approves with --break-glass only, at once and once, and somebody else acknowledges it', async () => {
    const approve = ['proposal', 'approve', proposal.id, ...REASON, '--yes'];
    await world.assertRefused([[approve, 2, /no passkey: give --break-glass/]]);
    const both = await Promise.all([1, 2].map(() => world.attempt(...approve, '--break-glass', '--json')));
    assert.deepEqual(both.map(({ code }) => code).sort(), [0, 1]);
    assert.equal((await json('show', proposal.id)).status, 'APPROVED');
    assert.equal(await perUsd(), '0.92');
    const [use, ...others] = (await maker.ask('GET', '/console/api/break-glass?open=true')).body.data;
    assert.deepEqual(others, []);
    assert.deepEqual([use.operation, use.operatorId], ['setRates', publicId('Operator', maker.id)]);
    const [row] = JSON.parse(await world.run('audit', 'list', '--action', 'rates set', '--json'));
    assert.deepEqual(
      [row.actor, row.details.proposal, row.details.isBreakGlass],
      [`operator ${publicId('Operator', maker.id)}`, proposal.id, true],
    );
    const [kept] = JSON.parse(await world.run('audit', 'list', '--action', 'break-glass', '--json'));
    assert.deepEqual(
      [kept.resource, kept.details.operation, kept.details.reason],
      [use.id, 'setRates', 'case 4711'],
      'an audit row of its own kind, like every use',
    );
    assert.match(
      both.map(({ stderr }) => stderr).join(),
      /stands until another operator has acknowledged it/,
    );
    const acknowledge = { method: 'POST', path: '/break-glass/:breakGlassId/acknowledge' } as const;
    assert.equal((await maker.call(acknowledge, { breakGlassId: use.id })).status, 403);
    const other = await givenOperator(joined, ['treasury']);
    assert.equal((await other.call(acknowledge, { breakGlassId: use.id })).status, 200);
  });
});
