import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from '#foundation/database/sql.ts';
import type { Drill, DrillRun, Figures } from '#tests/drills/frame/drill.ts';
import { read } from '#tests/drills/payment-check.ts';
import { LEASE_LOOK_MS, Site } from '#tests/drills/site.ts';
import { command } from '#tests/harness/command-line.ts';
import { createReceiver, type Receiver } from '#tests/harness/receiver.ts';

interface Account {
  readonly id: string;
  /** The balance that was acknowledged to the caller of this account. */
  expected: number;
}

/**
 * Kills the real server, or its database, with `kill -9` at random moments under a load of postings and webhooks. Every
 * call has an idempotency key and is repeated until it is answered, like a careful client's. Afterwards every balance must
 * equal the acknowledged one, the ledger must verify, and every committed event must have been delivered.
 */
async function run(run: DrillRun): Promise<Figures> {
  const receiver = await createReceiver();
  const site = await Site.open();
  try {
    const accounts = await prepare(site, receiver, run.amount('callers'));
    const load = startLoad(site, accounts, run);
    const readyMs: number[] = [];
    for (let kills = 0; run.continues('kills', kills); kills++) {
      await load.moreThan(run.random.between(5, 64));
      const target = kills % 2 === 0 ? 'server' : 'database';
      await site.kill(target);
      const killedAfter = load.acknowledged();
      const began = performance.now();
      await site.start({ isLongAfter: kills > 0 });
      readyMs.push(Math.round(performance.now() - began));
      run.say(
        `kill ${kills + 1}: the ${target} after ${killedAfter} acknowledged postings; ready again in ${readyMs.at(-1)} ms`,
      );
    }
    await load.moreThan(20);
    await load.stop();
    const result = await checkResult(site, accounts, receiver, load.acknowledged());
    return { kills: readyMs.length, ...result, 'longest start in ms': Math.max(0, ...readyMs) };
  } finally {
    await site.close();
    await receiver.close();
  }
}

async function prepare(site: Site, receiver: Receiver, count: number): Promise<Account[]> {
  await site.call('PATCH', '/config', { webhookEndpoint: receiver.url });
  const accounts: Account[] = [];
  for (let i = 0; i < count; i++) {
    const customer = await site.call('POST', '/customers', {
      customerType: 'INDIVIDUAL',
      fullName: 'Drill Person',
    });
    const { data } = await site.call(
      'GET',
      `/customers/internal-accounts?customerId=${customer.id}&currency=USD`,
    );
    accounts.push({ id: (data as { id: string }[])[0]?.id ?? '', expected: 0 });
  }
  return accounts;
}

function startLoad(site: Site, accounts: readonly Account[], { random }: DrillRun) {
  let isStopped = false;
  let acknowledged = 0;
  let wanted: { count: number; reached(): void } | undefined;
  const loops = accounts.map(async (account) => {
    while (!isStopped) {
      const amount = random.between(1, 1000);
      await site.call('POST', `/sandbox/internal-accounts/${account.id}/fund`, { amount });
      account.expected += amount;
      acknowledged++;
      if (wanted && acknowledged >= wanted.count) wanted.reached();
    }
  });
  return {
    acknowledged: () => acknowledged,
    moreThan: (more: number) =>
      new Promise<void>((resolve) => {
        wanted = { count: acknowledged + more, reached: resolve };
      }),
    async stop() {
      isStopped = true;
      await Promise.all(loops);
    },
  };
}

const DELIVERY_DEADLINE_MS = 300_000;

/** Events that a killed process had leased are sent again when the lease has expired, in real time. */
async function allDelivered(site: Site): Promise<{ id: string; state: string }[]> {
  const deadline = Date.now() + DELIVERY_DEADLINE_MS;
  const isPending = async () =>
    (await read(site, sql`select from events where state = 'PENDING' limit 1`)).length > 0;
  while (Date.now() < deadline && (await isPending())) await delay(LEASE_LOOK_MS);
  const listed = await command(['webhook', 'list', '--json', '--limit', '10000'], site.environment);
  assert.equal(listed.code, 0, listed.stderr);
  const events = JSON.parse(listed.stdout) as { id: string; state: string }[];
  assert.deepEqual(
    events.filter((event) => event.state === 'PENDING'),
    [],
  );
  return events;
}

async function checkResult(
  site: Site,
  accounts: readonly Account[],
  receiver: Receiver,
  acknowledged: number,
): Promise<Figures> {
  for (const account of accounts) {
    const { data } = await site.call('GET', '/customers/internal-accounts?limit=100&currency=USD');
    const found = (data as { id: string; balance: { amount: number } }[]).find(({ id }) => id === account.id);
    assert.equal(found?.balance.amount, account.expected, `balance of ${account.id}`);
  }
  // Time for the last retries: everything due within an hour is attempted on the way.
  await site.call('POST', '/sandbox/clock/advance', { seconds: 3600 });
  const verified = await command(['ledger', 'verify'], site.environment);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  const events = await allDelivered(site);
  const seen = new Set(receiver.received.map((delivery) => delivery.body.id));
  // The endpoint was set from the first event on, so none may have been skipped.
  const missed = events.filter((event) => !seen.has(event.id));
  assert.deepEqual(missed, [], 'every committed event is delivered at least once');
  assert.ok(events.length >= acknowledged * 2, 'each deposit made its two events');
  return { postings: acknowledged, events: events.length, deliveries: receiver.received.length };
}

export const depositDrill: Drill = {
  name: 'deposits',
  proves:
    'Under kills of the server and its database, every acknowledged posting is there once, every event is delivered, and the ledger verifies.',
  amounts: {
    kills: { says: 'kills of the server and of its database, in turn', usual: 20, brief: 2 },
    callers: { says: 'callers that fund accounts at the same time', usual: 8, brief: 4 },
  },
  work: 'kills',
  run,
};
