import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { verifyLedger, violationsIn } from '#foundation/ledger/checks.ts';
import { credit, debit } from '#foundation/ledger/entries.ts';
import type { Account, GuardedAccount } from '#foundation/ledger/kinds.ts';
import { OPEN_ITEM_CHECKS } from '#foundation/ledger/open-items-checks.ts';
import { post } from '#foundation/ledger/post.ts';
import { openLedgerAccounts } from '#foundation/ledger/store.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { findingsAfter } from '#tests/harness/tampering.ts';

describe('the lists of open items against the journal', () => {
  const world = testWorld({ journalIsChecked: false });
  const debt: GuardedAccount = `RECEIVABLE:${newUuid()}:USD`;
  const paidDebt: GuardedAccount = `RECEIVABLE:${newUuid()}:USD`;
  const move = (from: Account, to: Account, amount: bigint) => [
    debit(from, 'USD', amount),
    credit(to, 'USD', amount),
  ];

  // One item of each list is open, and another one is closed.
  before(async () => {
    const work = await (await world.platform()).work();
    const closed = newUuid<'JournalEntry'>();
    await work.write(async (tx) => {
      await openLedgerAccounts(
        tx,
        [debt, paidDebt].map((account) => ({ account, currency: 'USD' })),
      );
      for (const id of [newUuid<'JournalEntry'>(), closed])
        post(tx, { id, kind: 'receipt.suspended', lines: move('RAIL:SANDBOX:USD', 'SUSPENSE:USD', 7n) });
      for (const account of [debt, paidDebt])
        post(tx, { kind: 'card.cleared', lines: move(account, 'RAIL:CARD:USD', 9n) });
    });
    world.clock.advance(60_000);
    const [entry] = await world.database.query<{ seq: bigint }>(
      sql`select seq from ledger_entries where id = ${closed}`,
    );
    const lines = move('SUSPENSE:USD', 'RAIL:SANDBOX:USD', 7n);
    await work.write(async (tx) => {
      post(tx, { kind: 'suspense.resolved', reversesSeq: entry?.seq, lines });
      post(tx, { kind: 'deposit.received', lines: move('RAIL:SANDBOX:USD', debt, 4n) });
      post(tx, { kind: 'deposit.received', lines: move('RAIL:SANDBOX:USD', paidDebt, 9n) });
    });
  });

  it('money.md §12.17: passes on sound lists, and counts the open items', async () => {
    const findings = await verifyLedger(world.database.query, OPEN_ITEM_CHECKS);
    assert.deepEqual(violationsIn(findings), []);
    assert.deepEqual(
      findings.map(({ examined }) => examined),
      [1n, 1n],
    );
  });

  /** Changes that a superuser could make, and what the checks say. */
  const planted: { what: string; how: Sql; finds: RegExp }[] = [
    {
      what: 'a missing row of suspense',
      how: sql`delete from open_suspense`,
      finds: /entry \d+ of platform \S+ in USD: the list has nothing, the journal 7/,
    },
    {
      what: 'a wrong amount in suspense',
      how: sql`update open_suspense set amount = 8`,
      finds: /the list has 8, the journal 7/,
    },
    {
      what: 'a row of suspense under another entry',
      how: sql`update open_suspense set entry = gen_random_uuid()`,
      finds: /the list has 7, the journal 7/,
    },
    {
      what: 'a row of suspense that was resolved',
      how: sql`
        insert into open_suspense (platform_id, seq, currency, amount, entry, kind, created_at)
        select platform_id, reverses_seq, 'USD', 7, id, 'receipt.suspended', created_at
          from ledger_entries where reverses_seq is not null`,
      finds: /the list has 7, the journal nothing/,
    },
    {
      what: 'a missing debt',
      how: sql`delete from open_debts`,
      finds: /RECEIVABLE:\S+ in USD of platform \S+: the list has nothing, the journal 5/,
    },
    {
      what: 'a wrong debt',
      how: sql`update open_debts set amount = amount - 1`,
      finds: /the list has 4, the journal 5/,
    },
    {
      what: 'a debt of another time',
      how: sql`update open_debts set since = since - interval '30 days'`,
      finds: /the list has 5, the journal 5/,
    },
    {
      what: 'a debt that was paid',
      how: sql`
        insert into open_debts (platform_id, account, currency, amount, since)
        select platform_id, ${paidDebt}, 'USD', 9, since from open_debts`,
      finds: /the list has 9, the journal nothing/,
    },
  ];
  for (const { what, how, finds } of planted) {
    it(`money.md §12.17: finds ${what}`, async () => {
      const found = await findingsAfter(world.database, [how], OPEN_ITEM_CHECKS);
      assert.equal(found.length, 1);
      assert.match(found[0] ?? '', /^money\.md §12\.17: /);
      assert.match(found[0] ?? '', finds);
    });
  }
});
