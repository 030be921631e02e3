// lane: whole — many cases, each with a payment of its own

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { connectors } from '#capabilities/connectors/capability.ts';
import { orderReference } from '#capabilities/connectors/order-reference.ts';
import { sql } from '#foundation/database/sql.ts';
import { isUuid, newUuid } from '#foundation/lib/ids.ts';
import { payoutsByConnector } from '#tests/given/connected-payouts.ts';
import { EUR_ACCOUNTS } from '#tests/given/connectors.ts';
import { postedKinds } from '#tests/given/payments.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('collections and refunds through a connector', () => {
  const world = testWorld();
  const at = payoutsByConnector(world);
  const { pulled, statusOf, later, rounds, breaks, givenConnector } = at;

  const collectionOf = (reference: TransactionId) => orderReference('COLLECTION', reference);
  const refundOf = (reference: TransactionId) => orderReference('REFUND', reference);
  const railsOf = async (reference: TransactionId): Promise<string[]> => {
    const rows = await world.database.query<{ account: string }>(sql`
      select distinct unnest(accounts) as account from ledger_entries where transaction_id = ${reference}`);
    return rows
      .map(({ account }) => account)
      .filter((account) => account.startsWith('RAIL:'))
      .sort();
  };
  const settleWork = () => world.app.worker.settle(at.live.id);

  /** A payment whose money was collected, and whose payout then failed: the money goes back. */
  async function refunding() {
    const payment = await pulled('OUTSIDE');
    await rounds();
    at.bank.play(collectionOf(payment.reference), 'SETTLED');
    await later(6);
    await settleWork();
    await rounds();
    at.bank.play(payment.reference, 'FAILED');
    await later(6);
    await settleWork();
    return payment;
  }

  it('connectors.md §4.2: a collection and a refund have references of their own, derived from the payment’s', () => {
    const reference = newUuid<'Transaction'>();
    const all = [reference, collectionOf(reference), refundOf(reference)];
    assert.equal(new Set(all).size, 3);
    assert.ok(all.every(isUuid), `${all}`);
    assert.equal(collectionOf(reference), collectionOf(reference));
  });

  it('connectors.md §4.4, §4.11: a collection names debtor and creditor, and is credited once it is collected', async () => {
    const { id, reference } = await pulled();
    await rounds();
    const [put, ...more] = at.bank.askedOrders('PUT');
    assert.deepEqual(more, []);
    const body = JSON.parse(put?.body ?? '{}');
    assert.equal(put?.path, `/orders/${collectionOf(reference)}`);
    assert.deepEqual(
      [body.kind, body.amount, body.rail, body.debtor.fields.iban, body.creditor.type],
      ['COLLECTION', '10000', 'SEPA', 'DE35370400440532013002', 'PLATFORM'],
    );
    assert.ok(body.creditor.accountId.startsWith('InternalAccount:') && body.authorizedAt);
    assert.deepEqual([body.beneficiary, body.originator], [undefined, undefined]);
    const before = await at.balance();
    at.bank.play(collectionOf(reference), 'HELD');
    await later(6);
    at.bank.play(collectionOf(reference), 'SETTLED');
    await later(6);
    assert.deepEqual(await statusOf(id), ['COMPLETED', undefined, undefined]);
    assert.equal((await at.balance()) - before, 10_000n);
    assert.deepEqual(await railsOf(reference), [`RAIL:SEPA:${at.name}.main:EUR`]);
    assert.deepEqual(await breaks(), []);
  });

  it('connectors.md §8.5: a collection needs no owner of the settlement account: its money is nobody else’s', async () => {
    const { id, reference } = await pulled();
    await rounds();
    const owners = await world.database.query(sql`
      select from connector_owners o join connectors c on c.id = o.connector_id where c.name = ${at.name}`);
    assert.equal(owners.length, 0);
    at.bank.play(collectionOf(reference), 'SETTLED');
    await later(6);
    assert.deepEqual(await statusOf(id), ['COMPLETED', undefined, undefined]);
    assert.deepEqual(await breaks(), []);
  });

  it('connectors.md §4.11: a collection that fails moves nothing', async () => {
    const { id, reference } = await pulled();
    await rounds();
    at.bank.play(collectionOf(reference), 'FAILED', { reason: 'no money' });
    await later(6);
    assert.deepEqual(await statusOf(id), ['FAILED', 'COLLECTION_FAILED', undefined]);
    assert.deepEqual(await postedKinds(at.live, id), []);
  });

  it('connectors.md §4.11: a collection that the bank takes back is reversed, and a report of it again changes nothing', async () => {
    const { id, reference } = await pulled();
    await rounds();
    const before = await at.balance();
    for (const state of ['SETTLED', 'RETURNED', 'RETURNED']) {
      at.bank.play(collectionOf(reference), state);
      await later(6);
    }
    assert.deepEqual(await statusOf(id), ['FAILED', 'COLLECTION_FAILED', undefined]);
    assert.equal(await at.balance(), before);
    assert.deepEqual(await breaks(), []);
  });

  it('connectors.md §4.11: a return before the settlement is a failure', async () => {
    const { id, reference } = await pulled();
    await rounds();
    at.bank.play(collectionOf(reference), 'RETURNED');
    at.bank.play(collectionOf(reference), 'SETTLED', {
      at: new Date(world.clock.now() - 1_000).toISOString(),
    });
    await later(6);
    assert.deepEqual(await statusOf(id), ['FAILED', 'COLLECTION_FAILED', undefined]);
    assert.deepEqual(await postedKinds(at.live, id), []);
  });

  it('connectors.md §5.5: a collection that the bank does not have yet is cancelled', async () => {
    const { id, reference } = await pulled();
    await rounds();
    const reply = await at.live.call('cancelTransaction', { params: { transactionId: id }, body: {} });
    assert.equal(reply.status, 200, reply.raw);
    assert.equal(at.bank.orders.get(collectionOf(reference))?.state, 'CANCELLED');
    assert.deepEqual(await statusOf(id), ['FAILED', 'COLLECTION_FAILED', undefined]);
  });

  it('connectors.md §5.7: a collection under way is not settled by hand, unless the operator insists', async () => {
    const { id, reference } = await pulled();
    await rounds();
    await assert.rejects(at.settle(reference, 'fail', false), /open at a connector/);
    await at.settle(reference, 'fail', true);
    assert.deepEqual(await statusOf(id), ['FAILED', 'COLLECTION_FAILED', undefined]);
    const before = await at.balance();
    at.bank.play(collectionOf(reference), 'SETTLED');
    await later(6);
    assert.equal(await at.balance(), before);
    assert.deepEqual(await breaks(), ['CONTRADICTION']);
  });

  it('connectors.md §5.4: a collection that is refused everywhere fails, once it is cancelled', async () => {
    at.bank.fault = ({ method }) => (method === 'PUT' ? { fault: { signed: 400 } } : undefined);
    const { id } = await pulled();
    await rounds(5);
    assert.deepEqual(await statusOf(id), ['FAILED', 'COLLECTION_FAILED', undefined]);
  });

  it('connectors.md §8.3: a collection that no connector takes is by hand', async () => {
    await world.database.query(sql`update connector_routes set kind = 'PAYOUT'`);
    const { id, reference } = await pulled();
    await rounds();
    assert.equal(at.bank.askedOrders('PUT').length, 0);
    await at.settle(reference, 'settle', false);
    assert.deepEqual(await statusOf(id), ['COMPLETED', undefined, undefined]);
    assert.deepEqual(await railsOf(reference), ['RAIL:SEPA:EUR']);
  });

  it('connectors.md §4.4, §8.4: a refund goes to the connector and the account that brought the money', async () => {
    const other = await givenConnector(5);
    await world.database.query(sql`update connector_routes set kind = 'PAYOUT' where number = 5`);
    const payment = await pulled('OUTSIDE');
    await rounds();
    at.bank.play(collectionOf(payment.reference), 'SETTLED');
    await later(6);
    await settleWork();
    await rounds();
    other.play(payment.reference, 'FAILED');
    await later(6);
    await settleWork();
    await rounds();
    const refund = refundOf(payment.reference);
    assert.deepEqual([other.orders.has(refund), at.bank.orders.get(refund)?.state], [false, 'RECEIVED']);
    const { kind, of, amount, beneficiary, settlementAccount } = at.bank.orders.get(refund)?.body ?? {};
    assert.deepEqual(
      [kind, of, amount, settlementAccount, (beneficiary as { fields: { iban: string } }).fields.iban],
      ['REFUND', collectionOf(payment.reference), '10000', 'main', 'DE35370400440532013002'],
    );
    at.bank.play(refund, 'SETTLED');
    await later(6);
    assert.deepEqual(await statusOf(payment.id), ['FAILED', 'QUOTE_EXECUTION_FAILED', 'COMPLETED']);
    assert.deepEqual(await railsOf(payment.reference), [`RAIL:SEPA:${at.name}.main:EUR`]);
    assert.deepEqual(await breaks(), []);
  });

  it('connectors.md §8.4: a refund waits for a connector that is paused, and for no other one', async () => {
    await givenConnector(20);
    const { id, reference } = await refunding();
    await world.database.query(
      sql`update connectors set paused_because = 'OPERATOR', paused_at = now() where name = ${at.name}`,
    );
    await rounds();
    assert.equal(at.bank.orders.has(refundOf(reference)), false);
    await world.database.query(sql`update connectors set paused_because = null, paused_at = null`);
    await later(70);
    await rounds();
    at.bank.play(refundOf(reference), 'SETTLED');
    await later(6);
    assert.equal((await statusOf(id))[2], 'COMPLETED');
  });

  it('connectors.md §8.4: a refund is by hand if its connector takes none, or was removed', async () => {
    const { id, reference } = await refunding();
    const rails = EUR_ACCOUNTS.rails.map((rail) => ({ ...rail, kinds: ['PAYOUT', 'COLLECTION'] }));
    await world.database.query(sql`
      update connectors set capabilities = jsonb_set(capabilities, '{rails}', ${JSON.stringify(rails)}::jsonb)
       where name = ${at.name}`);
    await rounds();
    assert.equal(at.bank.orders.has(refundOf(reference)), false);
    await at.settle(reference, 'settle', false);
    assert.equal((await statusOf(id))[2], 'COMPLETED');
    assert.ok((await railsOf(reference)).includes('RAIL:SEPA:EUR'));
  });

  for (const state of ['FAILED', 'CANCELLED', 'RETURNED']) {
    it(`connectors.md §4.11: a refund that is ${state} puts the money into suspense`, async () => {
      const { id, reference } = await refunding();
      await rounds();
      at.bank.play(refundOf(reference), state);
      await later(6);
      assert.deepEqual((await statusOf(id))[2], 'FAILED');
      assert.ok((await postedKinds(at.live, id)).includes('L12'));
      assert.deepEqual(await breaks(), state === 'RETURNED' ? ['RETURNED'] : []);
    });
  }

  it('connectors.md §6.8: a refund that comes back after it was paid is a receipt in suspense, once, and a break', async () => {
    const { id, reference } = await refunding();
    await rounds();
    for (const state of ['SETTLED', 'RETURNED', 'RETURNED']) {
      at.bank.play(refundOf(reference), state);
      await later(6);
    }
    assert.equal((await statusOf(id))[2], 'COMPLETED');
    const receipts = await world.database.query<{ amount: bigint; entry: string | null }>(sql`
      select amount, entry_id as entry from payment_receipts
       where provider_reference = ${`${at.name}:${refundOf(reference)}`}`);
    assert.deepEqual([receipts.length, receipts[0]?.amount], [1, 10_000n]);
    const [entry] = await world.database.query<{ accounts: string[] }>(sql`
      select accounts from ledger_entries where id = ${receipts[0]?.entry ?? null}`);
    assert.deepEqual(entry?.accounts.toSorted(), [`RAIL:SEPA:${at.name}.main:EUR`, 'SUSPENSE:EUR']);
    assert.deepEqual(await breaks(), ['RETURNED']);
  });

  it('connectors.md §4.5: a fact that the bank needs is in the order; if it is not on file, the route does not fit', async () => {
    const needing = async (needs: readonly string[]) => {
      const rails = EUR_ACCOUNTS.rails.map((rail) => ({ ...rail, needs }));
      await world.database.query(sql`
        update connectors set capabilities = jsonb_set(capabilities, '{rails}', ${JSON.stringify(rails)}::jsonb)
         where name = ${at.name}`);
      const { reference } = await pulled();
      await rounds();
      return at.bank.orders.get(collectionOf(reference))?.body;
    };
    const { debtor: asked } = (await needing(['beneficiary.birthDate'])) as { debtor: object };
    const { debtor: usual } = (await needing([])) as { debtor: object };
    assert.deepEqual(Object.keys(asked).toSorted(), [...Object.keys(usual), 'birthDate'].toSorted());
    assert.equal(await needing(['originator.nationalId']), undefined, 'the platform has none');
  });

  it('connectors.md §4.10: the bytes of an order are sealed, and destroyed 30 days after it ended', async () => {
    const { reference } = await pulled();
    await rounds();
    const body = async () => {
      const [order] = await world.database.query<{ body: Buffer | null }>(sql`
        select body from connector_orders where reference = ${collectionOf(reference)}`);
      return order?.body?.toString();
    };
    assert.equal((await body())?.includes('DE35370400440532013002'), false);
    at.bank.play(collectionOf(reference), 'SETTLED');
    await later(6);
    const work = await at.live.work();
    const [purge] = connectors.purges;
    for (const [days, isKept] of [
      [29, true],
      [2, false],
    ] as const) {
      world.clock.advance(days * 24 * 60 * 60 * 1_000);
      await work.write(async (tx) => purge?.(tx, 1_000));
      assert.equal((await body()) !== undefined, isKept);
    }
  });
});
