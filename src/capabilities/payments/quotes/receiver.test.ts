// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { insertLookup } from '#capabilities/external-accounts/receivers/store.ts';
import { openPrivate } from '#capabilities/payments/details.ts';
import { prepareQuote } from '#capabilities/payments/quotes/create-quote.ts';
import { parseQuote } from '#capabilities/payments/quotes/parse-quote.ts';
import type { QuoteRequest } from '#capabilities/payments/quotes/schemas.ts';
import { receiveReport } from '#capabilities/payments/settlement/notices.ts';
import { buildPayout } from '#capabilities/payments/settlement/orders.ts';
import { findTransaction } from '#capabilities/payments/store.ts';
import { setPlatform } from '#capabilities/platform/set-platform.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import type { CounterpartyPayRequest } from '#foundation/ports/counterparties.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import {
  advance,
  execute,
  fetchBalance,
  givenPayer,
  givenPlatform,
  listEventTypes,
  type Payer,
  readTransaction,
} from '#tests/given/payments.ts';
import { askQuote, lookedUp, quoteBody, quoted } from '#tests/given/quotes.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const uma = (name: string) => `$${name}@${TEST_DOMAINS.sandboxUmaDomain}`;

describe('quotes to UMA addresses', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let payer: Payer;
  let usd: string;

  before(async () => {
    platform = await givenPlatform(world);
    payer = await givenPayer(platform, 1_000_000);
    usd = payer.account('USD').id;
  });

  async function loadAddress(customer: Payer): Promise<string> {
    const { body } = await platform.call('getCustomerById', { params: { customerId: customer.id } });
    return body.umaAddress;
  }

  it('money.md §2.11: another provider’s user: its data about the receiver is returned; after the payout the payment completes', async () => {
    const to = uma('success.eur');
    const quote = await quoted(platform, {
      from: usd,
      to,
      more: { lookupId: await lookedUp(platform, to) },
    });
    assert.deepEqual(quote.destination, { destinationType: 'UMA_ADDRESS', umaAddress: to, currency: 'EUR' });
    assert.deepEqual(quote.counterpartyInformation, { FULL_NAME: 'Sandbox Receiver' });
    assert.equal((await execute(platform, quote.id)).body.status, 'PROCESSING');
    await advance(platform, 1);
    assert.equal((await readTransaction(platform, quote.transactionId)).status, 'COMPLETED');
  });

  it('money.md §2.11: the provider gets the data that it requests: from the request, else from the file', async () => {
    const { runtime } = world.app;
    const asked: CounterpartyPayRequest[] = [];
    const listening: Runtime = {
      ...runtime,
      ports: (environment) => ({
        ...runtime.ports(environment),
        counterparties: {
          ...runtime.ports(environment).counterparties,
          async requestPayment(request) {
            asked.push(request);
            return { kind: 'AGREED', counterpartyInformation: {} };
          },
        },
      }),
    };
    const { platform: row, actor } = await platform.work();
    const work = new Work(listening, row, actor);
    const to = uma('success.usd');
    const fields = (names: string[], mandatory = true) => names.map((name) => ({ name, mandatory }));
    const lookupId = await work.write((tx) =>
      insertLookup(tx, {
        receiver: { kind: 'UMA', address: to },
        currencies: [{ code: 'USD', min: 1n, max: 10_000_000n }],
        requiredPayerData: [
          ...fields(['FULL_NAME', 'BIRTH_DATE', 'POSTAL_ADDRESS', 'EMAIL']),
          ...fields(['NATIONALITY'], false),
        ],
      }),
    );
    const senderCustomerInfo = { FULL_NAME: 'A. Lovelace', EMAIL: '' };
    const more = { lookupId: `Lookup:${lookupId}`, senderCustomerInfo };
    const request = parseQuote(quoteBody({ from: usd, to, more }) as QuoteRequest, [], row.ownCurrencies);
    await work.read((tx) => prepareQuote(tx, request, { domains: TEST_DOMAINS, serviceName: 'Svc' }));
    assert.deepEqual(
      asked.map(({ payerData }) => payerData),
      [
        {
          FULL_NAME: 'A. Lovelace',
          BIRTH_DATE: PERSON.birthDate,
          POSTAL_ADDRESS: '1 Market St, San Francisco, CA, 94105, US',
          EMAIL: PERSON.email,
        },
      ],
    );
  });

  it('money.md §2.11: the address is matched case-insensitively', async () => {
    const lookupId = await lookedUp(platform, uma('success.usd'));
    const quote = await quoted(platform, { from: usd, to: uma('SUCCESS.usd'), more: { lookupId } });
    assert.equal(quote.destination.umaAddress, uma('success.usd'));
  });

  it('money.md §4.3: a customer of the same platform gets the money, and its own transaction', async () => {
    const receiver = await givenPayer(platform, 0);
    const to = await loadAddress(receiver);
    const more = { lookupId: await lookedUp(platform, to), immediatelyExecute: true };
    const quote = await quoted(platform, { from: usd, to, send: 25_000, more });
    assert.equal(quote.status, 'PROCESSING');
    await advance(platform, 1);
    assert.equal((await readTransaction(platform, quote.transactionId)).status, 'COMPLETED');
    assert.equal(
      await fetchBalance(platform, receiver, quote.receivingCurrency.code),
      quote.totalReceivingAmount,
    );
    const currency = quote.receivingCurrency.code;
    const destination = {
      destinationType: 'ACCOUNT',
      currency,
      accountId: receiver.account(currency).id,
    };
    for (const query of [{ customerId: receiver.id }, { receiverAccountIdentifier: to, type: 'INCOMING' }]) {
      const { body } = await platform.call('listTransactions', { query });
      assert.deepEqual(
        body.data.map((row) => [row.type, row.status, row.destination]),
        [['INCOMING', 'COMPLETED', destination]],
      );
    }
  });

  it('money.md §4.3, accounts.md §3.2.23: if the money is forwarded to an external account, the receiver’s transaction names that account', async () => {
    const receiver = await givenPayer(platform, 0);
    const rest = { customerId: receiver.id, defaultUmaDepositAccount: true };
    const account = await givenExternalAccount(platform, 'USD_ACCOUNT', { accountNumber: '77003999' }, rest);
    const to = await loadAddress(receiver);
    const more = { lookupId: await lookedUp(platform, to), immediatelyExecute: true };
    await quoted(platform, { from: usd, to, send: 25_000, more });
    await advance(platform, 2);
    const { body } = await platform.call('listTransactions', { query: { customerId: receiver.id } });
    assert.deepEqual(
      body.data.map((row) => [row.status, row.destination]),
      [['COMPLETED', { destinationType: 'ACCOUNT', currency: 'USD', accountId: account.id }]],
    );
  });

  for (const isAtOnce of [false, true]) {
    const when = isAtOnce ? 'in one report with the delivery' : 'later';
    it(`accounts.md §3.2.23, money.md §7.4: a bank return ${when} also reverses the receiver’s mirror`, async () => {
      const receiver = await givenPayer(platform, 0);
      const rest = { customerId: receiver.id, defaultUmaDepositAccount: true };
      await givenExternalAccount(platform, 'USD_ACCOUNT', { accountNumber: '77002999' }, rest);
      const to = await loadAddress(receiver);
      const more = { lookupId: await lookedUp(platform, to), immediatelyExecute: true };
      const quote = await quoted(platform, { from: usd, to, send: 25_000, more });
      const work = await platform.work();
      const reference = uuidOf(quote.transactionId);
      if (isAtOnce) {
        const notices = [{ kind: 'delivered' }, { kind: 'returned' }] as const;
        await work.write((tx) => receiveReport(tx, { reference, notices }));
      } else await advance(platform, 2);
      const seen = async () => {
        const { body } = await platform.call('listTransactions', { query: { customerId: receiver.id } });
        return body.data.map(({ id, status, failureReason }) => [id, status, failureReason]);
      };
      const [[mirrorId = ''] = []] = await seen();
      for (const _ of ['once', 'again']) {
        await work.write((tx) => receiveReport(tx, { reference, notices: [{ kind: 'returned' }] }));
      }
      assert.equal((await readTransaction(platform, quote.transactionId)).failureReason, 'PAYOUT_RETURNED');
      assert.deepEqual(await seen(), [[mirrorId, 'FAILED', 'OFFRAMP_FAILED']]);
      assert.deepEqual(await listEventTypes(platform, mirrorId), ['COMPLETED', 'FAILED']);
      await advance(platform, 2);
    });
  }

  for (const [suffix, status, told] of [
    ['999', 'COMPLETED', ['COMPLETED']],
    ['004', 'FAILED', ['FAILED', 'REFUND_PENDING', 'REFUND_COMPLETED']],
  ] as const) {
    it(`accounts.md §3.2.23: one of our customers is paid to its external default deposit account: ${status}`, async () => {
      const receiver = await givenPayer(platform, 0);
      await givenExternalAccount(
        platform,
        'USD_ACCOUNT',
        { accountNumber: `77001${suffix}` },
        { customerId: receiver.id, defaultUmaDepositAccount: true },
      );
      const to = await loadAddress(receiver);
      const before = await fetchBalance(platform, payer, 'USD');
      const more = { lookupId: await lookedUp(platform, to), immediatelyExecute: true };
      const quote = await quoted(platform, { from: usd, to, send: 25_000, more });
      assert.deepEqual(quote.destination, {
        destinationType: 'UMA_ADDRESS',
        umaAddress: to,
        currency: 'USD',
      });
      await advance(platform, 2);
      assert.equal((await readTransaction(platform, quote.transactionId)).status, status);
      assert.deepEqual((await listEventTypes(platform, quote.transactionId)).slice(2), told);
      assert.equal(await fetchBalance(platform, receiver, 'USD'), 0);
      const work = await platform.work();
      const row = await work.read((tx) => findTransaction(tx, uuidOf(quote.transactionId)));
      assert.ok(row);
      assert.equal(
        buildPayout(openPrivate(world.app.runtime.vault, row), row).rail,
        'ACH',
        'the rail of the order',
      );
      const isPaid = status === 'COMPLETED';
      assert.equal(await fetchBalance(platform, payer, 'USD'), isPaid ? before - 25_000 : before);
      const { body } = await platform.call('listTransactions', { query: { customerId: receiver.id } });
      const seen = body.data.map((row: { type: string; status: string }) => `${row.type} ${row.status}`);
      assert.deepEqual(seen, isPaid ? ['INCOMING COMPLETED'] : []);
    });
  }

  it('money.md §3.3a: our customer’s external deposit account is checked again at execution', async () => {
    const receiver = await givenPayer(platform, 0);
    const rest = { customerId: receiver.id, defaultUmaDepositAccount: true };
    const account = await givenExternalAccount(platform, 'USD_ACCOUNT', { accountNumber: '7700299' }, rest);
    const to = await loadAddress(receiver);
    const more = { lookupId: await lookedUp(platform, to) };
    const quote = await quoted(platform, { from: usd, to, send: 700, more });
    const before = await fetchBalance(platform, payer, 'USD');
    const work = await platform.work();
    const become = (status: string) =>
      work.write(
        (tx) => tx.sql`update external_accounts set status = ${status}
          where platform_id = ${tx.platformId} and id = ${uuidOf(account.id)}`,
      );
    await become('INACTIVE');
    const inactive = await execute(platform, quote.id);
    assert.deepEqual([inactive.status, inactive.body.code], [400, 'INVALID_RECEIVER']);
    await become('ACTIVE');
    const params = { externalAccountId: account.id };
    assert.equal((await platform.call('deleteCustomerExternalAccountById', { params })).status, 204);
    const gone = await execute(platform, quote.id);
    assert.deepEqual([gone.status, gone.body.code], [404, 'ACCOUNT_NOT_FOUND']);
    assert.equal((await readTransaction(platform, quote.transactionId)).status, 'PENDING');
    assert.equal(await fetchBalance(platform, payer, 'USD'), before);
  });

  it('accounts.md §3.2.23: if the default deposit account is not ACTIVE, an internal account is credited', async () => {
    const receiver = await givenPayer(platform, 0);
    const rest = { customerId: receiver.id, defaultUmaDepositAccount: true };
    const account = await givenExternalAccount(platform, 'USD_ACCOUNT', {}, rest);
    const work = await platform.work();
    await work.write(async (tx) => {
      await tx.sql`update external_accounts set status = 'PENDING_OWNERSHIP_VERIFICATION'
        where platform_id = ${tx.platformId} and id = ${uuidOf(account.id)}`;
    });
    const to = await loadAddress(receiver);
    const more = { lookupId: await lookedUp(platform, to), immediatelyExecute: true };
    await quoted(platform, { from: usd, to, send: 700, more });
    await advance(platform, 1);
    assert.equal(await fetchBalance(platform, receiver, 'USD'), 700);
  });

  it('money.md §2.11: a customer that was deleted since the look-up → UMA_NOT_FOUND', async () => {
    const leaving = await givenCustomer(platform, PERSON);
    const lookupId = await lookedUp(platform, leaving.umaAddress);
    await platform.call('deleteCustomerById', { params: { customerId: leaving.id } });
    const reply = await askQuote(platform, { from: usd, to: leaving.umaAddress, more: { lookupId } });
    assert.equal(reply.status, 404, reply.raw);
    assert.equal(reply.body.code, 'UMA_NOT_FOUND');
  });

  it('money.md §2.11: an address that changed hands since the look-up → LOOKUP_REQUEST_NOT_FOUND', async () => {
    const { id: customerId, umaAddress } = await givenCustomer(platform, PERSON);
    const lookupId = await lookedUp(platform, umaAddress);
    await platform.call('deleteCustomerById', { params: { customerId } });
    await givenCustomer(platform, { ...PERSON, umaAddress });
    const reply = await askQuote(platform, { from: usd, to: umaAddress, more: { lookupId } });
    assert.deepEqual([reply.status, reply.body.code], [404, 'LOOKUP_REQUEST_NOT_FOUND']);
    const more = { lookupId: await lookedUp(platform, umaAddress) };
    await quoted(platform, { from: usd, to: umaAddress, more });
  });

  it('platform.md §3.2.5: missing data about the receiver that our providers require fails the quote', async () => {
    const own = await givenPlatform(world);
    const customer = await givenPayer(own, 10_000);
    const ask = async () => {
      const to = uma('success.usd');
      const more = { lookupId: await lookedUp(own, to) };
      return askQuote(own, { from: customer.account('USD').id, to, more });
    };
    const demand = (name: 'FULL_NAME' | 'ID_NUMBER') =>
      setPlatform(
        world.app.runtime,
        own.id,
        { kind: 'operator', id: 'test' },
        { providerFields: { USD: { counterparty: [name] } } },
      );
    await demand('ID_NUMBER');
    const reply = await ask();
    assert.deepEqual([reply.status, reply.body.code], [400, 'MISSING_MANDATORY_USER_INFO']);
    await demand('FULL_NAME');
    assert.equal((await ask()).status, 201);
  });

  it('platform.md §3.3: a provider that the operator does not allow → 403 COUNTERPARTY_NOT_ALLOWED', async () => {
    const to = uma('success.usd');
    const lookupId = await lookedUp(platform, to);
    const work = await platform.work();
    await work.write(async (tx) => {
      await tx.sql`update platforms set settings = settings || '{"allowedUmaProviders": ["bank.example"]}'
        where id = ${tx.platformId}`;
    });
    const reply = await askQuote(platform, { from: usd, to, more: { lookupId } });
    assert.equal(reply.status, 403, reply.raw);
    assert.equal(reply.body.code, 'COUNTERPARTY_NOT_ALLOWED');
  });
});
