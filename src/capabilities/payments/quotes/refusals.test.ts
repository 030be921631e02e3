// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { prepareQuote } from '#capabilities/payments/quotes/create-quote.ts';
import { parseQuote } from '#capabilities/payments/quotes/parse-quote.ts';
import type { QuoteRequest } from '#capabilities/payments/quotes/schemas.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { fetchAccounts, inCurrency } from '#tests/given/accounts.ts';
import { EUROPEAN, givenCustomer, PERSON } from '#tests/given/customers.ts';
import { givenExternalAccount, refusedFields } from '#tests/given/external-accounts.ts';
import { givenOutside, givenPayer, givenPlatform, type Payer } from '#tests/given/payments.ts';
import {
  askQuote,
  countTransactions,
  freeze,
  lookedUp,
  quoteBody,
  quoted,
  type Wish,
} from '#tests/given/quotes.ts';
import { commitPlan } from '#tests/harness/commit-plan.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const NOW = { immediatelyExecute: true };
const uma = (name: string) => `$${name}@${TEST_DOMAINS.sandboxUmaDomain}`;
const CONSENT = {
  acceptedAt: '2026-03-02T09:00:00Z',
  ipAddress: '203.0.113.7',
  termsVersion: 'V1',
  acceptanceMethod: 'CHECKBOX',
};

