import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keepAuditMonths } from '#foundation/audit/month-store.ts';
import { type AuditFilter, listAuditRows } from '#foundation/audit/store.ts';
import { sqlFailure } from '#foundation/database/failures.ts';
import { rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { LEAST_KEPT } from '#foundation/lib/kept-times.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { monthAgo, upgradeMonthsAgo } from '#tests/given/audit-months.ts';
import { testWorld } from '#tests/harness/harness.ts';

const PLATFORM = newUuid<'Platform'>();
const RESOURCE = `Customer:${newUuid()}`;
/** How many months ago the database of these tests was upgraded. */
const UPGRADED = 16;

describe('the months of the audit log', () => {
  const world = testWorld({ prepare: (database) => upgradeMonthsAgo(database, UPGRADED) });

  const work = (auditMonths = LEAST_KEPT.auditMonths) =>
    new Work({ ...world.app.runtime, kept: { ...LEAST_KEPT, auditMonths } }, INSTALLATION, {
      kind: 'worker',
      id: 'test',
    });

  const parts = () =>
    world.database.query<{ part: string; begins: Date | null; ends: Date | null }>(
      sql`select part::text, begins, ends from audit_log_parts()`,
    );

  const insert = (action: string, at: Sql, id: string = newUuid()) =>
    world.database.query(sql`
      insert into audit_log (id, platform_id, at, actor_kind, actor_id, action, resource)
      values (${id}, ${PLATFORM}, ${at}, 'operator', 'Operator:test', ${action}, ${RESOURCE})`);

  const actions = async () =>
    (
      await world.database.query<{ action: string }>(
        sql`select action from audit_log where platform_id = ${PLATFORM} order by at`,
      )
    ).map(({ action }) => action);

  it('decision 0084: the job makes parts for this month and the next two, once', async () => {
    const before = await parts();
    await keepAuditMonths(work(30));
    const made = await parts();
    const [ahead] = await world.database.query<{ begins: Date }>(sql`select ${monthAgo(-3)} as begins`);
    assert.deepEqual(made.at(-1)?.begins, ahead?.begins);
    assert.ok(
      made.length > 0 && !made.some(({ part }, i) => made.findIndex((other) => other.part === part) !== i),
    );
    assert.notDeepEqual(made, before);
    for (const [i, part] of made.entries()) assert.deepEqual(part.begins, made[i - 1]?.ends ?? part.begins);
    await keepAuditMonths(work(30));
    assert.deepEqual(await parts(), made);
  });

  it('decision 0084: a row of a month without a part has a place in the last part, which ends after it', async () => {
    await insert('far ahead', sql`${monthAgo(-8)} + interval '9 days'`);
    await work().write((tx) => tx.sql`select begin_audit_months(now() + interval '3 months')`);
    const [last, latest] = (await parts()).slice(-2);
    const [expected] = await world.database.query<{ begins: Date; ends: Date }>(
      sql`select ${monthAgo(-3)} as begins, ${monthAgo(-9)} as ends`,
    );
    assert.deepEqual([last?.begins, last?.ends], [expected?.begins, expected?.ends]);
    assert.deepEqual([latest?.begins, latest?.ends], [expected?.ends, null]);
    assert.deepEqual(await actions(), ['far ahead']);
  });

  it('decision 0084: a log whose first part was dropped gets one again', async () => {
    const made = await parts();
    await world.database.query(sql`drop table audit_log_first`);
    await keepAuditMonths(work());
    assert.deepEqual(await parts(), made);
    await insert('long ago', sql`'1970-01-01'`);
    assert.equal((await actions())[0], 'long ago');
  });

  it('customers.md §2.4.26j: the database refuses to drop a part within 13 months, and to change or delete its rows', async () => {
    const [recent] = (await parts()).filter(({ begins }) => begins !== null && begins < new Date()).slice(-1);
    await insert('recent', sql`now()`);
    for (const change of [
      sql`select drop_audit_months('12 months')`,
      sql`truncate ${rawSql(recent?.part ?? '')}`,
      sql`delete from ${rawSql(recent?.part ?? '')}`,
      sql`update ${rawSql(recent?.part ?? '')} set action = 'other'`,
    ]) {
      await assert.rejects(world.database.query(change), (error) => sqlFailure(error)?.code === '23001');
    }
  });

  it('decision 0084: an id can be used only once', async () => {
    const id = newUuid();
    await insert('first', sql`${monthAgo(1)}`, id);
    await assert.rejects(
      insert('second', sql`${monthAgo(1)} + interval '1 day'`, id),
      (error) => sqlFailure(error)?.code === '23505',
    );
  });

  it('decision 0084: a page reads only the newest parts, with every filter', async () => {
    for (let row = 0; row < 30; row++) await insert('listed', sql`now()`);
    const filters: AuditFilter[] = [
      {},
      { platform: PLATFORM },
      { resource: RESOURCE },
      { actor: { id: 'Operator:test', isOperator: true } },
    ];
    const count = (await parts()).length;
    for (const filter of filters) {
      const plan = await explain(filter);
      const scans = plan.match(/Index Scan/g)?.length ?? 0;
      const unread = plan.match(/Index Scan[^\n]*never executed/g)?.length ?? 0;
      assert.equal(scans, count, plan);
      // The parts that begin later are empty.
      const [later] = await world.database.query<{ count: number }>(
        sql`select count(*)::int as count from audit_log_parts() where begins > now()`,
      );
      assert.equal(scans - unread, (later?.count ?? 0) + 1, plan);
      assert.doesNotMatch(plan, /^\s*(->\s+)?Sort \(/m, plan);
    }
    const [since] = await world.database.query<{ at: Date }>(sql`select ${monthAgo(0)} as at`);
    assert.doesNotMatch(await explain({ platform: PLATFORM, since: since?.at }), /never executed/);
  });

  it('decision 0084: if transactions that write into the log stay open, the job waits for a moment and tries again in the next hour', async () => {
    const before = await parts();
    await world.database.transaction(async (run) => {
      await run(sql`
        insert into audit_log (id, at, actor_kind, actor_id, action)
        values (${newUuid()}, now(), 'operator', 'Operator:test', 'under way')`);
      const [begun] = await world.database.query<{ done: boolean }>(
        sql`select begin_audit_months(now() + interval '3 years') as done`,
      );
      assert.equal(begun?.done, false);
    });
    assert.deepEqual(await parts(), before);
  });

  /** Returns the plan of a page, as on a table that is too large to sort. */
  function explain(filter: AuditFilter): Promise<string> {
    return world.database.transaction(async (run) => {
      await run(sql`set local enable_seqscan = off`);
      await run(sql`set local enable_bitmapscan = off`);
      await run(sql`set local enable_sort = off`);
      const lines: string[] = [];
      const query = async (piece: Sql) => {
        const found = await run<{ 'QUERY PLAN': string }>(
          sql`explain (analyze, costs off, timing off, summary off, buffers off) ${piece}`,
        );
        lines.push(...found.map((line) => line['QUERY PLAN']));
        return [];
      };
      await listAuditRows({ query: query as never }, filter, { limit: 20 });
      return lines.join('\n');
    });
  }
});
