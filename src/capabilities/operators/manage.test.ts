import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  confirmOperator,
  endOperator,
  inviteOperator,
  renewAddress,
  setRoles,
} from '#capabilities/operators/manage.ts';
import { OPERATOR_STATUSES } from '#capabilities/operators/row.ts';
import { listSessions } from '#capabilities/operators/session-store.ts';
import { findOperator } from '#capabilities/operators/store.ts';
import { suspendIdle } from '#capabilities/operators/suspend-idle.ts';
import { listAuditRows } from '#foundation/audit/store.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Actor, Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import {
  givenInvited,
  givenJoined,
  givenOperator,
  onInstallation,
  type TestOperator,
} from '#tests/given/operators.ts';
import { testWorld } from '#tests/harness/harness.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const PARTS = { consoleSettings: undefined, publicUrl: () => 'http://localhost' };
const as = ({ id }: Pick<TestOperator, 'id'>): Actor => ({ kind: 'operator', id: publicId('Operator', id) });
const refusedWith = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code;

describe('the people who run the service', () => {
  const world = testWorld();
  const run = <T>(steps: (tx: Tx) => Promise<T>, actor?: Actor) => onInstallation(world, steps, actor);
  const statusOf = async (id: Id<'Operator'>) => (await run((tx) => findOperator(tx, id)))?.status;
  const confirm = (who: TestOperator, actor: Actor, digits = who.joined.digits ?? '') =>
    run((tx) => confirmOperator(tx, who.id, { digits, reason: 'compared on the phone' }), actor);

  it('operator.md §1.5a: the first operator confirms the second; then it takes an admin who did not make the address', async () => {
    const first = await givenOperator(world);
    const second = await givenJoined(world, ['admin'], { actor: as(first) });
    await assert.rejects(confirm(second, as(first), '000000'), refusedWith('CONFLICT'));
    await assert.rejects(confirm(second, as(second)), refusedWith('FORBIDDEN'));
    await confirm(second, as(first));
    const third = await givenJoined(world, ['viewer'], { actor: as(first) });
    await assert.rejects(confirm(third, as(first)), refusedWith('FORBIDDEN'));
    await confirm(third, as(second));
    assert.equal(await statusOf(third.id), 'ACTIVE');
    assert.equal((await third.ask('GET', '/console/api/operator/session')).status, 401, 'signs in again');
    const fourth = await givenJoined(world, ['viewer'], { actor: as(first) });
    await assert.rejects(confirm(fourth, as(third)), refusedWith('FORBIDDEN'));
    await run((tx) => endOperator(tx, second.id, 'SUSPENDED', 'on leave'), as(first));
    await assert.rejects(
      confirm(fourth, as(first)),
      refusedWith('FORBIDDEN'),
      'nobody makes a second operator alone',
    );
  });

  it('operator.md §1.4: nobody changes the own roles or status', async () => {
    const [admin] = [await givenOperator(world), await givenOperator(world)];
    const own = as(admin);
    await assert.rejects(
      run((tx) => setRoles(tx, admin.id, ['admin', 'finance'], 'more'), own),
      refusedWith('FORBIDDEN'),
    );
    for (const status of ['SUSPENDED', 'REMOVED'] as const) {
      await assert.rejects(
        run((tx) => endOperator(tx, admin.id, status, 'tired'), own),
        refusedWith('FORBIDDEN'),
      );
    }
    await assert.rejects(
      run((tx) => renewAddress(tx, admin.id, 'lost', PARTS), own),
      refusedWith('FORBIDDEN'),
    );
    const maker = await givenOperator(world);
    const approving: Actor = { ...as(maker), details: { checker: publicId('Operator', admin.id) } };
    await assert.rejects(
      run((tx) => setRoles(tx, admin.id, ['admin', 'treasury'], 'more'), approving),
      refusedWith('FORBIDDEN'),
      'nobody approves a change of the own roles',
    );
  });

  it('operator.md §1.1: an e-mail belongs to one operator, in any case, and nobody is deleted', async () => {
    const removed = await givenOperator(world, ['viewer']);
    await run((tx) => endOperator(tx, removed.id, 'REMOVED', 'left'));
    for (const email of [removed.email, removed.email.toUpperCase()]) {
      await assert.rejects(
        run((tx) => inviteOperator(tx, { name: 'Again', email, roles: ['viewer'] }, PARTS)),
        refusedWith('CONFLICT'),
      );
    }
    await assert.rejects(
      run((tx) => renewAddress(tx, removed.id, 'back', PARTS)),
      refusedWith('CONFLICT'),
    );
    await assert.rejects(
      world.database.query(sql`delete from operators where id = ${removed.id}`),
      /never deleted/,
    );
  });

  it('operator.md §1.1: the table refuses every other transition', async () => {
    const allowed: Record<string, readonly string[]> = {
      INVITED: ['JOINED', 'ACTIVE', 'SUSPENDED', 'REMOVED'],
      JOINED: ['ACTIVE', 'INVITED', 'SUSPENDED', 'REMOVED'],
      ACTIVE: ['INVITED', 'SUSPENDED', 'REMOVED'],
      SUSPENDED: ['INVITED', 'REMOVED'],
      REMOVED: [],
    };
    const path: Record<string, readonly string[]> = {
      ...{
        INVITED: [],
        JOINED: ['JOINED'],
        ACTIVE: ['ACTIVE'],
        SUSPENDED: ['SUSPENDED'],
        REMOVED: ['REMOVED'],
      },
    };
    const move = (id: string, status: string) =>
      world.database.query(sql`
        update operators set status = ${status}, active_since = created_at,
                             digits = case when ${status} = 'JOINED' then '123456' end where id = ${id}`);
    for (const from of OPERATOR_STATUSES) {
      for (const to of OPERATOR_STATUSES.filter((status) => status !== from)) {
        const { id } = await givenInvited(world, ['viewer']);
        for (const step of path[from] ?? []) await move(id, step);
        const moved = move(id, to);
        if (allowed[from]?.includes(to)) await moved;
        else await assert.rejects(moved, /cannot go from/, `${from} → ${to}`);
      }
    }
  });

  it('operator.md §1.5: a new address ends passkeys and sessions, and the operator approves nothing for a day', async () => {
    const [admin, lost] = [await givenOperator(world), await givenOperator(world, ['finance'])];
    const { operator } = await run((tx) => renewAddress(tx, lost.id, 'lost phone', PARTS), as(admin));
    assert.equal(operator.status, 'INVITED');
    assert.equal(operator.approvesFrom?.getTime(), world.clock.now() + DAY_MS);
    assert.equal((await lost.signIn()).status, 401);
    assert.deepEqual(await run((tx) => listSessions(tx, lost.id, new Date(0))), []);
  });

  it('operator.md §1.4, §3.1: other roles end the sessions; the audit row names both, and who did it', async () => {
    const [admin, other] = [await givenOperator(world), await givenOperator(world, ['viewer'])];
    await run((tx) => setRoles(tx, other.id, ['support', 'viewer'], 'joins the desk'), as(admin));
    assert.equal((await other.ask('GET', '/console/api/operator/session')).status, 401);
    const resource = publicId('Operator', other.id);
    const [row] = await listAuditRows(world.database, { resource, action: 'operator roles' }, { limit: 5 });
    assert.deepEqual(row?.details, {
      operator: other.email,
      roles: ['viewer', 'support'],
      changed: [{ field: 'roles', before: ['viewer'], after: ['viewer', 'support'] }],
      reason: 'joins the desk',
    });
    assert.equal(row?.actor_id, publicId('Operator', admin.id));
    assert.equal(row?.platform_id, null);
  });
});

