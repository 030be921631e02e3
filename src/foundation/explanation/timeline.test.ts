import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Item } from '#foundation/explanation/explanation.ts';
import { type Anchor, orderItems } from '#foundation/explanation/timeline.ts';

const NOON = Date.parse('2026-03-02T12:00:00.000Z');
const time = (seconds: number) => new Date(NOON + seconds * 1000);

/** The last move of the clock: at `real`, to `ahead` seconds ahead of real time. */
const moved = (real: number, ahead: number): Anchor => ({ at: time(real + ahead), recordedAt: time(real) });
const NEVER: Anchor = { at: new Date(0), recordedAt: new Date(0) };

const item = (kind: Item['kind'], title: string, rest: Partial<Item>): Item => ({ kind, title, ...rest });

function request(title: string, real: number, durationMs: number): Item {
  return item('request', title, { recordedAt: time(real), details: { requestId: title, durationMs } });
}

/** `title +seconds`, in order. */
function orderOf(items: readonly Item[], move: Anchor): string[] {
  return orderItems(items, [move]).map(({ title, at }) => `${title} +${(at.getTime() - NOON) / 1000}`);
}

describe('the order of a timeline (operator.md §8.1b)', () => {
  it('operator.md §8.1b: an attempt never comes before its event, wherever the clock was moved', () => {
    const items = [
      item('attempt', 'attempt', { recordedAt: time(1.1), notBefore: time(301) }),
      item('event', 'event', { at: time(301) }),
      item('transition', 'created', { at: time(0), recordedAt: time(0) }),
    ];
    for (const move of [moved(1, 300), moved(5, 900)]) {
      const [first, second, third] = orderOf(items, move);
      assert.deepEqual([first, second], ['created +0', 'event +301']);
      assert.ok(third === 'attempt +301' || third === 'attempt +301.1', `${third}`);
    }
  });

  it('operator.md §8.1b: a late attempt keeps its distance in real time', () => {
    const items = [
      item('event', 'event', { at: time(0) }),
      item('attempt', 'first', { recordedAt: time(0.1), notBefore: time(0) }),
      item('attempt', 'second', { recordedAt: time(3_600), notBefore: time(0) }),
    ];
    const expected = ['event +0', 'first +0.1', 'second +3600'];
    assert.deepEqual(orderOf(items, NEVER), expected);
    assert.deepEqual(orderOf(items, moved(4_000, 900)), expected, 'moved since');
    const ahead = items.map((one) => ({
      ...one,
      ...(one.at && { at: time(900) }),
      ...(one.notBefore && { notBefore: time(900) }),
    }));
    assert.deepEqual(orderOf(ahead, moved(-10, 900)), ['event +900', 'first +900.1', 'second +4500']);
    assert.deepEqual(
      orderOf(ahead, moved(4_000, 1_800)),
      ['event +900', 'first +900', 'second +4499.9'],
      'the time between two attempts is certain',
    );
  });

  it('operator.md §8.1b: a request comes before what it caused, as long before as in real time', () => {
    const items = [
      item('decision', 'decided', { at: time(500) }),
      item('transition', 'changed', { at: time(500), recordedAt: time(100.02), requestId: 'asked' }),
      request('asked', 100, 50),
      item('transition', 'created', { at: time(0), recordedAt: time(0) }),
    ];
    for (const move of [moved(50, 399.98), moved(101, 402), moved(200, 3_600)]) {
      assert.deepEqual(orderOf(items, move), ['created +0', 'asked +499.98', 'decided +500', 'changed +500']);
    }
  });

  it('operator.md §8.1b: without its real time, the change is at the end of its request', () => {
    const items = [
      item('transition', 'changed', { at: time(500), requestId: 'asked' }),
      request('asked', 100, 2_000),
    ];
    assert.deepEqual(orderOf(items, moved(300, 3_600)), ['asked +498', 'changed +500']);
  });

  it('operator.md §8.1b: an entry of the same moment tells when a request came', () => {
    const items = [
      request('asked', 100, 50),
      item('entry', 'booked', { at: time(700), recordedAt: time(100.03) }),
      item('entry', 'first', { at: time(0), recordedAt: time(0) }),
    ];
    assert.deepEqual(orderOf(items, moved(300, 3_600)), ['first +0', 'asked +699.97', 'booked +700']);
  });

  it('operator.md §8.1b: a refused request follows everything that was recorded before it', () => {
    const created = item('transition', 'created', { at: time(0), recordedAt: time(0) });
    const refused = request('refused', 10, 5);
    assert.deepEqual(orderOf([refused, created], moved(5, 200)), ['created +0', 'refused +210']);
    assert.deepEqual(orderOf([refused, created], moved(20, 200)), ['created +0', 'refused +10']);
  });
});