/** The rows of money.md §2's error table, top to bottom. */
describe('refusals of a quote', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let payer: Payer;
  let usd: string;
  let outside: string;

  before(async () => {
    platform = await givenPlatform(world, { currencies: ['USD', 'EUR', 'USDC', 'USDB'] });
    payer = await givenPayer(platform, 1_000_000);
    usd = payer.account('USD').id;
    outside = await givenOutside(platform, payer.id);
  });

  async function refused(wish: Wish, status: number, code: string, on = platform) {
    const before = await countTransactions(on);
    const reply = await askQuote(on, wish);
    assert.equal(reply.status, status, reply.raw);
    assert.equal(reply.body.code, code, reply.raw);
    assert.equal(await countTransactions(on), before);
    return reply;
  }

  /** Sets the account to a state that its provider or the operator would set. */
  async function setExternal(id: string, state: { status?: string; us?: string }): Promise<void> {
    const work = await platform.work();
    await work.write(async (tx) => {
      await tx.sql`
        update external_accounts
           set status = coalesce(${state.status ?? null}, status),
               us_validation = coalesce(${state.us ?? null}, us_validation)
         where platform_id = ${tx.platformId} and id = ${uuidOf(id)}`;
    });
  }

  it('platform.md §9: the data stored with a payment and sent with its events is limited', async () => {
    const wish = (more: NonNullable<Wish['more']>) => ({ from: usd, to: outside, more });
    const told = { a: 'x'.repeat(5_000), b: { c: 'x'.repeat(5_000) } };
    const long = { description: 'x'.repeat(1_001), senderCustomerInfo: told };
    const reply = await refused(wish(long), 400, 'INVALID_INPUT');
    assert.deepEqual(refusedFields(reply), ['description', 'senderCustomerInfo']);
    assert.deepEqual(
      reply.body.details.errors.map(({ constraint }: { constraint?: object }) => constraint),
      [{ maxLength: 1_000 }, { maxLength: 10_000 }],
    );
    const most = { description: 'x'.repeat(1_000), senderCustomerInfo: { a: told.a } };
    assert.equal((await askQuote(platform, wish(most))).status, 201);
  });

  it('money.md §2.13: credentials → 401; a read-only token → 403', async () => {
    const body = quoteBody({ from: usd, to: outside });
    assert.equal((await platform.call('createQuote', { body, as: 'nobody' })).status, 401);
    const looker = await world.platform({ permissions: ['VIEW'] });
    assert.equal((await looker.call('createQuote', { body })).body.code, 'FORBIDDEN');
  });

  it('money.md §2.13: bad fields → INVALID_INPUT, all at once and in the order of the document', async () => {
    const reply = await platform.send('createQuote', {
      body: {
        source: { sourceType: 'ACCOUNT', accountId: 'Customer:1', customerId: 7 },
        destination: { destinationType: 'PIGEON' },
        lockedCurrencySide: 'BOTH',
        lockedCurrencyAmount: '12',
        remittanceInformation: 'x'.repeat(81),
      },
    });
    assert.equal(reply.status, 400);
    assert.deepEqual(refusedFields(reply), [
      'source.customerId',
      'destination.destinationType',
      'lockedCurrencySide',
      'lockedCurrencyAmount',
      'remittanceInformation',
    ]);
  });

  it('platform.md §10.0.2a: a decimal amount, or one in quotes, is refused with a hint about the smallest unit', async () => {
    for (const lockedCurrencyAmount of [250.5, '25000']) {
      const reply = await platform.send('createQuote', { body: { lockedCurrencyAmount } });
      const { errors } = reply.body.details as { errors: { field: string; message: string }[] };
      const { message } = errors.find(({ field }) => field === 'lockedCurrencyAmount') ?? {};
      assert.match(message ?? '', /in the smallest unit of the currency: 12\.50 USD is 1250$/);
    }
  });

  it('money.md §2.13: rules over several fields are refused together with the invalid fields', async () => {
    const reply = await platform.call('createQuote', {
      body: {
        source: { sourceType: 'REALTIME_FUNDING', currency: 'USDC', customerId: usd },
        destination: { destinationType: 'UMA_ADDRESS', umaAddress: uma('success.usd') },
        lockedCurrencySide: 'BOTH',
        lockedCurrencyAmount: 0,
      },
    });
    assert.deepEqual(refusedFields(reply), [
      'lookupId',
      'source.customerId',
      'source.cryptoNetwork',
      'lockedCurrencySide',
    ]);
  });

  it('money.md §2.13: a wrong id prefix → INVALID_INPUT, before an amount of zero', async () => {
    const reply = await askQuote(platform, { from: payer.id, to: outside, send: 0 });
    assert.deepEqual(refusedFields(reply), ['source.accountId']);
    // platform.md §1.2.2: a body must have the full id.
    const bare = (id: string) => id.slice(id.indexOf(':') + 1);
    const from = { realtime: 'USD', customerId: bare(payer.id) };
    assert.deepEqual(refusedFields(await askQuote(platform, { from, to: outside })), ['source.customerId']);
    const bareAccounts = await askQuote(platform, { from: bare(usd), to: bare(outside) });
    assert.deepEqual(refusedFields(bareAccounts), ['source.accountId', 'destination.accountId']);
    assert.deepEqual(refusedFields(await askQuote(platform, { from: usd, to: `Quote:${newUuid()}` })), [
      'destination.accountId',
    ]);
  });

  it('money.md §2.13: an amount of zero or below → INVALID_AMOUNT, before an unknown account; too large an amount is a field error', async () => {
    const nowhere = `ExternalAccount:${newUuid()}`;
    await refused({ from: usd, to: nowhere, send: 0 }, 400, 'INVALID_AMOUNT');
    await refused({ from: usd, to: nowhere, send: -5 }, 400, 'INVALID_AMOUNT');
    const reply = await askQuote(platform, { from: usd, to: outside, send: 9_000_000_000_000_001 });
    assert.deepEqual(refusedFields(reply), ['lockedCurrencyAmount']);
  });

  it('money.md §2.13: an unknown account, or another platform’s → ACCOUNT_NOT_FOUND, byte for byte the same', async () => {
    const other = await givenPlatform(world);
    const stranger = await givenPayer(other, 0);
    const unknown = await refused(
      { from: usd, to: `InternalAccount:${newUuid()}` },
      404,
      'ACCOUNT_NOT_FOUND',
    );
    const foreign = await refused({ from: usd, to: stranger.account('EUR').id }, 404, 'ACCOUNT_NOT_FOUND');
    assert.equal(foreign.raw, unknown.raw);
    await refused({ from: `ExternalAccount:${newUuid()}`, to: usd }, 404, 'ACCOUNT_NOT_FOUND');
    const fieldsOf = ({ body }: typeof foreign) =>
      body.details.errors.map(({ field }: { field: string }) => field);
    assert.deepEqual(fieldsOf(foreign), ['destination.accountId']);
    assert.equal(foreign.body.reason, 'destination.accountId: is not the id of an account');
    const nowhere = () => `InternalAccount:${newUuid()}`;
    const both = await refused({ from: nowhere(), to: nowhere() }, 404, 'ACCOUNT_NOT_FOUND');
    assert.deepEqual(fieldsOf(both), ['source.accountId', 'destination.accountId']);
  });

  it('money.md §2.13: an unknown customer → CUSTOMER_NOT_FOUND', async () => {
    const from = { realtime: 'USD', customerId: `Customer:${newUuid()}` };
    await refused({ from, to: outside }, 404, 'CUSTOMER_NOT_FOUND');
  });

  it('money.md §2.13: no terms accepted → 403 at once for real-time funding and immediate execution, not for a plain quote', async () => {
    const open = await world.platform({ settings: { skipVerificationPaperwork: true } });
    const customer = await givenCustomer(open, PERSON);
    const from = inCurrency(await fetchAccounts(open, customer.id), 'USD').id;
    const to = await givenOutside(open, customer.id);
    const code = 'END_USER_TERMS_NOT_ACCEPTED';
    await refused({ from, to, more: NOW }, 403, code, open);
    await refused({ from: { realtime: 'USD', customerId: customer.id }, to }, 403, code, open);
    const plain = await quoted(open, { from, to });
    const executed = await open.call('executeQuote', { params: { quoteId: plain.id } });
    assert.equal(executed.body.code, code);
  });

  it('money.md §2.13: a customer that is not approved → USER_NOT_READY at the same points', async () => {
    const strict = await world.platform();
    const customer = await givenCustomer(strict, { ...PERSON, endUserTermsConsent: CONSENT });
    const from = inCurrency(await fetchAccounts(strict, customer.id), 'USD').id;
    const to = await givenOutside(strict, customer.id);
    await refused({ from, to, more: NOW }, 403, 'USER_NOT_READY', strict);
    await refused({ from: { realtime: 'USD', customerId: customer.id }, to }, 403, 'USER_NOT_READY', strict);
    await quoted(strict, { from, to });
  });

  it('money.md §2.13: an internal account that is not active → USER_NOT_READY at the same points, source or destination', async () => {
    const frozen = await givenPayer(platform, 1_000);
    await freeze(platform, frozen.account('USD').id);
    const to = await givenOutside(platform, frozen.id);
    await refused({ from: frozen.account('USD').id, to, more: NOW }, 403, 'USER_NOT_READY');
    const realtime = { realtime: 'EUR', customerId: payer.id };
    await refused({ from: realtime, to: frozen.account('USD').id }, 403, 'USER_NOT_READY');
    await quoted(platform, { from: frozen.account('USD').id, to });
  });

  it('money.md §2.13: an embedded wallet: executed at once → INVALID_INPUT; not provisioned → 409; a balance below S → INSUFFICIENT_FUNDS', async () => {
    const wallet = payer.account('USDB').id;
    const reply = await askQuote(platform, { from: wallet, to: outside, more: NOW });
    assert.deepEqual(refusedFields(reply), ['immediatelyExecute']);
    await refused({ from: wallet, to: outside, send: 1_000_000 }, 400, 'INSUFFICIENT_FUNDS');
    const work = await platform.work();
    await work.write(async (tx) => {
      await tx.sql`update internal_accounts set status = 'PENDING'
        where platform_id = ${tx.platformId} and id = ${uuidOf(wallet)}`;
    });
    await refused({ from: wallet, to: outside }, 409, 'WALLET_NOT_PROVISIONED');
    await refused({ from: usd, to: wallet }, 409, 'WALLET_NOT_PROVISIONED');
  });

  it('money.md §2.13: source and destination the same, or the sender’s own UMA address → SELF_PAYMENT', async () => {
    await refused({ from: usd, to: usd }, 400, 'SELF_PAYMENT');
    const { body: customer } = await platform.call('getCustomerById', { params: { customerId: payer.id } });
    const lookupId = await lookedUp(platform, customer.umaAddress);
    const to = customer.umaAddress.toUpperCase();
    await refused({ from: usd, to, more: { lookupId } }, 400, 'SELF_PAYMENT');
  });

  it('money.md §2.13: an invalid currency is not quoted at length', async () => {
    const reply = await askQuote(platform, { from: { realtime: 'X'.repeat(100_000) }, to: outside });
    assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_CURRENCY']);
    assert.ok(reply.raw.length < 1_000);
  });

  it('money.md §2.13: a currency that is unknown, not configured or not enabled → INVALID_CURRENCY', async () => {
    await refused({ from: { realtime: 'XYZ' }, to: outside }, 400, 'INVALID_CURRENCY');
    await refused({ from: { realtime: 'GBP' }, to: outside }, 400, 'INVALID_CURRENCY');
    const off = await givenPlatform(world);
    const sender = await givenPayer(off, 0);
    const bank = await givenOutside(off, sender.id, '999', 'USD_ACCOUNT');
    await enable(off, { USD: ['INCOMING'], EUR: ['OUTGOING'] });
    const [from, to] = [sender.account('USD').id, sender.account('EUR').id];
    await refused({ from, to }, 400, 'INVALID_CURRENCY', off);
    await quoted(off, { from: bank, to: from });
    await enable(off, { USD: ['OUTGOING'], EUR: ['OUTGOING'] });
    await refused({ from: bank, to: from }, 400, 'INVALID_CURRENCY', off);
  });

  it('money.md §2.13: a receiving currency without a rate → INVALID_CURRENCY', async () => {
    const rest = { customerId: payer.id, currency: 'ARS' };
    const account = await givenExternalAccount(platform, 'SWIFT_ACCOUNT (number)', {}, rest);
    await refused({ from: usd, to: account.id }, 400, 'INVALID_CURRENCY');
  });

  it('money.md §2.13: a malformed UMA address → INVALID_UMA_ADDRESS; no such user → UMA_NOT_FOUND, before an unknown look-up', async () => {
    const more = { lookupId: `Lookup:${newUuid()}` };
    await refused({ from: usd, to: '$a b@uma', more }, 400, 'INVALID_UMA_ADDRESS');
    await refused({ from: usd, to: uma('nobody'), more }, 404, 'UMA_NOT_FOUND');
    await refused({ from: usd, to: `$nobody@${TEST_DOMAINS.defaultUmaDomain}`, more }, 404, 'UMA_NOT_FOUND');
  });

  it('money.md §2.13: a look-up that is unknown or an hour old → LOOKUP_REQUEST_NOT_FOUND; a look-up of another receiver is a field error', async () => {
    const to = uma('success.usd');
    await refused(
      { from: usd, to, more: { lookupId: `Lookup:${newUuid()}` } },
      404,
      'LOOKUP_REQUEST_NOT_FOUND',
    );
    const other = { lookupId: await lookedUp(platform, uma('success.eur')) };
    assert.deepEqual(refusedFields(await askQuote(platform, { from: usd, to, more: other })), ['lookupId']);
    const more = { lookupId: await lookedUp(platform, to) };
    await quoted(platform, { from: usd, to, more });
    await platform.call('advanceSandboxClock', { body: { seconds: 3_600 } });
    await refused({ from: usd, to, more }, 404, 'LOOKUP_REQUEST_NOT_FOUND');
  });

  it('accounts.md §6.2: a look-up of an external account must be of the destination, and its limits apply', async () => {
    const look = await platform.call('lookupExternalAccount', { params: { accountId: outside } });
    assert.equal(look.status, 200, look.raw);
    const more = { lookupId: look.body.lookupId };
    await quoted(platform, { from: usd, to: outside, more });
    const other = await givenOutside(platform, payer.id);
    assert.deepEqual(refusedFields(await askQuote(platform, { from: usd, to: other, more })), ['lookupId']);
    const max = look.body.supportedCurrencies[0].max;
    await refused({ from: usd, to: outside, receive: max + 1, more }, 400, 'AMOUNT_OUT_OF_RANGE');
  });

  it('money.md §2.13: a receiver’s provider that does not answer the request to pay → 424 PAYREQ_REQUEST_FAILED', async () => {
    const to = uma('fail.payreq.usd');
    await refused(
      { from: usd, to, more: { lookupId: await lookedUp(platform, to) } },
      424,
      'PAYREQ_REQUEST_FAILED',
    );
  });

  it('money.md §2.13: mandatory payer data that is missing → MISSING_MANDATORY_USER_INFO, naming each', async () => {
    const to = uma('needinfo.usd');
    const lookupId = await lookedUp(platform, to);
    const wish = (senderCustomerInfo?: object) => ({
      from: usd,
      to,
      more: { lookupId, ...(senderCustomerInfo && { senderCustomerInfo }) },
    });
    const none = await refused(wish(), 400, 'MISSING_MANDATORY_USER_INFO');
    assert.deepEqual(refusedFields(none, 'MISSING_MANDATORY_USER_INFO'), [
      'senderCustomerInfo.FULL_NAME',
      'senderCustomerInfo.BIRTH_DATE',
    ]);
    await refused(wish({ FULL_NAME: 'Ada', BIRTH_DATE: '' }), 400, 'MISSING_MANDATORY_USER_INFO');
    const quote = await quoted(platform, wish({ FULL_NAME: 'Ada', BIRTH_DATE: '1990-12-10' }));
    assert.deepEqual(quote.counterpartyInformation, { FULL_NAME: 'Sandbox Receiver' });
  });

  it('money.md §2.13: a currency that the receiver does not accept → INVALID_CURRENCY; its bounds → AMOUNT_OUT_OF_RANGE', async () => {
    const to = uma('success.usd');
    const lookupId = await lookedUp(platform, to);
    const body = quoteBody({ from: usd, to, more: { lookupId } });
    const destination = { ...(body.destination as object), currency: 'EUR' };
    const reply = await platform.call('createQuote', { body: { ...body, destination } });
    assert.equal(reply.body.code, 'INVALID_CURRENCY');
    await refused({ from: usd, to, send: 10_000_001, more: { lookupId } }, 400, 'AMOUNT_OUT_OF_RANGE');
  });

  it('money.md §9.5: a receiver’s limits apply to the amount received', async () => {
    const to = uma('success.mxn');
    const more = { lookupId: await lookedUp(platform, to) };
    await quoted(platform, { from: usd, to, receive: 10_000_000, more });
    await refused({ from: usd, to, receive: 10_000_001, more }, 400, 'AMOUNT_OUT_OF_RANGE');
    await refused({ from: usd, to, send: 1_000_000, more }, 400, 'AMOUNT_OUT_OF_RANGE');
  });

  it('money.md §2.13: an external account that is unverified, or not proven from a value of EUR 1000 on → verification required', async () => {
    const wallet = await givenExternalAccount(platform, 'BASE_WALLET', {}, { customerId: payer.id });
    const code = 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED';
    await setExternal(wallet.id, { status: 'UNVERIFIED' });
    await refused({ from: usd, to: wallet.id, send: 100 }, 400, code);
    await setExternal(wallet.id, { status: 'PENDING_OWNERSHIP_VERIFICATION' });
    // EUR 1000 at 0.92 is USD 1086.9565…
    await quoted(platform, { from: usd, to: wallet.id, send: 108_695 });
    await refused({ from: usd, to: wallet.id, send: 108_696 }, 400, code);
  });

  it('money.md §2.13: an external account that cannot be used in its status → INVALID_RECEIVER, as source INVALID_BANK_ACCOUNT', async () => {
    const bank = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    for (const status of ['PENDING', 'UNDER_REVIEW', 'INACTIVE']) {
      await setExternal(bank, { status });
      await refused({ from: usd, to: bank }, 400, 'INVALID_RECEIVER');
      await refused({ from: bank, to: usd }, 400, 'INVALID_BANK_ACCOUNT');
    }
  });

  it('accounts.md §4.7: a US account whose validation is pending or has failed', async () => {
    const bank = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    await setExternal(bank, { us: 'PENDING' });
    await refused({ from: bank, to: usd }, 409, 'BANK_ACCOUNT_VALIDATION_PENDING');
    const automatic = await quoted(platform, { from: usd, to: bank });
    assert.equal(automatic.destination.paymentRail, 'WIRE');
    const body = quoteBody({ from: usd, to: bank });
    const destination = { ...(body.destination as object), paymentRail: 'ACH' };
    const chosen = await platform.call('createQuote', { body: { ...body, destination } });
    assert.equal(chosen.body.code, 'BANK_ACCOUNT_VALIDATION_PENDING');
    await setExternal(bank, { us: 'FAILED' });
    await refused({ from: bank, to: usd }, 400, 'INVALID_BANK_ACCOUNT');
    await refused({ from: usd, to: bank }, 400, 'INVALID_BANK_ACCOUNT');
  });

  it('money.md §2.13: outside the platform’s limits, or nothing left after fees → AMOUNT_OUT_OF_RANGE', async () => {
    const bounded = await givenPlatform(world);
    const sender = await givenPayer(bounded, 0);
    const to = await givenOutside(bounded, sender.id);
    await enable(bounded, { USD: ['OUTGOING', 'INCOMING'] }, { minAmount: 100, maxAmount: 20_000 });
    const from = sender.account('USD').id;
    await refused({ from, to, send: 99 }, 400, 'AMOUNT_OUT_OF_RANGE', bounded);
    await quoted(bounded, { from, to, send: 100 });
    await quoted(bounded, { from, to, send: 20_000 });
    await refused({ from, to, send: 20_001 }, 400, 'AMOUNT_OUT_OF_RANGE', bounded);
    await refused(
      { from: payer.account('EUR').id, to: payer.account('USDC').id, send: 0 },
      400,
      'INVALID_AMOUNT',
    );
    const fee = { platformFixedFee: { amount: 10_000, currency: 'USD' }, platformVariableFeeBps: 0 };
    await refused(
      { from: usd, to: outside, send: 10_000, more: { platformFeeOverride: fee } },
      400,
      'AMOUNT_OUT_OF_RANGE',
    );
  });

  it('money.md §8.1: above the single-transaction maximum → TRANSACTION_SIZE_LIMIT_EXCEEDED; reaching it is allowed', async () => {
    await quoted(platform, { from: usd, to: outside, send: 10_000_000 });
    await refused({ from: usd, to: outside, send: 10_000_001 }, 400, 'TRANSACTION_SIZE_LIMIT_EXCEEDED');
  });

  it('money.md §2.13: refusals carry their figures: the limits, the maximum, the account’s status', async () => {
    const details = async (wish: Wish) => (await askQuote(platform, wish)).body.details;
    const limits = { currency: 'USD', min: 1, max: 1_000_000_000 };
    assert.deepEqual(await details({ from: usd, to: outside, send: 1_000_000_001 }), limits);
    const to = uma('success.usd');
    const more = { lookupId: await lookedUp(platform, to) };
    const receivers = { currency: 'USD', min: 1, max: 10_000_000 };
    assert.deepEqual(await details({ from: usd, to, receive: 10_000_001, more }), receivers);
    const most = { maxUsdCents: 10_000_000 };
    assert.deepEqual(await details({ from: usd, to: outside, send: 10_000_001 }), most);
    const disabled = await givenOutside(platform, payer.id);
    await setExternal(disabled, { status: 'INACTIVE' });
    assert.deepEqual(await details({ from: usd, to: disabled }), { status: 'INACTIVE' });
  });

  it('money.md §2.13: rates that cannot be read → QUOTE_REQUEST_FAILED, after all checks that need no rates', async () => {
    const { runtime } = world.app;
    const without: Runtime = {
      ...runtime,
      ports: (environment) => ({
        ...runtime.ports(environment),
        rates: { snapshot: async () => undefined },
      }),
    };
    const { platform: row, actor } = await platform.work();
    const work = new Work(without, row, actor);
    const ask = (wish: Wish) => {
      const request = parseQuote(quoteBody(wish) as QuoteRequest, [], row.ownCurrencies);
      const parts = { domains: TEST_DOMAINS, serviceName: 'Svc' };
      return commitPlan(work, (tx) => prepareQuote(tx, request, parts));
    };
    const catchRefusal = (wish: Wish) => ask(wish).catch((error: unknown) => error);
    const down = await catchRefusal({ from: usd, to: outside });
    assert.ok(down instanceof Refusal);
    assert.equal(down.code, 'QUOTE_REQUEST_FAILED');
    const bank = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    await setExternal(bank, { status: 'INACTIVE' });
    const inactive = await catchRefusal({ from: usd, to: bank });
    assert.ok(inactive instanceof Refusal);
    assert.equal(inactive.code, 'INVALID_RECEIVER');
    const tooMuch = await catchRefusal({ from: usd, to: outside, send: 1_000_000_001 });
    assert.ok(tooMuch instanceof Refusal);
    assert.equal(tooMuch.code, 'AMOUNT_OUT_OF_RANGE');
    const receiver = uma('success.eur');
    const more = { lookupId: await lookedUp(platform, receiver) };
    const beyond = await catchRefusal({ from: usd, to: receiver, receive: 10_000_001, more });
    assert.ok(beyond instanceof Refusal);
    assert.equal(beyond.code, 'AMOUNT_OUT_OF_RANGE');
    const within = await catchRefusal({ from: usd, to: receiver, receive: 10_000_000, more });
    assert.ok(within instanceof Refusal);
    assert.equal(within.code, 'QUOTE_REQUEST_FAILED');
  });

  it('money.md §8.2: crossing the day’s volume by immediate execution → 429, and nothing is stored', async () => {
    const small = await givenPlatform(world, {
      settings: { limits: { default: { maxUsdCents: 10_000_000, dailyUsdCents: 15_000 } } },
    });
    const sender = await givenPayer(small, 100_000);
    const to = await givenOutside(small, sender.id);
    const from = sender.account('USD').id;
    await quoted(small, { from, to, send: 10_000, more: NOW });
    const reply = await refused(
      { from, to, send: 5_001, more: NOW },
      429,
      'DAILY_VOLUME_LIMIT_EXCEEDED',
      small,
    );
    const { limit, used, requested, resetsAt } = reply.body.details;
    assert.deepEqual({ limit, used, requested }, { limit: 15_000, used: 10_000, requested: 5_001 });
    assert.match(String(resetsAt), /T00:00:00\.000Z$/);
    await quoted(small, { from, to, send: 5_000, more: NOW });
  });

  it('customers.md §7.10e: a customer without any factor can authorize nothing: a quote that moves at once is 400 on scaFactor', async () => {
    const european = await givenPayer(platform, 1_000, EUROPEAN);
    const to = await givenOutside(platform, european.id);
    const from = european.account('USD').id;
    await quoted(platform, { from, to, send: 100 });
    await refused({ from, to, send: 100, more: NOW }, 400, 'INVALID_INPUT');
    await refused({ from: { realtime: 'USD', customerId: european.id }, to }, 400, 'INVALID_INPUT');
  });
});

/** Configures only these currencies, each for these types. */
async function enable(
  platform: TestPlatform,
  types: Record<string, string[]>,
  bounds = { minAmount: 1, maxAmount: 1_000_000_000 },
): Promise<void> {
  const supportedCurrencies = Object.entries(types).map(([currencyCode, enabledTransactionTypes]) => ({
    currencyCode,
    ...bounds,
    requiredCounterpartyFields: [],
    enabledTransactionTypes,
  }));
  const reply = await platform.call('updatePlatformConfig', { body: { supportedCurrencies } });
  assert.equal(reply.status, 200, reply.raw);
}
