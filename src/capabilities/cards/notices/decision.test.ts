// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DECLINED_REASONS } from '#capabilities/card-transactions/schemas.ts';
import { violates } from '#foundation/database/failures.ts';
import { sql } from '#foundation/database/sql.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { givenCard } from '#tests/given/cards.ts';
import { advance, givenPayer, givenPlatform } from '#tests/given/payments.ts';
import {
  bought,
  fetchBalances,
  givenCardholder,
  loadCardTransaction,
  purchaseBody,
  settle,
  simulate,
  simulated,
} from '#tests/given/purchases.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

describe('the decision on an authorization', () => {
  const world = testWorld();

  const patch = async (platform: TestPlatform, id: string, body: object) => {
    const reply = await platform.send('updateCardById', { params: { id }, body });
    assert.equal(reply.status, 200, reply.raw);
  };
  const authorizeForReason = async (platform: TestPlatform, cardId: string, body: object) =>
    (await simulated(world, platform, cardId, 'authorization', body)).declined_reason;

  it('cards.md §6.6: the database and the code know the same reasons to decline', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform, 1_000);
    const { id } = await simulated(world, platform, cardId, 'authorization', purchaseBody(2_000));
    const decline = (reason: string) =>
      world.database.query(sql`
        update card_transactions set declined_reason = ${reason}
         where platform_id = ${platform.id} and id = ${id}`);
    for (const reason of DECLINED_REASONS) await decline(reason);
    await assert.rejects(decline('BAD_WEATHER'), (error) => violates(error, 'card_transactions_declined'));
  });

  it('cards.md §6.6.1–6.6.7: the first check that fails decides', async () => {
    const platform = await givenPlatform(world, { settings: { cards: { blockedMccs: ['5942'] } } });
    const { cardId } = await givenCardholder(platform, 1_000, { maxSpendPerTransaction: 2_000 });
    // It breaks every check; one after the other is repaired.
    const worst = (descriptor: string, mcc: string, amount: number) =>
      purchaseBody(amount, descriptor, { mcc });
    await patch(platform, cardId, { status: 'FROZEN' });
    assert.equal(
      await authorizeForReason(platform, cardId, worst('B 008', '5942', 3_000)),
      'CARD_NOT_ACTIVE',
    );
    await patch(platform, cardId, { status: 'ACTIVE' });
    assert.equal(
      await authorizeForReason(platform, cardId, worst('B 008', '5942', 3_000)),
      'UNSUPPORTED_NETWORK',
    );
    assert.equal(await authorizeForReason(platform, cardId, worst('B', '5942', 3_000)), 'BLOCKED');
    assert.equal(
      await authorizeForReason(platform, cardId, worst('B', '5943', 3_000)),
      'SPEND_LIMIT_EXCEEDED',
    );
    assert.equal(await authorizeForReason(platform, cardId, worst('B', '5943', 1_500)), 'INSUFFICIENT_FUNDS');
    assert.equal(await authorizeForReason(platform, cardId, worst('B', '5943', 1_000)), null);
  });

  it('cards.md §6.6.2, §8.31, §8.32, §8.35, §8.36: the descriptor declines, whatever the balance', async () => {
    const platform = await givenPlatform(world);
    const { cardId, payer } = await givenCardholder(platform);
    const expected = {
      '002': 'INSUFFICIENT_FUNDS',
      '003': 'CARD_NOT_ACTIVE',
      '008': 'UNSUPPORTED_NETWORK',
      '009': 'OTHER',
    };
    const kinds = [
      'authorization',
      'credit_authorization',
      'credit_authorization_advice',
      'financial_authorization',
      'financial_credit_authorization',
    ] as const;
    for (const [suffix, reason] of Object.entries(expected)) {
      for (const kind of kinds) {
        const row = await simulated(world, platform, cardId, kind, purchaseBody(100, `BOOKS ${suffix} `));
        assert.deepEqual([row.status, row.declined_reason], ['DECLINED', reason], `${kind} ${suffix}`);
      }
    }
    assert.deepEqual(await fetchBalances(platform, payer), [10_000, 10_000]);
  });

  it('cards.md §6.6.1: a card works until the end of its printed month, by the platform’s clock', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform);
    const { body: clock } = await platform.send('getSandboxClock');
    const now = new Date(clock.now);
    const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    // Three years of daily work would take a minute, so the printed month is moved instead of the clock.
    await (await platform.work()).write(
      (tx) => tx.sql`
      update cards set exp_month = ${now.getUTCMonth() + 1}, exp_year = ${now.getUTCFullYear()}
       where platform_id = ${tx.platformId} and id = ${parseId('Card', cardId)}`,
    );
    await advance(platform, Math.floor((end - now.getTime()) / 1_000) - 1);
    assert.equal(await authorizeForReason(platform, cardId, purchaseBody(100)), null);
    await advance(platform, 2);
    assert.equal(await authorizeForReason(platform, cardId, purchaseBody(100)), 'CARD_NOT_ACTIVE');
  });

  it('cards.md §6.6.4: categories and countries are blocked by default, whatever their case', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform);
    for (const merchant of [
      { mcc: '7800' },
      { mcc: '7801' },
      { mcc: '7802' },
      { mcc: '7995' },
      { country: 'CU' },
    ]) {
      assert.equal(await authorizeForReason(platform, cardId, purchaseBody(1, 'B', merchant)), 'BLOCKED');
    }
    for (const country of ['IR', 'kp', 'SY']) {
      assert.equal(await authorizeForReason(platform, cardId, purchaseBody(1, 'B', { country })), 'BLOCKED');
    }
    assert.equal(
      await authorizeForReason(platform, cardId, purchaseBody(1, 'B', { mcc: '7803', country: 'US' })),
      null,
    );
  });

  it('cards.md §6.6.5, §1.6: the day’s limits count approved amounts exactly, and free nothing on that day', async () => {
    const platform = await givenPlatform(world);
    const limits = { maxSpendPerDay: 1_000, maxTransactionsPerDay: 3 };
    const { cardId } = await givenCardholder(platform, 10_000, limits);
    const first = await bought(world, platform, cardId, 600);
    // Declined purchases do not count; an expiry frees nothing.
    assert.equal(await authorizeForReason(platform, cardId, purchaseBody(401)), 'SPEND_LIMIT_EXCEEDED');
    const expiry = { cardTransactionId: `Transaction:${first.id}`, amount: 0 };
    await simulated(world, platform, cardId, 'clearing', expiry);
    assert.equal(await authorizeForReason(platform, cardId, purchaseBody(401)), 'SPEND_LIMIT_EXCEEDED');
    assert.equal(await authorizeForReason(platform, cardId, purchaseBody(400)), null);
    await patch(platform, cardId, { maxSpendPerDay: null });
    assert.equal(await authorizeForReason(platform, cardId, purchaseBody(1)), null);
    assert.equal(await authorizeForReason(platform, cardId, purchaseBody(1)), 'SPEND_LIMIT_EXCEEDED');
    await advance(platform, 86_400);
    assert.equal(await authorizeForReason(platform, cardId, purchaseBody(1)), null);
  });

  it('cards.md §1.6: the amount that an advice adds counts for the day without being limited, and a later decrease does not free it', async () => {
    const platform = await givenPlatform(world);
    const limits = { maxSpendPerDay: 1_000, maxTransactionsPerDay: 2 };
    const { cardId } = await givenCardholder(platform, 10_000, limits);
    const { id } = await bought(world, platform, cardId, 300);
    const advise = (amount: number) =>
      simulated(world, platform, cardId, 'authorization_advice', { cardTransactionId: id, amount });
    await advise(700);
    assert.equal(await authorizeForReason(platform, cardId, purchaseBody(301)), 'SPEND_LIMIT_EXCEEDED');
    await advise(100);
    assert.equal(await authorizeForReason(platform, cardId, purchaseBody(301)), 'SPEND_LIMIT_EXCEEDED');
    // The number of purchases is unchanged: one more is approved, and no third.
    assert.equal(await authorizeForReason(platform, cardId, purchaseBody(300)), null);
    await patch(platform, cardId, { maxSpendPerDay: null });
    assert.equal(await authorizeForReason(platform, cardId, purchaseBody(1)), 'SPEND_LIMIT_EXCEEDED');
    assert.equal((await advise(5_000)).authorized_amount, 5_000n);
    await advance(platform, 86_400);
    await patch(platform, cardId, { maxSpendPerDay: 1_000 });
    await advise(5_400);
    assert.equal(await authorizeForReason(platform, cardId, purchaseBody(601)), 'SPEND_LIMIT_EXCEEDED');
    assert.equal(await authorizeForReason(platform, cardId, purchaseBody(600)), null);
  });

  it('cards.md §1.6: the advice of a credit counts for nothing', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform, 10_000, { maxSpendPerDay: 1_000 });
    const { id } = await bought(world, platform, cardId, 300, 'BOOKS', 'credit_authorization');
    await simulated(world, platform, cardId, 'authorization_advice', { cardTransactionId: id, amount: 900 });
    assert.equal(await authorizeForReason(platform, cardId, purchaseBody(1_000)), null);
  });

  it('cards.md §1.6: a limit that is set later counts earlier approvals of that day', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform);
    await bought(world, platform, cardId, 600);
    await patch(platform, cardId, { maxSpendPerDay: 1_000 });
    assert.equal(await authorizeForReason(platform, cardId, purchaseBody(401)), 'SPEND_LIMIT_EXCEEDED');
    assert.equal(await authorizeForReason(platform, cardId, purchaseBody(400)), null);
  });

  it('cards.md §1.6: a credit is not bounded, and a clearing may exceed', async () => {
    const platform = await givenPlatform(world);
    const limits = { maxSpendPerTransaction: 500, maxSpendPerDay: 500, maxTransactionsPerDay: 1 };
    const { cardId } = await givenCardholder(platform, 10_000, limits);
    const credit = await bought(world, platform, cardId, 9_000, 'BOOKS', 'financial_credit_authorization');
    assert.equal(credit.status, 'SETTLED');
    const { id } = await bought(world, platform, cardId, 500);
    const clearing = { cardTransactionId: `Transaction:${id}`, amount: 700 };
    const cleared = await simulated(world, platform, cardId, 'clearing', clearing);
    assert.deepEqual([cleared.status, cleared.settled_amount], ['SETTLED', 700n]);
  });

  it('cards.md §6.6.6: an embedded wallet without a delegated key funds nothing', async () => {
    const platform = await givenPlatform(world, { currencies: ['USD', 'USDB'] });
    const payer = await givenPayer(platform, 0);
    const wallet = payer.accounts.find(({ type }) => type === 'EMBEDDED_WALLET');
    if (!wallet) return assert.fail('the customer has a wallet');
    const cardId = (await givenCard(platform, payer, { fundingSource: wallet.id })).id;
    assert.equal(await authorizeForReason(platform, cardId, purchaseBody(1)), 'NO_ELIGIBLE_FUNDING_SOURCE');
  });

  it('cards.md §6.6: of concurrent authorizations exactly as many are approved as the balance covers', async () => {
    const platform = await givenPlatform(world);
    const { cardId, payer } = await givenCardholder(platform, 10_000);
    const other = (await givenCard(platform, payer)).id;
    const elsewhere = await world.elsewhere(platform);
    const sent = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        simulate(
          n % 2 ? platform : elsewhere,
          n % 4 < 2 ? cardId : other,
          'authorization',
          purchaseBody(6_000),
        ),
      ),
    );
    await settle(world, platform);
    const rows = await Promise.all(
      sent.map(({ body }) => loadCardTransaction(platform, body.issuerTransactionToken)),
    );
    const approved = rows.filter(({ status }) => status === 'AUTHORIZED');
    assert.equal(approved.length, 1);
    assert.deepEqual(await fetchBalances(platform, payer), [4_000, 10_000]);
  });
});
