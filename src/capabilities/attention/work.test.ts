// lane: whole — fills a table with 100,000 items

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ATTENTION_KINDS, WORK_KINDS } from '#app/attention.ts';
import { countStatement, pageStatement, type WorkScope } from '#capabilities/attention/store.ts';
import { recordBreakGlass } from '#capabilities/proposals/break-glass.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { EVERY_ROLE, type OperatorRole } from '#foundation/http/operator-rule.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import { onInstallation } from '#tests/given/operators.ts';
import { type SeatedOperator, seatedOperator } from '#tests/given/proposals.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { plannedScans, rowsRead } from '#tests/harness/planned-scans.ts';

interface Kind {
  readonly kind: string;
  readonly count: number;
  readonly isCapped: boolean;
  readonly oldestSince?: string;
  readonly list: string;
}

const MANY = 100_000;
const SETTLE = 'settlePayment';

describe('work of operators', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let there: Platform;
  let people: Record<OperatorRole, SeatedOperator>;

  before(async () => {
    platform = await world.platform();
    there = (await platform.work()).platform;
    const seated = EVERY_ROLE.map(async (role) => [role, await seatedOperator(world, there, [role])]);
    people = Object.fromEntries(await Promise.all(seated));
  });

  const change = (statement: Sql) => world.database.query(statement);
  const work = async (role: OperatorRole, query: object = {}): Promise<Kind[]> => {
    const { status, body } = await people[role].call('listWork', {}, { ...query });
    assert.equal(status, 200, JSON.stringify(body));
    return body.kinds;
  };
  const items = (role: OperatorRole, query: object) => people[role].call('listWorkItems', {}, { ...query });
  const scopeOf = (operator: SeatedOperator): WorkScope => ({
    ...{ now: new Date(world.clock.now()), environment: 'SANDBOX', platformId: undefined },
    reader: { operatorId: operator.id, operations: [SETTLE] },
  });
  const giveExhausted = (count: number, on = platform) =>
    change(sql`
      insert into events (platform_id, type, resource_id, facts, created_at, state, finished_at)
      select ${on.id}, 'CUSTOMER.UPDATED', 'Customer:1', '{}', now(), 'EXHAUSTED',
             ${new Date(world.clock.now())}::timestamptz - n * interval '1 second' from generate_series(1, ${count}::integer) n`);

  it('operator.md §6.4: operators see the kinds of their own roles, and are refused those of others', async () => {
    for (const role of EVERY_ROLE) {
      const own = WORK_KINDS.filter(({ roles }) => roles.includes(role)).map(({ name }) => name);
      assert.deepEqual(
        (await work(role)).map(({ kind }) => kind),
        own,
        role,
      );
      for (const { name, roles } of WORK_KINDS) {
        const { status, body } = await items(role, { kind: name });
        assert.equal(status, own.includes(name) ? 200 : 403, `${role} ${name}`);
        if (status === 403) assert.deepEqual(body.details.roles, roles);
      }
    }
    assert.deepEqual(await work('viewer'), []);
    const unknown = await items('admin', { kind: 'nothing' });
    assert.deepEqual([unknown.status, unknown.body.details.errors[0].field], [400, 'kind']);
    const foreign = await items('admin', { kind: 'jobs', platform: newUuid() });
    assert.deepEqual([foreign.status, foreign.body.details.errors[0].field], [400, 'platform']);
    for (const { roles, title } of WORK_KINDS)
      assert.ok(roles.length > 0 && !roles.includes('viewer'), title);
  });

  it('operator.md §6.4: a kind has its count, its oldest item, and the address that lists its items, page by page', async () => {
    const other = await world.platform();
    await giveExhausted(3);
    await giveExhausted(2, other);
    const webhooks = (await work('support')).find(({ kind }) => kind === 'webhooks');
    assert.ok(webhooks);
    const oldest = new Date(world.clock.now() - 3_000).toISOString();
    assert.deepEqual([webhooks.count, webhooks.isCapped, webhooks.oldestSince], [5, false, oldest]);
    const query = Object.fromEntries(new URLSearchParams(webhooks.list.split('?')[1]));
    assert.deepEqual(
      [webhooks.list.split('?')[0], query],
      ['/work/items', { kind: 'webhooks', environment: 'SANDBOX' }],
    );
    const seen: { since: string; key: string; platform: string }[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await items('support', { ...query, limit: 2, ...(cursor && { cursor }) });
      seen.push(...body.data);
      cursor = body.nextCursor;
      assert.equal(body.hasMore, cursor !== undefined);
    } while (cursor !== undefined);
    assert.equal(new Set(seen.map(({ key }) => key)).size, 5);
    const placed = seen.map(({ since, platform: on, key }) => `${since} ${on} ${key}`);
    assert.deepEqual(placed, placed.toSorted());
    const [first] = (await work('support', { platform: other.id })).filter(({ kind }) => kind === 'webhooks');
    assert.equal(first?.count, 2);
    const wrong = await items('support', { kind: 'messages', cursor: 'x.y' });
    assert.deepEqual([wrong.status, wrong.body.details.errors[0].field], [400, 'cursor']);
    await change(sql`delete from events`);
  });

  it('operator.md §6.4: proposals wait for those who may decide them, and own ones for their maker', async () => {
    const other = await seatedOperator(world, there, ['treasury']);
    const propose = (maker: string, status: string, expires: number) =>
      change(sql`
      insert into proposals (platform_id, id, version, operation, subject_hash, maker, made_by, content, hash, status,
                             created_at, updated_at, expires_at)
      select ${platform.id}, gen_random_uuid(), 1, ${SETTLE}, gen_random_uuid()::text::bytea, ${maker}, 'test', '',
             sha256(''), ${status}, n.now, n.now, n.now + ${expires} * interval '1 hour'
        from (select ${new Date(world.clock.now())}::timestamptz as now) n`);
    await propose(other.id, 'PENDING', 72);
    await propose(other.id, 'UNCLAIMED', 72);
    await propose(people.treasury.id, 'PENDING', 72);
    await propose(people.treasury.id, 'PENDING', 1);
    const counts = async (role: OperatorRole) =>
      (await work(role)).filter(({ kind }) => kind.endsWith('proposals')).map(({ count }) => count);
    assert.deepEqual(await counts('treasury'), [1, 2]);
    assert.deepEqual(await counts('finance'), [0, 0], 'no role that may settle a payment');
    world.clock.advance(2 * 3_600_000);
    assert.deepEqual(await counts('treasury'), [1, 1], 'an expired one waits for nobody');
    const { body } = await items('treasury', { kind: 'proposals' });
    assert.match(body.data[0].why, /^settlePayment: another operator/);
    assert.ok(!ATTENTION_KINDS.some(({ name }) => name === 'own-proposals'), 'a command has no own ones');
  });

  it('operator.md §7.2: a change without a second operator is work of others who may make it', async () => {
    const use = { operation: SETTLE, resource: undefined, reason: 'nobody was there' };
    const id = await onInstallation(world, (tx) =>
      recordBreakGlass(tx, { ...use, operator: people.treasury.id }),
    );
    const other = await seatedOperator(world, there, ['treasury']);
    const subjects = async (who: SeatedOperator) => {
      const { body } = await who.call('listWorkItems', {}, { kind: 'break-glass' });
      return body.data.map(({ subject }: { subject: string }) => subject);
    };
    assert.deepEqual(await subjects(other), [publicId('BreakGlass', id)]);
    assert.deepEqual(await subjects(people.treasury), [], 'it was done in the own name');
    assert.deepEqual(await subjects(people.finance), []);
  });

  it('operator.md §6.4: among 100,000 items of a kind, counting stops at 10,000, and any page reads its own rows only', async () => {
    await giveExhausted(MANY);
    await change(sql`vacuum analyze events`);
    const webhooks = (await work('support')).find(({ kind }) => kind === 'webhooks');
    assert.deepEqual([webhooks?.count, webhooks?.isCapped], [10_000, true]);
    const scope = scopeOf(people.support);
    const counted = await scansOf(countStatement(WORK_KINDS, scope));
    // An incremental sort reads one row ahead.
    for (const scan of counted) assert.ok(rowsRead(scan) <= 10_002, JSON.stringify(scan));
    const kind = WORK_KINDS.find(({ name }) => name === 'webhooks');
    assert.ok(kind);
    const since = new Date(world.clock.now() - (MANY / 2) * 1_000).toISOString();
    const after = { since, platformId: platform.id, key: newUuid() };
    const scans = await scansOf(pageStatement(kind, scope, { limit: 20, after }));
    const [events] = scans.filter((scan) => scan['Relation Name'] === 'events');
    assert.ok(events && rowsRead(events) <= 22, JSON.stringify(events));
    const page = await items('support', { kind: 'webhooks', limit: 100 });
    assert.deepEqual([page.body.data.length, page.body.hasMore], [100, true]);
    await change(sql`delete from events`);
  });

  it('operator.md §6.4: the first page and a later one of every kind follow an index', async () => {
    const scope = scopeOf(people.treasury);
    const after = { since: new Date().toISOString(), platformId: platform.id, key: newUuid() };
    for (const kind of WORK_KINDS.filter(({ scope: of }) => of !== 'installation')) {
      for (const page of [
        { limit: 20, after: undefined },
        { limit: 20, after },
      ]) {
        const scans = await scansOf(pageStatement(kind, scope, page));
        const whole = scans.filter((scan) => scan['Node Type'] === 'Seq Scan');
        assert.deepEqual(whole, [], kind.name);
      }
    }
  });

  async function scansOf(statement: Sql) {
    return (await platform.work()).write(async (tx) => {
      for (const way of ['seqscan', 'bitmapscan', 'sort'])
        await tx.sql`select set_config(${`enable_${way}`}, 'off', true)`;
      return plannedScans(tx, statement);
    });
  }
});