describe('the last admin', () => {
  const world = testWorld();
  const run = <T>(steps: (tx: Tx) => Promise<T>, actor?: Actor) => onInstallation(world, steps, actor);
  const activeAdmins = () =>
    world.database.query(sql`select from operators where status = 'ACTIVE' and 'admin' = any(roles)`);

  it('operator.md §1.4: of two admins who suspend each other at once, one stays', async () => {
    await givenOperator(world);
    for (let round = 0; round < 8; round++) {
      const admins = [
        ...(await world.database.query<{ id: Id<'Operator'> }>(sql`
        select id from operators where status = 'ACTIVE' and 'admin' = any(roles)`)),
      ];
      const [one] = admins;
      const other = await givenOperator(world);
      assert.ok(one);
      const results = await Promise.allSettled([
        run((tx) => endOperator(tx, other.id, 'SUSPENDED', 'a quarrel'), as(one)),
        run(
          (tx) =>
            round % 2
              ? endOperator(tx, one.id, 'SUSPENDED', 'a quarrel')
              : setRoles(tx, one.id, ['viewer'], 'a quarrel'),
          as(other),
        ),
      ]);
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal((await activeAdmins()).length, 1);
    }
  });

  it('operator.md §1.4: the table itself keeps one, also from writers that ask nobody', async () => {
    const ids = await world.database.query<{ id: string }>(sql`
      select id from operators where status = 'ACTIVE' and 'admin' = any(roles)`);
    assert.equal(ids.length, 1);
    const second = await givenOperator(world);
    const suspend = (id: string) =>
      world.database.query(sql`update operators set status = 'SUSPENDED' where id = ${id}`);
    const results = await Promise.allSettled([suspend(ids[0]?.id ?? ''), suspend(second.id)]);
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal((await activeAdmins()).length, 1);
  });

  it('operator.md §1.6: a job suspends who was not seen for 90 days, except for the last admin', async () => {
    const [admin, viewer] = [await givenOperator(world), await givenOperator(world, ['viewer'])];
    world.clock.advance(90 * DAY_MS - 1);
    await run(suspendIdle);
    assert.equal((await run((tx) => findOperator(tx, viewer.id)))?.status, 'ACTIVE');
    await viewer.signIn();
    world.clock.advance(2);
    await run(suspendIdle);
    assert.equal((await activeAdmins()).length, 1);
    assert.equal((await run((tx) => findOperator(tx, viewer.id)))?.status, 'ACTIVE');
    world.clock.advance(90 * DAY_MS);
    await Promise.all([run(suspendIdle), run(suspendIdle)]);
    assert.equal((await run((tx) => findOperator(tx, viewer.id)))?.status, 'SUSPENDED');
    assert.equal((await activeAdmins()).length, 1);
    assert.ok(admin.id);
  });

  it('operator.md §1.6: the job needs no platform', async () => {
    const viewer = await givenOperator(world, ['viewer']);
    const [{ platforms } = {}] = await world.database.query<{ platforms: bigint }>(
      sql`select count(*) as platforms from platforms`,
    );
    assert.equal(platforms, 0n);
    world.clock.advance(91 * DAY_MS);
    await world.app.worker.settle();
    assert.equal((await run((tx) => findOperator(tx, viewer.id)))?.status, 'SUSPENDED');
    assert.equal((await activeAdmins()).length, 1);
  });

  it('operator.md §1.4: the command line can end the last one', async () => {
    const [last] = await world.database.query<{ id: Id<'Operator'> }>(sql`
      select id from operators where status = 'ACTIVE' and 'admin' = any(roles)`);
    assert.ok(last);
    await run((tx) => endOperator(tx, last.id, 'REMOVED', 'the company is sold'));
    assert.equal((await activeAdmins()).length, 0);
    assert.equal((await givenOperator(world)).joined.status, 'ACTIVE', 'a first operator again');
  });
});
