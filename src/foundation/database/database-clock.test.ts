import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Run } from '#foundation/database/database.ts';
import { DatabaseClock } from '#foundation/database/database-clock.ts';
import { testWorld } from '#tests/harness/harness.ts';

const NOON = Date.parse('2026-03-02T12:00:00.000Z');

describe('the database’s clock', () => {
  const world = testWorld();

  it('is that of PostgreSQL', async () => {
    const clock = await DatabaseClock.open(world.database);
    const before = Date.now();
    const now = clock.now();
    // Both read the clock of this machine. The first comparison may be as wrong as half of its round trip.
    assert.ok(Math.abs(now - before) < 5_000, `${now - before} ms apart`);
    assert.ok(clock.now() >= now);
  });

  it('is the same in processes whose own clocks differ, and passes as their monotonic clocks do', async () => {
    const scene = new Scene();
    const early = await scene.clock({ startedAt: 0 });
    const late = await scene.clock({ startedAt: 86_400_000 });
    assert.deepEqual([early.now(), late.now()], [NOON, NOON]);
    scene.pass(7_000);
    assert.deepEqual([early.now(), late.now()], [NOON + 7_000, NOON + 7_000]);
  });

  it('trusts the quickest of the last comparisons, and does not go back when it finds a better one', async () => {
    const scene = new Scene();
    scene.tripMs = [2_000, 0];
    const clock = await scene.clock({ startedAt: 500 });
    // The question took all of the round trip, so the guess is a second ahead of the database.
    assert.deepEqual([clock.now(), scene.databaseNow], [NOON + 3_000, NOON + 2_000]);
    scene.tripMs = [0, 0];
    await clock.compare();
    assert.equal(clock.now(), NOON + 3_000);
    scene.pass(1_500);
    assert.deepEqual([clock.now(), scene.databaseNow], [NOON + 3_500, NOON + 3_500]);
    scene.tripMs = [0, 3_000];
    await clock.compare();
    assert.deepEqual([clock.now(), scene.databaseNow], [NOON + 6_500, NOON + 6_500]);
  });

  it('follows the database when its clock is set, in both directions', async () => {
    const scene = new Scene();
    const clock = await scene.clock({ startedAt: 0 });
    for (const ms of [30_000, -45_000]) {
      scene.set(ms);
      await clock.compare();
      assert.equal(clock.now(), scene.databaseNow);
    }
  });

  it('runs on while the database cannot be reached', async () => {
    const scene = new Scene();
    const clock = await scene.clock({ startedAt: 0 });
    scene.isAway = true;
    await assert.rejects(clock.compare(), /away/);
    scene.pass(1_000);
    assert.equal(clock.now(), NOON + 1_000);
  });
});

/** A database and the time on the way to it and back. */
class Scene {
  databaseNow = NOON;
  tripMs: readonly [to: number, back: number] = [0, 0];
  isAway = false;
  #passed = 0;

  pass(ms: number): void {
    this.databaseNow += ms;
    this.#passed += ms;
  }

  /** Sets the database's clock this much ahead. */
  set(ms: number): void {
    this.databaseNow += ms;
  }

  clock({ startedAt }: { startedAt: number }): Promise<DatabaseClock> {
    const query = (async () => {
      if (this.isAway) throw new Error('the database is away');
      this.pass(this.tripMs[0]);
      const now = this.databaseNow;
      this.pass(this.tripMs[1]);
      return [{ now }];
    }) as unknown as Run;
    return DatabaseClock.open({ query }, () => startedAt + this.#passed);
  }
}
