import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { violates } from '#foundation/database/failures.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { ReadTx } from '#foundation/database/tx.ts';
import { type Line, reversed } from '#foundation/ledger/entries.ts';
import { type GuardedAccount, LEDGER_KINDS, type LedgerKind, stepName } from '#foundation/ledger/kinds.ts';
import { findEverSuspended, findSuspended } from '#foundation/ledger/open-items-store.ts';
import {
  findStepsTaken,
  listNewestLines,
  listTransactionLines,
  openLedgerAccounts,
} from '#foundation/ledger/store.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { assertSound, deposit, type GivenLedger, givenLedger, move } from '#tests/given/ledger.ts';
import { listReceivables, listSuspended } from '#tests/given/open-items.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { plannedScans, type Scan } from '#tests/harness/planned-scans.ts';

const KINDS = Object.keys(LEDGER_KINDS) as LedgerKind[];

it('money.md §11: the rules have the same kinds as the code, with the same numbers', async () => {
  const text = await readFile(new URL('../../../docs/rules/money.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| (L\d+[a-z]?) [^|]*\| `([\w.]+)`(?:; `([\w.]+)`)? \|/gm)];
  const ruled = rows.flatMap(
    ([, no, name, second]) =>
    second === undefined ? [[name, no]] : [[name, `${no}a`], [second, `${no}b`]], // biome-ignore format: pairs
  );
  assert.deepEqual(ruled, Object.entries(LEDGER_KINDS));
});

it('money.md §11.3: steps are named by the number, so they are the same for entries of earlier versions', () => {
  assert.equal(stepName('payment.delivered'), 'L7#0');
  assert.equal(stepName('coin.hold_adjusted', 1), 'L26#1');
  for (const kind of ['payment.executed', 'payment.captured', 'payment.funded', 'payment.collected'] as const)
    assert.equal(stepName(kind), 'TAKE');
});

describe('entries of earlier versions, stored under the number of their kind', () => {
  const world = testWorld({ journalIsChecked: false });

  it('money.md §11.1: every kind is stored under its name, and the database knows the same steps', async () => {
    const { tryPost, work } = await givenLedger(world);
    for (const kind of KINDS) assert.equal(await tryPost(summed(kind, newUuid())), undefined, kind);
    const rows = await work.read(
      (tx) => tx.sql<{ kind: LedgerKind; step: string }>`
        select kind, step from ledger_entries where platform_id = ${tx.platformId} order by seq`,
    );
    assert.deepEqual(
      rows,
      KINDS.map((kind) => ({ kind, step: stepName(kind) })),
    );
    await assertSound(world);
  });

  it('money.md §11.3: none can be posted again under its name, nor the other way round', async () => {
    const ledger = await givenLedger(world);
    for (const kind of KINDS) {
      const transactionId = newUuid();
      await insertEarlier(ledger, kind, transactionId);
      assert.deepEqual(await ledger.tryPost(summed(kind, transactionId)), { name: 'replayed' }, kind);
      assert.deepEqual(await ledger.work.read((tx) => findStepsTaken(tx, [transactionId], stepName(kind))), [
        transactionId,
      ]);
      const later = newUuid();
      assert.equal(await ledger.tryPost(summed(kind, later)), undefined, kind);
      await assert.rejects(insertEarlier(ledger, kind, later), (error) =>
        violates(error, 'ledger_entries_step'),
      );
    }
    assert.equal(await ledger.entryCount(), BigInt(2 * (KINDS.length - 1)) + 1n);
    await assertSound(world);
  });

  it('money.md §12.8: a payer who paid under a number cannot pay again under any name', async () => {
    const ledger = await givenLedger(world);
    const [payer, other] = [await ledger.avail(50n), await ledger.avail()];
    const transactionId = newUuid();
    await insertEarlier(ledger, 'payment.executed', transactionId);
    for (const kind of [
      'payment.executed',
      'payment.captured',
      'payment.funded',
      'payment.collected',
    ] as const) {
      const again = { kind, transactionId, lines: move(payer, other, 50n) };
      assert.deepEqual(await ledger.tryPost(again), { name: 'replayed' }, kind);
    }
    assert.deepEqual(await ledger.balances(payer, other), [50n, 0n]);
  });

  it('money.md §11.1: one is reversed once, by an entry with a name', async () => {
    const ledger = await givenLedger(world);
    const transactionId = newUuid();
    const seq = await insertEarlier(ledger, 'payment.converted', transactionId);
    const back = {
      ...summed('payment.unwound', transactionId),
      id: newUuid(),
      reverses: stepName('payment.converted'),
    };
    assert.equal(await ledger.tryPost(back), undefined);
    assert.equal((await ledger.stored(back))[0]?.reversesSeq, seq);
    assert.deepEqual(await ledger.tryPost({ ...back, kind: 'refund.owed' }), { name: 'replayed' });
    await assertSound(world);
  });

  it('money.md §11.1: they are read under the name, alone and among new ones', async () => {
    const ledger = await givenLedger(world);
    const account = await ledger.avail();
    for (const kind of KINDS) {
      const transactionId = newUuid();
      await insertEarlier(ledger, kind, transactionId);
      const lines = await ledger.work.read((tx) => listTransactionLines(tx, transactionId));
      assert.deepEqual(new Set(lines.map((line) => line.kind)), new Set([kind]));
    }
    assert.equal(await ledger.tryPost({ kind: 'deposit.received', lines: deposit(account, 5n) }), undefined);
    const [newest] = await ledger.work.read((tx) => listNewestLines(tx, [account], 10));
    assert.equal(newest?.kind, 'deposit.received');
    await assertSound(world);
  });

  it('money.md §11.L12, §11.L20, §11.L21: suspended money waits under either name, and is resolved once', async () => {
    const ledger = await givenLedger(world);
    const { work, tryPost } = ledger;
    const seqs = [
      await insertEarlier(ledger, 'refund.suspended', newUuid(), SUSPENDED),
      await insertEarlier(ledger, 'receipt.suspended', newUuid(), SUSPENDED),
    ];
    assert.equal(await tryPost({ kind: 'refund.suspended', lines: SUSPENDED }), undefined);
    const waiting = await work.read(listSuspended);
    assert.deepEqual(
      waiting.map(({ kind }) => kind),
      ['refund.suspended', 'receipt.suspended', 'refund.suspended'],
    );
    assert.deepEqual(
      waiting.slice(0, 2).map(({ seq }) => seq),
      seqs,
    );
    for (const { id, seq, kind } of waiting) {
      assert.equal((await work.read((tx) => findSuspended(tx, id)))?.kind, kind);
      const resolve = { kind: 'suspense.resolved', reversesSeq: seq, lines: reversed(SUSPENDED) } as const;
      assert.equal(await tryPost(resolve), undefined);
      assert.deepEqual(await tryPost(resolve), { name: 'replayed' });
      assert.equal((await work.read((tx) => findEverSuspended(tx, id)))?.kind, kind);
    }
    assert.deepEqual(await work.read(listSuspended), []);
    await assertSound(world);
  });

  it('money.md §11.L12, §11.6: open items are read from what is open, however much was ever booked', async () => {
    const { platformId, work, tryPost } = await givenLedger(world);
    for (let n = 0; n < 30; n++) await tryPost({ kind: 'receipt.suspended', lines: SUSPENDED });
    const [kept, ...others] = await work.read(listSuspended);
    for (const { seq } of others)
      await tryPost({ kind: 'suspense.resolved', reversesSeq: seq, lines: reversed(SUSPENDED) });
    const owed: GuardedAccount = `RECEIVABLE:${newUuid()}:USD`;
    await work.write((tx) => openLedgerAccounts(tx, [{ account: owed, currency: 'USD' }]));
    const opened = () =>
      world.database.query<{ seqs: string[]; debts: string[] }>(sql`
        select array(select seq::text from open_suspense where platform_id = ${platformId}) as seqs,
               array(select amount::text from open_debts where platform_id = ${platformId}) as debts`);
    const owe = { kind: 'card.cleared', lines: move(owed, 'RAIL:CARD:USD', 40n) } as const;
    const repay = { kind: 'deposit.received', lines: move('RAIL:SANDBOX:USD', owed, 40n) } as const;
    const steps = [[owe, [40n]], [owe, [80n]], [repay, [40n]], [repay, []]] as const; // biome-ignore format: pairs
    for (const [entry, debts] of steps) {
      assert.equal(await tryPost(entry), undefined);
      assert.deepEqual(await opened(), [{ seqs: [String(kept?.seq)], debts: debts.map(String) }]);
      assert.deepEqual(
        (await work.read(listReceivables)).map(({ balance }) => balance),
        debts,
      );
    }
    const scans = await work.read(async (tx) => {
      const read: Scan[] = [];
      const explain = async (statement: Sql) => {
        read.push(...(await plannedScans(tx, statement)));
        return [];
      };
      await listSuspended(new ReadTx(tx.runtime, tx.platform, tx.actor, explain));
      return read;
    });
    assert.deepEqual(
      scans.map((scan) => [scan['Relation Name'], scan['Actual Rows']]),
      [['open_suspense', 1]],
    );
    await assertSound(world);
  });

  it('money.md §11.1: an entry of an unknown kind is refused by the database', async () => {
    const ledger = await givenLedger(world);
    for (const kind of ['payment.lost', 'L33', 'L13', ''])
      await assert.rejects(insert(ledger, kind, `${kind}#0`, newUuid(), SUMMED), (error) =>
        violates(error, 'ledger_entries_sound'),
      );
  });

  const SUMMED = move('RAIL:SANDBOX:USD', 'FEES:USD', 5n);
  const SUSPENDED = move('RAIL:SANDBOX:USD', 'SUSPENSE:USD', 5n);

  function summed(kind: LedgerKind, transactionId: TransactionId) {
    return { kind, transactionId, lines: SUMMED };
  }

  /** Stores an entry as earlier versions did. Returns its `seq`. */
  function insertEarlier(
    ledger: GivenLedger,
    kind: LedgerKind,
    transactionId: TransactionId,
    lines = SUMMED,
  ) {
    return insert(ledger, LEDGER_KINDS[kind], stepName(kind), transactionId, lines);
  }

  async function insert(
    { platformId }: GivenLedger,
    kind: string,
    step: string,
    transactionId: TransactionId,
    lines: Line[],
  ): Promise<bigint | undefined> {
    const [row] = await world.database.query<{ seq: bigint }>(sql`
      insert into ledger_entries
        (platform_id, seq, id, transaction_id, created_at, recorded_at, ordinal, kind, step, accounts, currencies, amounts,
         account_nos, balances)
      values (${platformId}, nextval('ledger_seq'), ${newUuid()}, ${transactionId}, now(), now(), 0, ${kind}, ${step},
              ${lines.map(({ account }) => account)}::text[], ${lines.map(({ currency }) => currency)}::text[],
              ${lines.map(({ side, amount }) => (side === 'DEBIT' ? amount : -amount))}::bigint[],
              array[null, null]::bigint[], array[null, null]::bigint[])
      returning seq`);
    return row?.seq;
  }
});
