import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sqlFailure, violates } from '#foundation/database/failures.ts';
import { joinSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { GuardedAccount } from '#foundation/ledger/kinds.ts';
import { post } from '#foundation/ledger/post.ts';
import { openLedgerAccounts } from '#foundation/ledger/store.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { testWorld } from '#tests/harness/harness.ts';

/** Everything here is plain SQL: the database itself refuses these changes to every client. */
describe('the ledger tables guard themselves', () => {
  const world = testWorld({ journalIsChecked: false });
  let platformId = '';
  const account: GuardedAccount = `AVAIL:${newUuid()}`;
  const other: GuardedAccount = `AVAIL:${newUuid()}`;

  before(async () => {
    const platform = await world.platform();
    platformId = platform.id;
    const work = await platform.work();
    await work.write(async (tx) => {
      await openLedgerAccounts(tx, [
        { account, currency: 'USD' },
        { account: other, currency: 'USD' },
      ]);
      post(tx, {
        kind: 'deposit.received',
        transactionId: TRANSACTION,
        lines: [
          { account: 'RAIL:SANDBOX:USD', currency: 'USD', side: 'DEBIT', amount: 10n },
          { account, currency: 'USD', side: 'CREDIT', amount: 10n },
        ],
      });
    });
  });

  it('money.md §11.1: entries cannot be changed or removed', async () => {
    const changes = [
      sql`update ledger_entries set kind = 'payment.executed'`,
      sql`update ledger_entries set amounts = '{1,-1}' where platform_id = ${newUuid()}`,
      sql`delete from ledger_entries`,
      sql`truncate ledger_entries`,
      sql`truncate ledger_entries cascade`,
      sql`update ledger_lines set amount = 1`,
      sql`delete from ledger_lines`,
    ];
    for (const change of changes) {
      await assert.rejects(world.database.query(change), (error) =>
        // restrict_violation; for the view, object_not_in_prerequisite_state
        ['23001', '55000'].includes(sqlFailure(error)?.code ?? ''),
      );
    }
  });

  it('money.md §11.5: cached balances cannot be removed', async () => {
    for (const change of [sql`delete from ledger_balances`, sql`truncate ledger_balances`]) {
      await assert.rejects(world.database.query(change), (error) => sqlFailure(error)?.code === '23001');
    }
  });

  it('decision 0003: a cached balance cannot be set below zero or out of range', async () => {
    for (const balance of [-1n, 10n ** 18n + 1n]) {
      const change = sql`update ledger_balances set balance = ${balance} where platform_id = ${platformId}`;
      await assert.rejects(world.database.query(change), (error) => violates(error, 'ledger_balance_range'));
    }
  });

  it('money.md §11.3: a step can be stored once', async () => {
    await assert.rejects(world.database.query(entry({ kind: 'L1', transactionId: TRANSACTION })), (error) =>
      violates(error, 'ledger_entries_step'),
    );
  });

  describe('money.md §12.1: an invalid entry cannot be inserted', () => {
    const rail = 'RAIL:SANDBOX:USD';
    const sound: RawLine[] = [
      [rail, 'USD', 5n, null, null],
      [account, 'USD', -5n, 2n, 15n],
    ];
    const unsound: Record<string, RawLine[]> = {
      'no lines': [],
      'one line': [[rail, 'USD', 5n, null, null]],
      'debits that are not credits': [
        [rail, 'USD', 5n, null, null],
        [account, 'USD', -4n, 2n, 14n],
      ],
      'currencies that only balance together': [
        [rail, 'USD', 5n, null, null],
        ['FEES:EUR', 'EUR', -5n, null, null],
      ],
      'an amount of zero': [...sound, ['FEES:USD', 'USD', 0n, null, null]],
      'amounts beyond the range': [
        [rail, 'USD', 10n ** 17n + 1n, null, null],
        ['FEES:USD', 'USD', -(10n ** 17n) - 1n, null, null],
      ],
      'amounts that overflow': [
        [rail, 'USD', 2n ** 63n - 1n, null, null],
        ['FEES:USD', 'USD', 2n ** 63n - 1n, null, null],
      ],
      'a balance below zero': [
        [account, 'USD', 11n, 2n, -1n],
        ['FEES:USD', 'USD', -11n, null, null],
      ],
      'a debt below zero': [
        [rail, 'USD', 5n, null, null],
        ['RECEIVABLE:somebody:USD', 'USD', -5n, 1n, -5n],
      ],
      'no running number': [
        [rail, 'USD', 5n, null, null],
        [account, 'USD', -5n, null, null],
      ],
      'a running number of zero': [
        [rail, 'USD', 5n, null, null],
        [account, 'USD', -5n, 0n, 15n],
      ],
      'a number without a balance': [
        [rail, 'USD', 5n, null, null],
        [account, 'USD', -5n, 2n, null],
      ],
      'a balance of a shared account': [
        [rail, 'USD', 5n, 1n, 5n],
        [account, 'USD', -5n, 2n, 15n],
      ],
      'a shared account of another currency': [
        ['FEES:EUR', 'USD', 5n, null, null],
        [account, 'USD', -5n, 2n, 15n],
      ],
      'an account of an unknown kind': [
        ['CASH:USD', 'USD', 5n, null, null],
        [account, 'USD', -5n, 2n, 15n],
      ],
      'no account': [
        [null, 'USD', 5n, null, null],
        [account, 'USD', -5n, 2n, 15n],
      ],
      'no currency': [
        [rail, '', 5n, null, null],
        [account, '', -5n, 2n, 15n],
      ],
      'no amount': [
        [rail, 'USD', null, null, null],
        [account, 'USD', -5n, 2n, 15n],
      ],
    };
    for (const [what, lines] of Object.entries(unsound)) {
      it(what, async () => {
        await assert.rejects(world.database.query(entry({ lines })), (error) =>
          ['23514', '22003'].includes(sqlFailure(error)?.code ?? ''),
        );
      });
    }

    it('arrays of different lengths, a wrong step, a reversal of a later entry', async () => {
      for (const wrong of [
        entry({ lines: sound, currencies: ['USD'] }),
        entry({ lines: sound, step: 'L1#1' }),
        entry({ lines: sound, kind: '' }),
        entry({ lines: sound, ordinal: -1 }),
        entry({ lines: sound, reversesSeq: 10n ** 12n }),
      ]) {
        await assert.rejects(world.database.query(wrong), (error) => violates(error, 'ledger_entries_sound'));
      }
    });

    it('a reversal of another platform’s entry, of itself, or of one that is not committed', async () => {
      const [own] = await world.database.query<{ seq: bigint }>(
        sql`select seq from ledger_entries where platform_id = ${platformId}`,
      );
      const stranger = await world.platform();
      const elsewhere = entry({ platformId: stranger.id, reversesSeq: own?.seq ?? 0n });
      const itself = entry({ reversesSeq: 10n ** 15n, seq: 10n ** 15n });
      const ways = [
        () => world.database.query(elsewhere),
        () => world.database.query(itself),
        () =>
          world.database.transaction(async (run) => {
            await run(entry({ seq: 10n ** 14n }));
            // Another transaction does not see an entry that may still be rolled back.
            await world.database.query(entry({ reversesSeq: 10n ** 14n }));
          }),
      ];
      for (const way of ways) {
        await assert.rejects(way(), (error) => violates(error, 'ledger_entries_sound'));
      }
    });

    it('one invalid entry refuses its whole set', async () => {
      const count = async () => {
        const [row] = await world.database.query<{ n: bigint }>(
          sql`select count(*) as n from ledger_entries`,
        );
        return row?.n;
      };
      const before = await count();
      const rows = joinSql([values({ lines: SUMMED }), values({ lines: unsound['one line'] ?? [] })], ', ');
      await assert.rejects(world.database.query(sql`${INSERT} values ${rows}`), (error) =>
        violates(error, 'ledger_entries_sound'),
      );
      assert.equal(await count(), before);
    });
  });

  it('money.md §11.1: the guards accept a valid entry', async () => {
    await assert.rejects(
      world.database.transaction(async (run) => {
        await run(entry({ lines: SUMMED }));
        throw new Error('undone');
      }),
      /undone/,
    );
  });

  const TRANSACTION = newUuid();
  const SUMMED: RawLine[] = [
    ['RAIL:SANDBOX:USD', 'USD', 5n, null, null],
    ['FEES:USD', 'USD', -5n, null, null],
  ];
  const INSERT = sql`
    insert into ledger_entries
      (platform_id, seq, id, transaction_id, reverses_seq, created_at, recorded_at, ordinal, kind, step,
       accounts, currencies, amounts, account_nos, balances)`;

  /** Account, currency, amount (debit above zero), running number, balance after. */
  type RawLine = [string | null, string, bigint | null, bigint | null, bigint | null];

  interface RawEntry {
    platformId?: string;
    seq?: bigint;
    kind?: string;
    ordinal?: number;
    step?: string;
    transactionId?: string;
    reversesSeq?: bigint;
    lines?: RawLine[];
    currencies?: string[];
  }

  function entry(raw: RawEntry): Sql {
    return sql`${INSERT} values ${values(raw)}`;
  }

  function values({ kind = 'L1', ordinal = 0, lines = SUMMED, ...raw }: RawEntry): Sql {
    return sql`(${raw.platformId ?? platformId}, coalesce(${raw.seq ?? null}, nextval('ledger_seq')), ${newUuid()},
      ${raw.transactionId ?? null}, ${raw.reversesSeq ?? null}, ${new Date()}, ${new Date()}, ${ordinal}::integer, ${kind},
      ${raw.step ?? `${kind}#${ordinal}`}, ${lines.map(([name]) => name)}::text[],
      ${raw.currencies ?? lines.map(([, currency]) => currency)}::text[],
      ${lines.map(([, , amount]) => amount)}::bigint[], ${lines.map(([, , , no]) => no)}::bigint[],
      ${lines.map(([, , , , balance]) => balance)}::bigint[])`;
  }
});
