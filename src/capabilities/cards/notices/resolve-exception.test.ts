import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freezeAccount } from '#capabilities/accounts/change-status.ts';
import { type ExceptionResolution, resolveException } from '#capabilities/cards/notices/resolve-exception.ts';
import { advance, givenFunds, givenPlatform, listEventTypes } from '#tests/given/payments.ts';
import {
  bought,
  type Cardholder,
  fetchBalances,
  givenCardholder,
  loadCardTransaction,
  postedFor,
  simulated,
} from '#tests/given/purchases.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('the debt of a card transaction', () => {
  const world = testWorld();

  /** A purchase that owes 1,000 cents. */
  async function givenException(): Promise<
    Cardholder & { platform: TestPlatform; id: TransactionId; token: string }
  > {
    const platform = await givenPlatform(world);
    const holder = await givenCardholder(platform, 0);
    await givenFunds(platform, holder.payer.account('USD').id, 1);
    const { id, token } = await bought(world, platform, holder.cardId, 1);
    const clearing = { cardTransactionId: id, amount: 1_001 };
    await simulated(world, platform, holder.cardId, 'clearing', clearing);
    return { ...holder, platform, id, token };
  }

  const resolved = async (platform: TestPlatform, resolution: Omit<ExceptionResolution, 'reason'>) =>
    (await platform.work()).write((tx) => resolveException(tx, { ...resolution, reason: 'agreed' }));
  const conflict = { code: 'CONFLICT' };

  it('cards.md §6.1.13, §7.18, money.md §11.L25: the operator collects it entirely, once', async () => {
    const { platform, payer, id } = await givenException();
    await givenFunds(platform, payer.account('USD').id, 999);
    await assert.rejects(
      resolved(platform, { id, how: 'collect' }),
      /has 9\.99 USD available; 10\.00 USD is owed/,
    );
    await givenFunds(platform, payer.account('USD').id, 1);
    const tries = Array.from({ length: 3 }, () => resolved(platform, { id, how: 'collect' }));
    const ends = await Promise.allSettled(tries);
    assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected']);
    assert.deepEqual(await fetchBalances(platform, payer), [0, 0]);
    assert.deepEqual(await postedFor(platform, { id }), [
      'L16 AVAIL 1 → HOLD 1',
      'L17 HOLD 1 → RAIL 1',
      'L23 RECEIVABLE 1000 → RAIL 1000',
      'L25 AVAIL 1000 → RECEIVABLE 1000',
    ]);
    assert.deepEqual(await listEventTypes(platform, `Transaction:${id}`), [
      'AUTHORIZED',
      'EXCEPTION',
      'SETTLED',
    ]);
  });

  it('cards.md §6.1.13, §7.18: or gives it up against our fees', async () => {
    const { platform, payer, id, token } = await givenException();
    await resolved(platform, { id, how: 'write off' });
    const row = await loadCardTransaction(platform, token);
    assert.deepEqual([row.status, row.receivable], ['SETTLED', 0n]);
    assert.equal((await postedFor(platform, { id })).at(-1), 'L22 FEES 1000 → RECEIVABLE 1000');
    assert.deepEqual(await fetchBalances(platform, payer), [0, 0]);
    await assert.rejects(resolved(platform, { id, how: 'write off' }), conflict);
    // Money that comes back after that belongs to the customer.
    await simulated(world, platform, `Card:${row.card_id}`, 'return', {
      cardTransactionId: id,
      amount: 1_001,
    });
    assert.deepEqual(await fetchBalances(platform, payer), [1_001, 1_001]);
  });

  it('cards.md §7.1: a later return reduces the debt; even if nothing is left, the operator has to end the exception', async () => {
    const { platform, payer, id, cardId, token } = await givenException();
    await simulated(world, platform, cardId, 'return', { cardTransactionId: id, amount: 1_000 });
    assert.equal((await loadCardTransaction(platform, token)).status, 'EXCEPTION');
    await resolved(platform, { id, how: 'collect' });
    assert.equal((await loadCardTransaction(platform, token)).status, 'SETTLED');
    assert.deepEqual(await fetchBalances(platform, payer), [0, 0]);
  });

  it('cards.md §7.2: a frozen account is not debited', async () => {
    const { platform, payer, id } = await givenException();
    await givenFunds(platform, payer.account('USD').id, 5_000);
    const accountId = uuidOf(payer.account('USD'));
    await (await platform.work()).write((tx) => freezeAccount(tx, { accountId, reason: 'case 1' }));
    await assert.rejects(resolved(platform, { id, how: 'collect' }), /cannot be debited/);
    await resolved(platform, { id, how: 'write off' });
  });

  it('an exception of a credit that was never posted ends without an entry', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform, 0);
    const { id, token } = await bought(world, platform, cardId, 500, 'BOOKS 006', 'credit_authorization');
    await advance(platform, 1);
    await resolved(platform, { id, how: 'write off' });
    assert.equal((await loadCardTransaction(platform, token)).status, 'SETTLED');
    assert.deepEqual(await postedFor(platform, { id }), []);
  });

  it('only an exception can be resolved', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform, 500);
    const { id } = await bought(world, platform, cardId, 500);
    await assert.rejects(resolved(platform, { id, how: 'collect' }), conflict);
    const unknown = '01890a5d-ac96-774b-bcce-b302099a8057' as Id<never>;
    await assert.rejects(resolved(platform, { id: unknown, how: 'collect' }), {
      code: 'TRANSACTION_NOT_FOUND',
    });
  });
});
