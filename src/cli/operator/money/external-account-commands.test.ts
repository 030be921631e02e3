import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import pino from 'pino';
import { createApp } from '#app/app.ts';
import { readConfig } from '#app/config.ts';
import { createExternalAccount } from '#capabilities/external-accounts/create-external-account.ts';
import { appOptions } from '#cli/app-options.ts';
import { commandFacts } from '#cli/operator/shell/operator-name.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { openKeyring } from '#foundation/database/open-keyring.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import { sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';
import { buildAccountRequest } from '#tests/given/external-accounts.ts';
import { command } from '#tests/harness/command-line.ts';
import type { Environment } from '#tests/harness/corridor-process.ts';
import { createTestDatabase, personKeysUrl, type TestDatabase } from '#tests/harness/databases.ts';
import { givenPersonKeys } from '#tests/harness/person-keys.ts';

describe('corridor account, for external accounts', () => {
  let files: TestDatabase;
  let database: Database;
  let environment: Environment;
  let usd: string;
  let euro: string;

  before(async () => {
    files = await createTestDatabase();
    database = openDatabase({ url: files.url, connectionsMax: 4 });
    environment = {
      DATABASE_URL: files.url,
      PERSON_KEYS_URL: personKeysUrl(),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    };
    const words = ['platform', 'create', '--name', 'Real', '--environment', 'production', '--json'];
    const made = await command(words, environment);
    assert.equal(made.code, 0, made.stderr);
    const work = await platformWork();
    const add = (name: string) =>
      work.write((tx) => createExternalAccount(tx, undefined, buildAccountRequest(name) as never, []));
    usd = `ExternalAccount:${(await add('USD_ACCOUNT')).id}`;
    euro = `ExternalAccount:${(await add('EUR_ACCOUNT')).id}`;
  });
  const closers: (() => Promise<void>)[] = [];
  after(async () => {
    for (const close of closers) await close();
    await database.close();
    await files.drop();
  });

  /** The only platform, with the same encryption key as the commands. */
  async function platformWork(): Promise<Work> {
    const config = readConfig(environment);
    const people = await givenPersonKeys(database, (await openKeyring(database, config)).vault);
    closers.push(people.close);
    const { runtime } = await createApp(
      await appOptions(config, { database, ...people, log: pino({ level: 'silent' }) }),
    );
    const [row] = await database.query<{ id: PlatformId }>(sql`select id from platforms`);
    const platform = await findPlatform(database.query, row?.id ?? NIL_ID);
    assert.ok(platform);
    return new Work(runtime, platform, { kind: 'operator', id: 'test' });
  }

  const reason = ['--reason', 'checked'];

  async function account(...words: string[]) {
    const done = await command(['account', ...words, '--json'], environment);
    assert.equal(done.code, 0, done.stderr);
    return JSON.parse(done.stdout);
  }

  it('accounts.md §3.5, §4.7: the operator reports screening and validation, reviews, disables and enables', async () => {
    const { status, trusted } = await account('external', usd);
    assert.deepEqual([status, trusted], ['PENDING', false]);
    assert.equal((await account('screening', usd, 'CLEAR', ...reason)).status, 'ACTIVE');
    assert.equal((await account('validation', usd, 'failed', ...reason)).usValidation, 'FAILED');
    assert.equal((await account('screening', euro, 'hit', '--reason', 'case 4711')).status, 'UNDER_REVIEW');
    assert.equal((await account('review', euro, 'clear', ...reason)).status, 'ACTIVE');
    assert.equal((await account('disable', euro, ...reason)).status, 'INACTIVE');
    assert.equal((await account('enable', euro, ...reason)).status, 'ACTIVE');
    const events = await database.query<{ resource_id: string }>(sql`
      select resource_id from events where type = 'EXTERNAL_ACCOUNT.STATUS_UPDATED' order by seq`);
    assert.deepEqual(
      events.map((event) => event.resource_id),
      [usd, euro, euro, euro, euro],
    );
  });

  it('every one of these actions is audited under the operator’s name', async () => {
    const rows = await database.query<{ action: string; actor_kind: string; details: unknown }>(sql`
      select action, actor_kind, details from audit_log where resource like 'ExternalAccount:%' and actor_kind = 'operator' order by at, id`);
    assert.deepEqual(
      rows.map(({ action }) => action),
      [
        'account external',
        'account screening clear',
        'account validation failed',
        'account screening hit',
        'account review clear',
        'account disable',
        'account enable',
      ],
    );
    assert.ok(rows.every(({ actor_kind }) => actor_kind === 'operator'));
    // The reason is sealed: nobody but `audit list` shows it.
    assert.deepEqual(rows[3]?.details, commandFacts());
  });

  it('a wrong argument, a wrong state and an unknown account are one clear line each', async () => {
    const unknown = 'ExternalAccount:01890a5d-ac96-774b-bcce-b302099a8057';
    const wrong: [string[], number, RegExp][] = [
      [
        ['account', 'disable', 'InternalAccount:1', ...reason],
        2,
        /It must be an id such as ExternalAccount:<uuid>/,
      ],
      [['account', 'review', euro, 'maybe', ...reason], 2, /clear, refuse/],
      [['account', 'review', euro, ...reason], 2, /outcome/],
      [['account', 'enable', euro, ...reason], 1, /The account is ACTIVE/],
      [['account', 'validation', euro, 'valid', ...reason], 1, /not a US bank account/],
      [['account', 'disable', unknown, ...reason], 1, /no such ExternalAccount/],
      [['account', 'external', unknown], 1, /no such ExternalAccount/],
    ];
    for (const [words, code, pattern] of wrong) {
      const done = await command(words, environment);
      assert.equal(done.code, code, done.stderr);
      assert.match(done.stderr, pattern);
      assert.match(done.stderr, /^corridor: [^\n]+\n$/);
    }
  });
});
