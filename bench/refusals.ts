import { type LoadProcess, startLoadProcess } from './load.ts';
import type { Contestant } from './rounds.ts';
import { AMOUNT, type PlatformOfService, type Service, startService } from './service.ts';
import type { Size } from './sizes.ts';
import { printRows, type Row } from './table.ts';
import type { WireRequest } from './wire-client.ts';

export interface RefusalParts {
  /** An empty one. */
  readonly databaseUrl: string;
  readonly load: LoadProcess;
  readonly size: Size;
  readonly closers: (() => Promise<void>)[];
}

const ALONE = 'payments, alone';
/** How many requests of the other platform are in flight at the same time. */
const AT_ONCE = 8;

type Volley = WireRequest[];

/**
 * Payments of one platform, alone and beside another platform that sends almost only requests that have to be refused: at
 * the look-up, or as late as in the commit that unrelated requests share.
 */
export async function prepareRefusals(parts: RefusalParts) {
  const { size, closers } = parts;
  const service = await startService(parts);
  const poor = await service.addPlatform({ customers: AT_ONCE, funds: 1 });
  const racy = await service.addPlatform({ customers: size.contestedAccounts, funds: 1 });
  const limited = await service.addPlatform({ customers: AT_ONCE, funds: 1_000 * AMOUNT, dailyUsdCents: 1 });
  const otherLoad = startLoadProcess();
  closers.push(async () => otherLoad.stop());
  const others = [
    new Other('executions without the money', otherLoad, () => together(poor)),
    new Other('executions that race for the money of one', otherLoad, () => racing(racy, AT_ONCE)),
    new Other('executions above the day’s limit', otherLoad, () => together(limited)),
    new Other('one quote executed by eight at once', otherLoad, () => racing(racy, 1)),
  ];
  const beside = others.map((other) => ({
    name: `payments beside ${other.name}`,
    against: [{ name: ALONE, budget: 0.7 }],
    ...payments(parts, service, other),
  }));
  return {
    contestants: [{ name: ALONE, ...payments(parts, service) }, ...beside],
    printOthers: () => printRows(others.map((other) => other.row())),
  };
}

/** The same quotes over and over, eight at once. */
async function together(platform: PlatformOfService): Promise<Volley[]> {
  const quotes = await platform.makeQuotes(platform.accounts, AT_ONCE);
  return [quotes.map(platform.execution)];
}

/** In turn for each account: money for one payment arrives, and eight executions at once compete for it. */
async function racing(platform: PlatformOfService, quotesEach: number): Promise<Volley[]> {
  const { accounts } = platform;
  const volleys = accounts.map(async (account) => {
    const quotes = await platform.makeQuotes([account], quotesEach);
    const executions = Array.from({ length: AT_ONCE }, (_, i) => {
      const request = platform.execution(quotes[i % quotesEach] as string);
      // Each call is a new one, not a repetition of the first.
      const key = `${request.headers['idempotency-key']} ${i}`;
      return { ...request, headers: { ...request.headers, 'idempotency-key': key } };
    });
    return [[platform.funding(account, AMOUNT)], executions];
  });
  return (await Promise.all(volleys)).flat();
}

/** The disturbing platform, and the results of its requests. */
class Other {
  readonly name: string;
  readonly #load: LoadProcess;
  readonly #makeVolleys: () => Promise<Volley[]>;
  #volleys: Volley[] = [];
  #refused = 0;
  #done = 0;

  constructor(name: string, load: LoadProcess, makeVolleys: () => Promise<Volley[]>) {
    this.name = name;
    this.#load = load;
    this.#makeVolleys = makeVolleys;
  }

  async prepare(): Promise<void> {
    this.#volleys = await this.#makeVolleys();
  }

  async during<Value>(origin: string, work: () => Promise<Value>): Promise<Value> {
    const fired = this.#load.volleys({ origin, volleys: this.#volleys });
    const value = await work();
    await this.#load.cease();
    const { refused, done } = await fired;
    this.#refused += refused;
    this.#done += done;
    return value;
  }

  row(): Row {
    const count = (of: number) => of.toLocaleString('en');
    return { 'beside them': this.name, refused: count(this.#refused), done: count(this.#done) };
  }
}

function payments({ load, size }: RefusalParts, service: Service, other?: Other): Omit<Contestant, 'name'> {
  const { origin } = service;
  let requests: WireRequest[] = [];
  const execute = () => load.once({ origin, clients: size.clients, requests });
  return {
    unit: 'payment',
    async prepare(ms) {
      const quotes = await service.makeQuotes(service.accounts, Math.ceil(ms));
      requests = quotes.map(service.execution);
      await other?.prepare();
    },
    round: () => (other ? other.during(origin, execute) : execute()),
  };
}
