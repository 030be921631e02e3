import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { sendAs } from '#tests/given/actions.ts';
import { givenAgent, givenConnectedAgent, readAgent } from '#tests/given/agents.ts';
import { type CreatedCustomer, givenCustomer, PERSON } from '#tests/given/customers.ts';
import { givenOutside, givenPayer } from '#tests/given/payments.ts';
import { withWritten } from '#tests/harness/audit-lines.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';
import { operatorWorld } from '#tests/harness/operator-world.ts';

describe('corridor agent', () => {
  const world = operatorWorld();
  let platform: TestPlatform;
  let ada: CreatedCustomer;

  before(async () => {
    ({ platform } = world);
    await world.run('platform', 'set', `Platform:${platform.id}`, 'isRegulatedFinancialInstitution=true');
    ada = await givenCustomer(platform, PERSON);
  });

  const agent = (...words: string[]) => world.run('agent', ...words);

  it('lists agents, the newest first, and those of a customer', async () => {
    assert.equal(await agent('list'), 'There are no agents.\n');
    const emmy = await givenCustomer(platform, { ...PERSON, platformCustomerId: newUuid() });
    const first = await givenAgent(platform, ada);
    const second = await givenConnectedAgent(platform, emmy);
    const listed = async (...words: string[]) =>
      JSON.parse(await agent('list', ...words, '--json')).map((row: { agent: string }) => row.agent);
    assert.deepEqual(await listed(), [second.id, first.id]);
    assert.deepEqual(await listed('--customer', ada.id), [first.id]);
    assert.deepEqual(await listed('--limit', '1'), [second.id]);
    assert.match(
      await agent('list'),
      /^AGENT +CUSTOMER +NAME +IS PAUSED +IS CONNECTED +MODE +CREATED AT +PLATFORM\n/,
    );
  });

  it('agents.md §1.3a: pauses an agent at once, repeatedly if need be, with an audited reason, and lists paused or connected agents', async () => {
    const made = await givenConnectedAgent(platform, ada);
    const write = () =>
      sendAs(platform, made, 'agentCreateQuote', { body: {} }).then(({ body }) => body.details?.violation);
    assert.equal(await write(), undefined);
    await world.assertRefused([
      [['agent', 'pause', made.id], 2, /--reason/],
      [['agent', 'pause', `Agent:${newUuid()}`, '--reason', 'case 4711'], 1, /Agent/],
    ]);
    for (const reason of ['case 4711', 'still case 4711']) {
      const paused = JSON.parse(await agent('pause', made.id, '--reason', reason, '--json'));
      assert.deepEqual(paused, await readAgent(platform, made));
      assert.equal(paused.isPaused, true);
      assert.equal(await write(), 'PAUSED');
    }
    const listed = async (...words: string[]) =>
      JSON.parse(await agent('list', ...words, '--json')).map((row: { agent: string }) => row.agent);
    assert.deepEqual(await listed('--paused'), [made.id]);
    assert.ok((await listed()).length > (await listed('--connected')).length);
    const rows = await world.database.query<{
      id: Id<'AuditRow'>;
      private: Buffer | null;
      actor_kind: string;
      details: object;
    }>(
      sql`select id, private, actor_kind, details from audit_log
           where action = 'agent pause' and resource = ${made.id} order by at, id`,
    );
    assert.deepEqual(await withWritten(world.app.runtime, rows), [
      { actor_kind: 'operator', details: { reason: 'case 4711' } },
      { actor_kind: 'operator', details: { reason: 'still case 4711' } },
    ]);
    const resumed = await platform.send('updateAgent', {
      params: { agentId: made.id },
      body: { isPaused: false },
    });
    assert.equal(resumed.body.isPaused, false);
  });

  it('agents.md §5.5: shows an agent with its policy, usage and the last use of its token, audited and without a secret', async () => {
    const made = await givenConnectedAgent(platform, ada);
    const shown = async () => JSON.parse(await agent('show', made.id, '--json'));
    assert.equal((await shown()).tokenUsedAt, null);
    await platform.send('getAgentMe', { as: `Bearer ${made.accessToken}` });
    const { tokenUsedAt, ...rest } = await shown();
    assert.ok(tokenUsedAt);
    assert.deepEqual(rest, await readAgent(platform, made));
    assert.ok(!JSON.stringify(await shown()).includes(made.accessToken));
    const rows = await world.database.query(
      sql`select from audit_log where action = 'agent show' and resource = ${made.id}`,
    );
    assert.equal(rows.length, 3);
  });

  it('agents.md §5.5: lists and shows agents’ actions as the API shows them, deleted agents included', async () => {
    assert.equal(await agent('action', 'list'), 'There are no actions.\n');
    const payer = await givenPayer(platform, 10_000, { platformCustomerId: newUuid() });
    const made = await givenConnectedAgent(platform, payer);
    const bank = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    const transfer = async (amount: number) =>
      sendAs(platform, made, 'agentCreateTransferOut', {
        body: { source: { accountId: payer.account('USD').id }, destination: { accountId: bank }, amount },
      });
    const done = await transfer(1_000);
    assert.equal(done.status, 201, done.raw);
    assert.equal((await transfer(50_000)).status, 400);
    const listed = async (...words: string[]) =>
      JSON.parse(await agent('action', 'list', ...words, '--json')).map(
        (row: { type: string; status: string; failure: string }) => [row.type, row.status, row.failure],
      );
    assert.deepEqual(await listed('--agent', made.id), [
      ['TRANSFER_OUT', 'FAILED', 'INSUFFICIENT_FUNDS'],
      ['TRANSFER_OUT', 'APPROVED', null],
    ]);
    assert.equal((await listed('--customer', payer.id, '--status', 'FAILED')).length, 1);
    assert.equal((await listed('--limit', '1')).length, 1);
    await platform.send('deleteAgent', { params: { agentId: made.id } });
    const shown = JSON.parse(await agent('action', 'show', done.body.id, '--json'));
    assert.deepEqual(shown, done.body);
    const rows = await world.database.query(
      sql`select from audit_log where action = 'agent action show' and resource = ${done.body.id}`,
    );
    assert.equal(rows.length, 1);
  });
});
