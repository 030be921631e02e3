import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rateTable } from '#capabilities/pricing/rates.ts';
import { sandboxRateFeed } from '#edge/sandbox/rates/rate-feed.ts';

describe('sandbox rate feed', () => {
  const read = (text: string) => sandboxRateFeed.snapshot(new Date(text));

  it('platform.md §6.1: one snapshot serves 300 seconds, then the next begins', async () => {
    const first = await read('2026-03-02T10:05:00.000Z');
    const last = await read('2026-03-02T10:09:59.999Z');
    const next = await read('2026-03-02T10:10:00.000Z');
    assert.deepEqual(first.readAt, new Date('2026-03-02T10:05:00.000Z'));
    assert.deepEqual(last.readAt, first.readAt);
    assert.deepEqual(next.readAt, new Date('2026-03-02T10:10:00.000Z'));
  });

  it('platform.md §6.6: the rates themselves never move', async () => {
    const [now, later] = [await read('2026-03-02T10:00:00Z'), await read('2027-03-02T10:00:00Z')];
    assert.deepEqual(now.perUsd, later.perUsd);
    assert.ok(rateTable(now.perUsd).size > 40);
  });
});
