import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { Cluster } from '#tests/drills/cluster.ts';
import { type Drill, type DrillRun, type Figures, quantile } from '#tests/drills/frame/drill.ts';
import { createRemotePlatform, type RemotePlatform } from '#tests/drills/remote-platform.ts';
import { fetchAccounts, inCurrency, platformAccounts, supports } from '#tests/given/accounts.ts';
import { type Call, TEST_DOMAINS } from '#tests/harness/harness.ts';
import type { Received } from '#tests/harness/receiver.ts';
import { CURRENCIES, givenCustomers } from '#tests/model/money-service.ts';

const ANSWER_MS = 80;
const MORE_PER_SECOND = 30;
const OTHERS_PER_SECOND = 10;
const AWAY_MS = 3_000;
const BEFORE_FAULT_MS = 3_000;

/** The other account, funded thirty times a second. */
type More = 'nothing more' | 'as much, spread' | 'to one account';

interface Arrival {
  readonly id: string;
  readonly type: string;
  readonly resource: string;
  readonly at: number;
  readonly isBusy: boolean;
  readonly balance: number | undefined;
  /** The time since the answer to the causing call, if known; a webhook may arrive before the answer. */
  latencyMs?: number;
}

/**
 * Measures how thirty fundings a second of one account, at a receiver that takes 80 ms, affect the webhooks of other
 * payments and questions about incoming ones; then the same while PostgreSQL is unreachable for three seconds, and while a
 * worker is killed. Everything must arrive, in order for each resource, and no event twice unless a killed worker had
 * leased it.
 */
async function run(run: DrillRun): Promise<Figures> {
  const cluster = await Cluster.open({ settings: { SANDBOX_UMA_DOMAIN: TEST_DOMAINS.sandboxUmaDomain } });
  const settings = ['isRegulatedFinancialInstitution=true', 'requestRate.perSecond=0'];
  const platform = await createRemotePlatform(cluster, settings);
  try {
    const load = await prepare(platform);
    await load.run(3_000, 'nothing more');
    const compared = await compare(load, run);
    const restarted = await whileRestarted(load, cluster, run);
    const killed = await whileKilled(load, cluster, run);
    await load.drained();
    // First, because an event whose first attempt failed arrives out of order.
    await sayFailures(cluster, run.say);
    checkOrder(load.arrivals);
    return { deliveries: load.arrivals.length, ...compared, ...restarted, ...killed };
  } finally {
    await cluster.close();
    await platform.receiver.close();
  }
}

/** Measured in turn, so that other load of the machine affects all of them. */
async function compare(load: Load, run: DrillRun): Promise<Figures> {
  const seen: Record<More, Arrival[]> = { 'nothing more': [], 'as much, spread': [], 'to one account': [] };
  const seconds = run.amount('seconds');
  for (let round = 0; run.continues('rounds', round); round++) {
    for (const more of Object.keys(seen) as More[]) {
      seen[more].push(...(await load.run(seconds * 1_000, more)));
      await load.drained();
    }
  }
  for (const [more, arrivals] of Object.entries(seen)) run.say(`beside ${more}: ${described(arrivals)}`);
  const p95Of = (more: More) => p95(latenciesOf(seen[more]));
  const [alone, spread, busy] = [p95Of('nothing more'), p95Of('as much, spread'), p95Of('to one account')];
  return {
    'p95 of the others beside a busy account ÷ alone': (busy / alone).toFixed(2),
    'the same ÷ beside as many fundings of many accounts': (busy / spread).toFixed(2),
  };
}

class Load {
  readonly arrivals: Arrival[] = [];
  readonly #platform: RemotePlatform;
  readonly #busy: string;
  readonly #others: readonly string[];
  readonly #customer: string;
  readonly #answered = new Map<string, number>();
  #calls: Promise<unknown>[] = [];
  #isDraining = false;

