// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { NO_OWN_CURRENCIES, presentAmount } from '#foundation/lib/currencies.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { inCurrency, platformAccounts } from '#tests/given/accounts.ts';
import {
  askBurn,
  askMint,
  givenBank,
  givenCoins,
  givenSparkWallet,
  operationRows,
} from '#tests/given/mints.ts';
import { advance, givenFunds } from '#tests/given/payments.ts';
import {
  type CoinReply,
  givenCoin,
  givenLink,
  readCoin,
  readLink,
  SET_UP_SECONDS,
} from '#tests/given/stablecoins.ts';
import { withWritten } from '#tests/harness/audit-lines.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';
import { operatorWorld, parseRows } from '#tests/harness/operator-world.ts';

const sure = ['--reason', 'x', '--yes'];

describe('corridor stablecoin', () => {
  const world = operatorWorld();
  let platform: TestPlatform;
  before(() => {
    ({ platform } = world);
  });

  const run = (...words: string[]) => world.run('stablecoin', ...words);
  const listed = async (...words: string[]) => parseRows(await run(...words, '--json'));
  const json = async (...words: string[]) => JSON.parse(await run(...words, '--json'));
  /** An amount in the API's form (platform.md §1.2.4). */
  const amountIn = ({ symbol, name, decimals }: CoinReply, amount: number) => ({
    amount,
    currency: { code: symbol, name, symbol, decimals },
  });
  const dollars = (cents: number) => presentAmount(BigInt(cents), 'USD', NO_OWN_CURRENCIES);
  const audited = async (resource: string) =>
    withWritten(
      world.app.runtime,
      await world.database.query<{ id: Id<'AuditRow'>; private: Buffer | null; details: unknown }>(sql`
        select id, private, action, actor_kind, details from audit_log
         where resource = ${resource} and actor_kind = 'operator' order by at, id`),
    );
  const request = async ({ id }: CoinReply) => {
    const reply = await platform.call('requestStablecoinEnablement', { params: { stablecoinId: id } });
    assert.equal(reply.status, 200, reply.raw);
  };

  it('lists coins, the newest first, by their statuses', async () => {
    assert.equal(await run('list'), 'There are no stablecoins.\n');
    const first = await givenCoin(platform, { providerTokenIdentifier: 'first' });
    const second = await givenCoin(platform, { providerTokenIdentifier: 'second-002' });
    await request(first);
    const rows = [second, { ...first, svcOperationsStatus: 'PENDING_APPROVAL' }].map((coin) => ({
      stablecoin: coin.id,
      symbol: coin.symbol,
      name: coin.name,
      issuance: coin.issuanceStatus,
      status: coin.svcOperationsStatus,
      createdAt: coin.createdAt,
    }));
    assert.deepEqual(await listed('list'), rows);
    assert.deepEqual(await listed('list', '--status', 'PENDING_APPROVAL'), [rows[1]]);
    assert.deepEqual(await listed('list', '--issuance', 'REJECTED'), [rows[0]]);
    assert.deepEqual(await listed('list', '--limit', '1'), [rows[0]]);
    assert.match(await run('list'), /^STABLECOIN +SYMBOL +NAME +ISSUANCE +STATUS +CREATED AT +PLATFORM\n/);
  });

  it('shows a coin with its books, audited', async () => {
    const coin = await givenCoin(platform, { providerTokenIdentifier: 'shown' });
    const nothing = amountIn(coin, 0);
    assert.deepEqual(await json('show', coin.id), {
      ...coin,
      issued: nothing,
      reserve: dollars(0),
      outside: nothing,
      openMints: nothing,
      openBurns: nothing,
    });
    assert.match(await run('show', coin.id), /^symbol +SHOWN$[\s\S]*^issued +0\.000000 SHOWN$/m);
    const row = { action: 'stablecoin show', actor_kind: 'operator', details: {} };
    assert.deepEqual(await audited(coin.id), [row, row]);
  });

  it('stablecoins.md §7: the books of a coin show coins issued, the reserve, coins outside, and open mints and burns', async () => {
    const coin = await givenCoin(platform, { providerTokenIdentifier: 'books' });
    await givenCoins(platform, coin, 100_000_000n);
    const bank = await givenBank(platform);
    const destination = { type: 'EXTERNAL_ACCOUNT', externalAccountId: bank.id, rail: 'WIRE' };
    assert.equal((await askBurn(platform, coin, { amount: '30000000', destination })).status, 201);
    const wallet = await givenSparkWallet(platform, 'another');
    const mint = { amount: '20000000', destination: { accountId: wallet.id } };
    assert.equal((await askMint(platform, coin, mint)).status, 201);
    const { issued, reserve, outside, openMints, openBurns } = await json('show', coin.id);
    assert.deepEqual(
      { issued, reserve, outside, openMints, openBurns },
      {
        issued: amountIn(coin, 100_000_000),
        reserve: dollars(10_000),
        outside: amountIn(coin, 100_000_000),
        openMints: amountIn(coin, 20_000_000),
        openBurns: amountIn(coin, 30_000_000),
      },
    );
  });

  it('stablecoins.md §6.3: lists and shows mints and burns, and finds refused ones by their id', async () => {
    const coin = await givenCoin(platform, { providerTokenIdentifier: 'listed', enabled: true });
    assert.equal(await run('operation', 'list', coin.id), 'There are no mints or burns.\n');
    const done = await givenCoins(platform, coin, 100_000_000n);
    const account = inCurrency(await platformAccounts(platform), 'USD').id;
    await givenFunds(platform, account, 5_000);
    const request = {
      amount: '20000000',
      fundingSource: { type: 'SVC_INTERNAL_ACCOUNT', accountId: account },
      destination: done.destination,
    };
    const { body: held } = await askMint(platform, coin, request);
    const rows = [held, done].map((mint) => ({
      operation: mint.id,
      type: 'MINT',
      status: mint.status,
      amount: amountIn(coin, mint === held ? 20_000_000 : 100_000_000),
      source: mint.source?.type,
      createdAt: mint.createdAt,
      updatedAt: mint.updatedAt,
      stablecoin: coin.id,
    }));
    assert.deepEqual(await listed('operation', 'list', coin.id), rows);
    assert.deepEqual(await listed('operation', 'list', coin.id, '--status', 'COMPLETED'), [rows[1]]);
    assert.deepEqual(await listed('operation', 'list', coin.id, '--type', 'BURN'), []);
    assert.deepEqual(await listed('operation', 'list', coin.id, '--limit', '1'), [rows[0]]);
    assert.match(
      await run('operation', 'list', coin.id),
      /^OPERATION +TYPE +STATUS +AMOUNT +SOURCE[^\n]+\n[^\n]+ 20\.000000 LISTED /,
    );
    assert.deepEqual(await json('operation', 'show', held.id), {
      ...rows[0],
      stablecoin: coin.id,
      worth: dollars(2_000),
      sourceAccount: account,
      onHold: dollars(2_000),
      destinationAccount: done.destination?.accountId,
      rail: null,
      expiresAt: null,
      providerStatus: 'pending_provider',
      failureReason: null,
    });
    const record = { action: 'stablecoin operation show', actor_kind: 'operator', details: {} };
    assert.deepEqual(await audited(held.id), [record]);

    assert.equal((await askMint(platform, coin, { ...request, description: '004' })).status, 400);
    assert.equal((await json('operation', 'list', coin.id)).length, 2);
    const refused = (await operationRows(platform, coin)).find((row) => row.status === 'REFUSED');
    const shown = await json('operation', 'show', `StablecoinOperation:${refused?.id}`);
    assert.deepEqual([shown.status, shown.onHold], ['REFUSED', null]);

    const ended = await json('operation', 'fail', held.id, '--reason', 'the provider is gone', '--yes');
    assert.equal(ended.status, 'FAILED', 'stablecoins.md §5.11');
    const [, end] = await audited(held.id);
    const details = { reason: 'the provider is gone' };
    assert.deepEqual(end, { action: 'stablecoin operation fail', actor_kind: 'operator', details });
    await assert.rejects(
      run('operation', 'complete', held.id, '--reason', 'late', '--yes'),
      /already FAILED/,
    );
    const { ledger } = JSON.parse(await world.run('account', 'show', account, '--json'));
    const booked = ledger.filter(({ kind }: { kind: string }) => kind === 'coin.hold_adjusted');
    assert.equal(booked.at(-1)?.transaction, held.id, 'operator.md §8.1: the id that can be explained');
    const mistyped = held.id.replace('StablecoinOperation', 'Transaction');
    const explained = JSON.parse(await world.run('payment', 'explain', mistyped, '--json'));
    assert.deepEqual([explained.id, explained.type], [held.id, 'MINT']);
  });

  it('platform.md §12.1: lists mints and burns of all coins if none is named', async () => {
    const made: string[] = [];
    for (const name of ['one', 'another']) {
      const coin = await givenCoin(platform, { providerTokenIdentifier: name, enabled: true });
      await givenCoins(platform, coin, 7_000_000n);
      made.unshift(coin.id);
    }
    const all = await listed('operation', 'list', '--type', 'mint', '--limit', '2');
    assert.deepEqual(
      all.map(({ stablecoin }) => stablecoin),
      made,
    );
  });

  it('stablecoins.md §4.15, §4.17, §4.18: approves, declines, disables and enables, each audited with its reason', async () => {
    const coin = await givenCoin(platform, { providerTokenIdentifier: 'decided' });
    const decide = async (step: string, ...more: string[]) => {
      const decided = await json(step, coin.id, ...more);
      assert.deepEqual(decided, await readCoin(platform, coin));
      return decided.svcOperationsStatus;
    };
    await request(coin);
    assert.equal(await decide('decline', '--reason', 'no papers', '--yes'), 'NOT_ENABLED');
    await request(coin);
    assert.equal(await decide('approve', '--reason', 'papers are there', '--yes'), 'ENABLING');
    await advance(platform, SET_UP_SECONDS);
    assert.equal((await readCoin(platform, coin)).currency, 'DECIDED');
    assert.equal(await decide('disable', '--reason', 'case 4711', '--yes'), 'DISABLED');
    assert.equal(await decide('enable', '--reason', 'case 4711 is closed'), 'ENABLING');
    await advance(platform, SET_UP_SECONDS);
    assert.equal((await readCoin(platform, coin)).svcOperationsStatus, 'ENABLED');
    const row = (step: string, details: object) => ({
      action: `stablecoin ${step}`,
      actor_kind: 'operator',
      details,
    });
    assert.deepEqual(await audited(coin.id), [
      row('decline', { reason: 'no papers' }),
      row('approve', { reason: 'papers are there' }),
      row('disable', { reason: 'case 4711' }),
      row('enable', { reason: 'case 4711 is closed' }),
    ]);
  });

  it('stablecoins.md §4.15, §4.17, §4.18: a decision that does not fit the status is one clear line, and changes nothing', async () => {
    const coin = await givenCoin(platform, { providerTokenIdentifier: 'refused' });
    await world.assertRefused([
      [
        ['stablecoin', 'approve', coin.id, ...sure],
        1,
        /is NOT_ENABLED; to approve it, it must be PENDING_APPROVAL/,
      ],
      [['stablecoin', 'decline', coin.id, ...sure], 1, /must be PENDING_APPROVAL/],
      [['stablecoin', 'disable', coin.id, ...sure], 1, /must be ENABLED/],
      [['stablecoin', 'enable', coin.id, '--reason', 'x'], 1, /must be DISABLED/],
    ]);
    assert.deepEqual(await readCoin(platform, coin), coin);
    assert.deepEqual(await audited(coin.id), []);
  });

  it('stablecoins.md §1.13: lists, shows and revokes links, never with credentials', async () => {
    const invalid = await givenLink(platform, { apiClientId: 'client-003', apiClientSecret: 'never shown' });
    const row = {
      account: invalid.id,
      provider: 'BRALE',
      providerAccountId: 'account-client-003',
      status: 'INVALID',
      lastVerifiedAt: null,
      createdAt: invalid.createdAt,
    };
    assert.deepEqual(await listed('link', 'list', '--status', 'invalid'), [row]);
    assert.deepEqual(await listed('link', 'list', '--limit', '1'), [row]);
    assert.match(await run('link', 'list'), /^ACCOUNT +PROVIDER +PROVIDER ACCOUNT ID +STATUS/);
    assert.deepEqual(await json('link', 'show', invalid.id), invalid);
    const revoked = await json('link', 'revoke', invalid.id, '--reason', 'case 4711', '--yes');
    assert.deepEqual(revoked, await readLink(platform, invalid));
    assert.equal(revoked.status, 'REVOKED');
    await world.assertRefused([
      [['stablecoin', 'link', 'revoke', invalid.id, '--reason', 'again', '--yes'], 1, /already REVOKED/],
    ]);
    assert.deepEqual(await audited(invalid.id), [
      { action: 'stablecoin link show', actor_kind: 'operator', details: {} },
      { action: 'stablecoin link revoke', actor_kind: 'operator', details: { reason: 'case 4711' } },
    ]);
  });

  it('an unknown id and a wrong argument are one clear line each', async () => {
    const [coin, link] = [`Stablecoin:${newUuid()}`, `StablecoinProviderAccount:${newUuid()}`];
    const operation = `StablecoinOperation:${newUuid()}`;
    await world.assertRefused([
      [['stablecoin', 'show', coin], 1, /no such Stablecoin/],
      [['stablecoin', 'approve', coin, ...sure], 1, /no such Stablecoin/],
      [['stablecoin', 'show', link], 2, /an id such as Stablecoin:<uuid>/],
      [['stablecoin', 'list', '--status', 'ACTIVE'], 2, /NOT_ENABLED, PENDING_APPROVAL/],
      [['stablecoin', 'operation', 'list', coin], 1, /no such Stablecoin/],
      [['stablecoin', 'operation', 'list', coin, '--status', 'REFUSED'], 2, /CREATED, PENDING_FUNDING/],
      [['stablecoin', 'operation', 'show', operation], 1, /no such StablecoinOperation/],
      [['stablecoin', 'link', 'show', link], 1, /no such StablecoinProviderAccount/],
      [
        ['stablecoin', 'link', 'revoke', link, '--reason', 'why', '--yes'],
        1,
        /no such StablecoinProviderAccount/,
      ],
      [['stablecoin', 'link', 'revoke', link], 2, /required option.*--reason/],
      [['stablecoin', 'link', 'list', '--status', 'ENABLED'], 2, /ACTIVE, INVALID, REVOKED/],
      [['stablecoin', 'list', '--limit', '0'], 2, /a whole number from 1 to 1000/],
    ]);
  });
});
