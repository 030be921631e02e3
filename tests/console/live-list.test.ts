import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InfiniteQueryObserver, QueryClient } from '@tanstack/query-core';
import { ListRenewal } from '../../packages/console/src/api/first-page.ts';

interface Row {
  readonly id: number;
  readonly status: string;
}

const KEY = ['listTransactions'];
const LIMIT = 3;
/** Longer than any test. */
const NEVER_MS = 1_000_000;

describe('a list of the console that is kept up to date', () => {
  it('reads one page for news, however many are loaded, and shows every row once and in order', async (t) => {
    const list = await givenList(t, 9);
    list.rows.unshift({ id: 11, status: 'PENDING' }, { id: 10, status: 'PENDING' });
    await list.renew();
    assert.deepEqual(list.calls, ['first']);
    assert.deepEqual(list.shown(), [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    assert.equal(list.total(), 11);
    list.rows.unshift({ id: 12, status: 'PENDING' });
    await list.renew();
    assert.deepEqual(list.shown(), [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('drops a row that left the first page’s filter, and shows the changed ones', async (t) => {
    const list = await givenList(t, 9);
    list.rows.splice(1, 1);
    list.rows[0] = { id: 9, status: 'FAILED' };
    await list.renew();
    assert.deepEqual(list.shown(), [9, 7, 6, 5, 4, 3, 2, 1]);
    assert.equal(list.statusOf(9), 'FAILED');
  });

  it('shows a row that moved to the front once', async (t) => {
    const list = await givenList(t, 9);
    const [moved] = list.rows.splice(5, 1);
    if (moved) list.rows.unshift(moved);
    await list.renew();
    assert.deepEqual(list.shown(), [4, 9, 8, 7, 6, 5, 3, 2, 1]);
  });

  it('reads everything again if all rows of the first page are new', async (t) => {
    const list = await givenList(t, 6);
    list.rows.unshift(...[10, 9, 8, 7].map((id) => ({ id, status: 'PENDING' })));
    await list.renew();
    await list.settled();
    assert.deepEqual(list.calls, ['first', 'first', 'after 8']);
    assert.deepEqual(list.shown(), [10, 9, 8, 7, 6, 5]);
  });

  it('keeps one page if no more are left', async (t) => {
    const list = await givenList(t, 5);
    list.rows.splice(0, 3);
    await list.renew();
    assert.deepEqual(list.shown(), [2, 1]);
    assert.equal(list.hasMore(), false);
  });

  it('keeps a page that was loaded while the first one was read', async (t) => {
    const list = await givenList(t, 12, 2);
    list.rows.unshift({ id: 13, status: 'PENDING' });
    await Promise.all([list.renew(), list.more()]);
    assert.deepEqual(list.shown(), [13, 12, 11, 10, 9, 8, 7, 6, 5, 4]);
  });

  it('reads the other pages again later, once for all the news of that time', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const list = await givenList(t, 9, 3, 15_000);
    list.rows[8] = { id: 1, status: 'FAILED' };
    await list.renew();
    await list.renew();
    assert.equal(list.statusOf(1), 'PENDING');
    t.mock.timers.tick(15_000);
    await list.settled();
    assert.deepEqual(list.calls, ['first', 'first', 'first', 'after 7', 'after 4']);
    assert.equal(list.statusOf(1), 'FAILED');
  });
});

/** A list with some pages of it loaded; its newest row has the highest id. */
async function givenList(
  t: { after(end: () => void): void },
  count: number,
  pages = Math.ceil(count / LIMIT),
  restMs = NEVER_MS,
) {
  const rows: Row[] = Array.from({ length: count }, (_, i) => ({ id: count - i, status: 'PENDING' }));
  const calls: string[] = [];
  const read = async (cursor: string | undefined) => {
    calls.push(cursor === undefined ? 'first' : `after ${cursor}`);
    const begin = cursor === undefined ? 0 : rows.findIndex(({ id }) => id < Number(cursor));
    const data = rows.slice(begin, begin + LIMIT);
    const hasMore = begin + LIMIT < rows.length;
    return {
      data,
      hasMore,
      totalCount: rows.length,
      ...(hasMore && { nextCursor: String(data.at(-1)?.id) }),
    };
  };
  const queries = new QueryClient();
  const observer = new InfiniteQueryObserver(queries, {
    queryKey: KEY,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.hasMore ? last.nextCursor : undefined),
  });
  const stop = observer.subscribe(() => undefined);
  await observer.getCurrentQuery().promise;
  for (let page = 1; page < pages; page += 1) await observer.fetchNextPage();
  calls.length = 0;
  const renewal = new ListRenewal(queries, restMs);
  t.after(() => {
    renewal.stop();
    stop();
    queries.clear();
  });
  const loaded = () => observer.getCurrentResult().data?.pages ?? [];
  return {
    rows,
    calls,
    renew: () => renewal.renew(KEY, read),
    more: () => observer.fetchNextPage(),
    settled: () => observer.getCurrentQuery().promise,
    shown: () => loaded().flatMap(({ data }) => data.map(({ id }) => id)),
    statusOf: (wanted: number) =>
      loaded()
        .flatMap(({ data }) => data)
        .find(({ id }) => id === wanted)?.status,
    total: () => loaded()[0]?.totalCount,
    hasMore: () => observer.getCurrentResult().hasNextPage,
  };
}
