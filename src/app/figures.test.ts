import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { givenOperator, type TestOperator } from '#tests/given/operators.ts';
import { advance, execute, givenOutside, givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { plannedScans, rowsRead } from '#tests/harness/planned-scans.ts';
import {
  countRecentPayments,
  countRequests,
  countWebhooks,
  type FiguresScope,
  type PaymentsRow,
  ROWS_MAX,
  sumVolumes,
  type VolumeRow,
} from './figures-store.ts';

const MINUTE_MS = 60_000;
const DAY_S = 24 * 60 * 60;

describe('figures of the last hour and days', () => {
  const world = testWorld();
  let viewer: TestOperator;

  before(async () => {
    viewer = await givenOperator(world, ['viewer']);
  });

  const read = async (query: string) => {
    const { status, body, raw } = await viewer.ask('GET', `/console/api/figures?${query}`);
    assert.equal(status, 200, raw);
    return body;
  };
  const of = ({ id }: TestPlatform) => `platform=Platform:${id}`;

  /** Makes a completed payment of this many cents. */
  async function paid(platform: TestPlatform, cents: number): Promise<void> {
    const payer = await givenPayer(platform);
    const to = await givenOutside(platform, payer.id);
    const { id } = await quoted(platform, { from: payer.account('USD').id, to, send: cents });
    assert.equal((await execute(platform, id)).status, 200);
    await advance(platform, 60);
  }

  /** Reads the platform's completed payments since a time from the database. */
  const stored = (platforms: readonly TestPlatform[], since: Date) =>
    world.database.query<{ day: string; currency: string; count: number; amount: string }>(sql`
      select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, sending_currency as currency,
             count(*)::integer as count, sum(sending_amount)::text as amount
        from transactions
       where platform_id = any(${platforms.map(({ id }) => id)}::uuid[]) and status = 'COMPLETED' and kind <> 'MIRROR'
         and created_at > ${since}
       group by 1, 2 order by 1, 2`);

  it('operator.md §6.10: payments by status and volume by day and currency, of one platform or all', async () => {
    const [one, other] = [await givenPlatform(world), await givenPlatform(world)];
    await paid(one, 7_000);
    await advance(one, 20 * DAY_S);
    await paid(one, 2_500);
    await advance(one, 3 * DAY_S);
    await paid(one, 1_000);
    await paid(other, 4_000);
    const [now = new Date()] = (
      await world.database.query<{ at: Date }>(sql`
        select max(created_at) as at from transactions where platform_id = ${one.id}`)
    ).map(({ at }) => at);
    const since = new Date(now.getTime() - 10 * DAY_S * 1_000);
    const own = await read(of(one));
    const expected = await stored([one], since);
    assert.equal(
      new Set(expected.map(({ day }) => day)).size,
      2,
      'the payment of 20 days before is left out',
    );
    const withDecimals = expected.map((row) => ({ ...row, decimals: 2 }));
    assert.deepEqual(sorted(own.volumes.days), sorted(withDecimals));
    const completed = own.payments.find(({ status }: { status: string }) => status === 'COMPLETED');
    const latest = expected.filter(({ day }) => day === expected.at(-1)?.day);
    const made = latest.reduce((sum, { count }) => sum + count, 0);
    assert.deepEqual(completed, { status: 'COMPLETED', count: made, isCapped: false });
    const all = (await read('environment=SANDBOX')).volumes.days;
    const others = (await stored([other], new Date(0))).map((row) => ({ ...row, decimals: 2 }));
    assert.deepEqual(sorted(all), sorted([...withDecimals, ...others]));
    const today = (clockOffsetMs: number) =>
      new Date(world.clock.now() + clockOffsetMs).toISOString().slice(0, 10);
    const ahead = (23 * DAY_S + 60 * 2) * 1_000;
    assert.ok([ahead, ahead + MINUTE_MS].map(today).includes(own.volumes.lastDay), own.volumes.lastDay);
    assert.deepEqual((await read('environment=PRODUCTION')).volumes, { days: [], lastDay: today(0) });
  });

  const sorted = (rows: readonly { day: string; currency: string }[]) =>
    rows.toSorted((a, b) => `${a.day} ${a.currency}`.localeCompare(`${b.day} ${b.currency}`));

  it('operator.md §6.10: requests by minute and outcome; rows older than the last counted one are left out', async () => {
    const platform = await givenPlatform(world);
    await planted(platform, [200, 200, 404, 503], 5);
    await planted(platform, [200], 70);
    const { requests } = await read(of(platform));
    const then = minuteOf(world.clock.now() - 5 * MINUTE_MS);
    const row = requests.minutes.find(({ at }: { at: string }) => at === then);
    assert.deepEqual(row, { at: then, answered: 2, refused: 1, failed: 1 });
    assert.ok(
      !requests.minutes.some(({ at }: { at: string }) => at < minuteOf(world.clock.now() - 61 * MINUTE_MS)),
    );
    assert.equal(requests.completeSince, undefined);
    await planted(
      platform,
      Array.from({ length: ROWS_MAX }, () => 200),
      3,
    );
    const full = (await read(of(platform))).requests;
    const all = full.minutes.reduce((sum: number, { answered }: { answered: number }) => sum + answered, 0);
    assert.equal(all, ROWS_MAX);
    assert.ok(full.completeSince);
  });

  const minuteOf = (ms: number) => new Date(ms - (ms % MINUTE_MS)).toISOString();

  /** Adds requests with these statuses, some minutes ago. */
  async function planted(platform: TestPlatform, statuses: number[], minutes: number): Promise<void> {
    const at = new Date(world.clock.now() - minutes * MINUTE_MS);
    await world.database.query(sql`
      insert into request_logs (platform_id, id, created_at, request_id, caller_kind, caller_id, method, route, path, status,
                                duration_ms, key_verdict, resource_ids)
      select ${platform.id}, gen_random_uuid(), ${at}, gen_random_uuid(), 'token', ${newUuid()}, 'GET', '/x', '/x', s, 1, 'none', '{}'
        from unnest(${statuses}::int[]) s`);
  }

  it('operator.md §6.10: webhooks by hour, with failed ones and the time from an event to its first attempt', async () => {
    const platform = await givenPlatform(world);
    const at = new Date(world.clock.now() - 30 * MINUTE_MS);
    const before = new Date(at.getTime() - 2_000);
    for (const state of ['DELIVERED', 'DELIVERED', 'EXHAUSTED', 'SKIPPED']) {
      await world.database.query(sql`
        insert into events (platform_id, type, resource_id, facts, created_at, state, first_attempt_at, finished_at)
        values (${platform.id}, 'TEST', 'x', '{}', ${before}, ${state}, ${at}, ${at})`);
    }
    const { webhooks } = await read(of(platform));
    const hour = new Date(at.getTime() - (at.getTime() % (60 * MINUTE_MS))).toISOString();
    const row = webhooks.hours.find(({ at: one }: { at: string }) => one === hour);
    assert.deepEqual(row, { at: hour, delivered: 2, exhausted: 1, lagMs: 2_000 });
  });

  it('operator.md §6.10: a resent event does not change the time to first attempts', async () => {
    const platform = await givenPlatform(world);
    const at = new Date(world.clock.now() - 30 * MINUTE_MS);
    const insertEvent = (state: string, lateMs: number, attempts: number, retries: number) =>
      world.database.query(sql`
        insert into events (platform_id, type, resource_id, facts, created_at, state, first_attempt_at, finished_at, attempts,
                            retries)
        values (${platform.id}, 'TEST', 'x', '{}', ${new Date(at.getTime() - lateMs)}, ${state}, ${at}, ${at}, ${attempts},
                ${retries})`);
    await insertEvent('DELIVERED', 3_000, 1, 1);
    await insertEvent('DELIVERED', 5 * DAY_S * 1_000, 4, 1);
    const { hours } = (await read(of(platform))).webhooks;
    assert.deepEqual(
      hours.map(({ delivered, lagMs }: { delivered: number; lagMs: number }) => [delivered, lagMs]),
      [[2, 3_000]],
    );
  });

  it('operator.md §6.10: with as many payments as are counted the figures are complete, and one more is reported', async () => {
    const platform = await givenPlatform(world);
    await paid(platform, 1_000);
    const all = await countedAmong(platform, { total: ROWS_MAX, isMirror: false });
    assert.deepEqual(all, { payments: [ROWS_MAX, false], volumes: [[ROWS_MAX, false, false]] });
    const more = await countedAmong(platform, { total: ROWS_MAX + 1, isMirror: false });
    assert.deepEqual(more, { payments: [ROWS_MAX, true], volumes: [[ROWS_MAX, false, true]] });
  });

  it('operator.md §6.10: volumes say since when they are complete, even if only receivers’ sides were read', async () => {
    const platform = await givenPlatform(world);
    await paid(platform, 1_000);
    const { volumes } = await countedAmong(platform, { total: ROWS_MAX + 100, isMirror: true });
    assert.deepEqual(volumes, [[ROWS_MAX, true, true]]);
  });

  class Undone extends Error {}

  /** Counts among this many completed payments, most of them copies of one. The copies are rolled back. */
  async function countedAmong(
    platform: TestPlatform,
    { total, isMirror }: { total: number; isMirror: boolean },
  ) {
    const scope: FiguresScope = { now: new Date(world.clock.now()), platformIds: [platform.id] };
    let counted: { payments?: unknown[]; volumes: unknown[][] } = { volumes: [] };
    const reading = world.database.transaction(async (run) => {
      // Otherwise each copy would need the rows that belong to a payment.
      await run(sql`set local session_replication_role = 'replica'`);
      await run(sql`
        insert into transactions
        select copy.*
          from (select t.* from transactions t
                 where t.platform_id = ${platform.id} and t.status = 'COMPLETED' and t.kind <> 'MIRROR' limit 1) t
          join transactions one on one.platform_id = t.platform_id and one.id = t.id
         cross join generate_series(1, ${total}::integer - (
           select count(*)::integer from transactions o
            where o.platform_id = ${platform.id} and o.status = 'COMPLETED')) n
         cross join lateral jsonb_populate_record(one, jsonb_build_object(
           'id', gen_random_uuid(), 'quote_id', null, 'created_at', one.created_at + n * interval '1 millisecond',
           'kind', case when ${isMirror} then 'MIRROR' else one.kind end)) copy`);
      const [row] = await run<PaymentsRow>(countRecentPayments(scope, ['COMPLETED']));
      const volumes = await run<VolumeRow>(sumVolumes(scope));
      counted = {
        ...(row && { payments: [row.count, row.is_capped] }),
        volumes: volumes.map((one) => [one.count, one.is_mirror, one.complete_since !== null]),
      };
      throw new Undone();
    });
    await assert.rejects(reading, Undone);
    return counted;
  }

  it('operator.md §6.10: a platform that does not exist is refused', async () => {
    const { status } = await viewer.ask('GET', `/console/api/figures?platform=Platform:${newUuid()}`);
    assert.equal(status, 400);
  });

  it('operator.md §6.10: each figure reads the rows of its period along an index, and none of the others', async () => {
    const platform = await givenPlatform(world);
    await planted(
      platform,
      Array.from({ length: 3_000 }, () => 200),
      90,
    );
    await planted(platform, [200], 5);
    const scope: FiguresScope = { now: new Date(world.clock.now()), platformIds: [platform.id] };
    const work = await platform.work();
    for (const statement of [
      countRequests(scope),
      countWebhooks(scope),
      countRecentPayments(scope, ['COMPLETED', 'FAILED']),
      sumVolumes(scope),
    ]) {
      const scans = await work.write(async (tx) => {
        await tx.sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`;
        return plannedScans(tx, statement);
      });
      for (const scan of scans) {
        assert.doesNotMatch(scan['Node Type'], /Seq Scan/, JSON.stringify(scan));
        assert.ok(rowsRead(scan) < 100, JSON.stringify(scan));
      }
    }
  });
});
