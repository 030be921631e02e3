// lane: first — the real binary

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { addKey } from '#foundation/crypto/keyring.ts';
import { openDatabase } from '#foundation/database/database.ts';
import { attachEmbedded, makeWholeFolder } from '#foundation/database/embedded/embedded.ts';
import { type OpenedKeyring, openKeyring } from '#foundation/database/open-keyring.ts';
import { changeMaster } from '#foundation/database/rotate-keys.ts';
import { sql } from '#foundation/database/sql.ts';
import { beginRotation } from '#foundation/person-keys/rotation-store.ts';
import { command } from '#tests/harness/command-line.ts';
import { corridor, type Server, serve } from '#tests/harness/corridor-process.ts';
import { prepareDataFolder } from '#tests/harness/prepared-data-folder.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { allRows } from '#tests/harness/table-contents.ts';

describe('backup and restore of the embedded database', () => {
  let folder: string;
  const at = (name: string) => join(folder, name);
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corridor-backup-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Calls the API as the first platform of a server. */
  function client({ told, credentials: own }: Server, credentials = own) {
    const basic = Buffer.from(`${credentials.tokenId}:${credentials.clientSecret}`).toString('base64');
    const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/json' };
    return async (path: string, body?: object) => {
      const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
      const answer = await fetch(`${told.baseUrl}/${path}`, init);
      assert.equal(answer.status, 200, await answer.clone().text());
      return answer.json();
    };
  }

  const loadUsd = async (call: ReturnType<typeof client>) => {
    const { data } = await call('platform/internal-accounts?currency=USD');
    return data[0] as { id: string; balance: { amount: number } };
  };

  it('decision 0032: a backup taken during payments restores into books that hold, with the key that was kept elsewhere', async () => {
    const server = await serve({ DATA_DIR: await prepareDataFolder(at('data')) });
    const call = client(server);
    const { id } = await loadUsd(call);
    const fund = () => call(`sandbox/internal-accounts/${id}/fund`, { amount: 100 });
    for (let i = 0; i < 5; i++) await fund();
    let funded = 5;
    let isPaying = true;
    const paying = (async () => {
      for (; isPaying; funded++) await fund();
    })();
    // This backup and this restore are processes of their own, which have to end.
    const made = await corridor(['backup', at('copy'), '--key-to', at('key'), '--json'], {
      DATA_DIR: at('data'),
    });
    isPaying = false;
    await paying;
    assert.equal(made.code, 0, made.stderr);
    assert.match(
      made.stderr,
      /The key is not in the backup\. Keep \S+ elsewhere: without it the backup cannot be read\./,
    );
    assert.equal((await stat(at('key'))).mode & 0o777, 0o600);
    assert.ok(!(await readdir(at('copy'), { recursive: true })).some((name) => /encryption\.key/.test(name)));
    for (let i = 0; i < 3; i++) await fund();
    assert.equal((await loadUsd(call)).balance.amount, (funded + 3) * 100);
    const again = await command(['backup', at('copy')], { DATA_DIR: at('data') });
    assert.deepEqual([again.code, again.stderr.includes('is not empty')], [1, true], again.stderr);
    server.kill('SIGTERM');
    await server.finished;

    const environment = { DATA_DIR: at('restored') };
    const restored = await corridor(['restore', at('copy'), '--key', at('key')], environment);
    assert.equal(restored.code, 0, restored.stderr);
    const verified = await command(['ledger', 'verify'], environment);
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
    const second = await serve(environment);
    const { balance } = await loadUsd(client(second, server.credentials));
    assert.ok(balance.amount >= 500 && balance.amount <= funded * 100, `${balance.amount}`);
    second.kill('SIGTERM');
    assert.equal((await second.finished).code, 0);
  });

  it('decision 0032: refuses to restore without the key, over another database, or from a folder that is no backup', async () => {
    const environment = { DATA_DIR: at('nowhere') };
    const refused = async (words: string[], more = {}) => {
      const { code, stderr } = await command(['restore', ...words], { ...environment, ...more });
      assert.equal(code, 1, stderr);
      return stderr;
    };
    assert.match(
      await refused([at('copy')]),
      /needs its encryption key: name it with --key, or set ENCRYPTION_KEY/,
    );
    await writeFile(at('other'), Buffer.alloc(32, 7).toString('base64'));
    assert.match(await refused([at('copy'), '--key', at('other')]), /The key is not the one that the backup/);
    assert.match(await refused([at('copy'), '--key', at('none')]), /There is no encryption key in/);
    assert.match(await refused([folder, '--key', at('key')]), /There is no backup in/);
    const taken = { DATA_DIR: at('data') };
    assert.match(
      await refused([at('copy'), '--key', at('key')], taken),
      /There is a database in \S+ already/,
    );
    const outside = {
      DATABASE_URL: 'postgres://localhost/x',
      PERSON_KEYS_URL: 'postgres://localhost/y',
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    assert.match(
      await refused([at('copy')], outside),
      /Back up the database of DATABASE_URL with PostgreSQL’s own tools/,
    );
    await assert.rejects(stat(at('nowhere')));
  });

  /** Calls a function with the keys of a running server. */
  async function withKeys<T>(dataDir: string, work: (keys: OpenedKeyring) => Promise<T>): Promise<T> {
    const embedded = await attachEmbedded(dataDir);
    const database = openDatabase({ url: embedded?.url ?? '', connectionsMax: 2 });
    try {
      const settings = { encryptionKey: undefined, encryptionKeyNext: undefined, dataDir };
      return await work(await openKeyring(database, settings));
    } finally {
      await database.close();
    }
  }

  const stage = (keys: OpenedKeyring) => keys.file?.stage() as Promise<Buffer>;

  it('decision 0032: a backup taken while a change of the master key is interrupted comes with the one key that opens it', async () => {
    const data = { DATA_DIR: await prepareDataFolder(at('rotating')) };
    const server = await serve(data);
    const call = client(server);
    const { id } = await loadUsd(call);
    await call(`sandbox/internal-accounts/${id}/fund`, { amount: 100 });
    const keyFile = join(at('rotating'), 'encryption.key');
    const restoresWith = async (name: string) => {
      const made = await command(['backup', at(name), '--key-to', at(`${name}.key`)], data);
      assert.equal(made.code, 0, made.stderr);
      const restored = { DATA_DIR: at(`${name}-restored`) };
      const { code, stderr } = await command(['restore', at(name), '--key', at(`${name}.key`)], restored);
      assert.equal(code, 0, stderr);
      // The key opens every encrypted value.
      const rotated = await command(['keys', 'rotate', '--yes', '--reason', 'a test', '--json'], restored);
      assert.equal(rotated.code, 0, rotated.stderr);
      assert.ok(JSON.parse(rotated.stdout).resealed > 0, rotated.stdout);
      return readFile(at(`${name}.key`), 'utf8');
    };
    await withKeys(at('rotating'), stage);
    assert.equal(await restoresWith('before'), await readFile(keyFile, 'utf8'));

    await withKeys(at('rotating'), async (keys) => changeMaster(keys, await stage(keys)));
    assert.equal(await restoresWith('behind'), await readFile(`${keyFile}.next`, 'utf8'));
    const old = await command(['restore', at('behind'), '--key', keyFile], { DATA_DIR: at('nowhere') });
    assert.match(old.stderr, /The key is not the one that the backup/);
    const named = await command(['backup', at('named'), '--json'], data);
    assert.equal(JSON.parse(named.stdout).key, `${keyFile}.next`, named.stderr);
    server.kill('SIGTERM');
    await server.finished;
  });

  it('decision 0032: makes no backup if the master key changes during the copy', async () => {
    const server = await serve({ DATA_DIR: at('rotating') });
    const pipe = at('pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    const backup = command(['backup', at('changed'), '--key-to', pipe], { DATA_DIR: at('rotating') });
    // The command has chosen its key, and compares it with the key in the file.
    const writer = await open(pipe, 'w');
    await withKeys(at('rotating'), async (keys) => {
      const staged = await stage(keys);
      await keys.file?.adopt(staged);
      await changeMaster(keys, await stage(keys));
      await writer.writeFile(staged.toString('base64'));
    });
    await writer.close();
    const { code, stderr } = await backup;
    assert.equal(code, 1, stderr);
    assert.match(stderr, /The master key was changed meanwhile, so no backup was made\. Run the command/);
    await assert.rejects(stat(at('changed')));
    await stop(server);
  });

  it('decision 0039: makes no backup if keys are rotated during the copy', async () => {
    const data = { DATA_DIR: at('rotating') };
    const server = await serve(data);
    const { key } = JSON.parse((await command(['backup', at('whole'), '--json'], data)).stdout);
    const pipe = at('second-pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    const during = async (name: string, rotate: () => Promise<unknown>) => {
      const backup = command(['backup', at(name), '--key-to', pipe], data);
      const writer = await open(pipe, 'w');
      await rotate();
      await writer.writeFile(await readFile(key));
      await writer.close();
      const { code, stderr } = await backup;
      assert.equal(code, 1, stderr);
      assert.match(stderr, /"corridor keys rotate" changed the keys meanwhile, so no backup was made/);
      await assert.rejects(stat(at(name)));
      await assert.rejects(stat(at(`${name}-person-keys`)));
    };
    await during('new-data-key', () =>
      withKeys(at('rotating'), ({ store, masters }) =>
        addKey(store, masters, { purpose: 'data', noticeMs: 0 }),
      ),
    );
    const embedded = await attachEmbedded(join(at('rotating'), 'person-keys'));
    const store = openDatabase({ url: embedded?.url ?? '', connectionsMax: 2 });
    await during('new-people', () => beginRotation(store));
    await during('deleted-keys', () => store.query(sql`delete from person_keys`));
    await store.close();
    await stop(server);
  });

  it('decision 0032: a backup that cannot be made is refused before anything is copied, with the reason', async () => {
    const documents = join(at('data'), 'documents');
    await mkdir(documents, { recursive: true });
    await writeFile(join(documents, 'sealed'), 'a document');
    const server = await serve({ DATA_DIR: at('data') });
    const refused = async (...words: string[]) => {
      const { code, stderr } = await command(['backup', ...words], { DATA_DIR: at('data') });
      assert.equal(code, 1, stderr);
      assert.doesNotMatch(stderr, /The database cannot|Copying/);
      return stderr;
    };
    assert.match(await refused(join(documents, 'b')), /\/b is inside \S+, which is to be copied/);
    assert.match(await refused('/dev/null/x'), /ENOTDIR: not a directory, \w+ '\/dev\/null\/x'/);
    assert.match(
      await refused(at('second'), '--key-to', at('other')),
      /other exists already and holds another key; nothing was copied/,
    );
    assert.match(await refused(at('second'), '--key-to', join(at('second'), 'key')), /must be kept apart/);
    await assert.rejects(stat(at('second')));

    const left = at(`unfinished-backup-${randomUUID()}`);
    await mkdir(join(left, 'content', 'postgres'), { recursive: true });
    // Meanwhile this process makes another backup beside it.
    await makeWholeFolder(at('beside'), async (draft) => {
      await writeFile(join(draft, 'whole'), '');
      const words = ['backup', at('second'), '--key-to', at('key')];
      const { code, stderr } = await command(words, { DATA_DIR: at('data') });
      assert.equal(code, 0, stderr);
      assert.ok(stderr.includes(`Removed ${left}, a leftover of an interrupted backup.`), stderr);
    });
    assert.deepEqual(await readdir(at('beside')), ['whole']);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => /^(new|unfinished)-/.test(name)),
      [],
    );
    server.kill('SIGTERM');
    await server.finished;
  });

  it('decision 0032: an interrupted restore leaves no database and can be repeated', async () => {
    const environment = { DATA_DIR: at('again') };
    const documents = join(at('again'), 'documents');
    const words = ['restore', at('second'), '--key', at('key')];
    await mkdir(at('again'));
    await writeFile(documents, 'in the way of the folder');
    const interrupted = await command(words, environment);
    assert.equal(interrupted.code, 1);
    assert.match(interrupted.stderr, /A file cannot be used: EEXIST: \S.*\/documents'/);
    await rm(documents);
    // The state after a kill.
    await mkdir(join(at('again'), 'postgres', `new-${randomUUID()}`));
    const restored = await command(words, environment);
    assert.equal(restored.code, 0, restored.stderr);
    assert.equal(await readFile(join(documents, 'sealed'), 'utf8'), 'a document');
    const names = await readdir(join(at('again'), 'postgres'));
    assert.deepEqual(names.sort(), ['cluster', 'lock', 'password']);
    const verified = await command(['ledger', 'verify'], environment);
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  });

  /** The personal values of a customer. */
  const person = (name: string) => ({
    ...{ customerType: 'INDIVIDUAL', fullName: name, birthDate: '1990-12-10', nationality: 'US' },
    ...{
      email: `${name.split(' ')[0]?.toLowerCase()}@example.com`,
      idType: 'SSN',
      identifier: '123-45-6789',
    },
    address: { line1: '1 Market St', city: 'Town', state: 'CA', postalCode: '94105', country: 'US' },
  });

  function caller({ told, credentials: own }: Server, credentials = own) {
    const basic = Buffer.from(`${credentials.tokenId}:${credentials.clientSecret}`).toString('base64');
    const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/json' };
    return async (method: string, path: string, body?: object) => {
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const answer = await fetch(`${told.baseUrl}/${path}`, init);
      return { status: answer.status, text: await answer.text() };
    };
  }

  /** Whether a customer is erased, and whether any row shows the name. */
  async function lookAt(dataDir: string, id: string) {
    const embedded = await attachEmbedded(dataDir);
    const database = openDatabase({ url: embedded?.url ?? '', connectionsMax: 2 });
    try {
      const [row] = await database.query<{ isErased: boolean }>(sql`
        select erased_at is not null and person is null as "isErased" from customers where id = ${uuidOf(id)}`);
      const rows = await allRows(database);
      return { ...row, isNamed: rows.some(({ text }) => text.includes('Quix')) };
    } finally {
      await database.close();
    }
  }

  async function untilErased(dataDir: string, id: string): Promise<void> {
    while (!(await lookAt(dataDir, id)).isErased) await delay(100);
  }

  async function stop(server: Server): Promise<void> {
    server.kill('SIGTERM');
    await server.finished;
  }

  it('decision 0039: a restored database brings back no erased customer, and older keys are refused', async () => {
    const data = { DATA_DIR: await prepareDataFolder(at('people')) };
    const server = await serve(data);
    const call = caller(server);
    const zebulon = await call('POST', 'customers', person('Zebulon Quix'));
    const grace = await call('POST', 'customers', person('Grace Hopper'));
    assert.deepEqual([zebulon.status, grace.status], [201, 201], zebulon.text);
    const zebulonId = JSON.parse(zebulon.text).id as string;
    const gracePath = `customers/${JSON.parse(grace.text).id}`;
    const inside = await command(['backup', at('monday'), '--person-keys-to', join(at('monday'), 'k')], data);
    assert.deepEqual(
      [inside.code, /must be kept apart from it/.test(inside.stderr)],
      [1, true],
      inside.stderr,
    );
    const made = await command(['backup', at('monday'), '--key-to', at('monday.key'), '--json'], data);
    assert.equal(made.code, 0, made.stderr);
    assert.equal(JSON.parse(made.stdout).personKeys, at('monday-person-keys'));
    assert.match(made.stderr, /Keep them apart from the backup, and delete them after 7 days at the latest/);
    assert.equal((await call('DELETE', `customers/${zebulonId}`)).status, 200);
    const erased = await command(['customer', 'erase', zebulonId, '--yes', '--reason', 'a test'], data);
    assert.equal(erased.code, 0, erased.stderr);
    await stop(server);

    // Only the database was lost: the keys know the erasure.
    await rm(join(at('people'), 'postgres'), { recursive: true });
    const words = ['restore', at('monday'), '--key', at('monday.key'), '--json'];
    const restored = await command(words, data);
    assert.equal(restored.code, 0, restored.stderr);
    assert.equal(JSON.parse(restored.stdout).personKeys, 'kept');
    const second = await serve(data);
    const again = caller(second, server.credentials);
    // No value of the erased customer opens from the first moment on, and a job empties the rows.
    const shown = await again('GET', `customers/${zebulonId}`);
    assert.deepEqual([shown.status, shown.text.includes('Quix')], [200, false], shown.text);
    await untilErased(at('people'), zebulonId);
    assert.match((await again('GET', gracePath)).text, /Grace Hopper/);
    assert.deepEqual(await lookAt(at('people'), zebulonId), { isErased: true, isNamed: false });
    const late = JSON.parse((await again('POST', 'customers', person('Late Quixote'))).text).id as string;
    await stop(second);

    // Only the keys were lost: the keys of the backup are older than the database.
    await rm(join(at('people'), 'person-keys'), { recursive: true });
    const older = await command(['restore', '--person-keys', at('monday-person-keys')], data);
    assert.equal(older.code, 0, older.stderr);
    const refused = await corridor(['serve'], { ...data, PORT: '0' });
    assert.equal(refused.code, 1, refused.stderr);
    assert.match(
      refused.stdout + refused.stderr,
      /The database of keys is older than this database: it still has the keys of people who were erased since/,
    );
    const taken = await command(['restore', '--person-keys', at('monday-person-keys')], data);
    assert.match(taken.stderr, /There are keys of people in \S+ already\. They may be newer/);

    const repair = async (...words: string[]) => {
      const all = ['person-keys', 'repair', ...words, '--yes', '--reason', 'a test', '--json'];
      const { code, stdout, stderr } = await command(all, data);
      assert.equal(code, 0, stderr);
      const { erasedAgain, lost, agrees, firstLost } = JSON.parse(stdout);
      return { erasedAgain, lost, agrees, firstLost };
    };
    const lost = { lost: 1, firstLost: [late] };
    assert.deepEqual(await repair(), { erasedAgain: 1, ...lost, agrees: false });
    assert.deepEqual(await repair('--accept-loss'), { erasedAgain: 0, ...lost, agrees: true });
    const third = await serve(data);
    const last = caller(third, server.credentials);
    await untilErased(at('people'), late);
    assert.match((await last('GET', gracePath)).text, /Grace Hopper/);
    assert.deepEqual(await lookAt(at('people'), late), { isErased: true, isNamed: false });
    await stop(third);
  });

  it('decision 0039: a database from before "keys rotate" needs the keys from before, and the start says so', async () => {
    const data = { DATA_DIR: await prepareDataFolder(at('wrapped')) };
    const server = await serve(data);
    const grace = await caller(server)('POST', 'customers', person('Grace Hopper'));
    assert.equal(grace.status, 201, grace.text);
    await stop(server);
    const made = await command(['backup', at('tuesday'), '--key-to', at('tuesday.key')], data);
    assert.equal(made.code, 0, made.stderr);
    const rotate = () => command(['keys', 'rotate', '--yes', '--reason', 'a test'], data);
    const rotated = await rotate();
    assert.equal(rotated.code, 0, rotated.stderr);
    assert.match(rotated.stderr, /Make a backup of the database and of the keys of people now/);
    await rm(join(at('wrapped'), 'postgres'), { recursive: true });
    const restored = await command(['restore', at('tuesday'), '--key', at('tuesday.key')], data);
    assert.equal(restored.code, 0, restored.stderr);
    const refused = await corridor(['serve'], { ...data, PORT: '0' });
    const again = await rotate();
    assert.deepEqual([refused.code, again.code], [1, 1]);
    for (const { stdout, stderr } of [refused, again]) {
      assert.match(stdout + stderr, /wrapped with a data key that this database does not have/);
    }
    await rm(join(at('wrapped'), 'person-keys'), { recursive: true });
    const older = await command(['restore', '--person-keys', at('tuesday-person-keys')], data);
    assert.equal(older.code, 0, older.stderr);
    const hashes = await command(
      ['keys', 'rotate', '--hashes', '--yes', '--reason', 'a test', '--json'],
      data,
    );
    assert.equal(hashes.code, 0, hashes.stderr);
    assert.match(hashes.stderr, /customers\.name_hashes: 1 hashes made again/);
    assert.equal(JSON.parse(hashes.stdout).continued, false);
    const second = await serve(data);
    const { id, platformCustomerId } = JSON.parse(grace.text);
    const read = caller(second, server.credentials);
    assert.match((await read('GET', `customers/${id}`)).text, /Grace Hopper/);
    const found = await read('GET', `customers?platformCustomerId=${platformCustomerId}`);
    assert.match(found.text, /Grace Hopper/);
    await stop(second);
  });

  it('decision 0032: a damaged or incomplete backup is detected, and nothing is restored', async () => {
    const refused = async (source: string) => {
      const words = ['restore', source, '--key', at('key')];
      const { code, stderr } = await command(words, { DATA_DIR: at('nowhere') });
      assert.equal(code, 1, stderr);
      return stderr;
    };
    await mkdir(at('damaged'));
    for (const text of ['{}', 'null', '{"version":"1","madeAt":"now","keys":"abc","hasDocuments":false}']) {
      await writeFile(join(at('damaged'), 'backup.json'), text);
      assert.match(await refused(at('damaged')), /backup\.json is damaged/);
    }
    await rm(join(at('second'), 'postgres', 'cluster', 'backup_label'));
    assert.match(await refused(at('second')), /is incomplete: \S+backup_label is missing/);
    await rm(join(at('second'), 'documents'), { recursive: true });
    assert.match(await refused(at('second')), /is not whole: its documents are missing/);
    const inside = { DATA_DIR: join(at('copy'), 'documents', 'x') };
    const { stderr } = await command(['restore', at('copy'), '--key', at('key')], inside);
    assert.match(stderr, /is inside \S+, which is to be copied/);
    await assert.rejects(stat(at('nowhere')));
  });
});
