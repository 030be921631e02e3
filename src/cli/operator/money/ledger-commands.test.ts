// lane: whole — runs many commands

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { supports } from '#tests/given/accounts.ts';
import { readJournal } from '#tests/given/journal.ts';
import { execute, givenOutside, givenPayer } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import { operatorWorld } from '#tests/harness/operator-world.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

interface Balance {
  readonly account: string;
  readonly currency: string;
  readonly balance: string;
}

describe('the operator’s commands on the books', () => {
  const world = operatorWorld();
  let folder: string;
  let accountId: string;
  let transactionId: string;
  const parsed = async <T>(...words: string[]): Promise<T> => JSON.parse(await world.run(...words, '--json'));

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'books-'));
    const { platform } = world;
    await world.run('platform', 'set', `Platform:${platform.id}`, 'isRegulatedFinancialInstitution=true');
    await supports(platform, ['USD', 'EUR']);
    const payer = await givenPayer(platform, 50_000);
    accountId = payer.account('USD').id;
    const quote = await quoted(platform, {
      from: accountId,
      to: await givenOutside(platform, payer.id, '003'),
      send: 1_000,
    });
    const executed = await execute(platform, quote.id);
    assert.equal(executed.status, 200, executed.raw);
    transactionId = quote.transactionId;
    await readJournal(world, platform.id);
  });
  after(() => rm(folder, { recursive: true }));

  it('money.md §13.4: ledger balance prints the balance at a moment, at an entry, and of a kind of accounts', async () => {
    const now = await parsed<Balance[]>('ledger', 'balance', accountId);
    assert.deepEqual(now, [{ account: `AVAIL:${uuidOf(accountId)}`, currency: 'USD', balance: '-49000' }]);
    assert.deepEqual(await parsed('ledger', 'balance', accountId, '--at', '2020-01-01'), [
      { ...now[0], balance: '0' },
    ]);
    const lines = await parsed<{ entry: string; seq: string; balance: string }[]>(
      'ledger',
      'account',
      accountId,
    );
    assert.deepEqual(
      lines.map(({ balance }) => balance),
      ['-49000', '-50000'],
    );
    const [, first] = lines;
    for (const name of [first?.entry ?? '', first?.seq ?? ''])
      assert.deepEqual(await parsed('ledger', 'balance', accountId, '--entry', name), [
        { ...now[0], balance: '-50000' },
      ]);
    const kind = (await parsed<Balance[]>('ledger', 'balance', 'avail')).find(
      ({ currency }) => currency === 'USD',
    );
    assert.equal(kind?.balance, '-49000');
    const { stdout, stderr } = await world.hear('ledger', 'balance', accountId);
    assert.match(stdout, /490\.00 USD/);
    assert.match(stderr, /Entries of the last minutes may be missing/);
  });

  it('money.md §13.5: ledger trial-balance adds up to zero in each currency', async () => {
    const rows = await parsed<Balance[]>('ledger', 'trial-balance', '--environment', 'sandbox');
    assert.ok(
      rows.some(({ account }) => account === 'AVAIL') && rows.some(({ account }) => account === 'INFLIGHT'),
    );
    const sums = new Map<string, bigint>();
    for (const { currency, balance } of rows)
      sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(balance));
    assert.deepEqual([...new Set(sums.values())], [0n]);
    const only = await parsed('ledger', 'trial-balance', '--platform', 'Real');
    assert.deepEqual(only, rows);
    assert.deepEqual(await parsed('ledger', 'accounts', 'AVAIL', '--at', '2020-01-01', '--limit', '1000'), [
      ...(await parsed<Balance[]>('ledger', 'accounts', 'avail')).map((row) => ({ ...row, balance: '0' })),
    ]);
  });

  it('money.md §13.1: ledger account continues page by page, and accounts too', async () => {
    const all = await parsed<{ seq: string }[]>('ledger', 'account', 'AVAIL', '--currency', 'USD');
    const seen: string[] = [];
    let cursor: string[] = [];
    do {
      const words = ['ledger', 'account', 'AVAIL', '--currency', 'USD', '--limit', '1', '--json', ...cursor];
      const { stdout, stderr } = await world.hear(...words);
      seen.push(...(JSON.parse(stdout) as { seq: string }[]).map(({ seq }) => seq));
      const [, next] = /add --cursor (\S+)/.exec(stderr) ?? [];
      cursor = next === undefined ? [] : ['--cursor', next];
    } while (cursor.length > 0);
    assert.deepEqual(
      seen,
      all.map(({ seq }) => seq),
    );
    assert.ok(seen.length >= 2);
    const { stderr } = await world.hear('ledger', 'accounts', 'INFLIGHT', '--limit', '1');
    assert.doesNotMatch(stderr, /add --from/, 'both currencies of the last account are on one page');
  });

  it('money.md §13.4: ledger entry prints the lines, the transaction and who caused it', async () => {
    const [taken] = await parsed<{ entry: string }[]>('ledger', 'account', accountId);
    const entry = await parsed<{
      kind: string;
      hash: string;
      transaction: { id: string };
      cause: { actor: { kind: string }; action: string };
      lines: Balance[];
    }>('ledger', 'entry', taken?.entry ?? '');
    assert.equal(entry.kind, 'payment.executed');
    assert.match(entry.hash, /^[0-9a-f]{64}$/);
    assert.equal(entry.transaction.id, transactionId);
    assert.deepEqual([entry.cause.actor.kind, entry.cause.action], ['TOKEN', 'executeQuote']);
    assert.ok(entry.lines.some(({ balance }) => balance === '-49000'));
    assert.match(
      await world.run('ledger', 'entry', taken?.entry ?? ''),
      /causedBy +the platform, Token:\S+, executeQuote/,
    );
  });

  it('platform.md §12.4: wrong names are refused, each with its reason', async () => {
    await world.assertRefused([
      [['ledger', 'balance', 'MONEY:1'], 2, /kind of account/],
      [['ledger', 'entry', 'x'], 2, /JournalEntry/],
      [['ledger', 'entry', '999999999'], 1, /no entry 999999999/],
      [['ledger', 'account', 'FEES:JPY'], 1, /has no lines/],
      [['ledger', 'account', 'INFLIGHT'], 1, /several currencies: add --currency \(EUR, USD\)/],
      [['ledger', 'account', accountId, '--cursor', 'x'], 2, /cursor/],
      [['ledger', 'verify', '--against', join(folder, 'missing')], 1, /cannot be read \(ENOENT\)/],
    ]);
    await writeFile(join(folder, 'text'), '{}');
    await world.assertRefused([
      [['ledger', 'verify', '--against', join(folder, 'text')], 1, /was not made by/],
    ]);
  });

  it('money.md §13.8: ledger attest writes a document, and ledger verify --against names the first changed entry', async () => {
    const file = join(folder, 'heads.json');
    await world.run('ledger', 'attest', '--out', file, '--entries');
    const document = JSON.parse(await readFile(file, 'utf8'));
    assert.equal(document.platforms.length, 1);
    assert.match(await world.run('ledger', 'attest'), /LAST ENTRY[\s\S]*Platform:/);
    assert.match(await world.run('ledger', 'verify', '--against', file), /^holds {3}the \d+ entries/);
    assert.match(
      await world.run('ledger', 'rotate-key', '--reason', 'test', '--json'),
      /"publicKey": ?"-----BEGIN PUBLIC KEY/,
    );
    const [seq] = document.platforms[0].entries[1].split(':');
    const change = (by: bigint) => sql`
      update ledger_entries set recorded_at = recorded_at + ${by} * interval '1 second' where seq = ${seq}`;
    await tampered(change(1n));
    const { code, stdout } = await world.attempt('ledger', 'verify', '--against', file, '--json');
    assert.equal(code, 1);
    const { ok, platforms } = JSON.parse(stdout);
    assert.equal(ok, false);
    assert.match(
      platforms[0].violations[0],
      new RegExp(`^entry ${seq} of platform \\S+ is not as it was posted$`),
    );
    await tampered(change(-1n));
    assert.match(
      await world.run('ledger', 'verify', '--against', file),
      /The journal is the one that was attested/,
    );
  });

  it('money.md §12: ledger verify prints a line for each check, and lists what each proves', async () => {
    const { stdout, stderr } = await world.hear('ledger', 'verify');
    assert.match(stdout, /Every check holds\.\n$/);
    const listed = (await world.run('ledger', 'verify', '--list')).trimEnd().split('\n');
    assert.equal(stdout.trimEnd().split('\n').length, listed.length + 1);
    // Without a terminal nobody watches the progress, and a script takes it for a complaint.
    assert.equal(stderr, '');
    const checks = await parsed<{ place: number; proves: string; rule: string }[]>(
      'ledger',
      'verify',
      '--list',
    );
    assert.equal(checks.length, listed.length);
    assert.equal(new Set(checks.map(({ proves }) => proves)).size, checks.length);
    assert.ok(checks.some(({ rule }) => rule === 'money.md §13.6'));
  });

  /** Changes the journal past its guards. */
  async function tampered(change: ReturnType<typeof sql>): Promise<void> {
    await world.database.transaction(async (run) => {
      await run(sql`set local session_replication_role = replica`);
      await run(change);
    });
  }
});
