// lane: whole — many cases, each with money of its own

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEvents } from '#capabilities/connectors/apply-events.ts';
import { applyMoney } from '#capabilities/connectors/credits/apply-money.ts';
import { orderReference } from '#capabilities/connectors/order-reference.ts';
import { findConnector } from '#capabilities/connectors/registry-store.ts';
import { applyRequests } from '#capabilities/connectors/requests/apply-requests.ts';
import type { ConnectorRow } from '#capabilities/connectors/row.ts';
import { orderTrail } from '#capabilities/connectors/trail.ts';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { createConnectorClient } from '#edge/providers/connectors/client.ts';
import { readStored } from '#edge/providers/connectors/intake.ts';
import { ConnectorWorker } from '#edge/providers/connectors/worker.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import { fetchAccounts, inCurrency, platformAccounts } from '#tests/given/accounts.ts';
import { creditsByConnector } from '#tests/given/connected-credits.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import { givenPlatform, readTransaction } from '#tests/given/payments.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('money that comes in through a connector', () => {
  const world = testWorld();
  const at = creditsByConnector(world);
  const { later, rounds, breaks, statusOf, own, credited, report, reverse, bookings, kinds, quote } = at;

  it('connectors.md §6.9: money to the account that the connector names is credited once, and shows who paid', async () => {
    await own();
    const balance = await at.balance();
    const creditId = await credited({
      ...{ accountId: at.account, remittance: 'rent' },
      originator: {
        name: 'Grace Hopper',
        accountType: 'EUR_ACCOUNT',
        fields: { iban: 'DE75512108001245126199' },
      },
    });
    assert.equal((await at.balance()) - balance, 10_000n);
    assert.deepEqual(await bookings(), [
      {
        ...{ platform: at.live.id, kind: 'deposit.received' },
        accounts: [`AVAIL:${uuidOf(at.account)}`, `RAIL:SEPA_INSTANT:${at.name}.main:EUR`],
      },
    ]);
    const [credit] = await world.database.query<{ transaction_id: string }>(sql`
      select transaction_id from connector_credits where credit_id = ${creditId}`);
    const explained = { id: publicId('Transaction', credit?.transaction_id ?? '') };
    const said = async (audience: 'OPERATOR' | 'PLATFORM') =>
      (await at.live.work()).read((tx) => orderTrail(tx, { explained, audience, itemsMax: 10 } as never));
    const [item, ...more] = await said('OPERATOR');
    assert.deepEqual(more, []);
    assert.match(item?.title ?? '', new RegExp(`${at.name} reported that the money came in`));
    assert.deepEqual(item?.forOperators, { connector: at.name, settlementAccount: 'main', credit: creditId });
    assert.deepEqual(await said('PLATFORM'), []);
    const id = publicId('Transaction', credit?.transaction_id ?? '');
    const shown = JSON.stringify(await readTransaction(at.live, id));
    assert.ok(shown.includes('Grace Hopper') && shown.includes('DE75512108001245126199'), shown);
    assert.equal(shown.includes(at.name), false, 'the platform does not learn of the connector');
    assert.deepEqual(await breaks(), []);
  });

  it('connectors.md §6.9: the reference of an account in what the payer wrote leads to it, however it is written', async () => {
    await own();
    const [{ reference }] = (await world.database.query<{ reference: string }>(sql`
      update internal_accounts set reference = 'FUND-1VCQDYYJ' where id = ${uuidOf(at.account)} returning reference`)) as [
      { reference: string },
    ];
    const balance = await at.balance();
    await credited({ remittance: `invoice ${reference.toLowerCase().replace('-', ' ')}!` });
    assert.equal((await at.balance()) - balance, 10_000n);
    assert.deepEqual(await breaks(), []);
  });

  it('connectors.md §6.9, money.md §2.9: the money for a quote executes it', async () => {
    await own();
    const { id, reference } = await quote();
    await credited({ remittance: reference.toLowerCase() });
    await world.app.worker.settle(at.live.id);
    assert.deepEqual(await statusOf(id), ['COMPLETED', undefined, undefined]);
    assert.deepEqual((await bookings())[0]?.accounts[1], `RAIL:SEPA_INSTANT:${at.name}.main:EUR`);
    assert.deepEqual(await kinds(), ['payment.funded']);
  });

  it('connectors.md §6.9: money for a quote that expired is credited to its owner', async () => {
    await own();
    const { id, reference } = await quote();
    world.clock.advance(6 * 60_000);
    const balance = await at.balance();
    await credited({ remittance: reference });
    assert.equal((await at.balance()) - balance, 10_000n);
    assert.equal((await statusOf(id))[0], 'EXPIRED');
  });

  it('connectors.md §6.9, §8.4: a wrong amount for a quote goes back to where it came from', async () => {
    await own();
    const { id, reference } = await quote();
    const creditId = await credited({ remittance: reference, amount: '9999' });
    await world.app.worker.settle(at.live.id);
    await rounds();
    const refund = orderReference('REFUND', uuidOf(id));
    const { of, amount, rail, settlementAccount } = at.bank.orders.get(refund)?.body ?? {};
    assert.deepEqual([of, amount, rail, settlementAccount], [creditId, '9999', 'SEPA_INSTANT', 'main']);
    at.bank.play(refund, 'SETTLED');
    await later(6);
    assert.deepEqual(await statusOf(id), ['FAILED', 'FUNDING_AMOUNT_MISMATCH', 'COMPLETED']);
    const [net] = await world.database.query<{ net: bigint }>(sql`
      select coalesce(sum(l.amount), 0) as net from ledger_entries e
       cross join lateral unnest(e.accounts, e.amounts) as l (account, amount)
       where l.account = ${`RAIL:SEPA_INSTANT:${at.name}.main:EUR`}`);
    assert.equal(BigInt(net?.net ?? -1n), 0n);
  });

  const NOBODYS: readonly [string, () => Promise<Record<string, unknown>>][] = [
    ['nothing', async () => ({})],
    ['an unknown account', async () => ({ accountId: publicId('InternalAccount', newUuid()) })],
    ['what is no account', async () => ({ accountId: "x' or 1=1 --" })],
    [
      'the account of a sandbox',
      async () => {
        const sandbox = await givenPlatform(world);
        return { accountId: inCurrency(await platformAccounts(sandbox), 'EUR').id };
      },
    ],
    [
      'two references',
      async () => ({ remittance: `${(await quote()).reference} ${(await quote()).reference}` }),
    ],
    ['a reference of nobody', async () => ({ remittance: 'SVC-QAAAAAAAA' })],
  ];
  for (const [what, more] of NOBODYS) {
    it(`connectors.md §6.9, §8.5: money that names ${what} waits in the owner’s books, and is a break`, async () => {
      await own();
      const given = await more();
      const before = (await bookings()).length;
      await credited(given);
      const [booked, ...others] = (await bookings()).slice(before);
      assert.deepEqual(others, []);
      assert.deepEqual([booked?.platform, booked?.kind], [at.owner.id, 'receipt.suspended']);
      assert.deepEqual(await breaks(), ['THEIRS_UNMATCHED']);
    });
  }

  it('connectors.md §6.9: money in another currency than the quote waits in the books of the quote’s platform', async () => {
    await own();
    const { id, reference } = await quote();
    await world.database.query(sql`
      update connectors set capabilities = jsonb_set(capabilities, '{settlementAccounts,0,currency}', '"USD"')
       where name = ${at.name}`);
    await credited({ remittance: reference, currency: 'USD', rail: 'ACH' });
    const [booked] = await bookings();
    assert.deepEqual([booked?.platform, booked?.kind], [at.live.id, 'receipt.suspended']);
    assert.equal((await statusOf(id))[0], 'PENDING');
    assert.deepEqual(await breaks(), ['THEIRS_UNMATCHED']);
  });

  it('connectors.md §6.9: money to an account that was closed meanwhile waits in its platform’s books', async () => {
    await own();
    await world.database.query(
      sql`update internal_accounts set status = 'CLOSED' where id = ${uuidOf(at.account)}`,
    );
    try {
      await credited({ accountId: at.account });
      const [booked] = await bookings();
      assert.deepEqual([booked?.platform, booked?.kind], [at.live.id, 'receipt.suspended']);
      assert.deepEqual(await breaks(), ['THEIRS_UNMATCHED']);
    } finally {
      await world.database.query(
        sql`update internal_accounts set status = 'ACTIVE' where id = ${uuidOf(at.account)}`,
      );
    }
  });

  for (const when of ['before', 'while'] as const) {
    it(`connectors.md §6.9: money for a customer who is erased ${when} it comes in is booked once`, async () => {
      await own();
      const customer = await givenCustomer(at.live);
      const { id } = inCurrency(await fetchAccounts(at.live, customer.id), 'EUR');
      await world.database.query(
        sql`update internal_accounts set status = 'ACTIVE', provisioning = 'COMPLETED' where id = ${uuidOf(id)}`,
      );
      const work = await at.live.work();
      const erase = async () => {
        await at.live.send('deleteCustomerById', { params: { customerId: customer.id } });
        return work.write((tx) => eraseCustomer(tx, uuidOf(customer.id)));
      };
      if (when === 'before') await erase();
      report({ creditId: `credit-${at.next()}`, accountId: id, originator: { name: 'Grace Hopper' } });
      await Promise.allSettled([later(6), when === 'while' ? erase() : undefined]);
      await later(60);
      const booked = await bookings();
      assert.equal(booked.length, 1, JSON.stringify(booked));
      assert.equal(booked[0]?.platform, at.live.id);
      if (when === 'before') assert.equal(booked[0]?.kind, 'receipt.suspended');
      assert.deepEqual(await breaks(), booked[0]?.kind === 'receipt.suspended' ? ['THEIRS_UNMATCHED'] : []);
    });
  }

  it('connectors.md §6.9: a platform that is disabled gets its money all the same', async () => {
    await own();
    await world.database.query(sql`update platforms set disabled_at = now() where id = ${at.live.id}`);
    try {
      await credited({ accountId: at.account });
      assert.deepEqual(await kinds(), ['deposit.received']);
    } finally {
      await world.database.query(sql`update platforms set disabled_at = null where id = ${at.live.id}`);
    }
  });

  it('connectors.md §8.5: a settlement account takes nothing in before it has an owner; then what waits is booked once', async () => {
    await credited({ accountId: at.account });
    await credited({ accountId: at.account });
    assert.deepEqual(await bookings(), []);
    assert.deepEqual(await breaks(), ['THEIRS_UNMATCHED'], 'one break for the account');
    await own();
    await later(6);
    assert.deepEqual(await kinds(), ['deposit.received', 'deposit.received']);
    assert.deepEqual(await breaks(), []);
  });

  it('connectors.md §8.5: only a settlement account of the connector and a platform of production make an owner', async () => {
    await assert.rejects(own('other'), { code: 'INVALID_INPUT' });
    const sandbox = await givenPlatform(world);
    await assert.rejects(own('main', sandbox), { code: 'INVALID_INPUT' });
  });

  it('connectors.md §6.3, §6.9: the same credit again, under any event and any store, is booked once', async () => {
    await own();
    const creditId = await credited({ remittance: 'whose is it' });
    // Somebody gets that reference afterwards, on another platform.
    await credited({ creditId, accountId: at.account, remittance: 'whose is it' });
    at.bank.store = 'store-2';
    await later(6);
    const connector = (await findConnector(world.database.query, at.name)) as ConnectorRow;
    assert.equal(connector.paused_because, 'STORE');
    await world.database.query(sql`
      update connectors set store = 'store-2', paused_because = null, paused_at = null, cursor = null
       where name = ${at.name}`);
    await later(6);
    assert.deepEqual(await kinds(), ['receipt.suspended']);
    assert.deepEqual(await breaks(), ['THEIRS_UNMATCHED']);
  });

  it('connectors.md §6.9: another amount or account under a known name books nothing, and is a break', async () => {
    await own();
    const creditId = await credited({ accountId: at.account });
    await credited({ creditId, accountId: at.account, amount: '10001' });
    assert.deepEqual(await kinds(), ['deposit.received']);
    assert.deepEqual(await breaks(), ['DUPLICATE']);
  });

  it('connectors.md §6.9: money in another currency than its settlement account’s books nothing, and is a break', async () => {
    await own();
    await credited({ accountId: at.account, currency: 'USD' });
    assert.deepEqual(await bookings(), []);
    assert.deepEqual(await breaks(), ['CONTRADICTION']);
  });

  it('connectors.md §6.9: money that was booked by hand under the credit’s name is not booked again', async () => {
    await own();
    const work = await at.live.work();
    const creditId = `credit-${at.next()}`;
    const { receiveArrival } = await import('#capabilities/payments/incoming/receive-deposit.ts');
    const arrival = {
      amount: 5_000n,
      currency: 'EUR',
      rail: 'SEPA',
      accountId: uuidOf(at.account),
    };
    await work.write((tx) => receiveArrival(tx, { ...arrival, providerReference: `${at.name}:${creditId}` }));
    await credited({ creditId, accountId: at.account });
    assert.deepEqual(await bookings(), []);
    assert.deepEqual(await breaks(), ['CONTRADICTION']);
  });

  it('connectors.md §6.3, §6.9: workers that apply the same events at once book each credit once', async () => {
    await own();
    for (let i = 0; i < 10; i++) {
      const creditId = `credit-${at.next()}`;
      report({ creditId, accountId: at.account });
      report({ creditId, accountId: at.account });
      report({ creditId: `credit-${at.next()}` });
    }
    const { runtime } = world.app;
    world.clock.advance(6_000);
    const second = new ConnectorWorker({
      ...{ runtime, client: createConnectorClient(runtime) },
      onFailure: (error) => at.failures.push(error),
    });
    const connector = (await findConnector(world.database.query, at.name)) as ConnectorRow;
    const apply = () =>
      applyEvents(
        {
          ...{ runtime, actor: { kind: 'worker', id: 'test' }, applyMoney, applyRequests },
          applyStatement: async () => assert.fail('no statement was reported'),
          read: (event) => readStored(runtime, event),
          onFailure: (error) => at.failures.push(error),
        },
        connector,
      );
    for (let i = 0; i < 4; i++) await Promise.all([at.worker.round(), second.round(), apply(), apply()]);
    const booked = await kinds();
    assert.deepEqual([booked.filter((kind) => kind === 'deposit.received').length, booked.length], [10, 20]);
  });

  it('connectors.md §6.10: a credit that the bank takes back is a break, once, and books nothing', async () => {
    await own();
    const creditId = await credited({ accountId: at.account });
    await reverse(creditId);
    await reverse(creditId);
    assert.deepEqual(await kinds(), ['deposit.received']);
    assert.deepEqual(await breaks(), ['RETURNED']);
  });

  it('connectors.md §6.10: a part of a credit, or one that was never reported, cannot be taken back', async () => {
    await own();
    const creditId = await credited({ accountId: at.account });
    await reverse(creditId, '1');
    await reverse('nobody-knows-it');
    assert.deepEqual(await kinds(), ['deposit.received']);
    assert.deepEqual((await breaks()).toSorted(), ['AMOUNT_DIFFERS', 'CONTRADICTION']);
  });

  it('connectors.md §6.10: a reversal that comes before its credit is remembered until the credit comes', async () => {
    await own();
    const creditId = `Credit-${at.next()}`;
    await reverse(creditId);
    assert.deepEqual(await breaks(), ['CONTRADICTION']);
    await credited({ creditId, accountId: at.account });
    await later(6);
    assert.deepEqual(await kinds(), ['deposit.received']);
    assert.deepEqual(await breaks(), ['RETURNED'], 'what was early contradicts nothing any more');
  });

  it('connectors.md §6.4: an unknown member lets no reversal overtake its credit', async () => {
    const creditId = `credit-${at.next()}`;
    report({ creditId, accountId: at.account, reference: newUuid() });
    await reverse(creditId);
    assert.deepEqual(
      await breaks(),
      ['THEIRS_UNMATCHED'],
      'the credit waits for an owner, and the reversal for the credit',
    );
    await own();
    await later(6);
    await later(6);
    assert.deepEqual(await breaks(), ['RETURNED']);
  });
});
