// lane: whole — repeats races many times

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

describe('rotations of webhook keys at the same time', () => {
  const world = testWorld();

  async function shown(platform: TestPlatform): Promise<string[]> {
    return (await platform.call('listWebhookKeys')).body.data.map(({ id }) => id);
  }

  it('platform.md §4.1.5: of several concurrent rotations one succeeds, the others are 409', async () => {
    for (let round = 0; round < 5; round++) {
      const platform = await world.platform();
      const [old] = await shown(platform);
      const replies = await Promise.all(
        Array.from({ length: 4 }, () => platform.call('rotateWebhookKey', { body: {} })),
      );
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409, 409]);
      const keys = await shown(platform);
      assert.deepEqual([keys.length, keys[0]], [2, old]);
    }
  });

  it('platform.md §4.1.6: beside a concurrent immediate rotation, in either order, all earlier keys are or will be removed', async () => {
    for (let round = 0; round < 5; round++) {
      const platform = await world.platform();
      const [old] = await shown(platform);
      const [slow, ...fast] = await Promise.all([
        platform.call('rotateWebhookKey', { body: { signsAfterSeconds: 0 } }),
        platform.call('rotateWebhookKey', { body: { immediately: true } }),
        platform.call('rotateWebhookKey', { body: { immediately: true } }),
      ]);
      assert.deepEqual(
        fast.map(({ status }) => status),
        [200, 200],
      );
      assert.ok([200, 409].includes(slow.status));
      const keys = await shown(platform);
      assert.ok(!keys.includes(old ?? ''), 'the old key is on show');
      assert.ok(keys.length <= 2);
    }
  });

  it('platform.md §2.6: of equal concurrent calls with one key one takes effect, and all get its reply', async () => {
    const platform = await world.platform();
    const replies = await Promise.all(
      Array.from({ length: 4 }, () =>
        platform.call('rotateWebhookKey', { body: { immediately: true }, key: 'leaked' }),
      ),
    );
    assert.deepEqual(new Set(replies.map(({ raw }) => raw)).size, 1);
    assert.deepEqual(
      await shown(platform),
      replies[0]?.body.data.map(({ id }) => id),
    );
  });
});
