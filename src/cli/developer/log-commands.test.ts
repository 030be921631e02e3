import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { develop, tryToDevelop } from '#tests/harness/developer-world.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('corridor logs', () => {
  const world = testWorld();

  it('platform.md §11.1–2: lists the requests of the platform, and shows one by the id that an error names', async () => {
    const platform = await world.platform();
    assert.equal(await develop(world, platform, 'logs', 'list'), 'No requests.\n');
    await platform.call('createToken', { body: { name: 'planted', permissions: ['VIEW'] } });
    const refused = await platform.send('createToken', { body: { permissions: ['planted'] } });
    const words = ['logs', 'list', '--status', '4xx', '--method', 'post', '--path', '/tokens'];
    const listed = await develop(world, platform, ...words);
    assert.match(listed, /^AT .*\n.* POST +\/tokens +400 +INVALID_INPUT .*\n$/);
    const [entry, ...others] = JSON.parse(await develop(world, platform, ...words, '--json'));
    assert.deepEqual([entry.requestId, others], [refused.headers['x-request-id'], []]);
    for (const id of [entry.requestId, entry.id]) {
      const shown = JSON.parse(await develop(world, platform, 'logs', 'show', id, '--json'));
      assert.deepEqual(shown.request, { permissions: ['…'] });
    }
    assert.match(await develop(world, platform, 'logs', 'show', entry.requestId), /code +INVALID_INPUT/);
  });

  it('platform.md §11.1: names the unknown fields of a request', async () => {
    const platform = await world.platform();
    const { headers } = await platform.send('createToken', {
      body: { name: 'x', permissions: ['VIEW'], permisions: ['planted'] },
    });
    const named = /permisions: did you mean permissions\?\n/;
    const listed = await develop(world, platform, 'logs', 'list');
    const shown = await develop(world, platform, 'logs', 'show', String(headers['x-request-id']));
    assert.match(listed, new RegExp(`UNKNOWN FIELDS\n.*  ${named.source}$`));
    assert.match(shown, new RegExp(`unknownFields  ${named.source}`));
    assert.doesNotMatch(listed + shown, /planted/);
  });

  it('explains an invalid command', async () => {
    const platform = await world.platform();
    const nobody = '019542f5-b3e7-7d02-8000-0000000000ff';
    const wrong = [
      [['logs', 'show', nobody], 1, /log has no request 019542f5/],
      [['logs', 'show', `RequestLog:${nobody}`], 1, /404 NOT_FOUND/],
      [['logs', 'show', 'nobody'], 2, /must be a request id/],
      [['logs', 'list', '--status', '9xx'], 2, /2XX/],
      [['logs', 'tail', '--lines', '1000'], 2, /from 0 to 100/],
      [
        ['logs', 'tail', '--since', '1h', '--lines', '2'],
        2,
        /'--lines <count>' cannot be used with option '--since/,
      ],
    ] as const;
    for (const [words, code, why] of wrong) {
      const done = await tryToDevelop(world, platform, ...words);
      assert.match(done.stderr, why);
      assert.equal(done.code, code);
    }
  });
});
