import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { commandFacts } from '#cli/operator/shell/operator-name.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { command } from '#tests/harness/command-line.ts';
import type { Environment } from '#tests/harness/corridor-process.ts';
import { createTestDatabase, personKeysUrl, type TestDatabase } from '#tests/harness/databases.ts';

describe('corridor account', () => {
  let files: TestDatabase;
  let database: Database;
  let environment: Environment;
  let folder: string;
  let accounts: Map<string, string>;

  before(async () => {
    files = await createTestDatabase();
    database = openDatabase({ url: files.url, connectionsMax: 2 });
    folder = await mkdtemp(join(tmpdir(), 'corridor-account-'));
    environment = {
      DATABASE_URL: files.url,
      PERSON_KEYS_URL: personKeysUrl(),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    };
    const words = ['platform', 'create', '--name', 'Real', '--environment', 'production', '--json'];
    const made = await command(words, environment);
    assert.equal(made.code, 0, made.stderr);
    const rows = await database.query<{ id: string; currency: string }>(sql`
      select id, currency from internal_accounts`);
    accounts = new Map(rows.map(({ id, currency }) => [currency, `InternalAccount:${id}`]));
    assert.deepEqual([...accounts.keys()].toSorted(), ['USD', 'USDB', 'USDC']);
  });
  after(async () => {
    await database.close();
    await files.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function account(name: string, currency: string, ...more: string[]) {
    const done = await command(
      ['account', name, accounts.get(currency) ?? '', ...more, '--json'],
      environment,
    );
    return { ...done, shown: done.code === 0 ? JSON.parse(done.stdout) : undefined };
  }

  it('accounts.md §2.2: the operator provisions, adds SWIFT, freezes, closes and refuses accounts', async () => {
    const file = join(folder, 'coordinates.json');
    const coordinates = {
      USD_ACCOUNT: { accountNumber: '4711004711', routingNumber: '021000021' },
      SOLANA_WALLET: { address: '4Nd1mYQn6yVbVb3q5V4rXwYwz5kJb9pQk1G2h3J4K5L6' },
    };
    await writeFile(file, JSON.stringify(coordinates));
    const provisioned = await account('provision', 'USD', '--coordinates', file);
    assert.equal(provisioned.code, 0, provisioned.stderr);
    assert.equal(provisioned.shown.status, 'ACTIVE');
    assert.equal(provisioned.shown.coordinates[0].accountNumber, '4711004711');
    const bank = [
      '--country',
      'US',
      '--swift-code',
      'SBOXUS33',
      '--bank-name',
      'A Bank',
      '--account-number',
      '1',
    ];
    assert.equal((await account('swift', 'USD', ...bank)).shown.coordinates.length, 3);
    assert.equal((await account('freeze', 'USD', '--reason', 'case 4711')).shown.status, 'FROZEN');
    assert.equal((await account('close', 'USD', '--reason', 'case 4711', '--yes')).shown.status, 'CLOSED');
    assert.equal((await account('refuse', 'USDC', '--reason', 'case 4711')).shown.status, 'FAILED');
  });

  it('accounts.md §2.2: every one of these actions is audited under the operator’s name', async () => {
    const rows = await database.query<{ action: string; actor_kind: string; details: unknown }>(sql`
      select action, actor_kind, details from audit_log where resource like 'InternalAccount:%' and actor_kind = 'operator' order by at, id`);
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['account provision', 'account swift', 'account freeze', 'account close', 'account refuse'],
    );
    assert.ok(rows.every(({ actor_kind }) => actor_kind === 'operator'));
    // The account is the platform's own, but the reason may still describe a person: the month's key seals it.
    assert.deepEqual(rows[2]?.details, commandFacts());
    const listed = await command(['audit', 'list', '--action', 'account freeze', '--json'], environment);
    assert.deepEqual(JSON.parse(listed.stdout)[0].details, {
      ...commandFacts(),
      reason: 'case 4711',
    });
  });

  it('a wrong argument, a wrong state and an unknown account are one clear line each', async () => {
    const broken = join(folder, 'broken.json');
    await writeFile(broken, '{ "USD_ACCOUNT": 7 }');
    const reason = ['--reason', 'case 4711'];
    const wrong: [string[], number, RegExp][] = [
      [['account', 'freeze', 'Customer:1', ...reason], 2, /It must be an id such as InternalAccount:<uuid>/],
      [['account', 'show', 'ExternalAccount:1'], 2, /"corridor account external" prints it\. \(see/],
      [
        ['account', 'provision', accounts.get('USD') ?? '', '--coordinates', broken],
        2,
        /fields by account type/,
      ],
      [['account', 'freeze', accounts.get('USD') ?? '', ...reason], 1, /The account is CLOSED/],
      [
        ['account', 'freeze', 'InternalAccount:01890a5d-ac96-774b-bcce-b302099a8057', ...reason],
        1,
        /no such InternalAccount/,
      ],
    ];
    for (const [words, code, pattern] of wrong) {
      const done = await command(words, environment);
      assert.equal(done.code, code, done.stderr);
      assert.match(done.stderr, pattern);
      assert.match(done.stderr, /^corridor: [^\n]+\n$/);
    }
  });

  it('accounts.md §2.2: a second report that an account is set up, with other coordinates, is refused', async () => {
    const file = join(folder, 'again.json');
    const provision = async (accountNumber: string) => {
      const coordinates = {
        USD_ACCOUNT: { accountNumber, routingNumber: '021000021' },
        SOLANA_WALLET: { address: '4Nd1mYQn6yVbVb3q5V4rXwYwz5kJb9pQk1G2h3J4K5L6' },
      };
      await writeFile(file, JSON.stringify(coordinates));
      return account('provision', 'USD', '--coordinates', file);
    };
    const same = await provision('4711004711');
    assert.equal(same.code, 0, same.stderr);
    const other = await provision('4711004712');
    assert.equal(other.code, 1);
    assert.match(other.stderr, /already set up with other coordinates/);
    const help = await command(['account', 'provision', '--help'], environment);
    assert.match(help.stdout, /EUR +EUR_ACCOUNT \(iban/);
    assert.match(help.stdout, /USDC +SOLANA_WALLET \(address\), BASE_WALLET/);
  });
});
