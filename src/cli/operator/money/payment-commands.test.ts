// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Line } from '#foundation/ledger/entries.ts';
import type { LedgerKind } from '#foundation/ledger/kinds.ts';
import { NO_OWN_CURRENCIES, presentAmount } from '#foundation/lib/currencies.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { command } from '#tests/harness/command-line.ts';
import type { Environment } from '#tests/harness/corridor-process.ts';
import { createTestDatabase, personKeysUrl, type TestDatabase } from '#tests/harness/databases.ts';
import { postSet } from '#tests/harness/ledger-poster.ts';

describe('corridor payment, suspense and receivable', () => {
  let files: TestDatabase;
  let database: Database;
  let environment: Environment;
  let platformId: PlatformId;
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
    const [row] = await database.query<{ id: string; platform_id: PlatformId }>(sql`
      select id, platform_id from internal_accounts where currency = 'USD'`);
    assert.ok(row);
    platformId = row.platform_id;
    account = `InternalAccount:${row.id}`;
  });
  after(async () => {
    await database.close();
    await files.drop();
  });

  async function run(...words: string[]) {
    const done = await command([...words, '--json'], environment);
    return { ...done, shown: done.code === 0 ? JSON.parse(done.stdout) : undefined };
  }

  async function posted(kind: LedgerKind, lines: Line[]): Promise<string> {
    const id = newUuid();
    const now = new Date();
    const entry = { id, platformId, kind, createdAt: now, recordedAt: now, lines };
    assert.equal(await postSet(database, [entry]), undefined);
    return id;
  }

  const usd = (name: Line['account'], side: Line['side'], amount: bigint): Line => ({
    account: name,
    currency: 'USD',
    side,
    amount,
  });

  async function actions(): Promise<[string, string | undefined][]> {
    const { shown } = await run('audit', 'list');
    const rows: { action: string; details?: { reason?: string } }[] = shown.toReversed();
    return rows
      .filter(({ action }) => /^(suspense|receivable)/.test(action))
      .map(({ action, details }) => [action, details?.reason]);
  }

  it('money.md §11.L21: suspense is listed, then credited or recorded as paid out, each once and audited', async () => {
    assert.deepEqual((await run('suspense', 'list')).shown, []);
    const lines = [usd('RAIL:ACH:USD', 'DEBIT', 900n), usd('SUSPENSE:USD', 'CREDIT', 900n)];
    const first = `JournalEntry:${await posted('receipt.suspended', lines)}`;
    const second = `JournalEntry:${await posted('receipt.suspended', lines)}`;
    const listed = (await run('suspense', 'list')).shown;
    assert.deepEqual(
      listed.map(({ entry, because, amount }: Record<string, unknown>) => [entry, because, amount]),
      [
        [second, 'unmatched receipt', dollars(900n)],
        [first, 'unmatched receipt', dollars(900n)],
      ],
    );
    const page = await run('suspense', 'list', '--limit', '1');
    const [cursor = ''] = /(?<=--cursor )\S+/.exec(page.stderr) ?? [];
    const next = await run('suspense', 'list', '--limit', '1', '--cursor', cursor);
    assert.deepEqual([...page.shown, ...next.shown], listed, 'operator.md §6.2: in pages');
    assert.doesNotMatch(next.stderr, /--cursor/);
    const credited = await run(
      'suspense',
      'resolve',
      first,
      '--to',
      account,
      '--reason',
      'found the payer',
      '--yes',
    );
    assert.equal(credited.code, 0, credited.stderr);
    const sent = await run('suspense', 'resolve', second, '--rail', 'ACH', '--reason', 'sent back', '--yes');
    assert.equal(sent.code, 0, sent.stderr);
    assert.deepEqual((await run('suspense', 'list')).shown, []);
    const shown = await run('account', 'show', account);
    assert.equal(shown.shown.balance.amount, 900);
    assert.deepEqual(await actions(), [
      ['suspense list', undefined],
      ['suspense list', undefined],
      ['suspense list', undefined],
      ['suspense list', undefined],
      ['suspense resolve', 'found the payer'],
      ['suspense resolve', 'sent back'],
      ['suspense list', undefined],
    ]);
  });

  it('money.md §11.L22: receivables are listed and written off, in part or whole', async () => {
    const owed = `RECEIVABLE:${platformId}:USD` as const;
    await database.query(sql`
      insert into ledger_balances (platform_id, account, currency, updated_at)
      values (${platformId}, ${owed}, 'USD', ${new Date()})`);
    await posted('collection.reversed', [usd(owed, 'DEBIT', 500n), usd('RAIL:ACH:USD', 'CREDIT', 500n)]);
    const [row] = (await run('receivable', 'list')).shown;
    assert.deepEqual([row.owner, row.amount], [`Platform:${platformId}`, dollars(500n)]);
    const words = ['receivable', 'write-off', row.owner, '--currency', 'usd', '--reason', 'agreed', '--yes'];
    const part = await run(...words, '--amount', '200');
    assert.equal(part.code, 0, part.stderr);
    assert.deepEqual(part.shown.left, dollars(300n));
    assert.deepEqual((await run(...words)).shown.left, dollars(0n));
    assert.deepEqual((await run('receivable', 'list')).shown, []);
  });

  it('the books still hold', async () => {
    const done = await run('ledger', 'verify');
    assert.equal(done.code, 0, done.stdout);
  });

  it('a wrong argument, a missing reason and an unknown resource are one clear line each', async () => {
    const unknown = newUuid();
    const reason = ['--reason', 'x', '--yes'];
    const wrong: [string[], number, RegExp][] = [
      [['payment', 'settle', `Transaction:${unknown}`], 2, /--reason/],
      [
        ['payment', 'settle', `Transaction:${unknown}`, '--reason', 'x'],
        2,
        /asks for confirmation.*give --yes/,
      ],
      [['payment', 'settle', 'Quote:1', ...reason], 2, /It must be an id such as Transaction:<uuid>/],
      [['payment', 'fail', `Transaction:${unknown}`, '--failure', 'BAD', ...reason], 2, /ACCOUNT_INVALID/],
      [['payment', 'return', `Transaction:${unknown}`, ...reason], 1, /no such Transaction/],
      [['suspense', 'resolve', `JournalEntry:${unknown}`, ...reason], 2, /either --to or --rail/],
      [['suspense', 'resolve', `JournalEntry:${unknown}`, '--rail', 'ACH', ...reason], 1, /JournalEntry/],
      [
        ['suspense', 'resolve', `JournalEntry:${unknown}`, '--rail', 'a b', ...reason],
        2,
        /It must be a code/,
      ],
      [
        ['receivable', 'write-off', `Customer:${unknown}`, '--currency', 'USD', ...reason],
        1,
        /Nothing is owed/,
      ],
      [['receivable', 'write-off', 'me', '--currency', 'USD', ...reason], 2, /Customer:<uuid>/],
    ];
    for (const [words, code, pattern] of wrong) {
      const done = await command(words, environment);
      assert.equal(done.code, code, `${words.join(' ')}: ${done.stderr}`);
      assert.match(done.stderr, pattern);
      assert.match(done.stderr, /^corridor: [^\n]+\n$/);
    }
  });
});

const dollars = (cents: bigint) => presentAmount(cents, 'USD', NO_OWN_CURRENCIES);
