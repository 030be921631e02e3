// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Transfer } from '#capabilities/payments/transfers/create-transfer.ts';
import {
  loadTransferIn,
  loadTransferOut,
  resolveTransferIn,
  resolveTransferOut,
} from '#capabilities/payments/transfers/resolve-transfer.ts';
import type { ReadTx, Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { fetchAccounts, inCurrency } from '#tests/given/accounts.ts';
import { EUROPEAN, givenCustomer, PERSON } from '#tests/given/customers.ts';
import { givenExternalAccount, refusedFields } from '#tests/given/external-accounts.ts';
import {
  advance,
  fetchBalance,
  givenFunds,
  givenOutside,
  givenPayer,
  givenPlatform,
  listEventTypes,
  type Payer,
  postedKinds,
  readTransaction,
} from '#tests/given/payments.ts';
import { countTransactions, freeze } from '#tests/given/quotes.ts';
import { type RequestOf, untyped } from '#tests/harness/api-types.ts';
import { type Call, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

type Route = 'createTransferIn' | 'createTransferOut';

describe('deprecated transfers', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let payer: Payer;
  let usd: string;
  let bank: string;

  before(async () => {
    platform = await givenPlatform(world, { currencies: ['USD', 'EUR', 'USDB', 'USDC'] });
    payer = await givenPayer(platform, 1_000_000);
    usd = payer.account('USD').id;
    bank = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
  });

  function send(
    route: Route,
    [from, to]: [string, string],
    more: RequestOf<Route> = { amount: 1_000 },
    { on = platform, ...call }: Omit<Call, 'body'> & { on?: TestPlatform } = {},
  ) {
    return on.call(route, {
      ...call,
      body: { source: { accountId: from }, destination: { accountId: to }, ...more },
    });
  }

  async function refused(
    route: Route,
    accounts: [string, string],
    more: object,
    status: number,
    code: string,
    on = platform,
  ) {
    const before = await countTransactions(on);
    const reply = await send(route, accounts, untyped(more), { on });
    assert.equal(reply.status, status, reply.raw);
    assert.equal(reply.body.code, code, reply.raw);
    assert.equal(await countTransactions(on), before);
    return reply;
  }

  it('money.md §5.1, §5.2: out: 201 PENDING, debited at creation, without quote and fees; then picked up and completed', async () => {
    const before = await fetchBalance(platform, payer, 'USD');
    const reply = await send('createTransferOut', [usd, bank], {
      amount: 2_500,
      remittanceInformation: 'Rent',
    });
    assert.equal(reply.status, 201, reply.raw);
    assert.equal(reply.headers.deprecation, 'true');
    const { body } = reply;
    assert.equal(body.status, 'PENDING');
    assert.equal(body.type, 'OUTGOING');
    assert.equal(body.direction, 'DEBIT');
    assert.equal(body.quoteId, undefined);
    assert.equal(body.fees, 0);
    assert.equal(body.exchangeRate, 1);
    assert.equal(body.customerId, payer.id);
    assert.deepEqual(body.sentAmount, body.receivedAmount);
    assert.equal(await fetchBalance(platform, payer, 'USD'), before - 2_500);
    assert.deepEqual(await postedKinds(platform, body.id), ['L2']);
    await advance(platform, 1);
    assert.equal((await readTransaction(platform, body.id)).status, 'COMPLETED');
    assert.deepEqual(await postedKinds(platform, body.id), ['L2', 'L7']);
    assert.deepEqual(await listEventTypes(platform, body.id), ['PENDING', 'PROCESSING', 'COMPLETED']);
  });

  it('money.md §5.2: out without an amount takes the whole available balance', async () => {
    const whole = await givenPayer(platform, 4_321);
    const to = await givenOutside(platform, whole.id, '999', 'USD_ACCOUNT');
    const reply = await send('createTransferOut', [whole.account('USD').id, to], {});
    assert.equal(reply.status, 201, reply.raw);
    assert.equal(reply.body.sentAmount.amount, 4_321);
    assert.equal(await fetchBalance(platform, whole, 'USD'), 0);
    await refused('createTransferOut', [whole.account('USD').id, to], {}, 400, 'INSUFFICIENT_FUNDS');
  });

  it('money.md §5.2: if transfers of the whole balance race, one gets it and the others find nothing', async () => {
    const whole = await givenPayer(platform, 9_999);
    const to = await givenOutside(platform, whole.id, '999', 'USD_ACCOUNT');
    const from = whole.account('USD').id;
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => send('createTransferOut', [from, to], {})),
    );
    const made = replies.filter(({ status }) => status === 201);
    assert.deepEqual(
      made.map(({ body }) => body.sentAmount.amount),
      [9_999],
    );
    const codes = replies.filter(({ status }) => status !== 201).map(({ body }) => body.code);
    assert.deepEqual([...new Set(codes)], ['INSUFFICIENT_FUNDS']);
    assert.equal(await fetchBalance(platform, whole, 'USD'), 0);
  });

  it('money.md §5.2: the whole balance against other spending: never more than there is, and nothing is left over', async () => {
    const whole = await givenPayer(platform, 10_000);
    const to = await givenOutside(platform, whole.id, '999', 'USD_ACCOUNT');
    const from = whole.account('USD').id;
    const replies = await Promise.all([
      ...Array.from({ length: 4 }, () => send('createTransferOut', [from, to], { amount: 1_000 })),
      send('createTransferOut', [from, to], {}),
    ]);
    const spent = replies
      .filter(({ status }) => status === 201)
      .reduce((sum, { body }) => sum + body.sentAmount.amount, 0);
    assert.equal(spent + (await fetchBalance(platform, whole, 'USD')), 10_000);
  });

  it('money.md §5.3: in: 201 PENDING, credited only when collected', async () => {
    const before = await fetchBalance(platform, payer, 'USD');
    const reply = await send('createTransferIn', [bank, usd], { amount: 700 });
    assert.equal(reply.status, 201, reply.raw);
    assert.equal(reply.headers.deprecation, 'true');
    assert.equal(reply.body.type, 'INCOMING');
    assert.equal(reply.body.status, 'PENDING');
    assert.equal(reply.body.direction, 'CREDIT');
    assert.equal(await fetchBalance(platform, payer, 'USD'), before);
    await advance(platform, 1);
    assert.equal((await readTransaction(platform, reply.body.id)).status, 'COMPLETED');
    assert.equal(await fetchBalance(platform, payer, 'USD'), before + 700);
    assert.deepEqual(await postedKinds(platform, reply.body.id), ['L1']);
    assert.deepEqual(await listEventTypes(platform, reply.body.id), ['PENDING', 'COMPLETED']);
  });

  it('money.md §5.3: in without an amount → INVALID_INPUT, reported with the other invalid fields', async () => {
    const reply = await send('createTransferIn', [bank, bank], {});
    assert.deepEqual(refusedFields(reply), ['destination.accountId', 'amount']);
    const odd = await send('createTransferIn', [bank, usd], untyped({ amount: '5' }));
    assert.deepEqual(refusedFields(odd), ['amount']);
  });

  it('money.md §9.2: suffixes decide: 002 and 003 fail in the reply, and are refunded a step later', async () => {
    for (const [suffix, reason] of [
      ['002', 'QUOTE_EXECUTION_FAILED'],
      ['003', 'ACCOUNT_INVALID'],
    ] as const) {
      const before = await fetchBalance(platform, payer, 'USD');
      const failing = await givenOutside(platform, payer.id, suffix, 'USD_ACCOUNT');
      const { body } = await send('createTransferOut', [usd, failing]);
      assert.equal(body.status, 'FAILED');
      assert.equal(body.failureReason, reason);
      assert.equal(body.refund.status, 'PENDING');
      assert.equal(await fetchBalance(platform, payer, 'USD'), before - 1_000);
      await advance(platform, 1);
      assert.equal((await readTransaction(platform, body.id)).refund.status, 'COMPLETED');
      assert.equal(await fetchBalance(platform, payer, 'USD'), before);
      assert.deepEqual(await postedKinds(platform, body.id), ['L2', 'L10', 'L11']);
      assert.deepEqual(await listEventTypes(platform, body.id), [
        'PENDING',
        'PROCESSING',
        'FAILED',
        'REFUND_PENDING',
        'REFUND_COMPLETED',
      ]);
      const pulled = await send('createTransferIn', [failing, usd]);
      assert.equal(pulled.body.status, 'FAILED');
      assert.equal(pulled.body.failureReason, 'COLLECTION_FAILED');
      assert.deepEqual(await postedKinds(platform, pulled.body.id), []);
    }
  });

  it('money.md §9.2, §9.7: 004 fails a step later, 005 stays PENDING for 30 s', async () => {
    const later = await givenOutside(platform, payer.id, '004', 'USD_ACCOUNT');
    const failed = await send('createTransferOut', [usd, later]);
    assert.equal(failed.body.status, 'PENDING');
    const slow = await givenOutside(platform, payer.id, '005', 'USD_ACCOUNT');
    const timed = await send('createTransferOut', [usd, slow]);
    await advance(platform, 2);
    assert.equal((await readTransaction(platform, failed.body.id)).failureReason, 'ACCOUNT_CANNOT_RECEIVE');
    assert.equal((await readTransaction(platform, timed.body.id)).status, 'PENDING');
    await advance(platform, 30);
    const over = await readTransaction(platform, timed.body.id);
    assert.equal(over.status, 'FAILED');
    assert.equal(over.refund.reason, 'TIMEOUT');
    assert.ok(!(await listEventTypes(platform, timed.body.id)).includes('PROCESSING'));
  });

  it('money.md §5.4: wrong kinds of account, embedded wallets and wallets as a source of a pull → INVALID_INPUT', async () => {
    assert.deepEqual(refusedFields(await send('createTransferOut', [bank, usd])), [
      'source.accountId',
      'destination.accountId',
    ]);
    assert.deepEqual(refusedFields(await send('createTransferIn', [usd, bank])), [
      'source.accountId',
      'destination.accountId',
    ]);
    const token = await givenExternalAccount(platform, 'SPARK_WALLET', {}, { customerId: payer.id });
    const wallet = payer.account('USDB').id;
    assert.deepEqual(refusedFields(await send('createTransferOut', [wallet, token.id])), [
      'source.accountId',
    ]);
    assert.deepEqual(refusedFields(await send('createTransferIn', [token.id, payer.account('USDC').id])), [
      'source.accountId',
    ]);
  });

  it('money.md §5.4: amounts, unknown accounts and differing currencies', async () => {
    for (const amount of [0, -1]) {
      await refused('createTransferOut', [usd, bank], { amount }, 400, 'INVALID_AMOUNT');
      await refused('createTransferIn', [bank, usd], { amount }, 400, 'INVALID_AMOUNT');
    }
    const nowhere = `ExternalAccount:${newUuid()}`;
    const unknown = await refused(
      'createTransferOut',
      [usd, nowhere],
      { amount: 1 },
      404,
      'ACCOUNT_NOT_FOUND',
    );
    assert.equal(unknown.body.reason, 'destination.accountId: is not the id of an account');
    await refused('createTransferIn', [nowhere, usd], { amount: 1 }, 404, 'ACCOUNT_NOT_FOUND');
    const euros = await givenOutside(platform, payer.id);
    await refused('createTransferOut', [usd, euros], { amount: 1 }, 400, 'INVALID_CURRENCY');
    await refused('createTransferIn', [euros, usd], { amount: 1 }, 400, 'INVALID_CURRENCY');
  });

  it('customers.md §2.4.26: from and to an account of a deleted customer → CUSTOMER_NOT_FOUND', async () => {
    const gone = await givenPayer(platform, 0);
    const ours = await givenOutside(platform, undefined, '999', 'USD_ACCOUNT');
    const params = { customerId: gone.id };
    assert.equal((await platform.call('deleteCustomerById', { params })).status, 200);
    const account = gone.account('USD').id;
    await refused('createTransferOut', [account, ours], { amount: 1 }, 404, 'CUSTOMER_NOT_FOUND');
    await refused('createTransferIn', [ours, account], { amount: 1 }, 404, 'CUSTOMER_NOT_FOUND');
  });

  it('money.md §5.4: another customer’s external account, and a rail it does not have → INVALID_INPUT', async () => {
    const other = await givenPayer(platform, 0);
    const theirs = await givenOutside(platform, other.id, '999', 'USD_ACCOUNT');
    assert.deepEqual(refusedFields(await send('createTransferOut', [usd, theirs])), [
      'destination.accountId',
    ]);
    const reply = await platform.call('createTransferOut', {
      body: { source: { accountId: usd }, destination: { accountId: bank, paymentRail: 'PIX' }, amount: 1 },
    });
    assert.deepEqual(refusedFields(reply), ['destination.paymentRail']);
    const wired = await platform.call('createTransferOut', {
      body: { source: { accountId: usd }, destination: { accountId: bank, paymentRail: 'WIRE' }, amount: 1 },
    });
    assert.deepEqual([wired.body.paymentRail, wired.body.railSelectionMode], ['WIRE', 'MANUAL']);
  });

  it('customers.md §1.7, §1.8: terms and approval first, then the account’s state', async () => {
    const open = await world.platform({ settings: { skipVerificationPaperwork: true } });
    const customer = await givenCustomer(open, PERSON);
    const account = inCurrency(await fetchAccounts(open, customer.id), 'USD').id;
    const outside = await givenOutside(open, customer.id, '999', 'USD_ACCOUNT');
    const code = 'END_USER_TERMS_NOT_ACCEPTED';
    await refused('createTransferOut', [account, outside], { amount: 1 }, 403, code, open);
    await refused('createTransferIn', [outside, account], { amount: 1 }, 403, code, open);
    const frozen = await givenPayer(platform, 100);
    const theirs = await givenOutside(platform, frozen.id, '999', 'USD_ACCOUNT');
    await freeze(platform, frozen.account('USD').id);
    await refused(
      'createTransferOut',
      [frozen.account('USD').id, theirs],
      { amount: 1 },
      403,
      'USER_NOT_READY',
    );
    await refused(
      'createTransferIn',
      [theirs, frozen.account('USD').id],
      { amount: 1 },
      403,
      'USER_NOT_READY',
    );
  });

  it('accounts.md §3.5, §4.7: the external account is checked as for a quote', async () => {
    const external = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    const set = async (column: 'status' | 'us_validation', value: string) => {
      const work = await platform.work();
      await work.write(async (tx) => {
        await tx.sql`
          update external_accounts
             set status = case when ${column} = 'status' then ${value} else 'ACTIVE' end,
                 us_validation = case when ${column} = 'us_validation' then ${value} else 'VALID' end
           where platform_id = ${tx.platformId} and id = ${uuidOf(external)}`;
      });
    };
    await set('status', 'INACTIVE');
    await refused('createTransferOut', [usd, external], { amount: 1 }, 400, 'INVALID_RECEIVER');
    await refused('createTransferIn', [external, usd], { amount: 1 }, 400, 'INVALID_BANK_ACCOUNT');
    await set('us_validation', 'PENDING');
    assert.equal((await send('createTransferOut', [usd, external], { amount: 1 })).body.paymentRail, 'WIRE');
    await refused('createTransferIn', [external, usd], { amount: 1 }, 409, 'BANK_ACCOUNT_VALIDATION_PENDING');
    await set('us_validation', 'FAILED');
    await refused('createTransferOut', [usd, external], { amount: 1 }, 400, 'INVALID_BANK_ACCOUNT');
  });

  it('money.md §2.13, §5.4: rates that cannot be read → QUOTE_REQUEST_FAILED, after all checks that need no rates', async () => {
    const { runtime } = world.app;
    const without: Runtime = {
      ...runtime,
      ports: (environment) => ({
        ...runtime.ports(environment),
        rates: { snapshot: async () => undefined },
      }),
    };
    const { platform: row, actor } = await platform.work();
    const work = new Work(without, row, actor);
    const planForCode = async (plan: (tx: ReadTx) => Promise<Transfer>) => {
      const refusal = await work.read(plan).catch((error: unknown) => error);
      assert.ok(refusal instanceof Refusal, String(refusal));
      return refusal.code;
    };
    const inactive = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    await (await platform.work()).write(async (tx) => {
      await tx.sql`update external_accounts set status = 'INACTIVE'
        where platform_id = ${tx.platformId} and id = ${uuidOf(inactive)}`;
    });
    const out = (accountId: string, amount: number) =>
      planForCode(async (tx) => {
        const named = await loadTransferOut(tx, {
          source: { accountId: usd as `InternalAccount:${string}` },
          destination: { accountId: accountId as `ExternalAccount:${string}` },
          amount,
        });
        return resolveTransferOut(tx, named);
      });
    const pull = (accountId: string, amount: number) =>
      planForCode(async (tx) => {
        const named = await loadTransferIn(tx, {
          source: { accountId: accountId as `ExternalAccount:${string}` },
          destination: { accountId: usd as `InternalAccount:${string}` },
          amount,
        });
        return resolveTransferIn(tx, named);
      });
    assert.deepEqual(
      [await out(inactive, 1_000), await out(bank, 1_000_000_001), await out(bank, 1_000)],
      ['INVALID_RECEIVER', 'AMOUNT_OUT_OF_RANGE', 'QUOTE_REQUEST_FAILED'],
    );
    assert.deepEqual(
      [await pull(inactive, 1_000), await pull(bank, 1_000_000_001), await pull(bank, 1_000)],
      ['INVALID_BANK_ACCOUNT', 'AMOUNT_OUT_OF_RANGE', 'QUOTE_REQUEST_FAILED'],
    );
  });

  it('money.md §5.4: not enough → INSUFFICIENT_FUNDS, and the key is free again', async () => {
    const poor = await givenPayer(platform, 99);
    const to = await givenOutside(platform, poor.id, '999', 'USD_ACCOUNT');
    const accounts: [string, string] = [poor.account('USD').id, to];
    const short = await refused('createTransferOut', accounts, { amount: 100 }, 400, 'INSUFFICIENT_FUNDS');
    assert.equal(short.body.reason, 'The account has 0.99 USD available; this payment needs 1.00 USD.');
    const key = 'retry';
    assert.equal((await send('createTransferOut', accounts, { amount: 100 }, { key })).status, 400);
    await givenFunds(platform, accounts[0], 1);
    assert.equal((await send('createTransferOut', accounts, { amount: 100 }, { key })).status, 201);
  });

  it('money.md §5.4, platform.md §3.2.4: the platform’s own limits apply exactly, in both directions', async () => {
    const bounded = await givenPlatform(world);
    const enabledTransactionTypes = ['INCOMING', 'OUTGOING'];
    const usd = { currencyCode: 'USD', minAmount: 100, maxAmount: 1_000, enabledTransactionTypes };
    const supportedCurrencies = [{ ...usd, requiredCounterpartyFields: [] }];
    const set = await bounded.call('updatePlatformConfig', { body: { supportedCurrencies } });
    assert.equal(set.status, 200, set.raw);
    const sender = await givenPayer(bounded, 100_000);
    const outside = await givenOutside(bounded, sender.id, '999', 'USD_ACCOUNT');
    const inside = sender.account('USD').id;
    for (const [route, accounts] of [
      ['createTransferOut', [inside, outside]],
      ['createTransferIn', [outside, inside]],
    ] as [Route, [string, string]][]) {
      for (const amount of [100, 1_000]) {
        assert.equal((await send(route, accounts, { amount }, { on: bounded })).status, 201);
      }
      for (const amount of [99, 1_001]) {
        await refused(route, accounts, { amount }, 400, 'AMOUNT_OUT_OF_RANGE', bounded);
      }
    }
  });

  it('money.md §5.4, §8: size and volume by withdrawal currency are exact; transfers in count towards neither', async () => {
    const small = await givenPlatform(world, {
      settings: { limits: { default: { maxUsdCents: 1_000, dailyUsdCents: 1_500 } } },
    });
    const sender = await givenPayer(small, 100_000);
    const to = await givenOutside(small, sender.id, '999', 'USD_ACCOUNT');
    const accounts: [string, string] = [sender.account('USD').id, to];
    const code = 'TRANSACTION_SIZE_LIMIT_EXCEEDED';
    await refused('createTransferOut', accounts, { amount: 1_001 }, 400, code, small);
    await refused('createTransferOut', accounts, {}, 400, code, small);
    assert.equal((await send('createTransferOut', accounts, { amount: 1_000 }, { on: small })).status, 201);
    const volume = 'DAILY_VOLUME_LIMIT_EXCEEDED';
    const over = await refused('createTransferOut', accounts, { amount: 501 }, 429, volume, small);
    assert.deepEqual([over.body.details.used, over.body.details.requested], [1_000, 501]);
    const back: [string, string] = [accounts[1], accounts[0]];
    assert.equal((await send('createTransferIn', back, { amount: 5_000 }, { on: small })).status, 201);
    assert.equal((await send('createTransferOut', accounts, { amount: 500 }, { on: small })).status, 201);
    await refused('createTransferOut', accounts, { amount: 1 }, 429, volume, small);
  });

  it('customers.md §7.13: a customer under strong authentication: 409 for an account that is not trusted', async () => {
    const european = await givenPayer(platform, 1_000, EUROPEAN);
    const to = await givenOutside(platform, european.id, '999', 'USD_ACCOUNT');
    const accounts: [string, string] = [european.account('USD').id, to];
    await refused('createTransferOut', accounts, { amount: 1 }, 409, 'CONFLICT');
    const work = await platform.work();
    await work.write(async (tx) => {
      await tx.sql`update external_accounts set trusted = true
        where platform_id = ${tx.platformId} and id = ${uuidOf(to)}`;
    });
    await refused('createTransferOut', accounts, { amount: 1 }, 409, 'SCA_SESSION_REQUIRED');
    assert.equal((await send('createTransferIn', [to, accounts[0]], { amount: 1 })).status, 201);
  });

  it('platform.md §2: the same key replays byte for byte, another body conflicts, a race has one effect', async () => {
    const before = await fetchBalance(platform, payer, 'USD');
    const accounts: [string, string] = [usd, bank];
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => send('createTransferOut', accounts, { amount: 10 }, { key: 'race' })),
    );
    assert.equal(new Set(replies.map(({ raw }) => raw)).size, 1);
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201]);
    assert.equal(await fetchBalance(platform, payer, 'USD'), before - 10);
    const other = await send('createTransferOut', accounts, { amount: 11 }, { key: 'race' });
    assert.equal(other.body.code, 'DUPLICATE_PAY_REQUEST');
    const replay = await send('createTransferOut', accounts, { amount: 10 }, { key: 'race' });
    assert.equal(replay.headers.deprecation, 'true');
  });

  it('credentials and permission come first', async () => {
    assert.equal((await send('createTransferOut', [usd, bank], {}, { as: 'nobody' })).status, 401);
    const looker = await world.platform({ permissions: ['VIEW'] });
    assert.equal((await send('createTransferIn', [bank, usd], {}, { on: looker })).body.code, 'FORBIDDEN');
  });
});
