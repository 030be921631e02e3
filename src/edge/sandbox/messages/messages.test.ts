import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DELAYS } from '#edge/sandbox/delays-table.ts';
import { sandboxMessages } from '#edge/sandbox/messages/messages.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import type { Message } from '#foundation/ports/messages.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

describe("the sandbox's message provider", () => {
  const world = testWorld();

  it('customers.md §3.2: the code is always 123456, can be resent at once, and is voided by no wrong try', () => {
    assert.deepEqual(sandboxMessages(world.app.runtime).issueCode('CONTACT_EMAIL'), {
      code: '123456',
      resendAfterMs: 0,
      wrongTriesMax: null,
    });
  });

  it('one reference is one message, however often and concurrently it is sent', async () => {
    const platform = await world.platform();
    const port = sandboxMessages(world.app.runtime);
    const message = buildMessage(platform, world.clock.now());
    await Promise.all(Array.from({ length: 5 }, () => port.send(message)));
    await port.send({ ...message, text: 'Hello again' });
    await port.send({ ...message, reference: 'r2', text: 'Another' });
    const { body } = await platform.call('listSandboxMessages');
    assert.deepEqual(body.data.map(({ text }: { text: string }) => text).sort(), ['Another', 'Hello']);
    assert.deepEqual(Object.keys(body.data[0]).sort(), ['channel', 'id', 'recipient', 'sentAt', 'text']);
  });

  it('a message stays in the inbox for the delay of the table, and then the next one deletes it', async () => {
    const platform = await world.platform();
    const port = sandboxMessages(world.app.runtime);
    const sent = () => port.send(buildMessage(platform, world.clock.now()));
    const count = async () => (await platform.call('listSandboxMessages')).body.totalCount;
    const stored = () =>
      world.database.query(sql`select from sandbox_messages where platform_id = ${platform.id}`);
    await sent();
    world.clock.advance(DELAYS.inbox.ms);
    assert.equal(await count(), 1);
    world.clock.advance(1);
    assert.deepEqual([await count(), (await stored()).length], [0, 1]);
    await sent();
    assert.deepEqual([await count(), (await stored()).length], [1, 1]);
  });

  it('the inbox refuses bad filters and callers without credentials', async () => {
    const platform = await world.platform();
    for (const query of [{ limit: 0 }, { cursor: 'x' }]) {
      assert.equal((await platform.call('listSandboxMessages', { query })).status, 400);
    }
    assert.equal((await platform.call('listSandboxMessages', { as: 'nobody' })).status, 401);
    const blind = await world.platform({ permissions: ['MANAGE'] });
    assert.equal((await blind.call('listSandboxMessages')).status, 403);
  });
});

function buildMessage(platform: TestPlatform, now: number): Message {
  return {
    reference: newUuid(),
    platformId: platform.id,
    channel: 'SMS',
    recipient: '+14155550123',
    senderName: 'Acme',
    subject: 'Your code',
    text: 'Hello',
    at: new Date(now),
  };
}
