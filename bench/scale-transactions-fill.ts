import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { fillAccounts } from './scale-accounts.ts';
import { fillCardTransactions } from './scale-card-transactions.ts';
import { fillExternalAccounts } from './scale-external-accounts.ts';
import { makeTemplate, type Owner, TABLES } from './scale-payment-template.ts';
import { copyAll, STEP_MS } from './scale-transactions-copy.ts';
import type { World } from './world.ts';

/** The transactions of each customer, at every size. */
const PER_CUSTOMER = 100;
/** How many customers are queried at every size, spread over the table; as many others pay. */
const PICKED = 50;
const FUNDS = 100_000_000_000;

/** The filled platform, and the resources to request. */
export interface FilledTransactions {
  readonly customers: readonly Owner[];
  /** Others, with money, whose transactions may become more. */
  readonly payers: readonly Owner[];
  /** Where real payments go. */
  readonly destination: string;
  /** Payments of the customers, and their quotes. */
  readonly transactionIds: readonly TransactionId[];
  readonly quoteIds: readonly QuoteId[];
  readonly references: readonly string[];
  readonly refundReferences: readonly string[];
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/**
 * Gives the platform this many payments, a hundred to a customer: one is made through the API and taken to
 * `COMPLETED` with its webhooks delivered, and all others are copies of its rows. A few per cent failed and were refunded.
 * The copies share the balances in the journal, and encrypted values that are bound to their row are missing: look-ups by
 * key cost the same. There are as many card transactions.
 */
export async function fillTransactions(world: World, count: number): Promise<FilledTransactions> {
  const owners = await fillOwners(world, Math.max(4, Math.floor(count / PER_CUSTOMER)));
  const destination = await configure(world, await openReceiver(world));
  const every = Math.ceil(owners.length / PICKED / 2) * 2;
  const customers = owners.filter((_, i) => i % every === 0);
  const payers = owners.filter((_, i) => i % every === 1);
  for (const { accountId } of payers) {
    await world.call('POST', `/sandbox/internal-accounts/${publicId('InternalAccount', accountId)}/fund`, {
      amount: FUNDS,
    });
  }
  const template = await makeTemplate(world, payers[0] as Owner, destination);
  const start = world.work.runtime.clock.now() - count * STEP_MS;
  const oldestCount = await copyAll(world, { owners, template, start }, count);
  await fillCardTransactions(world, owners, start, count);
  await rest(world);
  return {
    customers,
    payers,
    destination,
    ...(await pick(world, customers)),
    firstAt: new Date(start - oldestCount * STEP_MS),
    lastAt: new Date(start + count * STEP_MS),
  };
}

async function fillOwners({ work }: World, count: number): Promise<Owner[]> {
  await fillAccounts(work, count);
  await fillExternalAccounts(work, count);
  return work.read(
    (tx) => tx.sql<Owner & object>`
      select i.customer_id as "customerId", i.id as "accountId", e.id as "outsideId"
        from (select *, row_number() over (order by created_at, id) as n from internal_accounts
               where platform_id = ${tx.platformId} and customer_id is not null) i
        join (select *, row_number() over (order by created_at, id) as n from external_accounts
               where platform_id = ${tx.platformId}) e using (n)
       order by n`,
  );
}

/** Accepts every webhook. */
export async function openReceiver({ closers }: Pick<World, 'closers'>): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function configure({ app, work, call }: World, webhookEndpoint: string): Promise<string> {
  const supportedCurrencies = ['USD', 'EUR'].map((currencyCode) => ({
    currencyCode,
    minAmount: 1,
    maxAmount: 1_000_000_000,
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
  }));
  await call('PATCH', '/config', { supportedCurrencies, webhookEndpoint });
  const { id } = await call<{ id: string }>('POST', '/platform/external-accounts', {
    currency: 'EUR',
    accountInfo: {
      accountType: 'EUR_ACCOUNT',
      iban: 'DE89370400440532013000',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Emmy Noether', countryOfResidence: 'DE' },
    },
  });
  await app.worker.settle(work.platform.id);
  return id;
}

/** As autovacuum and a checkpoint leave a database that rests. */
async function rest({ unhurried }: World): Promise<void> {
  for (const table of [...TABLES, 'card_transactions', 'webhook_attempts', 'jobs', 'ledger_balances']) {
    await unhurried(sql`vacuum analyze ${rawSql(table)}`);
  }
  await unhurried(sql`checkpoint`);
}

async function pick({ work }: World, customers: readonly Owner[]) {
  const found = await work.read(
    (tx) => tx.sql<{
      id: TransactionId;
      quote_id: QuoteId;
      reference: string;
      refund_reference: string | null;
    }>`
      select id, quote_id, reference, refund_reference from transactions
       where platform_id = ${tx.platformId} and customer_id = any(${customers.map((owner) => owner.customerId)}::uuid[])
         and type = 'OUTGOING'`,
  );
  return {
    transactionIds: found.map(({ id }) => id),
    quoteIds: found.map(({ quote_id }) => quote_id),
    references: found.map(({ reference }) => reference),
    refundReferences: found.flatMap((row) => (row.refund_reference === null ? [] : [row.refund_reference])),
  };
}
