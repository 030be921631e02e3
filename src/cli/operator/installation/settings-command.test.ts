// lane: whole — imports large files

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operatorWorld } from '#tests/harness/operator-world.ts';

const SURE = ['--reason', 'decision of 3 March', '--yes', '--json'];

describe('corridor settings', () => {
  const world = operatorWorld();
  const set = async (...words: string[]) => JSON.parse(await world.run('settings', 'set', ...words, ...SURE));
  const show = async () => JSON.parse(await world.run('settings', 'show', '--json'));

  it('operator.md §5.1: approvals are off while there are no two operators, and can be required before', async () => {
    assert.deepEqual(await show(), { operatorApprovals: 'off', operatorApprovalAbove: {} });
    assert.equal((await set('operatorApprovals=required')).operatorApprovals, 'required');
    assert.equal((await show()).operatorApprovals, 'required');
    assert.equal((await world.hear('attention')).stderr, '');
  });

  it('operator.md §5.1: an amount is set for each currency, and 0 removes it', async () => {
    await set('operatorApprovalAbove.EUR=100000', 'operatorApprovalAbove.usd=5');
    const both = await set('operatorApprovalAbove.USD=7');
    assert.deepEqual(both.operatorApprovalAbove, { EUR: 100_000, USD: 7 });
    assert.deepEqual((await set('operatorApprovalAbove.EUR=0')).operatorApprovalAbove, { USD: 7 });
  });

  it('operator.md §5.1: of two changes at the same time none is lost', async () => {
    await Promise.all([set('operatorApprovalAbove.GBP=1'), set('operatorApprovalAbove.BRL=2')]);
    const { GBP, BRL } = (await show()).operatorApprovalAbove;
    assert.deepEqual([GBP, BRL], [1, 2]);
  });

  it('operator.md §5.1: switching approvals off is audited with its reason, and attention says that they are off', async () => {
    await set('operatorApprovals=off');
    const [row] = JSON.parse(await world.run('audit', 'list', '--action', 'settings set', '--json'));
    assert.deepEqual(
      [row.details.before.approvals, row.details.after.approvals, row.details.reason],
      ['required', 'off', 'decision of 3 March'],
    );
    assert.match((await world.hear('attention')).stderr, /^Approvals are off/);
  });

  it('operator.md §5.1: it changes all or nothing, and says what is wrong', async () => {
    const before = await show();
    await world.assertRefused([
      [['settings', 'set', 'operatorApprovals=maybe', ...SURE], 2, /must be required or off/],
      [['settings', 'set', 'operatorApprovalAbove.EUR=1.5', ...SURE], 2, /whole number/],
      [['settings', 'set', 'operatorApprovalAbove.EUR=-1', ...SURE], 2, /whole number/],
      [['settings', 'set', 'operatorApprovalAbove.EUR=99999999999999999', ...SURE], 2, /whole number/],
      [['settings', 'set', 'operatorApprovals=off', 'operatorApprovals=required', ...SURE], 2, /twice/],
      [['settings', 'set', 'operatorApprovalAbove.EUR=2', 'fees=1', ...SURE], 2, /It must be/],
      [['settings', 'set', 'operatorApprovals=off', '--reason', 'case 4711'], 2, /give --yes/],
      [['settings', 'set', 'operatorApprovals=off', '--yes'], 2, /--reason/],
    ]);
    assert.deepEqual(await show(), before);
  });
});
