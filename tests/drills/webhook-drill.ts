import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { Cluster } from '#tests/drills/cluster.ts';
import { createRemotePlatform, type RemotePlatform } from '#tests/drills/remote-platform.ts';
import { fetchAccounts, inCurrency, platformAccounts, supports } from '#tests/given/accounts.ts';
import { type Call, TEST_DOMAINS } from '#tests/harness/harness.ts';
import type { Received } from '#tests/harness/receiver.ts';
import { CURRENCIES, givenCustomers } from '#tests/model/money-service.ts';

export interface WebhookDrillOptions {
  readonly seconds: number;
  say(line: string): void;
}

const ANSWER_MS = 80;
const MORE_PER_SECOND = 30;
const OTHERS_PER_SECOND = 10;
const AWAY_MS = 3_000;
const ROUNDS = 3;

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
 * leased it. It takes two and a half minutes, however many commits overlap: the times of its parts are fixed.
 */
export async function webhookDrill({ seconds, say }: WebhookDrillOptions): Promise<void> {
  const cluster = await Cluster.open({ SANDBOX_UMA_DOMAIN: TEST_DOMAINS.sandboxUmaDomain });
  const settings = ['isRegulatedFinancialInstitution=true', 'requestRate.perSecond=0'];
  const platform = await createRemotePlatform(cluster, settings);
  try {
    const load = await prepare(platform);
    await load.run(3_000, 'nothing more');
    await compare(load, seconds, say);
    await whileRestarted(load, cluster, say);
    await whileKilled(load, cluster, say);
    await load.drained();
    // First, because an event whose first attempt failed arrives out of order.
    await sayFailures(cluster, say);
    checkOrder(load.arrivals);
    say(`${load.arrivals.length} deliveries, each resource in order`);
  } finally {
    await cluster.close();
    await platform.receiver.close();
  }
}

/** Measured in turn, so that other load of the machine affects all of them. */
async function compare(load: Load, seconds: number, say: (line: string) => void): Promise<void> {
  const seen: Record<More, Arrival[]> = { 'nothing more': [], 'as much, spread': [], 'to one account': [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const more of Object.keys(seen) as More[]) {
      seen[more].push(...(await load.run((seconds / ROUNDS) * 1_000, more)));
      await load.drained();
    }
  }
  for (const [more, arrivals] of Object.entries(seen)) say(`beside ${more}: ${described(arrivals)}`);
  const p95Of = (more: More) => p95(latenciesOf(seen[more]));
  const [alone, spread, busy] = [p95Of('nothing more'), p95Of('as much, spread'), p95Of('to one account')];
  say(`p95 of the others beside a busy account: ${(busy / alone).toFixed(2)} times that alone,`);
  say(`  ${(busy / spread).toFixed(2)} times that beside as many fundings of many accounts`);
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

async function whileRestarted(load: Load, cluster: Cluster, say: (line: string) => void): Promise<void> {
  let back = 0;
  const arrived = await load.run(30_000, 'to one account', async () => {
    await delay(5_000);
    await cluster.restartDatabase(AWAY_MS);
    back = Date.now();
  });
  const others = arrived.filter(({ isBusy }) => !isBusy);
  const first = others.find(({ at }) => at > back);
  const repeated = repeatedIn(load.arrivals);
  say(
    `PostgreSQL away for ${AWAY_MS} ms: others go on ${(first?.at ?? Number.NaN) - back} ms after it is back,`,
  );
  say(`  longest silence since then ${longestSilence(others, back)} ms, ${repeated} deliveries repeated`);
  say(`  ${described(arrived.filter(({ at }) => at > back))}`);
}

async function whileKilled(load: Load, cluster: Cluster, say: (line: string) => void): Promise<void> {
  const before = repeatedIn(load.arrivals);
  let killedAt = 0;
  const arrived = await load.run(20_000, 'to one account', async () => {
    await delay(3_000);
    killedAt = Date.now();
    await cluster.replaceWorker();
  });
  // Since the kill, or since the event if that was later.
  const others = arrived.filter(({ isBusy }) => !isBusy);
  const late = others.map(({ at, latencyMs = 0 }) => Math.min(at - killedAt, latencyMs));
  say(
    `worker killed: no webhook later than ${Math.max(...late)} ms, ${repeatedIn(load.arrivals) - before} repeated`,
  );
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

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
