// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { receiveDeposit } from '#capabilities/payments/incoming/receive-deposit.ts';
import { supports } from '#tests/given/accounts.ts';
import {
  askBurn,
  askMint,
  givenBank,
  givenCoins,
  givenSparkWallet,
  operationRows,
  readOperation,
} from '#tests/given/mints.ts';
import { advance, givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { givenCoin } from '#tests/given/stablecoins.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('mints and burns, and changes of accounts and owners', () => {
  const world = testWorld();

  async function givenScene() {
    const platform = await givenPlatform(world, { currencies: ['USD'] });
    const coin = await givenCoin(platform, { enabled: true });
    await supports(platform, ['USD', coin.symbol]);
    const payer = await givenPayer(platform, 0);
    const bank = await givenBank(platform, '890', { customerId: payer.id });
    const remove = () => platform.send('deleteCustomerById', { params: { customerId: payer.id } });
    return { platform, coin, payer, bank, remove };
  }

  it('customers.md §2.4.26: a customer with an open mint or burn on its external account is not deleted', async () => {
    const { platform, coin, bank, remove } = await givenScene();
    await givenCoins(platform, coin, 10_000n);
    const wallet = await givenSparkWallet(platform);
    const fundingSource = { type: 'ACH_DEBIT', externalAccountId: bank.id };
    const mint = await askMint(platform, coin, { fundingSource, destination: { accountId: wallet.id } });
    assert.equal(mint.status, 201, mint.raw);
    assert.equal((await remove()).status, 409);
    await advance(platform, 5);
    const destination = { type: 'EXTERNAL_ACCOUNT', externalAccountId: bank.id, rail: 'WIRE' };
    const burn = await askBurn(platform, coin, { amount: '10000', destination });
    assert.equal(burn.status, 201, burn.raw);
    assert.equal((await remove()).status, 409);
    await advance(platform, 15);
    assert.equal((await remove()).status, 200);
  });

  it('customers.md §2.4.26a: erasure removes their notes, and the provider’s references for accounts', async () => {
    const { platform, coin, payer, bank, remove } = await givenScene();
    const wallet = await givenSparkWallet(platform);
    const body = { destination: { accountId: wallet.id }, description: 'for Ada Lovelace' };
    const fundingSource = { type: 'ACH_DEBIT', externalAccountId: bank.id };
    assert.equal((await askMint(platform, coin, { ...body, fundingSource })).status, 201);
    assert.equal((await askMint(platform, coin, { ...body, description: 'for nobody' })).status, 201);
    await advance(platform, 15);
    assert.equal((await remove()).status, 200);
    const work = await platform.work();
    await work.write((tx) => eraseCustomer(tx, uuidOf(payer.id)));
    const notes = (await operationRows(platform, coin)).map(({ description }) => description);
    assert.deepEqual(notes.sort(), [null, 'for nobody'].sort());
    const known = await work.read(
      (tx) =>
        tx.sql<{ external_account: string }>`
        select external_account from stablecoin_account_links where platform_id = ${tx.platformId}`,
    );
    assert.deepEqual(known, [{ external_account: uuidOf(wallet.id) }]);
  });

  it('stablecoins.md §5.2: an account of a deleted customer is unknown, on either side', async () => {
    const { platform, coin, payer, remove } = await givenScene();
    const wallet = await givenSparkWallet(platform);
    const [usd, coins] = [payer.account('USD').id, payer.account(coin.symbol).id];
    assert.equal((await remove()).status, 200);
    const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: usd };
    for (const body of [
      { fundingSource, destination: { accountId: wallet.id } },
      { destination: { accountId: coins } },
    ]) {
      const reply = await askMint(platform, coin, body);
      assert.deepEqual([reply.status, reply.body.code], [404, 'ACCOUNT_NOT_FOUND'], reply.raw);
    }
  });

  it('stablecoins.md §7.1, §5.76: coins at the provider whose burn has no answer yet cannot arrive from outside', async () => {
    const { platform, coin, payer, bank } = await givenScene();
    await givenCoins(platform, coin, 10_000n);
    const destination = { type: 'EXTERNAL_ACCOUNT', externalAccountId: bank.id, rail: 'WIRE' };
    const source = { type: 'PROVIDER_INTERNAL_BALANCE' };
    const wish = { amount: '10000', source, destination, description: '006' };
    const burn = await askBurn(platform, coin, wish);
    assert.deepEqual([burn.status, burn.body.status], [201, 'CREATED'], burn.raw);
    const arrival = {
      providerReference: 'deposit-1',
      accountId: uuidOf(payer.account(coin.symbol).id),
      amount: 10_000n,
      currency: coin.symbol,
      rail: 'SPARK',
    };
    const work = await platform.work();
    await assert.rejects(
      work.write((tx) => receiveDeposit(tx, arrival)),
      /not that many coins in external wallets/,
    );
    await advance(platform, 60);
    assert.equal((await readOperation(platform, burn.body)).status, 'COMPLETED');
  });

  it('stablecoins.md §5.22: an id that cannot be an account’s is an invalid field, before anything is looked up', async () => {
    const { platform } = await givenScene();
    const id = 'Stablecoin:019542f5-b3e7-7d02-8000-000000000999' as const;
    for (const accountId of ['', 'wallet', '019542f5-b3e7-7d02-8000-000000000999']) {
      const reply = await askMint(platform, { id }, { amount: '0', destination: { accountId } });
      assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT'], reply.raw);
      assert.match(reply.raw, /destination\.accountId/);
    }
  });
});
