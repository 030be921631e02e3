import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Work } from '#database/work.ts';
import type { Account, AccountState, GuardedAccount } from '#ledger/accounts.ts';
import { type CompleteEntry, type Entry, type Line, mirrored, type Verdict } from '#ledger/entries.ts';
import { post } from '#ledger/post.ts';
import { createPoster } from '#ledger/poster.ts';
import { balancesOf, openLedgerAccounts, postEntries } from '#ledger/store.ts';
import { verifyLedger, violationsIn } from '#ledger/verify.ts';
import { newUuid } from '#lib/ids.ts';
import { testWorld } from '#tests/harness.ts';

describe('posting', () => {
  const world = testWorld();

  describe('verdicts', () => {
    it('money.md §11: a posted entry moves both balances and says what became of them', async () => {
      const { work, avail } = await given();
      const a = await avail(100n);
      const b = await avail();
      const verdict = await work.write((tx) => post(tx, { kind: 'L2', lines: move(a, b, 30n) }));
      assert.equal(verdict.verdict, 'posted');
      assert.deepEqual(await balances(work, [a, b]), [70n, 30n]);
      assert.deepEqual(
        stateOf(verdict, a),
        { account: a, currency: 'USD', no: 2n, balance: 70n },
        'the second line of its account',
      );
      assert.deepEqual(stateOf(verdict, b), { account: b, currency: 'USD', no: 1n, balance: 30n });
      await clean();
    });

    it('money.md §12.2: what a balance does not cover is refused, with the account, and leaves nothing', async () => {
      const { work, avail, entriesOf } = await given();
      const poor = await avail(10n);
      const rich = await avail(10n);
      const before = await entriesOf();
      for (const entries of alone({ kind: 'L2', lines: move(poor, rich, 11n) })) {
        const verdict = await work.write((tx) => post(tx, entries));
        assert.deepEqual(verdict.at(0), { verdict: 'insufficient', account: poor });
      }
      assert.deepEqual(await balances(work, [poor, rich]), [10n, 10n]);
      assert.equal(await entriesOf(), before);
      await clean();
    });

    it('money.md §11: an account that is not open is unknown, another platform’s too', async () => {
      const { work, avail } = await given();
      const stranger = await (await given()).avail(50n);
      const own = await avail(50n);
      const missing: GuardedAccount = `AVAIL:${newUuid()}`;
      for (const account of [stranger, missing]) {
        for (const entries of alone({ kind: 'L2', lines: move(account, own, 1n) })) {
          const [verdict] = await work.write((tx) => post(tx, entries));
          assert.deepEqual(verdict, { verdict: 'unknown_account', account });
        }
      }
      assert.deepEqual(await balances(work, [own]), [50n]);
      await clean();
    });

    it('money.md §11: a balance that would leave the range is refused, not wrapped', async () => {
      const { work, avail } = await given();
      const account = await avail();
      const most = 10n ** 17n;
      for (let i = 0; i < 10; i++) {
        await work.write((tx) => post(tx, { kind: 'L1', lines: deposit(account, most) }));
      }
      for (const entries of alone({ kind: 'L1', lines: deposit(account, 1n) })) {
        const [verdict] = await work.write((tx) => post(tx, entries));
        assert.deepEqual(verdict, { verdict: 'out_of_range', account });
      }
      assert.deepEqual(await balances(work, [account]), [10n ** 18n]);
      await clean();
    });

    it('money.md §12.1: an unbalanced entry is a bug here and a verdict in the database', async () => {
      const { work, avail, complete } = await given();
      const account = await avail(10n);
      const lines = [
        line('RAIL:SANDBOX:USD', 'DEBIT', 5n),
        line(account, 'CREDIT', 4n),
        line('FEES:EUR', 'CREDIT', 1n, 'EUR'),
      ];
      await assert.rejects(
        work.write((tx) => post(tx, { kind: 'L1', lines })),
        /unbalanced/,
      );
      const sound = complete({ kind: 'L1', lines: deposit(account, 1n) });
      const verdicts = await postEntries(
        world.database.query,
        [complete({ kind: 'L1', lines }), sound],
        new Date(),
      );
      assert.deepEqual(verdictsOf(verdicts), ['unbalanced', 'posted']);
      assert.deepEqual(await balances(work, [account]), [11n]);
      await clean();
    });

    it('money.md §12.2: only the balance after the whole entry decides, whatever the order of its lines', async () => {
      const { work, avail } = await given();
      const account = await avail(5n);
      const lines = [
        line(account, 'DEBIT', 8n),
        line('FEES:USD', 'CREDIT', 8n),
        line(account, 'CREDIT', 4n),
        line('RAIL:SANDBOX:USD', 'DEBIT', 4n),
      ];
      for (const entries of alone({ kind: 'L9', lines })) {
        const [verdict] = await work.write((tx) => post(tx, entries));
        assert.equal(verdict?.verdict, 'posted');
        await work.write((tx) => post(tx, { kind: 'L1', lines: deposit(account, 4n) }));
      }
      assert.deepEqual(await balances(work, [account]), [5n]);
      await clean();
    });
  });

  describe('sets', () => {
    it('architecture §3.3: each entry has its own verdict, and a refused one does not disturb the others', async () => {
      const { work, avail } = await given();
      const a = await avail(100n);
      const b = await avail();
      const transactionId = newUuid();
      const verdicts = await work.write((tx) =>
        post(tx, [
          { kind: 'L2', lines: move(a, b, 60n), transactionId },
          { kind: 'L2', lines: move(a, b, 60n) },
          { kind: 'L2', lines: move(a, `AVAIL:${newUuid()}`, 1n) },
          { kind: 'L2', lines: move(a, b, 60n), transactionId },
          { kind: 'L2', lines: move(b, a, 60n) },
          { kind: 'L2', lines: move(a, b, 100n) },
        ]),
      );
      assert.deepEqual(verdictsOf(verdicts), [
        'posted',
        'insufficient',
        'unknown_account',
        'replayed',
        'posted',
        'posted',
      ]);
      assert.deepEqual(await balances(work, [a, b]), [0n, 100n]);
      await clean();
    });

    it('architecture §3.3: one set may hold entries of several platforms', async () => {
      const first = await given();
      const second = await given();
      const [a, b] = [await first.avail(), await second.avail()];
      const verdicts = await postEntries(
        world.database.query,
        [
          first.complete({ kind: 'L1', lines: deposit(a, 7n) }),
          second.complete({ kind: 'L1', lines: deposit(b, 8n) }),
          second.complete({ kind: 'L2', lines: move(a, b, 1n) }),
        ],
        new Date(),
      );
      assert.deepEqual(verdictsOf(verdicts), ['posted', 'posted', 'unknown_account']);
      assert.deepEqual(await balances(first.work, [a]), [7n]);
      assert.deepEqual(await balances(second.work, [b]), [8n]);
      await clean();
    });

    it('architecture §3.3: the number of statements does not depend on the size of the set', async () => {
      const { avail, complete } = await given();
      const accounts = await Promise.all(Array.from({ length: 20 }, () => avail(1_000n)));
      let statements = 0;
      const entries = Array.from({ length: 300 }, (_, i) =>
        complete({
          kind: 'L2',
          lines: move(accounts[i % 20] as GuardedAccount, accounts[(i + 7) % 20] as GuardedAccount, 1n),
        }),
      );
      const verdicts = await postEntries(
        (piece) => {
          statements++;
          return world.database.query(piece);
        },
        entries,
        new Date(),
      );
      assert.equal(statements, 1);
      assert.deepEqual(new Set(verdictsOf(verdicts)), new Set(['posted']));
      await clean();
    });
  });

  describe('steps', () => {
    it('money.md §11: a replayed step posts nothing, even when the money is gone', async () => {
      const { work, avail } = await given();
      const [a, b] = [await avail(10n), await avail()];
      const entry: Entry = { kind: 'L2', transactionId: newUuid(), lines: move(a, b, 10n) };
      const first = await work.write((tx) => post(tx, entry));
      assert.equal(first.verdict, 'posted');
      for (const entries of [...alone(entry), ...alone({ ...entry, lines: move(b, a, 3n) })]) {
        const [verdict] = await work.write((tx) => post(tx, entries));
        assert.deepEqual(verdict, { verdict: 'replayed' });
      }
      assert.deepEqual(await balances(work, [a, b]), [0n, 10n]);
      await clean();
    });

    it('money.md §11: kind and ordinal make different steps of one transaction', async () => {
      const { work, avail } = await given();
      const account = await avail();
      const step = (kind: string, ordinal: number): Entry => ({
        kind,
        ordinal,
        transactionId: '0190a5d0-0000-7000-8000-00000000aaaa',
        lines: deposit(account, 1n),
      });
      const steps = [step('L7', 0), step('L7', 1), step('L8', 0), step('L7', 1)];
      const verdicts = await work.write((tx) => post(tx, steps));
      assert.deepEqual(verdictsOf(verdicts), ['posted', 'posted', 'posted', 'replayed']);
      await clean();
    });

    it('money.md §12.8: money is taken once per transaction, whichever kind comes second', async () => {
      const { work, avail } = await given();
      const [a, b] = [await avail(100n), await avail()];
      const transactionId = newUuid();
      const kinds = ['L2', 'L3b', 'L4', 'L5'];
      for (const [i, kind] of kinds.entries()) {
        for (const entries of alone({ kind, ordinal: i, transactionId, lines: move(a, b, 10n) })) {
          await work.write((tx) => post(tx, entries));
        }
      }
      assert.deepEqual(await balances(work, [a, b]), [90n, 10n]);
      await clean();
    });

    it('money.md §11: of equal steps at the same time one is posted, the others are replayed', async () => {
      const { work, avail, complete } = await given();
      const [a, b] = [await avail(1_000n), await avail()];
      const poster = createPoster(work.surroundings, { lanes: 4, batchMax: 3 });
      for (let round = 0; round < 10; round++) {
        // Without a guarded account nothing but the step itself stands between them.
        for (const lines of [move(a, b, 10n), move('RAIL:UMA:USD', 'SUSPENSE:USD', 10n)]) {
          const entry: Entry = { kind: 'L4', transactionId: newUuid(), lines };
          const verdicts = await Promise.all([
            ...Array.from({ length: 4 }, () => work.write((tx) => post(tx, entry))),
            ...Array.from({ length: 4 }, () => work.write(async (tx) => (await post(tx, [entry, entry]))[0])),
            ...Array.from({ length: 8 }, () => poster(complete(entry))),
          ]);
          const posted = verdicts.filter((verdict) => verdict?.verdict === 'posted');
          const replayed = verdicts.filter((verdict) => verdict?.verdict === 'replayed');
          assert.deepEqual([posted.length, replayed.length], [1, 15]);
        }
      }
      assert.deepEqual(await balances(work, [a, b]), [900n, 100n]);
      await clean();
    });

    it('money.md §11: an entry is reversed once, and leaves the balances as they were', async () => {
      const { work, avail } = await given();
      const [a, b] = [await avail(50n), await avail()];
      const lines = move(a, b, 20n);
      const original = await work.write((tx) => post(tx, { kind: 'L6', lines }));
      assert(original.verdict === 'posted');
      const reversal: Entry = { kind: 'L9', lines: mirrored(lines), reversesSeq: original.seq };
      assert.equal((await work.write((tx) => post(tx, reversal))).verdict, 'posted');
      const again = await work.write((tx) => post(tx, [reversal, { kind: 'L1', lines: deposit(a, 1n) }]));
      assert.deepEqual(verdictsOf(again), ['replayed', 'posted']);
      await assert.rejects(
        work.write((tx) => post(tx, { kind: 'L9', lines, reversesSeq: original.seq + 1_000n })),
        /not sound/,
      );
      const single = await work.write((tx) => post(tx, { ...reversal, lines }));
      assert.deepEqual(single, { verdict: 'replayed' });
      assert.deepEqual(await balances(work, [a, b]), [51n, 0n]);
      await clean();
    });

    it('money.md §11: of reversals in one call one is posted, though there is money for no more', async () => {
      const { work, avail } = await given();
      const [a, b] = [await avail(50n), await avail()];
      const original = await work.write((tx) => post(tx, { kind: 'L6', lines: move(a, b, 20n) }));
      assert(original.verdict === 'posted');
      const reversal: Entry = { kind: 'L9', lines: move(b, a, 20n), reversesSeq: original.seq };
      const told = await work.write((tx) => post(tx, [reversal, reversal, reversal]));
      assert.deepEqual(
        told.map(({ verdict }) => verdict),
        ['posted', 'replayed', 'replayed'],
      );
      assert.deepEqual(await balances(work, [a, b]), [50n, 0n]);
      await clean();
    });

    it('money.md §11: of reversals at the same time one is posted, whichever way each is sent', async () => {
      const { work, avail, complete } = await given();
      const [a, b] = [await avail(50n), await avail()];
      const poster = createPoster(work.surroundings, { lanes: 4, batchMax: 3 });
      for (const lines of [move(a, b, 20n), move('RAIL:UMA:USD', 'SUSPENSE:USD', 20n)]) {
        const original = await work.write((tx) => post(tx, { kind: 'L6', lines }));
        assert(original.verdict === 'posted');
        const reversal: Entry = { kind: 'L9', lines: mirrored(lines), reversesSeq: original.seq };
        const verdicts = await Promise.all([
          ...Array.from({ length: 4 }, () => work.write((tx) => post(tx, reversal))),
          ...Array.from({ length: 4 }, () =>
            work.write(async (tx) => (await post(tx, [reversal, empty()]))[0]),
          ),
          ...Array.from({ length: 8 }, () => poster(complete(reversal))),
        ]);
        const told = verdicts.map((verdict) => verdict?.verdict).toSorted();
        assert.deepEqual(told, ['posted', ...Array.from({ length: 15 }, () => 'replayed')]);
      }
      assert.deepEqual(await balances(work, [a, b]), [50n, 0n]);
      await clean();
    });
  });

  describe('accounts of a transaction', () => {
    it('money.md §11: their balances go on from what the caller carries, in both currencies', async () => {
      const { work, avail } = await given();
      const payer = await avail(1_000n);
      const inflight: Account = `INFLIGHT:${newUuid()}`;
      const none = { account: inflight, no: 0n, balance: 0n } as const;
      const carried: AccountState[] = [
        { ...none, currency: 'USD' },
        { ...none, currency: 'EUR' },
      ];
      const take: Entry = {
        kind: 'L2',
        carried,
        lines: [line(payer, 'DEBIT', 1_000n), line(inflight, 'CREDIT', 1_000n)],
      };
      const convert: Entry = {
        kind: 'L6',
        carried,
        lines: [
          line(inflight, 'DEBIT', 947n),
          line('FEES:USD', 'CREDIT', 5n),
          line('FX:USD', 'CREDIT', 942n),
          line('FX:EUR', 'DEBIT', 866n, 'EUR'),
          line(inflight, 'CREDIT', 866n, 'EUR'),
        ],
      };
      const verdicts = await work.write((tx) => post(tx, [take, convert]));
      const [, converted] = verdicts;
      assert(converted?.verdict === 'posted');
      assert.deepEqual(converted.states, [
        { account: inflight, currency: 'EUR', no: 1n, balance: 866n },
        { account: inflight, currency: 'USD', no: 2n, balance: 53n },
      ]);
      const deliver: Entry = {
        kind: 'L7',
        carried: converted.states,
        lines: [
          line(inflight, 'DEBIT', 866n, 'EUR'),
          line('RAIL:SEPA:EUR', 'CREDIT', 866n, 'EUR'),
          line(inflight, 'DEBIT', 50n),
          line(inflight, 'DEBIT', 3n),
          line(payer, 'CREDIT', 53n),
        ],
      };
      const delivered = await work.write((tx) => post(tx, deliver));
      assert(delivered.verdict === 'posted');
      assert.deepEqual(
        delivered.states.filter(({ account }) => account === inflight),
        [
          { account: inflight, currency: 'EUR', no: 2n, balance: 0n },
          { account: inflight, currency: 'USD', no: 4n, balance: 0n },
        ],
      );
      await clean();
    });

    it('money.md §12.2: they do not go below zero, and have to be carried', async () => {
      const { work, avail } = await given();
      const account = await avail();
      const payable: Account = `REFUND_PAYABLE:${newUuid()}`;
      const entry: Entry = {
        kind: 'L11',
        carried: [{ account: payable, currency: 'USD', no: 0n, balance: 9n }],
        lines: [line(payable, 'DEBIT', 10n), line(account, 'CREDIT', 10n)],
      };
      for (const entries of alone(entry)) {
        const [verdict] = await work.write((tx) => post(tx, entries));
        assert.deepEqual(verdict, { verdict: 'insufficient', account: payable });
      }
      const { carried: _, ...bare } = entry;
      await assert.rejects(
        work.write((tx) => post(tx, bare)),
        /not carried/,
      );
      assert.deepEqual(await balances(work, [account]), [0n]);
      await clean();
    });

    it('money.md §11: RECEIVABLE grows by debits and does not go below zero either', async () => {
      const { work, avail } = await given();
      const account = await avail();
      const owed: GuardedAccount = `RECEIVABLE:${newUuid()}:USD`;
      await work.write((tx) => openLedgerAccounts(tx, [{ account: owed, currency: 'USD' }]));
      const owe: Entry = { kind: 'L17', lines: move(owed, 'RAIL:CARD:USD', 40n) };
      const repay: Entry = {
        kind: 'L1',
        lines: [
          line('RAIL:SANDBOX:USD', 'DEBIT', 50n),
          line(owed, 'CREDIT', 40n),
          line(account, 'CREDIT', 10n),
        ],
      };
      const verdicts = await work.write((tx) => post(tx, [owe, repay, repay]));
      assert.deepEqual(verdicts.at(2), { verdict: 'insufficient', account: owed });
      assert.deepEqual(await balances(work, [owed, account]), [0n, 10n]);
      await clean();
    });
  });

  describe('at the same time', () => {
    it('money.md §3.4: of N debits at once exactly as many succeed as the balance covers', async () => {
      const { work, avail, complete } = await given();
      const poster = createPoster(work.surroundings);
      const ways: ((entry: Entry) => Promise<Verdict>)[] = [
        (entry) => work.write((tx) => post(tx, entry)),
        (entry) => poster(complete(entry)),
        async (entry) => (await work.write((tx) => post(tx, [entry, empty()])))[0] as Verdict,
      ];
      for (const way of ways) {
        const [hot, cold] = [await avail(70n), await avail()];
        const verdicts = await Promise.all(
          Array.from({ length: 60 }, () => way({ kind: 'L2', lines: move(hot, cold, 3n) })),
        );
        assert.equal(verdicts.filter(({ verdict }) => verdict === 'posted').length, 23);
        assert.equal(verdicts.filter(({ verdict }) => verdict === 'insufficient').length, 37);
        assert.deepEqual(await balances(work, [hot, cold]), [1n, 69n]);
      }
      await clean();
    });

    it('style rule 24: entries that cross each other wait in one order and never deadlock', async () => {
      const { avail, complete } = await given();
      const accounts = await Promise.all(Array.from({ length: 3 }, () => avail(10_000n)));
      const [a, b, c] = accounts as [GuardedAccount, GuardedAccount, GuardedAccount];
      const circles = [move(a, b, 1n), move(b, c, 1n), move(c, a, 1n), move(b, a, 1n), move(a, c, 1n)];
      const tries = circles.flatMap((lines) =>
        Array.from({ length: 12 }, (_, i) => {
          const entry = complete({ kind: 'L2', lines });
          // Straight to the database: nothing here would try again after a deadlock.
          return postEntries(world.database.query, i % 2 ? [entry] : [entry, complete(empty())], new Date());
        }),
      );
      const verdicts = await Promise.all(tries);
      assert.deepEqual(new Set(verdicts.map(([verdict]) => verdict?.verdict)), new Set(['posted']));
      await clean();
    });

    it('architecture §3.4: nobody waits for a stranger, whatever accounts they share with everyone', async () => {
      const { work, avail } = await given();
      const [a, b] = [await avail(10n), await avail(10n)];
      const lines = (account: GuardedAccount): Line[] => [
        line(account, 'DEBIT', 10n),
        line('FEES:USD', 'CREDIT', 1n),
        line('FX:USD', 'CREDIT', 4n),
        line('RAIL:SANDBOX:USD', 'CREDIT', 5n),
      ];
      await work.write(async (tx) => {
        await post(tx, { kind: 'L6', lines: lines(a) });
        // The first has not committed; the second does nevertheless.
        const verdict = await work.write((other) => post(other, { kind: 'L6', lines: lines(b) }));
        assert.equal(verdict.verdict, 'posted');
      });
      assert.deepEqual(await balances(work, [a, b]), [0n, 0n]);
      await clean();
    });

    it('architecture §3.3: in a shared commit nobody fails for a stranger’s fault', async () => {
      const { work, avail, complete } = await given();
      const account = await avail();
      const poster = createPoster(work.surroundings);
      const fine = () => poster(complete({ kind: 'L1', lines: deposit(account, 1n) }));
      const broken = () =>
        poster({ ...complete({ kind: 'L1', lines: deposit(account, 1n) }), id: 'no uuid' });
      const outcomes = await Promise.allSettled([fine(), fine(), broken(), fine(), broken(), fine()]);
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
      );
      assert.deepEqual(await balances(work, [account]), [4n]);
      await clean();
    });

    it('architecture §3.2: what is rolled back leaves nothing', async () => {
      const { work, avail, entriesOf } = await given();
      const account = await avail(5n);
      const before = await entriesOf();
      await assert.rejects(
        work.write(async (tx) => {
          await post(tx, { kind: 'L1', lines: deposit(account, 5n) });
          throw new Error('and then something else failed');
        }),
      );
      assert.equal(await entriesOf(), before);
      assert.deepEqual(await balances(work, [account]), [5n]);
      await clean();
    });
  });

  async function given() {
    const platform = await world.platform();
    const work = await platform.work();
    return {
      work,
      /** A new account with this much money on it. */
      async avail(amount = 0n): Promise<GuardedAccount> {
        const account: GuardedAccount = `AVAIL:${newUuid()}`;
        await work.write(async (tx) => {
          await openLedgerAccounts(tx, [{ account, currency: 'USD' }]);
          if (amount > 0n) await post(tx, { kind: 'L1', lines: deposit(account, amount) });
        });
        return account;
      },
      complete: (entry: Entry): CompleteEntry => ({
        ...entry,
        id: newUuid(),
        platformId: platform.id,
        createdAt: new Date(world.clock.now()),
      }),
      /** Entries of this platform, fillers aside. */
      entriesOf: () =>
        work.read(async (tx) => {
          const [row] = await tx.sql<{ count: bigint }>`
            select count(*) as count from ledger_entries where platform_id = ${tx.platformId} and kind <> 'L0'`;
          return row?.count;
        }),
    };
  }

  async function clean(): Promise<void> {
    assert.deepEqual(violationsIn(await verifyLedger(world.database.query)), []);
  }
});

