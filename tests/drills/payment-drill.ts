import { checkHolds, checkResult } from '#tests/drills/payment-check.ts';
import { type Load, PaymentClient, underLoad } from '#tests/drills/payment-load.ts';
import { countEnds, openPaymentPlatform, type PaymentPlatform } from '#tests/drills/payment-platform.ts';
import type { RemotePlatform } from '#tests/drills/remote-platform.ts';
import { SeededRandom } from '#tests/drills/seeded-random.ts';
import { Site } from '#tests/drills/site.ts';
import { advance } from '#tests/given/payments.ts';
import { TEST_DOMAINS } from '#tests/harness/harness.ts';

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

/**
 * Kills the real server, or its database, with `kill -9` at random moments while clients make payments of all kinds. Each
 * call is repeated under its key until it is answered. Afterwards everything must equal a plain model that knows no kills:
 * each payment's status, refund, amounts and events, and each balance (money.md §12.11). Every webhook must have been
 * delivered, and the ledger must verify.
 */
export async function paymentDrill(options: PaymentDrillOptions): Promise<PaymentDrillReport> {
  const site = await Site.open({ SANDBOX_UMA_DOMAIN: TEST_DOMAINS.sandboxUmaDomain });
  const payments = await openPaymentPlatform(site);
  const { platform, model } = payments;
  try {
    const random = new SeededRandom(options.seed);
    const clients = Array.from({ length: options.clients }, () => {
      return new PaymentClient(payments, new SeededRandom(random.between(0, 2 ** 31)));
    });
    await underLoad(clients, (load) => killInTurn(payments, site, load, random, options));
    if (options.rounds > 0) await killWhileMoving(site, platform, random);
    const { events } = await checkResult(site, [payments]);
    return {
      payments: model.payments.length,
      events,
      deliveries: platform.receiver.received.length,
      questionsLost: clients.reduce((sum, client) => sum + client.questionsLost, 0),
      ends: countEnds([model]),
    };
  } finally {
    await site.close();
    await platform.receiver.close();
  }
}

async function killInTurn(
  payments: PaymentPlatform,
  site: Site,
  load: Load,
  random: SeededRandom,
  { rounds, say }: PaymentDrillOptions,
) {
  for (let round = 1; round <= rounds; round++) {
    await load.more(random.between(2, 40));
    // At a random point of the calls in progress, not always at the end of one.
    await turns(random.between(0, 200));
    const target = round % 2 === 0 ? 'database' : 'server';
    await site.kill(target);
    await site.start({ isLongAfter: round < rounds });
    const waiting = await checkHolds(payments);
    say(`round ${round}: killed the ${target} after ${load.done()} courses; ${waiting} held payments waited`);
  }
  await load.more(20);
}

/** Kills again while the clock is being moved, when much falls due at once. */
async function killWhileMoving(site: Site, platform: RemotePlatform, random: SeededRandom): Promise<void> {
  const moved = advance(platform, 600);
  await turns(random.between(0, 2_000));
  await site.kill('server');
  await site.start();
  await moved;
}

/** Lets other work of this process continue for a while. */
async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
}
