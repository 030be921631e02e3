import {
  hashKey,
  InfiniteQueryObserver,
  MutationObserver,
  QueryClient,
  type QueryKey,
  QueryObserver,
} from '@tanstack/query-core';
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { type Failure, failureOf } from './failure.ts';
import { ListRenewal, type Page, type ReadPage } from './first-page.ts';
import { type LiveSource, watch } from './live.ts';

/** Everything that was loaded, for every screen: `back` finds a list as it was left. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 2_000, gcTime: 10 * 60_000, retry: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

export interface ReadOptions {
  /** Reads again when the platform has new events or requests. */
  readonly live?: LiveSource | undefined;
  /** Reads again and again while the page is visible: for data whose changes nobody announces. */
  readonly everyMs?: number | undefined;
  /** False: nothing is read yet, because something that the call needs is missing. */
  readonly isEnabled?: boolean | undefined;
}

export interface Read<Data> {
  readonly data: Data | undefined;
  readonly failure: Failure | undefined;
  /** Nothing is there yet. */
  readonly isLoading: boolean;
  readonly retry: () => void;
}

/** Reads once, and again when its key changes or is invalidated. The key begins with the name of the operation. */
export function useQuery<Data>(
  key: QueryKey,
  read: () => PromiseLike<Data>,
  options: ReadOptions = {},
): Read<Data> {
  const given = {
    queryKey: key,
    queryFn: () => Promise.resolve(read()),
    enabled: options.isEnabled ?? true,
    refetchInterval: options.everyMs ?? (false as const),
  };
  const [observer] = useState(() => new QueryObserver<Data>(queries, given));
  const result = useObserver(observer, given);
  useLive(options.live, () => readAgain(key));
  return {
    data: result.data,
    failure: result.error ? failureOf(result.error) : undefined,
    isLoading: result.isPending,
    retry: () => void observer.refetch({ cancelRefetch: false }),
  };
}

export interface Pages<Row> {
  readonly rows: readonly Row[];
  readonly total: number | undefined;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  /** Reads the next page; undefined if there is none. */
  readonly more: (() => void) | undefined;
  readonly retry: () => void;
}

/** Reads a list page by page, by the cursor of the last page. */
export function usePages<Row>(key: QueryKey, read: ReadPage<Row>, options: ReadOptions = {}): Pages<Row> {
  const given = {
    queryKey: key,
    queryFn: ({ pageParam }: { pageParam: unknown }) =>
      Promise.resolve(read(pageParam as string | undefined)),
    initialPageParam: undefined as unknown,
    getNextPageParam: (last: Page<Row>) => (last.hasMore ? last.nextCursor : undefined),
    enabled: options.isEnabled ?? true,
  };
  const [observer] = useState(() => new InfiniteQueryObserver<Page<Row>>(queries, given));
  const result = useObserver(observer, given);
  useLivePages(options, key, read);
  return {
    rows: result.data?.pages.flatMap(({ data }) => data ?? []) ?? [],
    total: result.data?.pages[0]?.totalCount,
    failure: result.error ? failureOf(result.error) : undefined,
    isLoading: result.isPending,
    isLoadingMore: result.isFetchingNextPage,
    more: result.hasNextPage ? () => void observer.fetchNextPage() : undefined,
    retry: () => void observer.refetch({ cancelRefetch: false }),
  };
}

export interface Mutation<Input, Data> {
  readonly run: (input: Input) => Promise<Data | undefined>;
  readonly isRunning: boolean;
  readonly data: Data | undefined;
  readonly failure: Failure | undefined;
  readonly reset: () => void;
}

/** Does something, once for each `run`; `run` gives undefined if it failed, and `failure` says why. */
export function useMutation<Input, Data>(
  act: (input: Input) => Promise<Data>,
  onDone?: (data: Data, input: Input) => void,
): Mutation<Input, Data> {
  const given = { mutationFn: act };
  const [observer] = useState(() => new MutationObserver<Data, Error, Input>(queries, given));
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => observer.subscribe(redraw), [observer]);
  observer.setOptions(given);
  const result = observer.getCurrentResult();
  const run = async (input: Input): Promise<Data | undefined> => {
    try {
      const data = await observer.mutate(input);
      onDone?.(data, input);
      return data;
    } catch {
      return undefined;
    }
  };
  return {
    run,
    isRunning: result.isPending,
    data: result.data,
    failure: result.error ? failureOf(result.error) : undefined,
    reset: () => observer.reset(),
  };
}

/** Reads again whatever was read with these operations: `invalidate('listTokens', 'getTokenById')`; all without a name. */
export function invalidate(...operations: string[]): void {
  const isMeant = (key: QueryKey) => operations.length === 0 || operations.includes(String(key[0]));
  void queries.invalidateQueries({ predicate: ({ queryKey }) => isMeant(queryKey) });
}

interface Observer<Options, Result> {
  subscribe(listener: () => void): () => void;
  setOptions(options: Options): void;
  getOptimisticResult(options: never): Result;
}

function useObserver<Options extends object, Result>(
  observer: Observer<Options, Result>,
  given: NoInfer<Options>,
): Result {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => observer.subscribe(() => redraw(undefined)), [observer]);
  useEffect(() => observer.setOptions(given));
  return observer.getOptimisticResult(queries.defaultQueryOptions(given as never) as never);
}

function useLive(source: LiveSource | undefined, onNews: () => void): void {
  const latest = useRef(onNews);
  latest.current = onNews;
  useEffect(() => {
    if (source === undefined) return undefined;
    return watch(source, () => latest.current());
  }, [source]);
}

function useLivePages<Row>({ live, everyMs }: ReadOptions, key: QueryKey, read: ReadPage<Row>): void {
  const list = hashKey(key);
  const renewal = useMemo(() => new ListRenewal(queries), [list]);
  const renew = useRef(() => {});
  renew.current = () => void renewal.renew(key, read);
  useEffect(() => () => renewal.stop(), [renewal]);
  useLive(live, () => renew.current());
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) renew.current();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}

function readAgain(key: QueryKey): void {
  void queries.invalidateQueries({ queryKey: key, exact: true });
}