/** The entry on each of the two ways that a set can take: alone, and together with another. */
function alone(entry: Entry): Entry[][] {
  return [[entry], [entry, empty()]];
}

/** An entry that changes nobody's balance. */
function empty(): Entry {
  return { kind: 'L0', lines: move('RAIL:SANDBOX:USD', 'SUSPENSE:USD', 1n) };
}

function line(account: Account, side: Line['side'], amount: bigint, currency = 'USD'): Line {
  return { account, side, amount, currency };
}

function move(from: Account, to: Account, amount: bigint): Line[] {
  return [line(from, 'DEBIT', amount), line(to, 'CREDIT', amount)];
}

function deposit(account: GuardedAccount, amount: bigint): Line[] {
  return move('RAIL:SANDBOX:USD', account, amount);
}

async function balances(work: Work, accounts: GuardedAccount[]): Promise<(bigint | undefined)[]> {
  const states = await work.read((tx) => balancesOf(tx, accounts));
  return accounts.map((account) => states.find((state) => state.account === account)?.balance);
}

function stateOf(verdict: Verdict, account: Account): AccountState | undefined {
  return verdict.verdict === 'posted' ? verdict.states.find((state) => state.account === account) : undefined;
}

function verdictsOf(verdicts: readonly Verdict[]): Verdict['verdict'][] {
  return verdicts.map(({ verdict }) => verdict);
}
