import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { batchCalls } from '#foundation/lib/batch-calls.ts';

describe('batchCalls', () => {
  /** A runner whose batches end when the test ends them. */
  function trips() {
    const batches: { items: number[]; end(results: number[]): void; fail(error: Error): void }[] = [];
    const run = (items: number[]) =>
      new Promise<number[]>((resolve, reject) => batches.push({ items, end: resolve, fail: reject }));
    return { batches, run };
  }

  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('decision 0001: calls of one turn share a batch, and calls during a batch go into the next one', async () => {
    const { batches, run } = trips();
    const share = batchCalls(run);
    const first = [share(1), share(2)];
    await turn();
    const second = [share(3), share(4)];
    await turn();
    assert.deepEqual(
      batches.map(({ items }) => items),
      [[1, 2]],
    );
    batches[0]?.end([10, 20]);
    assert.deepEqual(await Promise.all(first), [10, 20]);
    assert.deepEqual(batches[1]?.items, [3, 4]);
    batches[1]?.end([30, 40]);
    assert.deepEqual(await Promise.all(second), [30, 40]);
  });

  it('decision 0018: a second batch begins beside the first when enough calls wait, and the last lane takes the rest', async () => {
    const { batches, run } = trips();
    const share = batchCalls(run, { lanes: 2, laneMin: 3 });
    const calls = [share(1)];
    await turn();
    calls.push(share(2), share(3));
    await turn();
    assert.equal(batches.length, 1);
    calls.push(share(4));
    await turn();
    assert.deepEqual(batches[1]?.items, [2, 3, 4]);
    calls.push(share(5), share(6), share(7), share(8));
    await turn();
    assert.equal(batches.length, 2);
    batches[0]?.end([10]);
    await turn();
    assert.deepEqual(batches[2]?.items, [5, 6, 7, 8]);
    calls.push(share(9));
    batches[1]?.end([20, 30, 40]);
    await turn();
    // One call is too few for a lane beside another.
    assert.equal(batches.length, 3);
    batches[2]?.end([50, 60, 70, 80]);
    await turn();
    batches[3]?.end([90]);
    assert.deepEqual(await Promise.all(calls), [10, 20, 30, 40, 50, 60, 70, 80, 90]);
  });

  it('a failed batch fails only its own callers', async () => {
    const { batches, run } = trips();
    const share = batchCalls(run);
    const first = assert.rejects(share(1), /lost/);
    await turn();
    const second = share(2);
    batches[0]?.fail(new Error('lost'));
    await first;
    batches[1]?.end([2]);
    assert.equal(await second, 2);
    const third = share(3);
    await turn();
    batches[2]?.end([3]);
    assert.equal(await third, 3);
  });

  it('no batch is larger than the maximum', async () => {
    const { batches, run } = trips();
    const share = batchCalls(run, { batchMax: 2 });
    const all = Promise.all([share(1), share(2), share(3)]);
    await turn();
    batches[0]?.end([1, 2]);
    await turn();
    batches[1]?.end([3]);
    assert.deepEqual(await all, [1, 2, 3]);
    assert.deepEqual(
      batches.map(({ items }) => items),
      [[1, 2], [3]],
    );
  });

  it('runs as many batches at once as there are lanes', async () => {
    const { batches, run } = trips();
    const share = batchCalls(run, { lanes: 2 });
    const all: Promise<number>[] = [];
    for (const item of [1, 2, 3]) {
      all.push(share(item));
      await turn();
    }
    assert.deepEqual(
      batches.map(({ items }) => items),
      [[1], [2]],
    );
    batches[1]?.end([2]);
    await turn();
    assert.deepEqual(batches[2]?.items, [3]);
    batches[0]?.end([1]);
    batches[2]?.end([3]);
    assert.deepEqual(await Promise.all(all), [1, 2, 3]);
  });
});
