// lane: whole — writes 100,000 lines
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { SERVICE } from '#app/compose.ts';
import { openStatementFile } from '#capabilities/statements/render.ts';
import type { StatementLine } from '#capabilities/statements/schemas.ts';
import { sql } from '#foundation/database/sql.ts';
import { decimalAmount, NO_OWN_CURRENCIES } from '#foundation/lib/currencies.ts';
import { xml } from '#foundation/lib/xml.ts';
import { readJournal } from '#tests/given/journal.ts';
import {
  execute,
  givenOutside,
  givenPayer,
  givenPlatform,
  givenQuote,
  type Payer,
} from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { skipWithout } from '#tests/harness/judges.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const run = promisify(execFile);
const DAY_MS = 24 * 3_600_000;
const MANY = 100_000;

describe('files of statements', () => {
  const world = testWorld({ journalIsChecked: false, ledgerIsChecked: false });
  let platform: TestPlatform;
  let payer: Payer;
  let folder: string;
  let period: { from: string; to: string };
  let lines: StatementLine[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'statements-'));
    platform = await givenPlatform(world, { currencies: ['USD', 'EUR', 'BTC'] });
    payer = await givenPayer(platform);
    const to = await givenOutside(platform, payer.id);
    const day = new Date(world.clock.now()).toISOString().slice(0, 10);
    period = { from: day, to: day };
    for (const send of [1_000n, 12_345n, 101n]) {
      const quote = await givenQuote(world, platform, { from: payer.account('USD').id, to, send });
      const done = await execute(platform, quote.id);
      assert.equal(done.status, 200, done.raw);
    }
    world.clock.advance(2 * DAY_MS);
    await readJournal(world, platform.id);
    const reply = await platform.call('getAccountStatement', {
      query: { accountId: payer.account('USD').id, ...period } as never,
    });
    lines = (reply.body as { data: StatementLine[] }).data;
    assert.ok(lines.length >= 4);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function fetchFile(format: string, more: Record<string, unknown> = {}) {
    const query = { accountId: payer.account('USD').id, ...period, format, ...more };
    const { status, raw, headers } = await platform.send('getAccountStatement', { query });
    assert.equal(status, 200, raw);
    return { text: raw, headers };
  }

  const signedOf = ({ direction, amount }: StatementLine) =>
    decimalAmount(
      direction === 'IN' ? BigInt(amount.amount) : -BigInt(amount.amount),
      'USD',
      NO_OWN_CURRENCIES,
    );

  it('bank-files.md §8.4: csv has the lines between the opening and the closing balance', async () => {
    const { text, headers } = await fetchFile('csv');
    assert.match(String(headers['content-type']), /^text\/csv/);
    const rows = text
      .trimEnd()
      .split('\r\n')
      .map((row) => row.split(','));
    assert.equal(rows.length, lines.length + 3);
    assert.deepEqual(
      rows.slice(2, -1).map((row) => row[5]),
      lines.map(signedOf),
    );
    assert.deepEqual([rows[1]?.[1], rows.at(-1)?.[1]], ['Opening balance', 'Closing balance']);
  });

  it('bank-files.md §8.4: html is one page without scripts that loads nothing', async () => {
    const { text, headers } = await fetchFile('html');
    assert.match(String(headers['content-security-policy']), /default-src 'none'/);
    assert.doesNotMatch(text, /<script|src="http|<link rel="stylesheet"/);
    for (const line of lines) assert.ok(text.includes(`>${signedOf(line)}<`), signedOf(line));
    assert.equal(text.match(/<tr>/g)?.length, lines.length + 3);
  });

  it('bank-files.md §8.3: the same bytes whenever they are asked for', async () => {
    for (const format of ['csv', 'camt053', 'html']) {
      const first = await fetchFile(format);
      world.clock.advance(DAY_MS);
      assert.equal((await fetchFile(format)).text, first.text, format);
    }
  });

  it('bank-files.md §8.4: camt.053 has no amounts in coins or in BTC', async () => {
    const query = { accountId: payer.account('BTC').id, ...period, format: 'camt053' };
    const { status, body } = await platform.send('getAccountStatement', { query });
    assert.deepEqual([status, (body as { code: string }).code], [400, 'INVALID_INPUT']);
    assert.equal(
      (await platform.send('getAccountStatement', { query: { ...query, format: 'csv' } })).status,
      200,
    );
  });

  it('bank-files.md §8.4: camt.053.001.08 passes the schema', async (t) => {
    const lack = await skipWithout('xmllint');
    if (lack) return t.skip(lack);
    const { text } = await fetchFile('camt053');
    await assertValid(text);
    await assert.rejects(
      assertValid(text.replace('<CdtDbtInd>', '<CdtDbt>').replace('</CdtDbtInd>', '</CdtDbt>')),
    );
    await assertValid((await fetchFile('camt053', { zone: 'Asia/Kolkata' })).text);
  });

  async function assertValid(text: string): Promise<void> {
    const renamed = text
      .replace('camt.053.001.08', 'camt.052.001.08')
      .replaceAll('BkToCstmrStmt>', 'BkToCstmrAcctRpt>')
      .replaceAll(/<(\/?)Stmt>/g, '<$1Rpt>');
    const [file, schema] = [join(folder, 'report.xml'), join(folder, 'camt.052.001.08.xsd')];
    await writeFile(file, renamed);
    await run('python3', ['-c', UNPACK, 'camt.052.001.08.xsd', schema]);
    await run('xmllint', ['--noout', '--schema', schema, file]);
  }

  it('bank-files.md §8.4: aqbanking reads the same lines out of camt.053.001.04', async (t) => {
    const lack = await skipWithout('aqbanking');
    if (lack) return t.skip(lack);
    const { text } = await fetchFile('camt053', { version: '04' });
    const file = join(folder, 'statement.xml');
    await writeFile(file, text);
    assert.deepEqual(await readByAqbanking(file), lines.map(signedOf));
  });

  /** The amounts that it reads, in the order of the file. */
  async function readByAqbanking(file: string): Promise<string[]> {
    const context = join(folder, 'context');
    const base = ['-D', join(folder, 'settings')];
    await run('aqbanking-cli', [
      ...base,
      'import',
      '--importer=xml',
      '--profile=camt_053_001_04',
      `--infile=${file}`,
      `--ctxfile=${context}`,
    ]);
    const { stdout } = await run('aqbanking-cli', [
      ...base,
      'listtrans',
      `--ctxfile=${context}`,
      '--template=$(valueAsString)',
    ]);
    return stdout.trim().split('\n');
  }

  it('bank-files.md §8.5, §8.7: 100,000 lines are sent with flat memory, and one more is refused', async () => {
    const work = await platform.work();
    const id = uuidOf(payer.account('USD')) as AccountId;
    const far = { from: '2030-01-01', to: '2030-12-31' };
    await givenLines(id, 1, MANY);
    const file = await openStatementFile(work, {
      ...{ id, sources: SERVICE.transactionSources },
      query: { ...far, format: 'csv' },
    });
    let [bytes, rows, largest] = [0, 0, 0];
    for await (const piece of file.pieces()) {
      bytes += piece.length;
      largest = Math.max(largest, piece.length);
      rows += piece.split('\r\n').length - 1;
    }
    assert.equal(rows, MANY + 3);
    // No piece has more than some hundred lines, whatever the length of the file.
    assert.ok(largest < bytes / 100, `${largest} of ${bytes}`);
    await givenLines(id, MANY + 1, MANY + 1);
    const query = { accountId: payer.account('USD').id, ...far, format: 'camt053' };
    const { status, raw } = await platform.send('getAccountStatement', { query });
    assert.equal(status, 400, raw);
    assert.match(raw, /100,000 lines/);
  });

  /** Entries of one cent each, behind the service's back: posting them would take minutes. */
  async function givenLines(id: string, first: number, last: number): Promise<void> {
    const seq = 1_000_000_000;
    await world.database.query(sql`
      insert into ledger_entries
        (platform_id, seq, id, created_at, recorded_at, ordinal, kind, step, accounts, currencies, amounts, account_nos, balances)
      select e.platform_id, ${seq} + n, gen_random_uuid(), '2030-01-01'::timestamptz + n * interval '1 minute', now(), e.ordinal, e.kind, e.step,
             e.accounts, e.currencies, e.amounts, e.account_nos, e.balances
        from generate_series(${first}::int, ${last}::int) n,
             lateral (select * from ledger_entries where platform_id = ${platform.id} order by seq limit 1) e`);
    await world.database.query(sql`
      insert into account_lines (platform_id, account, currency, at, seq, line_no, amount, balance)
      select ${platform.id}, ${`AVAIL:${id}`}, 'USD', '2030-01-01'::timestamptz + n * interval '1 minute', ${seq} + n, 1, -1, -n
        from generate_series(${first}::int, ${last}::int) n`);
    await world.database.query(
      sql`update journal_marks set seq = ${seq + last} where platform_id = ${platform.id}`,
    );
  }

  it('bank-files.md §8.4: values are escaped, and what XML cannot have is left out', () => {
    assert.equal(
      xml`<a b="${'"<&>\''}">${'x\u0000\u000by\ud800z'}</a>`.text,
      '<a b="&#34;&#60;&#38;&#62;&#39;">xyz</a>',
    );
    assert.equal(
      xml`
      <a>
        ${'  kept  '}
      </a>`.text,
      '<a>  kept  </a>',
    );
  });
});

const UNPACK = [
  'import sys, zipfile',
  'jar = zipfile.ZipFile("/usr/share/java/hbci4j-core.jar")',
  'name = next(n for n in jar.namelist() if n.endswith(sys.argv[1]))',
  'open(sys.argv[2], "wb").write(jar.read(name))',
].join('\n');
