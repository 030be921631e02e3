import type { Drill, DrillRun, Figures } from '#tests/drills/frame/drill.ts';
import { checkHolds, checkResult } from '#tests/drills/payment-check.ts';
import { type Load, PaymentClient, underLoad } from '#tests/drills/payment-load.ts';
import { countEnds, openPaymentPlatform, type PaymentPlatform } from '#tests/drills/payment-platform.ts';
import type { RemotePlatform } from '#tests/drills/remote-platform.ts';
import { SeededRandom } from '#tests/drills/seeded-random.ts';
import { Site } from '#tests/drills/site.ts';
import { advance } from '#tests/given/payments.ts';
import { TEST_DOMAINS } from '#tests/harness/harness.ts';

/**
 * Kills the real server, or its database, with `kill -9` at random moments while clients make payments of all kinds. Each
 * call is repeated under its key until it is answered. Afterwards everything must equal a plain model that knows no kills:
 * each payment's status, refund, amounts and events, and each balance (money.md §12.11). Every webhook must have been
 * delivered, and the ledger must verify.
 */
async function run(run: DrillRun): Promise<Figures> {
  const site = await Site.open({ SANDBOX_UMA_DOMAIN: TEST_DOMAINS.sandboxUmaDomain });
  const payments = await openPaymentPlatform(site);
  const { platform, model } = payments;
  try {
    const clients = Array.from({ length: run.amount('clients') }, () => {
      return new PaymentClient(payments, new SeededRandom(run.random.between(0, 2 ** 31)));
    });
    await underLoad(clients, (load) => killInTurn(payments, site, load, run));
    await killWhileMoving(site, platform, run.random);
    const { events } = await checkResult(site, [payments]);
    return {
      ...{ kills: site.kills, payments: model.payments.length, events },
      deliveries: platform.receiver.received.length,
      'questions cut off by a kill': clients.reduce((sum, client) => sum + client.questionsLost, 0),
      ...countEnds([model]),
    };
  } finally {
    await site.close();
    await platform.receiver.close();
  }
}

async function killInTurn(payments: PaymentPlatform, site: Site, load: Load, run: DrillRun) {
  for (let kills = 0; run.continues('kills', kills); kills++) {
    await load.more(run.random.between(2, 40));
    // At a random point of the calls in progress, not always at the end of one.
    await turns(run.random.between(0, 200));
    const target = kills % 2 === 0 ? 'server' : 'database';
    await site.kill(target);
    await site.start({ isLongAfter: kills > 0 });
    const waiting = await checkHolds(payments);
    run.say(`kill ${kills + 1}: the ${target} after ${load.done()} courses; ${waiting} held payments waited`);
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

export const paymentDrill: Drill = {
  name: 'payments',
  proves:
    'Under kills of the server and its database, payments of all kinds end as in an undisturbed run, every event is delivered in order, and the ledger verifies.',
  amounts: {
    kills: { says: 'kills of the server and of its database, in turn', usual: 50, brief: 2 },
    clients: { says: 'clients that pay at the same time', usual: 6, brief: 4 },
  },
  work: 'kills',
  run,
};
