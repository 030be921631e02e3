import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Message } from '#ports/messages.ts';
import { sandboxMessages } from '#sandbox/messages.ts';
import { testWorld } from '#tests/harness.ts';

describe("the sandbox's message provider", () => {
  const world = testWorld();

  it('customers.md §3.2: the code is always 123456, may be sent again at once, and is voided by no wrong try', () => {
    assert.deepEqual(sandboxMessages(world.app.runtime).issueCode(), {
      code: '123456',
      resendAfterMs: 0,
      wrongTriesMax: null,
    });
  });

  it('one reference is one message, however often and however many at once hand it over', async () => {
    const platform = await world.platform();
    const port = sandboxMessages(world.app.runtime);
    const message: Message = {
      reference: 'r1',
      platformId: platform.id,
      channel: 'SMS',
      recipient: '+14155550123',
      senderName: 'Acme',
      subject: 'Your code',
      text: 'Hello',
      at: new Date(world.clock.now()),
    };
    await Promise.all(Array.from({ length: 5 }, () => port.send(message)));
    await port.send({ ...message, text: 'Hello again' });
    await port.send({ ...message, reference: 'r2', text: 'Another' });
    const { body } = await platform.call('listSandboxMessages');
    assert.deepEqual(body.data.map(({ text }: { text: string }) => text).sort(), ['Another', 'Hello']);
    assert.deepEqual(Object.keys(body.data[0]).sort(), ['channel', 'id', 'recipient', 'sentAt', 'text']);
  });

  it('the inbox takes no bad filters, and nobody without credentials reads it', async () => {
    const platform = await world.platform();
    for (const query of [{ limit: 0 }, { cursor: 'x' }]) {
      assert.equal((await platform.call('listSandboxMessages', { query })).status, 400);
    }
    assert.equal((await platform.call('listSandboxMessages', { as: 'nobody' })).status, 401);
    const blind = await world.platform({ permissions: ['MANAGE'] });
    assert.equal((await blind.call('listSandboxMessages')).status, 403);
  });
});
