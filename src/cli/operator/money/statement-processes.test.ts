// lane: whole — runs commands
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { platformAccounts, supports } from '#tests/given/accounts.ts';
import { operatorWorld } from '#tests/harness/operator-world.ts';

describe('corridor statement', () => {
  const world = operatorWorld();
  const period = ['--from', '2020-02-01', '--to', '2020-02-29'];

  it('bank-files.md §8.6: writes the file of the API for one account, and one for each account of the platform', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'statements-'));
    try {
      await supports(world.platform, ['USD', 'EUR']);
      const accounts = await platformAccounts(world.platform);
      const id = String(accounts[0]?.id);
      const out = join(folder, 'one.csv');
      await world.run('statement', id, ...period, '--out', out);
      const query = { accountId: id, from: '2020-02-01', to: '2020-02-29', format: 'csv' };
      assert.equal(
        await readFile(out, 'utf8'),
        (await world.platform.send('getAccountStatement', { query })).raw,
      );
      const audited = await world.run('audit', 'list', '--action', 'statement', '--json');
      assert.ok(audited.includes(id), audited);
      const all = join(folder, 'all');
      await world.run('statement', '--platform-all', ...period, '--format', 'html', '--out', all);
      assert.equal((await readdir(all)).length, accounts.length);
      await world.assertRefused([
        [['statement', ...period, '--out', join(folder, 'none')], 2, /--platform-all/],
        [['statement', id, ...period, '--out', out], 1, /exists already/],
        [
          ['statement', id, '--from', '2020-02-30', '--to', '2020-02-29', '--out', join(folder, 'x')],
          1,
          /from/,
        ],
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
