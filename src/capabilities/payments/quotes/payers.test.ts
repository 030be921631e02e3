// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { freezeAccount } from '#capabilities/accounts/change-status.ts';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { setCustomerStatus } from '#capabilities/customers/lifecycle/set-customer-status.ts';
import { fetchAccounts, inCurrency, platformAccounts } from '#tests/given/accounts.ts';
import { EUROPEAN, givenCustomer } from '#tests/given/customers.ts';
import { refusedFields } from '#tests/given/external-accounts.ts';
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
  platformBalance,
  readTransaction,
} from '#tests/given/payments.ts';
import { askQuote, lookedUp, quoted, type Wish } from '#tests/given/quotes.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const NOW = { immediatelyExecute: true };

type TransferId = 'createTransferIn' | 'createTransferOut';

interface Row {
  readonly id: string;
  readonly type: string;
  readonly status: string;
}

describe('the payer', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let own: string;

  before(async () => {
    platform = await givenPlatform(world);
    own = await fundedAccount(platform);
  });

  async function fundedAccount(of: TestPlatform): Promise<string> {
    const { id } = inCurrency(await platformAccounts(of), 'USD');
    await givenFunds(of, id, 1_000_000);
    return id;
  }

  const platformId = (of = platform) => `Platform:${of.id}`;

  async function listRows(of: TestPlatform, customerId: string): Promise<Row[]> {
    const { body } = await of.call('listTransactions', { query: { customerId, sortOrder: 'asc' } });
    return body.data;
  }

  const listTypes = async (of: TestPlatform, customerId: string) =>
    (await listRows(of, customerId)).map(({ type, status }) => `${type} ${status}`);

  /** The owner of a quote's transaction, after it was completed. */
  async function paid(wish: Wish) {
    const quote = await quoted(platform, { send: 1_000, ...wish, more: { ...NOW, ...wish.more } });
    if (typeof wish.from !== 'string') {
      const body = { quoteId: quote.id, currencyCode: wish.from.realtime };
      assert.equal((await platform.call('sandboxSend', { body })).status, 200);
    }
    await advance(platform, 3);
    const row = await readTransaction(platform, quote.transactionId);
    assert.equal(row.status, 'COMPLETED');
    return row;
  }

  it('money.md §2.4, §4.3: a platform that pays its customer has the OUTGOING row, and the customer the INCOMING one with its event', async () => {
    const receiver = await givenPayer(platform, 0);
    const before = await listRows(platform, platformId());
    const row = await paid({ from: own, to: receiver.account('USD').id });
    assert.deepEqual(
      [row.type, row.customerId, row.platformCustomerId],
      ['OUTGOING', platformId(), platformId()],
    );
    const [theirs, ...others] = await listRows(platform, receiver.id);
    assert.ok(theirs);
    assert.deepEqual([theirs.type, theirs.status, others], ['INCOMING', 'COMPLETED', []]);
    assert.deepEqual(await listEventTypes(platform, theirs.id), ['COMPLETED']);
    assert.deepEqual(await listEventTypes(platform, row.id), ['PENDING', 'PROCESSING', 'COMPLETED']);
    const after = await listRows(platform, platformId());
    assert.deepEqual(
      after.slice(before.length).map(({ id }) => id),
      [row.id],
    );
    assert.equal(await fetchBalance(platform, receiver, 'USD'), 1_000);
  });

  it('money.md §2.4: the owner is the named customer, else the owner of the source account, else, with real-time funding, the receiver', async () => {
    const [payer, other] = [await givenPayer(platform, 100_000), await givenPayer(platform, 0)];
    const { body } = await platform.call('getCustomerById', { params: { customerId: other.id } });
    const uma: string = body.umaAddress;
    const lookupId = await lookedUp(platform, uma);
    const [usd, theirs] = [payer.account('USD').id, other.account('USD').id];
    const bank = (of: string | undefined) => givenOutside(platform, of, '999', 'USD_ACCOUNT');
    const toUma = { to: uma, more: { lookupId } };
    const named = { source: { sourceType: 'ACCOUNT', accountId: own, customerId: payer.id } };
    const COURSES: [string, Wish, owner: string, mirror: string | undefined][] = [
      ['platform to customer', { from: own, to: theirs }, platformId(), other.id],
      ['platform to customer, across', { from: own, to: other.account('EUR').id }, platformId(), other.id],
      ['platform to customer’s bank', { from: own, to: await bank(other.id) }, platformId(), undefined],
      ['platform to UMA', { from: own, ...toUma }, platformId(), other.id],
      ['platform in a customer’s name', { from: own, to: theirs, more: named }, payer.id, other.id],
      ['platform’s bank to customer', { from: await bank(undefined), to: theirs }, platformId(), other.id],
      [
        'platform’s bank to customer, across',
        { from: await bank(undefined), to: other.account('EUR').id },
        platformId(),
        other.id,
      ],
      ['customer to platform', { from: usd, to: own }, payer.id, platformId()],
      ['customer to customer', { from: usd, to: theirs }, payer.id, other.id],
      ['customer’s bank to platform', { from: await bank(payer.id), to: own }, payer.id, platformId()],
      ['in real time to a customer', { from: { realtime: 'USD' }, to: theirs }, other.id, undefined],
      ['in real time to the platform', { from: { realtime: 'USD' }, to: own }, platformId(), undefined],
      ['in real time to UMA', { from: { realtime: 'USD' }, ...toUma }, platformId(), other.id],
      [
        'in real time for a customer',
        { from: { realtime: 'USD', customerId: payer.id }, to: theirs },
        payer.id,
        other.id,
      ],
    ];
    for (const [name, wish, owner, mirror] of COURSES) {
      const seen = new Map<string, number>();
      const all = [platformId(), payer.id, other.id];
      for (const id of all) seen.set(id, (await listRows(platform, id)).length);
      const row = await paid(wish);
      assert.equal(row.customerId, owner, name);
      for (const id of all) {
        const fresh = (await listRows(platform, id)).slice(seen.get(id)).map((shown) => shown.type);
        const expected = [...(id === owner ? [row.type] : []), ...(id === mirror ? ['INCOMING'] : [])];
        assert.deepEqual(fresh.sort(), expected.sort(), `${name}: rows of ${id}`);
      }
    }
  });

  it('money.md §2.4, §5: a transfer belongs to the owner of the account that it leaves', async () => {
    const receiver = await givenPayer(platform, 0);
    const send = async (id: TransferId, source: string, destination: string) => {
      const body = { source: { accountId: source }, destination: { accountId: destination }, amount: 100 };
      const reply = await platform.call(id, { body });
      assert.equal(reply.status, 201, reply.raw);
      await advance(platform, 3);
      return readTransaction(platform, reply.body.id);
    };
    const bank = await givenOutside(platform, undefined, '999', 'USD_ACCOUNT');
    const pulled = await send('createTransferIn', bank, receiver.account('USD').id);
    assert.deepEqual([pulled.type, pulled.customerId], ['INCOMING', platformId()]);
    assert.deepEqual(await listTypes(platform, receiver.id), ['INCOMING COMPLETED']);
    const theirs = await givenOutside(platform, receiver.id, '999', 'USD_ACCOUNT');
    const sent = await send('createTransferOut', own, theirs);
    assert.deepEqual([sent.type, sent.customerId], ['OUTGOING', platformId()]);
    assert.deepEqual(await listTypes(platform, receiver.id), ['INCOMING COMPLETED']);
  });

  it('money.md §2.4, customers.md §1.7: terms and verification are required only of the customer whose money leaves', async () => {
    const strict = await givenPlatform(world, { settings: { isRegulatedFinancialInstitution: false } });
    const from = await fundedAccount(strict);
    const customer = await givenCustomer(strict);
    const work = await strict.work();
    await work.write((tx) => setCustomerStatus(tx, uuidOf(customer.id), 'APPROVED'));
    const usd = inCurrency(await fetchAccounts(strict, customer.id), 'USD').id;
    const bank = await givenOutside(strict, undefined, '999', 'USD_ACCOUNT');
    const theirs = await givenOutside(strict, customer.id, '999', 'USD_ACCOUNT');
    const named = { source: { sourceType: 'ACCOUNT', accountId: from, customerId: customer.id } };
    for (const wish of [
      { from, to: usd },
      { from, to: theirs },
      { from, to: usd, more: named },
      { from: bank, to: usd },
    ]) {
      const reply = await askQuote(strict, { ...wish, more: { ...NOW, ...wish.more } });
      assert.equal(reply.status, 201, reply.raw);
      const later = await quoted(strict, wish);
      assert.equal((await execute(strict, later.id)).status, 200);
    }
    const body = { source: { accountId: bank }, destination: { accountId: usd }, amount: 100 };
    assert.equal((await strict.call('createTransferIn', { body })).status, 201);
    const out = { source: { accountId: from }, destination: { accountId: theirs }, amount: 100 };
    assert.equal((await strict.call('createTransferOut', { body: out })).status, 201);
    await advance(strict, 3);
    for (const wish of [
      { from: usd, to: from },
      { from: theirs, to: from },
      { from: { realtime: 'USD', customerId: customer.id }, to: from },
    ]) {
      const reply = await askQuote(strict, { ...wish, send: 100, more: NOW });
      assert.deepEqual([reply.status, reply.body.code], [403, 'END_USER_TERMS_NOT_ACCEPTED']);
    }
  });

  it('money.md §2.4, customers.md §7: a customer is not authenticated strongly for a payment from the platform', async () => {
    const receiver = await givenCustomer(platform, EUROPEAN);
    const work = await platform.work();
    await work.write((tx) => setCustomerStatus(tx, uuidOf(receiver.id), 'APPROVED'));
    const eur = inCurrency(await fetchAccounts(platform, receiver.id), 'EUR').id;
    assert.equal((await askQuote(platform, { from: own, to: eur, more: NOW })).status, 201);
  });

  it('money.md §8.2: the platform’s payments count against the day’s volume', async () => {
    const limits = { corridors: { USD: { dailyUsdCents: 1_500 } } };
    const narrow = await givenPlatform(world, { settings: { limits } });
    const from = await fundedAccount(narrow);
    const to = (await givenPayer(narrow, 0)).account('USD').id;
    assert.equal((await askQuote(narrow, { from, to, send: 1_000, more: NOW })).status, 201);
    const over = await askQuote(narrow, { from, to, send: 501, more: NOW });
    assert.deepEqual([over.status, over.body.code], [429, 'DAILY_VOLUME_LIMIT_EXCEEDED']);
  });

  it('money.md §4.1, §4.5: a platform’s payment that cannot be delivered is refunded to it, and the customer sees nothing', async () => {
    const receiver = await givenPayer(platform, 0);
    const before = await platformBalance(platform, 'USD');
    const quote = await quoted(platform, { from: own, to: receiver.account('EUR').id, send: 500, more: NOW });
    const work = await platform.work();
    const accountId = uuidOf(receiver.account('EUR').id);
    await work.write((tx) => freezeAccount(tx, { accountId }));
    await advance(platform, 3);
    const row = await readTransaction(platform, quote.transactionId);
    assert.deepEqual([row.status, row.failureReason], ['FAILED', 'ACCOUNT_CANNOT_RECEIVE']);
    assert.equal(await platformBalance(platform, 'USD'), before);
    assert.deepEqual(await listRows(platform, receiver.id), []);
  });

  it('customers.md §2.4.26, §2.4.26a: a customer that was paid by the platform is deleted and erased; the platform’s row stays', async () => {
    const receiver = await givenPayer(platform, 0);
    const row = await paid({ from: own, to: receiver.account('USD').id, more: { description: 'salary' } });
    const [theirs] = await listRows(platform, receiver.id);
    const out = await givenOutside(platform, receiver.id, '999', 'USD_ACCOUNT');
    await paid({ from: receiver.account('USD').id, to: out });
    const remove = () => platform.call('deleteCustomerById', { params: { customerId: receiver.id } });
    assert.equal((await remove()).status, 200);
    const work = await platform.work();
    const id = uuidOf(receiver.id);
    await work.write((tx) => eraseCustomer(tx, id));
    assert.deepEqual(await readTransaction(platform, row.id), row);
    const mirror = await readTransaction(platform, theirs?.id ?? '');
    assert.deepEqual([mirror.customerId, mirror.platformCustomerId], [receiver.id, id]);
  });

  it('money.md §2.4: a customer’s external account is used only with that customer’s money or the platform’s, in either direction', async () => {
    const [one, other] = [await givenPayer(platform, 10_000), await givenPayer(platform, 10_000)];
    const givenBank = (payer: Payer | undefined) => givenOutside(platform, payer?.id, '999', 'USD_ACCOUNT');
    const [ones, others, platforms] = [
      await givenBank(one),
      await givenBank(other),
      await givenBank(undefined),
    ];
    const transfer = (id: TransferId, source: string, destination: string) =>
      platform.call(id, {
        body: { source: { accountId: source }, destination: { accountId: destination }, amount: 100 },
      });
    const foreign: Promise<Parameters<typeof refusedFields>[0]>[] = [
      askQuote(platform, { from: ones, to: other.account('USD').id }),
      askQuote(platform, { from: ones, to: other.account('EUR').id, more: NOW }),
      askQuote(platform, { from: ones, to: others }),
      askQuote(platform, { from: one.account('USD').id, to: others }),
      askQuote(platform, { from: { realtime: 'USD', customerId: one.id }, to: others }),
      transfer('createTransferIn', ones, other.account('USD').id),
      transfer('createTransferOut', one.account('USD').id, others),
    ];
    for (const refused of await Promise.all(foreign)) {
      assert.deepEqual(refusedFields(refused), ['destination.accountId']);
    }
    assert.equal((await askQuote(platform, { from: ones, to: one.account('USD').id })).status, 201);
    assert.equal((await askQuote(platform, { from: ones, to: own })).status, 201);
    assert.equal((await askQuote(platform, { from: platforms, to: other.account('USD').id })).status, 201);
    assert.equal((await askQuote(platform, { from: platforms, to: others })).status, 201);
    assert.equal((await transfer('createTransferIn', ones, own)).status, 201);
    assert.equal((await transfer('createTransferIn', platforms, other.account('USD').id)).status, 201);
    await advance(platform, 3);
  });
});
