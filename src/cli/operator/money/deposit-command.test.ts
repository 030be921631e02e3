// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { command } from '#tests/harness/command-line.ts';
import type { Environment } from '#tests/harness/corridor-process.ts';
import { createTestDatabase, personKeysUrl, type TestDatabase } from '#tests/harness/databases.ts';

describe('corridor deposit', () => {
  let files: TestDatabase;
  let database: Database;
  let environment: Environment;
  let account: string;

  before(async () => {
    files = await createTestDatabase();
    database = openDatabase({ url: files.url, connectionsMax: 2 });
    environment = {
      DATABASE_URL: files.url,
      PERSON_KEYS_URL: personKeysUrl(),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    };
    const words = ['platform', 'create', '--name', 'Real', '--environment', 'production', '--json'];
    const made = await command(words, environment);
    assert.equal(made.code, 0, made.stderr);
    const [row] = await database.query<{ id: string }>(sql`
      select id from internal_accounts where currency = 'USD'`);
    account = `InternalAccount:${row?.id}`;
  });
  after(async () => {
    await database.close();
    await files.drop();
  });

  const WORDS = {
    '--amount': '12500',
    '--currency': 'USD',
    '--sender': 'Grace Hopper',
    '--bank-reference': 'A1',
    '--reason': 'statement of 3 March',
  };
  const book = (more: Record<string, string> = {}, without?: string) =>
    command(
      [
        ...['deposit', 'book', account, '--yes', '--json'],
        ...Object.entries({ ...WORDS, ...more })
          .filter(([name]) => name !== without)
          .flat(),
      ],
      environment,
    );

  it('money.md §7.1: books a deposit once for an open account; before that the money waits in suspense', async () => {
    const early = await book({ '--bank-reference': 'A0' });
    assert.equal(early.code, 1);
    assert.match(early.stderr, /The account is PENDING: the money was booked to suspense/);
    const suspense = await command(['suspense', 'list', '--json'], environment);
    assert.equal(JSON.parse(suspense.stdout).length, 1);
    await database.query(sql`
      update internal_accounts set status = 'ACTIVE', provisioning = 'COMPLETED' where currency = 'USD'`);
    const first = await book();
    assert.equal(first.code, 0, first.stderr);
    const shown = JSON.parse(first.stdout);
    assert.deepEqual(
      [shown.type, shown.status, shown.receivedAmount.amount, shown.source.accountHolderName],
      ['INCOMING', 'COMPLETED', 12_500, 'Grace Hopper'],
    );
    const again = await book();
    assert.deepEqual([again.code, JSON.parse(again.stdout).id], [0, shown.id]);
    assert.match(again.stderr, /deposit with this reference was booked before; nothing was done/);
    const other = await book({ '--amount': '1' });
    assert.equal(other.code, 1);
    assert.match(other.stderr, /A different amount was already reported under this reference/);
    const [entries] = await database.query<{ count: bigint }>(sql`
      select count(*) from ledger_entries where kind = 'deposit.received'`);
    assert.equal(entries?.count, 1n);
  });

  it('money.md §7.1: suspense shows the sender, the bank’s reference and the account, and the resolving booking keeps them', async () => {
    const run = async (...words: string[]) => {
      const done = await command([...words, '--json'], environment);
      assert.equal(done.code, 0, done.stderr);
      return JSON.parse(done.stdout);
    };
    const [waiting] = await run('suspense', 'list');
    const known = { sender: 'Grace Hopper', bankReference: 'A0', intendedAccount: account };
    for (const shown of [waiting, await run('suspense', 'show', waiting.entry)]) {
      const { sender, bankReference, intendedAccount } = shown;
      assert.deepEqual({ sender, bankReference, intendedAccount }, known);
    }
    const table = await command(['suspense', 'list'], environment);
    assert.match(table.stdout, /SENDER +BANK REFERENCE .*\n.* Grace Hopper +A0 /);
    const sealed = await database.query<{ sender: Buffer }>(sql`
      select sender from payment_receipts where provider_reference = 'A0'`);
    assert.ok(!sealed[0]?.sender.includes('Grace'));
    const why = ['--to', account, '--reason', 'case 4711', '--yes'];
    assert.equal((await run('suspense', 'resolve', waiting.entry, ...why)).bankReference, 'A0');
    const resolved = await run('suspense', 'show', waiting.entry);
    assert.deepEqual(
      [resolved.sender, resolved.resolved.to, resolved.resolved.reason],
      ['Grace Hopper', account, 'case 4711'],
    );
    const { ledger } = await run('account', 'show', account);
    const [booking] = ledger.filter(({ kind }: { kind: string }) => kind === 'suspense.resolved');
    assert.deepEqual([booking.sender, booking.bankReference], ['Grace Hopper', 'A0']);
    const [row] = await run('audit', 'list', '--resource', waiting.entry, '--action', 'suspense resolve');
    assert.equal(row.details.bankReference, 'A0');
  });

  it('names missing and malformed arguments, and books nothing', async () => {
    for (const name of Object.keys(WORDS)) assert.equal((await book({}, name)).code, 2, name);
    for (const amount of ['12.50', '-1', '0', '1e3']) {
      assert.equal((await book({ '--amount': amount, '--bank-reference': 'A2' })).code, 2, amount);
    }
    const wrong = await book({ '--currency': 'EUR', '--bank-reference': 'A2' });
    assert.deepEqual([wrong.code, wrong.stderr], [1, 'corridor: The account is in USD, not in EUR.\n']);
    const rows = await database.query(sql`select 1 from payment_receipts where provider_reference = 'A2'`);
    assert.deepEqual(rows, []);
  });
});
