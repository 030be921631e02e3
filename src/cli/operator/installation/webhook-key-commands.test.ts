import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { operatorWorld } from '#tests/harness/operator-world.ts';

describe('corridor webhook keys and rotate-key', () => {
  const world = operatorWorld();

  async function shown() {
    return (await world.platform.call('listWebhookKeys')).body.data;
  }

  it('platform.md §4.1.7: the operator sees and replaces the keys that the API shows, and leaves an audit row', async () => {
    const [first] = await shown();
    assert.ok(first);
    assert.deepEqual(JSON.parse(await world.run('webhook', 'keys', '--json')), [first]);
    const text = await world.run('webhook', 'keys');
    assert.match(text, /^WebhookKey:.*\n +status +SIGNING\n/);
    assert.ok(text.includes('-----BEGIN PUBLIC KEY-----\n'), text);
    const id = `Platform:${world.platform.id}`;
    const platform = JSON.parse(await world.run('platform', 'show', id, '--json'));
    assert.deepEqual(platform.webhookKeys, [first]);

    const reason = ['--reason', 'a year has passed'];
    const times = ['--signs-after-seconds', '60', '--keeps-old-for-seconds', '120'];
    const rotated = JSON.parse(await world.run('webhook', 'rotate-key', ...times, ...reason, '--json'));
    assert.deepEqual(rotated, await shown());
    const [old, next] = rotated;
    assert.deepEqual([old.id, old.status, next.status], [first.id, 'SIGNING', 'NEXT']);
    assert.equal(Date.parse(old.goesAt) - Date.parse(next.signsFrom), 120_000);
    await world.assertRefused([
      [['webhook', 'rotate-key', ...reason], 1, /A rotation is under way/],
      [['webhook', 'rotate-key', '--immediately', ...times, ...reason, '--yes'], 2, /cannot be used with/],
      [['webhook', 'rotate-key', '--signs-after-seconds', '604801', ...reason], 2, /from 0 to 604800/],
    ]);
    await world.run('webhook', 'rotate-key', '--immediately', ...reason, '--yes');
    const after = await shown();
    assert.deepEqual([after.length, after[0]?.status], [1, 'SIGNING']);
    const rows = await world.database.query<{ details: { immediately: boolean; keys: object[] } }>(
      sql`select details from audit_log where action = 'webhook rotate-key' order by at, id`,
    );
    assert.deepEqual(
      rows.map(({ details: { immediately, keys } }) => [immediately, keys.length]),
      [
        [false, 2],
        [true, 1],
      ],
    );
    assert.doesNotMatch(JSON.stringify(rows), /KEY-----/);
  });
});
