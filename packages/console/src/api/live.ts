import type { HeardEvent } from '@corridor/client';
import { signal } from '@preact/signals';
import { corridor, session } from './session.ts';

/** What can be new: events of the platform, or requests in its log. */
export type LiveSource = 'events' | 'requests';

/** What the listening tab tells the others, and what they ask it for. */
type Message = {
  readonly source: LiveSource;
  /** A tab that still shows another platform does not listen to it. */
  readonly platform: string | undefined;
} & ({ readonly kind: 'news'; readonly events: readonly Heard[] } | { readonly kind: 'wanted' });

export interface Heard {
  readonly type: string;
  readonly resourceId: string;
}

/** The last events that were heard, newest first, for those who want to say what came. */
export const heard = signal<readonly Heard[]>([]);

const LOCK = 'corridor-console-live';
const FEED_WAIT_SECONDS = 20;
const POLL_MS = 3_000;
const CALM_MS = 700;
const WANTED_MS = 10_000;

const watchers = new Map<() => void, LiveSource>();
const wantedAt = new Map<LiveSource, number>();
let channel: BroadcastChannel | undefined;
const fresh = new Set<LiveSource>();

/** Calls back when there is something new, at most about once a second. Returns a function that stops it. */
export function watch(source: LiveSource, onNews: () => void): () => void {
  watchers.set(onNews, source);
  want();
  return () => watchers.delete(onNews);
}

/** One visible tab of a browser listens for all. Hidden tabs send no requests. */
export function startLive(): void {
  channel = new BroadcastChannel(LOCK);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.platform !== session.value?.platform.id) return;
    if (data.kind === 'wanted') wantedAt.set(data.source, performance.now());
    else hear(data.source, data.events);
  };
  setInterval(want, WANTED_MS / 2);
  let turn: AbortController | undefined;
  const start = () => {
    if (document.hidden || turn !== undefined) return;
    turn = new AbortController();
    void listenInTurn(turn.signal);
  };
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) {
      turn?.abort();
      turn = undefined;
    } else start();
  });
  start();
}

/** Tells the listening tab which sources somebody looks at. */
function want(): void {
  if (document.hidden) return;
  for (const source of new Set(watchers.values())) {
    wantedAt.set(source, performance.now());
    channel?.postMessage({ kind: 'wanted', source, platform: session.peek()?.platform.id } satisfies Message);
  }
}

async function listenInTurn(signal: AbortSignal): Promise<void> {
  try {
    await navigator.locks.request(LOCK, { signal }, () =>
      Promise.all([hearEvents(signal), hearRequests(signal)]),
    );
  } catch (error) {
    if (!signal.aborted) console.error(error);
  }
}

/** The feed answers as soon as there is an event; production has none, so its list is asked. */
async function hearEvents(signal: AbortSignal): Promise<void> {
  let cursor: string | undefined;
  let newest: string | undefined;
  while (!signal.aborted) {
    try {
      if (session.value?.platform.environment.toUpperCase() === 'SANDBOX') {
        const query = cursor === undefined ? { waitSeconds: 0 } : { cursor, waitSeconds: FEED_WAIT_SECONDS };
        const feed = await corridor.listenToEvents(query, { signal, maxRetries: 0 });
        cursor = feed.cursor;
        tell('events', feed.events.map(readHeard));
      } else if (session.value) {
        const [first] = (await corridor.listEvents({ limit: 1 }, { signal, maxRetries: 0 })).data;
        if (newest !== undefined && first && first.id !== newest) tell('events', [first]);
        newest = first?.id ?? '';
        await pause(POLL_MS * 3, signal);
      } else await pause(POLL_MS, signal);
    } catch {
      cursor = undefined;
      await pause(POLL_MS, signal);
    }
  }
}

async function hearRequests(signal: AbortSignal): Promise<void> {
  let newest: string | undefined;
  while (!signal.aborted) {
    await pause(POLL_MS, signal);
    const isWanted = performance.now() - (wantedAt.get('requests') ?? Number.NEGATIVE_INFINITY) < WANTED_MS;
    if (!isWanted || !session.value || signal.aborted) continue;
    try {
      const [first] = (
        await corridor.listRequestLogs({ limit: 1, isExcludingConsoleReads: true }, { signal, maxRetries: 0 })
      ).data;
      if (newest !== undefined && first && first.id !== newest) tell('requests', []);
      newest = first?.id ?? '';
    } catch {
      newest = undefined;
    }
  }
}

function readHeard({ body }: HeardEvent): Heard {
  const { type = '', data } = JSON.parse(body) as { type?: string; data?: { id?: string } };
  return { type, resourceId: data?.id ?? '' };
}

function tell(source: LiveSource, events: readonly Heard[]): void {
  if (source === 'events' && events.length === 0) return;
  const platform = session.peek()?.platform.id;
  channel?.postMessage({ kind: 'news', source, events, platform } satisfies Message);
  hear(source, events);
}

/** Several pieces of news in a short time are one. A hidden tab reads again when it is looked at. */
function hear(source: LiveSource, events: readonly Heard[]): void {
  if (events.length > 0) heard.value = [...events.toReversed(), ...heard.value].slice(0, 20);
  if (document.hidden) return;
  const isWaiting = fresh.size > 0;
  fresh.add(source);
  if (!isWaiting) setTimeout(passOn, CALM_MS);
}

function passOn(): void {
  const told = new Set(fresh);
  fresh.clear();
  for (const [onNews, wanted] of [...watchers]) if (told.has(wanted)) onNews();
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(id);
      resolve();
    };
    const id = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
