import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { requireSound } from '#tests/drills/areas/sound.ts';
import type { Deployment } from '#tests/drills/deployment.ts';
import type { PaymentPlatform } from '#tests/drills/payment-platform.ts';
import { advance } from '#tests/given/payments.ts';
import type { Received } from '#tests/harness/receiver.ts';
import { agreeOnBalances, agreeOnPayments } from '#tests/model/compare-with-model.ts';

const DRAIN_DEADLINE_MS = 600_000;
const LOOK_MS = 500;

/** Moves the clock until nothing is left to do. Work that a killed process had leased waits for the lease to expire. */
async function drainJobs({ site, platform }: PaymentPlatform): Promise<void> {
  const deadline = Date.now() + DRAIN_DEADLINE_MS;
  for (;;) {
    await advance(platform, 3_600);
    const left = await read<{ what: string; count: bigint }>(
      site,
      sql`
      select kind as what, count(*) from jobs
       where platform_id = ${platform.id} and (kind like 'payments.%' or kind like 'sca.%') group by kind
       union all
      select 'events', count(*) from events
       where platform_id = ${platform.id} and state = 'PENDING' having count(*) > 0`,
    );
    if (left.length === 0) return;
    const named = left.map(({ what, count }) => `${count} ${what}`).join(', ');
    assert.ok(Date.now() < deadline, `not drained: ${named}`);
    await delay(LOOK_MS);
  }
}

/** Asserts, when nothing is left to do, that everything equals the models, all events were delivered, and the ledger verifies. */
export async function checkResult(
  site: Deployment,
  platforms: readonly PaymentPlatform[],
): Promise<{ readonly events: number }> {
  const result = await checkPlatforms(platforms);
  await requireSound(site);
  return result;
}

/** The same without the ledger and the processes as a whole. */
export async function checkPlatforms(
  platforms: readonly PaymentPlatform[],
): Promise<{ readonly events: number }> {
  await Promise.all(platforms.map(drainJobs));
  let events = 0;
  for (const one of platforms) {
    one.model.advance(DAY_SECONDS);
    assert.equal(await checkHolds(one), 0, 'nothing waits for its customer for ever');
    await checkPayments(one);
    events += await checkDeliveries(one);
  }
  return { events };
}

const DAY_SECONDS = 86_400;

/** money.md §12.2, at any moment: holds equal the payments that wait for authorization, and nothing else. */
export async function checkHolds({ site, platform }: PaymentPlatform): Promise<number> {
  const rows = await read<{ account: string; held: bigint; waiting: bigint; payments: bigint }>(
    site,
    sql`
    select b.account, b.balance as held, coalesce(t.waiting, 0) as waiting, coalesce(t.payments, 0) as payments
      from ledger_balances b
      left join (
        select 'HOLD:' || source_account as account, sum(sending_amount) as waiting, count(*) as payments
          from transactions
         where platform_id = ${platform.id} and status = 'PENDING_AUTHORIZATION' and source_type = 'INTERNAL'
         group by source_account) t on t.account = b.account
     where b.platform_id = ${platform.id} and starts_with(b.account, 'HOLD:')`,
  );
  for (const { account, held, waiting } of rows) assert.equal(held, BigInt(waiting), account);
  return rows.reduce((sum, { payments }) => sum + Number(payments), 0);
}

/** Statuses, refunds, amounts, events and balances, each as if nothing had been killed. */
async function checkPayments({ site, service, model }: PaymentPlatform): Promise<void> {
  const told = new Map<string, string[]>();
  for (const { resource_id, type } of await listEvents(site, service.platform.id)) {
    const list = told.get(resource_id) ?? [];
    list.push(type.slice(type.indexOf('.') + 1));
    told.set(resource_id, list);
  }
  const listed = await service.transactions();
  agreeOnPayments(service, model, listed, told);
  agreeOnBalances(await service.accounts(), model, told);
  const rows = new Map(listed.map((row) => [row.id, row]));
  for (const { n, price, type, currencies } of model.payments) {
    const { sentAmount, receivedAmount } = rows.get(service.transactionIds.get(n) ?? '') ?? {};
    assert.equal(BigInt(receivedAmount?.amount ?? -1), price.received, `payment ${n} into ${currencies[1]}`);
    if (type === 'OUTGOING') assert.equal(BigInt(sentAmount?.amount ?? -1), price.sent, `payment ${n}`);
  }
}

/**
 * Asserts that every committed event reached the receiver with a valid signature and the same content each time, first
 * attempts in order per resource (platform.md §4.2.4). Only a question may be missing: it is sent once, and a kill may
 * come first.
 */
async function checkDeliveries({ site, platform }: PaymentPlatform): Promise<number> {
  const key = createPublicKey(platform.webhookPublicKey);
  const firsts = new Map<string, { at: number; data: string }>();
  for (const [at, delivery] of platform.receiver.received.entries()) {
    assert.ok(isSigned(delivery, key), `the signature of ${delivery.body.id}`);
    const data = JSON.stringify(delivery.body.data);
    const first = firsts.get(delivery.body.id) ?? { at, data };
    assert.equal(data, first.data, `${delivery.body.id} says the same whenever it comes`);
    firsts.set(delivery.body.id, first);
  }
  const events = await listEvents(site, platform.id);
  const last = new Map<string, number>();
  for (const { id, resource_id, type, once, state } of events) {
    const first = firsts.get(`Webhook:${id}`);
    assert.ok(first || (once && site.kills > 0), `${type} of ${resource_id} was not delivered`);
    if (!once) assert.equal(state, 'DELIVERED', `${type} of ${resource_id}`);
    if (!first) continue;
    assert.ok(first.at > (last.get(resource_id) ?? -1), `${type} of ${resource_id} came out of order`);
    last.set(resource_id, first.at);
  }
  const known = new Set(events.map(({ id }) => `Webhook:${id}`));
  assert.deepEqual(
    [...firsts.keys()].filter((id) => !known.has(id)),
    [],
    'nothing was told that is not so',
  );
  return events.length;
}

interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly resource_id: string;
  readonly once: boolean;
  readonly state: string;
}

function listEvents(site: Deployment, platformId: string): Promise<EventRow[]> {
  return read<EventRow>(
    site,
    sql`select id, type, resource_id, once, state from events where platform_id = ${platformId} order by seq`,
  );
}

/** From the database behind the service. */
export async function read<Row extends object>(site: Deployment, statement: Sql): Promise<Row[]> {
  const database = openDatabase({ url: await site.databaseUrl(), connectionsMax: 1 });
  try {
    return await database.query<Row>(statement);
  } finally {
    await database.close();
  }
}

/** platform.md §4.1.3 of platform.md: `{"v":"1","s":"<base64>"}` over the exact bytes. */
function isSigned({ headers, raw }: Received, key: ReturnType<typeof createPublicKey>): boolean {
  const { s } = JSON.parse(String(headers['x-svc-signature'])) as { s: string };
  return verify('sha256', raw, key, Buffer.from(s, 'base64'));
}
