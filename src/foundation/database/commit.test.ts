// lane: whole — databases at their limits

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadUsed, useCounter } from '#foundation/counters/store.ts';
import type { CollectedItems } from '#foundation/database/changes.ts';
import { type Commit, createCommit } from '#foundation/database/commit.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { DatabaseUnavailable, sqlFailure } from '#foundation/database/failures.ts';
import type { Reason } from '#foundation/database/reasons.ts';
import { versionedRows } from '#foundation/database/rows.ts';
import { compile, type Sql, sql } from '#foundation/database/sql.ts';
import { Change } from '#foundation/database/tx.ts';
import { bodyHash, type KeyUse, keepReply } from '#foundation/http/idempotency/idempotency.ts';
import type { Entry } from '#foundation/ledger/entries.ts';
import { type GuardedAccount, type LedgerKind, stepName } from '#foundation/ledger/kinds.ts';
import { post } from '#foundation/ledger/post.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { about, assertSound, deposit, type GivenLedger, givenLedger, move } from '#tests/given/ledger.ts';
import { PATIENCE } from '#tests/harness/databases.ts';
import { testWorld } from '#tests/harness/harness.ts';

interface Thing {
  readonly platform_id: string;
  readonly id: string;
  readonly version: bigint;
  readonly note: string;
}

/** Versioned rows like those of any product. */
const THINGS = versionedRows<Thing>({ table: 'test_things', fixed: {}, state: { note: 'text' } });

const FULL = 10n ** 18n;
const LIMIT = 1_000_000n;
const COUNTER = { name: 'TEST:used', period: '2026-03-02', value: [1n, 1n], limit: LIMIT } as const;

