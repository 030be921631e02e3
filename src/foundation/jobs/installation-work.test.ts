import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { InstallationWork, inOneTransaction } from '#foundation/jobs/installation-work.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { testWorld } from '#tests/harness/harness.ts';

const MINUTE_MS = 60_000;

describe('the upkeep of the installation', () => {
  const world = testWorld();

  /** Three tasks, of which the second one fails for as long as `isBroken` says. */
  function givenTasks() {
    const done: string[] = [];
    const failures: string[] = [];
    const state = { isBroken: true };
    const tasks = [
      inOneTransaction('first', async () => done.push('first')),
      inOneTransaction('second', async (tx) => {
        await tx.sql`
          insert into audit_log (id, at, actor_kind, actor_id, action)
          values (${newUuid()}, now(), 'worker', 'test', 'second task')`;
        if (state.isBroken) throw new Error('broken');
        done.push('second');
      }),
      { name: 'third', run: async () => done.push('third') },
    ];
    const work = new InstallationWork(world.app.runtime, tasks, {
      onFailure: (error, task) => failures.push(`${task}: ${error}`),
    });
    return { done, failures, state, work };
  }

  /** How many rows the second task has left. */
  const left = async () =>
    (await world.database.query(sql`select from audit_log where action = 'second task'`)).length;

  const counted = (work: InstallationWork) =>
    work.counters().map(({ labels, value }) => `${labels.kind} ${labels.outcome}: ${value}`);

  it('decision 0032: a task that fails stops no other one, is reported, and is undone', async () => {
    const { done, failures, work } = givenTasks();
    await work.pump();
    assert.deepEqual(done, ['first', 'third']);
    assert.deepEqual(failures, ['second: Error: broken']);
    assert.equal(work.finished(), 1);
    assert.deepEqual(counted(work), ['first done: 1', 'second failed: 1', 'third done: 1']);
    assert.equal(await left(), 0);
  });

  it('decision 0032: a clock that was a year ahead and is set back delays no task', async () => {
    const { done, work } = givenTasks();
    const year = 365 * 24 * 60 * MINUTE_MS;
    world.clock.advance(year);
    await work.pump();
    world.clock.advance(-year);
    await work.pump();
    assert.deepEqual(done, ['first', 'third', 'first', 'third']);
    await work.pump();
    assert.equal(done.length, 4);
  });

  it('decision 0032: a failed task is retried by itself after a minute, and the others run after an hour', async () => {
    const { done, failures, state, work } = givenTasks();
    assert.deepEqual(await work.step(INSTALLATION.id), { done: 1, isDue: true, hadFailure: false });
    assert.deepEqual(await work.duePlatforms(), []);
    world.clock.advance(MINUTE_MS);
    await work.pump();
    assert.equal(failures.length, 2);
    state.isBroken = false;
    world.clock.advance(MINUTE_MS);
    await work.pump();
    assert.deepEqual(done, ['first', 'third', 'second']);
    assert.equal(await left(), 1);
    world.clock.advance(58 * MINUTE_MS);
    assert.deepEqual(await work.duePlatforms(), [INSTALLATION.id]);
    await work.pump();
    assert.deepEqual(done, ['first', 'third', 'second', 'first', 'third']);
  });

  it('decision 0032: each task of the service has a name of its own', async () => {
    await world.app.worker.settle();
    const counters = world.app.worker.counters().filter(({ name }) => name === 'corridor_upkeep_total');
    const tasks = counters.map(({ labels }) => String(labels.kind));
    for (const task of ['months of the audit log', 'mails about work', 'purge of audit', 'idle operators'])
      assert.ok(tasks.includes(task), String(tasks));
    assert.equal(new Set(tasks).size, tasks.length);
    assert.deepEqual(new Set(counters.map(({ labels }) => labels.outcome)), new Set(['done']));
    assert.deepEqual(new Set(counters.map(({ value }) => value)), new Set([1]));
  });
});
