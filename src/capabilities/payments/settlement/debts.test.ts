// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { recordDeposit } from '#capabilities/payments/incoming/record-deposit.ts';
import { convert, deliver, receivableAccount } from '#capabilities/payments/machine/postings.ts';
import { type Report, receiveReport, receiveReports } from '#capabilities/payments/settlement/notices.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import {
  advance,
  execute,
  fetchBalance,
  givenFunds,
  givenOutside,
  givenPayer,
  givenPlatform,
  givenQuote,
  type Payer,
  readTransaction,
} from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('debts (money.md §11.b)', () => {
  const world = testWorld();
  let platform: TestPlatform;

  before(async () => {
    platform = await givenPlatform(world);
  });

  /** A customer who has spent a pull of 5,000, and that pull. */
  async function spentPull(): Promise<{ customer: Payer; pull: TransactionId }> {
    const customer = await givenPayer(platform, 0);
    const from = await givenOutside(platform, customer.id, '555', 'USD_ACCOUNT');
    const usd = customer.account('USD').id;
    const pull = await givenQuote(world, platform, { from, to: usd, send: 5_000n });
    assert.equal((await execute(platform, pull.id)).status, 200);
    await advance(platform, 1);
    const to = await givenOutside(platform, customer.id);
    await givenQuote(world, platform, { from: usd, to, send: 5_000n, execute: true });
    return { customer, pull: uuidOf(pull.transactionId) };
  }

  const owed = (customer: Payer) => owedBy(uuidOf(customer.id));

  async function owedBy(ownerId: string): Promise<bigint> {
    const account = receivableAccount(ownerId, 'USD');
    const work = await platform.work();
    const [row] = await work.read(
      (tx) => tx.sql<{ balance: bigint }>`
        select balance from ledger_balances where platform_id = ${tx.platformId} and account = ${account}`,
    );
    return row?.balance ?? 0n;
  }

  const reversed = (reference: TransactionId) => ({
    reference,
    notices: [{ kind: 'collectionReversed' } as const],
  });

  it('a credit that arrives while a debt arises repays it', async () => {
    const { customer, pull } = await spentPull();
    const letGo = await holdOpen(platform, (tx) => receiveReport(tx, reversed(pull)));
    const funding = givenFunds(platform, customer.account('USD').id, 8_000);
    await untilBlocked(world.databaseUrl, 1, funding);
    await letGo();
    await funding;
    assert.deepEqual([await fetchBalance(platform, customer, 'USD'), await owed(customer)], [3_000, 0n]);
  });

  it('a debt that arises while a credit arrives is repaid by it', async () => {
    const { customer, pull } = await spentPull();
    const account = {
      id: uuidOf(customer.account('USD')),
      currency: 'USD',
      customerId: uuidOf(customer.id),
    };
    const letGo = await holdOpen(platform, (tx) =>
      recordDeposit(tx, { account, amount: 8_000n, rail: 'SANDBOX' }),
    );
    const work = await platform.work();
    const reversing = work.write((tx) => receiveReport(tx, reversed(pull)));
    await untilBlocked(world.databaseUrl, 1, reversing);
    await letGo();
    await reversing;
    assert.deepEqual([await fetchBalance(platform, customer, 'USD'), await owed(customer)], [3_000, 0n]);
  });

  for (const [name, order] of [
    ['before', (reports: Report[]) => reports],
    ['after', (reports: Report[]) => reports.toReversed()],
  ] as const) {
    it(`a debt that is reported in one commit with a credit, ${name} it, is repaid by it`, async () => {
      const { customer, pull } = await spentPull();
      const from = await givenOutside(platform, customer.id, '555', 'USD_ACCOUNT');
      const to = customer.account('USD').id;
      const next = await givenQuote(world, platform, { from, to, send: 8_000n });
      assert.equal((await execute(platform, next.id)).status, 200);
      const collected: Report = {
        reference: uuidOf(next.transactionId),
        notices: [{ kind: 'collected' }],
      };
      const work = await platform.work();
      await work.write((tx) => receiveReports(tx, order([reversed(pull), collected])));
      assert.deepEqual([await fetchBalance(platform, customer, 'USD'), await owed(customer)], [3_000, 0n]);
    });
  }

  it('customers.md §2.4.26: a customer whose debt arises while it is deleted is not deleted', async () => {
    const { customer, pull } = await spentPull();
    await advance(platform, 3);
    await givenFunds(platform, customer.account('USD').id, 3_000);
    const letGo = await holdOpen(platform, (tx) => receiveReport(tx, reversed(pull)));
    const removing = platform.call('deleteCustomerById', { params: { customerId: customer.id } });
    await untilBlocked(world.databaseUrl, 1, removing);
    await letGo();
    const refused = await removing;
    assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT'], refused.raw);
    assert.equal(await owed(customer), 2_000n);
  });

  it('money.md §11.L19: a reversal by the platform’s own bank is owed by the platform, also if it paid in the name of a customer', async () => {
    const [named, receiver] = [await givenPayer(platform, 0), await givenPayer(platform, 0)];
    const from = await givenOutside(platform, undefined, '555', 'USD_ACCOUNT');
    const source = { sourceType: 'ACCOUNT', accountId: from, customerId: named.id };
    const more = { source, immediatelyExecute: true };
    const quote = await quoted(platform, { from, to: receiver.account('EUR').id, send: 5_000, more });
    await advance(platform, 3);
    const { status, customerId } = await readTransaction(platform, quote.transactionId);
    assert.deepEqual([status, customerId], ['COMPLETED', named.id]);
    const work = await platform.work();
    const reference = uuidOf(quote.transactionId);
    await work.write((tx) => receiveReport(tx, reversed(reference)));
    assert.deepEqual([await owed(named), await owedBy(platform.id)], [0n, 5_000n]);
  });

  it('money.md §11.a: a payment without fees has no lines for them', () => {
    const row = {
      id: 'payment' as Id<never>,
      sending_currency: 'USD',
      sending_amount: 1_000n,
      receiving_currency: 'EUR',
      receiving_amount: 920n,
      service_fee: 0n,
      platform_fee: 0n,
      fee_account: null,
    };
    const accounts = (lines: { account: string }[]) => lines.map(({ account }) => account);
    assert.deepEqual(accounts(convert(row)), ['INFLIGHT:payment', 'FX:EUR', 'FX:USD', 'INFLIGHT:payment']);
    assert.deepEqual(accounts(deliver(row, { rail: 'SEPA' })), ['INFLIGHT:payment', 'RAIL:SEPA:EUR']);
    assert.deepEqual(convert({ ...row, receiving_currency: 'USD' }), []);
  });

  it('money.md §11.L7: where receiver and fee account have one owner, its debt is repaid once', () => {
    const debt = { account: receivableAccount('owner', 'USD'), balance: 300n };
    const row = {
      id: 'payment' as Id<never>,
      sending_currency: 'USD',
      sending_amount: 1_000n,
      receiving_currency: 'USD',
      receiving_amount: 200n,
      service_fee: 0n,
      platform_fee: 800n,
      fee_account: 'fees' as Id<never>,
    };
    const credits = deliver(row, { internal: 'receiver' as AccountId, debt }, debt)
      .filter(({ side }) => side === 'CREDIT')
      .map(({ account, amount }) => [account, amount]);
    // One line: the fee's credit repays the debt that the receiver's credit left.
    assert.deepEqual(credits, [
      [debt.account, 300n],
      ['AVAIL:fees', 700n],
    ]);
  });
});
