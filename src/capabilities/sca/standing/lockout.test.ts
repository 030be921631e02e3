// lane: whole — every lock, every way of a reset, all that voids a challenge; factors and logins stay in the fast lane

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { LOCKOUT_STEPS, lockTimeInWords } from '#capabilities/sca/standing/lockout.ts';
import { sql } from '#foundation/database/sql.ts';
import { givenEuropean, givenScaSession, startedLogin } from '#tests/given/sca.ts';
import type { RequestOf } from '#tests/harness/api-types.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** customers.md §7, the table of locks. */
const LADDER: readonly (readonly [rule: string, failures: number, lockMs: number])[] = [
  ['customers.md §7.31', 5, 15 * MINUTE_MS],
  ['customers.md §7.32', 6, 30 * MINUTE_MS],
  ['customers.md §7.33', 7, HOUR_MS],
  ['customers.md §7.34', 8, 24 * HOUR_MS],
];

describe('locks after failed proofs', () => {
  const world = testWorld();

  async function scene() {
    const platform = await world.platform();
    const customer = await givenEuropean(platform);
    const query = { customerId: customer.id };
    const record = async (eventType: RequestOf<'recordSecurityEvent'>['eventType']) => {
      const reply = await platform.call('recordSecurityEvent', { query, body: { eventType } });
      assert.equal(reply.status, 200, reply.raw);
      return reply.body;
    };
    const login = (body: object) => platform.send('completeScaLogin', { query, body });
    /** Failures spread over time, so that none hits a lock. */
    const failTimes = async (times: number) => {
      for (let i = 0; i < times; i++) {
        const { lockedUntil } = await record('FAILED_LOGIN_ATTEMPT');
        if (lockedUntil) world.clock.advance(Date.parse(lockedUntil) - world.clock.now());
      }
    };
    return { platform, customer, query, record, login, failTimes };
  }

  const inMs = (ms: number) => new Date(world.clock.now() + ms).toISOString();

  for (const [rule, failures, lockMs] of LADDER) {
    it(`customers.md §7.31–7.34, here ${rule}: failure ${failures} locks for ${lockMs / MINUTE_MS} minutes, by a proof and by an event`, async () => {
      for (const by of ['proof', 'event'] as const) {
        const { platform, customer, record, login, failTimes } = await scene();
        await failTimes(failures - 1);
        const right = await startedLogin(platform, customer);
        const lockedUntil = inMs(lockMs);
        if (by === 'proof') assert.equal((await login({ ...right, code: '654321' })).status, 400);
        else {
          const state = { suspended: false, lockedUntil, failedAttempts: failures };
          assert.deepEqual(await record('FAILED_LOGIN_ATTEMPT'), {
            eventType: 'FAILED_LOGIN_ATTEMPT',
            ...state,
          });
        }
        const locked = await login(right);
        assert.deepEqual([locked.status, locked.body.code], [423, 'ACCOUNT_LOCKED']);
        assert.deepEqual(locked.body.details, { suspended: false, lockedUntil, failedAttempts: failures });
        world.clock.advance(lockMs - 1);
        const started = await startedLogin(platform, customer);
        assert.equal((await login(started)).status, 423, 'until its last moment');
        world.clock.advance(1);
        assert.equal((await login(started)).status, 200);
        assert.equal(
          (await record('FAILED_LOGIN_ATTEMPT')).failedAttempts,
          1,
          'a success clears the counter',
        );
      }
    });
  }

  it('customers.md §7.31–7.34: the rules and the guide name the steps of the code', async () => {
    const rules = await readFile('docs/rules/customers.md', 'utf8');
    const guide = await readFile('docs/guides/strong-customer-authentication.md', 'utf8');
    for (const { failures, minutes } of LOCKOUT_STEPS) {
      const inWords = lockTimeInWords({ minutes });
      assert.ok(
        new RegExp(`^\\| 7\\.\\d+ \\| ${failures} \\| for ${inWords} \\|$`, 'm').test(rules),
        `customers.md lacks the step of ${failures} failures`,
      );
    }
    assert.deepEqual(
      LOCKOUT_STEPS.map(({ failures, minutes }) => [failures, minutes * MINUTE_MS]),
      LADDER.map(([, failures, lockMs]) => [failures, lockMs]),
    );
    const [first] = LOCKOUT_STEPS;
    assert.match(guide, new RegExp(`The fifth locks her out for ${lockTimeInWords(first)}`));
    assert.equal(first.failures, 5);
  });

  it('customers.md §7.35: from failure 9 on the customer is suspended indefinitely', async () => {
    const { platform, customer, record, login, failTimes } = await scene();
    await failTimes(8);
    const right = await startedLogin(platform, customer);
    for (const failedAttempts of [9, 10, 11]) {
      const state = { suspended: true, lockedUntil: null, failedAttempts };
      assert.deepEqual(await record('FAILED_LOGIN_ATTEMPT'), { eventType: 'FAILED_LOGIN_ATTEMPT', ...state });
    }
    const refused = await login(right);
    assert.deepEqual([refused.status, refused.body.code], [423, 'ACCOUNT_LOCKED']);
    assert.deepEqual(refused.body.details, { suspended: true, failedAttempts: 11 });
    world.clock.advance(400 * 24 * HOUR_MS);
    assert.equal((await login(await startedLogin(platform, customer))).status, 423);
  });

  it('customers.md §7.8, platform.md §10.0.3: while the customer is locked, a proof is neither checked nor counted', async () => {
    const { platform, customer, record, login } = await scene();
    for (let i = 0; i < 5; i++) await record('FAILED_LOGIN_ATTEMPT');
    const right = await startedLogin(platform, customer);
    for (const code of ['654321', '123456', '654321']) {
      const reply = await login({ ...right, code });
      assert.equal(reply.status, 423, reply.raw);
      const lockedUntil = inMs(15 * MINUTE_MS);
      assert.deepEqual(reply.body.details, { suspended: false, lockedUntil, failedAttempts: 5 });
    }
  });

  it('customers.md §7.9: an event is recorded even while the customer is locked, and extends the lock', async () => {
    const { record } = await scene();
    for (let i = 0; i < 5; i++) await record('FAILED_LOGIN_ATTEMPT');
    world.clock.advance(MINUTE_MS);
    const { lockedUntil, failedAttempts } = await record('FAILED_LOGIN_ATTEMPT');
    assert.deepEqual([lockedUntil, failedAttempts], [inMs(30 * MINUTE_MS), 6]);
  });

  it('customers.md §7.9: RESET_PASSWORD_COMPLETED clears counter, lock and suspension, and ends every session', async () => {
    for (const failures of [4, 5, 9]) {
      const { platform, customer, record, login } = await scene();
      await givenScaSession(platform, customer);
      await givenScaSession(platform, customer);
      const open = await startedLogin(platform, customer);
      for (let i = 0; i < failures; i++) await record('FAILED_LOGIN_ATTEMPT');
      assert.deepEqual(await record('RESET_PASSWORD_COMPLETED'), {
        eventType: 'RESET_PASSWORD_COMPLETED',
        suspended: false,
        lockedUntil: null,
        failedAttempts: 0,
      });
      assert.equal(await liveSessions(platform), 0);
      assert.equal((await login(open)).status, 400, 'customers.md §7.10d: the open challenge is void');
      await givenScaSession(platform, customer);
    }
  });

  async function liveSessions(platform: TestPlatform): Promise<number> {
    const rows = await world.database.query(sql`
      select 1 from sca_sessions where platform_id = ${platform.id} and revoked_at is null`);
    return rows.length;
  }

  it('customers.md §7.9: an unknown type of event is an invalid field, and is not recorded', async () => {
    const { platform, query, record } = await scene();
    const reply = await platform.send('recordSecurityEvent', { query, body: { eventType: 'LOGOUT' } });
    assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT']);
    assert.equal((await record('FAILED_LOGIN_ATTEMPT')).failedAttempts, 1);
  });

  it('customers.md §7.8: concurrent wrong proofs over two processes are each counted until one locks', async () => {
    const { platform, customer, query, record } = await scene();
    const elsewhere = await world.elsewhere(platform);
    const wrong = { ...(await startedLogin(platform, customer)), code: '654321' };
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        (i % 2 === 0 ? platform : elsewhere).call('completeScaLogin', { query, body: wrong }),
      ),
    );
    const statuses = replies.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array(5).fill(400), ...Array(7).fill(423)]);
    assert.equal((await record('FAILED_LOGIN_ATTEMPT')).failedAttempts, 6);
  });

  it('customers.md §7.9: concurrent events over two processes are each counted', async () => {
    const { platform, query } = await scene();
    const elsewhere = await world.elsewhere(platform);
    const body = { eventType: 'FAILED_LOGIN_ATTEMPT' as const };
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        (i % 2 === 0 ? platform : elsewhere).call('recordSecurityEvent', { query, body }),
      ),
    );
    const counts = replies.map(({ body }) => body.failedAttempts).sort();
    assert.deepEqual(counts, [1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('platform.md §1.3.9: the audit row of a failure names the resulting lock', async () => {
    const { platform, customer, record, login } = await scene();
    for (let i = 0; i < 4; i++) await record('FAILED_LOGIN_ATTEMPT');
    const lockedUntil = inMs(15 * MINUTE_MS);
    await login({ ...(await startedLogin(platform, customer)), code: '654321' });
    for (let i = 0; i < 4; i++) await record('FAILED_LOGIN_ATTEMPT');
    const rows = await world.database.query<{ action: string; details: Record<string, unknown> }>(sql`
      select action, details from audit_log
       where platform_id = ${platform.id} and action in ('proof failed', 'recordSecurityEvent') order by at, id`);
    const proof = rows.find(({ action }) => action === 'proof failed');
    assert.equal(proof?.details.consequence, `locked until ${lockedUntil}`);
    assert.deepEqual(rows.at(-1)?.details, {
      customerId: customer.id,
      eventType: 'FAILED_LOGIN_ATTEMPT',
      suspended: true,
      lockedUntil: null,
      failedAttempts: 9,
    });
  });

  it('customers.md §7.8: each customer has its own counter', async () => {
    const { platform, record } = await scene();
    const other = await givenEuropean(platform);
    for (let i = 0; i < 9; i++) await record('FAILED_LOGIN_ATTEMPT');
    await givenScaSession(platform, other);
  });
});
