// lane: whole — fills a table with 100,000 rows

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { countReads, listReads, type ReadFilter } from '#foundation/records/reads-store.ts';
import { type SeatedOperator, seatedOperator } from '#tests/given/proposals.ts';
import { testWorld } from '#tests/harness/harness.ts';

const ROWS = 100_000;
const RESOURCE = `Customer:${newUuid()}`;

describe('the audit log and the reads, as lists of operators', () => {
  const world = testWorld();
  let viewer: SeatedOperator;

  before(async () => {
    viewer = await seatedOperator(world, INSTALLATION, ['viewer']);
    await world.database.query(sql`
      insert into record_reads (id, at, actor_id, roles, kind, resource)
      select gen_random_uuid(), now() - n * interval '1 second', 'Operator:' || n % 100, '{support}', 'PAGE',
             case when n % 1000 = 0 then ${RESOURCE} else 'Customer:' || n end
        from generate_series(1, ${ROWS}) as n`);
    await world.database.query(sql`analyze record_reads`);
  });

  const read = async (operation: string, query: Record<string, unknown>) => {
    const { status, body } = await viewer.call(operation, {}, query);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  it('operator.md §6.2: pages of reads follow each other without a gap, and a count stops at 10,000', async () => {
    const first = await read('listAllReads', { limit: 3, count: true });
    assert.equal(first.totalCount, undefined);
    const of = await read('listAllReads', { resource: RESOURCE, limit: 100, count: true });
    assert.deepEqual([of.totalCount, of.data.length, of.hasMore], [ROWS / 1000, ROWS / 1000, false]);
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await read('listAllReads', { resource: RESOURCE, limit: 33, ...(cursor && { cursor }) });
      seen.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual(seen, of.data);
    const refused = await viewer.call('listAllReads', {}, { cursor: first.nextCursor, resource: RESOURCE });
    assert.equal(refused.status, 400);
  });

  it('operator.md §6.2: each filter of the reads walks an index, and reads no more rows than it shows', async () => {
    const platform = newUuid<'Platform'>();
    for (const filter of [
      {},
      { resource: RESOURCE },
      { actor: 'Operator:7' },
      { platform },
    ] as ReadFilter[]) {
      const plans: string[] = [];
      const query = async (piece: Sql) => {
        const lines = await world.database.query<{ 'QUERY PLAN': string }>(
          sql`explain (analyze, costs off, timing off) ${piece}`,
        );
        plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
        return [];
      };
      const database = { query: query as never };
      await listReads({ ...world.app.runtime, database }, filter, { limit: 20 });
      await countReads(database, filter, 50);
      for (const plan of plans) {
        assert.match(plan, /Index (?:Only )?Scan/, plan);
        assert.doesNotMatch(plan, /Sort {2}|Seq Scan|Rows Removed/, plan);
      }
    }
  });

  it('operator.md §4.1: the audit log names operators, tokens and actions, and leaves out what people wrote', async () => {
    const insert = (kind: string, id: string, details: object) => sql`
      insert into audit_log (id, at, actor_kind, actor_id, action, resource, remote_address, details)
      values (gen_random_uuid(), now(), ${kind}, ${id}, 'tried it', 'Ada Lovelace', '203.0.113.9',
              ${JSON.stringify(details)}::jsonb)`;
    await world.database.query(
      insert('operator', 'ada@shell', { reason: 'Ada Lovelace called', status: 'ACTIVE' }),
    );
    await world.database.query(insert('public', 'Ada Lovelace', { note: 'Ada Lovelace' }));
    const { data } = await read('listAllAudit', { action: 'tried it' });
    assert.deepEqual(
      data
        .map(({ actor, actorKind, details }: Record<string, unknown>) => [actor, actorKind, details])
        .toSorted(),
      [
        [null, 'public', {}],
        ['ada@shell', 'operator', { status: 'ACTIVE' }],
      ].toSorted(),
    );
    assert.doesNotMatch(JSON.stringify(data), /Lovelace|203\.0/);
    const own = await read('listAllAudit', { operator: 'ada@shell', count: true });
    assert.equal(own.totalCount, own.data.length);
  });
});
