import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { NO_OWN_CURRENCIES, presentAmount } from '#foundation/lib/currencies.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';
import { operatorWorld, parseRows } from '#tests/harness/operator-world.ts';

describe('corridor invitation', () => {
  const world = operatorWorld();
  let platform: TestPlatform;
  before(() => {
    ({ platform } = world);
  });

  const invitation = (...words: string[]) => world.run('invitation', ...words);

  async function invite(more: object = {}) {
    const inviter = await givenCustomer(platform);
    const made = await platform.send('createInvitation', {
      body: { inviterUma: inviter.umaAddress, ...more },
    });
    assert.equal(made.status, 201, made.raw);
    return { inviter, ...made.body };
  }

  it('lists invitations with their status, without names and addresses', async () => {
    assert.equal(await invitation('list'), 'There are no invitations.\n');
    const first = await invite({ firstName: 'Planted', expiresAt: '2999-01-01T00:00:00Z' });
    const second = await invite();
    await platform.call('cancelInvitation', { params: { invitationCode: second.code } });
    const text = await invitation('list', '--json');
    const seen = (made: typeof first, status: string) => ({
      code: made.code,
      customer: made.inviter.id,
      status,
      createdAt: made.createdAt,
      expiresAt: made.expiresAt ?? null,
      claimedAt: null,
    });
    assert.deepEqual(parseRows(text), [seen(second, 'CANCELLED'), seen(first, 'PENDING')]);
    assert.doesNotMatch(text, /Planted|@/);
    const own = parseRows(await invitation('list', '--customer', first.inviter.id, '--json'));
    assert.deepEqual(own, [seen(first, 'PENDING')]);
    assert.equal(JSON.parse(await invitation('list', '--limit', '1', '--json')).length, 1);
    assert.match(
      await invitation('list'),
      /^CODE +CUSTOMER +STATUS +CREATED AT +EXPIRES AT +CLAIMED AT +PLATFORM\n/,
    );
  });

  it('shows an invitation with its inviter and its claimant, audited', async () => {
    const invitee = await givenCustomer(platform);
    const { inviter, code, createdAt } = await invite({ firstName: 'Grace', amountToSend: 1_250 });
    const { body } = await platform.call('claimInvitation', {
      params: { invitationCode: code },
      body: { inviteeUma: invitee.umaAddress },
    });
    assert.deepEqual(JSON.parse(await invitation('show', code, '--json')), {
      code,
      customer: inviter.id,
      status: 'CLAIMED',
      createdAt,
      expiresAt: null,
      claimedAt: body.claimedAt,
      inviterUma: inviter.umaAddress,
      firstName: 'Grace',
      amountToSend: dollars(1_250n),
      inviteeUma: invitee.umaAddress,
      claimedBy: `Platform:${platform.id}`,
      claimedFor: invitee.id,
    });
    assert.match(await invitation('show', code), /firstName +Grace\namountToSend +12\.50 USD/);
    const rows = await world.database.query(sql`
      select action, actor_kind from audit_log where resource = ${`invitation ${code}`} and actor_kind = 'operator'`);
    const shown = { action: 'invitation show', actor_kind: 'operator' };
    assert.deepEqual(rows, [shown, shown]);
  });

  it('an unknown code and a wrong argument are one clear line each', async () => {
    const wrong: [string[], number, RegExp][] = [
      [['invitation', 'show', '0000000000'], 1, /no such invitation/],
      [['invitation', 'show', 'x\ty'], 1, /no such invitation/],
      [['invitation', 'list', '--limit', '0'], 2, /a whole number from 1 to 10000/],
      [['invitation'], 2, /choose one of list, show/],
    ];
    await world.assertRefused(wrong);
  });
});

const dollars = (cents: bigint) => presentAmount(cents, 'USD', NO_OWN_CURRENCIES);
