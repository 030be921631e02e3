import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { disablePlatform, enablePlatform } from '#capabilities/platform/set-platform.ts';
import { sql } from '#foundation/database/sql.ts';
import { givenConnectedAgent, givenNewAgent, readAgent, redeem } from '#tests/given/agents.ts';
import { givenPayer, givenPlatform, type Payer } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('tokens of agents', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Payer;

  before(async () => {
    platform = await givenPlatform(world);
    ada = await givenPayer(platform, 0);
  });

  const me = (accessToken: string, on = platform) => on.send('getAgentMe', { as: `Bearer ${accessToken}` });

  it('agents.md §3.11: an agent sees itself, as its platform does, whatever its permissions and while it is paused', async () => {
    const agent = await givenConnectedAgent(platform, ada, { permissions: [] });
    const { status, body } = await me(agent.accessToken);
    assert.deepEqual([status, body], [200, await readAgent(platform, agent)]);
    await platform.send('updateAgent', { params: { agentId: agent.id }, body: { isPaused: true } });
    const paused = await me(agent.accessToken);
    assert.deepEqual([paused.status, paused.body.isPaused], [200, true]);
  });

  it('agents.md §2.1, §2.17: a new code invalidates the token in every process, and the new token replaces it', async () => {
    const agent = await givenConnectedAgent(platform, ada);
    const elsewhere = await world.elsewhere(platform);
    assert.equal((await me(agent.accessToken, elsewhere)).status, 200);
    await platform.send('updateAgent', { params: { agentId: agent.id }, body: { isPaused: true } });
    const { body } = await platform.send('regenerateAgentDeviceCode', { params: { agentId: agent.id } });
    for (const on of [platform, elsewhere]) {
      const { status, body: refused } = await me(agent.accessToken, on);
      assert.deepEqual([status, refused.code], [401, 'UNAUTHORIZED']);
    }
    const next = await redeem(platform, body.code);
    assert.notEqual(next.body.accessToken, agent.accessToken);
    assert.equal((await me(next.body.accessToken, elsewhere)).status, 200);
    assert.equal((await me(agent.accessToken)).status, 401);
  });

  it('agents.md §1.3: deleting the agent or its customer invalidates the token in every process', async () => {
    const customer = await givenPayer(platform, 0, { platformCustomerId: randomUUID() });
    const [one, other] = [
      await givenConnectedAgent(platform, customer),
      await givenConnectedAgent(platform, customer),
    ];
    const elsewhere = await world.elsewhere(platform);
    await platform.send('deleteAgent', { params: { agentId: one.id } });
    assert.equal((await me(one.accessToken, elsewhere)).status, 401);
    assert.equal((await me(other.accessToken, elsewhere)).status, 200);
    await platform.call('deleteCustomerById', { params: { customerId: customer.id } });
    assert.equal((await me(other.accessToken, elsewhere)).status, 401);
  });

  it('agents.md §2.2: while its platform is disabled a token is refused', async () => {
    const own = await givenPlatform(world);
    const agent = await givenConnectedAgent(own, await givenPayer(own, 0));
    const operator = { kind: 'operator', id: 'test' } as const;
    await disablePlatform(world.app.runtime, own.id, operator);
    assert.equal((await me(agent.accessToken)).status, 401);
    await enablePlatform(world.app.runtime, own.id, operator);
    assert.equal((await me(agent.accessToken)).status, 200);
  });

  it('agents.md §3.1: an agent’s requests count towards the request rate of its platform', async () => {
    const own = await givenPlatform(world, { settings: { requestRate: { perSecond: 0, burst: 1 } } });
    const agent = await givenConnectedAgent(own, await givenPayer(own, 0));
    const work = await own.work();
    await world.database.query(sql`
      update platforms set settings = settings || '{"requestRate": {"perSecond": 1, "burst": 2}}'
       where id = ${work.platform.id}`);
    const statuses = [];
    for (let i = 0; i < 2; i++) statuses.push((await me(agent.accessToken)).status);
    statuses.push((await own.call('getPlatformConfig')).status, (await me(agent.accessToken)).status);
    assert.deepEqual(statuses, [200, 200, 429, 429]);
  });

  it('agents.md §5.5: a read leaves no audit row, and the token’s use is recorded at most once a minute', async () => {
    const { agent, deviceCode } = await givenNewAgent(platform, ada);
    const { accessToken } = (await redeem(platform, deviceCode.code)).body;
    const usedAt = async () => {
      const [row] = await world.database.query<{ token_used_at: Date | null; version: bigint }>(
        sql`select token_used_at, version from agents where id = ${uuidOf(agent)}`,
      );
      return [row?.token_used_at?.getTime(), row?.version];
    };
    const rows = () => world.database.query(sql`select from audit_log where actor_id = ${uuidOf(agent)}`);
    const before = (await rows()).length;
    await me(accessToken);
    const first = world.clock.now();
    assert.deepEqual(await usedAt(), [first, 2n]);
    world.clock.advance(59_999);
    await me(accessToken);
    assert.deepEqual(await usedAt(), [first, 2n]);
    world.clock.advance(1);
    await Promise.all([me(accessToken), me(accessToken), me(accessToken)]);
    assert.deepEqual(await usedAt(), [first + 60_000, 2n]);
    assert.equal((await rows()).length, before);
  });

  it('agents.md §5.5: a request does not fail if the use of its token cannot be recorded', async () => {
    const { accessToken } = await givenConnectedAgent(platform, ada);
    await world.database.query(sql`
      alter table agents add constraint no_use_noted check (token_used_at is null) not valid`);
    assert.equal((await me(accessToken)).status, 200);
    await world.database.query(sql`alter table agents drop constraint no_use_noted`);
  });
});
