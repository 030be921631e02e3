// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CollectedItems } from '#foundation/database/changes.ts';
import { violates } from '#foundation/database/failures.ts';
import type { Reason } from '#foundation/database/reasons.ts';
import { type Entry, type Line, reversed } from '#foundation/ledger/entries.ts';
import type { Account, AccountState, GuardedAccount, LedgerKind } from '#foundation/ledger/kinds.ts';
import { LEDGER, post } from '#foundation/ledger/post.ts';
import { openLedgerAccounts } from '#foundation/ledger/store.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import {
  about,
  assertSound,
  catchReason,
  deposit,
  filler,
  givenLedger,
  line,
  move,
} from '#tests/given/ledger.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { createPoster, postSet } from '#tests/harness/ledger-poster.ts';

/** Kinds that take the payer's money. */
const TAKING = ['payment.executed', 'payment.captured', 'payment.funded', 'payment.collected'] as const;

describe('posting', () => {
  const world = testWorld({ journalIsChecked: false });
  const given = () => givenLedger(world);
  const clean = () => assertSound(world);

  describe('one entry', () => {
    it('money.md §11.2: a posted entry moves both balances, and its lines store the new balances', async () => {
      const { avail, tryPost, balances, stored } = await given();
      const a = await avail(100n);
      const b = await avail();
      const entry = { id: newUuid(), kind: 'payment.executed' as const, lines: move(a, b, 30n) };
      assert.equal(await tryPost(entry), undefined);
      assert.deepEqual(await balances(a, b), [70n, 30n]);
      const [found] = await stored(entry);
      assert.deepEqual(
        new Set(found?.states),
        new Set([
          // The second line of its account.
          { account: a, currency: 'USD', no: 2n, balance: 70n },
          { account: b, currency: 'USD', no: 1n, balance: 30n },
        ]),
      );
      await clean();
    });

    it('money.md §12.2: an entry that the balance does not cover is refused with the account, and writes nothing', async () => {
      const { platformId, avail, tryPost, balances, entryCount } = await given();
      const poor = await avail(10n);
      const rich = await avail(10n);
      const before = await entryCount();
      for (const entries of alone({ kind: 'payment.executed', lines: move(poor, rich, 11n) })) {
        assert.deepEqual(await tryPost(...entries), about('insufficient', platformId, poor));
      }
      assert.deepEqual(await balances(poor, rich), [10n, 10n]);
      assert.equal(await entryCount(), before);
      await clean();
    });

    it('money.md §11.6: an account that is not open, or is another platform’s, is unknown', async () => {
      const { platformId, avail, tryPost, balances } = await given();
      const stranger = await (await given()).avail(50n);
      const own = await avail(50n);
      const missing: GuardedAccount = `AVAIL:${newUuid()}`;
      for (const account of [stranger, missing]) {
        for (const lines of [move(account, own, 1n), move(own, account, 1n)]) {
          for (const entries of alone({ kind: 'payment.executed', lines })) {
            assert.deepEqual(await tryPost(...entries), about('unknown_account', platformId, account));
          }
        }
      }
      assert.deepEqual(await balances(own), [50n]);
      await clean();
    });

    it('money.md §11.7: an entry whose balance would exceed the range is refused, and does not overflow', async () => {
      const { platformId, avail, tryPost, balances } = await given();
      const account = await avail();
      const most = 10n ** 17n;
      const deposits = Array.from(
        { length: 10 },
        (): Entry => ({ kind: 'deposit.received', lines: deposit(account, most) }),
      );
      assert.equal(await tryPost(...deposits), undefined);
      for (const entries of alone({ kind: 'deposit.received', lines: deposit(account, 1n) })) {
        assert.deepEqual(await tryPost(...entries), about('out_of_range', platformId, account));
      }
      assert.deepEqual(await balances(account), [10n ** 18n]);
      await clean();
    });

    it('money.md §12.1: an unbalanced entry throws here, and the database refuses it too', async () => {
      const { avail, complete, tryPost, balances } = await given();
      const account = await avail(10n);
      const lines = [
        line('RAIL:SANDBOX:USD', 'DEBIT', 5n),
        line(account, 'CREDIT', 4n),
        line('FEES:EUR', 'CREDIT', 1n, 'EUR'),
      ];
      await assert.rejects(tryPost({ kind: 'deposit.received', lines }), /unbalanced/);
      const collected = new CollectedItems();
      collected.add(LEDGER, complete({ kind: 'deposit.received', lines: deposit(account, 1n) }));
      collected.add(LEDGER, complete({ kind: 'deposit.received', lines }));
      await assert.rejects(world.database.commit(collected.statements()), (error) =>
        violates(error, 'ledger_entries_sound'),
      );
      assert.deepEqual(await balances(account), [10n], 'no entry of the set is stored');
      await clean();
    });

    it('money.md §12.2: only the balance after the whole entry decides, whatever the order of its lines', async () => {
      const { avail, tryPost, balances } = await given();
      const account = await avail(5n);
      const lines = [
        line(account, 'DEBIT', 8n),
        line('FEES:USD', 'CREDIT', 8n),
        line(account, 'CREDIT', 4n),
        line('RAIL:SANDBOX:USD', 'DEBIT', 4n),
      ];
      for (const entries of alone({ kind: 'payment.unwound', lines })) {
        assert.equal(await tryPost(...entries), undefined);
        assert.equal(await tryPost({ kind: 'deposit.received', lines: deposit(account, 4n) }), undefined);
      }
      assert.deepEqual(await balances(account), [5n]);
      await clean();
    });
  });

  describe('sets', () => {
    it('decision 0018: in a shared commit each entry has its own outcome, in order of arrival', async () => {
      const { platformId, avail, complete, balances, stored } = await given();
      const a = await avail(100n);
      const b = await avail();
      const missing: GuardedAccount = `AVAIL:${newUuid()}`;
      const transactionId = newUuid();
      const kind = 'payment.executed' as const;
      const entries = [
        { kind, lines: move(a, b, 60n), transactionId },
        { kind, lines: move(a, b, 60n) },
        { kind, lines: move(a, missing, 1n) },
        { kind, lines: move(a, b, 60n), transactionId },
        { kind, lines: move(b, a, 60n) },
        { kind, lines: move(a, b, 100n) },
      ].map(complete);
      const reasons = await Promise.all(entries.map(createPoster(world.database)));
      assert.deepEqual(reasons, [
        undefined,
        about('insufficient', platformId, a),
        about('unknown_account', platformId, missing),
        { name: 'replayed' },
        undefined,
        undefined,
      ]);
      assert.deepEqual(
        (await stored(...entries)).map((entry) => entry !== undefined),
        [true, false, false, false, true, true],
      );
      assert.deepEqual(await balances(a, b), [0n, 100n]);
      await clean();
    });

    it('money.md §11.4: in a transaction of its own a set is posted all or nothing', async () => {
      const { platformId, avail, tryPost, balances, entryCount } = await given();
      const [a, b] = [await avail(100n), await avail()];
      const before = await entryCount();
      const fine: Entry = { kind: 'payment.executed', lines: move(a, b, 60n) };
      assert.deepEqual(await tryPost(fine, fine, filler()), about('insufficient', platformId, a));
      assert.deepEqual([await balances(a, b), await entryCount()], [[100n, 0n], before]);
      assert.equal(
        await tryPost(fine, { kind: 'payment.executed', lines: move(b, a, 20n) }, fine),
        undefined,
      );
      assert.deepEqual(await balances(a, b), [0n, 100n]);
      await clean();
    });

    it('decision 0018: one set may contain entries of several platforms, each with its own accounts', async () => {
      const first = await given();
      const second = await given();
      const [a, b] = [await first.avail(), await second.avail()];
      const reasons = await Promise.all(
        [
          first.complete({ kind: 'deposit.received', lines: deposit(a, 7n) }),
          second.complete({ kind: 'deposit.received', lines: deposit(b, 8n) }),
          second.complete({ kind: 'payment.executed', lines: move(a, b, 1n) }),
        ].map(createPoster(world.database)),
      );
      assert.deepEqual(reasons, [undefined, undefined, about('unknown_account', second.platformId, a)]);
      assert.deepEqual(await first.balances(a), [7n]);
      assert.deepEqual(await second.balances(b), [8n]);
      await clean();
    });

    it('decision 0018: the number of round trips and statements does not depend on the size of the set', async () => {
      const { avail, complete } = await given();
      const accounts = await Promise.all(Array.from({ length: 20 }, () => avail(1_000n)));
      const trips: number[] = [];
      const poster = createPoster({
        commit(pieces) {
          trips.push(pieces.length);
          return world.database.commit(pieces);
        },
      });
      const transfer = (_: unknown, i: number) =>
        complete({
          kind: 'payment.executed',
          lines: move(accounts[i % 20] as GuardedAccount, accounts[(i + 7) % 20] as GuardedAccount, 1n),
        });
      await poster(transfer(0, 0));
      const reasons = await Promise.all(Array.from({ length: 300 }, transfer).map(poster));
      assert.deepEqual(new Set(reasons), new Set([undefined]));
      assert.equal(trips.length, 2);
      assert.equal(trips[1], trips[0]);
      await clean();
    });

    it('money.md §11.2: on every account the order of seq is the order of its lines and of arrival', async () => {
      const { avail, complete, stored } = await given();
      const [a, b] = [await avail(1_000n), await avail(1_000n)];
      const entries = Array.from({ length: 40 }, (_, i) =>
        complete({ kind: 'payment.executed', lines: i % 3 ? move(a, b, 5n) : move(b, a, 7n) }),
      );
      assert.equal(await postSet(world.database, entries.slice(0, 20)), undefined);
      await Promise.all(entries.slice(20).map(createPoster(world.database)));
      const found = await stored(...entries);
      const seqs = found.map((entry) => entry?.seq ?? 0n);
      assert.deepEqual(
        seqs,
        seqs.toSorted((x, y) => Number(x - y)),
      );
      for (const account of [a, b]) {
        const nos = found.flatMap(
          (entry) => entry?.states.filter((state) => state.account === account) ?? [],
        );
        assert.deepEqual(
          nos.map(({ no }) => no),
          entries.map((_, i) => BigInt(i) + 2n),
          'without gaps, after the line that brought the money',
        );
      }
      await clean();
    });
  });

  describe('steps', () => {
    it('money.md §11.3: a replayed step posts nothing, even if the money is spent', async () => {
      const { avail, tryPost, balances } = await given();
      const [a, b] = [await avail(10n), await avail()];
      const entry: Entry = { kind: 'payment.executed', transactionId: newUuid(), lines: move(a, b, 10n) };
      assert.equal(await tryPost(entry), undefined);
      for (const entries of [...alone(entry), ...alone({ ...entry, lines: move(b, a, 3n) })]) {
        assert.deepEqual(await tryPost(...entries), { name: 'replayed' });
      }
      assert.deepEqual(await balances(a, b), [0n, 10n]);
      await clean();
    });

    it('money.md §11.3: different kinds or ordinals are different steps of one transaction', async () => {
      const { avail, tryPost, balances } = await given();
      const account = await avail();
      const step = (kind: LedgerKind, ordinal: number): Entry => ({
        kind,
        ordinal,
        transactionId: '0190a5d0-0000-7000-8000-00000000aaaa' as Id<never>,
        lines: deposit(account, 1n),
      });
      assert.deepEqual(
        await tryPost(
          step('payment.delivered', 0),
          step('payment.delivered', 1),
          step('payment.delivered', 1),
        ),
        { name: 'replayed' },
      );
      assert.equal(
        await tryPost(
          step('payment.delivered', 0),
          step('payment.delivered', 1),
          step('payment.returned', 0),
        ),
        undefined,
      );
      assert.deepEqual(await tryPost(step('payment.delivered', 1)), { name: 'replayed' });
      assert.deepEqual(await balances(account), [3n]);
      await clean();
    });

    it('money.md §12.8: money is taken once per transaction, whichever kind comes second', async () => {
      const { avail, tryPost, balances } = await given();
      const [a, b] = [await avail(100n), await avail()];
      const transactionId = newUuid();
      const reasons: (Reason | undefined)[] = [];
      for (const [i, kind] of TAKING.entries()) {
        for (const entries of alone({ kind, ordinal: i, transactionId, lines: move(a, b, 10n) })) {
          reasons.push(await tryPost(...entries));
        }
      }
      assert.deepEqual(reasons, [undefined, ...Array.from({ length: 7 }, () => ({ name: 'replayed' }))]);
      assert.deepEqual(await balances(a, b), [90n, 10n]);
      await clean();
    });

    it('money.md §11.3: of several concurrent equal steps one is posted, and the others are replayed', async () => {
      const { avail, complete, tryPost, balances } = await given();
      const [a, b] = [await avail(1_000n), await avail()];
      const posters = Array.from({ length: 4 }, () => createPoster(world.database));
      for (let round = 0; round < 10; round++) {
        // Without a guarded account only the step itself makes them conflict.
        for (const lines of [move(a, b, 10n), move('RAIL:UMA:USD', 'SUSPENSE:USD', 10n)]) {
          const entry: Entry = { kind: 'payment.funded', transactionId: newUuid(), lines };
          const reasons = await Promise.all([
            ...Array.from({ length: 4 }, () => tryPost(entry)),
            ...Array.from({ length: 4 }, () => tryPost(filler(), entry)),
            ...posters.flatMap((poster) => [poster(complete(entry)), poster(complete(entry))]),
          ]);
          assertPostedOnce(reasons);
        }
      }
      assert.deepEqual(await balances(a, b), [900n, 100n]);
      await clean();
    });

    it('money.md §11.1: an entry can be reversed once, which restores the balances', async () => {
      const { avail, tryPost, balances, stored } = await given();
      const [a, b] = [await avail(50n), await avail()];
      const original = { id: newUuid(), kind: 'payment.converted' as const, lines: move(a, b, 20n) };
      assert.equal(await tryPost(original), undefined);
      const seq = (await stored(original))[0]?.seq ?? 0n;
      const reversal = {
        id: newUuid(),
        kind: 'payment.unwound' as const,
        lines: reversed(original.lines),
        reversesSeq: seq,
      };
      assert.equal(await tryPost(reversal), undefined);
      assert.equal((await stored(reversal))[0]?.reversesSeq, seq);
      const again = { ...reversal, id: newUuid() };
      for (const entries of [[again], [again, filler()], [{ ...again, lines: original.lines }]]) {
        assert.deepEqual(await tryPost(...entries), { name: 'replayed' });
      }
      await assert.rejects(
        tryPost({ kind: 'payment.unwound', lines: original.lines, reversesSeq: seq + 1_000n }),
        /not sound/,
      );
      assert.deepEqual(await balances(a, b), [50n, 0n]);
      await clean();
    });

    it('money.md §11.1: of several reversals in one commit one is posted, even if the money covers only one', async () => {
      const { avail, complete, tryPost, balances, stored } = await given();
      const [a, b] = [await avail(50n), await avail()];
      const original = { id: newUuid(), kind: 'payment.converted' as const, lines: move(a, b, 20n) };
      assert.equal(await tryPost(original), undefined);
      const reversesSeq = (await stored(original))[0]?.seq;
      const reversals = Array.from({ length: 3 }, () =>
        complete({ kind: 'payment.unwound', lines: move(b, a, 20n), reversesSeq }),
      );
      const reasons = await Promise.all(reversals.map(createPoster(world.database)));
      assert.deepEqual(reasons, [undefined, { name: 'replayed' }, { name: 'replayed' }]);
      assert.deepEqual(await balances(a, b), [50n, 0n]);
      await clean();
    });

    it('money.md §11.1: of several concurrent reversals one is posted, in whatever way each is posted', async () => {
      const { avail, complete, tryPost, balances, stored } = await given();
      const [a, b] = [await avail(50n), await avail()];
      const posters = Array.from({ length: 4 }, () => createPoster(world.database));
      for (const lines of [move(a, b, 20n), move('RAIL:UMA:USD', 'SUSPENSE:USD', 20n)]) {
        const original = {
          id: newUuid(),
          kind: 'payment.converted' as const,
          transactionId: newUuid(),
          lines,
        };
        assert.equal(await tryPost(original), undefined);
        const reversesSeq = (await stored(original))[0]?.seq;
        const reversal: Entry = { kind: 'payment.unwound', lines: reversed(lines), reversesSeq };
        const reasons = await Promise.all([
          ...Array.from({ length: 4 }, () => tryPost(reversal)),
          ...Array.from({ length: 4 }, () => tryPost(reversal, filler())),
          ...posters.flatMap((poster) => [poster(complete(reversal)), poster(complete(reversal))]),
        ]);
        assertPostedOnce(reasons);
      }
      assert.deepEqual(await balances(a, b), [50n, 0n]);
      await clean();
    });
  });

  describe('accounts of a transaction', () => {
    it('money.md §11.5: their balances continue from the carried state, in both currencies', async () => {
      const { avail, tryPost, balances, stored } = await given();
      const payer = await avail(1_000n);
      const inflight = `INFLIGHT:${newUuid()}` as const;
      const none = { account: inflight, no: 0n, balance: 0n } as const;
      const carried: AccountState[] = [
        { ...none, currency: 'USD' },
        { ...none, currency: 'EUR' },
      ];
      const take: Entry = {
        kind: 'payment.executed',
        carried,
        lines: [line(payer, 'DEBIT', 1_000n), line(inflight, 'CREDIT', 1_000n)],
      };
      const convert = {
        id: newUuid(),
        kind: 'payment.converted' as const,
        carried,
        lines: [
          line(inflight, 'DEBIT', 947n),
          line('FEES:USD', 'CREDIT', 5n),
          line('FX:USD', 'CREDIT', 942n),
          line('FX:EUR', 'DEBIT', 866n, 'EUR'),
          line(inflight, 'CREDIT', 866n, 'EUR'),
        ],
      };
      // The second one continues from the first, although both carry the state of the row before.
      assert.equal(await tryPost(take, convert), undefined);
      const converted = (await stored(convert))[0]?.states ?? [];
      assert.deepEqual(converted, [
        { account: inflight, currency: 'EUR', no: 1n, balance: 866n },
        { account: inflight, currency: 'USD', no: 2n, balance: 53n },
      ]);
      const deliver = {
        id: newUuid(),
        kind: 'payment.delivered' as const,
        carried: converted,
        lines: [
          line(inflight, 'DEBIT', 866n, 'EUR'),
          line('RAIL:SEPA:EUR', 'CREDIT', 866n, 'EUR'),
          line(inflight, 'DEBIT', 50n),
          line(inflight, 'DEBIT', 3n),
          line(payer, 'CREDIT', 53n),
        ],
      };
      assert.equal(await tryPost(deliver), undefined);
      assert.deepEqual(
        (await stored(deliver))[0]?.states.filter(({ account }) => account === inflight),
        [
          { account: inflight, currency: 'EUR', no: 2n, balance: 0n },
          { account: inflight, currency: 'USD', no: 3n, balance: 3n },
          { account: inflight, currency: 'USD', no: 4n, balance: 0n },
        ],
      );
      assert.deepEqual(await balances(payer), [53n]);
      await clean();
    });

    it('money.md §12.2: they cannot go below zero, and their state must be given', async () => {
      const { avail, tryPost, balances, entryCount } = await given();
      const account = await avail();
      const before = await entryCount();
      const payable: Account = `REFUND_PAYABLE:${newUuid()}`;
      const entry: Entry = {
        kind: 'refund.paid',
        carried: [{ account: payable, currency: 'USD', no: 0n, balance: 9n }],
        lines: [line(payable, 'DEBIT', 10n), line(account, 'CREDIT', 10n)],
      };
      for (const entries of alone(entry)) await assert.rejects(tryPost(...entries), /not sound/);
      const { carried: _, ...bare } = entry;
      await assert.rejects(tryPost(bare), /not carried/);
      assert.deepEqual([await balances(account), await entryCount()], [[0n], before]);
      await clean();
    });

    it('money.md §11.6, §12.2: RECEIVABLE grows by debits and cannot go below zero either', async () => {
      const { platformId, work, avail, tryPost, balances } = await given();
      const account = await avail();
      const owed: GuardedAccount = `RECEIVABLE:${newUuid()}:USD`;
      await work.write((tx) => openLedgerAccounts(tx, [{ account: owed, currency: 'USD' }]));
      const owe: Entry = { kind: 'card.cleared', lines: move(owed, 'RAIL:CARD:USD', 40n) };
      const repay: Entry = {
        kind: 'deposit.received',
        lines: [
          line('RAIL:SANDBOX:USD', 'DEBIT', 50n),
          line(owed, 'CREDIT', 40n),
          line(account, 'CREDIT', 10n),
        ],
      };
      assert.equal(await tryPost(owe, repay), undefined);
      assert.deepEqual(await tryPost(repay), about('insufficient', platformId, owed));
      assert.deepEqual(await balances(owed, account), [0n, 10n]);
      await clean();
    });
  });

  describe('at the same time', () => {
    it('money.md §3.4: of N concurrent debits exactly as many succeed as the balance covers', async () => {
      const { platformId, avail, complete, tryPost, balances } = await given();
      const poster = createPoster(world.database);
      const ways: ((entry: Entry) => Promise<Reason | undefined>)[] = [
        (entry) => tryPost(entry),
        (entry) => poster(complete(entry)),
        (entry) => tryPost(entry, filler()),
      ];
      for (const way of ways) {
        const [hot, cold] = [await avail(70n), await avail()];
        const reasons = await Promise.all(
          Array.from({ length: 60 }, () => way({ kind: 'payment.executed', lines: move(hot, cold, 3n) })),
        );
        const refused = reasons.filter((reason) => reason !== undefined);
        assert.equal(refused.length, 37);
        assert.deepEqual(new Set(refused.map(({ name }) => name)), new Set(['insufficient']));
        assert.deepEqual(refused[0], about('insufficient', platformId, hot));
        assert.deepEqual(await balances(hot, cold), [1n, 69n]);
      }
      await clean();
    });

    it('decision 0018: entries in opposite directions lock in one order and never deadlock', async () => {
      const { avail, complete } = await given();
      const accounts = await Promise.all(Array.from({ length: 3 }, () => avail(10_000n)));
      const [a, b, c] = accounts as [GuardedAccount, GuardedAccount, GuardedAccount];
      const circles = [move(a, b, 1n), move(b, c, 1n), move(c, a, 1n), move(b, a, 1n), move(a, c, 1n)];
      const tries = circles.flatMap((lines) =>
        Array.from({ length: 12 }, (_, i) => {
          const entry = complete({ kind: 'payment.executed', lines });
          // Directly to the database: nothing here would retry after a deadlock.
          return postSet(world.database, i % 2 ? [entry] : [entry, complete(filler())]);
        }),
      );
      assert.deepEqual(new Set(await Promise.all(tries)), new Set([undefined]));
      await clean();
    });

    it('money.md §11.5: unrelated entries do not wait for each other, whatever shared accounts they use', async () => {
      const { work, avail, tryPost, balances } = await given();
      const [a, b] = [await avail(10n), await avail(10n)];
      const lines = (account: GuardedAccount): Line[] => [
        line(account, 'DEBIT', 10n),
        line('FEES:USD', 'CREDIT', 1n),
        line('FX:USD', 'CREDIT', 4n),
        line('RAIL:SANDBOX:USD', 'CREDIT', 5n),
      ];
      await work.write(async (tx) => {
        post(tx, { kind: 'payment.converted', lines: lines(a) });
        await tx.flush();
        // The first has not committed yet, but the second can.
        assert.equal(await tryPost({ kind: 'payment.converted', lines: lines(b) }), undefined);
      });
      assert.deepEqual(await balances(a, b), [0n, 0n]);
      await clean();
    });

    it('decision 0018: in a shared commit no entry fails because of another one’s error', async () => {
      const { avail, complete, balances } = await given();
      const account = await avail();
      const poster = createPoster(world.database);
      const fine = () => poster(complete({ kind: 'deposit.received', lines: deposit(account, 1n) }));
      const broken = () =>
        poster({
          ...complete({ kind: 'deposit.received', lines: deposit(account, 1n) }),
          id: 'no uuid' as Id<never>,
        });
      const outcomes = await Promise.allSettled([fine(), fine(), broken(), fine(), broken(), fine()]);
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
      );
      assert.deepEqual(await balances(account), [4n]);
      await clean();
    });

    it('money.md §11.4: a rolled-back entry leaves nothing, whether it was written or not', async () => {
      const { work, avail, entryCount, balances } = await given();
      const account = await avail(5n);
      const before = await entryCount();
      for (const isWritten of [false, true]) {
        await assert.rejects(
          work.write(async (tx) => {
            post(tx, { kind: 'deposit.received', lines: deposit(account, 5n) });
            if (isWritten) await tx.flush();
            throw new Error('and then something else failed');
          }),
          /something else/,
        );
      }
      assert.equal(await entryCount(), before);
      assert.deepEqual(await balances(account), [5n]);
      await clean();
    });

    it('decision 0018: a transaction whose entry was refused commits nothing, even if the code caught the refusal', async () => {
      const { platformId, work, avail, balances } = await given();
      const [poor, other] = [await avail(5n), await avail()];
      let reason: Reason | undefined;
      await assert.rejects(
        work.write(async (tx) => {
          post(tx, { kind: 'deposit.received', lines: deposit(other, 1n) });
          await tx.flush();
          post(tx, { kind: 'payment.executed', lines: move(poor, other, 6n) });
          reason = await catchReason(tx.flush());
        }),
        /rolled back/,
      );
      assert.deepEqual(reason, about('insufficient', platformId, poor));
      assert.deepEqual(await balances(poor, other), [5n, 0n]);
      await clean();
    });
  });
});

/** The entry by itself, and in one commit with another entry. */
function alone(entry: Entry): [Entry[], Entry[]] {
  return [[entry], [filler(), entry]];
}

/** Asserts that one was posted and the others were replayed. */
function assertPostedOnce(reasons: (Reason | undefined)[]): void {
  const posted = reasons.filter((reason) => reason === undefined);
  const replayed = reasons.filter((reason) => reason?.name === 'replayed');
  assert.deepEqual([posted.length, replayed.length], [1, reasons.length - 1]);
}
