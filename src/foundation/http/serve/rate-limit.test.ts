import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRateLimit } from '#foundation/http/serve/rate-limit.ts';
import { handClock } from '#tests/harness/hand-clock.ts';

describe('the request rate', () => {
  it('platform.md §9: allows a burst, then a number per second, and the refusal says when to retry', () => {
    const clock = handClock();
    const limit = createRateLimit(clock);
    const taken = () => limit.take('a', 2, 3);
    for (let i = 0; i < 3; i++) assert.equal(taken(), undefined);
    assert.equal(taken()?.code, 'RATE_LIMITED');
    assert.equal(taken()?.headers['retry-after'], '1');
    clock.advance(500);
    assert.equal(taken(), undefined);
    assert.equal(taken()?.code, 'RATE_LIMITED');
  });

  it('platform.md §9: one platform does not use up the rate of another; 0 means no limit', () => {
    const limit = createRateLimit(handClock());
    assert.equal(limit.take('a', 1, 1), undefined);
    assert.ok(limit.take('a', 1, 1));
    assert.equal(limit.take('b', 1, 1), undefined);
    for (let i = 0; i < 1000; i++) assert.equal(limit.take('c', 0, 1), undefined);
  });

  it('platform.md §9: a clock that is set back locks no platform out', () => {
    let now = 10_000_000;
    const limit = createRateLimit({ now: () => now });
    assert.equal(limit.take('a', 1, 2), undefined);
    now -= 3_600_000;
    assert.equal(limit.take('a', 1, 2), undefined);
    now += 1_000;
    assert.equal(limit.take('a', 1, 2), undefined);
  });
});
