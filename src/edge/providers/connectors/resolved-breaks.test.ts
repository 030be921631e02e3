// lane: whole — many cases, each with money of its own

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BreakKind } from '#capabilities/connectors/apply-report.ts';
import { aboutCredit, listBreaks } from '#capabilities/connectors/break-store.ts';
import { assignCredit } from '#capabilities/connectors/credits/assign-credit.ts';
import { bookOrder, type OrderOutcome } from '#capabilities/connectors/credits/book-order.ts';
import { takeBack } from '#capabilities/connectors/credits/take-back.ts';
import { orderReference } from '#capabilities/connectors/order-reference.ts';
import { sql } from '#foundation/database/sql.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { inCurrency, platformAccounts } from '#tests/given/accounts.ts';
import { creditsByConnector } from '#tests/given/connected-credits.ts';
import { postedKinds, readTransaction } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('breaks of connectors that a person books', () => {
  const world = testWorld();
  const at = creditsByConnector(world);
  const { own, credited, reverse, bookings, kinds, quote, breaks, statusOf, later, rounds } = at;

  const breakAbout = async (about: string, kind: BreakKind): Promise<string> => {
    const open = await listBreaks(world.database.query, 100);
    const found = open.find((one) => [about, aboutCredit(about)].includes(one.about) && one.kind === kind);
    assert.ok(found, `no break about ${about}`);
    return found.id;
  };
  const takenBack = async (creditId: string, on: TestPlatform = at.live) => {
    const breakId = await breakAbout(creditId, 'RETURNED');
    return (await on.work()).write((tx) => takeBack(tx, { breakId, reason: 'test' }));
  };
  const assigned = async (
    creditId: string,
    accountId: `InternalAccount:${string}` = at.account,
    on = at.live,
  ) => {
    const given = { breakId: await breakAbout(creditId, 'THEIRS_UNMATCHED'), accountId: uuidOf(accountId) };
    return (await on.work()).write((tx) => assignCredit(tx, { ...given, reason: 'test' }));
  };
  const booked = async (about: string, outcome: OrderOutcome) => {
    const breakId = await breakAbout(about, 'CONTRADICTION');
    return (await at.live.work()).write((tx) => bookOrder(tx, { breakId, outcome, reason: 'test' }));
  };
  /** Debit less credit of the connector's accounts. */
  const position = async (): Promise<bigint> => {
    const [row] = await world.database.query<{ net: string }>(sql`
      select coalesce(sum(l.amount), 0)::text as net from ledger_entries e
       cross join lateral unnest(e.accounts, e.amounts) as l (account, amount)
       where l.account like ${`RAIL:%:${at.name}.%`}`);
    return BigInt(row?.net ?? 0);
  };
  const transactionOf = async (creditId: string): Promise<string> => {
    const [row] = await world.database.query<{ id: string }>(sql`
      select transaction_id as id from connector_credits
       where credit_id = ${creditId} and connector_id = (select id from connectors where name = ${at.name})`);
    return publicId('Transaction', row?.id ?? '');
  };
  const ofOwner = async () => inCurrency(await platformAccounts(at.owner), 'EUR').id;

  describe('unclaimed money', () => {
    it('connectors.md §9.6: it goes to an account of another platform in one commit, as a deposit that the platform sees', async () => {
      await own();
      const balance = await at.balance();
      const creditId = await credited({ remittance: 'for Ada', originator: { name: 'Grace Hopper' } });
      const row = await assigned(creditId);
      assert.equal((await at.balance()) - balance, 10_000n);
      assert.deepEqual(
        (await bookings()).map(({ platform, kind }) => [platform, kind]),
        [
          [at.owner.id, 'receipt.suspended'],
          [at.owner.id, 'suspense.resolved'],
          [at.live.id, 'deposit.received'],
        ],
      );
      const id = publicId('Transaction', row.id);
      assert.equal((await readTransaction(at.live, id)).status, 'COMPLETED');
      assert.deepEqual(await breaks(), []);
    });

    it('connectors.md §9.5: a credit with the name of a settlement account’s break is a break of its own', async () => {
      await own();
      const ownerless = `settlement account ${at.next()}`;
      await at.credited({});
      at.report({ creditId: ownerless, settlementAccount: 'main' });
      await later(6);
      const open = await listBreaks(world.database.query, 100);
      const names = open.filter(({ connector }) => connector === at.name).map(({ about }) => about);
      assert.equal(names.length, 2);
      assert.ok(names.includes(`credit ${ownerless}`));
      await assigned(ownerless);
      assert.equal((await breaks()).length, 1);
    });

    it('connectors.md §9.6: it goes to an account of the platform that held it', async () => {
      await own();
      const creditId = await credited({});
      await assigned(creditId, await ofOwner(), at.owner);
      assert.deepEqual(await kinds(), ['receipt.suspended', 'suspense.resolved', 'deposit.received']);
      assert.deepEqual(await breaks(), []);
    });

    it('connectors.md §9.6: if two people assign it at once, one does', async () => {
      await own();
      const creditId = await credited({});
      const breakId = await breakAbout(creditId, 'THEIRS_UNMATCHED');
      const given = [at.account, await ofOwner()].map((id) => uuidOf(id));
      const works = [await at.live.work(), await at.owner.work()];
      const results = await Promise.allSettled(
        works.map((work, i) =>
          work.write((tx) => assignCredit(tx, { breakId, accountId: given[i] as AccountId, reason: 'test' })),
        ),
      );
      assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
      assert.equal((await kinds()).filter((kind) => kind === 'deposit.received').length, 1);
    });

    it('connectors.md §9.6: an account of another currency gets nothing, and the money stays where it was', async () => {
      await own();
      const creditId = await credited({});
      const usd = inCurrency(await platformAccounts(at.live), 'USD').id;
      await assert.rejects(assigned(creditId, usd), { code: 'CONFLICT' });
      assert.deepEqual(await kinds(), ['receipt.suspended']);
      assert.deepEqual(await breaks(), ['THEIRS_UNMATCHED']);
    });

    it('connectors.md §9.6: money that the bank took back is not assigned', async () => {
      await own();
      const creditId = await credited({});
      await reverse(creditId);
      await assert.rejects(assigned(creditId), /took this money back/);
      assert.deepEqual(await kinds(), ['receipt.suspended']);
    });
  });

  describe('a credit that the bank took back', () => {
    it('connectors.md §9.7, money.md §11.L19: a deposit fails, and its owner owes what was spent', async () => {
      await own();
      const balance = await at.balance();
      const creditId = await credited({ accountId: at.account });
      const id = await transactionOf(creditId);
      await reverse(creditId);
      await takenBack(creditId);
      const { status, failureReason } = await readTransaction(at.live, id);
      assert.deepEqual([status, failureReason], ['FAILED', 'COLLECTION_FAILED']);
      assert.equal(await at.balance(), balance);
      assert.equal(await position(), 0n);
      assert.deepEqual(await breaks(), []);
    });

    it('connectors.md §9.7, money.md §11.L21: money in suspense leaves over its rail', async () => {
      await own();
      const creditId = await credited({});
      await reverse(creditId);
      await takenBack(creditId, at.owner);
      assert.deepEqual(await kinds(), ['receipt.suspended', 'suspense.resolved']);
      assert.equal(await position(), 0n);
    });

    it('connectors.md §9.7, money.md §11.L19: of money that executed a quote, the payment’s owner owes all', async () => {
      await own();
      const { id, reference } = await quote();
      const creditId = await credited({ remittance: reference });
      await world.app.worker.settle(at.live.id);
      await reverse(creditId);
      await takenBack(creditId);
      assert.deepEqual(await statusOf(id), ['COMPLETED', undefined, undefined]);
      assert.ok((await postedKinds(at.live, id)).includes('L19'));
      assert.equal(await position(), 0n);
    });

    it('connectors.md §9.7: money that was assigned to another platform is taken back there', async () => {
      await own();
      const creditId = await credited({});
      await assigned(creditId);
      await reverse(creditId);
      await takenBack(creditId);
      assert.equal(await position(), 0n);
      assert.deepEqual(await breaks(), []);
    });

    it('connectors.md §9.7: money that is being refunded waits for the end of the refund', async () => {
      await own();
      const { id, reference } = await quote();
      const creditId = await credited({ remittance: reference, amount: '9000' });
      await world.app.worker.settle(at.live.id);
      await rounds();
      await reverse(creditId, '9000');
      await assert.rejects(takenBack(creditId), /being refunded/);
      at.bank.play(orderReference('REFUND', uuidOf(id)), 'FAILED');
      await later(6);
      assert.equal((await statusOf(id))[2], 'FAILED');
      await takenBack(creditId);
      assert.equal(await position(), 0n);
    });

    it('connectors.md §9.7: a credit is taken back once, also if two operators confirm it', async () => {
      await own();
      const creditId = await credited({ accountId: at.account });
      await reverse(creditId);
      const results = await Promise.allSettled([takenBack(creditId), takenBack(creditId)]);
      assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
      await reverse(creditId);
      assert.deepEqual(await breaks(), [], 'a report of it again is no new break');
      assert.equal(await position(), 0n);
    });
  });

  describe('an order', () => {
    it('connectors.md §5.4, §5.7: after one connector’s payout was booked, another one’s payout of it is a break', async () => {
      const other = await at.givenConnector(20);
      at.bank.fault = ({ method }) => (method === 'PUT' ? { fault: { signed: 400 } } : undefined);
      const { id, reference } = await at.ordered();
      await rounds(6);
      assert.equal(other.orders.get(reference)?.state, 'RECEIVED');
      const { amount } = other.orders.get(reference)?.body ?? {};
      at.bank.play(reference, 'SETTLED', { amount, currency: 'EUR' });
      await later(6);
      await booked(reference, 'settled');
      assert.deepEqual(await statusOf(id), ['COMPLETED', undefined, undefined]);
      assert.deepEqual(await breaks(), []);
      other.play(reference, 'SETTLED');
      await later(6);
      const open = (await listBreaks(world.database.query, 100)).filter(({ about }) => about === reference);
      assert.deepEqual(
        open.map(({ kind, what }) => [kind, /another settlement account/.test(what)]),
        [['CONTRADICTION', true]],
      );
    });

    for (const states of [['SETTLED', 'RETURNED'], ['RETURNED']]) {
      it(`connectors.md §5.7: ${states} of a second connector takes back nothing that the first one paid`, async () => {
        const other = await at.givenConnector(20);
        at.bank.fault = ({ method }) => (method === 'PUT' ? { fault: { signed: 400 } } : undefined);
        const { id, reference } = await at.ordered();
        await rounds(6);
        const { amount } = other.orders.get(reference)?.body ?? {};
        at.bank.play(reference, 'SETTLED', { amount, currency: 'EUR' });
        await later(6);
        await booked(reference, 'settled');
        const posted = await postedKinds(at.live, id);
        for (const state of states) {
          other.play(reference, state);
          await later(6);
        }
        assert.deepEqual(await statusOf(id), ['COMPLETED', undefined, undefined]);
        assert.deepEqual(await postedKinds(at.live, id), posted);
        const open = (await listBreaks(world.database.query, 100)).filter(({ about }) => about === reference);
        const kindsOf = open.map(({ kind }) => kind).toSorted();
        assert.deepEqual(kindsOf, states.length > 1 ? ['CONTRADICTION', 'RETURNED'] : ['RETURNED']);
        const returned = open.find(({ kind }) => kind === 'RETURNED');
        const booking = { breakId: returned?.id ?? '', outcome: 'returned' as const, reason: 'test' };
        const work = await at.live.work();
        await assert.rejects(
          work.write((tx) => bookOrder(tx, booking)),
          { code: 'CONFLICT' },
        );
        assert.deepEqual(await postedKinds(at.live, id), posted);
      });
    }

    const conflicting = async () => {
      at.bank.fault = ({ method }) => (method === 'PUT' ? { fault: { signed: 409 } } : undefined);
      const payment = await at.ordered();
      await rounds();
      assert.deepEqual(await breaks(), ['CONTRADICTION']);
      return payment;
    };

    it('connectors.md §9.6: what the bank says is booked at its settlement account', async () => {
      const { id, reference } = await conflicting();
      await booked(reference, 'settled');
      assert.deepEqual(await statusOf(id), ['COMPLETED', undefined, undefined]);
      assert.deepEqual((await bookings())[0]?.accounts[1], `RAIL:SEPA:${at.name}.main:EUR`);
      assert.deepEqual(await breaks(), []);
    });

    it('connectors.md §9.6: an order that the bank did not carry out fails its payment', async () => {
      const { id, reference } = await conflicting();
      await booked(reference, 'failed');
      await world.app.worker.settle(at.live.id);
      assert.deepEqual(await statusOf(id), ['FAILED', 'QUOTE_EXECUTION_FAILED', 'COMPLETED']);
      assert.deepEqual(await bookings(), []);
    });

    it('connectors.md §9.6: an outcome that does not fit the payment is refused', async () => {
      const { id, reference } = await conflicting();
      await at.settle(reference, 'fail', true);
      await world.app.worker.settle(at.live.id);
      await assert.rejects(booked(reference, 'settled'), { code: 'CONFLICT' });
      assert.equal((await statusOf(id))[0], 'FAILED');
    });
  });
});
