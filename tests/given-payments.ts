import assert from 'node:assert/strict';
import type { InternalAccount } from '#accounts/schemas.ts';
import { listPlatformAccounts } from '#accounts/store.ts';
import { findCustomer } from '#customers/store.ts';
import type { ReadTx } from '#database/tx.ts';
import { automaticRail, loadForPayment } from '#external-accounts/check-for-payment.ts';
import { parseId } from '#lib/ids.ts';
import { type PlatformSettings, settingsOf } from '#lib/platform-settings.ts';
import { Refusal } from '#lib/refusals.ts';
import { createPaymentParts, type PaymentParts } from '#payments/execution/store.ts';
import type { QuoteDestination, QuoteSource } from '#payments/parties/source-destination.ts';
import { prepareQuote, type ResolvedQuote } from '#payments/quotes/create-quote.ts';
import type { Quote } from '#payments/schemas.ts';
import { type FeeRate, feeSchedule, serviceFeesOf } from '#pricing/fees.ts';
import { readRates } from '#pricing/rates.ts';
import { commitPlan } from '#tests/commit-plan.ts';
import { accountsOf, inCurrency, platformAccounts, supports } from '#tests/given-accounts.ts';
import { givenCustomer, PERSON } from '#tests/given-customers.ts';
import { givenExternalAccount } from '#tests/given-external-accounts.ts';
import type { PlatformOptions, TestPlatform, World } from '#tests/harness.ts';

/** A platform whose customers are approved at once and need not accept terms, with these currencies. */
export async function givenPlatform(
  world: World,
  options: { currencies?: readonly string[] } & PlatformOptions = {},
): Promise<TestPlatform> {
  const { currencies = ['USD', 'EUR'], settings, ...rest } = options;
  const platform = await world.platform({
    ...rest,
    settings: { isRegulatedFinancialInstitution: true, ...settings },
  });
  await supports(platform, currencies);
  return platform;
}

export interface Payer {
  readonly id: string;
  readonly accounts: InternalAccount[];
  account(currency: string): InternalAccount;
}

/** An approved customer with an account in each currency, and this much in its USD account. */
export async function givenPayer(platform: TestPlatform, usd = 1_000_000, body: object = {}): Promise<Payer> {
  const customer = await givenCustomer(platform, { ...PERSON, ...body });
  const accounts = await accountsOf(platform, customer.id);
  const payer = { id: customer.id, accounts, account: (code: string) => inCurrency(accounts, code) };
  if (usd > 0) await givenFunds(platform, payer.account('USD').id, usd);
  return payer;
}

export async function givenFunds(platform: TestPlatform, accountId: string, amount: number): Promise<void> {
  const reply = await platform.call('sandboxFundInternalAccount', {
    params: { accountId },
    body: { amount },
  });
  assert.equal(reply.status, 200, reply.raw);
}

/** An account outside whose suffix decides what becomes of payments; each call makes another one. */
export async function givenOutside(
  platform: TestPlatform,
  customerId: string | undefined,
  suffix = '999',
  accountType: 'EUR_ACCOUNT' | 'USD_ACCOUNT' = 'EUR_ACCOUNT',
): Promise<string> {
  const number = `${++accountNumbers}${suffix}`;
  const fields =
    accountType === 'USD_ACCOUNT' ? { accountNumber: number } : { iban: `DE89${number.padStart(18, '3')}` };
  const account = await givenExternalAccount(platform, accountType, fields, {
    ...(customerId !== undefined && { customerId }),
  });
  return account.id;
}

let accountNumbers = 10_000_000;

export async function balanceOf(platform: TestPlatform, payer: Payer, currency: string): Promise<number> {
  return inCurrency(await accountsOf(platform, payer.id), currency).balance.amount;
}

export async function platformBalance(platform: TestPlatform, currency: string): Promise<number> {
  return inCurrency(await platformAccounts(platform), currency).balance.amount;
}

export interface QuoteWish {
  readonly from: string | { readonly realtime: string; readonly network?: 'SOLANA' };
  readonly to: string;
  /** Locked on the sending side, unless `receive` is given. */
  readonly send?: bigint;
  readonly receive?: bigint;
  readonly platformFee?: FeeRate;
  readonly execute?: boolean;
  readonly owner?: string;
}

/** Makes a quote below the API, between accounts given by their public ids. */
export async function makeQuote(platform: TestPlatform, wish: QuoteWish): Promise<Quote | Refusal> {
  const work = await platform.work();
  return commitPlan<Quote>(work, async (tx) => prepareQuote(tx, await resolve(tx, wish))).catch(
    (error: unknown) => {
      if (error instanceof Refusal) return error;
      throw error;
    },
  );
}

export async function givenQuote(_world: World, platform: TestPlatform, wish: QuoteWish): Promise<Quote> {
  const quote = await makeQuote(platform, wish);
  assert.ok(!(quote instanceof Refusal), quote instanceof Refusal ? quote.message : '');
  return quote;
}

const PARTS = new WeakMap<object, PaymentParts>();

export function partsOf({ app }: World): PaymentParts {
  const known = PARTS.get(app.runtime) ?? createPaymentParts(app.runtime);
  PARTS.set(app.runtime, known);
  return known;
}