describe('shared commits', () => {
  const world = testWorld({ journalIsChecked: false });
  before(() =>
    world.database.query(sql`
      create table test_things (
        platform_id uuid, id uuid, version bigint not null, note text not null, primary key (platform_id, id))`),
  );

  describe('a refused change does not affect the others in its batch', () => {
    it('decision 0018: one refused change among 500, for any reason: all others are committed, each once', async () => {
      const scene = await given();
      for (const culprit of scene.culprits) {
        const changes = await scene.innocents(500);
        changes.splice(311, 0, await culprit.change());
        await scene.commitsAll(changes, new Map([[311, culprit.reason]]));
      }
      await assertSound(world);
    });

    it('decision 0018: every third change is refused, for all reasons in turn', async () => {
      const scene = await given();
      const changes = await scene.innocents(200);
      const expected = new Map<number, Reason>();
      for (let i = 0; i < changes.length; i += 3) {
        const culprit = scene.culprits[(i / 3) % scene.culprits.length] as Culprit;
        changes[i] = await culprit.change();
        expected.set(i, culprit.reason);
      }
      await scene.commitsAll(changes, expected);
      await assertSound(world);
    });

    it('decision 0018: all changes are refused', async () => {
      const scene = await given();
      const changes: Made[] = [];
      const expected = new Map<number, Reason>();
      for (const culprit of [...scene.culprits, ...scene.culprits]) {
        expected.set(changes.length, culprit.reason);
        changes.push(await culprit.change());
      }
      await scene.commitsAll(changes, expected);
    });

    it('decision 0018: only a change that fails without a reason throws', async () => {
      const scene = await given();
      const unknown = 'payment.lost' as LedgerKind;
      for (const broken of [{ id: 'no uuid' as Id<never> }, { kind: unknown, transactionId: newUuid() }]) {
        const changes = await scene.innocents(40);
        const wrong = await scene.make((change) =>
          post(change, { kind: 'deposit.received', lines: deposit(scene.account(0), 1n), ...broken }),
        );
        await assertThrowsAlone(scene, { ...wrong, id: newUuid() }, changes);
      }
      await assertSound(world);
    });

    it('decision 0018: only a change whose values cannot be serialized throws', async () => {
      const scene = await given();
      const changes = await scene.innocents(10);
      const row = { ...thing(scene.ledger, newUuid(), 1n), note: new Date(Number.NaN) as unknown as string };
      const wrong = await scene.make((change) => change.collect(THINGS.writer, { from: undefined, row }));
      await assertThrowsAlone(scene, wrong, changes);
      await assertSound(world);
    });

    it('money.md §3.4: of many changes to one account the first ones are committed, as far as the balance goes', async () => {
      const scene = await given();
      const { ledger } = scene;
      const poor = await ledger.avail(100n);
      // 30, 30 and 30 are covered; then only amounts that fit into the remaining 10, in order of arrival.
      const amounts = [30n, 30n, 30n, 30n, 4n, 30n, 7n, 6n, 1n, 30n];
      const fits = [true, true, true, false, true, false, false, true, false, false];
      const changes = await scene.innocents(50);
      const expected = new Map<number, Reason>();
      for (const [i, amount] of amounts.entries()) {
        const lines = move(poor, 'FEES:USD', amount);
        changes.splice(
          4 * i,
          0,
          await scene.make((change, id) => post(change, { id, kind: 'payment.unwound', lines })),
        );
        if (!fits[i]) expected.set(4 * i, about('insufficient', ledger.platformId, poor));
      }
      await scene.commitsAll(changes, expected);
      assert.deepEqual(await ledger.balances(poor), [0n]);
      await assertSound(world);
    });

    it('money.md §8.2: of many changes to one counter the first ones are committed, up to its limit', async () => {
      const scene = await given();
      const use = { ...COUNTER, name: 'TEST:scarce', limit: 5n };
      const changes: Made[] = [];
      for (let i = 0; i < 12; i++) changes.push(await scene.make((change) => useCounter(change, use)));
      const reason = { name: 'limit', subject: `${scene.ledger.platformId} ${use.name}` };
      const commit = createCommit(world.database, () => undefined);
      const reasons = await Promise.all(changes.map(({ change }) => commit(change)));
      assert.deepEqual(
        reasons,
        changes.map((_, i) => (i < 5 ? undefined : reason)),
      );
      assert.deepEqual(await scene.used(use.name), [5n, 1n]);
    });
  });

  describe('many concurrent changes to one row or one key', () => {
    it('decision 0018: one is committed, and the batch of unrelated changes is not split', async () => {
      const scene = await given();
      const row = newUuid();
      await commitRows(scene, [row], undefined);
      const { commit, trips } = observed();
      const strangers = await scene.innocents(20);
      const crowd = await Promise.all(Array.from({ length: 30 }, () => scene.rowChange(row, 1n)));
      const mixed = [...strangers.slice(0, 7), ...crowd, ...strangers.slice(7)];
      const reasons = await Promise.all(mixed.map(({ change }) => commit(change)));
      assert.deepEqual(
        reasons,
        mixed.map((one) => (strangers.includes(one) || one === crowd[0] ? undefined : { name: 'stale' })),
      );
      assert.equal(trips.length, 1);
      await scene.areStored(strangers, () => true);
      await assertSound(world);
    });

    it('platform.md §2.3: one call with a key is committed, and the batch of unrelated changes is not split', async () => {
      const scene = await given();
      const key = newUuid();
      const { commit, trips } = observed();
      const strangers = await scene.innocents(20);
      const repeated = await Promise.all(
        Array.from({ length: 30 }, () =>
          scene.make((change) => keepReply(change, keyUse(change, key), { status: 200, body: '{}' })),
        ),
      );
      const mixed = [...strangers.slice(0, 7), ...repeated, ...strangers.slice(7)];
      const reasons = await Promise.all(mixed.map(({ change }) => commit(change)));
      assert.deepEqual(
        reasons,
        mixed.map((one) => (strangers.includes(one) || one === repeated[0] ? undefined : { name: 'stale' })),
      );
      assert.equal(trips.length, 1);
      await assertSound(world);
    });

    it('money.md §3.4: if the first change is refused, the next one is tried by itself', async () => {
      const scene = await given();
      const { ledger } = scene;
      const row = newUuid();
      await commitRows(scene, [row], undefined);
      const poor = await ledger.avail(5n);
      const spend = (amount: bigint) =>
        scene.make((change, id) => {
          change.collect(THINGS.writer, { from: 1n, row: thing(ledger, row, 2n) });
          post(change, { id, kind: 'payment.unwound', lines: move(poor, 'FEES:USD', amount) });
        });
      const changes = await Promise.all([7n, 6n, 5n, 4n].map(spend));
      const commit = createCommit(world.database, () => undefined);
      const reasons = await Promise.all(changes.map(({ change }) => commit(change)));
      const insufficient = about('insufficient', ledger.platformId, poor);
      assert.deepEqual(reasons, [insufficient, insufficient, undefined, { name: 'stale' }]);
      assert.deepEqual(await ledger.balances(poor), [0n]);
      await assertSound(world);
    });

    it('decision 0018: if the database is unavailable all fail at once, not one after the other', async () => {
      const scene = await given();
      const { change } = await scene.rowChange(newUuid(), 1n);
      let trips = 0;
      const away: Pick<Database, 'commit'> = {
        commit() {
          trips++;
          return Promise.reject(new DatabaseUnavailable(new Error('Connection terminated')));
        },
      };
      const commit = createCommit(away, () => undefined);
      const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => commit(change)));
      assert.deepEqual(new Set(outcomes.map(({ status }) => status)), new Set(['rejected']));
      assert.equal(trips, 1);
    });
  });

  describe('a change that competes for something refused recently', () => {
    it('decision 0018: commits apart, and the batch of unrelated changes is not split', async () => {
      const scene = await given();
      for (const culprit of scene.culprits.filter(({ reason }) => reason.subject !== undefined)) {
        const { commit, trips } = observed();
        assert.deepEqual(await commit((await culprit.change()).change), culprit.reason);
        for (let round = 0; round < 3; round++) {
          trips.length = 0;
          const strangers = await scene.innocents(10);
          const suspect = await culprit.change();
          const reasons = await Promise.all([...strangers, suspect].map(({ change }) => commit(change)));
          assert.deepEqual(reasons, [...strangers.map(() => undefined), culprit.reason]);
          assert.deepEqual(
            trips.map((trip) => idsIn(trip, [...strangers, suspect])).toSorted((a, b) => b.length - a.length),
            [strangers.map(({ id }) => id), [suspect.id]],
            `${culprit.reason.name}: one trip for all strangers, one for the suspect`,
          );
        }
      }
      await assertSound(world);
    });

    it('decision 0018: commits with the others again once it has succeeded for a while', async () => {
      const scene = await given();
      const { ledger } = scene;
      const poor = await ledger.avail(1n);
      const spend = (amount: bigint) =>
        scene.make((change, id) =>
          post(change, { id, kind: 'payment.unwound', lines: move(poor, 'FEES:USD', amount) }),
        );
      const { commit, trips } = observed();
      assert.equal((await commit((await spend(2n)).change))?.name, 'insufficient');
      assert.equal(
        await ledger.tryPost({ kind: 'deposit.received', lines: deposit(poor, 1_000n) }),
        undefined,
      );
      const countTrips = async () => {
        trips.length = 0;
        const changes = [...(await scene.innocents(3)), await spend(1n)];
        const reasons = await Promise.all(changes.map(({ change }) => commit(change)));
        assert.deepEqual(new Set(reasons), new Set([undefined]));
        return trips.length;
      };
      const seen: number[] = [];
      for (let round = 0; round < 20; round++) seen.push(await countTrips());
      assert.deepEqual(seen, [...Array.from({ length: 16 }, () => 2), 1, 1, 1, 1]);
      await assertSound(world);
    });

    it('decision 0018: shares its batch with few others of its kind', async () => {
      const scene = await given();
      const poor = scene.culprits.find(({ reason }) => reason.name === 'insufficient') as Culprit;
      const { commit, trips } = observed();
      await commit((await poor.change()).change);
      trips.length = 0;
      const suspects = await Promise.all(Array.from({ length: 40 }, () => poor.change()));
      const reasons = await Promise.all(suspects.map(({ change }) => commit(change)));
      assert.deepEqual(new Set(reasons.map((reason) => reason?.name)), new Set(['insufficient']));
      assert.equal(Math.max(...trips.map((trip) => idsIn(trip, suspects).length)), 16);
    });
  });

  describe('two processes', () => {
    it('decision 0018: that need the same accounts and counters in different orders never deadlock', async () => {
      const scene = await given();
      const [a, b, c, d] = Array.from({ length: 4 }, (_, i) => scene.account(i)) as [
        GuardedAccount,
        GuardedAccount,
        GuardedAccount,
        GuardedAccount,
      ];
      const circles = [
        [a, b],
        [b, c],
        [c, d],
        [d, a],
        [b, a],
        [d, c],
      ] as const;
      const make = (i: number) =>
        scene.make((change, id) => {
          const [from, to] = circles[i % circles.length] as readonly [GuardedAccount, GuardedAccount];
          const transactionId = newUuid();
          useCounter(change, { ...COUNTER, name: `TEST:${i % 3}` });
          post(change, { kind: 'payment.executed', transactionId, lines: move(from, to, 1n) });
          // Reverses the amount in the same commit, with lines of other accounts.
          const [other, another] = circles[(i + 2) % circles.length] as readonly [
            GuardedAccount,
            GuardedAccount,
          ];
          const lines = move(other, another, 1n);
          if (i % 4 === 0)
            post(change, {
              id,
              kind: 'payment.unwound',
              transactionId,
              lines,
              reverses: stepName('payment.executed'),
            });
          else post(change, { id, kind: 'payment.converted', transactionId, lines });
        });
      const { reasons, deadlocks } = await twoProcesses(60, async (round) => [
        await Promise.all([0, 1, 2, 3, 4, 5].map((i) => make(round + i))),
        await Promise.all([5, 4, 3, 2, 1, 0].map((i) => make(round + i))),
      ]);
      assert.deepEqual(new Set(reasons), new Set([undefined]));
      assert.equal(reasons.length, 60 * 12);
      assert.equal(deadlocks, 0n);
      await assertSound(world);
    });

    it('decision 0018: that store the same keys of two platforms in different orders never deadlock', async () => {
      const scenes = [await given(), await given()];
      const { reasons, deadlocks } = await twoProcesses(20, async (round) => {
        const keep = (scene: Scene, n: number) =>
          scene.make((change) =>
            keepReply(change, keyUse(change, `${round} ${n}`), { status: 200, body: '{}' }),
          );
        // Each key of both platforms is assigned to the same one of the three commits.
        const all = (order: readonly Scene[]) =>
          Promise.all(
            Array.from({ length: 20 }, (_, n) =>
              order.flatMap((scene) => [3 * n, 3 * n + 1, 3 * n + 2].map((key) => keep(scene, key))),
            ).flat(),
          );
        return [await all(scenes), await all(scenes.toReversed())];
      });
      const kept = reasons.filter((reason) => reason === undefined);
      assert.equal(kept.length, 20 * 120);
      assert.equal(deadlocks, 0n);
    });

    it('decision 0018: that change the same rows in different orders never deadlock, and each row changes once', async () => {
      const scene = await given();
      const ids = Array.from({ length: 6 }, newUuid);
      await commitRows(scene, ids, undefined);
      const rounds = 40;
      const winners: number[] = [];
      const { deadlocks } = await twoProcesses(
        rounds,
        async (round) => {
          const changes = await Promise.all(ids.map((id) => scene.rowChange(id, BigInt(round + 1))));
          const others = await Promise.all(ids.map((id) => scene.rowChange(id, BigInt(round + 1))));
          return [changes, others.toReversed()];
        },
        (reasons) => {
          for (const reason of reasons) assert(reason === undefined || reason.name === 'stale');
          winners.push(reasons.filter((reason) => reason === undefined).length);
        },
      );
      assert.deepEqual(
        winners,
        Array.from({ length: rounds }, () => ids.length),
      );
      assert.equal(deadlocks, 0n);
      const rows = await scene.things(ids);
      assert.deepEqual(
        rows.map(({ version }) => version),
        ids.map(() => BigInt(rounds + 1)),
      );
    });
  });

  /** A change, and the id of the entry that shows whether it was committed. */
  interface Made {
    readonly change: Change;
    readonly id: string;
  }

  interface Culprit {
    readonly reason: Reason;
    /** Makes the same changes as an innocent one, and one that must be refused. */
    change(): Promise<Made>;
  }

  type Scene = Awaited<ReturnType<typeof given>>;

  async function given() {
    const ledger = await givenLedger(world);
    const accounts = await Promise.all(Array.from({ length: 10 }, () => ledger.avail(1_000n)));
    const account = (i: number) => accounts[i % accounts.length] as GuardedAccount;
    const blank = () => ledger.work.read(async (tx) => new Change(tx));
    const make = async (add: (change: Change, id: Id<never>) => void): Promise<Made> => {
      const [change, id] = [await blank(), newUuid()];
      add(change, id);
      return { change, id };
    };
    /** An entry with a step of its own, a new row, a counter, and a key with its reply. */
    const innocent = (i: number, more?: (change: Change) => void) =>
      make((change, id) => {
        const entry: Entry = {
          id,
          kind: 'payment.executed',
          transactionId: newUuid(),
          lines: move(account(i), account(i + 1), 1n),
        };
        post(change, entry);
        change.collect(THINGS.writer, { from: undefined, row: thing(ledger, id, 1n) });
        useCounter(change, COUNTER);
        keepReply(change, keyUse(change, id), { status: 200, body: '{}' });
        more?.(change);
      });
    const culprits = await givenCulprits(ledger, account(0), innocent);
    const things = (ids: readonly string[]) =>
      ledger.work.read(
        (tx) => tx.sql<Thing>`
          select ${THINGS.columns('t')} from test_things t
           where platform_id = ${tx.platformId} and id = any(${ids}::uuid[])`,
      );
    const used = (name: string) => ledger.work.read((tx) => loadUsed(tx, { ...COUNTER, name }));
    /** Asserts that committed changes are stored whole, and the others not at all. */
    const areStored = async (changes: readonly Made[], stands: (i: number) => boolean) => {
      const entries = await ledger.stored(...changes);
      assert.deepEqual(
        entries.map((entry) => entry !== undefined),
        changes.map((_, i) => stands(i)),
      );
    };
    return {
      ledger,
      account,
      make,
      culprits,
      things,
      used,
      areStored,
      innocents: (size: number) => Promise.all(Array.from({ length: size }, (_, i) => innocent(i))),
      rowChange: (id: string, from: bigint) =>
        make((change) => change.collect(THINGS.writer, { from, row: thing(ledger, id, from + 1n) })),
      /** Commits all at once; each must have the expected result, and have stored all of its rows or none. */
      async commitsAll(changes: readonly Made[], expected: ReadonlyMap<number, Reason>): Promise<void> {
        const [before] = await used(COUNTER.name);
        const commit = createCommit(world.database, () => undefined);
        const reasons = await Promise.all(changes.map(({ change }) => commit(change)));
        assert.deepEqual(
          reasons,
          changes.map((_, i) => expected.get(i)),
        );
        await areStored(changes, (i) => !expected.has(i));
        const innocents = changes.filter(
          ({ change }, i) => !expected.has(i) && usesCounter(change.collected),
        );
        const stored = new Set((await things(changes.map(({ id }) => id))).map(({ id }) => id));
        assert.deepEqual(stored, new Set(innocents.map(({ id }) => id)), 'rows');
        const [after] = await used(COUNTER.name);
        assert.equal(after - before, BigInt(innocents.length), 'counter');
        assert.equal(await countKeys(ledger, changes), BigInt(innocents.length), 'keys');
      },
    };
  }

  async function givenCulprits(
    ledger: GivenLedger,
    rich: GuardedAccount,
    innocent: (i: number, more?: (change: Change) => void) => Promise<Made>,
  ): Promise<Culprit[]> {
    const { platformId } = ledger;
    const [poor, full] = [await ledger.avail(1n), await ledger.avail()];
    const most: Entry = { kind: 'deposit.received', lines: deposit(full, 10n ** 17n) };
    assert.equal(await ledger.tryPost(...Array.from({ length: 10 }, () => most)), undefined);
    assert.deepEqual(await ledger.balances(full), [FULL]);
    const missing: GuardedAccount = `AVAIL:${newUuid()}`;
    const step: Entry = { kind: 'payment.converted', transactionId: newUuid(), lines: deposit(rich, 1n) };
    const taken = newUuid();
    const row = newUuid();
    const first = await innocent(0, (change) => {
      post(change, step);
      keepReply(change, keyUse(change, taken), { status: 200, body: '{}' });
      change.collect(THINGS.writer, { from: undefined, row: thing(ledger, row, 2n) });
    });
    assert.equal(await createCommit(world.database, () => undefined)(first.change), undefined);
    const culprit = (reason: Reason, more: (change: Change) => void): Culprit => ({
      reason,
      change: () => innocent(1, more),
    });
    const scarce = { ...COUNTER, name: 'TEST:none', limit: 0n };
    return [
      culprit(about('insufficient', platformId, poor), (change) =>
        post(change, { kind: 'payment.unwound', lines: move(poor, 'FEES:USD', 2n) }),
      ),
      culprit(about('unknown_account', platformId, missing), (change) =>
        post(change, { kind: 'payment.unwound', lines: move(rich, missing, 1n) }),
      ),
      culprit(about('out_of_range', platformId, full), (change) =>
        post(change, { kind: 'deposit.received', lines: deposit(full, 1n) }),
      ),
      culprit({ name: 'replayed' }, (change) => post(change, step)),
      culprit({ name: 'stale' }, (change) =>
        change.collect(THINGS.writer, { from: 1n, row: thing(ledger, row, 2n) }),
      ),
      culprit({ name: 'limit', subject: `${platformId} ${scarce.name}` }, (change) =>
        useCounter(change, scarce),
      ),
      culprit({ name: 'key' }, (change) =>
        keepReply(change, keyUse(change, taken), { status: 200, body: '{}' }),
      ),
    ];
  }

  /** Commits as usual, and records the statements of each round trip. */
  function observed(): { commit: Commit; trips: Sql[][] } {
    const trips: Sql[][] = [];
    const commit = createCommit(
      {
        commit(pieces) {
          trips.push([...pieces]);
          return world.database.commit(pieces);
        },
      },
      () => undefined,
    );
    return { commit, trips };
  }

  /** In each round both processes commit at the same time; returns how often PostgreSQL had to end a deadlock. */
  async function twoProcesses(
    rounds: number,
    makeRound: (round: number) => Promise<[Made[], Made[]]>,
    assertReasons: (reasons: (Reason | undefined)[]) => void = () => undefined,
  ): Promise<{ reasons: (Reason | undefined)[]; deadlocks: bigint }> {
    const before = await deadlocksSoFar();
    let seen = 0n;
    const process = () => {
      const database = openDatabase({ url: world.databaseUrl, connectionsMax: 4, ...PATIENCE });
      const noting: Pick<Database, 'commit'> = {
        commit: (pieces) =>
          database.commit(pieces).catch((error: unknown) => {
            if (sqlFailure(error)?.code === '40P01') seen++;
            throw error;
          }),
      };
      // Several for each process, so that a process has more than one commit in flight.
      const commits = Array.from({ length: 3 }, () => createCommit(noting, () => undefined));
      return { close: database.close, commits };
    };
    const processes = [process(), process()];
    const commits = processes.flatMap((one) => one.commits);
    const all: (Reason | undefined)[] = [];
    for (let round = 0; round < rounds; round++) {
      const made = await makeRound(round);
      const reasons = await Promise.all(
        made.flatMap((changes, p) =>
          changes.map(({ change }, i) => (commits[3 * p + (i % 3)] as Commit)(change)),
        ),
      );
      assertReasons(reasons);
      all.push(...reasons);
    }
    // A session reports the statistics of its deadlocks at its end at the latest.
    for (const { close } of processes) await close();
    const counted = (await deadlocksSoFar()) - before;
    return { reasons: all, deadlocks: seen > counted ? seen : counted };
  }

  async function deadlocksSoFar(): Promise<bigint> {
    const [row] = await world.database.query<{ deadlocks: bigint }>(
      sql`select deadlocks from pg_stat_database where datname = current_database()`,
    );
    return row?.deadlocks ?? 0n;
  }

  /** Asserts that this change throws when it is committed with these, and that they are stored. */
  async function assertThrowsAlone(scene: Scene, wrong: Made, innocents: readonly Made[]): Promise<void> {
    const changes = innocents.toSpliced(7, 0, wrong);
    const commit = createCommit(world.database, () => undefined);
    const outcomes = await Promise.allSettled(changes.map(({ change }) => commit(change)));
    assert.deepEqual(
      outcomes.flatMap(({ status }, i) => (status === 'rejected' ? [i] : [])),
      [7],
    );
    await scene.areStored(changes, (i) => i !== 7);
  }

  async function commitRows({ ledger, make }: Scene, ids: readonly string[], from: bigint | undefined) {
    const commit = createCommit(world.database, () => undefined);
    const { change } = await make((collecting) => {
      for (const id of ids) collecting.collect(THINGS.writer, { from, row: thing(ledger, id, 1n) });
    });
    assert.equal(await commit(change), undefined);
  }

  async function countKeys({ work }: GivenLedger, changes: readonly Made[]): Promise<bigint> {
    const [row] = await work.read(
      (tx) => tx.sql<{ count: bigint }>`
        select count(*) as count from idempotency_keys
         where platform_id = ${tx.platformId} and key = any(${changes.map(({ id }) => id)}::text[])`,
    );
    return row?.count ?? 0n;
  }
});

function thing({ platformId }: GivenLedger, id: string, version: bigint): Thing {
  return { platform_id: platformId, id, version, note: `as of ${version}` };
}

function keyUse({ runtime }: Change, key: string): KeyUse {
  const hash = bodyHash(runtime.vault, null);
  return { scope: 'POST /test', key, bodyHash: hash, conflict: 'CONFLICT', secretReply: false };
}

function usesCounter(collected: CollectedItems): boolean {
  return collected.contested().some((name) => name.endsWith(COUNTER.name));
}

/** The ids of the changes whose entries were in this round trip. */
function idsIn(trip: readonly Sql[], changes: readonly { readonly id: string }[]): string[] {
  const sent = trip.flatMap((piece) => compile(piece).values.map(String)).join(' ');
  return changes.filter(({ id }) => sent.includes(id)).map(({ id }) => id);
}
