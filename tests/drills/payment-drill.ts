import assert from 'node:assert/strict';
import { corridor } from '#tests/corridor-process.ts';
import { isWelcome, PaymentClient } from '#tests/drills/payment-load.ts';
import { drained, judgeDeliveries, judgePayments } from '#tests/drills/payment-verdict.ts';
import { createRemotePlatform, type RemotePlatform } from '#tests/drills/remote-platform.ts';
import { SeededRandom } from '#tests/drills/seeded-random.ts';
import { Site } from '#tests/drills/site.ts';
import { supports } from '#tests/given-accounts.ts';
import { advance } from '#tests/given-payments.ts';
import { TEST_DOMAINS } from '#tests/harness.ts';
import { MoneyModel } from '#tests/model/money-model.ts';
import { CURRENCIES, givenCustomers, MoneyService } from '#tests/model/money-service.ts';
import type { Received } from '#tests/receiver.ts';

export interface PaymentDrillOptions {
  /** How often the server or its database is killed; 0: an undisturbed run. */
  readonly rounds: number;
  readonly clients: number;
  readonly seed: number;
  say(line: string): void;
}

export interface PaymentDrillReport {
  readonly payments: number;
  readonly events: number;
  readonly deliveries: number;
  readonly questionsLost: number;
  /** How many payments ended in each way. */
  readonly ends: Readonly<Record<string, number>>;
}

/** The sandbox's own terms (money.md §1.4, §8). */
const TERMS = {
  crossCurrencyBps: 50n,
  sameCurrencyBps: 0n,
  fixed: {},
  counterpartyFixed: {},
  maxUsdCents: 10_000_000n,
  dailyUsdCents: 50_000_000n,
};

/**
 * `kill -9` of the real server, or of its database, at random moments while clients make payments of all kinds,
 * each call repeated under its key until it is answered. Afterwards everything must stand where a plain model
 * that knows of no kills has it: each payment's status, refund, amounts and events, each balance (money.md
 * §12.11); every webhook must have been delivered, and the ledger must verify.
 */
export async function paymentDrill(options: PaymentDrillOptions): Promise<PaymentDrillReport> {
  const site = await Site.open({ SANDBOX_UMA_DOMAIN: TEST_DOMAINS.sandboxUmaDomain });
  const platform = await openPlatform(site);
  try {
    const service = await MoneyService.of({
      platform,
      receiver: platform.receiver,
      customers: await givenCustomers(platform),
      settle: async () => undefined,
    });
    const parts = { site, service, model: new MoneyModel(TERMS) };
    const random = new SeededRandom(options.seed);
    const clients = Array.from({ length: options.clients }, () => {
      return new PaymentClient(parts, new SeededRandom(random.between(0, 2 ** 31)));
    });
    await underLoad(clients, (load) => killInTurn(site, load, random, options));
    if (options.rounds > 0) await killWhileMoving(site, platform, random);
    await drained(site, platform);
    const events = await judge(parts, platform);
    return {
      payments: parts.model.payments.length,
      events,
      deliveries: platform.receiver.received.length,
      questionsLost: clients.reduce((sum, client) => sum + client.questionsLost, 0),
      ends: endsOf(parts.model),
    };
  } finally {
    await site.close();
    await platform.receiver.close();
  }
}

async function openPlatform(site: Site): Promise<RemotePlatform> {
  const settings = ['isRegulatedFinancialInstitution=true', 'requestRate.perSecond=0'];
  const platform = await createRemotePlatform(site, settings);
  platform.receiver.answer(({ body }) => ({ status: isRefused(body) ? 403 : 200 }));
  await supports(platform, CURRENCIES);
  return platform;
}

/** An incoming UMA payment that this platform does not take. */
function isRefused({ type, data }: Received['body']): boolean {
  const { source, receivedAmount } = data as {
    source?: { sourceType: string };
    receivedAmount?: { amount: number };
  };
  const isQuestion = type === 'INCOMING_PAYMENT.PENDING' && source?.sourceType === 'UMA_ADDRESS';
  return isQuestion && !isWelcome(receivedAmount?.amount ?? 0);
}

interface Load {
  /** Waits for so many more courses to be through. */
  more(courses: number): Promise<void>;
  done(): number;
}

/** Keeps all clients busy while `steps` runs, then lets each finish what it has begun. */
async function underLoad(clients: readonly PaymentClient[], steps: (load: Load) => Promise<void>) {
  let [isOver, done] = [false, 0];
  const waiting: { count: number; reached(): void }[] = [];
  const loops = clients.map(async (client) => {
    while (!isOver) {
      await client.course();
      done++;
      for (const { count, reached } of waiting) if (done >= count) reached();
    }
  });
  const more = (courses: number) =>
    new Promise<void>((reached) => void waiting.push({ count: done + courses, reached }));
  const all = Promise.all(loops);
  try {
    // A client that finds something wrong ends the drill at once.
    await Promise.race([steps({ more, done: () => done }), all]);
  } finally {
    isOver = true;
  }
  await all;
}

async function killInTurn(
  site: Site,
  load: Load,
  random: SeededRandom,
  { rounds, say }: PaymentDrillOptions,
) {
  for (let round = 1; round <= rounds; round++) {
    await load.more(random.between(2, 40));
    // Somewhere inside the calls that are under way, not always at the end of one.
    await turns(random.between(0, 200));
    const target = round % 2 === 0 ? 'database' : 'server';
    await site.kill(target);
    say(`round ${round}: killed the ${target} after ${load.done()} courses`);
    await site.start();
  }
  await load.more(20);
}

/** Once more while the clock is being moved, when much falls due at once. */
async function killWhileMoving(site: Site, platform: RemotePlatform, random: SeededRandom): Promise<void> {
  const moved = advance(platform, 600);
  await turns(random.between(0, 2_000));
  await site.kill('server');
  await site.start();
  await moved;
}

/** Lets other work of this process go on for a while. */
async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
}

async function judge(
  parts: { readonly site: Site; readonly service: MoneyService; readonly model: MoneyModel },
  platform: RemotePlatform,
): Promise<number> {
  const { site, model } = parts;
  assert.deepEqual(site.faults, [], 'no answer was 500 or above but where a kill explains it');
  model.advance(DAY_SECONDS);
  const verified = await corridor(['ledger', 'verify'], site.environment);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  await judgePayments(parts);
  return judgeDeliveries(parts, platform);
}

const DAY_SECONDS = 86_400;

function endsOf({ payments }: MoneyModel): Record<string, number> {
  const ends: Record<string, number> = {};
  for (const { type, status, refund } of payments) {
    const end = `${type} ${status}${refund ? ` refund ${refund.status}` : ''}`;
    ends[end] = 1 + (ends[end] ?? 0);
  }
  return ends;
}
