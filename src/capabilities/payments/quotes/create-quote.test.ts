import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { openPrivate } from '#capabilities/payments/details.ts';
import { buildPayout } from '#capabilities/payments/settlement/orders.ts';
import { findTransaction } from '#capabilities/payments/store.ts';
import { givenExternalAccount, refusedFields } from '#tests/given/external-accounts.ts';
import {
  advance,
  execute,
  fetchBalance,
  givenFunds,
  givenOutside,
  givenPayer,
  givenPlatform,
  listEventTypes,
  type Payer,
  postedKinds,
  readTransaction,
} from '#tests/given/payments.ts';
import { askQuote, countTransactions, lookedUp, quoteBody, quoted } from '#tests/given/quotes.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const NOW = { immediatelyExecute: true };
const uma = (name: string) => `$${name}@${TEST_DOMAINS.sandboxUmaDomain}`;

describe('creating a quote', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let payer: Payer;
  let usd: string;
  let outside: string;

  before(async () => {
    platform = await givenPlatform(world, { currencies: ['USD', 'EUR', 'USDC'] });
    payer = await givenPayer(platform, 10_000_000);
    usd = payer.account('USD').id;
    outside = await givenOutside(platform, payer.id);
  });

  it('money.md §2.1: 201 PENDING; the transaction is readable at once, and its event is sent', async () => {
    const quote = await quoted(platform, { from: usd, to: outside, send: 25_000 });
    assert.equal(quote.status, 'PENDING');
    assert.deepEqual(quote.source, { sourceType: 'ACCOUNT', accountId: usd, customerId: payer.id });
    const transaction = await readTransaction(platform, quote.transactionId);
    assert.equal(transaction.status, 'PENDING');
    assert.equal(transaction.quoteId, quote.id);
    assert.equal(transaction.sentAmount.amount, 25_000);
    assert.equal(transaction.fees, 125);
    assert.deepEqual(await listEventTypes(platform, quote.transactionId), ['PENDING']);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), []);
    const { body } = await platform.call('getQuoteById', { params: { quoteId: quote.id } });
    assert.deepEqual(body, quote);
  });

  it('money.md §2.2: every source goes with every destination, in one currency and across', async () => {
    const bank = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    const eur = payer.account('EUR').id;
    const receiver = await givenPayer(platform, 0);
    const lookupId = await lookedUp(platform, uma('success.eur'));
    const sources = [usd, bank, { realtime: 'USD', customerId: payer.id }];
    const destinations = [eur, receiver.account('USD').id, outside, uma('success.eur')];
    for (const from of sources) {
      for (const to of destinations) {
        // money.md §2.4: money that is collected from a customer's bank never goes to another customer's account.
        if (from === bank && to === receiver.account('USD').id) continue;
        const quote = await quoted(platform, { from, to, ...(to.startsWith('$') && { more: { lookupId } }) });
        assert.equal(quote.status, 'PENDING');
      }
    }
  });

  it('money.md §2.2: a wallet cannot be the source → INVALID_INPUT', async () => {
    const wallet = await givenExternalAccount(platform, 'SOLANA_WALLET', {}, { customerId: payer.id });
    const reply = await askQuote(platform, { from: wallet.id, to: payer.account('EUR').id });
    assert.deepEqual(refusedFields(reply), ['source.accountId']);
  });

  it('money.md §2.3: a currency sent with an account must be its own; a UMA receiver’s first is the default', async () => {
    const body = quoteBody({ from: usd, to: outside });
    const wrong = { ...body, destination: { ...(body.destination as object), currency: 'USD' } };
    const refused = await platform.call('createQuote', { body: wrong });
    assert.deepEqual(refusedFields(refused), ['destination.currency']);
    const right = { ...body, destination: { ...(body.destination as object), currency: 'EUR' } };
    assert.equal((await platform.call('createQuote', { body: right })).status, 201);
    const lookupId = await lookedUp(platform, uma('success.mxn'));
    const quote = await quoted(platform, { from: usd, to: uma('success.mxn'), more: { lookupId } });
    assert.equal(quote.receivingCurrency.code, 'MXN');
    assert.equal(quote.destination.currency, 'MXN');
  });

  it('money.md §2.5: expires five minutes after its creation', async () => {
    const quote = await quoted(platform, { from: usd, to: outside });
    assert.equal(Date.parse(quote.expiresAt) - Date.parse(quote.createdAt), 300_000);
  });

  it('money.md §2.6: executed in the same request from an internal account', async () => {
    const before = await fetchBalance(platform, payer, 'USD');
    const quote = await quoted(platform, { from: usd, to: outside, send: 25_000, more: NOW });
    assert.equal(quote.status, 'PROCESSING');
    assert.equal(await fetchBalance(platform, payer, 'USD'), before - 25_000);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L2', 'L6']);
    assert.deepEqual(await listEventTypes(platform, quote.transactionId), ['PENDING', 'PROCESSING']);
    const work = await platform.work();
    const jobs = await work.read(
      (tx) => tx.sql<{ kind: string }>`
        select kind from jobs
         where platform_id = ${tx.platformId} and key = ${uuidOf(quote.transactionId)}`,
    );
    assert.deepEqual(jobs, [{ kind: 'payments.pay' }]);
    await advance(platform, 1);
    assert.equal((await readTransaction(platform, quote.transactionId)).status, 'COMPLETED');
    assert.equal((await execute(platform, quote.id)).status, 409);
  });

  it('money.md §2.6: executed in the same request by a pull', async () => {
    const bank = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    const quote = await quoted(platform, { from: bank, to: usd, send: 5_000, more: NOW });
    assert.equal(quote.status, 'PROCESSING');
    const transaction = await readTransaction(platform, quote.transactionId);
    assert.equal(transaction.type, 'INCOMING');
    assert.equal(transaction.status, 'PENDING');
  });

  it('money.md §2.6: an executed quote that fails at once says so', async () => {
    const failing = await givenOutside(platform, payer.id, '002', 'USD_ACCOUNT');
    const quote = await quoted(platform, { from: usd, to: failing, send: 5_000, more: NOW });
    assert.equal(quote.status, 'FAILED');
  });

  it('money.md §2.6: has no effect for real-time funding', async () => {
    const from = { realtime: 'USD', customerId: payer.id };
    const quote = await quoted(platform, { from, to: outside, more: NOW });
    assert.equal(quote.status, 'PENDING');
    assert.ok(quote.paymentInstructions.length > 0);
  });

  it('money.md §2.6: if a check of the execution fails, the whole request fails and nothing is stored', async () => {
    const poor = await givenPayer(platform, 100);
    const before = await countTransactions(platform);
    const to = await givenOutside(platform, poor.id);
    const ask = { from: poor.account('USD').id, to, send: 101, more: NOW };
    const reply = await askQuote(platform, ask, { key: 'poor' });
    assert.equal(reply.status, 400, reply.raw);
    assert.equal(reply.body.code, 'INSUFFICIENT_FUNDS');
    assert.equal(await countTransactions(platform), before);
    assert.equal(await fetchBalance(platform, poor, 'USD'), 100);
    await givenFunds(platform, poor.account('USD').id, 1);
    assert.equal((await askQuote(platform, ask, { key: 'poor' })).status, 201);
  });

  it('money.md §2.7: a chosen rail of the account is MANUAL, the first is AUTO, none elsewhere', async () => {
    const bank = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    const eur = payer.account('EUR').id;
    const loadRail = async (quote: { transactionId: string }) => {
      const { paymentRail, railSelectionMode, expectedSettlementAt, createdAt } = await readTransaction(
        platform,
        quote.transactionId,
      );
      const delay = expectedSettlementAt ? Date.parse(expectedSettlementAt) - Date.parse(createdAt) : null;
      return [paymentRail, railSelectionMode, delay];
    };
    const choose = async (paymentRail: string) => {
      const body = quoteBody({ from: usd, to: bank });
      const destination = { ...(body.destination as object), paymentRail };
      return platform.call('createQuote', { body: { ...body, destination } });
    };
    const chosen = await choose('WIRE');
    assert.equal(chosen.body.destination.paymentRail, 'WIRE');
    assert.deepEqual(await loadRail(chosen.body), ['WIRE', 'MANUAL', 4 * 3_600_000]);
    assert.deepEqual(await loadRail((await choose('RTP')).body), ['RTP', 'MANUAL', null]);
    assert.deepEqual(await loadRail(await quoted(platform, { from: usd, to: bank })), [
      'ACH',
      'AUTO',
      86_400_000,
    ]);
    const swift = await givenExternalAccount(platform, 'SWIFT_ACCOUNT (IBAN)', {}, { customerId: payer.id });
    assert.deepEqual(await loadRail(await quoted(platform, { from: usd, to: swift.id })), [
      'SWIFT',
      'AUTO',
      4 * 3_600_000,
    ]);
    assert.deepEqual(await loadRail(await quoted(platform, { from: usd, to: eur })), [null, null, null]);
    assert.deepEqual(refusedFields(await choose('PIX')), ['destination.paymentRail']);
    const wallet = await givenExternalAccount(platform, 'BASE_WALLET', {}, { customerId: payer.id });
    assert.deepEqual(await loadRail(await quoted(platform, { from: usd, to: wallet.id })), [
      null,
      null,
      null,
    ]);
  });

  it('money.md §2.8: remittance information of at most 80 characters; a purpose is optional', async () => {
    const texts = { description: 'Rent', remittanceInformation: 'x'.repeat(80), purposeOfPayment: 'GIFT' };
    const quote = await quoted(platform, { from: usd, to: outside, more: texts });
    assert.equal((await readTransaction(platform, quote.transactionId)).description, 'Rent');
    const row = await (await platform.work()).read((tx) => findTransaction(tx, uuidOf(quote.transactionId)));
    assert.ok(row);
    const order = buildPayout(openPrivate(world.app.runtime.vault, row), row);
    assert.equal(order.remittanceInformation, texts.remittanceInformation, 'the text that the rail gets');
    const long = { remittanceInformation: 'x'.repeat(81) };
    assert.deepEqual(refusedFields(await askQuote(platform, { from: usd, to: outside, more: long })), [
      'remittanceInformation',
    ]);
    const odd = { purposeOfPayment: 'FUN' };
    assert.deepEqual(refusedFields(await askQuote(platform, { from: usd, to: outside, more: odd })), [
      'purposeOfPayment',
    ]);
  });

  it('money.md §2.12: the same key and body → the same bytes and no second effect', async () => {
    const before = await fetchBalance(platform, payer, 'USD');
    const ask = { from: usd, to: outside, send: 1_000, more: NOW };
    const first = await askQuote(platform, ask, { key: 'again' });
    const second = await askQuote(platform, ask, { key: 'again' });
    assert.equal(second.status, 201);
    assert.equal(second.raw, first.raw);
    assert.equal(second.headers['idempotency-replayed'], 'true');
    assert.equal(await fetchBalance(platform, payer, 'USD'), before - 1_000);
  });

  it('money.md §2.12: the same key with another body → 409 DUPLICATE_PAY_REQUEST', async () => {
    await askQuote(platform, { from: usd, to: outside, send: 1_000 }, { key: 'taken' });
    const reply = await askQuote(platform, { from: usd, to: outside, send: 1_001 }, { key: 'taken' });
    assert.equal(reply.status, 409);
    assert.equal(reply.body.code, 'DUPLICATE_PAY_REQUEST');
  });

  it('money.md §2.12: a replay gives the stored reply, whatever happened to the parties since', async () => {
    const leaving = await givenPayer(platform, 0);
    const to = await givenOutside(platform, leaving.id);
    const ask = { from: leaving.account('USD').id, to };
    const first = await askQuote(platform, ask, { key: 'before' });
    const gone = await platform.call('deleteCustomerExternalAccountById', {
      params: { externalAccountId: to },
    });
    assert.equal(gone.status, 204, gone.raw);
    assert.equal((await askQuote(platform, ask, { key: 'before' })).raw, first.raw);
    assert.equal((await askQuote(platform, ask)).body.code, 'ACCOUNT_NOT_FOUND');
  });

  it('money.md §2.12: parallel calls with one key have one effect, and all return it', async () => {
    const before = await fetchBalance(platform, payer, 'USD');
    const ask = { from: usd, to: outside, send: 700, more: NOW };
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => askQuote(platform, ask, { key: 'race' })),
    );
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201]);
    assert.equal(new Set(replies.map(({ raw }) => raw)).size, 1);
    assert.equal(await fetchBalance(platform, payer, 'USD'), before - 700);
  });

  it('money.md §3.4: as many parallel quotes with immediate execution succeed as the balance covers', async () => {
    const poor = await givenPayer(platform, 3_500);
    const to = await givenOutside(platform, poor.id);
    const ask = { from: poor.account('USD').id, to, send: 1_000, more: NOW };
    const replies = await Promise.all(Array.from({ length: 8 }, () => askQuote(platform, ask)));
    assert.equal(replies.filter(({ status }) => status === 201).length, 3);
    const refused = replies.filter(({ status }) => status !== 201);
    assert.deepEqual([...new Set(refused.map(({ body }) => body.code))], ['INSUFFICIENT_FUNDS']);
    assert.equal(await fetchBalance(platform, poor, 'USD'), 500);
  });
});
