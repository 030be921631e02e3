import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { ReadTx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import {
  addTrialBalances,
  findNamedEntry,
  inBookOrder,
  isProvisional,
  readBalance,
  readTrialBalance,
  sumByCurrency,
  type TrialBalance,
} from '#foundation/journal/books.ts';
import { listAccounts, listEntryLines, listLines, loadReadState } from '#foundation/journal/lines-store.ts';
import type { GuardedAccount } from '#foundation/ledger/kinds.ts';
import { post } from '#foundation/ledger/post.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { readJournal } from '#tests/given/journal.ts';
import { filler, givenLedger, move } from '#tests/given/ledger.ts';
import { testWorld } from '#tests/harness/harness.ts';

const MINUTE_MS = 60_000;

describe('the books', () => {
  const world = testWorld({ journalIsChecked: false });

  it('money.md §13.4: the balance of any account at any moment is the sum of the journal’s lines up to there', async () => {
    const { work, platformId, accounts } = await givenBooks();
    const moments = await work.read(
      (tx) => tx.sql<{ seq: bigint; created_at: Date }>`
        select seq, created_at from ledger_entries where platform_id = ${tx.platformId} order by seq`,
    );
    assert.ok(moments.length >= 10);
    for (const { seq, created_at: at } of moments) {
      for (const account of [...accounts, 'RAIL:SANDBOX:USD', 'AVAIL', 'RECEIVABLE']) {
        const [byTime, byEntry] = await work.read(async (tx) => {
          const entry = await findNamedEntry(tx, seq.toString());
          assert.ok(entry);
          assert.equal((await findNamedEntry(tx, entry.id))?.seq, seq);
          return [await readBalance(tx, account, at), await readBalance(tx, account, entry)];
        });
        const summed = await sumOf(
          work,
          account,
          sql`(l.created_at, l.seq) <= (${at}::timestamptz, ${seq}::bigint)`,
        );
        const until = await sumOf(work, account, sql`l.created_at <= ${at}`);
        assert.deepEqual(
          [byEntry.balances[0]?.balance ?? 0n, byTime.balances[0]?.balance ?? 0n],
          [summed, until],
        );
      }
    }
    const [before] = (await work.read((tx) => readBalance(tx, 'AVAIL', new Date(0)))).balances;
    assert.equal(before?.balance, 0n);
    assert.ok(platformId);
  });

  it('money.md §13.5: a trial balance adds up to zero, for one platform and for several together', async () => {
    const [one, other] = [await givenBooks(), await givenBooks()];
    const trials: TrialBalance[] = [];
    for (const { work } of [one, other]) {
      const trial = await work.read((tx) => readTrialBalance(tx, tx.now));
      assert.deepEqual([...sumByCurrency(trial.rows)], [['USD', 0n]]);
      assert.deepEqual(
        inBookOrder(trial.rows).map(({ account }) => account),
        ['AVAIL', 'RAIL:SANDBOX:USD', 'SUSPENSE:USD'],
      );
      trials.push(trial);
    }
    const together = addTrialBalances(trials);
    for (const { account, balance } of together) {
      const parts = trials.flatMap(({ rows }) => rows.filter((row) => row.account === account));
      assert.equal(
        balance,
        parts.reduce((sum, part) => sum + part.balance, 0n),
      );
    }
    assert.deepEqual([...sumByCurrency(together)], [['USD', 0n]]);
  });

  it('money.md §13.1, §13.2: an account’s lines go back page by page, and its kind’s accounts forward', async () => {
    const { work, accounts } = await givenBooks();
    const wanted = { account: 'AVAIL', currency: 'USD' };
    const all = await work.read((tx) => listLines(tx, { ...wanted, limit: 1_000 }));
    const paged: typeof all = [];
    for (;;) {
      const before = paged.at(-1)?.position;
      const page = await work.read((tx) => listLines(tx, { ...wanted, limit: 2, before }));
      paged.push(...page);
      if (page.length < 2) break;
    }
    assert.deepEqual(paged, all);
    const sum = all.reduce((total, { amount }) => total + amount, 0n);
    assert.equal(all[0]?.balance, sum);
    const [from, until] = [all.at(-2)?.at, all[1]?.at];
    const between = await work.read((tx) => listLines(tx, { ...wanted, limit: 1_000, from, until }));
    assert.deepEqual(between, all.slice(1, -1));
    const names: string[] = [];
    for (;;) {
      const last = names.at(-1);
      const after = last === undefined ? undefined : ([last, 'USD'] as const);
      const page = await work.read((tx) => listAccounts(tx, 'AVAIL', { at: tx.now }, { after, limit: 1 }));
      if (page.length === 0) break;
      names.push(...page.map(({ account }) => account));
    }
    assert.deepEqual(names, [...accounts].sort());
  });

  it('money.md §13.4: an answer is provisional for five minutes, and while earlier entries are unread', async () => {
    const { work, platformId } = await givenBooks();
    const at = new Date((await work.read(async (tx) => tx.now)).getTime());
    const provisional = () => work.read((tx) => isProvisional(tx, at));
    assert.equal(await provisional(), true);
    world.clock.advance(5 * MINUTE_MS + 1);
    assert.equal(await provisional(), false);
    await work.write(async (tx) => post(tx, filler()));
    world.clock.advance(MINUTE_MS);
    assert.equal(await provisional(), false, 'the unread entry is later by more than five minutes');
    assert.equal(await work.read((tx) => isProvisional(tx, tx.now)), true);
    world.clock.advance(10 * MINUTE_MS);
    assert.equal(
      await work.read((tx) => isProvisional(tx, new Date(tx.now.getTime() - 6 * MINUTE_MS))),
      true,
    );
    await readJournal(world, platformId);
    assert.equal(
      await work.read((tx) => isProvisional(tx, new Date(tx.now.getTime() - 6 * MINUTE_MS))),
      false,
    );
  });

  it('decision 0041: every read follows the primary keys, and reads no line that it does not show', async () => {
    const { work } = await givenBooks();
    const at = new Date(world.clock.now());
    const [line] = await work.read((tx) => listLines(tx, { account: 'AVAIL', currency: 'USD', limit: 1 }));
    assert.ok(line);
    const entry = await work.read((tx) => findNamedEntry(tx, line.entry_id));
    assert.ok(entry);
    const reads: Record<string, [(tx: ReadTx) => Promise<unknown>, RegExp]> = {
      'a balance': [
        (tx) => readBalance(tx, 'FEES:USD', at),
        /account_lines_pkey[\s\S]*Limit[\s\S]*account_lines_pkey/,
      ],
      'a trial balance': [(tx) => readTrialBalance(tx, at), /Recursive Union[\s\S]*account_lines_pkey/],
      accounts: [
        (tx) => listAccounts(tx, 'AVAIL', { at }, { limit: 10 }),
        /Recursive Union[\s\S]*account_lines_pkey/,
      ],
      lines: [
        (tx) => listLines(tx, { account: 'AVAIL', currency: 'USD', limit: 5, before: line.position }),
        /Index Scan Backward using account_lines_pkey[\s\S]*Index Cond: .*ROW\(at, seq, line_no\) </,
      ],
      'an entry by id': [(tx) => findNamedEntry(tx, newUuid()), /Index Scan using journal_chain_entry/],
      'the lines of an entry': [(tx) => listEntryLines(tx, entry), /account_lines_pkey/],
      'how far the journal was read': [loadReadState, /Index Scan using ledger_entries_pkey/],
    };
    for (const [name, [read, index]] of Object.entries(reads)) {
      const plans = (await plansOf(work, read)).join('\n');
      assert.match(plans, index, `${name}\n${plans}`);
      assert.doesNotMatch(plans, /Seq Scan/, `${name}\n${plans}`);
    }
  });

  /** Payments on two accounts over some time, with several entries of one moment, all read. */
  async function givenBooks() {
    const { work, avail, platformId } = await givenLedger(world);
    const accounts: GuardedAccount[] = [await avail(1_000n)];
    world.clock.advance(MINUTE_MS);
    accounts.push(await avail(500n));
    for (let i = 1n; i <= 4n; i++) {
      if (i % 2n === 0n) world.clock.advance(MINUTE_MS);
      await work.write(async (tx) => {
        const [a, b] = accounts as [GuardedAccount, GuardedAccount];
        post(tx, {
          kind: 'payment.executed',
          transactionId: newUuid(),
          lines: move(a, 'RAIL:SANDBOX:USD', 10n * i),
        });
        post(tx, { kind: 'payment.executed', transactionId: newUuid(), lines: move(a, b, i) });
        if (i === 3n) post(tx, filler());
      });
    }
    await readJournal(world, platformId);
    return { work, platformId, accounts };
  }

  async function sumOf(work: Work, account: string, isWithin: Sql): Promise<bigint> {
    const isOn = account.includes(':')
      ? sql`l.account = ${account}`
      : sql`starts_with(l.account, ${`${account}:`})`;
    const [row] = await work.read((tx) =>
      tx.query<{ sum: string }>(sql`
        select coalesce(sum(case l.side when 'DEBIT' then l.amount else -l.amount end), 0)::text as sum
          from ledger_lines l where l.platform_id = ${tx.platformId} and ${isOn} and ${isWithin}`),
    );
    return BigInt(row?.sum ?? 0);
  }

  async function plansOf(work: Work, read: (tx: ReadTx) => Promise<unknown>): Promise<string[]> {
    const plans: string[] = [];
    await work.write(async (tx) => {
      // Without these settings the planner would read the small tables of a test sequentially.
      for (const kind of ['seqscan', 'bitmapscan', 'sort'])
        await tx.sql`select set_config(${`enable_${kind}`}, 'off', true)`;
      const explain = async (piece: Sql) => {
        const lines = await tx.query<{ 'QUERY PLAN': string }>(sql`explain ${piece}`);
        plans.push(lines.map((one) => one['QUERY PLAN']).join('\n'));
        return [];
      };
      await read(new ReadTx(tx.runtime, tx.platform, tx.actor, explain));
    });
    return plans;
  }
});
