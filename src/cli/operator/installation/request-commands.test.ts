import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operatorWorld, parseRows } from '#tests/harness/operator-world.ts';

describe('corridor requests', () => {
  const world = operatorWorld();

  it('platform.md §11.1: lists the requests of a platform and shows one with its logged parts', async () => {
    assert.equal(await world.run('requests', 'list'), 'No requests.\n');
    const { platform } = world;
    await platform.call('createToken', { body: { name: 'planted', permissions: ['VIEW'] } });
    await platform.send('createToken', { body: { permissions: ['planted'], nmae: 'planted' } });
    const logged = await platform.call('listRequestLogs', {});
    const [refused, made] = logged.body.data;
    assert.deepEqual(parseRows(await world.run('requests', 'list', '--json')), logged.body.data);
    const listed = await world.run(
      'requests',
      'list',
      '--status',
      '4xx',
      '--method',
      'post',
      '--path',
      '/tokens',
    );
    assert.match(listed, /POST +\/tokens +400 +INVALID_INPUT .* nmae: did you mean name\? +Real\n/);
    assert.deepEqual(refused?.unknownFields, ['nmae: did you mean name?']);
    assert.equal(listed.trim().split('\n').length, 2);
    const shown = await world.run('requests', 'show', refused?.id ?? '', '--json');
    assert.deepEqual(JSON.parse(shown), {
      ...refused,
      request: { permissions: ['…'] },
      reply: {
        code: 'INVALID_INPUT',
        status: 400,
        reason: '2 fields are not valid: name, permissions.0',
        message: '2 fields are not valid: name, permissions.0',
        details: {
          errors: [
            { field: 'name', message: 'is required' },
            { field: 'permissions.0', message: 'must be one of VIEW, TRANSACT, MANAGE' },
          ],
        },
      },
    });
    assert.match(await world.run('requests', 'show', made?.id ?? ''), /clientSecret +…/);
    assert.doesNotMatch(listed + shown, /planted/);
  });

  it('explains an invalid command', async () => {
    const nobody = 'RequestLog:019542f5-b3e7-7d02-8000-0000000000ff';
    await world.assertRefused([
      [['requests', 'show', nobody], 1, /no request RequestLog:/],
      [['requests', 'list', '--status', '9xx'], 2, /2XX/],
    ]);
  });
});