async function resolve(tx: ReadTx, wish: QuoteWish): Promise<ResolvedQuote> {
  const source = await sourceOf(tx, wish.from);
  const destination = await destinationOf(tx, wish.to);
  const reading = await readRates(tx);
  assert.ok(reading);
  const pair = {
    from: source.kind === 'EXTERNAL' ? source.account.currency : source.currency,
    to: destination.kind === 'EXTERNAL' ? destination.account.currency : destination.currency,
  };
  const [feeAccount] = await listPlatformAccounts(tx, { currency: pair.from });
  const ownerId = wish.owner ?? (await ownerOf(tx, typeof wish.from === 'string' ? wish.from : wish.to));
  const customer = ownerId === undefined ? undefined : await findCustomer(tx, ownerId);
  return {
    input: {
      owner: { customerId: customer?.id ?? null, platformCustomerId: customer?.platform_customer_id },
      source,
      destination,
      lockedSide: wish.receive === undefined ? 'SENDING' : 'RECEIVING',
      lockedAmount: wish.receive ?? wish.send ?? 10_000n,
      rates: reading.table,
      fees: feeSchedule(pair, serviceFeesOf(tx.platform.settings, pair), { override: wish.platformFee }),
      feeAccount: feeAccount?.id ?? null,
    },
    ...(wish.execute && {
      execute: {
        customer: customer ?? null,
        source: source.kind === 'INTERNAL' ? ACTIVE : null,
        destination: destination.kind === 'INTERNAL' ? ACTIVE : null,
      },
    }),
  };
}

const ACTIVE = { kind: 'INTERNAL', status: 'ACTIVE', type: 'INTERNAL_FIAT' } as const;

async function sourceOf(tx: ReadTx, from: QuoteWish['from']): Promise<QuoteSource> {
  if (typeof from !== 'string') {
    const { realtime: currency, network } = from;
    return { kind: 'REALTIME', currency, network, rail: network ?? 'RTP', instructions: () => [] };
  }
  const internal = parseId('InternalAccount', from, 'full');
  if (internal !== undefined) {
    const account = await internalAccount(tx, internal);
    return { kind: 'INTERNAL', accountId: internal, currency: account.currency };
  }
  return { kind: 'EXTERNAL', account: await outside(tx, from) };
}

async function destinationOf(tx: ReadTx, to: string): Promise<QuoteDestination> {
  if (to.startsWith('$')) return { kind: 'UMA', address: to, currency: 'USD' };
  const internal = parseId('InternalAccount', to, 'full');
  if (internal === undefined) {
    const account = await outside(tx, to);
    return { kind: 'EXTERNAL', account, rail: automaticRail(account) ?? null, isChosen: false };
  }
  const account = await internalAccount(tx, internal);
  const customer = account.customer_id === null ? undefined : await findCustomer(tx, account.customer_id);
  const owner = { customerId: account.customer_id, platformCustomerId: customer?.platform_customer_id };
  return { kind: 'INTERNAL', accountId: internal, currency: account.currency, owner };
}

async function ownerOf(tx: ReadTx, id: string): Promise<string | undefined> {
  if (id.startsWith('$')) return undefined;
  const internal = parseId('InternalAccount', id, 'full');
  if (internal !== undefined) return (await internalAccount(tx, internal)).customer_id ?? undefined;
  return (await outside(tx, id)).customerId;
}

async function internalAccount(tx: ReadTx, id: string) {
  const [row] = await tx.sql<{ currency: string; customer_id: string | null }>`
    select currency, customer_id from internal_accounts where platform_id = ${tx.platformId} and id = ${id}`;
  assert.ok(row);
  return row;
}

async function outside(tx: ReadTx, id: string) {
  const uuid = parseId('ExternalAccount', id, 'full') ?? '';
  const account = (await loadForPayment(tx, [uuid])).get(uuid);
  assert.ok(account);
  return account;
}

/** What was posted for a transaction: `L2`, `L6`, … in order. */
export async function postedKinds(platform: TestPlatform, transactionId: string): Promise<string[]> {
  const work = await platform.work();
  return work.read(async (tx) => {
    const rows = await tx.sql<{ kind: string }>`
      select kind from ledger_entries
       where platform_id = ${tx.platformId} and transaction_id = ${parseId('Transaction', transactionId)}
       order by seq`;
    return rows.map((row) => row.kind);
  });
}

/** The events about one resource so far, without what stands before the dot. */
export async function toldOf(platform: TestPlatform, resourceId: string): Promise<string[]> {
  const work = await platform.work();
  return work.read(async (tx) => {
    const rows = await tx.sql<{ type: string }>`
      select type from events where platform_id = ${tx.platformId} and resource_id = ${resourceId} order by seq`;
    return rows.map((row) => row.type.slice(row.type.indexOf('.') + 1));
  });
}

/** Moves the platform's clock and does everything that falls due on the way. */
export async function advance(platform: TestPlatform, seconds: number): Promise<void> {
  const reply = await platform.call('advanceSandboxClock', { body: { seconds } });
  assert.equal(reply.status, 200, reply.raw);
}

export async function readTransaction(platform: TestPlatform, transactionId: string) {
  const reply = await platform.call('getTransactionById', { params: { transactionId } });
  assert.equal(reply.status, 200, reply.raw);
  return reply.body;
}

export async function execute(platform: TestPlatform, quoteId: string, key?: string) {
  return platform.call('executeQuote', { params: { quoteId }, ...(key !== undefined && { key }) });
}

export function settings(explicit: Partial<PlatformSettings>): PlatformSettings {
  return settingsOf('SANDBOX', explicit);
}
