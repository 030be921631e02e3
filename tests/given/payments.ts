import assert from 'node:assert/strict';
import { createPaymentParts, type PaymentParts } from '#capabilities/payments/execution/store.ts';
import type { FeeRate } from '#capabilities/pricing/fees.ts';
import { LEDGER_KINDS, type LedgerKind } from '#foundation/ledger/kinds.ts';
import { effectiveSettings, type PlatformSettings } from '#foundation/lib/platform.ts';
import {
  type AccountReply,
  fetchAccounts,
  inCurrency,
  platformAccounts,
  supports,
} from '#tests/given/accounts.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import { lookedUp, quoted } from '#tests/given/quotes.ts';
import type { RequestOf } from '#tests/harness/api-types.ts';
import type { PlatformOptions, TestPlatform, World } from '#tests/harness/harness.ts';

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
  readonly accounts: AccountReply[];
  account(currency: string): AccountReply;
}

/** An approved customer with an account in each currency, and this much in its USD account. */
export async function givenPayer(
  platform: TestPlatform,
  usd = 1_000_000,
  body: RequestOf<'createCustomer'> = {},
): Promise<Payer> {
  const payer = await fetchPayer(platform, await givenCustomer(platform, { ...PERSON, ...body }));
  if (usd > 0) await givenFunds(platform, payer.account('USD').id, usd);
  return payer;
}

/** An existing customer with its accounts. */
export async function fetchPayer(platform: TestPlatform, { id }: { readonly id: string }): Promise<Payer> {
  const accounts = await fetchAccounts(platform, id);
  return { id, accounts, account: (code) => inCurrency(accounts, code) };
}

export async function givenFunds(platform: TestPlatform, accountId: string, amount: number): Promise<void> {
  const reply = await platform.call('sandboxFundInternalAccount', {
    params: { accountId },
    body: { amount },
  });
  assert.equal(reply.status, 200, reply.raw);
}

/** An external account whose suffix decides the outcome of payments; each call makes another one. */
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

export async function fetchBalance(platform: TestPlatform, payer: Payer, currency: string): Promise<number> {
  return inCurrency(await fetchAccounts(platform, payer.id), currency).balance.amount;
}

export async function platformBalance(platform: TestPlatform, currency: string): Promise<number> {
  return inCurrency(await platformAccounts(platform), currency).balance.amount;
}

/** Between accounts given by their public ids, or to a UMA address; by default it sends 10,000. */
export interface QuoteWish {
  readonly from: string | { readonly realtime: string; readonly network?: 'SOLANA' };
  readonly to: string;
  /** Locked on the sending side, unless `receive` is given. */
  readonly send?: bigint;
  readonly receive?: bigint;
  readonly platformFee?: FeeRate;
  readonly execute?: boolean;
  /** The owner of a real-time quote; public id. */
  readonly owner?: string;
}

export async function givenQuote(_world: World, platform: TestPlatform, wish: QuoteWish) {
  const { from, to, send = 10_000n, receive, platformFee: fee, execute, owner } = wish;
  const lookupId = to.startsWith('$') ? await lookedUp(platform, to) : undefined;
  const quote = await quoted(platform, {
    from: typeof from === 'string' ? from : { ...from, ...(owner !== undefined && { customerId: owner }) },
    to,
    ...(receive === undefined ? { send: Number(send) } : { receive: Number(receive) }),
    more: {
      ...(lookupId !== undefined && { lookupId }),
      ...(execute && { immediatelyExecute: true }),
      ...(fee && {
        platformFeeOverride: {
          platformFixedFee: { amount: Number(fee.fixed), currency: 'USD' },
          platformVariableFeeBps: fee.variableBps,
        },
      }),
    },
  });
  return quote;
}

const PARTS = new WeakMap<object, PaymentParts>();

export function paymentPartsOf({ app }: World): PaymentParts {
  const known = PARTS.get(app.runtime) ?? createPaymentParts(app.runtime);
  PARTS.set(app.runtime, known);
  return known;
}

/** The entries posted for a transaction, or a mint or burn, by their numbers in the rules: `L2`, `L6`, … in order. */
export async function postedKinds(platform: TestPlatform, transactionId: string): Promise<string[]> {
  const work = await platform.work();
  return work.read(async (tx) => {
    const rows = await tx.sql<{ kind: LedgerKind }>`
      select kind from ledger_entries
       where platform_id = ${tx.platformId} and transaction_id = ${bareId(transactionId)}
       order by seq`;
    return rows.map((row) => LEDGER_KINDS[row.kind]);
  });
}

/** Accepts a public id or a bare UUID. */
function bareId(id: string): string {
  return id.slice(id.indexOf(':') + 1);
}

/** The event types of one resource so far, without the part before the dot. */
export async function listEventTypes(platform: TestPlatform, resourceId: string): Promise<string[]> {
  const work = await platform.work();
  return work.read(async (tx) => {
    const rows = await tx.sql<{ type: string }>`
      select type from events where platform_id = ${tx.platformId} and resource_id = ${resourceId} order by seq`;
    return rows.map((row) => row.type.slice(row.type.indexOf('.') + 1));
  });
}

/** Moves the platform's clock and runs everything that falls due on the way. */
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
  return effectiveSettings('SANDBOX', explicit);
}
