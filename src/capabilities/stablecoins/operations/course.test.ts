// lane: whole — one of the longest of the short tests

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { revokeLink } from '#capabilities/stablecoins/links/change-link.ts';
import { endByOperator } from '#capabilities/stablecoins/operations/end-by-operator.ts';
import { fetchAccounts, inCurrency, listAccountWebhooks, supports } from '#tests/given/accounts.ts';
import {
  askBurn,
  askMint,
  type CoinOperationReply,
  DONE_SECONDS,
  givenBank,
  givenCoins,
  givenSparkWallet,
  loadCoinBooks,
  operationRows,
  readOperation,
} from '#tests/given/mints.ts';
import { advance, fetchBalance, givenPayer, givenPlatform, postedKinds } from '#tests/given/payments.ts';
import { givenCoin, givenLink, playProvider } from '#tests/given/stablecoins.ts';
import { auditLines } from '#tests/harness/audit-lines.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const DAY = 86_400;

describe('the course of a mint or burn (stablecoins.md §5, §6, §7)', () => {
  const world = testWorld();

  async function givenScene(usd = 10_000) {
    const platform = await givenPlatform(world, { currencies: ['USD'] });
    const coin = await givenCoin(platform, { enabled: true });
    await supports(platform, ['USD', coin.symbol]);
    const payer = await givenPayer(platform, usd);
    const wallet = await givenSparkWallet(platform);
    const bank = await givenBank(platform);
    const usdAccount = payer.account('USD').id;
    const coins = payer.account(coin.symbol).id;
    return { platform, coin, payer, wallet, bank, usd: usdAccount, coins };
  }

  const made = (reply: { status: number; raw: string; body: unknown }): CoinOperationReply => {
    assert.equal(reply.status, 201, reply.raw);
    return reply.body as CoinOperationReply;
  };

  /** Its status after each of these consecutive periods. */
  async function statusesAfter(
    platform: TestPlatform,
    operation: CoinOperationReply,
    seconds: readonly number[],
  ) {
    const statuses: string[] = [operation.status];
    for (const each of seconds) {
      await advance(platform, each);
      const { status, failureReason } = await readOperation(platform, operation);
      statuses.push(failureReason === undefined ? status : `${status} ${failureReason}`);
    }
    return statuses;
  }

  it('stablecoins.md §5.41, §5.61, §5.63, §5.65, §5.66: a mint by wire waits for its dollars, at most 7 days, and completes when they arrive', async () => {
    const { platform, coin, wallet } = await givenScene();
    const first = made(await askMint(platform, coin, { destination: { accountId: wallet.id } }));
    const second = made(await askMint(platform, coin, { destination: { accountId: wallet.id } }));
    const { createdAt, expiresAt } = first;
    const wireOf = ({ fundingInstructions }: CoinOperationReply) =>
      fundingInstructions as Record<string, string>;
    const wire = wireOf(first);
    assert.deepEqual(Object.keys(wire).sort(), [
      'accountNumber',
      'bankName',
      'beneficiaryName',
      'rail',
      'reference',
      'routingNumber',
    ]);
    assert.equal(wire.rail, 'WIRE');
    assert.notEqual(wire.reference, wireOf(second).reference);
    assert.equal(Date.parse(expiresAt ?? '') - Date.parse(createdAt), 7 * DAY * 1_000);
    assert.deepEqual(await statusesAfter(platform, first, [9, 1, 2, 3, 8 * DAY]), [
      'PENDING_FUNDING',
      'PENDING_FUNDING',
      'PENDING_PROVIDER',
      'PROCESSING',
      'COMPLETED',
      'COMPLETED',
    ]);
    const done = await readOperation(platform, first);
    assert.deepEqual(
      { ...done, updatedAt: undefined },
      { ...first, status: 'COMPLETED', providerStatus: 'completed', updatedAt: undefined },
    );
    assert.deepEqual(await loadCoinBooks(platform, coin), {
      issued: 50_000_000n,
      reserve: 5_000n,
      outside: 50_000_000n,
    });
  });

  it('stablecoins.md §5.42, §5.62, §5.7: a debit needs nothing from the platform; source and destination are flat', async () => {
    const { platform, coin, wallet, bank } = await givenScene();
    for (const type of ['ACH_DEBIT', 'SAME_DAY_ACH_DEBIT'] as const) {
      const fundingSource = { type, externalAccountId: bank.id };
      const mint = made(
        await askMint(platform, coin, { fundingSource, destination: { accountId: wallet.id } }),
      );
      assert.equal(mint.status, 'PENDING_PROVIDER');
      assert.deepEqual(mint.source, { type, externalAccountId: bank.id });
      assert.deepEqual(mint.destination, { accountId: wallet.id });
      assert.equal(
        'fundingInstructions' in mint || 'expiresAt' in mint || 'estimatedDelivery' in mint,
        false,
      );
      assert.deepEqual(await statusesAfter(platform, mint, [1, 1, 3]), [
        'PENDING_PROVIDER',
        'PENDING_PROVIDER',
        'PROCESSING',
        'COMPLETED',
      ]);
    }
  });

  it('stablecoins.md §5.43, money.md §11.L26, §11.L27: dollars in one account are put on hold at once and become coins in another', async () => {
    const { platform, coin, payer, usd, coins } = await givenScene();
    const mint = made(
      await askMint(platform, coin, {
        fundingSource: { type: 'SVC_INTERNAL_ACCOUNT', accountId: usd },
        destination: { accountId: coins },
      }),
    );
    assert.deepEqual(mint.source, { type: 'SVC_INTERNAL_ACCOUNT', accountId: usd });
    assert.equal(await fetchBalance(platform, payer, 'USD'), 7_500);
    assert.equal(await fetchBalance(platform, payer, coin.symbol), 0);
    await advance(platform, 5);
    assert.deepEqual(await postedKinds(platform, mint.id), ['L26', 'L27']);
    assert.equal(await fetchBalance(platform, payer, coin.symbol), 25_000_000);
    assert.deepEqual(await loadCoinBooks(platform, coin), {
      issued: 25_000_000n,
      reserve: 2_500n,
      outside: 0n,
    });
    const rows = await platform.call('listTransactions', { query: { limit: 100 } });
    assert.equal(
      rows.body.data.some(({ type }) => type === 'OUTGOING'),
      false,
      'stablecoins.md §5.2: no transaction is made',
    );
  });

  it('stablecoins.md §5.8: its changes of internal accounts send the usual events, and nothing else does', async () => {
    const { platform, coin, usd, coins } = await givenScene();
    const before = (await listAccountWebhooks(platform, '')).length;
    const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: usd };
    made(await askMint(platform, coin, { fundingSource, destination: { accountId: coins } }));
    await advance(platform, 5);
    const told = (await listAccountWebhooks(platform, '')).slice(before);
    assert.deepEqual([...new Set(told.map(({ type }) => type))], ['INTERNAL_ACCOUNT.BALANCE_UPDATED']);
  });

  it('stablecoins.md §5.51, §5.66, §5.5, money.md §11.L28: coins from outside are burned for dollars, from wallets that need not be named', async () => {
    const { platform, coin, bank } = await givenScene();
    await givenCoins(platform, coin, 25_000_000n);
    const timings = {
      WIRE: 'same business day',
      SAME_DAY_ACH_CREDIT: 'same business day',
      ACH_CREDIT: '1-3 business days',
      RTP_CREDIT: 'within minutes',
    };
    for (const [rail, timing] of Object.entries(timings)) {
      const destination = { type: 'EXTERNAL_ACCOUNT', externalAccountId: bank.id, rail };
      const burn = made(await askBurn(platform, coin, { amount: '1230000', destination }));
      assert.equal(burn.status, 'PENDING_FUNDING');
      assert.deepEqual(burn.estimatedDelivery, { rail, amount: '123', currency: 'USD', timing });
      assert.deepEqual(burn.destination, { accountId: bank.id, rail });
      const { address, ...how } = burn.fundingInstructions ?? {};
      assert.deepEqual(how, { rail: 'SPARK', network: 'SPARK', valueType: coin.symbol });
      assert.match(address ?? '', /^sparkt1/);
      await advance(platform, DONE_SECONDS);
      assert.equal((await readOperation(platform, burn)).status, 'COMPLETED');
      assert.deepEqual(await postedKinds(platform, burn.id), ['L28']);
    }
    assert.deepEqual(await loadCoinBooks(platform, coin), {
      issued: 20_080_000n,
      reserve: 2_008n,
      outside: 20_080_000n,
    });
  });

  it('stablecoins.md §5.52: coins at the provider are burned without instructions', async () => {
    const { platform, coin, bank } = await givenScene();
    await givenCoins(platform, coin, 1_000_000n);
    const destination = { type: 'EXTERNAL_ACCOUNT', externalAccountId: bank.id, rail: 'WIRE' };
    const source = { type: 'PROVIDER_INTERNAL_BALANCE' };
    const burn = made(await askBurn(platform, coin, { amount: '1000000', source, destination }));
    assert.equal('fundingInstructions' in burn, false);
    assert.deepEqual(await statusesAfter(platform, burn, [2, 3]), [
      'PENDING_PROVIDER',
      'PROCESSING',
      'COMPLETED',
    ]);
  });

  it('stablecoins.md §5.53, §5.67, §5.72, money.md §11.L26: coins in an account are put on hold, and are released if the burn fails', async () => {
    const { platform, coin, payer, bank, coins } = await givenScene();
    await givenCoins(platform, coin, 25_000_000n, coins);
    const destination = { type: 'EXTERNAL_ACCOUNT', externalAccountId: bank.id, rail: 'WIRE' };
    const source = { type: 'SVC_INTERNAL_ACCOUNT', accountId: coins };
    const burn = made(await askBurn(platform, coin, { source, destination, description: 'treasury 002' }));
    assert.equal(await fetchBalance(platform, payer, coin.symbol), 0);
    assert.deepEqual(await statusesAfter(platform, burn, [2, 3]), [
      'PENDING_PROVIDER',
      'PROCESSING',
      'FAILED PROVIDER_TRANSFER_FAILED',
    ]);
    assert.deepEqual(await postedKinds(platform, burn.id), ['L26', 'L26']);
    assert.equal(await fetchBalance(platform, payer, coin.symbol), 25_000_000);
    const done = made(await askBurn(platform, coin, { source, destination }));
    await advance(platform, 5);
    assert.deepEqual(await postedKinds(platform, done.id), ['L26', 'L28']);
    assert.deepEqual(await loadCoinBooks(platform, coin), { issued: 0n, reserve: 0n, outside: 0n });
  });

  it('stablecoins.md §5.71, §5.64: without funds it ends after a minute; an operation that needs none stays with the provider', async () => {
    const { platform, coin, wallet, usd } = await givenScene();
    const destination = { accountId: wallet.id };
    const wired = made(await askMint(platform, coin, { destination, description: 'treasury 001' }));
    assert.equal(Date.parse(wired.expiresAt ?? '') - Date.parse(wired.createdAt), 60_000);
    const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: usd };
    const paid = made(await askMint(platform, coin, { fundingSource, destination, description: '001 ' }));
    assert.deepEqual(await statusesAfter(platform, wired, [59, 1]), [
      'PENDING_FUNDING',
      'PENDING_FUNDING',
      'EXPIRED',
    ]);
    assert.equal((await readOperation(platform, wired)).providerStatus, 'expired');
    assert.deepEqual(await statusesAfter(platform, paid, [8 * DAY]), [
      'PENDING_PROVIDER',
      'PENDING_PROVIDER',
    ]);
  });

  it('stablecoins.md §5.73, §5.75, §6.11, §6.19, §6.20, §6.3: a refusal by the provider leaves nothing, and the key can be used again', async () => {
    const { platform, coin, payer, wallet, usd } = await givenScene();
    const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: usd };
    const destination = { accountId: wallet.id };
    const ends: [string, number, string][] = [
      ['004', 400, 'STABLECOIN_PROVIDER_ERROR'],
      ['009', 503, 'SERVICE_UNAVAILABLE'],
    ];
    for (const [suffix, status, code] of ends) {
      const key = randomUUID();
      const description = `treasury ${suffix}`;
      const reply = await askMint(platform, coin, { fundingSource, destination, description }, { key });
      assert.deepEqual([reply.status, reply.body.code], [status, code], reply.raw);
      assert.equal(await fetchBalance(platform, payer, 'USD'), suffix === '004' ? 10_000 : 7_500);
      const again = await askMint(platform, coin, { fundingSource, destination }, { key });
      assert.equal(again.status, 201, again.raw);
    }
    const params = { stablecoinId: coin.id };
    const shown = await platform.call('listStablecoinOperations', { params });
    assert.deepEqual([shown.body.data.length, shown.body.totalCount], [2, 2]);
    const hidden = (await operationRows(platform, coin)).filter(({ status }) => status === 'REFUSED');
    assert.equal(hidden.length, 2);
    for (const { id } of hidden) {
      const params = { stablecoinOperationId: `StablecoinOperation:${id}` };
      const reply = await platform.send('getStablecoinOperation', { params });
      assert.equal(reply.body.code, 'STABLECOIN_OPERATION_NOT_FOUND', 'stablecoins.md §6.11');
    }
  });

  it('stablecoins.md §5.74, §5.9: each step takes half a minute longer', async () => {
    const { platform, coin, wallet } = await givenScene();
    const mint = made(
      await askMint(platform, coin, { destination: { accountId: wallet.id }, description: 'slow 005' }),
    );
    assert.deepEqual(await statusesAfter(platform, mint, [39, 1, 31, 1, 32, 1]), [
      'PENDING_FUNDING',
      'PENDING_FUNDING',
      'PENDING_PROVIDER',
      'PENDING_PROVIDER',
      'PROCESSING',
      'PROCESSING',
      'COMPLETED',
    ]);
  });

  it('stablecoins.md §5.76, §6.2: a lost answer is requested a minute later; the operation is submitted once', async () => {
    const { platform, coin, payer, wallet, usd } = await givenScene();
    const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: usd };
    const body = { fundingSource, destination: { accountId: wallet.id }, description: 'treasury 006' };
    const key = randomUUID();
    const mint = made(await askMint(platform, coin, body, { key }));
    assert.deepEqual([mint.status, 'providerStatus' in mint], ['CREATED', false]);
    assert.deepEqual(
      (await askMint(platform, coin, body, { key })).body,
      mint,
      'stablecoins.md §2: the first reply again',
    );
    assert.equal(await fetchBalance(platform, payer, 'USD'), 7_500);
    assert.deepEqual(await statusesAfter(platform, mint, [59, 1]), ['CREATED', 'CREATED', 'COMPLETED']);
    assert.deepEqual(await postedKinds(platform, mint.id), ['L26', 'L27']);
  });

  it('stablecoins.md §6.2: a failure on our side after the submission leaves the operation, which its key returns', async () => {
    const { platform, coin, payer, wallet, usd } = await givenScene();
    const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: usd };
    const body = { fundingSource, destination: { accountId: wallet.id } };
    let submissions = 0;
    const restore = playProvider(world, {
      // An answer that violates its own rules cannot be stored.
      async submit() {
        submissions += 1;
        return { outcome: 'ACCEPTED', notice: { kind: 'awaitingFunding', providerStatus: 'broken' } };
      },
    });
    const key = randomUUID();
    try {
      await assert.rejects(askMint(platform, coin, body, { key }), /answered INTERNAL_ERROR/);
      const again = made(await askMint(platform, coin, body, { key }));
      assert.deepEqual([again.status, submissions], ['CREATED', 1]);
      assert.deepEqual(
        (await operationRows(platform, coin)).map(({ id }) => id),
        [uuidOf(again)],
      );
    } finally {
      restore();
    }
    assert.equal(await fetchBalance(platform, payer, 'USD'), 7_500);
    await advance(platform, 60);
    assert.equal((await operationRows(platform, coin))[0]?.status, 'COMPLETED');
  });

  it('stablecoins.md §5.77, §5.68, §6.2: an operation that the provider never got fails after 15 minutes, and the hold ends', async () => {
    const { platform, coin, payer, wallet, usd } = await givenScene();
    const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: usd };
    const body = { fundingSource, destination: { accountId: wallet.id }, description: 'treasury 007' };
    const mint = made(await askMint(platform, coin, body));
    assert.deepEqual(await statusesAfter(platform, mint, [14 * 60, 60]), [
      'CREATED',
      'CREATED',
      'FAILED PROVIDER_TRANSFER_FAILED',
    ]);
    assert.equal(await fetchBalance(platform, payer, 'USD'), 10_000);
  });

  it('stablecoins.md §5.11, §1.4: without a link the provider is not asked and nothing expires; the next link asks at once', async () => {
    const { platform, coin, wallet, usd } = await givenScene();
    const destination = { accountId: wallet.id };
    const wired = made(await askMint(platform, coin, { destination, description: 'treasury 001' }));
    const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: usd };
    const paid = made(await askMint(platform, coin, { fundingSource, destination }));
    const work = await platform.work();
    const linkId = uuidOf(coin.stablecoinProviderAccountId);
    await work.write((tx) => revokeLink(tx, { linkId, reason: 'a test' }));
    assert.deepEqual(await statusesAfter(platform, wired, [8 * DAY]), ['PENDING_FUNDING', 'PENDING_FUNDING']);
    assert.equal((await readOperation(platform, paid)).status, 'PENDING_PROVIDER');
    await givenLink(platform);
    await world.app.worker.settle(platform.id);
    assert.equal((await readOperation(platform, wired)).status, 'EXPIRED');
    assert.equal((await readOperation(platform, paid)).status, 'COMPLETED');
  });

  it('stablecoins.md §5.11: the operator reports the outcome of an operation, once', async () => {
    const { platform, coin, payer, wallet, usd } = await givenScene();
    const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: usd };
    const body = { fundingSource, destination: { accountId: wallet.id }, description: 'treasury 001' };
    const [first, second] = [
      made(await askMint(platform, coin, body)),
      made(await askMint(platform, coin, body)),
    ];
    const work = await platform.work();
    const end = (operation: CoinOperationReply, status: 'COMPLETED' | 'FAILED') =>
      work.write((tx) => endByOperator(tx, { operationId: uuidOf(operation), status, reason: 'a call' }));
    await end(first, 'FAILED');
    const failed = await readOperation(platform, first);
    assert.deepEqual([failed.status, failed.failureReason], ['FAILED', 'PROVIDER_CANCELED']);
    await end(second, 'COMPLETED');
    assert.equal((await readOperation(platform, second)).status, 'COMPLETED');
    await assert.rejects(end(second, 'FAILED'), { code: 'CONFLICT' });
    assert.equal(await fetchBalance(platform, payer, 'USD'), 7_500);
    assert.deepEqual(await loadCoinBooks(platform, coin), {
      issued: 25_000_000n,
      reserve: 2_500n,
      outside: 25_000_000n,
    });
  });

  it('customers.md §2.4.26a: the operator’s reason for ending an operation is sealed', async () => {
    const { platform, coin, wallet, usd } = await givenScene();
    const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: usd };
    const operation = made(
      await askMint(platform, coin, { fundingSource, destination: { accountId: wallet.id } }),
    );
    const work = await platform.work();
    const [operationId, reason] = [uuidOf(operation), 'Ada called'];
    await work.write((tx) => endByOperator(tx, { operationId, status: 'FAILED', reason }));
    const action = 'stablecoin operation fail';
    const rows = await work.read(
      (tx) => tx.sql<{ details: object; is_sealed: boolean }>`
        select details, private is not null as is_sealed from audit_log
         where platform_id = ${tx.platformId} and action = ${action}`,
    );
    assert.deepEqual(rows, [{ details: {}, is_sealed: true }]);
    const [line] = await auditLines(world, platform, action);
    assert.deepEqual(line?.details, { reason });
  });

  it('stablecoins.md §6.1: an account that the provider knows for one role is asked about again for another', async () => {
    const { platform, coin, wallet, bank } = await givenScene();
    await givenCoins(platform, coin, 1_000_000n);
    const asked: string[] = [];
    const { linkAccount } = world.app.runtime.ports('SANDBOX').stablecoins;
    const restore = playProvider(world, {
      linkAccount(login, account, role, isAutomatic) {
        asked.push(role);
        return linkAccount(login, account, role, isAutomatic);
      },
    });
    try {
      const fundingSource = { type: 'ACH_DEBIT', externalAccountId: bank.id };
      const destination = { type: 'EXTERNAL_ACCOUNT', externalAccountId: bank.id, rail: 'WIRE' };
      for (const _each of [1, 2]) {
        made(await askMint(platform, coin, { fundingSource, destination: { accountId: wallet.id } }));
        made(await askBurn(platform, coin, { amount: '10000', destination }));
      }
      assert.deepEqual(asked, ['DEBITED', 'RECEIVES_COINS', 'CREDITED']);
    } finally {
      restore();
    }
  });

  it('stablecoins.md §5.81–5.84, §5.6, §5.10: debits that the bank refuses', async () => {
    const { platform, coin, wallet } = await givenScene();
    const ends: [string, number, string][] = [
      ['002', 2, 'FUNDING_INSUFFICIENT_FUNDS'],
      ['003', 2, 'FUNDING_ACCOUNT_INVALID'],
      ['004', 2, 'FUNDING_REJECTED'],
      ['005', 30, 'FUNDING_REJECTED'],
    ];
    for (const [digits, seconds, reason] of ends) {
      const { id } = await givenBank(platform, digits);
      const fundingSource = { type: 'ACH_DEBIT', externalAccountId: id };
      const mint = made(
        await askMint(platform, coin, { fundingSource, destination: { accountId: wallet.id } }),
      );
      assert.deepEqual(await statusesAfter(platform, mint, [seconds - 1, 1]), [
        'PENDING_PROVIDER',
        'PENDING_PROVIDER',
        `FAILED ${reason}`,
      ]);
    }
    assert.deepEqual(await loadCoinBooks(platform, coin), { issued: 0n, reserve: 0n, outside: 0n });
  });

  it('stablecoins.md §2: a key is required; with another body it is a conflict', async () => {
    const { platform, coin, wallet } = await givenScene();
    const body = { destination: { accountId: wallet.id } };
    for (const key of [null, '', 'x'.repeat(256)]) {
      const reply = await askMint(platform, coin, body, { key });
      assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT']);
    }
    const key = randomUUID();
    const first = made(await askMint(platform, coin, body, { key }));
    await advance(platform, DONE_SECONDS);
    assert.deepEqual((await askMint(platform, coin, body, { key })).body, first);
    const other = await askMint(platform, coin, { ...body, amount: '10000' }, { key });
    assert.deepEqual([other.status, other.body.code], [409, 'CONFLICT']);
    assert.equal((await operationRows(platform, coin)).length, 1);
  });

  it('stablecoins.md §5.8: operations are listed newest first, in pages, by type', async () => {
    const { platform, coin, wallet, bank } = await givenScene();
    const ids: string[] = [];
    for (const amount of ['10000', '20000', '30000']) {
      ids.unshift(made(await askMint(platform, coin, { amount, destination: { accountId: wallet.id } })).id);
      await advance(platform, DONE_SECONDS);
    }
    const destination = { type: 'EXTERNAL_ACCOUNT', externalAccountId: bank.id, rail: 'WIRE' };
    ids.unshift(made(await askBurn(platform, coin, { amount: '10000', destination })).id);
    const params = { stablecoinId: coin.id };
    const page = await platform.call('listStablecoinOperations', { params, query: { limit: 3 } });
    assert.deepEqual(
      page.body.data.map(({ id }) => id),
      ids.slice(0, 3),
    );
    const query = { limit: 3, cursor: page.body.nextCursor ?? '' };
    const rest = await platform.call('listStablecoinOperations', { params, query });
    assert.deepEqual(
      rest.body.data.map(({ id }) => id),
      ids.slice(3),
    );
    const burns = await platform.call('listStablecoinOperations', {
      params,
      query: { operationType: 'BURN' },
    });
    assert.deepEqual(
      burns.body.data.map(({ id }) => id),
      ids.slice(0, 1),
    );
  });

  it('an open operation keeps its accounts open and its customer undeleted; its bank details are deleted at its end', async () => {
    const { platform, coin, payer, usd, coins } = await givenScene(2_500);
    const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: usd };
    const bank = await givenBank(platform, '891');
    const mint = made(
      await askMint(platform, coin, {
        fundingSource: { type: 'ACH_DEBIT', externalAccountId: bank.id },
        destination: { accountId: coins },
      }),
    );
    made(await askMint(platform, coin, { fundingSource, destination: { accountId: coins } }));
    const params = { customerId: payer.id };
    const refused = await platform.send('deleteCustomerById', { params });
    assert.equal(refused.status, 409, refused.raw);
    assert.equal(
      (await platform.send('deleteCustomerExternalAccountById', { params: { externalAccountId: bank.id } }))
        .status,
      204,
    );
    const open = await operationRows(platform, coin);
    assert.notEqual(open.find(({ id }) => id === uuidOf(mint))?.instruments, null);
    await advance(platform, 5);
    assert.equal((await readOperation(platform, mint)).status, 'COMPLETED');
    for (const { instruments } of await operationRows(platform, coin)) assert.equal(instruments, null);
    const account = inCurrency(await fetchAccounts(platform, payer.id), coin.symbol);
    assert.equal(account.balance?.amount, 50_000_000);
  });
});
