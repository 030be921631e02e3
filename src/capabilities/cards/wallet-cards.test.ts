// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCard } from '#capabilities/cards/card-store.ts';
import { requireCard } from '#capabilities/cards/notices/store.ts';
import { Change } from '#foundation/database/tx.ts';
import {
  givenDelegatedKey,
  givenWalletCard,
  type KeyBody,
  nextLeg,
  openedLegs,
} from '#tests/given/delegated-keys.ts';
import { advance, givenFunds } from '#tests/given/payments.ts';
import {
  bought,
  loadCardTransaction,
  postedFor,
  purchaseBody,
  settle,
  simulate,
  simulated,
} from '#tests/given/purchases.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { givenWallet, newPerson } from '#tests/harness/wallet-client.ts';

/** A hundred dollars; USDB has six decimals. */
const FUNDS = 100_000_000;

describe('cards that an embedded wallet pays for', () => {
  const world = testWorld();

  async function scene() {
    const platform = await world.platform();
    const wallet = await givenWallet(platform, newPerson());
    await givenFunds(platform, wallet.accountId, FUNDS);
    const { id } = await givenWalletCard(platform, wallet);
    await advance(platform, 1);
    const body: KeyBody = { cardId: id, internalAccountId: wallet.accountId, nickname: 'Groceries' };
    return {
      platform,
      wallet,
      cardId: id,
      body,
      buy: (amount: number) => bought(world, platform, id, amount),
      clear: (row: { id: string }, amount: number) =>
        simulated(world, platform, id, 'clearing', { cardTransactionId: `Transaction:${row.id}`, amount }),
      async revoke(key: { id: string }) {
        const done = await platform.call('revokeDelegatedKey', { params: { id: key.id } });
        assert.equal(done.status, 204, done.raw);
      },
    };
  }

  it('wallets.md §6.8.45, cards.md §6.6.6: an authorization needs an active key, not a pending, revoked or another card’s key', async () => {
    const { platform, wallet, body, buy, revoke } = await scene();
    const isDeclined = async () => {
      const row = await buy(500);
      assert.deepEqual([row.status, row.declined_reason], ['DECLINED', 'NO_ELIGIBLE_FUNDING_SOURCE']);
    };
    await isDeclined();
    const requestId = await openedLegs(platform, body, 2);
    await isDeclined();
    const other = await givenWalletCard(platform, wallet);
    await givenDelegatedKey(platform, { ...body, cardId: other.id });
    await isDeclined();
    const key = await nextLeg(platform, body, requestId);
    assert.equal(key.status, 201, key.raw);
    assert.equal((await buy(500)).status, 'AUTHORIZED');
    await revoke(key.body);
    await isDeclined();
    await givenDelegatedKey(platform, body);
    assert.equal((await buy(500)).status, 'AUTHORIZED');
  });

  it('wallets.md §6.8.45, cards.md §6.6.6: a change of the funding source revokes the key, and a return to the wallet needs a new one', async () => {
    const { platform, wallet, cardId, body, buy } = await scene();
    await givenDelegatedKey(platform, body);
    const query = { customerId: wallet.customer.id, currency: 'USD' };
    const { body: listed } = await platform.call('listCustomerInternalAccounts', { query });
    for (const fundingSource of [listed.data[0]?.id ?? '', wallet.accountId]) {
      const changed = await platform.call('updateCardById', {
        params: { id: cardId },
        body: { fundingSource },
      });
      assert.equal(changed.status, 200, changed.raw);
    }
    assert.equal((await buy(500)).declined_reason, 'NO_ELIGIBLE_FUNDING_SOURCE');
    await givenDelegatedKey(platform, body);
    assert.equal((await buy(500)).status, 'AUTHORIZED');
  });

  it('wallets.md §6.8.45, cards.md §6.9.1, §7.3: the hold is captured without the key, in units of USDB', async () => {
    const { platform, body, buy, clear, revoke } = await scene();
    const key = await givenDelegatedKey(platform, body);
    const row = await buy(1_250);
    await revoke(key);
    assert.equal((await clear(row, 1_250)).status, 'SETTLED');
    assert.deepEqual(await postedFor(platform, row), [
      'L16 AVAIL 12500000 → HOLD 12500000',
      'L17 HOLD 12500000 → RAIL 12500000',
    ]);
  });

  it('wallets.md §6.8.45, cards.md §6.9.2: the amount above the hold is pulled with the key, and owed by the row without it', async () => {
    const { platform, body, buy, clear, revoke } = await scene();
    const key = await givenDelegatedKey(platform, body);
    const [pulled, owed] = [await buy(1_000), await buy(1_000)];
    assert.deepEqual([(await clear(pulled, 1_300)).status], ['SETTLED']);
    await revoke(key);
    const late = await clear(owed, 1_300);
    assert.deepEqual([late.status, late.receivable, late.settled_amount], ['EXCEPTION', 300n, 1_300n]);
  });

  it('wallets.md §6.8.45: a decision that was loaded before the key changed is repeated', async () => {
    const { platform, cardId, body, revoke } = await scene();
    const work = await platform.work();
    const look = () => work.read((tx) => findCard(tx, uuidOf(cardId)));
    const decide = (seen: Awaited<ReturnType<typeof look>>) =>
      work.read(async (tx) => {
        const change = new Change(tx);
        assert.ok(seen);
        requireCard(change, seen);
        return tx.runtime.commit(change);
      });
    const beforeKey = await look();
    const key = await givenDelegatedKey(platform, body);
    assert.equal((await decide(beforeKey))?.name, 'stale');
    const withKey = await look();
    assert.equal(await decide(withKey), undefined);
    await revoke(key);
    assert.equal((await decide(withKey))?.name, 'stale');
  });

  it('wallets.md §6.8.45: no purchase is approved after the key is revoked, even with concurrent purchases', async () => {
    const { platform, cardId, body, revoke } = await scene();
    const elsewhere = await world.elsewhere(platform);
    const key = await givenDelegatedKey(platform, body);
    const buy = async () => {
      const { body } = await simulate(elsewhere, cardId, 'authorization', purchaseBody(100));
      return body.issuerTransactionToken;
    };
    const during = await Promise.all([buy(), buy(), revoke(key), settle(world, platform), buy(), buy()]);
    const after = [await buy(), await buy()];
    await settle(world, platform);
    for (const token of during.filter((token) => typeof token === 'string')) {
      const { status, declined_reason } = await loadCardTransaction(platform, token);
      assert.ok(status === 'AUTHORIZED' || declined_reason === 'NO_ELIGIBLE_FUNDING_SOURCE', status);
    }
    for (const token of after) assert.equal((await loadCardTransaction(platform, token)).status, 'DECLINED');
  });
});
