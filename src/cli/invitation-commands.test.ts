import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import pino from 'pino';
import { appOptions } from '#cli/app-options.ts';
import { readConfig } from '#config.ts';
import { type Database, openDatabase } from '#database/database.ts';
import { openKeyring } from '#database/open-keyring.ts';
import { sql } from '#database/sql.ts';
import { command } from '#tests/command-line.ts';
import type { Environment } from '#tests/corridor-process.ts';
import { createTestDatabase, type TestDatabase } from '#tests/databases.ts';
import { givenCustomer } from '#tests/given-customers.ts';
import { type TestPlatform, testPlatform } from '#tests/harness.ts';
import { uuidOf } from '#tests/public-ids.ts';
import { type App, createApp } from '../app.ts';

describe('corridor invitation', () => {
  let files: TestDatabase;
  let database: Database;
  let environment: Environment;
  let app: App;
  let platform: TestPlatform;

  before(async () => {
    files = await createTestDatabase();
    database = openDatabase({ url: files.url, connectionsMax: 4 });
    environment = { DATABASE_URL: files.url, ENCRYPTION_KEY: randomBytes(32).toString('base64') };
    const made = await command(['platform', 'create', '--name', 'Real', '--json'], environment);
    assert.equal(made.code, 0, made.stderr);
    const { id, clientId, clientSecret } = JSON.parse(made.stdout);
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    const config = readConfig(environment);
    const { vault } = await openKeyring(database, config);
    app = await createApp(await appOptions(config, { database, vault, log: pino({ level: 'silent' }) }));
    platform = testPlatform({ database }, () => app, [], {
      id: uuidOf(id),
      authorization,
      webhookPublicKey: '',
    });
  });
  after(async () => {
    await app.close();
    await database.close();
    await files.drop();
  });

  async function invitation(...words: string[]) {
    const done = await command(['invitation', ...words], environment);
    assert.equal(done.code, 0, done.stderr);
    return done.stdout;
  }

  async function invite(more: object = {}) {
    const inviter = await givenCustomer(platform);
    const made = await platform.send('createInvitation', {
      body: { inviterUma: inviter.umaAddress, ...more },
    });
    assert.equal(made.status, 201, made.raw);
    return { inviter, ...made.body };
  }

  it('lists invitations with what became of them, without names and addresses', async () => {
    assert.equal(await invitation('list'), 'There are no invitations.\n');
    const first = await invite({ firstName: 'Planted', expiresAt: '2999-01-01T00:00:00Z' });
    const second = await invite();
    await platform.call('cancelInvitation', { params: { invitationCode: second.code } });
    const text = await invitation('list', '--json');
    const seen = (made: typeof first, status: string) => ({
      code: made.code,
      customer: made.inviter.id,
      status,
      createdAt: made.createdAt,
      expiresAt: made.expiresAt ?? null,
      claimedAt: null,
    });
    assert.deepEqual(JSON.parse(text), [seen(second, 'CANCELLED'), seen(first, 'PENDING')]);
    assert.doesNotMatch(text, /Planted|@/);
    const own = JSON.parse(await invitation('list', '--customer', first.inviter.id, '--json'));
    assert.deepEqual(own, [seen(first, 'PENDING')]);
    assert.equal(JSON.parse(await invitation('list', '--limit', '1', '--json')).length, 1);
    assert.match(await invitation('list'), /^CODE +CUSTOMER +STATUS +CREATED AT +EXPIRES AT +CLAIMED AT\n/);
  });

  it('shows one with who invites and who claimed, and on record', async () => {
    const invitee = await givenCustomer(platform);
    const { inviter, code, createdAt } = await invite({ firstName: 'Grace', amountToSend: 1_250 });
    const { body } = await platform.call('claimInvitation', {
      params: { invitationCode: code },
      body: { inviteeUma: invitee.umaAddress },
    });
    assert.deepEqual(JSON.parse(await invitation('show', code, '--json')), {
      code,
      customer: inviter.id,
      status: 'CLAIMED',
      createdAt,
      expiresAt: null,
      claimedAt: body.claimedAt,
      inviterUma: inviter.umaAddress,
      firstName: 'Grace',
      amountToSend: '12.50 USD',
      inviteeUma: invitee.umaAddress,
      claimedBy: `Platform:${platform.id}`,
      claimedFor: invitee.id,
    });
    assert.match(await invitation('show', code), /firstName +Grace/);
    const rows = await database.query(sql`
      select action, actor_kind from audit_log where resource = ${`invitation ${code}`}`);
    const shown = { action: 'invitation show', actor_kind: 'operator' };
    assert.deepEqual(rows, [shown, shown]);
  });

  it('an unknown code and a wrong argument are one clear line each', async () => {
    const wrong: [string[], number, RegExp][] = [
      [['invitation', 'show', '0000000000'], 1, /no such invitation/],
      [['invitation', 'show', 'x\ty'], 1, /no such invitation/],
      [['invitation', 'list', '--limit', '0'], 2, /a whole number from 1 to 1000/],
      [['invitation'], 2, /choose one of list, show/],
    ];
    for (const [words, code, pattern] of wrong) {
      const done = await command(words, environment);
      assert.equal(done.code, code, done.stderr);
      assert.match(done.stderr, pattern);
      assert.match(done.stderr, /^corridor: [^\n]+\n$/);
    }
  });
});
