// lane: whole — every kind of payment during a deletion

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { closeAccount, freezeAccount } from '#capabilities/accounts/change-status.ts';
import { deleteCustomer, eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { openPrivate } from '#capabilities/payments/details.ts';
import { receiveReport } from '#capabilities/payments/settlement/notices.ts';
import { findTransactions } from '#capabilities/payments/store.ts';
import { fetchAccounts, inCurrency, platformAccounts } from '#tests/given/accounts.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import {
  advance,
  execute,
  fetchBalance,
  givenFunds,
  givenOutside,
  givenPayer,
  givenPlatform,
  givenQuote,
  listEventTypes,
  type Payer,
  readTransaction,
} from '#tests/given/payments.ts';
import { askQuote, countTransactions, lookedUp, quoted } from '#tests/given/quotes.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('payments of customers that are deleted, and into accounts that are closed, at the same moment', () => {
  const world = testWorld();
  let platform: TestPlatform;

  before(async () => {
    platform = await givenPlatform(world);
    await platform.receive();
  });

  const remove = (payer: Payer) => platform.call('deleteCustomerById', { params: { customerId: payer.id } });
  const idOf = (payer: Payer) => uuidOf(payer.id);

  for (const [name, call] of [
    [
      'a quote from its account',
      (payer: Payer, to: string) => askQuote(platform, { from: payer.account('USD').id, to }),
    ],
    [
      'a real-time quote',
      (payer: Payer, to: string) =>
        askQuote(platform, { from: { realtime: 'USD', customerId: payer.id }, to }),
    ],
    [
      'a transfer in',
      (payer: Payer, _to: string, from: string) =>
        platform.call('createTransferIn', {
          body: {
            source: { accountId: from },
            destination: { accountId: payer.account('USD').id },
            amount: 1_000,
          },
        }),
    ],
  ] as const) {
    it(`customers.md §2.4.26: ${name} that waits for a deletion is refused, and nothing is stored`, async () => {
      const payer = await givenPayer(platform, 0);
      const to = await givenOutside(platform, undefined);
      const from = await givenOutside(platform, payer.id, '555', 'USD_ACCOUNT');
      const count = await countTransactions(platform);
      const letGo = await holdOpen(platform, (tx) => deleteCustomer(tx, idOf(payer)));
      const asked = call(payer, to, from);
      await untilBlocked(world.databaseUrl, 1, asked);
      await letGo();
      const reply = await asked;
      assert.equal(reply.status, 404, reply.raw);
      assert.equal(await countTransactions(platform), count);
    });
  }

  it('customers.md §2.4.26: a deletion that waits for a quote is refused', async () => {
    const payer = await givenPayer(platform, 0);
    const to = await givenOutside(platform, payer.id);
    // The quote is prepared, and cannot commit before this releases the row that it writes last.
    const letGo = await holdOpen(
      platform,
      (tx) => tx.sql`insert into jobs (platform_id, kind, key, payload, due_at, created_at)
        select ${tx.platformId}, 'payments.expire', to_char(second at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'),
               '{}', second, second
          from generate_series(date_trunc('second', ${tx.now}::timestamptz) + interval '290 seconds',
                               ${tx.now}::timestamptz + interval '310 seconds', interval '1 second') second
            on conflict do nothing`,
    );
    const asked = askQuote(platform, { from: payer.account('USD').id, to });
    await untilBlocked(world.databaseUrl, 1, asked);
    const removing = remove(payer);
    await untilBlocked(world.databaseUrl, 2, removing);
    await letGo();
    assert.equal((await asked).status, 201);
    const reply = await removing;
    assert.deepEqual([reply.status, reply.body.code], [409, 'CONFLICT']);
  });

  it('customers.md §2.4.26: many quotes racing with a deletion leave no open payment of a deleted customer', async () => {
    for (let round = 0; round < 8; round++) {
      const payer = await givenPayer(platform, 0);
      const to = await givenOutside(platform, undefined);
      const replies = await Promise.all([
        ...Array.from({ length: 6 }, () => askQuote(platform, { from: payer.account('USD').id, to })),
        remove(payer),
      ]);
      const removed = replies.pop()?.status;
      assert.ok(removed === 200 || removed === 409);
      const made = replies.filter(({ status }) => status === 201).length;
      assert.equal(made, removed === 200 ? 0 : 6);
    }
  });

  /** Each starts a payment of the customer that ends without money in its accounts, in the way that `end` says. */
  const COURSES: readonly {
    readonly name: string;
    begin(payer: Payer, to: string): Promise<{ id: string }>;
    end(begun: { id: string }): Promise<unknown>;
  }[] = [
    {
      name: 'a quote that is not executed',
      begin: (payer, to) => quoted(platform, { from: payer.account('USD').id, to }),
      end: () => advance(platform, 300),
    },
    {
      name: 'a funded payment that is on its way',
      begin: (payer, to) => fundedWith(payer, to, 10_000),
      end: () => advance(platform, 1),
    },
    {
      name: 'a refund over its rail',
      begin: (payer, to) => fundedWith(payer, to, 9_999),
      end: () => advance(platform, 1),
    },
    {
      name: 'a pull that is collected',
      async begin(payer) {
        const from = await givenOutside(platform, payer.id, '004', 'USD_ACCOUNT');
        const wish = { from, to: payer.account('USD').id, more: { immediatelyExecute: true } };
        return quoted(platform, wish);
      },
      end: () => advance(platform, 1),
    },
    {
      name: 'an offered payment without a decision',
      async begin(payer) {
        const body = {
          senderUmaAddress: `$success.usd@${TEST_DOMAINS.sandboxUmaDomain}`,
          customerId: payer.id,
          receivingCurrencyCode: 'USD',
          receivingCurrencyAmount: 5_000,
        };
        return (await platform.call('sandboxReceive', { body })).body;
      },
      end: ({ id }) => platform.call('rejectPendingPayment', { params: { transactionId: id } }),
    },
  ];

  async function fundedWith(payer: Payer, to: string, currencyAmount: number) {
    const quote = await quoted(platform, { from: { realtime: 'USD', customerId: payer.id }, to });
    const body = { quoteId: quote.id, currencyCode: 'USD', currencyAmount };
    const reply = await platform.call('sandboxSend', { body });
    assert.equal(reply.status, 200, reply.raw);
    return quote;
  }

  for (const { name, begin, end } of COURSES) {
    it(`customers.md §2.4.26: ${name} blocks a deletion until it is over`, async () => {
      const payer = await givenPayer(platform, 0);
      const begun = await begin(payer, await givenOutside(platform, undefined));
      const refused = await remove(payer);
      assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT']);
      await end(begun);
      const reply = await remove(payer);
      assert.equal(reply.status, 200, reply.raw);
    });
  }

  it('customers.md §2.4.26a: an erased customer’s payments keep the amounts, and no personal data', async () => {
    const payer = await givenPayer(platform, 10_000);
    const to = await givenOutside(platform, payer.id);
    const more = { immediatelyExecute: true, description: 'for Emmy Noether', remittanceInformation: 'rent' };
    const { transactionId } = await quoted(platform, { from: payer.account('USD').id, to, more });
    await advance(platform, 1);
    const before = await readTransaction(platform, transactionId);
    assert.equal(before.description, 'for Emmy Noether');
    assert.equal((await remove(payer)).status, 200);
    const work = await platform.work();
    await work.write((tx) => eraseCustomer(tx, idOf(payer)));
    const { description: _, ...rest } = before;
    assert.deepEqual(await readTransaction(platform, transactionId), {
      ...rest,
      platformCustomerId: idOf(payer),
    });
    const [row] = await work.read(
      (tx) => tx.sql<{ private: Buffer | null }>`
        select private from transactions where platform_id = ${tx.platformId} and customer_id = ${idOf(payer)}
         order by created_at desc, id desc limit 1`,
    );
    assert.equal(row?.private, null);
  });

  it('customers.md §2.4.26a: erasing a receiver removes its bank details from others’ payments, and nothing else', async () => {
    const [payer, receiver] = [await givenPayer(platform, 10_000), await givenPayer(platform, 0)];
    const rest = { customerId: receiver.id, defaultUmaDepositAccount: true };
    await givenExternalAccount(platform, 'USD_ACCOUNT', { accountNumber: '4711000999' }, rest);
    const { body } = await platform.call('getCustomerById', { params: { customerId: receiver.id } });
    const to: string = body.umaAddress;
    const more = { description: 'for the roof', lookupId: await lookedUp(platform, to) };
    const wish = { from: payer.account('USD').id, to, send: 500 };
    const paid = await quoted(platform, { ...wish, more: { ...more, immediatelyExecute: true } });
    const late = await quoted(platform, { ...wish, more });
    await advance(platform, 301);
    const ids = [paid, late].map(({ transactionId }) => uuidOf(transactionId));
    const work = await platform.work();
    const sealed = () =>
      work.read(async (tx) => {
        const rows = await findTransactions(tx, ids);
        return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((row) => openPrivate(tx.vault, row));
      });
    for (const { destination } of await sealed()) assert.equal(destination?.identifier, '4711000999');
    const shown = await readTransaction(platform, paid.transactionId);
    // The address by which it was paid need not be its last one.
    const moved = { customerType: 'INDIVIDUAL', umaAddress: to.replace('$', '$later-') };
    const params = { customerId: receiver.id };
    assert.equal((await platform.call('updateCustomerById', { params, body: moved })).status, 200);
    assert.equal((await remove(receiver)).status, 200);
    await work.write((tx) => eraseCustomer(tx, idOf(receiver)));
    const { platformCustomerId } = shown;
    const kept = { description: 'for the roof', platformCustomerId };
    assert.deepEqual(await sealed(), [kept, kept]);
    const umaAddress = to.replace(/^[^@]*/, `$erased-${idOf(receiver)}`);
    assert.deepEqual(await readTransaction(platform, paid.transactionId), {
      ...shown,
      destination: { ...shown.destination, umaAddress },
    });
    const named = await work.read(
      (tx) => tx.sql`
        select id from transactions t
         where platform_id = ${tx.platformId}
           and (strpos(t::text, ${to}) > 0 or strpos(t::text, ${body.platformCustomerId}) > 0)`,
    );
    assert.deepEqual(named, []);
  });

  it('customers.md §2.4.26a: a receiver of others’ open payments is erased only after they end, and then completely', async () => {
    const [payer, receiver] = [await givenPayer(platform, 10_000), await givenPayer(platform, 0)];
    const rest = { customerId: receiver.id, defaultUmaDepositAccount: true };
    await givenExternalAccount(platform, 'USD_ACCOUNT', { accountNumber: '4711000888' }, rest);
    const { body } = await platform.call('getCustomerById', { params: { customerId: receiver.id } });
    const more = { lookupId: await lookedUp(platform, body.umaAddress) };
    const wish = { from: payer.account('USD').id, to: body.umaAddress, send: 500, more };
    const { transactionId } = await quoted(platform, wish);
    assert.equal((await remove(receiver)).status, 200);
    const erase = async () => (await platform.work()).write((tx) => eraseCustomer(tx, idOf(receiver)));
    await assert.rejects(erase, { code: 'CONFLICT' });
    await advance(platform, 301);
    assert.deepEqual(await erase(), { erased: true });
    const facts = await (await platform.work()).read(async (tx) => {
      const [row] = await findTransactions(tx, [uuidOf(transactionId)]);
      return row && openPrivate(tx.vault, row);
    });
    assert.deepEqual(Object.keys(facts ?? {}), ['platformCustomerId'], 'the payer’s own');
  });

  it('customers.md §2.4.26a: bank details are removed as well if the platform paid the account in another customer’s name', async () => {
    const [named, receiver] = [await givenPayer(platform, 0), await givenPayer(platform, 0)];
    const to = await givenOutside(platform, receiver.id);
    const { id: from } = inCurrency(await platformAccounts(platform), 'USD');
    await givenFunds(platform, from, 1_000);
    const source = { sourceType: 'ACCOUNT', accountId: from, customerId: named.id };
    const more = { source, immediatelyExecute: true, description: 'a refund' };
    const { transactionId } = await quoted(platform, { from, to, send: 1_000, more });
    await advance(platform, 1);
    assert.equal((await remove(receiver)).status, 200);
    const work = await platform.work();
    await work.write((tx) => eraseCustomer(tx, idOf(receiver)));
    const facts = await work.read(async (tx) => {
      const [row] = await findTransactions(tx, [uuidOf(transactionId)]);
      return row && openPrivate(tx.vault, row);
    });
    const { platformCustomerId } = await readTransaction(platform, transactionId);
    assert.deepEqual(facts, { description: 'a refund', platformCustomerId });
  });

  it('customers.md §2.4.26: an account of a deleted customer can neither pay nor be paid: 404', async () => {
    const [payer, other] = [await givenPayer(platform, 0), await givenPayer(platform, 1_000)];
    const to = await givenOutside(platform, undefined);
    assert.equal((await remove(payer)).status, 200);
    const reply = await askQuote(platform, { from: payer.account('USD').id, to });
    assert.deepEqual([reply.status, reply.body.code], [404, 'CUSTOMER_NOT_FOUND']);
    const { id: own } = inCurrency(await platformAccounts(platform), 'USD');
    for (const from of [other.account('USD').id, own, { realtime: 'USD' }]) {
      const refused = await askQuote(platform, { from, to: payer.account('EUR').id });
      assert.deepEqual([refused.status, refused.body.code], [404, 'CUSTOMER_NOT_FOUND']);
    }
  });

  it('accounts.md §2.2: a pull that waits for the closing of its account is refused', async () => {
    const payer = await givenPayer(platform, 0);
    const from = await givenOutside(platform, payer.id, '555', 'USD_ACCOUNT');
    const usd = payer.account('USD');
    const pull = await givenQuote(world, platform, { from, to: usd.id, send: 1_000n });
    const letGo = await holdOpen(platform, (tx) => closeAccount(tx, { accountId: uuidOf(usd) }));
    const executing = execute(platform, pull.id);
    await untilBlocked(world.databaseUrl, 1, executing);
    await letGo();
    const reply = await executing;
    assert.deepEqual([reply.status, reply.body.code], [403, 'USER_NOT_READY']);
    assert.deepEqual(await listEventTypes(platform, pull.transactionId), []);
    const account = (await fetchAccounts(platform, payer.id)).find(({ id }) => id === usd.id);
    assert.deepEqual([account?.status, account?.balance.amount], ['CLOSED', 0]);
  });

  for (const name of ['an execution', 'a quote executed at once', 'a transfer'] as const) {
    it(`money.md §3.3: ${name} that waits for the freezing of its account is refused, and no money is taken`, async () => {
      const payer = await givenPayer(platform, 5_000);
      const usd = payer.account('USD');
      const to = await givenOutside(platform, payer.id, '555', 'USD_ACCOUNT');
      const quote = await givenQuote(world, platform, { from: usd.id, to, send: 1_000n });
      const calls = {
        'an execution': () => execute(platform, quote.id),
        'a quote executed at once': () =>
          askQuote(platform, { from: usd.id, to, send: 1_000, more: { immediatelyExecute: true } }),
        'a transfer': () =>
          platform.call('createTransferOut', {
            body: { source: { accountId: usd.id }, destination: { accountId: to }, amount: 1_000 },
          }),
      };
      const letGo = await holdOpen(platform, (tx) => freezeAccount(tx, { accountId: uuidOf(usd) }));
      const calling = calls[name]();
      await untilBlocked(world.databaseUrl, 1, calling);
      await letGo();
      const reply = await calling;
      assert.deepEqual([reply.status, reply.body.code], [403, 'USER_NOT_READY'], reply.raw);
      assert.equal(await fetchBalance(platform, payer, 'USD'), 5_000);
    });
  }

  it('money.md §4.1: a delivery that waits for the freezing of its account fails, and the payer is refunded', async () => {
    const [payer, receiver] = [await givenPayer(platform, 5_000), await givenPayer(platform, 0)];
    const usd = receiver.account('USD');
    const more = { immediatelyExecute: true };
    const quote = await quoted(platform, { from: payer.account('USD').id, to: usd.id, send: 1_000, more });
    const reference = uuidOf(quote.transactionId);
    const letGo = await holdOpen(platform, (tx) => freezeAccount(tx, { accountId: uuidOf(usd) }));
    const work = await platform.work();
    const told = work.write((tx) => receiveReport(tx, { reference, notices: [{ kind: 'delivered' }] }));
    await untilBlocked(world.databaseUrl, 1, told);
    await letGo();
    await told;
    const { status, failureReason } = await readTransaction(platform, quote.transactionId);
    assert.deepEqual([status, failureReason], ['FAILED', 'ACCOUNT_CANNOT_RECEIVE']);
    await advance(platform, 2);
    assert.equal(await fetchBalance(platform, payer, 'USD'), 5_000);
    assert.equal(await fetchBalance(platform, receiver, 'USD'), 0);
  });
});
