import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, beforeEach, describe, it } from 'node:test';
import { disablePlatform } from '#capabilities/platform/set-platform.ts';
import { sql } from '#foundation/database/sql.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { type AgentReply, givenAgent, givenNewAgent, readAgent, redeem } from '#tests/given/agents.ts';
import { givenPayer, givenPlatform, type Payer } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { allRows, formsOf } from '#tests/harness/table-contents.ts';

describe('device codes of agents', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Payer;

  before(async () => {
    platform = await givenPlatform(world);
    ada = await givenPayer(platform, 0);
  });

  // Failures of the previous test do not count any more.
  beforeEach(() => world.clock.advance(61_000));

  const getStatus = (code: string, on = platform) =>
    on.send('getAgentDeviceCodeStatus', { params: { code } });
  const regenerate = (agent: AgentReply) =>
    platform.send('regenerateAgentDeviceCode', { params: { agentId: agent.id } });
  const patch = (agent: AgentReply, body: object) =>
    platform.send('updateAgent', { params: { agentId: agent.id }, body });

  it('agents.md §2.11: a code has 60 bits in unambiguous letters, and can be redeemed for a day', async () => {
    const codes = new Set<string>();
    for (let i = 0; i < 20; i++) {
      const { deviceCode, agent } = await givenNewAgent(platform, ada);
      assert.match(deviceCode.code, /^SVC-AGENT(-[A-HJ-NP-Z2-9]{4}){3}$/);
      assert.equal(Date.parse(deviceCode.expiresAt) - Date.parse(agent.createdAt), 24 * 3_600_000);
      codes.add(deviceCode.code);
    }
    assert.equal(codes.size, 20);
  });

  it('agents.md §2.13, §2.1: a code gives the token once, and connects the agent', async () => {
    const { agent, deviceCode } = await givenNewAgent(platform, ada);
    assert.deepEqual((await getStatus(deviceCode.code)).body, { code: deviceCode.code, redeemed: false });
    const { status, body } = await platform.send('redeemAgentDeviceCode', {
      params: { code: deviceCode.code },
      as: 'nobody',
    });
    assert.equal(status, 200);
    assert.deepEqual([body.agentId, body.agentName, body.policy], [agent.id, agent.name, agent.policy]);
    assert.match(body.accessToken, /^sat_[0-9a-f]{40}$/);
    assert.equal((await readAgent(platform, agent)).isConnected, true);
    assert.deepEqual((await getStatus(deviceCode.code)).body, { code: deviceCode.code, redeemed: true });
    const again = await redeem(platform, deviceCode.code);
    assert.deepEqual([again.status, again.body.code], [400, 'INVALID_INPUT']);
    assert.match(again.body.reason, /already redeemed/);
  });

  it('agents.md §2.11: case, hyphens and spaces do not matter', async () => {
    for (const typed of [
      (code: string) => code.toLowerCase(),
      (code: string) => code.replaceAll('-', ''),
      (code: string) => ` ${code.replaceAll('-', ' ')} `,
    ]) {
      const { deviceCode } = await givenNewAgent(platform, ada);
      const { body } = await getStatus(typed(deviceCode.code));
      assert.deepEqual(body, { code: deviceCode.code, redeemed: false });
      assert.equal((await redeem(platform, typed(deviceCode.code))).status, 200);
    }
  });

  it('agents.md §2.13: one of several concurrent requests gets the token', async () => {
    const { deviceCode } = await givenNewAgent(platform, ada);
    const elsewhere = await world.elsewhere(platform);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) => redeem(i % 2 === 0 ? platform : elsewhere, deviceCode.code)),
    );
    const statuses = replies.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [200, ...Array(9).fill(400)]);
  });

  it('agents.md §2.12, §2.13: unknown codes are not found, whatever their form; other platforms’ codes are not found either', async () => {
    const { deviceCode } = await givenNewAgent(platform, ada);
    for (const code of [
      'SVC-AGENT-AAAA-AAAA-AAAA',
      deviceCode.code.slice(0, -1),
      'x',
      `${deviceCode.code}A`,
    ]) {
      assert.equal((await getStatus(code)).status, 404);
      const { status, body } = await redeem(platform, code);
      assert.deepEqual([status, body.code], [404, 'NOT_FOUND'], code);
    }
    const stranger = await givenPlatform(world);
    assert.equal((await getStatus(deviceCode.code, stranger)).status, 404);
    assert.equal((await getStatus(deviceCode.code)).status, 200);
  });

  it('agents.md §2.11, §2.12: an expired code is invalid by its platform’s clock, and its status can still be read', async () => {
    const own = await givenPlatform(world);
    const { deviceCode } = await givenNewAgent(own, await givenPayer(own, 0));
    const late = await givenNewAgent(own, await givenPayer(own, 0, { platformCustomerId: randomUUID() }));
    await own.call('advanceSandboxClock', { body: { seconds: 24 * 3_600 - 1 } });
    assert.equal((await redeem(own, deviceCode.code)).status, 200);
    await own.call('advanceSandboxClock', { body: { seconds: 1 } });
    const { status, body } = await redeem(own, late.deviceCode.code);
    assert.deepEqual([status, body.code], [400, 'INVALID_INPUT']);
    assert.match(body.reason, /expired/);
    assert.deepEqual((await getStatus(late.deviceCode.code, own)).body.redeemed, false);
  });

  it('agents.md §2.16: a new code invalidates those that were not redeemed', async () => {
    const { agent, deviceCode } = await givenNewAgent(platform, ada);
    const next = await regenerate(agent);
    assert.deepEqual([next.status, next.body.agentId, next.body.redeemed], [201, agent.id, false]);
    const { status, body } = await redeem(platform, deviceCode.code);
    assert.deepEqual([status, body.code], [400, 'INVALID_INPUT']);
    assert.match(body.reason, /newer/);
    assert.equal((await getStatus(deviceCode.code)).body.redeemed, false);
    assert.equal((await redeem(platform, next.body.code)).status, 200);
  });

  it('agents.md §2.17, §2.18: a connected agent gets a new code only while it is paused, and this invalidates its token', async () => {
    const { agent, deviceCode } = await givenNewAgent(platform, ada);
    await redeem(platform, deviceCode.code);
    const refused = await regenerate(agent);
    assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT']);
    assert.equal((await readAgent(platform, agent)).isConnected, true);
    await patch(agent, { isPaused: true });
    const next = await regenerate(agent);
    assert.equal(next.status, 201, next.raw);
    const { isConnected, isPaused } = await readAgent(platform, agent);
    assert.deepEqual([isConnected, isPaused], [false, true]);
    assert.equal((await getStatus(deviceCode.code)).body.redeemed, true);
    assert.equal((await redeem(platform, next.body.code)).status, 200, 'paused or not');
    assert.equal((await readAgent(platform, agent)).isConnected, true);
  });

  it('agents.md §2.14: after ten failures within a minute an address is not told the reason, and a valid code still works there', async () => {
    const { agent, deviceCode } = await givenNewAgent(platform, ada);
    const { body: next } = await regenerate(agent);
    // Unknown, invalid and used codes count alike, and concurrent requests count as well.
    const wrong = ['SVC-AGENT-AAAA-AAAA-AAAA', 'x', deviceCode.code];
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, i) => redeem(platform, wrong[i % 3] ?? '')),
    );
    assert.deepEqual(
      replies.map(({ status }) => status),
      [404, 404, 400, 404, 404, 400, 404, 404, 400, 404, 429, 429],
    );
    const limited = await redeem(platform, 'y');
    assert.deepEqual(
      [limited.status, limited.body.code, limited.headers['retry-after']],
      [429, 'RATE_LIMITED', '60'],
    );
    assert.equal(
      (await redeem(platform, next.code)).status,
      200,
      'strangers behind one proxy do not lock out others',
    );
    world.clock.advance(61_000);
    assert.equal((await redeem(platform, 'y')).status, 404);
  });

  it('agents.md §2.14: a code that failed ten times is not checked again for a minute, whatever address sends it', async () => {
    const { agent, deviceCode } = await givenNewAgent(platform, ada);
    assert.equal((await regenerate(agent)).status, 201);
    const addresses = ['192.0.2.1', '192.0.2.2'];
    const from = (n: number) =>
      world.app.http.inject({
        method: 'POST',
        url: `${wireNames('Svc').basePath}/agents/device-codes/${deviceCode.code}/redeem`,
        remoteAddress: addresses[n % 2] ?? '',
      });
    for (let n = 0; n < 10; n++) assert.equal((await from(n)).statusCode, 400);
    const audited = async () =>
      (
        await world.database.query(
          sql`select from audit_log where action = 'proof failed' and resource = ${agent.id}`,
        )
      ).length;
    assert.equal(await audited(), 10);
    const limited = await from(10);
    assert.deepEqual([limited.statusCode, limited.json().code], [429, 'RATE_LIMITED']);
    assert.equal(await audited(), 10, 'nothing was tried');
    world.clock.advance(61_000);
    assert.equal((await from(0)).statusCode, 400);
  });

  it('agents.md §2.14: after 300 failures of an address no code from it is tried, not even a valid one', async () => {
    const { deviceCode } = await givenNewAgent(platform, ada);
    await Promise.all(Array.from({ length: 300 }, () => redeem(platform, 'x')));
    assert.equal((await redeem(platform, deviceCode.code)).status, 429);
    world.clock.advance(61_000);
    assert.equal((await redeem(platform, deviceCode.code)).status, 200);
  });

  it('agents.md §2.14: successes do not count', async () => {
    for (let i = 0; i < 12; i++) {
      const { deviceCode } = await givenNewAgent(platform, ada);
      assert.equal((await redeem(platform, deviceCode.code)).status, 200);
    }
  });

  it('agents.md §2.15: an idempotency key is ignored: a repeated request does not show the token again', async () => {
    const { deviceCode } = await givenNewAgent(platform, ada);
    const call = { params: { code: deviceCode.code }, key: randomUUID() };
    assert.equal((await platform.send('redeemAgentDeviceCode', call)).status, 200);
    assert.equal((await platform.send('redeemAgentDeviceCode', call)).status, 400);
  });

  it('agents.md §2.11, §2.15, §2.1: neither code nor token is stored or logged; audit rows show the end of the code', async () => {
    const { agent, deviceCode } = await givenNewAgent(platform, ada);
    const { body } = await redeem(platform, deviceCode.code);
    await redeem(platform, deviceCode.code);
    await platform.send('getAgentDeviceCodeStatus', { params: { code: deviceCode.code }, as: 'nobody' });
    await getStatus(deviceCode.code);
    const secret = deviceCode.code.slice(-14);
    const places = [...(await allRows(world.database)), { table: 'the log', text: world.logged.join('\n') }];
    for (const { table, text } of places) {
      for (const shown of [secret, secret.replaceAll('-', ''), body.accessToken].flatMap(formsOf)) {
        assert.ok(!text.includes(shown), `${shown} is in ${table}`);
      }
    }
    const rows = await world.database.query<{
      action: string;
      actor: string;
      resource: string;
      details: object;
    }>(sql`
      select action, actor_kind || ' ' || actor_id as actor, resource, details from audit_log
       where (resource = ${agent.id} or resource like ${`%${secret.slice(-4)}%`}) and action <> 'createAgent'
       order by at, id`);
    const end = `…${secret.slice(-4)}`;
    const actor = `agent ${uuidOf(agent)}`;
    assert.deepEqual(rows, [
      { action: 'redeemAgentDeviceCode', actor, resource: agent.id, details: { code: end } },
      {
        action: 'proof failed',
        actor,
        resource: agent.id,
        details: { code: end, proof: 'DEVICE_CODE', reason: 'code: was already redeemed' },
      },
      {
        action: 'authentication failed',
        actor: 'token unknown',
        resource: `/svc/2025-10-13/agents/device-codes/${end}/status`,
        details: {},
      },
    ]);
  });

  it('agents.md §2.2: while a platform is disabled its codes are unknown', async () => {
    const own = await givenPlatform(world);
    const { deviceCode } = await givenNewAgent(own, await givenPayer(own, 0));
    await disablePlatform(world.app.runtime, own.id, { kind: 'operator', id: 'test' });
    assert.equal((await redeem(platform, deviceCode.code)).status, 404);
  });

  it('agents.md §1.3: a deletion and a redemption at once leave no token', async () => {
    for (let round = 0; round < 5; round++) {
      const { agent, deviceCode } = await givenNewAgent(platform, ada);
      const [redeemed, deleted] = await Promise.all([
        redeem(platform, deviceCode.code),
        platform.send('deleteAgent', { params: { agentId: agent.id } }),
      ]);
      assert.equal(deleted.status, 204, deleted.raw);
      assert.ok([200, 404].includes(redeemed.status), redeemed.raw);
      const rows = await world.database.query(sql`
        select from agents where id = ${uuidOf(agent)} and token_hash is null and deleted_at is not null`);
      assert.equal(rows.length, 1);
    }
  });

  it('agents.md §1.1: an agent without permissions can be created and connected', async () => {
    const agent = await givenAgent(platform, ada, { permissions: [] });
    assert.deepEqual(agent.policy.permissions, []);
  });
});
