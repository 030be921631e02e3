import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Sql, sql } from '#foundation/database/sql.ts';
import {
  checkRows,
  LEDGER_CHECKS,
  verifyLedger,
  verifyWholeLedger,
  violationsIn,
} from '#foundation/ledger/checks.ts';
import type { Line } from '#foundation/ledger/entries.ts';
import {
  ACCOUNT_KINDS,
  type Account,
  type AccountKindName,
  type GuardedAccount,
  type LedgerKind,
  stepName,
} from '#foundation/ledger/kinds.ts';
import { post } from '#foundation/ledger/post.ts';
import { openLedgerAccounts, rollUpLedger } from '#foundation/ledger/store.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { findingsAfter } from '#tests/harness/tampering.ts';

describe('ledger verification', () => {
  const world = testWorld({ journalIsChecked: false });
  const afterTampering = (changes: readonly Sql[]) => findingsAfter(world.database, changes);
  const account: GuardedAccount = `AVAIL:${newUuid()}`;

  it('money.md §12: an untouched ledger has no violations, and the number of examined rows is reported', async () => {
    await fill();
    for (const findings of [
      await verifyLedger(world.database.query),
      await verifyWholeLedger(world.database),
    ]) {
      assert.deepEqual(violationsIn(findings), []);
      assert.equal(findings.length, LEDGER_CHECKS.length);
      for (const { name, examined } of findings) assert(examined > 0n, name);
    }
  });

  it('money.md §11.6: entries on every kind of account pass', async () => {
    const work = await (await world.platform()).work();
    const posting = work.write(async (tx) => {
      for (const name of Object.keys(ACCOUNT_KINDS) as AccountKindName[]) {
        const { balance, adds } = ACCOUNT_KINDS[name];
        const account = `${name}:${balance === 'summed' ? '' : newUuid()}:USD` as Account;
        const state = { account: account as GuardedAccount, currency: 'USD', no: 0n, balance: 0n };
        if (balance === 'kept') await openLedgerAccounts(tx, [state]);
        const lines = [account, 'SUSPENSE:USD' as const].map((other, i): Line => {
          const side = (adds === 'DEBIT') === (i === 0) ? 'DEBIT' : 'CREDIT';
          return { account: other, currency: 'USD', side, amount: 5n };
        });
        post(tx, { kind: 'deposit.received', lines, carried: balance === 'carried' ? [state] : [] });
      }
      await tx.flush();
      assert.deepEqual(violationsIn(await verifyLedger((statement) => tx.query(statement))), []);
      throw new Error('undone');
    });
    await assert.rejects(posting, /undone/);
  });

  /** Changes that a superuser could make, and the check that must find each. */
  const tampering: { what: string; how: Sql[]; rule: string; finds: RegExp }[] = [
    {
      what: 'an altered amount',
      how: [
        sql`update ledger_entries set amounts = '{6,-5}' where kind = 'deposit.received' and seq = (select min(seq) from ledger_entries)`,
      ],
      rule: 'money.md §12.1',
      finds: /does not balance in USD/,
    },
    {
      what: 'two amounts altered together',
      how: [
        sql`update ledger_entries set amounts = '{6,-6}' where seq = (select min(seq) from ledger_entries)`,
      ],
      rule: 'money.md §12.2',
      finds: /line 1 of AVAIL:\S+ in USD, platform \S+, entry \d+, does not follow/,
    },
    {
      what: 'a lost entry in the middle',
      how: [sql`delete from ledger_entries where seq = (select min(seq) + 1 from ledger_entries)`],
      rule: 'money.md §12.2',
      finds: /line 3 of AVAIL/,
    },
    {
      what: 'a lost entry at the end',
      how: [
        sql`delete from ledger_entries where seq = (select max(seq) from ledger_entries where kind = 'deposit.received')`,
      ],
      rule: 'money.md §12.3',
      finds: /cached 15, replayed 10/,
    },
    {
      what: 'an inflated cached balance',
      how: [sql`update ledger_balances set balance = balance + 1`],
      rule: 'money.md §12.3',
      finds: /cached 16, replayed 15/,
    },
    {
      what: 'a deleted cached balance',
      how: [sql`delete from ledger_balances`],
      rule: 'money.md §12.3',
      finds: /cached nothing, replayed 15/,
    },
    {
      what: 'a balance below zero',
      how: [
        sql`update ledger_entries set amounts = '{20,-20}', balances = array[-5, null]::bigint[] where kind = 'payment.executed'`,
      ],
      rule: 'money.md §12.2',
      finds: /does not follow/,
    },
    {
      what: 'a debt below zero',
      how: [debtEntry('debt.written_off', 1, { amount: -5, no: 1, balance: -5 })],
      rule: 'money.md §12.2',
      finds: /line 1 of RECEIVABLE:somebody:USD in USD/,
    },
    {
      what: 'a debt that was paid before it arose, below zero for one seq',
      how: [
        debtEntry('debt.written_off', 1, { amount: -5, no: 2, balance: 0 }),
        debtEntry('collection.reversed', 2, { amount: 5, no: 1, balance: 5 }),
      ],
      rule: 'money.md §12.2',
      finds: /line 2 of RECEIVABLE:somebody:USD in USD/,
    },
    {
      what: 'entries out of order',
      how: [
        sql`update ledger_entries set seq = seq + 1000 where seq = (select min(seq) from ledger_entries)`,
      ],
      rule: 'money.md §12.2',
      finds: /line 2 of AVAIL/,
    },
    {
      what: 'a step taken twice',
      how: [
        sql`alter table ledger_entries drop constraint ledger_entries_step`,
        sql`update ledger_entries set transaction_id = '0190a5d0-0000-7000-8000-00000000aaaa', ordinal = 0`,
      ],
      rule: 'money.md §12.8',
      finds: /transaction 0190a5d0\S+ of platform \S+ has a step twice/,
    },
    {
      what: 'a payer who paid twice',
      how: [
        sql`alter table ledger_entries drop constraint ledger_entries_step`,
        sql`update ledger_entries set transaction_id = '0190a5d0-0000-7000-8000-00000000aaaa', ordinal = seq,
                   kind = case when seq % 2 = 0 then 'payment.executed' else 'payment.funded' end`,
      ],
      rule: 'money.md §12.8',
      finds: /has a step twice/,
    },
    {
      what: 'an entry without a platform',
      how: [sql`update ledger_entries set platform_id = '0190a5d0-0000-7000-8000-00000000bbbb'`],
      rule: 'money.md §11',
      finds: /has no platform/,
    },
    {
      what: 'an entry that reverses a missing one',
      how: [sql`update ledger_entries set reverses_seq = 1000000 where kind = 'payment.executed'`],
      rule: 'money.md §11',
      finds: /or reverses nothing/,
    },
    {
      what: 'an entry that reverses a later one',
      how: [
        sql`update ledger_entries set reverses_seq = (select max(seq) from ledger_entries)
             where seq = (select min(seq) from ledger_entries)`,
      ],
      rule: 'money.md §11',
      finds: /or reverses nothing/,
    },
    {
      what: 'a step under another name, which could be posted again',
      how: [sql`update ledger_entries set step = 'other' where kind = 'payment.executed'`],
      rule: 'money.md §11',
      finds: /entry \d+ of platform \S+ could not have been posted/,
    },
    {
      what: 'a line on an unknown account',
      how: [
        sql`update ledger_entries set accounts = array_replace(accounts, 'RAIL:SANDBOX:USD', 'MINE:USD')`,
      ],
      rule: 'money.md §11',
      finds: /could not have been posted/,
    },
    {
      what: 'a line on the account of another currency',
      how: [
        sql`update ledger_entries set accounts = array_replace(accounts, 'RAIL:SANDBOX:USD', 'RAIL:SANDBOX:EUR')`,
      ],
      rule: 'money.md §11',
      finds: /could not have been posted/,
    },
    {
      what: 'a wrong roll-up',
      how: [sql`update ledger_rollups set debit = debit + 1 where account = 'RAIL:SANDBOX:USD'`],
      rule: 'money.md §11',
      finds: /roll-up of RAIL:SANDBOX:USD in USD, platform \S+, is not the sum/,
    },
    {
      what: 'a missing roll-up',
      how: [sql`delete from ledger_rollups`],
      rule: 'money.md §11',
      finds: /is not the sum/,
    },
  ];
  for (const { what, how, rule, finds } of tampering) {
    it(`${rule}: finds ${what}`, async () => {
      await fill();
      const found = await afterTampering(how);
      assert(
        found.some((violation) => violation.startsWith(`${rule}: `) && finds.test(violation)),
        `${what} was not found: ${found.join('\n')}`,
      );
    });
  }

  it('money.md §12: other areas add checks of their own, and long lists of violations are shortened', async () => {
    const check = checkRows(
      'numbers are below three',
      'money.md §12.4',
      sql`select n, n < 3 as ok from generate_series(1, 100) n`,
      sql`format('%s is too large', r.n)`,
    );
    const [finding] = await verifyLedger(world.database.query, [check]);
    assert.equal(finding?.examined, 100n);
    assert.equal(finding?.violations[0], '3 is too large');
    assert.equal(finding?.violations.at(-1), 'and 78 more of this kind');
  });

  /** An entry this many positions after the last one. */
  function debtEntry(
    kind: LedgerKind,
    after: number,
    line: { amount: number; no: number; balance: number },
  ): Sql {
    return sql`
      insert into ledger_entries
        (platform_id, seq, id, created_at, recorded_at, ordinal, kind, step, accounts, currencies, amounts,
         account_nos, balances)
      select platform_id, max(seq) over () + ${after}::bigint, gen_random_uuid(), created_at, recorded_at, 0, ${kind},
             ${stepName(kind)}, array['FEES:USD', 'RECEIVABLE:somebody:USD'], array['USD', 'USD'],
             array[-${line.amount}::bigint, ${line.amount}::bigint], array[null, ${line.no}::bigint],
             array[null, ${line.balance}::bigint]
        from ledger_entries where kind = 'deposit.received' order by seq limit 1`;
  }

  let filled: Promise<void> | undefined;

  /** Entries on one account, all rolled up. */
  function fill(): Promise<void> {
    filled ??= (async () => {
      const work = await (await world.platform()).work();
      await work.write(async (tx) => {
        await openLedgerAccounts(tx, [{ account, currency: 'USD' }]);
        for (let i = 0; i < 4; i++) {
          post(tx, { kind: 'deposit.received', transactionId: newUuid(), lines: deposit(5n) });
          if (i === 2)
            post(tx, { kind: 'payment.executed', transactionId: newUuid(), lines: withdrawal(5n) });
        }
      });
      // Repeated until it is done: any open transaction of the whole cluster delays it.
      while (!(await rollUpLedger(world.database, work.platform.id)));
    })();
    return filled;
  }

  function deposit(amount: bigint): Line[] {
    return [
      { account: 'RAIL:SANDBOX:USD', currency: 'USD', side: 'DEBIT', amount },
      { account, currency: 'USD', side: 'CREDIT', amount },
    ];
  }

  function withdrawal(amount: bigint): Line[] {
    return [
      { account, currency: 'USD', side: 'DEBIT', amount },
      { account: 'RAIL:SANDBOX:USD', currency: 'USD', side: 'CREDIT', amount },
    ];
  }
});
