import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { connectionTo } from '#tests/client/given-client.ts';
import { askConsole } from '#tests/given/console.ts';
import { command } from '#tests/harness/command-line.ts';
import { develop } from '#tests/harness/developer-world.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('corridor open', () => {
  const world = testWorld();

  it('prints the address of a page that the server has', async () => {
    const { baseUrl } = await connectionTo(world, await world.platform());
    const words = [['open'], ['open', 'SANDBOX'], ['open', 'guides'], ['open', 'health', '--print']];
    const printed: string[] = [];
    for (const each of words) {
      const { stdout, stderr } = await command(each, { CORRIDOR_URL: `${baseUrl}/svc/2025-10-13` });
      assert.equal(stderr, '');
      printed.push(stdout.trim());
      assert.equal((await fetch(stdout.trim())).status, 200);
    }
    assert.deepEqual(printed, [
      `${baseUrl}/docs`,
      `${baseUrl}/docs/sandbox`,
      `${baseUrl}/docs/guides`,
      `${baseUrl}/health/ready`,
    ]);
  });

  it('opens the address in the browser of a desktop, unless asked only to print it', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'corridor-open-'));
    t.after(() => rm(folder, { recursive: true }));
    const told = join(folder, 'told');
    const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
    // The file appears under this name when it is complete.
    await writeFile(
      join(folder, program),
      `#!/bin/sh\necho "$1" > ${told}.part && mv ${told}.part ${told}\n`,
    );
    await chmod(join(folder, program), 0o755);
    const shell = {
      CORRIDOR_URL: 'http://localhost:8080',
      DISPLAY: ':0',
      PATH: `${folder}:${process.env.PATH}`,
    };
    assert.match((await command(['open', '--json', '--print'], shell)).stdout, /"isOpened": false/);
    const { stdout } = await command(['open', 'sandbox', '--json'], shell);
    assert.deepEqual(JSON.parse(stdout), {
      page: 'sandbox',
      url: 'http://localhost:8080/docs/sandbox',
      isOpened: true,
    });
    const read = (): Promise<string> =>
      readFile(told, 'utf8').catch(() => new Promise(setImmediate).then(read));
    assert.equal(await read(), 'http://localhost:8080/docs/sandbox\n');
    const nowhere = { ...shell, PATH: join(folder, 'nowhere') };
    assert.equal((await command(['open'], nowhere)).stdout, 'http://localhost:8080/docs\n');
  });

  it('operator.md §9.1: makes a new address of the console, which signs in once', async () => {
    const platform = await world.platform({ permissions: ['TRANSACT'] });
    const [first, second] = [
      await develop(world, platform, 'open', 'console', '--print'),
      JSON.parse(await develop(world, platform, 'open', 'console', '--json')).url,
    ];
    assert.notEqual(first.trim(), second);
    for (const address of [first.trim(), second]) {
      const { pathname, hash } = new URL(address);
      assert.equal(pathname, '/console/sign-in');
      const body = { secret: hash.slice(1) };
      const signedIn = await askConsole(world, 'POST', '/console/api/sign-in', { body });
      assert.deepEqual(signedIn.body.permissions, ['TRANSACT']);
      assert.equal((await askConsole(world, 'POST', '/console/api/sign-in', { body })).status, 401);
    }
  });

  it('explains an invalid command', async () => {
    for (const [words, shell, why] of [
      [['open'], {}, /CORRIDOR_URL is not set/],
      [['open', 'console'], { CORRIDOR_URL: 'http://localhost:1' }, /CORRIDOR_AUTH is not set/],
      [['open', 'nothing'], { CORRIDOR_URL: 'http://localhost:1' }, /docs, sandbox, guides, console, health/],
    ] as const) {
      const { code, stderr } = await command(words, shell);
      assert.equal(code, 2);
      assert.match(stderr, why);
    }
  });
});
