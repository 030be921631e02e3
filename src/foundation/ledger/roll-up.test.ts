import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Work } from '#foundation/database/work.ts';
import { verifyLedger, violationsIn } from '#foundation/ledger/checks.ts';
import type { Line } from '#foundation/ledger/entries.ts';
import type { LedgerKind } from '#foundation/ledger/kinds.ts';
import { post } from '#foundation/ledger/post.ts';
import { loadSum, rollUpLedger } from '#foundation/ledger/store.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('sums of shared accounts', () => {
  const world = testWorld({ journalIsChecked: false });

  it('money.md §11.5: a sum is the same before, between and after roll-ups', async () => {
    const work = await given();
    assert.deepEqual(await fees(work), { debit: 0n, credit: 0n });
    for (let round = 1n; round <= 4n; round++) {
      await posted(work, 'payment.converted', fee(10n));
      await posted(work, 'payment.unwound', takenBack(3n));
      assert.deepEqual(await fees(work), { debit: 3n * round, credit: 10n * round });
      await rollUp(work);
      assert.deepEqual(await fees(work), { debit: 3n * round, credit: 10n * round });
      await clean();
    }
    await rollUpTo(work, 8n);
    assert.deepEqual(await fees(work), { debit: 12n, credit: 40n });
    await clean();
  });

  it('money.md §11.5: an uncommitted entry is not missed, however late it commits', async () => {
    const work = await given();
    await work.write(async (tx) => {
      // This entry draws its number first and commits last.
      post(tx, { kind: 'payment.converted', lines: fee(1n) });
      await tx.flush();
      for (let round = 0; round < 3; round++) {
        await posted(work, 'payment.converted', fee(100n));
        await rollUp(work);
      }
      assert.equal(await rolledLines(work), 0n, 'nothing is rolled up while the first transaction is open');
      assert.equal((await fees(work)).credit, 300n, 'nothing committed is missing meanwhile');
    });
    assert.equal((await fees(work)).credit, 301n);
    await rollUpTo(work, 4n);
    assert.equal((await fees(work)).credit, 301n);
    await clean();
  });

  it('money.md §11.1, §11.5: an entry that is rolled back leaves only a gap', async () => {
    const work = await given();
    await assert.rejects(
      work.write(async (tx) => {
        post(tx, { kind: 'payment.converted', lines: fee(1n) });
        await tx.flush();
        throw new Error('undone');
      }),
    );
    await posted(work, 'payment.converted', fee(5n));
    await rollUpTo(work, 1n);
    assert.deepEqual(await fees(work), { debit: 0n, credit: 5n });
    await clean();
  });

  it('decision 0003: processes that roll up at the same time add every line once', async () => {
    const work = await given();
    for (let round = 1n; round <= 5n; round++) {
      await Promise.all([
        ...Array.from({ length: 6 }, () => rollUp(work)),
        ...Array.from({ length: 6 }, () => posted(work, 'payment.converted', fee(1n))),
      ]);
      assert.equal((await fees(work)).credit, 6n * round);
    }
    await clean();
  });

  it('money.md §11.5: roll-ups continue after a restore into a cluster with other transaction numbers', async () => {
    const work = await given();
    await posted(work, 'payment.converted', fee(2n));
    await rollUp(work);
    await work.write(async (tx) => {
      await tx.sql`update ledger_rollup_marks set next_xid = 9000000000000000 where platform_id = ${tx.platformId}`;
    });
    await rollUpTo(work, 1n);
    await clean();
  });

  it('money.md §11.5: a roll-up inside another transaction is refused, because its bounds would be wrong', async () => {
    const work = await given();
    await assert.rejects(
      work.write(async (tx) => {
        post(tx, { kind: 'payment.converted', lines: fee(1n) });
        await tx.flush();
        await tx.sql`select ledger_roll_up(${tx.platformId})`;
      }),
      /transaction of its own/,
    );
  });

  async function given(): Promise<Work> {
    return (await world.platform()).work();
  }

  function posted(work: Work, kind: LedgerKind, lines: Line[]): Promise<void> {
    return work.write(async (tx) => post(tx, { kind, lines }));
  }

  function rollUp(work: Work): Promise<bigint | undefined> {
    return rollUpLedger(world.database, work.platform.id);
  }

  /** Repeats the roll-up until it is done: any open transaction of the whole cluster delays it. */
  async function rollUpTo(work: Work, lines: bigint): Promise<void> {
    while ((await rolledLines(work)) < lines) await rollUp(work);
    assert.equal(await rolledLines(work), lines);
  }

  function fees(work: Work): Promise<{ debit: bigint; credit: bigint }> {
    return work.read((tx) => loadSum(tx, 'FEES:USD'));
  }

  function rolledLines(work: Work): Promise<bigint> {
    return work.read(async (tx) => {
      const [row] = await tx.sql<{ lines: bigint }>`
        select coalesce(sum(line_count), 0)::bigint as lines from ledger_rollups
         where platform_id = ${tx.platformId} and account = 'FEES:USD'`;
      return row?.lines ?? 0n;
    });
  }

  async function clean(): Promise<void> {
    assert.deepEqual(violationsIn(await verifyLedger(world.database.query)), []);
  }
});

function fee(amount: bigint): Line[] {
  return [
    { account: 'RAIL:SANDBOX:USD', currency: 'USD', side: 'DEBIT', amount },
    { account: 'FEES:USD', currency: 'USD', side: 'CREDIT', amount },
  ];
}

function takenBack(amount: bigint): Line[] {
  return [
    { account: 'FEES:USD', currency: 'USD', side: 'DEBIT', amount },
    { account: 'RAIL:SANDBOX:USD', currency: 'USD', side: 'CREDIT', amount },
  ];
}
