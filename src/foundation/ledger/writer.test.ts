import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { type Entry, reversed } from '#foundation/ledger/entries.ts';
import {
  type Account,
  type AccountState,
  type GuardedAccount,
  type LedgerKind,
  stepName,
} from '#foundation/ledger/kinds.ts';
import { LEDGER, post } from '#foundation/ledger/post.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { about, assertSound, deposit, filler, givenLedger, line, move } from '#tests/given/ledger.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { collectEntries, createPoster, postSet } from '#tests/harness/ledger-poster.ts';

describe('the writer of the ledger', () => {
  const world = testWorld({ journalIsChecked: false });
  const given = () => givenLedger(world);
  const clean = () => assertSound(world);

  describe('steps of one kind', () => {
    it('money.md §11.3: with different ordinals can be posted in one transaction, each once', async () => {
      const { avail, tryPost, balances, stored } = await given();
      const account = await avail();
      const transactionId = newUuid();
      const part = (ordinal: number) => ({
        id: newUuid(),
        kind: 'payment.delivered' as const,
        ordinal,
        transactionId,
        lines: deposit(account, 10n ** BigInt(ordinal)),
      });
      const parts = [part(0), part(1), part(2)];
      assert.equal(await tryPost(...parts), undefined);
      const found = await stored(...parts);
      assert.deepEqual(
        found.map((entry) => entry?.states.map(({ no, balance }) => [no, balance])),
        [[[1n, 1n]], [[2n, 11n]], [[3n, 111n]]],
      );
      for (const ordinal of [0, 1, 2])
        assert.deepEqual(await tryPost(part(3), part(ordinal)), { name: 'replayed' });
      assert.equal(await tryPost(part(3)), undefined, 'an entry in the set of a replayed one was not posted');
      assert.deepEqual(await balances(account), [1_111n]);
      await clean();
    });

    it('money.md §11.3: with the same ordinal in one shared commit: the first is posted and the second is replayed', async () => {
      const { avail, complete, balances, stored } = await given();
      const account = await avail();
      const transactionId = newUuid();
      const entries = [0, 1, 1, 0, 2].map((ordinal) =>
        complete({ kind: 'payment.delivered', ordinal, transactionId, lines: deposit(account, 1n) }),
      );
      const reasons = await Promise.all(entries.map(createPoster(world.database)));
      assert.deepEqual(
        reasons.map((reason) => reason?.name),
        [undefined, undefined, 'replayed', 'replayed', undefined],
      );
      assert.deepEqual(
        (await stored(...entries)).map((entry) => entry?.states[0]?.no),
        [1n, 2n, undefined, undefined, 3n],
      );
      assert.deepEqual(await balances(account), [3n]);
      await clean();
    });
  });

  describe('an entry that reverses one of the same set', () => {
    it('money.md §11.1: finds it by its step, and both are posted in order', async () => {
      const { avail, complete, balances, stored } = await given();
      const [a, b, c] = [await avail(50n), await avail(), await avail(5n)];
      const transactionId = newUuid();
      const lines = move(a, b, 20n);
      const set = [
        complete({ kind: 'payment.executed', transactionId, lines }),
        complete({ kind: 'deposit.received', lines: deposit(c, 1n) }),
        complete({
          kind: 'payment.unwound',
          transactionId,
          lines: reversed(lines),
          reverses: stepName('payment.executed'),
        }),
        complete({ kind: 'payment.executed', lines: move(a, c, 50n) }),
      ];
      assert.equal(await postSet(world.database, set), undefined);
      const [taken, , back, last] = await stored(...set);
      assert.equal(back?.reversesSeq, taken?.seq);
      assert.deepEqual(
        [taken, back, last].map((entry) => entry?.states.find(({ account }) => account === a)),
        [30n, 50n, 0n].map((balance, i) => ({ account: a, currency: 'USD', no: 2n + BigInt(i), balance })),
      );
      assert.deepEqual(await balances(a, b, c), [0n, 0n, 56n]);
      await clean();
    });

    it('money.md §11.1: is refused with the set if the entry that it reverses is refused', async () => {
      const { platformId, avail, complete, balances, entryCount } = await given();
      const [a, b] = [await avail(10n), await avail()];
      const before = await entryCount();
      const transactionId = newUuid();
      const lines = move(a, b, 20n);
      const set = [
        complete({ kind: 'payment.executed', transactionId, lines }),
        complete({
          kind: 'payment.unwound',
          transactionId,
          lines: reversed(lines),
          reverses: stepName('payment.executed'),
        }),
      ];
      assert.deepEqual(await postSet(world.database, set), about('insufficient', platformId, a));
      assert.deepEqual([await balances(a, b), await entryCount()], [[10n, 0n], before]);
      await clean();
    });

    it('money.md §11.1: a step that was not posted cannot be reversed', async () => {
      const { avail, tryPost } = await given();
      const account = await avail(10n);
      const lines = move(account, 'RAIL:SANDBOX:USD', 1n);
      await assert.rejects(
        tryPost({
          kind: 'payment.unwound',
          transactionId: newUuid(),
          lines,
          reverses: stepName('payment.executed'),
        }),
        /has not posted step TAKE/,
      );
      await clean();
    });

    it('money.md §11.1, §11.3: a second reversal is replayed under another kind too, even if the money is spent', async () => {
      const { avail, tryPost, balances } = await given();
      const [a, b] = [await avail(50n), await avail()];
      const transactionId = newUuid();
      const lines = move(a, b, 20n);
      const back = (kind: LedgerKind): Entry => ({
        kind,
        transactionId,
        lines: reversed(lines),
        reverses: stepName('payment.executed'),
      });
      assert.equal(
        await tryPost({ kind: 'payment.executed', transactionId, lines }, back('payment.unwound')),
        undefined,
      );
      for (const money of [0n, 20n]) {
        if (money > 0n)
          assert.equal(await tryPost({ kind: 'deposit.received', lines: deposit(b, money) }), undefined);
        for (const kind of ['payment.unwound', 'refund.owed'] as const)
          assert.deepEqual(await tryPost(back(kind)), { name: 'replayed' });
      }
      assert.deepEqual(await balances(a, b), [50n, 20n]);
      await clean();
    });

    it('decision 0018: such sets in opposite directions lock all their accounts in one order first', async () => {
      const { avail, complete } = await given();
      const accounts = await Promise.all(Array.from({ length: 2 }, () => avail(1_000n)));
      const [low, high] = accounts.toSorted() as [GuardedAccount, GuardedAccount];
      const transactionId = newUuid();
      const collected = collectEntries([
        complete({ kind: 'payment.executed', transactionId, lines: deposit(high, 1n) }),
        complete({
          kind: 'payment.unwound',
          transactionId,
          lines: move(low, 'RAIL:SANDBOX:USD', 1n),
          reverses: stepName('payment.executed'),
        }),
      ]);
      const [first] = collected.statements();
      assert(first);
      await world.database.transaction(async (_run, runAll) => {
        await runAll([first]);
        for (const account of [low, high]) await assertLocked(account);
      });
    });
  });

  describe('accounts of a transaction', () => {
    it('money.md §11.2: continue from entry to entry of one set, also across a reversal', async () => {
      const { avail, tryPost, balances, stored } = await given();
      const payer = await avail(100n);
      const transactionId = newUuid();
      const inflight = `INFLIGHT:${transactionId}` as const;
      const carried: AccountState[] = [{ account: inflight, currency: 'USD', no: 0n, balance: 0n }];
      const entry = (kind: LedgerKind, more: Pick<Entry, 'lines' | 'reverses'>) => ({
        id: newUuid(),
        kind,
        transactionId,
        carried,
        ...more,
      });
      const take = move(payer, inflight, 100n);
      const set = [
        entry('uma.received', { lines: move('RAIL:UMA:USD', inflight, 7n) }),
        entry('payment.executed', { lines: take }),
        entry('payment.converted', { lines: move(inflight, 'FEES:USD', 3n) }),
        entry('payment.unwound', { lines: reversed(take), reverses: stepName('payment.executed') }),
        entry('payment.delivered', { lines: move(inflight, 'RAIL:UMA:USD', 4n) }),
      ];
      assert.equal(await tryPost(...set), undefined);
      const states = (await stored(...set)).map((found) =>
        found?.states.find(({ account }) => account === inflight),
      );
      assert.deepEqual(
        states.map((state) => [state?.no, state?.balance]),
        [
          [1n, 7n],
          [2n, 107n],
          [3n, 104n],
          [4n, 4n],
          [5n, 0n],
        ],
      );
      assert.deepEqual(await balances(payer), [100n]);
      await clean();
    });
  });

  describe('lines of one account', () => {
    it('money.md §11.2: several in one entry each have a running number and a balance, additions first', async () => {
      const { platformId, avail, complete, balances, stored } = await given();
      const [account, other] = [await avail(5n), await avail()];
      const lines = [
        line(account, 'DEBIT', 6n),
        line(account, 'CREDIT', 2n),
        line(account, 'DEBIT', 1n),
        line(other, 'CREDIT', 4n),
        line(other, 'CREDIT', 1n),
      ];
      const set = [
        complete({ kind: 'payment.unwound', lines }),
        complete({ kind: 'deposit.received', lines: deposit(account, 5n) }),
        complete({ kind: 'payment.unwound', lines }),
      ];
      assert.equal(await postSet(world.database, set), undefined);
      const found = await stored(...set);
      const of = (entry: number, name: Account) =>
        found[entry]?.states
          .filter((state) => state.account === name)
          .map(({ no, balance }) => [no, balance]);
      assert.deepEqual(of(0, account), [
        [2n, 7n],
        [3n, 1n],
        [4n, 0n],
      ]);
      assert.deepEqual(of(1, account), [[5n, 5n]]);
      assert.deepEqual(of(2, account), [
        [6n, 7n],
        [7n, 1n],
        [8n, 0n],
      ]);
      assert.deepEqual(
        [of(0, other), of(2, other)],
        [
          [
            [1n, 4n],
            [2n, 5n],
          ],
          [
            [3n, 9n],
            [4n, 10n],
          ],
        ],
      );
      assert.deepEqual(
        await postSet(world.database, [complete({ kind: 'payment.unwound', lines })]),
        about('insufficient', platformId, account),
      );
      assert.deepEqual(await balances(account, other), [0n, 10n]);
      await clean();
    });

    it('money.md §12.2: a set may pass money on, but never spend it before it arrives', async () => {
      const { platformId, avail, complete, balances } = await given();
      const [a, b, c] = [await avail(10n), await avail(), await avail()];
      const out = complete({ kind: 'payment.executed', lines: move(b, c, 10n) });
      const into = complete({ kind: 'payment.executed', lines: move(a, b, 10n) });
      assert.deepEqual(await postSet(world.database, [out, into]), about('insufficient', platformId, b));
      assert.equal(await postSet(world.database, [into, out]), undefined);
      assert.deepEqual(await balances(a, b, c), [0n, 0n, 10n]);
      await clean();
    });
  });

  describe('accounts locked without a line', () => {
    it('money.md §10.4: no other transaction moves them before the commit, and they do not change', async () => {
      const { work, avail, balances, tryPost } = await given();
      const [moved, held] = [await avail(5n), await avail(9n)];
      const row = () =>
        work.read(
          (tx) => tx.sql`
            select balance, last_no, updated_at from ledger_balances
             where platform_id = ${tx.platformId} and account = ${held}`,
        );
      const before = await row();
      world.clock.advance(60_000);
      await work.write(async (tx) => {
        const alsoLocked = [{ account: held, currency: 'USD' }];
        post(tx, { kind: 'payment.unwound', lines: move(moved, 'FEES:USD', 5n), alsoLocked });
        await tx.flush();
        await assertLocked(moved);
        await assertLocked(held);
      });
      assert.deepEqual(await row(), before);
      assert.equal(await tryPost({ kind: 'payment.unwound', lines: move(held, 'FEES:USD', 9n) }), undefined);
      assert.deepEqual(await balances(moved, held), [0n, 0n]);
      await clean();
    });

    it('money.md §10.4: one that another entry of the set moves is moved once, and one that is not open is unknown', async () => {
      const { platformId, avail, tryPost, balances } = await given();
      const [moved, held] = [await avail(5n), await avail(9n)];
      const missing: GuardedAccount = `AVAIL:${newUuid()}`;
      const holding = (account: GuardedAccount): Entry => ({
        kind: 'payment.unwound',
        lines: move(moved, 'FEES:USD', 1n),
        alsoLocked: [{ account, currency: 'USD' }],
      });
      const entries: Entry[] = [
        holding(held),
        { kind: 'deposit.received', lines: deposit(held, 1n) },
        holding(held),
      ];
      assert.equal(await tryPost(...entries), undefined);
      assert.deepEqual(await balances(moved, held), [3n, 10n]);
      assert.deepEqual(await tryPost(holding(missing)), about('unknown_account', platformId, missing));
      await clean();
    });
  });

  describe('the reason of a refusal', () => {
    it('money.md §12.2: is `stale` if money arrives a moment later', async () => {
      const { work, avail, complete, tryPost, balances } = await given();
      const [poor, other] = [await avail(5n), await avail()];
      const entry: Entry = { kind: 'payment.executed', lines: move(poor, other, 6n) };
      let reason: Promise<unknown> | undefined;
      await work.write(async (tx) => {
        // A refused posting reads the journal to find the reason, and so waits here until the money has arrived.
        await tx.sql`lock table ledger_entries in access exclusive mode`;
        reason = postSet(world.database, [complete(entry)]);
        await untilSomebodyWaits();
        post(tx, { kind: 'deposit.received', lines: deposit(poor, 1n) });
      });
      assert.equal(((await reason) as { name: string }).name, 'stale');
      assert.equal(await tryPost(entry), undefined);
      assert.deepEqual(await balances(poor, other), [0n, 6n]);
      await clean();
    });

    it('names the contested account as the entries do, on either side of the entry', async () => {
      const { avail, complete, tryPost } = await given();
      const account = await avail(1n);
      const missing: GuardedAccount = `AVAIL:${newUuid()}`;
      for (const lines of [
        move(account, 'FEES:USD', 2n),
        move('RAIL:SANDBOX:USD', missing, 1n),
        move(missing, account, 1n),
      ]) {
        const entry = complete({ kind: 'payment.unwound', lines });
        const reason = await tryPost(entry);
        assert(reason?.subject, String(reason?.name));
        assert(LEDGER.contested?.(entry).includes(reason.subject), `${reason.subject} is not contended for`);
      }
      assert.deepEqual(LEDGER.contested?.(complete(filler())), [], 'shared accounts are never contested');
    });
  });

  /** Asserts that a transaction has locked the account's row. */
  async function assertLocked(account: GuardedAccount): Promise<void> {
    const rows = await world.database.query(sql`
      select from ledger_balances where account = ${account} for update skip locked`);
    assert.equal(rows.length, 0, `${account} is not held`);
  }

  async function untilSomebodyWaits(): Promise<void> {
    const waiting = sql`
      select from pg_locks l join pg_database d on d.oid = l.database
       where d.datname = current_database() and l.relation = 'ledger_entries'::regclass and not l.granted`;
    while ((await world.database.query(waiting)).length === 0) await new Promise(setImmediate);
  }
});
