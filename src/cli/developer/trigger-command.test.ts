// lane: whole — causes every event, twice

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { RECIPES } from '@corridor/client/triggers';
import { EVENT_TYPES, type EventType } from '#foundation/events/types.ts';
import { develop, tryToDevelop } from '#tests/harness/developer-world.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

/** Types that no token causes, with the command's explanation of each. */
const BY_OTHERS: Readonly<Partial<Record<EventType, RegExp>>> = {
  'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED': /The operator causes it: corridor account swift/,
  'INCOMING_PAYMENT.REFUND_FAILED': /The operator causes it: .*corridor payment fail/,
  'VERIFICATION.READY_FOR_VERIFICATION': /It is declared, but never sent/,
};

describe('corridor trigger', () => {
  const world = testWorld();
  /** A platform like the first start's, and one of a regulated institution, whose customers are approved at creation. */
  const platforms: Record<string, TestPlatform> = {};

  before(async () => {
    world.app.worker.start();
    const settings = { counterpartyRequirements: true };
    platforms.new = await world.platform({ settings });
    platforms.regulated = await world.platform({
      settings: { ...settings, isRegulatedFinancialInstitution: true },
    });
    for (const platform of Object.values(platforms)) await platform.receive();
  });

  after(() => world.app.worker.stop());

  for (const type of EVENT_TYPES) {
    const refusal = BY_OTHERS[type];
    if (refusal) {
      it(`platform.md §4.3: says who causes ${type}`, async () => {
        const { code, stderr } = await tryToDevelop(world, platforms.new as TestPlatform, 'trigger', type);
        assert.equal(code, 1);
        assert.match(stderr, refusal);
      });
      continue;
    }
    for (const kind of ['new', 'regulated']) {
      it(`platform.md §4.3: causes ${type} on a ${kind} platform, by real calls`, async () => {
        const platform = platforms[kind] as TestPlatform;
        const done = JSON.parse(await develop(world, platform, 'trigger', type.toLowerCase(), '--json'));
        const { body } = await platform.call('getEventById', { params: { eventId: done.id } });
        assert.deepEqual([body.type, body.resourceId, done.type], [type, done.resourceId, type]);
      });
    }
  }

  it('prints all types, and how each is caused', async () => {
    const { stdout } = await tryToDevelop(
      world,
      platforms.new as TestPlatform,
      'trigger',
      '--list',
      '--json',
    );
    const listed = JSON.parse(stdout) as { type: EventType; by: string; how: string }[];
    assert.deepEqual(
      listed.map(({ type }) => type),
      [...EVENT_TYPES],
    );
    for (const { type, how } of listed) assert.equal(how, RECIPES[type].how);
  });

  it('platform.md §1.1.3: a production token is refused before anything is done', async () => {
    const production = await world.platform({ environment: 'PRODUCTION' });
    const { code, stderr } = await tryToDevelop(world, production, 'trigger', 'CUSTOMER.KYC_APPROVED');
    assert.equal(code, 1);
    assert.match(stderr, /^corridor: Nothing was done: "trigger" works only in a sandbox/);
    assert.equal((await production.call('listCustomers')).body.totalCount, 0);
  });

  it('explains an invalid command, and names a platform’s missing prerequisites', async () => {
    const platform = await world.platform();
    const wrong = [
      [['trigger'], 2, /"corridor trigger --list" prints all/],
      [['trigger', 'nothing'], 2, /there is no event nothing.* \(see "corridor trigger --help"\)\n$/],
      [
        ['trigger', 'card.issued'],
        2,
        /The events of CARD are CARD\.STATUS_CHANGE, CARD\.FUNDING_SOURCE_CHANGE/,
      ],
      [['trigger', 'test'], 1, /WEBHOOK_ENDPOINT_NOT_SET|webhook endpoint/],
      [['trigger', 'external_account.status_updated'], 1, /requires no proof.*corridor account disable/],
    ] as const;
    for (const [words, code, why] of wrong) {
      const done = await tryToDevelop(world, platform, ...words);
      assert.match(done.stderr, why);
      assert.equal(done.code, code);
    }
  });
});
