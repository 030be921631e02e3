import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildRound, type Round } from './rounds.ts';
import { createInbox, type Inbox } from './webhook-receiver.ts';
import { openWireClient, type WireClient, type WireReply, type WireRequest } from './wire-client.ts';

/** A load of HTTP requests from a process of its own, to loopback only; all of them must succeed. */
export interface Load {
  readonly origin: string;
  readonly clients: number;
  readonly requests: readonly WireRequest[];
}

/** Executions up to their webhooks, in a stream with at most this many in flight. */
export interface Stream {
  readonly underWayMax: number;
  /** Counting begins when this many payments are complete: by then the stream is steady. */
  readonly lead: number;
}

export interface LoadProcess {
  /** Repeats the requests in turn for a while. */
  round(load: Load, milliseconds: number): Promise<Round>;
  /** Sends each request once, as fast as the clients can. */
  once(load: Load): Promise<Round>;
  /** Sends each request once, each of which creates a resource; returns their ids. */
  make(load: Load): Promise<string[]>;
  /** Opens an endpoint that accepts all webhooks, and returns its address. */
  receive(): Promise<string>;
  /** Waits until this many webhooks of a type have arrived since the last call. */
  arrivals(type: string, count: number): Promise<void>;
  /** Waits until no webhook has arrived for a while, and discards all. */
  forget(): Promise<void>;
  /** Executes payments and ends when all their webhooks have arrived; the rate is that of the middle part. */
  stream(load: Load, stream: Stream): Promise<Round>;
  /** Executes this many payments a second; returns the milliseconds from each reply to its webhook. */
  webhookLags(load: Load, perSecond: number): Promise<number[]>;
  /** Sends volley after volley until `cease`; returns how many requests were refused, and how many were not. */
  volleys(fire: Volleys): Promise<Fired>;
  cease(): Promise<void>;
  stop(): void;
}

/** Requests that are sent concurrently, after the previous volley was fully answered; they may be refused. */
export interface Volleys {
  readonly origin: string;
  readonly volleys: readonly (readonly WireRequest[])[];
}

export interface Fired {
  readonly refused: number;
  readonly done: number;
}

type Task =
  | { readonly does: 'round'; readonly load: Load; readonly milliseconds: number }
  | { readonly does: 'once' | 'make'; readonly load: Load }
  | { readonly does: 'receive' | 'forget' | 'cease' }
  | { readonly does: 'volleys'; readonly fire: Volleys }
  | { readonly does: 'arrivals'; readonly type: string; readonly count: number }
  | { readonly does: 'stream'; readonly load: Load; readonly stream: Stream }
  | { readonly does: 'webhookLags'; readonly load: Load; readonly perSecond: number };

interface Done {
  readonly no: number;
  readonly value?: unknown;
  readonly error?: string;
}

export function startLoadProcess(): LoadProcess {
  const child = fork(fileURLToPath(import.meta.url), ['--load'], { serialization: 'advanced' });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let asked = 0;
  child.on('message', ({ no, value, error }: Done) => {
    const waiter = waiting.get(no);
    waiting.delete(no);
    if (error === undefined) waiter?.resolve(value);
    else waiter?.reject(new Error(error));
  });
  const ask = <Value>(task: Task) =>
    new Promise<Value>((resolve, reject) => {
      const no = ++asked;
      waiting.set(no, { resolve: resolve as (value: unknown) => void, reject });
      child.send({ no, task });
    });
  return {
    round: (load, milliseconds) => ask({ does: 'round', load, milliseconds }),
    once: (load) => ask({ does: 'once', load }),
    make: (load) => ask({ does: 'make', load }),
    receive: () => ask({ does: 'receive' }),
    arrivals: (type, count) => ask({ does: 'arrivals', type, count }),
    forget: () => ask({ does: 'forget' }),
    stream: (load, stream) => ask({ does: 'stream', load, stream }),
    webhookLags: (load, perSecond) => ask({ does: 'webhookLags', load, perSecond }),
    volleys: (fire) => ask({ does: 'volleys', fire }),
    cease: () => ask({ does: 'cease' }),
    stop: () => child.kill(),
  };
}

async function carryOut(inbox: Inbox, task: Task): Promise<unknown> {
  switch (task.does) {
    case 'round':
      return repeat(task.load, task.milliseconds);
    case 'once':
      return sendOnce(task.load);
    case 'make':
      return make(task.load);
    case 'receive':
      return inbox.open();
    case 'forget':
      return inbox.forget();
    case 'arrivals':
      return inbox.take(task.type, task.count);
    case 'stream':
      return stream(inbox, task.load, task.stream);
    case 'webhookLags':
      return webhookLags(inbox, task.load, task.perSecond);
    case 'volleys':
      return fireUntilCeased(task.fire);
    case 'cease':
      isCeased = true;
  }
}

