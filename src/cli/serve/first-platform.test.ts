import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '#app/config.ts';
import { type CredentialsFile, credentialsFile } from '#cli/serve/credentials-file.ts';
import { ensureFirstPlatform } from '#cli/serve/first-platform.ts';
import { sql } from '#foundation/database/sql.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('the first platform', () => {
  const world = testWorld();

  it('customers.md §1.7: is a regulated institution if so configured, with the configured credentials', async () => {
    const [API_TOKEN_ID, API_CLIENT_SECRET] = ['0'.repeat(32), 's'.repeat(32)];
    const config = readConfig({ API_TOKEN_ID, API_CLIENT_SECRET, FIRST_PLATFORM_REGULATED: 'true' });
    const warned: string[] = [];
    const provide = () =>
      ensureFirstPlatform(world.app.runtime, config, { warn: (line) => void warned.push(line) });
    const { id: _drawn, ...made } = (await provide()) ?? assert.fail();
    assert.deepEqual(made, { tokenId: API_TOKEN_ID, clientSecret: undefined });
    const basic = Buffer.from(`${API_TOKEN_ID}:${API_CLIENT_SECRET}`).toString('base64');
    const reply = await world.app.http.inject({
      method: 'GET',
      url: `${wireNames('Svc').basePath}/config`,
      headers: { authorization: `Basic ${basic}` },
    });
    assert.equal(reply.json().isRegulatedFinancialInstitution, true);
    assert.deepEqual([await provide(), warned], [undefined, []]);
  });
});

describe('the credentials of the first platform, without a terminal', () => {
  const world = testWorld();
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corridor-credentials-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const fileAt = (path: string) =>
    credentialsFile(readConfig({ CREDENTIALS_FILE: join(folder, path) }), 'http://here');
  const ensure = (file: CredentialsFile) =>
    ensureFirstPlatform(world.app.runtime, readConfig({}), { warn: assert.fail, file });

  it('platform.md §1.3.8: if they cannot be saved, no platform is created', async () => {
    await writeFile(join(folder, 'no-folder'), '');
    await assert.rejects(ensure(fileAt('no-folder/credentials.sh')), {
      name: 'OperatorError',
      message:
        /no-folder\/credentials\.sh \(E\w+\).*set CREDENTIALS_FILE .* API_TOKEN_ID and API_CLIENT_SECRET/,
    });
    assert.deepEqual(await world.database.query(sql`select id from platforms`), []);
  });

  it('platform.md §1.3.8: replace those of another database, which are renamed', async () => {
    await mkdir(join(folder, 'it’s'));
    const path = join(folder, 'it’s', 'credentials.sh');
    await writeFile(path, 'other credentials', { mode: 0o644 });
    const file = fileAt('it’s/credentials.sh');
    const { tokenId, clientSecret } = (await ensure(file)) ?? assert.fail();
    assert.match(await readFile(path, 'utf8'), new RegExp(`CORRIDOR_AUTH=${tokenId}:${clientSecret};`));
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal(await readFile(`${path}.before-${tokenId.slice(0, 8)}`, 'utf8'), 'other credentials');
    assert.equal(file.inAShell, `. '${path}'`);
    assert.equal(await ensure(fileAt('again.sh')), undefined);
    await assert.rejects(stat(join(folder, 'again.sh')), { code: 'ENOENT' });
  });

  it('platform.md §1.3.8: are removed again if the platform was not created', async () => {
    const file = fileAt('undone.sh');
    await file.write({ tokenId: 'a'.repeat(32), clientSecret: 'first' });
    // As after a retried commit.
    await file.write({ tokenId: 'b'.repeat(32), clientSecret: 'second' });
    assert.match(await readFile(file.path, 'utf8'), /:second;/);
    await file.discard();
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith('undone')),
      [],
    );
  });
});
