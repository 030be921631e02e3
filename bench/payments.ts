import type { Work } from '#database/work.ts';
import { loadForPayment, type PaymentAccount } from '#external-accounts/judge-for-payment.ts';
import { parseId } from '#lib/ids.ts';
import { Refusal } from '#lib/refusals.ts';
import { createQuote } from '#payments/create-quote.ts';
import { createPaymentParts } from '#payments/parts.ts';
import { feeSchedule } from '#pricing/fees.ts';
import { readRates } from '#pricing/read-rates.ts';
import { serviceFeesOf } from '#pricing/terms.ts';
import type { LoadProcess } from './load.ts';
import type { Contestant } from './rounds.ts';
import { PLAIN } from './tpcb-contestant.ts';
import { NAMES, openService, type World } from './world.ts';

export interface PaymentBench {
  readonly databaseUrl: string;
  readonly load: LoadProcess;
  readonly closers: (() => Promise<void>)[];
}

const CLIENTS = 32;
const CUSTOMERS = 300;
const SPREAD = 'execute a payment, spread over accounts';

/** Executing a prefunded quote over HTTP, with everything the service does, beside the plain-SQL transfer. */
export async function paymentContestants(parts: PaymentBench): Promise<Contestant[]> {
  const bench = await setUp(parts);
  const round = (sources: readonly string[]) => async (ms: number) => {
    // A payment each millisecond, so that a round takes about as long as any other.
    const quotes = await bench.makeQuotes(sources, ms);
    return parts.load.once({ origin: bench.origin, clients: CLIENTS, requests: quotes.map(bench.execution) });
  };
  return [
    { name: SPREAD, unit: 'payment', against: PLAIN, budget: 1, round: round(bench.accounts) },
    {
      name: 'execute a payment, all out of one account',
      unit: 'payment',
      against: SPREAD,
      budget: 0.8,
      round: round(bench.accounts.slice(0, 1)),
    },
  ];
}

/**
 * From the first request until the last payment is `COMPLETED` and its webhooks have arrived. Needs a database
 * of its own: the worker would do the work that the other rounds leave.
 */
export async function completionContestant(parts: PaymentBench): Promise<Contestant> {
  const bench = await setUp(parts, await parts.load.receive());
  bench.app.worker.start();
  parts.closers.push(() => bench.app.worker.stop(1_000));
  return {
    name: 'payments to COMPLETED, webhooks delivered',
    unit: 'payment',
    against: PLAIN,
    async round(ms) {
      const quotes = await bench.makeQuotes(bench.accounts, ms);
      const start = performance.now();
      const arrived = parts.load.arrivals('OUTGOING_PAYMENT.COMPLETED', quotes.length);
      const requests = quotes.map(bench.execution);
      await parts.load.once({ origin: bench.origin, clients: CLIENTS, requests });
      await arrived;
      return (quotes.length * 1000) / (performance.now() - start);
    },
  };
}

async function setUp({ databaseUrl, closers }: PaymentBench, webhookEndpoint?: string) {
  const { app, work, authorization, call } = await (await openService(databaseUrl, closers))('Bench');
  const { accounts, owners, destination } = await open(call, webhookEndpoint);
  const to = await work.read(async (tx) => (await loadForPayment(tx, [destination])).get(destination));
  if (!to) throw new Error('the account was just made');
  const origin = await app.http.listen({ host: '127.0.0.1', port: 0 });
  return {
    app,
    origin,
    accounts,
    makeQuotes: quoteMaker(work, owners, to),
    execution: (quoteId: string) => ({
      method: 'POST' as const,
      path: `${NAMES.basePath}/quotes/${quoteId}/execute`,
      headers: { authorization, 'idempotency-key': quoteId },
    }),
  };
}

interface Opened {
  readonly accounts: string[];
  /** The owner of each account, by its id. */
  readonly owners: Map<string, { customerId: string; platformCustomerId: string }>;
  readonly destination: string;
}

async function open(call: World['call'], webhookEndpoint: string | undefined): Promise<Opened> {
  const rule = { minAmount: 1, maxAmount: 1_000_000_000, requiredCounterpartyFields: [] };
  const enabledTransactionTypes = ['INCOMING', 'OUTGOING'];
  const supportedCurrencies = ['USD', 'EUR'].map((currencyCode) => ({
    currencyCode,
    ...rule,
    enabledTransactionTypes,
  }));
  await call('PATCH', '/config', { supportedCurrencies, ...(webhookEndpoint && { webhookEndpoint }) });
  const accounts: string[] = [];
  const owners: Opened['owners'] = new Map();
  for (let i = 0; i < CUSTOMERS; i++) {
    const customer = await call<{ id: string; platformCustomerId: string }>('POST', '/customers', {
      customerType: 'INDIVIDUAL',
      fullName: 'Ada Lovelace',
      currencies: ['USD'],
    });
    const { data } = await call<{ data: { id: string }[] }>(
      'GET',
      `/customers/internal-accounts?customerId=${customer.id}`,
    );
    const [account] = data;
    if (!account) throw new Error('every customer has an account');
    await call('POST', `/sandbox/internal-accounts/${account.id}/fund`, { amount: 100_000_000_000 });
    const id = parseId('InternalAccount', account.id) ?? '';
    accounts.push(id);
    const { platformCustomerId } = customer;
    owners.set(id, { customerId: parseId('Customer', customer.id) ?? '', platformCustomerId });
  }
  const outside = await call<{ id: string }>('POST', '/platform/external-accounts', {
    currency: 'EUR',
    accountInfo: {
      accountType: 'EUR_ACCOUNT',
      iban: 'DE89370400440532013000',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Emmy Noether', countryOfResidence: 'DE' },
    },
  });
  return { accounts, owners, destination: parseId('ExternalAccount', outside.id) ?? '' };
}

/** Quotes made below the API, many at once. */
function quoteMaker(work: Work, owners: Opened['owners'], to: PaymentAccount) {
  const payments = createPaymentParts(work.surroundings);
  const pair = { from: 'USD', to: 'EUR' };
  const fees = feeSchedule(pair, serviceFeesOf(work.platform.settings, pair), {});
  return async (sources: readonly string[], count: number): Promise<string[]> => {
    const reading = await work.read(readRates);
    if (!reading) throw new Error('the sandbox always has rates');
    const { table: rates } = reading;
    const ids: string[] = [];
    let next = 0;
    const make = async (): Promise<void> => {
      const accountId = sources[next++ % sources.length] as string;
      const owner = owners.get(accountId) ?? { customerId: null };
      const quote = await createQuote(payments, work, {
        resolve: async () => ({
          input: {
            owner,
            source: { kind: 'INTERNAL', accountId, currency: 'USD' },
            destination: { kind: 'EXTERNAL', account: to, rail: 'SEPA', isChosen: false },
            lockedSide: 'SENDING',
            lockedAmount: 1_000n,
            rates,
            fees,
            feeAccount: null,
          },
        }),
      });
      if (quote instanceof Refusal) throw quote;
      ids.push(quote.id);
    };
    while (ids.length < count) await Promise.all(Array.from({ length: 250 }, make));
    return ids.slice(0, count);
  };
}
