// lane: whole — imports large files

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operatorWorld } from '#tests/harness/operator-world.ts';

const REASON = ['--reason', 'for the test'];

describe('corridor operator', () => {
  const world = operatorWorld();
  const invite = (email: string, role: string) =>
    world.run('operator', 'invite', '--name', 'Ada Obi', '--email', email, '--role', role, '--json');

  it('operator.md §1.2: it invites people, and prints an address that works once', async () => {
    const invited = JSON.parse(await invite('ada@example.com', 'admin'));
    assert.match(invited.address, /^http:\/\/localhost:\d+\/console\/operator\/join#[\w-]{43}$/);
    assert.deepEqual([invited.status, invited.roles], ['INVITED', ['admin']]);
    const again = JSON.parse(await invite('ADA@example.com', 'admin,finance'));
    assert.equal(again.id, invited.id);
    assert.notEqual(again.address, invited.address);
    const text = await world.run('operator', 'list');
    assert.match(text, /ada@example\.com +finance,admin +INVITED/);
    const shown = JSON.parse(await world.run('operator', 'show', 'ada@example.com', '--json'));
    assert.deepEqual([shown.id, shown.passkeys, shown.sessions], [invited.id, [], 0]);
    const rows = JSON.parse(await world.run('audit', 'list', '--json'));
    const found = rows.filter(({ action }: { action: string }) => action === 'operator invite');
    assert.equal(found.length, 2);
    const secret = new URL(again.address).hash.slice(1);
    assert.ok(!JSON.stringify(rows).includes(secret));
  });

  it('operator.md §1.1: roles, suspension and removal', async () => {
    const { id } = JSON.parse(await invite('grace@example.com', 'viewer'));
    const changed = JSON.parse(
      await world.run('operator', 'roles', id, '--role', 'support', '--role', 'viewer', ...REASON, '--json'),
    );
    assert.deepEqual(changed.roles, ['viewer', 'support']);
    const suspended = JSON.parse(
      await world.run('operator', 'suspend', 'grace@example.com', ...REASON, '--yes', '--json'),
    );
    assert.equal(suspended.status, 'SUSPENDED');
    assert.equal(JSON.parse(await invite('grace@example.com', 'viewer')).status, 'INVITED');
    const renewed = JSON.parse(await world.run('operator', 'address', id, ...REASON, '--yes', '--json'));
    assert.match(renewed.address, /#/);
    assert.deepEqual(JSON.parse(await world.run('operator', 'sessions', id, '--end', '--json')), {
      ended: 0,
    });
    await world.run('operator', 'remove', id, ...REASON, '--yes');
    await world.assertRefused([
      [['operator', 'remove', id, ...REASON, '--yes'], 1, /REMOVED already/],
      [['operator', 'address', id, ...REASON, '--yes'], 1, /was removed/],
      [['operator', 'show', 'nobody@example.com'], 1, /no operator nobody@example\.com/],
      [['operator', 'roles', id, '--role', 'king', ...REASON], 2, /must be a list of viewer/],
    ]);
  });
});
