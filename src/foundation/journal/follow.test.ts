import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import type { Work } from '#foundation/database/work.ts';
import { DERIVED_CHECKS } from '#foundation/journal/checks.ts';
import { followJournal } from '#foundation/journal/follow.ts';
import { JournalFollower } from '#foundation/journal/follower.ts';
import { loadReadState } from '#foundation/journal/lines-store.ts';
import { verifyLedger, violationsIn } from '#foundation/ledger/checks.ts';
import { post } from '#foundation/ledger/post.ts';
import { readJournal } from '#tests/given/journal.ts';
import { filler, givenLedger, move } from '#tests/given/ledger.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('the follower of the journal', () => {
  const world = testWorld({ journalIsChecked: false });

  it('money.md §13.1: every entry is read once, in order, with a running balance for each account', async () => {
    const { work, avail, platformId } = await givenLedger(world);
    const account = await avail(100n);
    await work.write(async (tx) => {
      post(tx, { kind: 'payment.executed', lines: move(account, 'RAIL:SANDBOX:USD', 30n) });
    });
    await readJournal(world, platformId);
    const lines = await linesOf(work, account);
    assert.deepEqual(lines, [
      ['-100', '-100'],
      ['30', '-70'],
    ]);
    assert.deepEqual(await linesOf(work, 'AVAIL'), lines, 'the sum of all accounts of the kind');
    assert.deepEqual(await linesOf(work, 'RAIL:SANDBOX:USD'), [
      ['100', '100'],
      ['-30', '70'],
    ]);
    assert.deepEqual(await linesOf(work, 'RAIL'), [], 'a shared account is its own sum');
    await holds();
  });

  it('money.md §13.3: an entry that commits late is read, in its place', async () => {
    const { work, platformId } = await givenLedger(world);
    await work.write(async (tx) => {
      // This entry draws its number first and commits last.
      post(tx, filler());
      await tx.flush();
      for (let round = 0; round < 4; round++) {
        await postFiller(work);
        assert.equal(
          await followJournal(world.database, platformId),
          0,
          'later entries wait for the first one',
        );
      }
    });
    await readJournal(world, platformId);
    assert.equal(await readOnce(work), 5);
    await holds();
  });

  it('money.md §13.3: readers that race each other and postings read every entry once', async () => {
    const { work, platformId } = await givenLedger(world);
    const rounds = Array.from({ length: 12 }, async (_, i) => {
      for (let round = 0; round < 6; round++) {
        if (i % 3 === 0) await followJournal(world.database, platformId, 3);
        else if (i % 3 === 1) await postFiller(work);
        else {
          // Numbers are drawn long before the commit, and some are never committed.
          await work
            .write(async (tx) => {
              post(tx, filler());
              await tx.flush();
              await postFiller(work);
              await followJournal(world.database, platformId, 2);
              if (round % 2 === 0) throw new Error('undone');
            })
            .catch((error: Error) => assert.equal(error.message, 'undone'));
        }
      }
    });
    await Promise.all(rounds);
    await readJournal(world, platformId);
    assert.equal(await readOnce(work), 4 * 6 + 4 * 6 + 4 * 3);
    await holds();
  });

  it('money.md §13.1: an entry with an earlier business time goes before lines that are there', async () => {
    const { work, platformId } = await givenLedger(world);
    await postFiller(work);
    world.clock.advance(60_000);
    await postFiller(work);
    await readJournal(world, platformId);
    await postAt(work, 5n, '30 seconds');
    await postAt(work, 7n, '90 seconds');
    await postFiller(work);
    await readJournal(world, platformId);
    const lines = await linesOf(work, 'SUSPENSE:USD');
    assert.deepEqual(lines, [
      ['-7', '-7'],
      ['-1', '-8'],
      ['-5', '-13'],
      ['-1', '-14'],
      ['-1', '-15'],
    ]);
    await holds();
  });

  it('decision 0041: a worker takes one step of each platform in turn, and goes on after a failure', async () => {
    const [large, small, broken] = [
      await givenLedger(world),
      await givenLedger(world),
      await givenLedger(world),
    ];
    await large.work.write(async (tx) => {
      for (let i = 0; i < 2_500; i++) post(tx, filler());
    });
    await postFiller(small.work);
    await postFiller(broken.work);
    await world.database.query(sql`
      insert into journal_chain (platform_id, seq, entry_id, hash)
      select platform_id, seq + 1000000, id, '' from ledger_entries where platform_id = ${broken.platformId}`);
    const failed = new Set<PlatformId | undefined>();
    const follower = new JournalFollower(
      world.app.runtime,
      (_error, platformId) => void failed.add(platformId),
    );
    await follow(follower, [large.platformId, small.platformId]);
    await follower.drain(60_000);
    assert.deepEqual([await readOnce(large.work), await readOnce(small.work)], [2_500, 1]);
    assert.deepEqual([...failed], [broken.platformId]);
    assert.ok(follower.finished() >= 2_501);
    const transactions = async (platformId: PlatformId) =>
      world.database.query<{ first: bigint; last: bigint }>(sql`
        select min(xmin::text::bigint) as first, max(xmin::text::bigint) as last from journal_chain
         where platform_id = ${platformId}`);
    const [[ofLarge], [ofSmall]] = [
      await transactions(large.platformId),
      await transactions(small.platformId),
    ];
    assert.ok(
      ofLarge && ofSmall && ofSmall.first < ofLarge.last,
      'the small one did not wait for the large one',
    );
    await holds();
  });

  it('money.md §13.3: whatever step a reader dies at, nothing is read twice or left out', async () => {
    const { work, platformId } = await givenLedger(world);
    for (let i = 0; i < 7; i++) await postFiller(work);
    const dying = {
      ...world.database,
      transaction: ((steps) =>
        world.database.transaction(async (run, runAll) => {
          let calls = 0;
          const count = () => {
            if (++calls === deadline) throw new Error('killed');
          };
          const result = await steps(
            (piece) => {
              count();
              return run(piece);
            },
            async (pieces) => {
              await runAll(pieces.slice(0, cut));
              count();
              await runAll(pieces.slice(cut));
              count();
            },
          );
          count();
          return result;
        })) as typeof world.database.transaction,
    };
    let deadline = 0;
    let cut = 0;
    let kills = 0;
    for (const at of [1, 2, 3, 4, 5, 6, 7]) {
      for (cut = 0; cut <= 3; cut++) {
        deadline = at;
        await followJournal(dying, platformId, 2).catch((error: Error) => {
          assert.equal(error.message, 'killed');
          kills++;
        });
        await postFiller(work);
      }
    }
    assert.ok(kills >= 12, `${kills}`);
    await readJournal(world, platformId);
    assert.equal(await readOnce(work), 7 + 28);
    await holds();
  });

  function postFiller(work: Work): Promise<void> {
    return work.write(async (tx) => post(tx, filler()));
  }

  /** Posts an entry whose business time is earlier than now, as a process with another clock would. */
  async function postAt(work: Work, amount: bigint, earlier: string): Promise<void> {
    await world.database.query(sql`
      insert into ledger_entries
        (platform_id, seq, id, created_at, recorded_at, ordinal, kind, step, accounts, currencies, amounts,
         account_nos, balances)
      select platform_id, nextval('ledger_seq'), gen_random_uuid(), created_at - ${earlier}::interval, recorded_at,
             ordinal, kind, step, accounts, currencies,
             array(select sign(a) * ${amount}::bigint from unnest(amounts) a), account_nos, balances
        from ledger_entries where platform_id = ${work.platform.id} order by seq desc limit 1`);
  }

  /** The amounts of an account's lines with its balances, in order. */
  async function linesOf(work: Work, account: string): Promise<[string, string][]> {
    const rows = await work.read(
      (tx) => tx.sql<{ amount: string; balance: string }>`
        select amount::text, balance::text from account_lines
         where platform_id = ${tx.platformId} and account = ${account} order by at, seq, line_no`,
    );
    return rows.map(({ amount, balance }) => [amount, balance]);
  }

  /** The number of entries that were read, each of them once. */
  async function readOnce(work: Work): Promise<number> {
    const state = await work.read(loadReadState);
    assert.equal(state.unreadSince, null);
    const [row] = await work.read(
      (tx) => tx.sql<{ posted: bigint; chained: bigint }>`
        select (select count(*) from ledger_entries where platform_id = ${tx.platformId}) as posted,
               (select count(*) from journal_chain where platform_id = ${tx.platformId}) as chained`,
    );
    assert.deepEqual([row?.chained, state.entries], [row?.posted, row?.posted]);
    return Number(state.entries);
  }

  async function follow(follower: JournalFollower, platforms: readonly PlatformId[]): Promise<void> {
    const isUnread = async () => {
      const rows = await world.database.query(sql`
        select from unnest(${platforms}::uuid[]) as p (id)
         where exists (select from ledger_entries e where e.platform_id = p.id
                        and e.seq > coalesce((select m.seq from journal_marks m where m.platform_id = p.id), 0))`);
      return rows.length > 0;
    };
    while (await isUnread()) {
      await follower.pump();
      await new Promise(setImmediate);
    }
  }

  async function holds(): Promise<void> {
    assert.deepEqual(violationsIn(await verifyLedger(world.database.query, DERIVED_CHECKS)), []);
  }
});
