// lane: whole — the real binary

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { launch } from '#tests/harness/corridor-process.ts';
import { shellEnvironment } from '#tests/harness/developer-world.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

/** A proxy before the service that can be unreachable, like a server that restarts. */
async function openDoor(to: URL) {
  const open = new Set<Socket>();
  const take = (near: Socket) => {
    const far = connect(Number(to.port), to.hostname);
    open.add(near);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.on('close', () => far.destroy()).pipe(far);
    far.on('close', () => near.destroy()).pipe(near);
  };
  let server = createServer(take).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async shut() {
      server.close();
      for (const socket of open) socket.destroy();
      open.clear();
    },
    async openAgain() {
      server = createServer(take).listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}

describe('corridor logs tail', () => {
  const world = testWorld();

  const ask = async (platform: TestPlatform, name: string) => {
    const { headers } = await platform.call('createToken', { body: { name, permissions: ['VIEW'] } });
    return String(headers['x-request-id']);
  };

  it('platform.md §11.1: prints each request once, also those made while the server was unreachable, until Ctrl-C', async (t) => {
    const platform = await world.platform();
    const shell = await shellEnvironment(world, platform);
    const door = await openDoor(new URL(shell.CORRIDOR_URL ?? ''));
    t.after(() => door.shut());
    const before = [await ask(platform, 'a'), await ask(platform, 'b'), await ask(platform, 'c')];
    await platform.call('listTokens');
    const words = ['logs', 'tail', '--lines', '2', '--method', 'post', '--json'];
    const tail = await launch(words, { ...shell, CORRIDOR_URL: door.url });
    await tail.prints(new RegExp(before[2] ?? ''));
    const live = await ask(platform, 'd');
    await tail.prints(new RegExp(live));
    await door.shut();
    await tail.prints(/does not answer; waiting for it/);
    const away = [await ask(platform, 'e'), await ask(platform, 'f')];
    await door.openAgain();
    await tail.prints(new RegExp(`${away[1]}[\\s\\S]*the server answers again`));
    const last = await ask(platform, 'g');
    await tail.prints(new RegExp(last));
    tail.kill('SIGINT');
    const { code, stdout } = await tail.finished;
    const printed = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).requestId);
    assert.deepEqual([code, printed], [0, [before[1], before[2], live, ...away, last]]);
  });

  it('begins at a time, prints lines for people, and ends if its token is invalid', async () => {
    const platform = await world.platform();
    const shell = await shellEnvironment(world, platform);
    await ask(platform, 'a');
    await platform.send('createToken', { body: {} });
    const tail = await launch(['logs', 'tail', '--since', '2020-01-01'], shell);
    await tail.prints(/Z {2}POST \/tokens 400 INVALID_INPUT \d+ ms {2}[0-9a-f-]{36}\n/);
    await platform.send('createToken', { body: { nmae: 'planted' } });
    await tail.prints(/ ms {2}[0-9a-f-]{36} {2}not known: nmae: did you mean name\?\n/);
    tail.kill('SIGTERM');
    assert.equal((await tail.finished).stdout.split('\n').length, 4);
    const refused = await (await launch(['logs', 'tail'], { ...shell, CORRIDOR_AUTH: 'nobody:x' })).finished;
    assert.deepEqual([refused.code, /401 UNAUTHORIZED/.test(refused.stderr)], [1, true]);
  });
});