  constructor(
    platform: RemotePlatform,
    accounts: { busy: string; others: readonly string[]; customer: string },
  ) {
    this.#platform = platform;
    this.#busy = accounts.busy;
    this.#others = accounts.others;
    this.#customer = accounts.customer;
    platform.receiver.answer(async (delivery) => {
      this.arrivals.push(this.#arrival(delivery));
      if (!this.#isDraining) await delay(ANSWER_MS);
      return { status: 200 };
    });
  }

  /** The webhooks that arrived meanwhile. */
  async run(ms: number, more: More, during?: () => Promise<void>): Promise<Arrival[]> {
    const from = this.arrivals.length;
    const began = performance.now();
    const what = during?.();
    const perSecond = more === 'nothing more' ? 0 : MORE_PER_SECOND;
    let [funded, other, asked] = [0, 0, 0];
    while (performance.now() - began < ms) {
      const passed = (performance.now() - began) / 1_000;
      while (funded < passed * perSecond) {
        this.#fund(more === 'to one account' ? this.#busy : this.#other(funded), ++funded);
      }
      while (other < passed * OTHERS_PER_SECOND) this.#fund(this.#other(other++), 100);
      while (asked < passed) this.#ask(++asked);
      await delay(10);
    }
    await what;
    await Promise.all(this.#calls.splice(0));
    const arrived = this.arrivals.slice(from);
    for (const arrival of arrived) {
      const answeredAt = this.#answered.get(causeOf(arrival));
      if (answeredAt !== undefined) arrival.latencyMs = Math.max(0, arrival.at - answeredAt);
    }
    return arrived;
  }

  /**
   * Waits until nothing has arrived for a while. Meanwhile the receiver answers at once: the busy account gets thirty
   * events a second, of which it takes twelve, and nothing is measured here.
   */
  async drained(): Promise<void> {
    this.#isDraining = true;
    for (let seen = -1; seen < this.arrivals.length; ) {
      seen = this.arrivals.length;
      await delay(3_000);
    }
    this.#isDraining = false;
  }

  #other(n: number): string {
    return this.#others[n % this.#others.length] as string;
  }

  #fund(accountId: string, amount: number): void {
    this.#call('sandboxFundInternalAccount', { params: { accountId }, body: { amount } });
  }

  #ask(amount: number): void {
    const body = {
      senderUmaAddress: `$success.usd@${TEST_DOMAINS.sandboxUmaDomain}`,
      customerId: this.#customer,
      receivingCurrencyCode: 'USD',
      receivingCurrencyAmount: 1_000 + amount,
    };
    this.#call('sandboxReceive', { body });
  }

  #call(operationId: 'sandboxFundInternalAccount' | 'sandboxReceive', call: Call): void {
    const answered = this.#platform.send(operationId, call).then(({ status, raw, body }) => {
      assert.equal(status, 200, raw);
      const balance = 'balance' in body ? body.balance.amount : undefined;
      this.#answered.set(causeOf({ resource: body.id, balance }), Date.now());
    });
    this.#calls.push(answered);
  }

  #arrival({ body: { id, type, data } }: Received): Arrival {
    const { id: resource, balance } = data as { id: string; balance?: { amount: number } };
    return { id, type, resource, at: Date.now(), isBusy: resource === this.#busy, balance: balance?.amount };
  }
}

/** An account has each balance only once, because it only receives money. */
function causeOf({ resource, balance }: Pick<Arrival, 'resource' | 'balance'>): string {
  return `${resource} ${balance}`;
}

async function prepare(platform: RemotePlatform): Promise<Load> {
  await supports(platform, CURRENCIES);
  const customers = await givenCustomers(platform);
  const own = await Promise.all([customers.A, customers.B].map((id) => fetchAccounts(platform, id)));
  return new Load(platform, {
    busy: inCurrency(await platformAccounts(platform), 'USD').id,
    others: own.flat().map(({ id }) => id),
    customer: customers.A,
  });
}

async function whileRestarted(load: Load, cluster: Cluster, run: DrillRun): Promise<Figures> {
  let back = 0;
  const arrived = await load.run(run.amount('outage') * 1_000, 'to one account', async () => {
    await delay(BEFORE_FAULT_MS);
    await cluster.restartDatabase(AWAY_MS);
    back = Date.now();
  });
  const others = arrived.filter(({ isBusy }) => !isBusy);
  const first = others.find(({ at }) => at > back);
  const repeated = repeatedIn(load.arrivals);
  run.say(`after PostgreSQL was away: ${described(arrived.filter(({ at }) => at > back))}`);
  return {
    'first delivery in ms after an outage of PostgreSQL': (first?.at ?? Number.NaN) - back,
    'longest silence in ms after it': longestSilence(others, back),
    'deliveries repeated by then': repeated,
  };
}

