import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  listAside,
  listFresh,
  markApplied,
  markKept,
  moveMark,
  postponeEvent,
  setFollowersAside,
} from '#capabilities/connectors/apply-store.ts';
import type { StoredEvent } from '#capabilities/connectors/event-store.ts';
import type { Run } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { testWorld } from '#tests/harness/harness.ts';

const BATCH = 100;
const NOW = new Date('2026-03-02T10:00:00Z');
const LATER = new Date('2026-03-02T10:05:00Z');

describe('the next events of a connector', () => {
  const world = testWorld();
  const { query, transaction } = {
    query: ((piece) => world.database.query(piece)) as Run,
    transaction: <T>(steps: (run: Run) => Promise<T>) => world.database.transaction(steps),
  };

  /** A connector that has listed events about these things, in this order. */
  const given = async (abouts: Sql) => {
    const [row] = await query<{ id: string }>(sql`
      insert into connectors (id, name, url, key_id, secret, capabilities_due_at, events_due_at, created_at)
      values (${randomUUID()}, ${`c${randomUUID().slice(0, 8)}`}, 'sealed', ${randomUUID()}, '\\x00', ${NOW}, ${NOW}, ${NOW})
      returning id`);
    const id = row?.id ?? '';
    await query(sql`
      insert into connector_events
        (connector_id, store, event_id, type, at, about, content_hash, body, received_at, due_at)
      select ${id}, 'store', 'event-' || a.place, 'BALANCE', ${NOW}, a.about, '\\x00', '\\x00', ${NOW}, ${NOW}
        from (${abouts}) a (about, place) order by a.place`);
    return id;
  };
  const listed = (...abouts: string[]) =>
    given(sql`select about, place from unnest(${abouts}::text[]) with ordinality as l (about, place)`);
  const named = (events: readonly StoredEvent[]) => events.map(({ event_id: id }) => id);

  /** Applies all events of a connector, and returns how many blocks the statements read in each batch. */
  const blocksPerBatch = async (id: string) => {
    const perBatch: number[] = [];
    for (;;) {
      const fresh = await listFresh(query, id, BATCH);
      const last = fresh.at(-1);
      if (!last) return perBatch;
      perBatch.push(
        await transaction(async (run) => {
          const read = { blocks: 0 };
          const explaining = explainingRun(run, read);
          await listFresh(explaining, id, BATCH);
          await listAside(explaining, id, NOW, BATCH);
          await setFollowersAside(explaining, id, fresh);
          await markKept(run, id, fresh, NOW);
          await moveMark(explaining, id, last.seq);
          return read.blocks;
        }),
      );
    }
  };

  it('connectors.md §6.4: finding the next events reads as many blocks after thousands of others as at first', async (t) => {
    const id = await given(sql`select 'thing-' || n, n from generate_series(1, 6000) n`);
    const blocks = await blocksPerBatch(id);
    assert.equal(blocks.length, 60);
    const mean = (part: number[]) => part.reduce((sum, each) => sum + each, 0) / part.length;
    const [early, late] = [mean(blocks.slice(0, 10)), mean(blocks.slice(-10))];
    t.diagnostic(`${early} blocks for each of the first batches, ${late} for each of the last`);
    assert.ok(late <= early * 1.25, `${early} blocks for each of the first batches, ${late} for the last`);
  });

  it('connectors.md §6.4: one that fails holds up later ones about the same thing, in the order of the list', async () => {
    const id = await listed('a', 'b', 'a', 'a');
    const fresh = await listFresh(query, id, BATCH);
    const [first, other, second, third] = fresh as [StoredEvent, StoredEvent, StoredEvent, StoredEvent];
    await postponeEvent(query, first, LATER);
    await transaction((run) => markApplied(run, other, 'applied', NOW));
    assert.deepEqual(await setFollowersAside(query, id, [second, third]), new Set([second.seq, third.seq]));
    await moveMark(query, id, third.seq);
    assert.deepEqual(named(await listFresh(query, id, BATCH)), []);
    assert.deepEqual(named(await listAside(query, id, NOW, BATCH)), []);
    for (const next of [first, second, third]) {
      assert.deepEqual(named(await listAside(query, id, LATER, BATCH)), [next.event_id]);
      await transaction((run) => markApplied(run, next, 'applied', LATER));
    }
    assert.deepEqual(named(await listAside(query, id, LATER, BATCH)), []);
  });

  it('connectors.md §6.4: an event is never left behind by a worker that is just applying the one before it', async () => {
    const id = await listed('a', 'a');
    const [first, second] = (await listFresh(query, id, BATCH)) as [StoredEvent, StoredEvent];
    await postponeEvent(query, first, NOW);
    const marked = Promise.withResolvers<undefined>();
    const end = Promise.withResolvers<undefined>();
    const applying = transaction(async (run) => {
      await markApplied(run, first, 'applied', NOW);
      marked.resolve(undefined);
      await end.promise;
    });
    await marked.promise;
    const aside = setFollowersAside(query, id, [second]);
    end.resolve(undefined);
    await Promise.all([applying, aside]);
    await moveMark(query, id, second.seq);
    const next = [...(await listFresh(query, id, BATCH)), ...(await listAside(query, id, NOW, BATCH))];
    assert.deepEqual(named(next), [second.event_id]);
  });

  it('connectors.md §6.4: the mark does not pass an event that nobody has handled', async () => {
    const id = await listed('a', 'b', 'c');
    const [first, , third] = (await listFresh(query, id, BATCH)) as [StoredEvent, StoredEvent, StoredEvent];
    for (const event of [first, third]) await transaction((run) => markApplied(run, event, 'applied', NOW));
    await moveMark(query, id, third.seq);
    assert.deepEqual(named(await listFresh(query, id, BATCH)), ['event-2']);
  });
});

interface Explained {
  readonly Plan: Readonly<Record<'Shared Hit Blocks' | 'Shared Read Blocks', number>>;
}

/** Runs statements with the plan that PostgreSQL chooses, and counts the blocks that they read. They return no rows. */
function explainingRun(run: Run, read: { blocks: number }): Run {
  return async (statement) => {
    const [row] = await run<{ 'QUERY PLAN': [Explained] }>(
      sql`explain (analyze, buffers, timing off, format json) ${statement}`,
    );
    const plan = row?.['QUERY PLAN'][0].Plan;
    assert.ok(plan);
    read.blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    return [];
  };
}
