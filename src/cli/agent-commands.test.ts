import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from '#database/sql.ts';
import { newUuid } from '#lib/ids.ts';
import { givenAgent, givenConnectedAgent, readAgent } from '#tests/given-agents.ts';
import { givenCustomer, PERSON, type SeenCustomer } from '#tests/given-customers.ts';
import type { TestPlatform } from '#tests/harness.ts';
import { operatorWorld } from '#tests/operator-world.ts';

describe('corridor agent', () => {
  const world = operatorWorld();
  let platform: TestPlatform;
  let ada: SeenCustomer;

  before(async () => {
    ({ platform } = world);
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
    assert.match(await agent('list'), /^AGENT +CUSTOMER +NAME +IS PAUSED +IS CONNECTED +MODE +CREATED AT\n/);
  });

  it('C.5.5: shows an agent with its policy, usage and the last use of its token, on record and without a secret', async () => {
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
});
