import { SERVICE } from '#app/compose.ts';
import { eventFacts } from '#capabilities/payments/events.ts';
import { presentTransaction } from '#capabilities/payments/present-transaction.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { findQuote, findTransaction, findTransactions } from '#capabilities/payments/store.ts';
import { listTransactions } from '#capabilities/payments/transactions/list-transactions.ts';
import type { TransactionQuery } from '#capabilities/payments/transactions/schemas.ts';
import { Deliverer } from '#edge/webhooks/deliverer.ts';
import type { Work } from '#foundation/database/work.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { type Contestant, callers } from './rounds.ts';
import { operatorReads } from './scale-operator-reads.ts';
import { type Owner, pay } from './scale-payment-template.ts';
import { SENDER } from './scale-transactions-copy.ts';
import type { FilledTransactions } from './scale-transactions-fill.ts';
import { NAMES, type World } from './world.ts';

const CLIENTS = 8;
/** How many payers pay at once and share their commits. */
const PAYERS = 32;
/** Webhooks made in one commit. */
const TOLD = 64;

/** The queries on the table, one contestant each; names end in `label`, so that sizes can be shown side by side. */
export async function transactionCalls(
  world: World,
  filled: FilledTransactions,
  label: string,
): Promise<Contestant[]> {
  const { work } = world;
  const reads = [...(await pages(work, filled)), ...filteredPages(work, filled), ...singles(work, filled)];
  return [
    ...reads.map(([name, read]) => ({
      name: `${name}, ${label}`,
      unit: 'read',
      round: (ms: number) => callers(CLIENTS, ms, read),
    })),
    payments(world, filled, label),
    await webhooks(world, filled, label),
    ...(await operatorReads(world, filled, label)),
  ];
}

type Read = [name: string, read: () => Promise<unknown>];

function page(work: Work, query: TransactionQuery): Promise<{ nextCursor?: string }> {
  return work.read((tx) => listTransactions(tx, query, SERVICE.transactionSources));
}

async function pages(work: Work, { firstAt, lastAt }: FilledTransactions): Promise<Read[]> {
  const [first, last] = [firstAt.toISOString(), lastAt.toISOString()];
  const middle = new Date((firstAt.getTime() + lastAt.getTime()) / 2);
  const from = {
    startDate: middle.toISOString(),
    endDate: new Date(middle.getTime() + 99_000).toISOString(),
  };
  const { nextCursor = '' } = await page(work, {});
  return [
    ['page of transactions', () => page(work, {})],
    ['next page', () => page(work, { cursor: nextCursor })],
    ['page of the oldest', () => page(work, { sortOrder: 'asc' })],
    ['page by start', () => page(work, { startDate: first })],
    ['page by end', () => page(work, { endDate: last })],
    ['page by start and end', () => page(work, from)],
  ];
}

/**
 * Each filter matches the same number at every size, or more than are counted: a count is exact up to 10,000, so other
 * filters would be counted in less time at the small size.
 */
function filteredPages(work: Work, filled: FilledTransactions): Read[] {
  const by = (query: (owner: Owner) => TransactionQuery) => () => page(work, query(any(filled.customers)));
  const own = publicId('Platform', work.platform.id);
  const inside = ({ accountId }: Owner) => publicId('InternalAccount', accountId);
  const outside = ({ outsideId }: Owner) => publicId('ExternalAccount', outsideId);
  const uma = ({ customerId }: Owner) => `$${customerId}@outside.example`;
  return [
    ['page by customer', by(({ customerId }) => ({ customerId: publicId('Customer', customerId) }))],
    ['page by reference of customer', by(({ customerId }) => ({ platformCustomerId: customerId }))],
    ['page of the platform’s own', () => page(work, { customerId: own })],
    ['page by status', () => page(work, { status: 'COMPLETED' })],
    ['page by rare status', () => page(work, { status: 'EXPIRED' })],
    ['page by type', () => page(work, { type: 'OUTGOING' })],
    ['page by rare type', () => page(work, { type: 'INCOMING' })],
    ['page by source', by((owner) => ({ senderAccountIdentifier: inside(owner) }))],
    ['page by destination', by((owner) => ({ receiverAccountIdentifier: outside(owner) }))],
    ['page by account, either side', by((owner) => ({ accountIdentifier: inside(owner) }))],
    ['page by bare account id', by(({ outsideId }) => ({ accountIdentifier: outsideId }))],
    ['page by UMA address of source', () => page(work, { senderAccountIdentifier: SENDER })],
    ['page by UMA address of destination', by((owner) => ({ receiverAccountIdentifier: uma(owner) }))],
    ['page by UMA address, either side', by((owner) => ({ accountIdentifier: uma(owner) }))],
    ['page by card', by(({ customerId }) => ({ cardId: publicId('Card', customerId) }))],
    ['page of card transactions', () => page(work, { type: 'CARD' })],
    ['page by reference', () => page(work, { reference: any(filled.references) })],
    ['page by reference of refund', () => page(work, { reference: any(filled.refundReferences) })],
  ];
}

function singles(work: Work, { transactionIds, quoteIds }: FilledTransactions): Read[] {
  return [
    [
      'one transaction',
      () =>
        work.read(async (tx) => {
          const row = await findTransaction(tx, any(transactionIds));
          return presentTransaction(tx, row as TransactionRow, tx.now);
        }),
    ],
    ['one quote', () => work.read((tx) => findQuote(tx, any(quoteIds)))],
  ];
}

/** Each payment with its quote. Their work for the worker is done after the round. */
function payments(world: World, { payers, destination }: FilledTransactions, label: string): Contestant {
  return {
    name: `quote and payment, ${label}`,
    unit: 'payment',
    async round(ms) {
      const round = await callers(PAYERS, ms, () => pay(world, any(payers), destination));
      await world.app.worker.settle(world.work.platform.id);
      return round;
    },
  };
}

/** From the insertion of a payment's event until its delivery is recorded. */
async function webhooks(
  world: World,
  { transactionIds }: FilledTransactions,
  label: string,
): Promise<Contestant> {
  const { app, work } = world;
  const deliverer = new Deliverer(app.runtime, { names: NAMES, renderers: SERVICE.renderers });
  world.closers.push(() => deliverer.drain(1_000));
  const rows = await work.read((tx) => findTransactions(tx, transactionIds));
  return {
    name: `webhook, ${label}`,
    unit: 'webhook',
    async round(ms) {
      const start = performance.now();
      const before = deliverer.finished();
      while (performance.now() - start < ms) {
        await tell(
          work,
          Array.from({ length: TOLD }, () => any(rows)),
        );
        const { hadFailure: troubled } = await deliverer.step(work.platform.id, 10_000);
        if (troubled) throw new Error('a webhook was not delivered');
      }
      const count = deliverer.finished() - before;
      return { count, perSecond: (count * 1000) / (performance.now() - start) };
    },
  };
}

async function tell(work: Work, rows: readonly TransactionRow[]): Promise<void> {
  await work.write(async (tx) => {
    await tx.sql`
      insert into events (platform_id, type, resource_id, facts, created_at)
      select ${tx.platformId}::uuid, 'OUTGOING_PAYMENT.COMPLETED', e.resource_id, e.facts, ${tx.now}::timestamptz
        from unnest(
          ${rows.map(({ id }) => publicId('Transaction', id))}::text[],
          ${rows.map((row) => JSON.stringify(eventFacts(row)))}::jsonb[]) as e (resource_id, facts)`;
  });
}

function any<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}
