// lane: whole — every kind of payment during a deletion

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { closeAccount } from '#capabilities/accounts/change-status.ts';
import { deleteCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { receiveReports } from '#capabilities/payments/settlement/notices.ts';
import { inCurrency, platformAccounts } from '#tests/given/accounts.ts';
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
  type Payer,
  platformBalance,
  readTransaction,
} from '#tests/given/payments.ts';
import { countTransactions, lookedUp, quoted, type Wish } from '#tests/given/quotes.ts';
import { type Answered, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** The reply to the call that starts a payment: the transaction, or the quote that names it. */
type Reply = Answered<{
  code: string;
  id: string;
  status: string;
  transactionId?: string;
  failureReason?: string;
  refund?: { status: string };
}>;

describe('customers that are deleted, and accounts that are closed, while others pay them', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let own: string;
  let payer: Payer;

  before(async () => {
    platform = await givenPlatform(world);
    own = inCurrency(await platformAccounts(platform), 'USD').id;
    await givenFunds(platform, own, 10_000_000);
    payer = await givenPayer(platform, 10_000_000);
  });

  const remove = ({ id }: Payer) => platform.call('deleteCustomerById', { params: { customerId: id } });
  const idOf = ({ id }: Payer) => uuidOf(id);
  const givenUsdBank = (customerId: string | undefined) =>
    givenOutside(platform, customerId, '999', 'USD_ACCOUNT');

  async function lookUpUma({ id }: Payer): Promise<Pick<Wish, 'to' | 'more'>> {
    const { body } = await platform.call('getCustomerById', { params: { customerId: id } });
    return { to: body.umaAddress, more: { lookupId: await lookedUp(platform, body.umaAddress) } };
  }

  /** Creates a quote that waits; the returned call starts it. */
  async function prepared(wish: Wish): Promise<() => Promise<Reply>> {
    const quote = await quoted(platform, { send: 1_000, ...wish });
    if (typeof wish.from === 'string') return () => execute(platform, quote.id);
    return () => platform.call('sandboxSend', { body: { quoteId: quote.id, currencyCode: 'USD' } });
  }

  /** Ways in which others pay a customer. Each returns the call that starts the payment. */
  const WAYS: Record<string, (receiver: Payer) => Promise<() => Promise<Reply>>> = {
    'the platform, into its account': (to) => prepared({ from: own, to: to.account('USD').id }),
    'the platform, into its account of another currency': (to) =>
      prepared({ from: own, to: to.account('EUR').id }),
    'another customer, into its account': (to) =>
      prepared({ from: payer.account('USD').id, to: to.account('USD').id }),
    'another customer, by its UMA address': async (to) =>
      prepared({ from: payer.account('USD').id, ...(await lookUpUma(to)) }),
    'another customer, by a UMA address that leads to an external account': async (to) => {
      const rest = { customerId: to.id, defaultUmaDepositAccount: true };
      await givenExternalAccount(platform, 'USD_ACCOUNT', { accountNumber: `${++numbers}999` }, rest);
      return prepared({ from: payer.account('USD').id, ...(await lookUpUma(to)) });
    },
    'the platform, to its bank': async (to) => prepared({ from: own, to: await givenUsdBank(to.id) }),
    'the platform, by a transfer to its bank': async (to) => {
      const destination = { accountId: await givenUsdBank(to.id) };
      const body = { source: { accountId: own }, destination, amount: 1_000 };
      return () => platform.call('createTransferOut', { body });
    },
    'the platform’s bank, into its account': async (to) =>
      prepared({ from: await givenUsdBank(undefined), to: to.account('USD').id }),
    'the platform’s bank, into its account of another currency': async (to) =>
      prepared({ from: await givenUsdBank(undefined), to: to.account('EUR').id }),
    'another customer, by real-time funding': (to) =>
      prepared({ from: { realtime: 'USD', customerId: payer.id }, to: to.account('USD').id }),
  };
  let numbers = 61_000_000;

  /** Holds the row that a payment writes last in its commit, so that it waits with everything else done. */
  const holdVolumes = () =>
    holdOpen(
      platform,
      (tx) => tx.sql`
        insert into counters as c (platform_id, name, period, numerator, denominator)
        select ${tx.platformId}, 'VOLUME:' || corridor, ${tx.now}::timestamptz::date, 0, 1
          from unnest('{USD,USD-EUR}'::text[]) corridor
            on conflict (platform_id, name, period) do update set numerator = c.numerator`,
    );

  /** The money of both possible owners, so that it is back where it was. */
  const held = async () =>
    (await platformBalance(platform, 'USD')) + (await fetchBalance(platform, payer, 'USD'));

  for (const [name, prepare] of Object.entries(WAYS)) {
    const isFunding = name.includes('real-time');

    it(`customers.md §2.4.26: paid by ${name}: the payment that waits for the deletion is refused, and nothing moves`, async () => {
      const receiver = await givenPayer(platform, 0);
      const call = await prepare(receiver);
      const [count, before] = [await countTransactions(platform), await held()];
      const letGo = await holdOpen(platform, (tx) => deleteCustomer(tx, idOf(receiver)));
      const calling = call();
      await untilBlocked(world.databaseUrl, 1, calling);
      await letGo();
      const reply = await calling;
      if (isFunding) {
        assert.deepEqual([reply.body.status, reply.body.failureReason], ['FAILED', 'ACCOUNT_CANNOT_RECEIVE']);
        assert.equal(reply.body.refund?.status, 'PENDING');
      } else assert.ok([403, 404].includes(reply.status), reply.raw);
      assert.equal(await countTransactions(platform), count);
      await advance(platform, 2);
      assert.equal(await held(), before);
    });

    it(`customers.md §2.4.26: paid by ${name}: the deletion that waits for the payment is refused until the payment is over`, async () => {
      const receiver = await givenPayer(platform, 0);
      const call = await prepare(receiver);
      const letGo = await holdVolumes();
      const calling = call();
      await untilBlocked(world.databaseUrl, 1, calling);
      const removing = remove(receiver);
      await untilBlocked(world.databaseUrl, 2, removing);
      await letGo();
      const reply = await calling;
      assert.ok(reply.status < 300, reply.raw);
      const refused = await removing;
      assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT']);
      const again = await remove(receiver);
      assert.deepEqual([again.status, again.body.code], [409, 'CONFLICT'], 'it is still on its way');
      await advance(platform, 3);
      const { status } = await readTransaction(platform, reply.body.transactionId ?? reply.body.id);
      assert.equal(status, 'COMPLETED');
    });

    it(`customers.md §2.4.26: paid by ${name} and deleted at once: one of the two happens`, async () => {
      for (let round = 0; round < 10; round++) {
        const receiver = await givenPayer(platform, 0);
        const call = await prepare(receiver);
        const paying = round % 2 === 0 ? call() : undefined;
        const removing = remove(receiver);
        const [paid, removed] = await Promise.all([paying ?? call(), removing]);
        const isPaid = paid.status < 300 && paid.body.status !== 'FAILED';
        assert.equal(isPaid, removed.status === 409, `${paid.raw} ${removed.raw}`);
        assert.ok([200, 409].includes(removed.status), removed.raw);
      }
      await advance(platform, 3);
    });
  }

  it('accounts.md §2.2: if the operator closes an account while a payment to it starts, one of the two is refused', async () => {
    const receiver = await givenPayer(platform, 0);
    const usd = receiver.account('USD');
    const close = async () =>
      (await platform.work()).write((tx) => closeAccount(tx, { accountId: uuidOf(usd) }));
    const first = await prepared({ from: own, to: usd.id });
    const letGo = await holdVolumes();
    const calling = first();
    await untilBlocked(world.databaseUrl, 1, calling);
    const closing = close();
    closing.catch(() => undefined);
    await untilBlocked(world.databaseUrl, 2, closing);
    await letGo();
    assert.equal((await calling).status, 200);
    await assert.rejects(closing, { code: 'CONFLICT' });
    await advance(platform, 3);
    const second = await prepared({ from: own, to: receiver.account('EUR').id });
    const accountId = uuidOf(receiver.account('EUR'));
    const end = await holdOpen(platform, (tx) => closeAccount(tx, { accountId }));
    const late = second();
    await untilBlocked(world.databaseUrl, 1, late);
    await end();
    assert.deepEqual([(await late).status, (await late).body.code], [403, 'USER_NOT_READY']);
  });

  it('customers.md §2.4.26: a customer with a debt is not deleted before it was paid or written off', async () => {
    const debtor = await givenPayer(platform, 0);
    const bank = await givenUsdBank(debtor.id);
    const body = {
      source: { accountId: bank },
      destination: { accountId: debtor.account('USD').id },
      amount: 700,
    };
    const { body: pull } = await platform.call('createTransferIn', { body });
    await advance(platform, 1);
    const out = { source: { accountId: debtor.account('USD').id }, destination: { accountId: bank } };
    assert.equal((await platform.call('createTransferOut', { body: out })).status, 201);
    await advance(platform, 1);
    const reference = uuidOf(pull.id);
    const work = await platform.work();
    await work.write((tx) => receiveReports(tx, [{ reference, notices: [{ kind: 'collectionReversed' }] }]));
    const refused = await remove(debtor);
    assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT']);
    assert.match(refused.body.reason, /owes.* USD/);
    await givenFunds(platform, debtor.account('USD').id, 700);
    assert.equal((await remove(debtor)).status, 200);
  });

  it('decision 0010: many payments to customers that are deleted at once end without a deadlock', async () => {
    const receivers = await Promise.all(Array.from({ length: 6 }, () => givenPayer(platform, 0)));
    const calls = await Promise.all(
      receivers.flatMap((receiver) => Object.values(WAYS).map((prepare) => prepare(receiver))),
    );
    const before = await deadlocks();
    const replies = await Promise.all([
      ...calls.map((call) => call()),
      ...receivers.map(remove),
      ...receivers.map(remove),
    ]);
    for (const { status, raw } of replies) assert.ok(status < 500, raw);
    assert.equal(await deadlocks(), before);
    await advance(platform, 3);
  });

  async function deadlocks(): Promise<bigint> {
    const work = await platform.work();
    const [row] = await work.read(
      (tx) => tx.sql<{ deadlocks: bigint }>`
        select deadlocks from pg_stat_database where datname = current_database()`,
    );
    return row?.deadlocks ?? 0n;
  }
});
