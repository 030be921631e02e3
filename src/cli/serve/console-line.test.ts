import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '#app/config.ts';
import { consoleLine } from '#cli/serve/console-line.ts';
import { askConsole } from '#tests/given/console.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('the console line of a start', () => {
  const world = testWorld();
  const lineWith = (settings: Record<string, string>, isTerminal = true) =>
    consoleLine(world.app.runtime, readConfig(settings), { origin: 'http://127.0.0.1:8123', isTerminal });

  it('operator.md §9.1: is an address for the first sandbox platform on localhost, on a terminal only', async () => {
    assert.deepEqual(await lineWith({}), {}, 'there is no platform yet');
    await world.platform({ environment: 'PRODUCTION' });
    assert.deepEqual(await lineWith({}), {}, 'there is no sandbox platform yet');
    world.clock.advance(1_000);
    const first = await world.platform();
    world.clock.advance(1_000);
    await world.platform();
    await first.call('createToken', { body: { name: 'small', permissions: ['VIEW'] } });
    assert.deepEqual(await lineWith({}, false), {});
    const { Console: address = '' } = await lineWith({});
    assert.match(address, /^http:\/\/localhost:8123\/console\/sign-in#[\w-]{43}$/);
    const secret = new URL(address).hash.slice(1);
    const { body } = await askConsole(world, 'POST', '/console/api/sign-in', { body: { secret } });
    assert.equal(body.platform.id, `Platform:${first.id}`);
    assert.deepEqual(body.permissions, ['VIEW', 'TRANSACT', 'MANAGE']);
  });

  it('operator.md §3.6: is left out where the console does not answer', async () => {
    await world.platform();
    const starts: [Record<string, string>, string | undefined][] = [
      [{ CONSOLE: 'off' }, undefined],
      [{ HOST: '0.0.0.0' }, undefined],
      [{ HOST: '192.168.1.5' }, undefined],
      [{ PUBLIC_URL: 'http://pay.example.com' }, undefined],
      [{ HOST: '::1' }, 'http://localhost:8123'],
      [{ HOST: 'localhost' }, 'http://localhost:8123'],
      [{ HOST: '0.0.0.0', CONSOLE_INSECURE_HTTP: 'true' }, 'http://localhost:8123'],
      [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://pay.example.com' }, 'https://pay.example.com'],
      [
        { PUBLIC_URL: 'https://pay.example.com', CONSOLE_URL: 'https://console.example.com' },
        'https://console.example.com',
      ],
    ];
    for (const [settings, origin] of starts) {
      const { Console: address } = await lineWith(settings);
      const name = JSON.stringify(settings);
      assert.equal(address === undefined ? undefined : new URL(address).origin, origin, name);
    }
  });
});