async function whileKilled(load: Load, cluster: Cluster, run: DrillRun): Promise<Figures> {
  const before = repeatedIn(load.arrivals);
  let killedAt = 0;
  const arrived = await load.run(run.amount('kill') * 1_000, 'to one account', async () => {
    await delay(BEFORE_FAULT_MS);
    killedAt = Date.now();
    await cluster.replace('worker', 1);
  });
  // Since the kill, or since the event if that was later.
  const others = arrived.filter(({ isBusy }) => !isBusy);
  const late = others.map(({ at, latencyMs = 0 }) => Math.min(at - killedAt, latencyMs));
  return {
    'latest webhook in ms after the kill of a worker': Math.max(...late),
    'deliveries repeated by that kill': repeatedIn(load.arrivals) - before,
  };
}

/** Attempts that did not succeed, with their reasons. */
async function sayFailures({ environment }: Cluster, say: (line: string) => void): Promise<void> {
  const database = openDatabase({ url: environment.DATABASE_URL ?? '', connectionsMax: 1 });
  const rows = await database.query<{ error: string; count: bigint }>(sql`
    select coalesce(error, status::text) as error, count(*) from webhook_attempts
     where status is distinct from 200 group by 1`);
  for (const { error, count } of rows) say(`  ${count} attempts failed: ${error}`);
  await database.close();
}

function repeatedIn(arrivals: readonly Arrival[]): number {
  return arrivals.length - new Set(arrivals.map(({ id }) => id)).size;
}

function longestSilence(arrivals: readonly Arrival[], since: number): number {
  const times = [since, ...arrivals.map(({ at }) => at).filter((at) => at > since)];
  return Math.max(...times.slice(1).map((at, i) => at - (times[i] as number)));
}

/** Every account here only receives money, so its balance in first attempts, in order, never decreases. */
function checkOrder(arrivals: readonly Arrival[]): void {
  const seen = new Set<string>();
  const balances = new Map<string, number>();
  for (const { id, resource, balance } of arrivals) {
    if (balance === undefined || seen.has(id)) continue;
    seen.add(id);
    assert.ok(balance >= (balances.get(resource) ?? 0), `${resource} was told out of order`);
    balances.set(resource, balance);
  }
}

function latenciesOf(arrivals: readonly Arrival[]): number[] {
  const own = arrivals.filter(({ isBusy, balance }) => !isBusy && balance !== undefined);
  return own.flatMap(({ latencyMs }) => latencyMs ?? []);
}

function described(arrivals: readonly Arrival[]): string {
  const questions = arrivals.filter(({ type }) => type === 'INCOMING_PAYMENT.PENDING');
  const asked = questions.flatMap(({ latencyMs }) => latencyMs ?? []);
  const own = latenciesOf(arrivals);
  const busy = arrivals.filter(({ isBusy, balance }) => isBusy && balance !== undefined).length;
  return (
    `others p50 ${quantile(own, 0.5)} ms, p95 ${p95(own)} ms, last ${Math.max(...own)} ms (${own.length}); ` +
    `questions p95 ${p95(asked)} ms, last ${Math.max(...asked)} ms (${asked.length}); ${busy} of the busy account`
  );
}

function p95(values: readonly number[]): number {
  return quantile(values, 0.95);
}

export const webhookDrill: Drill = {
  name: 'webhooks',
  proves:
    'Beside an account with thirty events a second, across an outage of PostgreSQL and the kill of a worker, the webhooks of each resource arrive in order.',
  amounts: {
    rounds: { says: 'rounds of the comparison with and without a busy account', usual: 3, brief: 1 },
    seconds: { says: 'seconds of each part of a round', usual: 7, brief: 1 },
    outage: { says: 'seconds under load around an outage of PostgreSQL', usual: 30, brief: 7 },
    kill: { says: 'seconds under load around the kill of a worker', usual: 20, brief: 10 },
  },
  work: 'rounds',
  run,
};
