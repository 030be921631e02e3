import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { develop, tryToDevelop } from '#tests/harness/developer-world.ts';
import { EventListener } from '#tests/harness/event-listener.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

describe('corridor events', () => {
  const world = testWorld();

  /** Pays money in: an event whose `data` has an amount. */
  async function fundDollars(platform: TestPlatform): Promise<string> {
    const { body } = await platform.call('listPlatformInternalAccounts', { query: { currency: 'USD' } });
    const id = body.data[0]?.id ?? '';
    await platform.call('sandboxFundInternalAccount', {
      params: { accountId: id },
      body: { amount: 75_000 },
    });
    await world.app.worker.settle(platform.id);
    return id;
  }

  it('platform.md §4.7.1–3: lists events by type, state, resource and time, and shows one with its attempts', async () => {
    const platform = await world.platform();
    assert.equal(await develop(world, platform, 'events', 'list'), 'No events.\n');
    const receiver = await platform.receive();
    receiver.answer({ status: 500 });
    const account = await fundDollars(platform);
    const listed = await develop(
      ...([world, platform, 'events', 'list', '--type', 'internal_account.balance_updated'] as const),
      ...['--resource', account, '--state', 'pending', '--since', '1h', '--json'],
    );
    const [event, ...others] = JSON.parse(listed);
    assert.deepEqual([others, event.type], [[], 'INTERNAL_ACCOUNT.BALANCE_UPDATED']);
    const table = await develop(world, platform, 'events', 'list', '--limit', '1', '--resource', account);
    assert.match(
      table,
      /^AT +TYPE +RESOURCE +STATE +ATTEMPTS +NEXT +ID\n.*BALANCE_UPDATED +InternalAccount:.*PENDING +1 .*Webhook:.*\n$/,
    );
    const shown = await develop(world, platform, 'events', 'show', event.id);
    assert.match(shown, /balance +750\.00 USD/);
    assert.match(shown, /\nattempt 1\n[\s\S]*status +500/);
    const { attempts, data } = JSON.parse(
      await develop(world, platform, 'events', 'show', event.id, '--json'),
    );
    assert.deepEqual([attempts.length, data.balance.amount], [1, 75_000]);
    assert.equal(await develop(world, platform, 'events', 'list', '--until', '2020-01-01'), 'No events.\n');
  });

  it('platform.md §4.2.5, §4.8.2: explains that a skipped event had no endpoint, and that listeners received it', async () => {
    const platform = await world.platform();
    await fundDollars(platform);
    const why =
      'SKIPPED: the platform had no webhook endpoint when it was due. In a sandbox, a listener of that time';
    const { stdout, stderr } = await tryToDevelop(world, platform, 'events', 'list');
    assert.match(stdout, / SKIPPED +0 /);
    assert.ok(stderr.startsWith(why), stderr);
    assert.equal(stderr.split('\n').length, 2, 'once for all of them');
    const [, id = ''] = / (Webhook:\S+)\n/.exec(stdout) ?? [];
    assert.ok((await develop(world, platform, 'events', 'show', id)).includes(why));
    const listed = await tryToDevelop(world, platform, 'events', 'list', '--json');
    assert.deepEqual([listed.stderr, JSON.parse(listed.stdout)[0].state], ['', 'SKIPPED']);
    const shown = await develop(world, platform, 'events', 'show', id, '--json');
    assert.equal(JSON.parse(shown).state, 'SKIPPED');
  });

  it('platform.md §4.7.4–5: sends one event again, or all that failed since a time of the platform', async () => {
    const platform = await world.platform();
    const account = await fundDollars(platform);
    await develop(world, platform, 'clock', 'advance', '3d');
    const words = ['events', 'resend', '--failed-since', '2h', '--include-skipped'];
    assert.equal(await develop(world, platform, ...words), '0 events are sent again.\n');
    const all = await develop(
      world,
      platform,
      'events',
      'resend',
      '--failed-since',
      '4d',
      '--include-skipped',
    );
    assert.match(
      all,
      /^[1-9]\d* events? (are|is) sent again, to no receiver: there is no webhook endpoint and no listener \(.*\)\.\n$/,
    );
    await platform.receive();
    const { body } = await platform.call('listEvents', { query: { resourceId: account } });
    const id = body.data[0]?.id ?? '';
    assert.equal(
      await develop(world, platform, 'events', 'resend', id),
      `${id} INTERNAL_ACCOUNT.BALANCE_UPDATED is sent again to the webhook endpoint.\n`,
    );
    await new EventListener().begin(platform);
    assert.equal(
      await develop(world, platform, 'events', 'resend', id),
      `${id} INTERNAL_ACCOUNT.BALANCE_UPDATED is sent again to the webhook endpoint and to listeners.\n`,
    );
    await platform.call('updatePlatformConfig', { body: { webhookEndpoint: null } });
    assert.equal(
      await develop(world, platform, 'events', 'resend', id),
      `${id} INTERNAL_ACCOUNT.BALANCE_UPDATED is sent again to listeners; there is no webhook endpoint.\n`,
    );
  });

  it('platform.md §1.5.2: if nothing is found because the clock was moved ahead, says so and shows its time', async () => {
    const platform = await world.platform();
    await fundDollars(platform);
    const words = ['events', 'list', '--until', '2020-01-01'];
    assert.equal((await tryToDevelop(world, platform, ...words)).stderr, '', 'it was not moved');
    await develop(world, platform, 'clock', 'advance', '3d');
    const { now } = JSON.parse(await develop(world, platform, 'clock', 'show', '--json'));
    const moved = `Times refer to your sandbox's clock, which was moved ahead and now shows ${now}.\n`;
    for (const line of [
      ['events', 'list', '--since', '1h'],
      ['events', 'resend', '--failed-since', '1h', '--include-skipped'],
    ]) {
      const { stderr } = await tryToDevelop(world, platform, ...line);
      assert.equal(stderr, moved);
    }
    const found = await tryToDevelop(
      world,
      platform,
      'events',
      'list',
      '--since',
      '4d',
      '--state',
      'skipped',
    );
    assert.doesNotMatch(found.stderr, /clock/);
    const silent = await tryToDevelop(world, platform, 'events', 'list', '--since', '1h', '--json');
    assert.deepEqual([silent.stdout, silent.stderr], ['[]\n', '']);
  });

  it('explains an invalid command', async () => {
    const platform = await world.platform();
    const nobody = 'Webhook:019542f5-b3e7-7d02-8000-0000000000ff';
    const wrong = [
      [['events', 'show', nobody], 1, /404 NOT_FOUND/],
      [['events', 'show', 'nobody'], 2, /It must be an id such as Webhook:<uuid>/],
      [['events', 'list', '--type', 'nothing'], 2, /It must be one of OUTGOING_PAYMENT\.PENDING, /],
      [['events', 'list', '--since', 'yesterday'], 2, /or how long ago, such as 2h/],
      [
        ['events', 'resend'],
        2,
        /give the id of an event, or --failed-since \(see "corridor events resend --help"\)\n$/,
      ],
      [['events', 'resend', nobody, '--failed-since', '1h'], 2, /or --failed-since/],
      [['events', 'resend', nobody, '--include-skipped'], 2, /goes with --failed-since/],
    ] as const;
    for (const [words, code, why] of wrong) {
      const done = await tryToDevelop(world, platform, ...words);
      assert.match(done.stderr, why);
      assert.equal(done.code, code);
    }
  });
});
