import { writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { ConnectorClient } from '#cli/connector/connector-client.ts';
import type { OrderReport } from '#foundation/connector-protocol/orders.ts';
import { type ConnectorKey, keyLine, signAnswer } from '#foundation/connector-protocol/signing.ts';
import type { Clock } from '#foundation/lib/clock.ts';
import { ExampleConnector, type Language } from '#tests/connectors/example.ts';
import {
  type Call,
  ConnectorProxy,
  NAMES,
  parseBody,
  type Reply,
  resignCall,
  storeOf,
} from '#tests/connectors/proxy.ts';
import { SeededRandom } from '#tests/drills/seeded-random.ts';

type Forward = (call: Call) => Promise<Reply>;
type Fault = (call: Call, forward: Forward) => Promise<Reply | 'cut'>;

/**
 * An example behind a line that, by a seed, delays, loses, doubles, cuts, reorders and garbles calls, answers and events,
 * answers as a proxy does, and kills the connector before and after it records (connectors.md §11.2). The example lives
 * in real time, Corridor in the time of a clock: whatever passes is signed again.
 */
export class FaultyConnector {
  /** Without faults it is as good as the example. */
  isFaulty = true;
  /** How often each fault struck. */
  readonly struck = new Map<string, number>();
  readonly #example: ExampleConnector;
  readonly #random: SeededRandom;
  readonly #clock: Clock;
  #key: ConnectorKey | undefined;
  #proxy: ConnectorProxy | undefined;
  #restarting: Promise<void> | undefined;

  private constructor(example: ExampleConnector, seed: number, clock: Clock) {
    this.#example = example;
    this.#random = new SeededRandom(seed);
    this.#clock = clock;
  }

  static async start(
    language: Language,
    { seed, clock }: { seed: number; clock: Clock },
  ): Promise<FaultyConnector> {
    const faulty = new FaultyConnector(await ExampleConnector.start(language), seed, clock);
    faulty.#proxy = await ConnectorProxy.start(
      () => faulty.#example.url,
      (call, forward) => faulty.#serve(call, forward),
    );
    return faulty;
  }

  get url(): string {
    return this.#proxy?.url ?? '';
  }

  /** The secret that Corridor made for this connector. */
  async learn(key: ConnectorKey): Promise<void> {
    this.#key = key;
    await writeFile(this.#example.secretFile, keyLine(key));
  }

  /** The bank changes an order, if it can. */
  async play(reference: string, state: string, reason?: string): Promise<void> {
    await this.#restarting;
    const body = { reference, state, ...(reason !== undefined && { reason }) };
    await this.#onBank((client) => client.call('playOrder', { body }));
  }

  /** The order as the bank has it. */
  async find(reference: string): Promise<OrderReport | undefined> {
    const { answer } = await this.#onBank((client) => client.call('getOrder', { parameters: { reference } }));
    return answer.kind === 'answer' ? answer.body : undefined;
  }

  /** Money comes in at the bank; the same name again is the same money. */
  async credit(body: Readonly<Record<string, string>>): Promise<void> {
    await this.#restarting;
    await this.#onBank((client) => client.call('testCredit', { body }));
  }

  /** What came into an account of the bank, less what left it, since the bank opened. */
  position(account: string): bigint {
    const book = new DatabaseSync(this.#example.database, { readOnly: true });
    try {
      const row = book
        .prepare(
          "select coalesce(sum(case side when 'CREDIT' then amount else -amount end), 0) as net from lines where of <> 'opening' and account = ?",
        )
        .get(account) as { net: number };
      return BigInt(row.net);
    } finally {
      book.close();
    }
  }

  /** How often the bank paid each order, and how often it took it back. */
  bookings(): { reference: string; kind: string; count: number }[] {
    const book = new DatabaseSync(this.#example.database, { readOnly: true });
    try {
      const rows = book.prepare(
        "select of as reference, kind, count(*) as count from lines where kind in ('PAYMENT', 'RETURN') group by of, kind",
      );
      return rows.all() as { reference: string; kind: string; count: number }[];
    } finally {
      book.close();
    }
  }

  backUp(): Promise<void> {
    return this.#example.backUp();
  }

  restore(): Promise<void> {
    return this.#example.restore();
  }

  async stop(): Promise<void> {
    await this.#restarting;
    await this.#proxy?.stop();
    await this.#example.stop();
  }

  async #onBank<Result>(ask: (client: ConnectorClient) => Promise<Result>): Promise<Result> {
    const client = new ConnectorClient(this.#example.url, [this.#signs], NAMES);
    try {
      return await ask(client);
    } finally {
      await client.close();
    }
  }

  get #signs(): ConnectorKey {
    if (!this.#key) throw new Error('the connector has no secret yet');
    return this.#key;
  }

  async #serve(call: Call, forward: Forward): Promise<Reply | 'cut'> {
    const pass = async (passed: Call) => {
      await this.#restarting;
      return this.#signAgain(passed, await forward(resignCall(passed, this.#signs)));
    };
    const [name, fault] = this.isFaulty ? this.#drawFault(call) : FAITHFUL;
    this.struck.set(name, 1 + (this.struck.get(name) ?? 0));
    return fault(call, pass);
  }

  #drawFault(call: Call): readonly [string, Fault] {
    const isPut = call.method === 'PUT';
    const faults = this.#faults.filter(({ only = () => true }) => only(call));
    const drawn = this.#random.next() * TOTAL;
    let sum = 0;
    for (const { name, share, fault } of faults) {
      sum += share * (isPut ? PUT_WEIGHT : 1);
      if (drawn < sum) return [name, fault];
    }
    return FAITHFUL;
  }

  readonly #faults: readonly {
    readonly name: string;
    /** How many of a hundred calls. */
    readonly share: number;
    readonly only?: (call: Call) => boolean;
    readonly fault: Fault;
  }[] = [
    { name: 'call lost', share: 3, fault: async () => 'cut' },
    { name: 'answer lost', share: 5, fault: async (call, pass) => pass(call).then(() => 'cut') },
    { name: 'delayed', share: 6, fault: (call, pass) => this.#delayed(call, pass) },
    {
      name: 'doubled',
      share: 4,
      fault: async (call, pass) => (await Promise.all([pass(call), pass(call)]))[1],
    },
    { name: 'answer cut off', share: 3, fault: async (call, pass) => cutOff(await pass(call)) },
    { name: 'answer garbled', share: 3, fault: async (call, pass) => garbled(await pass(call)) },
    {
      name: 'answer without its sense',
      share: 2,
      fault: async (call) => this.#answer(call, 200, { state: 'LOST' }),
    },
    { name: 'proxy before', share: 4, fault: async () => this.#proxyAnswer() },
    {
      name: 'proxy after',
      share: 3,
      fault: async (call, pass) => pass(call).then(() => this.#proxyAnswer()),
    },
    { name: 'busy', share: 3, fault: async (call) => this.#refusal(call, 503) },
    {
      ...{ name: 'refused', share: 1, only: ({ method }) => method === 'PUT' },
      fault: async (call) => this.#refusal(call, 400),
    },
    {
      ...{ name: 'events reordered', share: 20, only: isAboutEvents },
      fault: async (call, pass) => this.#reordered(call, await pass(call)),
    },
    { name: 'killed before', share: 0.4, fault: async () => this.#kill() },
    { name: 'killed after', share: 0.4, fault: async (call, pass) => pass(call).then(() => this.#kill()) },
  ];

  async #delayed(call: Call, pass: Forward): Promise<Reply> {
    await delay(this.#random.between(1, 30));
    const reply = await pass(call);
    await delay(this.#random.between(1, 30));
    return reply;
  }

  #proxyAnswer(): Reply {
    const status = this.#random.pick([200, 400, 404, 409, 502]);
    return { status, headers: { 'content-type': 'text/html' }, body: Buffer.from('<h1>a proxy</h1>') };
  }

  #refusal(call: Call, status: 400 | 503): Reply {
    const reply = this.#answer(call, status, { code: 'REFUSED', reason: 'The test says so.' });
    return { ...reply, headers: { ...reply.headers, 'retry-after': String(this.#random.between(1, 60)) } };
  }

  /** Swaps neighbours, and lists some events twice; the list keeps its place. */
  #reordered(call: Call, reply: Reply): Reply {
    const page = parseBody(reply) as { events?: unknown[] };
    if (reply.status !== 200 || !page.events) return reply;
    const events = page.events.flatMap((event) => (this.#random.next() < 0.2 ? [event, event] : [event]));
    for (let i = 1; i < events.length; i++) {
      if (this.#random.next() < 0.3) [events[i - 1], events[i]] = [events[i], events[i - 1]];
    }
    return this.#answer(call, 200, { ...page, events: events.slice(0, EVENTS_MAX) });
  }

  async #kill(): Promise<'cut'> {
    this.#restarting ??= (async () => {
      await this.#example.kill();
      await this.#example.startAgain();
      this.#restarting = undefined;
    })();
    await this.#restarting;
    return 'cut';
  }

  #store = '';

  #signAgain(call: Call, reply: Reply): Reply {
    this.#store = storeOf(reply) || this.#store;
    const retryAfter = reply.headers['retry-after'];
    return this.#signed(call, reply.status, reply.body, retryAfter);
  }

  #answer(call: Call, status: number, body: Record<string, unknown>): Reply {
    return this.#signed(call, status, Buffer.from(JSON.stringify(body)));
  }

  #signed(call: Call, status: number, body: Buffer, retryAfter?: string): Reply {
    const requestId = call.headers[NAMES.requestId] ?? '';
    const at = new Date(this.#clock.now());
    const signed = signAnswer(this.#signs, { requestId, status, store: this.#store, body, at }, NAMES);
    const more = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    return { status, body, headers: { 'content-type': 'application/json', ...more, ...signed } };
  }
}

const EVENTS_MAX = 500;
const TOTAL = 100;
/** The call that moves money is disturbed more often. */
const PUT_WEIGHT = 1.5;
const FAITHFUL: readonly [string, Fault] = ['none', (call, pass) => pass(call)];

function isAboutEvents({ path }: Call): boolean {
  return path.startsWith('/events');
}

function cutOff(reply: Reply): Reply {
  return { ...reply, body: reply.body.subarray(0, Math.floor(reply.body.length / 2)) };
}

function garbled(reply: Reply): Reply {
  const body = Buffer.from(reply.body);
  if (body.length > 0) body[body.length >> 1] = (body[body.length >> 1] ?? 0) ^ 1;
  return { ...reply, body };
}
