// lane: whole — repeats races many times

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closeAccount, freezeAccount } from '#capabilities/accounts/change-status.ts';
import { availAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import { deleteCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { findCustomer } from '#capabilities/customers/store.ts';
import { receiveDeposit } from '#capabilities/payments/incoming/receive-deposit.ts';
import { receiveOffer } from '#capabilities/payments/incoming/receive-offer.ts';
import { receiveReport, receiveReports } from '#capabilities/payments/settlement/notices.ts';
import { findQuote, lockTransactions } from '#capabilities/payments/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { lockBalances } from '#foundation/ledger/store.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { type AccountReply, fetchAccounts, inCurrency, platformAccounts } from '#tests/given/accounts.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import {
  advance,
  execute,
  givenOutside,
  givenPayer,
  givenPlatform,
  givenQuote,
  listEventTypes,
  type Payer,
  readTransaction,
} from '#tests/given/payments.ts';
import { askQuote, countTransactions, quoted } from '#tests/given/quotes.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const FEE = {
  platformFeeOverride: { platformFixedFee: { amount: 50, currency: 'USD' }, platformVariableFeeBps: 30 },
};

describe('payments whose accounts or customers disappear at the same moment', () => {
  const world = testWorld();

  const transactionOf = (id: string) => uuidOf(id);
  const customerOf = (payer: Payer) => uuidOf(payer.id);

  async function feeAccount(platform: TestPlatform): Promise<AccountId> {
    return uuidOf(inCurrency(await platformAccounts(platform), 'USD'));
  }

  for (const immediatelyExecute of [false, true]) {
    const name = immediatelyExecute ? 'executed at once' : 'not executed yet';
    it(`money.md §1.10: a quote with a fee, ${name}, that waits for the closing of the fee’s account is refused`, async () => {
      const platform = await givenPlatform(world);
      const payer = await givenPayer(platform);
      const to = await givenOutside(platform, payer.id);
      const accountId = await feeAccount(platform);
      const count = await countTransactions(platform);
      const letGo = await holdOpen(platform, (tx) => closeAccount(tx, { accountId }));
      const more = { ...FEE, immediatelyExecute };
      const asked = askQuote(platform, { from: payer.account('USD').id, to, more });
      await untilBlocked(world.databaseUrl, 1, asked);
      await letGo();
      const reply = await asked;
      assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT'], reply.raw);
      assert.equal(await countTransactions(platform), count);
    });

    it(`accounts.md §2.2: closing a fee’s account that waits for a quote, ${name}, is refused`, async () => {
      const platform = await givenPlatform(world);
      const payer = await givenPayer(platform);
      const to = await givenOutside(platform, payer.id);
      const accountId = await feeAccount(platform);
      const work = await platform.work();
      // The quote is prepared, and cannot commit before this releases the table that it writes last.
      const letGo = await holdOpen(platform, (tx) => tx.sql`lock table audit_log in exclusive mode`);
      const more = { ...FEE, immediatelyExecute };
      const asked = askQuote(platform, { from: payer.account('USD').id, to, more });
      await untilBlocked(world.databaseUrl, 1, asked);
      const closing = work.write((tx) => closeAccount(tx, { accountId })).catch((error: unknown) => error);
      await untilBlocked(world.databaseUrl, 2, closing);
      await letGo();
      assert.equal((await asked).status, 201);
      const refused = await closing;
      assert.ok(refused instanceof Refusal && refused.code === 'CONFLICT', String(refused));
    });

    it(`money.md §1.10: a frozen account is credited with fees like any other, ${name}`, async () => {
      const platform = await givenPlatform(world);
      const payer = await givenPayer(platform);
      const to = await givenOutside(platform, payer.id);
      const accountId = await feeAccount(platform);
      const work = await platform.work();
      await work.write((tx) => freezeAccount(tx, { accountId }));
      const more = { ...FEE, immediatelyExecute };
      const quote = await quoted(platform, { from: payer.account('USD').id, to, more });
      if (!immediatelyExecute) assert.equal((await execute(platform, quote.id)).status, 200);
      await advance(platform, 2);
      assert.equal((await readTransaction(platform, quote.transactionId)).status, 'COMPLETED');
      const fee = inCurrency(await platformAccounts(platform), 'USD');
      assert.equal(fee.balance.amount, quote.platformFeesIncluded);
    });
  }

  it('customers.md §2.4.26: a quote is not executed if it expires and its customer is deleted meanwhile', async () => {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform, 0);
    const from = await givenOutside(platform, payer.id, '555', 'USD_ACCOUNT');
    const quote = await quoted(platform, { from, to: await givenOutside(platform, payer.id) });
    const reference = transactionOf(quote.transactionId);
    const letGo = await holdOpen(platform, (tx) => lockTransactions(tx, [reference]));
    const executing = execute(platform, quote.id);
    await untilBlocked(world.databaseUrl, 1, executing);
    world.clock.advance(300_000);
    const removing = platform.call('deleteCustomerById', { params: { customerId: payer.id } });
    await untilBlocked(world.databaseUrl, 2, removing);
    await letGo();
    const statuses = [(await executing).status, (await removing).status];
    const { status } = await readTransaction(platform, quote.transactionId);
    // The side that comes first decides the outcome of the other.
    assert.ok(
      ['200,409,PROCESSING', '400,200,EXPIRED'].includes([...statuses, status].join()),
      `${statuses} ${status}`,
    );
  });

  it('accounts.md §2.2: a fee’s account is not closed during an execution that began before its quote expired', async () => {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform);
    const to = await givenOutside(platform, payer.id);
    const accountId = await feeAccount(platform);
    const quote = await quoted(platform, { from: payer.account('USD').id, to, more: FEE });
    const reference = transactionOf(quote.transactionId);
    const letGo = await holdOpen(platform, (tx) => lockTransactions(tx, [reference]));
    const executing = execute(platform, quote.id);
    await untilBlocked(world.databaseUrl, 1, executing);
    world.clock.advance(300_000);
    const work = await platform.work();
    const closing = work.write((tx) => closeAccount(tx, { accountId })).catch((error: unknown) => error);
    await untilBlocked(world.databaseUrl, 2, closing);
    await letGo();
    const { status } = await executing;
    const closed = !((await closing) instanceof Refusal);
    assert.notEqual(status === 200, closed, `${status}, ${closed ? 'closed' : 'open'}`);
  });

  it('money.md §4.1: money that arrives too late for a quote opens no account for a customer who is being deleted', async () => {
    const platform = await givenPlatform(world, { currencies: ['USD', 'EUR', 'GBP'] });
    const payer = await givenPayer(platform, 0, { currencies: ['USD'] });
    const to = await givenOutside(platform, payer.id);
    const quote = await quoted(platform, { from: { realtime: 'GBP', customerId: payer.id }, to });
    await advance(platform, 300);
    const work = await platform.work();
    const row = await work.read((tx) => findQuote(tx, uuidOf(quote.id)));
    const letGo = await holdOpen(platform, (tx) => deleteCustomer(tx, customerOf(payer)));
    const taking = work.write((tx) =>
      receiveDeposit(tx, {
        providerReference: 'late',
        amount: 10_000n,
        currency: 'GBP',
        rail: 'FASTER_PAYMENTS',
        reference: row?.reference ?? '',
      }),
    );
    await untilBlocked(world.databaseUrl, 1, taking);
    await letGo();
    const taken = await taking;
    assert.ok(taken instanceof Refusal && taken.code === 'REFERENCE_NOT_FOUND');
    const open = await work.read(
      (tx) => tx.sql`
        select from internal_accounts
         where platform_id = ${tx.platformId} and customer_id = ${customerOf(payer)} and status <> 'CLOSED'`,
    );
    assert.equal(open.length, 0);
  });

  it('money.md §7.2: an offer that is reported twice at once makes one payment, and both reports return it', async () => {
    const platform = await givenPlatform(world);
    await platform.receive();
    const payer = await givenPayer(platform, 0);
    const work = await platform.work();
    const receiver = await work.read((tx) => findCustomer(tx, customerOf(payer)));
    assert.ok(receiver);
    const offer = {
      senderAddress: `$success.usd@${TEST_DOMAINS.sandboxUmaDomain}`,
      receiver,
      amount: 5_000n,
      currency: 'USD',
      senderData: {},
      requestedData: [],
      providerReference: 'offer-1',
    };
    const letGo = await holdOpen(platform, (tx) => receiveOffer(tx, offer));
    const second = work.write((tx) => receiveOffer(tx, offer));
    await untilBlocked(world.databaseUrl, 1, second);
    await letGo();
    assert.equal((await second).status, 'PENDING');
    assert.equal(await countTransactions(platform), 1);
  });

  it('money.md §4.5: crypto is refunded to an open account, even if the owner’s was closed while it arrived', async () => {
    const platform = await givenPlatform(world, { currencies: ['USD', 'EUR', 'USDC'] });
    const payer = await givenPayer(platform, 0);
    const usdc = payer.account('USDC');
    const to = await givenOutside(platform, payer.id);
    const from = { realtime: 'USDC', network: 'SOLANA' } as const;
    const quote = await givenQuote(world, platform, { from, to, send: 2_000_000n, owner: payer.id });
    const work = await platform.work();
    const letGo = await holdOpen(platform, (tx) => closeAccount(tx, { accountId: uuidOf(usdc) }));
    const reference = transactionOf(quote.transactionId);
    const funding = work.write((tx) =>
      receiveReport(tx, { reference, notices: [{ kind: 'funded', amount: 1_000_000n }] }),
    );
    await untilBlocked(world.databaseUrl, 1, funding);
    await letGo();
    await funding;
    await advance(platform, 2);
    assert.equal((await readTransaction(platform, quote.transactionId)).refund.status, 'COMPLETED');
    const accounts = await fetchAccounts(platform, payer.id);
    const closed = accounts.find(({ id }) => id === usdc.id);
    assert.deepEqual([closed?.status, closed?.balance.amount], ['CLOSED', 0]);
    assert.equal(inCurrency(accounts, 'USDC').balance.amount, 1_000_000);
  });

  /** A UMA payment to the customer's EUR account that awaits its decision; its bare UUID. */
  async function givenOffer(platform: TestPlatform, payer: Payer): Promise<TransactionId> {
    const work = await platform.work();
    const { id } = await work.write(async (tx) => {
      const receiver = await findCustomer(tx, customerOf(payer));
      assert.ok(receiver);
      const senderAddress = `$success.usd@${TEST_DOMAINS.sandboxUmaDomain}`;
      const offer = {
        senderAddress,
        receiver,
        amount: 5_000n,
        currency: 'EUR',
        senderData: {},
        requestedData: [],
      };
      return receiveOffer(tx, offer);
    });
    return id;
  }

  it('money.md §7.4: a payment is refunded if its account is closed while it is approved', async () => {
    const platform = await givenPlatform(world);
    await platform.receive();
    const payer = await givenPayer(platform, 0);
    const eur = payer.account('EUR');
    const reference = await givenOffer(platform, payer);
    const work = await platform.work();
    const tell = (kind: 'approved' | 'held') =>
      work.write((tx) => receiveReport(tx, { reference, notices: [{ kind }] }));
    const letGo = await holdOpen(platform, (tx) => closeAccount(tx, { accountId: uuidOf(eur) }));
    const approving = tell('approved');
    await untilBlocked(world.databaseUrl, 1, approving);
    await letGo();
    await approving;
    const after = await tell('held');
    assert.deepEqual([after?.status, after?.failure_reason], ['FAILED', 'OFFRAMP_FAILED']);
    const closed = (await fetchAccounts(platform, payer.id)).find(({ id }) => id === eur.id);
    assert.deepEqual([closed?.status, closed?.totalBalance.amount], ['CLOSED', 0]);
    await advance(platform, 2);
    assert.equal((await readTransaction(platform, `Transaction:${reference}`)).refund.status, 'COMPLETED');
  });

  it('decision 0018: notices lock accounts in one order, also for payments that are held and rejected', async () => {
    const platform = await givenPlatform(world);
    await platform.receive();
    const [payer, other] = [await givenPayer(platform), await givenPayer(platform, 0)];
    const held = await givenOffer(platform, other);
    const work = await platform.work();
    for (const kind of ['approved', 'held'] as const) {
      await work.write((tx) => receiveReport(tx, { reference: held, notices: [{ kind }] }));
    }
    const wish = { from: payer.account('USD').id, to: other.account('USD').id, execute: true };
    const paid = transactionOf((await givenQuote(world, platform, wish)).transactionId);
    const lock = (tx: Tx, account: AccountReply | undefined) =>
      lockBalances(tx, account ? [availAccountOf(uuidOf(account))] : []);
    const [first, second] = [other.account('EUR'), other.account('USD')].sort((a, b) =>
      a.id < b.id ? -1 : 1,
    );
    let attempts = 0;
    const ended = await work.write(async (tx) => {
      await lock(tx, first);
      const telling = work.write((inner) => {
        attempts++;
        return receiveReports(inner, [
          { reference: paid, notices: [{ kind: 'delivered' }] },
          { reference: held, notices: [{ kind: 'complianceRejected' }] },
        ]);
      });
      await untilBlocked(world.databaseUrl, 1, telling);
      // If the other side had taken the later lock first, it would now wait for us while we wait for it.
      await lock(tx, second);
      return { telling };
    });
    const rows = await ended.telling;
    assert.deepEqual([attempts, rows.map(({ status }) => status).sort()], [1, ['COMPLETED', 'FAILED']]);
  });

  it('money.md §4.1: a quote that is created while the others of its second expire gets its EXPIRED event as well', async () => {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform, 0);
    const wish = { from: payer.account('USD').id, to: await givenOutside(platform, payer.id) };
    await quoted(platform, wish);
    // The second quote has written everything but its audit row.
    const letGo = await holdOpen(platform, (tx) => tx.sql`lock table audit_log in exclusive mode`);
    const asked = askQuote(platform, wish);
    await untilBlocked(world.databaseUrl, 1, asked);
    world.clock.advance(301_000);
    await world.app.worker.settle(platform.id, { outboundMs: 0, processesMs: 0 });
    await letGo();
    const { transactionId } = (await asked).body;
    await world.app.worker.settle(platform.id);
    assert.deepEqual(await listEventTypes(platform, transactionId), ['PENDING', 'EXPIRED']);
  });
});