async function repeat({ requests, ...load }: Load, milliseconds: number): Promise<Round> {
  let next = 0;
  return withClients(load, (start) =>
    performance.now() - start < milliseconds ? requests[next++ % requests.length] : undefined,
  );
}

async function sendOnce({ requests, ...load }: Load, hear?: (reply: WireReply) => void): Promise<Round> {
  let next = 0;
  return withClients(load, () => requests[next++], hear);
}

async function make(load: Load): Promise<string[]> {
  const ids: string[] = [];
  await sendOnce(load, ({ body }) => ids.push(idIn(body, 'id')));
  return ids;
}

/** Each client sends the requests that `next` gives it, one after the other, until it gives none. */
async function withClients(
  { origin, clients: count }: Omit<Load, 'requests'>,
  next: (start: number) => WireRequest | undefined | Promise<WireRequest | undefined>,
  hear: (reply: WireReply) => void = () => undefined,
): Promise<Round> {
  const clients = await Promise.all(Array.from({ length: count }, () => openWireClient(origin)));
  const latenciesMs: number[] = [];
  const start = performance.now();
  const loop = async (client: WireClient) => {
    for (let request = await next(start); request; request = await next(start)) {
      const began = performance.now();
      hear(await send(client, request));
      latenciesMs.push(performance.now() - began);
    }
  };
  await Promise.all(clients.map(loop));
  const round = buildRound(latenciesMs, performance.now() - start);
  for (const client of clients) client.close();
  return round;
}

async function send(client: WireClient, request: WireRequest): Promise<WireReply> {
  const reply = await client.send(request);
  if (reply.status >= 300) throw new Error(`${request.path} answered ${reply.status}: ${reply.body}`);
  return reply;
}

const TOLD = [
  'OUTGOING_PAYMENT.PROCESSING',
  'INTERNAL_ACCOUNT.BALANCE_UPDATED',
  'OUTGOING_PAYMENT.COMPLETED',
];

async function stream(
  inbox: Inbox,
  { requests, ...load }: Load,
  { underWayMax, lead }: Stream,
): Promise<Round> {
  const [, , completed = ''] = TOLD;
  const all = requests.length;
  const counted = all - underWayMax - lead;
  let sent = 0;
  const next = async () => {
    const no = sent++;
    if (no >= underWayMax && no < all) await inbox.reached(completed, no - underWayMax + 1);
    return requests[no];
  };
  const timed = inbox.reached(completed, lead).then(async () => {
    const start = performance.now();
    await inbox.reached(completed, lead + counted);
    return performance.now() - start;
  });
  await withClients(load, next);
  for (const type of TOLD) await inbox.take(type, all);
  return { count: all, perSecond: (counted * 1000) / (await timed) };
}

async function webhookLags(inbox: Inbox, { requests, ...load }: Load, perSecond: number): Promise<number[]> {
  const [processing = ''] = TOLD;
  const lags: Promise<number>[] = [];
  let sent = 0;
  const next = async (start: number) => {
    const no = sent++;
    const due = start + (no * 1000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    return requests[no];
  };
  await withClients(load, next, ({ body }) => {
    const replied = performance.now();
    const arrived = inbox.arrival(processing, idIn(body, 'transactionId'));
    lags.push(arrived.then((at) => at - replied));
  });
  return Promise.all(lags);
}

let isCeased = false;

async function fireUntilCeased({ origin, volleys }: Volleys): Promise<Fired> {
  const most = Math.max(...volleys.map(({ length }) => length));
  const clients = await Promise.all(Array.from({ length: most }, () => openWireClient(origin)));
  let [refused, done] = [0, 0];
  isCeased = false;
  for (let next = 0; !isCeased; next++) {
    const volley = volleys[next % volleys.length] ?? [];
    const replies = volley.map((request, i) => (clients[i] as WireClient).send(request));
    for (const { status, body } of await Promise.all(replies)) {
      if (status >= 500) throw new Error(`answered ${status}: ${body}`);
      if (status < 300) done++;
      else refused++;
    }
  }
  for (const client of clients) client.close();
  return { refused, done };
}

function idIn(body: string, field: string): string {
  return String((JSON.parse(body) as Record<string, unknown>)[field]);
}

if (process.argv[2] === '--load') {
  const inbox = createInbox();
  process.on('message', ({ no, task }: { no: number; task: Task }) => {
    carryOut(inbox, task).then(
      (value) => process.send?.({ no, value } satisfies Done),
      (error: Error) => process.send?.({ no, error: error.message } satisfies Done),
    );
  });
}
