// lane: whole — one of the longest of the short tests

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { receiveDeposit } from '#capabilities/payments/incoming/receive-deposit.ts';
import type { Arrival } from '#capabilities/payments/incoming/store.ts';
import { bookDeposit } from '#capabilities/payments/operator/book-deposit.ts';
import { resolveSuspense } from '#capabilities/payments/operator/resolve-suspense.ts';
import { type Report, receiveReport, receiveReports } from '#capabilities/payments/settlement/notices.ts';
import { disableCurrency, enableCurrency } from '#capabilities/platform/disable-currency.ts';
import { setPlatform } from '#capabilities/platform/set-platform.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { fetchAccounts, inCurrency, platformAccounts } from '#tests/given/accounts.ts';
import {
  type Arriving,
  givenCoinPlatform,
  givenCoins,
  givenSparkWallet,
  workWithArrivals,
} from '#tests/given/coins.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { addAccount, buildAccountRequest, refusedFields } from '#tests/given/external-accounts.ts';
import { listSuspended } from '#tests/given/open-items.ts';
import {
  advance,
  execute,
  fetchBalance,
  fetchPayer,
  givenOutside,
  givenPayer,
  listEventTypes,
  type Payer,
  postedKinds,
  readTransaction,
} from '#tests/given/payments.ts';
import { askQuote, countTransactions, lookedUp, quoted, type Wish } from '#tests/given/quotes.ts';
import { authorize, givenScaPayer } from '#tests/given/waiting.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const OPERATOR = { kind: 'operator', id: 'test' } as const;
const AT_ONCE = { immediatelyExecute: true };
const uma = (scenario: string) => `$${scenario}@sandbox.corridor.test`;
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

describe('payments in a coin', () => {
  const world = testWorld();

  /** The balance of a summed ledger account, credits positive. */
  async function balanceAt(platform: TestPlatform, account: string): Promise<bigint> {
    const [row] = await world.database.query<{ balance: bigint }>(sql`
      select coalesce(sum(case side when 'CREDIT' then amount else -amount end), 0)::bigint as balance
        from ledger_lines where platform_id = ${platform.id} and account = ${account}`);
    return row?.balance ?? 0n;
  }

  // Limits in dollars and fees in units must hold for any number of decimals, so every movement runs with both
  // extremes.
  for (const decimals of [2, 8]) {
    describe(`with ${decimals} decimals`, () => {
      const one = 10 ** decimals;
      let platform: TestPlatform;
      let payer: Payer;
      let receiver: Payer;

      before(async () => {
        platform = await givenCoinPlatform(world, { decimals });
        payer = await givenPayer(platform, 100_000);
        receiver = await givenPayer(platform, 0);
      });

      const coins = (own: Payer) => fetchBalance(platform, own, 'ACME');
      const acme = (own: Payer) => own.account('ACME').id;

      it('stablecoins.md §8.2: move from one internal account to another, and are shown with their decimals', async () => {
        await givenCoins(platform, acme(payer), 5 * one);
        const before = await coins(receiver);
        const quote = await quoted(platform, {
          from: acme(payer),
          to: acme(receiver),
          send: 2 * one + 1,
          more: AT_ONCE,
        });
        assert.deepEqual(
          [quote.totalSendingAmount, quote.totalReceivingAmount, quote.feesIncluded, quote.exchangeRate],
          [2 * one + 1, 2 * one + 1, 0, 1],
        );
        assert.deepEqual(
          [quote.sendingCurrency.decimals, quote.receivingCurrency.decimals],
          [decimals, decimals],
        );
        await advance(platform, 2);
        const seen = await readTransaction(platform, quote.transactionId);
        assert.deepEqual([seen.status, seen.receivedAmount.amount], ['COMPLETED', 2 * one + 1]);
        assert.equal(seen.receivedAmount.currency.decimals, decimals);
        assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L2', 'L7']);
        assert.equal(await coins(receiver), before + 2 * one + 1);
        const locked = await quoted(platform, {
          from: acme(payer),
          to: acme(receiver),
          receive: one,
          more: AT_ONCE,
        });
        assert.equal(locked.totalSendingAmount, one);
        await advance(platform, 2);
      });

      it('stablecoins.md §8.2: go to a Spark wallet in the coin, by quote and by transfer; failed payments are refunded', async () => {
        await givenCoins(platform, acme(payer), 10 * one);
        const to = await givenSparkWallet(platform, { customerId: payer.id });
        const [had, out] = [await coins(payer), await balanceAt(platform, 'RAIL:SPARK:ACME')];
        const quote = await quoted(platform, { from: acme(payer), to, send: 3 * one, more: AT_ONCE });
        const transfer = await platform.call('createTransferOut', {
          body: { source: { accountId: acme(payer) }, destination: { accountId: to }, amount: 2 * one },
        });
        assert.equal(transfer.status, 201, transfer.raw);
        await advance(platform, 2);
        for (const id of [quote.transactionId, transfer.body.id]) {
          const { status, destination } = await readTransaction(platform, id);
          assert.deepEqual([status, destination.onChainTransaction?.network], ['COMPLETED', 'SPARK']);
          assert.deepEqual(await postedKinds(platform, id), ['L2', 'L7']);
        }
        assert.equal(await coins(payer), had - 5 * one);
        assert.equal(await balanceAt(platform, 'RAIL:SPARK:ACME'), out + BigInt(5 * one));

        const failing = await givenSparkWallet(platform, { customerId: payer.id, suffix: '004' });
        const lost = await quoted(platform, { from: acme(payer), to: failing, send: one, more: AT_ONCE });
        await advance(platform, 5);
        const { status, refund } = await readTransaction(platform, lost.transactionId);
        assert.deepEqual([status, refund?.status], ['FAILED', 'COMPLETED']);
        assert.equal(await coins(payer), had - 5 * one);
      });

      it('stablecoins.md §8.2: fund a real-time quote over Spark only', async () => {
        const to = acme(receiver);
        for (const network of [undefined, 'SOLANA']) {
          const from = { realtime: 'ACME', customerId: payer.id, ...(network && { network }) };
          const reply = await askQuote(platform, { from, to, send: one });
          assert.deepEqual(refusedFields(reply), ['source.cryptoNetwork']);
          assert.match(reply.raw, /"enum":\["SPARK"\]/);
        }
        const from = { realtime: 'ACME', network: 'SPARK', customerId: payer.id };
        const quote = await quoted(platform, { from, to, send: one });
        const [instruction, ...more] = quote.paymentInstructions ?? [];
        const info = instruction?.accountOrWalletInfo as { accountType?: string; assetType?: string };
        assert.deepEqual([info.accountType, info.assetType, more], ['SPARK_WALLET', 'ACME', []]);
        const { reconciliationInstructions } = await readTransaction(platform, quote.transactionId);
        const before = await coins(receiver);
        const row = await arrives({ amount: BigInt(one), reference: reconciliationInstructions.reference });
        assert.ok(!(row instanceof Refusal));
        await advance(platform, 2);
        const seen = await readTransaction(platform, quote.transactionId);
        assert.deepEqual([seen.status, seen.source.onChainTransaction?.network], ['COMPLETED', 'SPARK']);
        assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L4', 'L7']);
        assert.equal(await coins(receiver), before + one);
      });

      it('stablecoins.md §8.2: a wrong amount is refunded to an account of the owner in the coin', async () => {
        const from = { realtime: 'ACME', network: 'SPARK', customerId: payer.id };
        const to = await givenSparkWallet(platform, { customerId: payer.id });
        const quote = await quoted(platform, { from, to, send: one });
        const { reconciliationInstructions } = await readTransaction(platform, quote.transactionId);
        const before = await coins(payer);
        await arrives({ amount: BigInt(one - 1), reference: reconciliationInstructions.reference });
        await advance(platform, 5);
        const { status, failureReason } = await readTransaction(platform, quote.transactionId);
        assert.deepEqual([status, failureReason], ['FAILED', 'FUNDING_AMOUNT_MISMATCH']);
        assert.equal(await coins(payer), before + one - 1);
      });

      it('stablecoins.md §8.2: arrive in an account from outside', async () => {
        const before = await coins(receiver);
        const row = await arrives({ amount: BigInt(one), accountId: uuidOf(acme(receiver)) });
        assert.ok(!(row instanceof Refusal));
        assert.equal(await coins(receiver), before + one);
        const shown = await readTransaction(platform, `Transaction:${row.id}`);
        assert.deepEqual(
          [shown.type, shown.status, shown.receivedAmount.amount, shown.receivedAmount.currency.decimals],
          ['INCOMING', 'COMPLETED', one, decimals],
        );
        assert.deepEqual(await listEventTypes(platform, shown.id), ['COMPLETED']);
      });

      it('stablecoins.md §8.2: are neither collected from a wallet nor sent to an account in another currency', async () => {
        const wallet = await givenSparkWallet(platform, { customerId: payer.id });
        const body = { source: { accountId: wallet }, destination: { accountId: acme(payer) }, amount: 1 };
        const reply = await platform.call('createTransferIn', { body });
        assert.deepEqual(refusedFields(reply), ['source.accountId']);
        const dollars = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
        for (const [from, to] of [
          [acme(payer), dollars],
          [payer.account('USD').id, wallet],
        ] as const) {
          const out = { source: { accountId: from }, destination: { accountId: to }, amount: 1 };
          assert.deepEqual(codeOf(await platform.call('createTransferOut', { body: out })), [
            400,
            'INVALID_CURRENCY',
          ]);
        }
      });

      it('stablecoins.md §8.3: the fees within one currency apply, in the coin’s smallest unit', async () => {
        const own = await givenCoinPlatform(world, { decimals });
        const fees = { sameCurrencyBps: 10, crossCurrencyBps: 900, fixed: { ACME: 7 } };
        await setPlatform(world.app.runtime, own.id, OPERATOR, { settings: { fees } });
        const [from, to] = [await givenPayer(own, 0), await givenPayer(own, 0)];
        await givenCoins(own, acme(from), 100 * one);
        const quote = await quoted(own, {
          from: acme(from),
          to: acme(to),
          send: 10 * one + 7,
          more: AT_ONCE,
        });
        const fee = one / 100 + 7;
        assert.deepEqual([quote.feesIncluded, quote.totalReceivingAmount], [fee, 10 * one + 7 - fee]);
        await advance(own, 2);
        assert.equal(await fetchBalance(own, to, 'ACME'), 10 * one + 7 - fee);
        assert.equal(await balanceAt(own, 'FEES:ACME'), BigInt(fee));
        const receiving = await quoted(own, { from: acme(from), to: acme(to), receive: 10 * one });
        assert.equal(receiving.totalSendingAmount - receiving.feesIncluded, 10 * one);
      });

      it('stablecoins.md §8.3: one coin is one dollar for the limits, to the smallest unit', async () => {
        const own = await givenCoinPlatform(world, { decimals });
        const limits = { default: { minUsdCents: 100, maxUsdCents: 1_000, dailyUsdCents: 1_500 } };
        await setPlatform(world.app.runtime, own.id, OPERATOR, { settings: { limits } });
        const from = await givenPayer(own, 0);
        await givenCoins(own, acme(from), 100 * one);
        const to = await givenSparkWallet(own, { customerId: from.id });
        const pay = (amount: number) => askQuote(own, { from: acme(from), to, send: amount, more: AT_ONCE });
        const transfer = (amount: number) =>
          own.call('createTransferOut', {
            body: { source: { accountId: acme(from) }, destination: { accountId: to }, amount },
          });
        for (const send of [pay, transfer]) {
          assert.deepEqual(codeOf(await send(one - 1)), [400, 'AMOUNT_OUT_OF_RANGE']);
          assert.deepEqual(codeOf(await send(10 * one + 1)), [400, 'TRANSACTION_SIZE_LIMIT_EXCEEDED']);
        }
        const first = await pay(10 * one);
        assert.equal(first.status, 201, first.raw);
        assert.deepEqual(codeOf(await pay(5 * one + 1)), [429, 'DAILY_VOLUME_LIMIT_EXCEEDED']);
        assert.deepEqual(codeOf(await transfer(5 * one + 1)), [429, 'DAILY_VOLUME_LIMIT_EXCEEDED']);
        const rest = await transfer(5 * one);
        assert.equal(rest.status, 201, rest.raw);
        await advance(own, 2);
        assert.equal(await fetchBalance(own, from, 'ACME'), 85 * one);
      });

      it('stablecoins.md §8.3: one coin is one dollar for the ownership threshold: 1000 EUR are 1086.9565… coins', async () => {
        const own = await givenCoinPlatform(world, { decimals });
        const from = await givenPayer(own, 0);
        await givenCoins(own, acme(from), 5_000 * one);
        const to = await givenSparkWallet(own, { customerId: from.id });
        await world.database.query(sql`
          update external_accounts set status = 'PENDING_OWNERSHIP_VERIFICATION' where id = ${uuidOf(to)}`);
        const most = Math.floor((1_000 * one) / 0.92);
        await quoted(own, { from: acme(from), to, send: most });
        const wish = { from: acme(from), to, send: most + 1 };
        assert.deepEqual(codeOf(await askQuote(own, wish)), [400, 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED']);
      });

      async function arrives(more: Partial<Arrival>) {
        const work = await workWithArrivals(platform, () => undefined);
        const arrival = {
          providerReference: newUuid(),
          amount: BigInt(one),
          currency: 'ACME',
          rail: 'SPARK',
          network: 'SPARK',
          transactionHash: newUuid(),
          ...more,
        } as const;
        return work.write((tx) => receiveDeposit(tx, arrival));
      }
    });
  }

  describe('and other currencies', () => {
    let platform: TestPlatform;
    let payer: Payer;
    let acme: string;

    before(async () => {
      platform = await givenCoinPlatform(world);
      payer = await givenPayer(platform, 100_000);
      acme = payer.account('ACME').id;
      await givenCoins(platform, acme, 50_000_000);
    });

    it('stablecoins.md §8.2: a coin is never quoted across currencies', async () => {
      const usd = payer.account('USD').id;
      const wallet = await givenSparkWallet(platform, { customerId: payer.id });
      const to = uma('success.usd');
      const lookupId = await lookedUp(platform, to);
      const before = await countTransactions(platform);
      const wishes: Wish[] = [
        { from: acme, to: usd },
        { from: usd, to: acme },
        { from: usd, to: wallet },
        { from: acme, to: await givenOutside(platform, payer.id) },
        { from: acme, to, more: { lookupId } },
        { from: { realtime: 'ACME', network: 'SPARK', customerId: payer.id }, to: usd },
        { from: { realtime: 'ACME', network: 'SPARK', customerId: payer.id }, to, more: { lookupId } },
        { from: { realtime: 'USD', customerId: payer.id }, to: acme },
        { from: { realtime: 'USDC', network: 'SOLANA', customerId: payer.id }, to: wallet },
        { from: await givenOutside(platform, payer.id, '555', 'USD_ACCOUNT'), to: acme },
      ];
      for (const wish of wishes) {
        for (const amount of [{ send: 1_000 }, { receive: 1_000 }]) {
          const reply = await askQuote(platform, { ...wish, ...amount });
          assert.deepEqual(codeOf(reply), [400, 'INVALID_CURRENCY'], `${JSON.stringify(wish)} ${reply.raw}`);
        }
      }
      assert.equal(await countTransactions(platform), before);
    });

    it('stablecoins.md §8.3: a coin is neither among the exchange rates nor in discoveries', async () => {
      const { body: all } = await platform.call('getExchangeRates');
      assert.ok(all.data.length > 0);
      const codes = all.data.flatMap(
        (row: { sourceCurrency: { code: string }; destinationCurrency: { code: string } }) => [
          row.sourceCurrency.code,
          row.destinationCurrency.code,
        ],
      );
      assert.ok(!codes.includes('ACME'));
      for (const query of [{ sourceCurrency: 'ACME' }, { destinationCurrency: ['ACME'] }]) {
        const { status, body } = await platform.call('getExchangeRates', { query });
        assert.deepEqual([status, body.data], [200, []]);
      }
      const { status, body } = await platform.call('getDiscoveries', { query: { currency: 'ACME' } });
      assert.deepEqual([status, body.data], [200, []]);
    });

    it('stablecoins.md §8.3: look-ups of UMA addresses neither list a coin nor convert from one', async () => {
      const customer = await givenCustomer(platform, { ...PERSON, currencies: ['ACME', 'USD'] });
      const seen = await platform.call('lookupUma', { params: { receiverUmaAddress: customer.umaAddress } });
      assert.deepEqual(
        seen.body.supportedCurrencies.map(({ currency }: { currency: { code: string } }) => currency.code),
        ['USD'],
      );
      const only = await givenCustomer(platform, { ...PERSON, currencies: ['ACME'] });
      const nothing = await platform.call('lookupUma', { params: { receiverUmaAddress: only.umaAddress } });
      assert.deepEqual(codeOf(nothing), [400, 'INVALID_CURRENCY']);
      const rateFor = async (query: object) => {
        const params = { receiverUmaAddress: uma('success.eur') };
        const { body } = await platform.call('lookupUma', { params, query });
        return body.supportedCurrencies[0]?.estimatedExchangeRate;
      };
      assert.equal(await rateFor({ customerId: only.id }), await rateFor({}));
      const wallet = await givenSparkWallet(platform);
      const params = { accountId: wallet };
      assert.deepEqual(codeOf(await platform.call('lookupExternalAccount', { params })), [
        400,
        'INVALID_CURRENCY',
      ]);
    });

    it('stablecoins.md §8.3: no coin is offered over UMA', async () => {
      const own = await givenCoinPlatform(world);
      await own.receive();
      const customer = await givenCustomer(own, PERSON);
      const reply = await own.call('sandboxReceive', {
        body: {
          senderUmaAddress: uma('success.usd'),
          customerId: customer.id,
          receivingCurrencyCode: 'ACME',
          receivingCurrencyAmount: 5_000,
        },
      });
      assert.deepEqual(codeOf(reply), [400, 'INVALID_CURRENCY'], reply.raw);
    });

    it('stablecoins.md §8.1: an invitation cannot name a coin, because other platforms do not know it', async () => {
      const inviter = await givenCustomer(platform, { ...PERSON, currencies: ['ACME', 'EUR'] });
      const body = { inviterUma: inviter.umaAddress, amountToSend: 500 };
      const { body: made } = await platform.call('createInvitation', { body });
      assert.equal(made.amountToSend?.currency.code, 'EUR');
    });

    it('stablecoins.md §8.1: an account in it is never an embedded wallet', async () => {
      const customer = await givenCustomer(platform, { ...PERSON, email: 'ada@example.com' });
      const [own, ours] = [await fetchAccounts(platform, customer.id), await platformAccounts(platform)];
      for (const accounts of [own, ours]) assert.equal(inCurrency(accounts, 'ACME').type, 'INTERNAL_CRYPTO');
    });

    it('stablecoins.md §8.2, accounts.md §4.4: a Spark wallet can be in a coin, and no other external account can', async () => {
      for (const name of [
        'BASE_WALLET',
        'SOLANA_WALLET',
        'LIGHTNING',
        'USD_ACCOUNT',
        'SWIFT_ACCOUNT (IBAN)',
      ]) {
        const reply = await addAccount(platform, { ...buildAccountRequest(name), currency: 'ACME' });
        assert.deepEqual(codeOf(reply), [400, 'INVALID_CURRENCY'], name);
      }
      const made = await addAccount(platform, { ...buildAccountRequest('SPARK_WALLET'), currency: 'ACME' });
      assert.deepEqual([made.status, made.body.currency, made.body.status], [201, 'ACME', 'ACTIVE']);
      const strict = await givenCoinPlatform(world, { settings: { strictAccountValidation: true } });
      assert.equal(
        (await addAccount(strict, { ...buildAccountRequest('SPARK_WALLET'), currency: 'ACME' })).status,
        201,
      );
    });

    it('accounts.md §7.2, stablecoins.md §8.2: a withdrawal over Spark has no network fee, unless the operator sets one', async () => {
      const fees = { withdrawal: { ACME: 30 } };
      await setPlatform(world.app.runtime, platform.id, OPERATOR, { settings: { fees } });
      const ask = (cryptoNetwork: string) =>
        platform.send('estimateCryptoWithdrawalFee', {
          body: {
            internalAccountId: acme,
            currency: 'ACME',
            cryptoNetwork,
            amount: 1_000,
            destinationAddress: 'spark1qqqqqqqqqqqqqqqqqqqq',
          },
        });
      const { status, body, raw } = await ask('SPARK');
      assert.deepEqual([status, body.totalFee, body.netAmount], [200, 30, 970], raw);
      assert.deepEqual(refusedFields(await ask('SOLANA')), ['cryptoNetwork']);
    });
  });

  describe('of one platform', () => {
    it('stablecoins.md §8.1: is unknown to another platform in quotes, external accounts, customers and filters', async () => {
      await givenCoinPlatform(world);
      const other = await givenCoinPlatform(world);
      const stranger = await world.platform({ settings: { isRegulatedFinancialInstitution: true } });
      const payer = await fetchPayer(stranger, await givenCustomer(stranger, PERSON));
      const usd = payer.account('USD').id;
      const from = { realtime: 'ACME', network: 'SPARK', customerId: payer.id };
      for (const code of ['ACME', 'NOSUCH']) {
        const quote = await askQuote(stranger, { from: { ...from, realtime: code }, to: usd });
        assert.deepEqual(codeOf(quote), [400, 'INVALID_CURRENCY']);
        const wallet = await addAccount(stranger, { ...buildAccountRequest('SPARK_WALLET'), currency: code });
        assert.deepEqual(codeOf(wallet), [400, 'INVALID_CURRENCY']);
        const rates = await stranger.call('getExchangeRates', { query: { sourceCurrency: code } });
        assert.deepEqual(codeOf(rates), [400, 'INVALID_CURRENCY']);
        for (const list of ['listPlatformInternalAccounts', 'listCustomerExternalAccounts'] as const) {
          const { status, body } = await stranger.call(list, { query: { currency: code } });
          assert.deepEqual([status, body.data], [200, []]);
        }
      }
      const foreign = inCurrency(await platformAccounts(other), 'ACME').id;
      assert.deepEqual(codeOf(await askQuote(stranger, { from: usd, to: foreign })), [
        404,
        'ACCOUNT_NOT_FOUND',
      ]);
    });

    it('stablecoins.md §8.1: the same code is another currency on another platform, with its own decimals', async () => {
      const limits = { default: { maxUsdCents: 1_000, dailyUsdCents: 100_000 } };
      const platforms = await Promise.all(
        [2, 8].map((decimals) => givenCoinPlatform(world, { decimals, settings: { limits } })),
      );
      const paid = await Promise.all(
        platforms.map(async (platform) => {
          const [from, to] = [await givenPayer(platform, 0), await givenPayer(platform, 0)];
          const { decimals = 0 } = from.account('ACME').balance.currency;
          const most = 10 * 10 ** decimals;
          await givenCoins(platform, from.account('ACME').id, most + 1);
          const pay = (send: number) =>
            askQuote(platform, {
              from: from.account('ACME').id,
              to: to.account('ACME').id,
              send,
              more: AT_ONCE,
            });
          assert.deepEqual(codeOf(await pay(most + 1)), [400, 'TRANSACTION_SIZE_LIMIT_EXCEEDED']);
          assert.equal((await pay(most)).status, 201);
          await advance(platform, 2);
          return inCurrency(await fetchAccounts(platform, to.id), 'ACME').balance;
        }),
      );
      assert.deepEqual(
        paid.map(({ amount, currency }) => [amount, currency.decimals]),
        [
          [1_000, 2],
          [1_000_000_000, 8],
        ],
      );
    });
  });

  describe('that is disabled', () => {
    async function given() {
      const platform = await givenCoinPlatform(world);
      const [payer, receiver] = [await givenPayer(platform, 0), await givenPayer(platform, 0)];
      await givenCoins(platform, payer.account('ACME').id, 10_000_000);
      const wallet = await givenSparkWallet(platform, { customerId: payer.id });
      const [from, to] = [payer.account('ACME').id, receiver.account('ACME').id];
      return { platform, payer, receiver, wallet, from, to };
    }

    async function turn(platform: TestPlatform, change: typeof disableCurrency): Promise<void> {
      await (await platform.work()).write((tx) => change(tx, 'ACME'));
    }

    it('stablecoins.md §8.4: new quotes and transfers in it are refused until it is enabled again', async () => {
      const { platform, payer, wallet, from, to } = await given();
      const ask = async () => [
        await askQuote(platform, { from, to, send: 1_000 }),
        await askQuote(platform, { from, to: wallet, send: 1_000 }),
        await askQuote(platform, {
          from: { realtime: 'ACME', network: 'SPARK', customerId: payer.id },
          to,
          send: 1_000,
        }),
        await platform.call('createTransferOut', {
          body: { source: { accountId: from }, destination: { accountId: wallet }, amount: 1_000 },
        }),
      ];
      await turn(platform, disableCurrency);
      for (const reply of await ask()) {
        assert.deepEqual(codeOf(reply), [400, 'INVALID_CURRENCY'], reply.raw);
        assert.match(reply.raw, /ACME is disabled/);
      }
      assert.equal(await fetchBalance(platform, payer, 'ACME'), 10_000_000, 'balances stay, and are shown');
      assert.equal(
        (await addAccount(platform, { ...buildAccountRequest('SPARK_WALLET'), currency: 'ACME' })).status,
        201,
      );
      await turn(platform, enableCurrency);
      for (const reply of await ask()) assert.equal(reply.status, 201, reply.raw);
      await advance(platform, 2);
    });

    it('stablecoins.md §8.4, money.md §3.3: an open quote fails when it is executed; another process sees the change at once', async () => {
      const { platform, payer, from, to } = await given();
      const elsewhere = await world.elsewhere(platform);
      const quotes = [
        await quoted(platform, { from, to, send: 1_000 }),
        await quoted(elsewhere, { from, to, send: 1_000 }),
      ];
      await turn(platform, disableCurrency);
      for (const [i, caller] of [elsewhere, platform].entries()) {
        const { id = '', transactionId = '' } = quotes[i] ?? {};
        assert.deepEqual(codeOf(await execute(caller, id)), [400, 'QUOTE_RATE_UNAVAILABLE']);
        const { status, failureReason } = await readTransaction(platform, transactionId);
        assert.deepEqual([status, failureReason], ['FAILED', 'QUOTE_RATE_UNAVAILABLE']);
        assert.deepEqual(await postedKinds(platform, transactionId), []);
      }
      assert.equal(await fetchBalance(platform, payer, 'ACME'), 10_000_000);
    });

    it('stablecoins.md §8.4: a payment that awaits authorization counts as under way; the message names its amount and payee', async () => {
      const platform = await givenCoinPlatform(world);
      const european = await givenScaPayer(platform, 0);
      await givenCoins(platform, european.account('ACME').id, 5_000_000);
      const to = await givenSparkWallet(platform, { customerId: european.id });
      const quote = await quoted(platform, {
        from: european.account('ACME').id,
        to,
        send: 1_500_000,
        more: AT_ONCE,
      });
      assert.equal(quote.status, 'PENDING_AUTHORIZATION');
      await turn(platform, disableCurrency);
      await world.app.worker.settle(platform.id);
      const { body: messages } = await platform.call('listSandboxMessages');
      assert.match(messages.data[0]?.text ?? '', /pay 1\.500000 ACME/);
      const authorized = await authorize(platform, quote.id);
      assert.equal(authorized.status, 200, authorized.raw);
      await advance(platform, 2);
      assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L3a', 'L3b', 'L7']);
      assert.equal(await fetchBalance(platform, european, 'ACME'), 3_500_000);
    });

    it('stablecoins.md §8.4: payments under way are finished, and coins from outside are credited', async () => {
      const { platform, payer, receiver, wallet, from, to } = await given();
      const failing = await givenSparkWallet(platform, { customerId: payer.id, suffix: '004' });
      const [inside, outside, lost] = [
        await quoted(platform, { from, to, send: 1_000, more: AT_ONCE }),
        await quoted(platform, { from, to: wallet, send: 1_000, more: AT_ONCE }),
        await quoted(platform, { from, to: failing, send: 1_000, more: AT_ONCE }),
      ];
      const realtime = { realtime: 'ACME', network: 'SPARK', customerId: payer.id };
      const awaited = await quoted(platform, { from: realtime, to, send: 500 });
      const { reconciliationInstructions } = await readTransaction(platform, awaited.transactionId);
      await turn(platform, disableCurrency);
      const work = await workWithArrivals(platform, () => undefined);
      const arrival = { amount: 500n, currency: 'ACME', rail: 'SPARK', network: 'SPARK' } as const;
      const { reference } = reconciliationInstructions;
      for (const goal of [{ reference }, { accountId: uuidOf(to) }]) {
        const providerReference = newUuid();
        const row = await work.write((tx) => receiveDeposit(tx, { ...arrival, ...goal, providerReference }));
        assert.ok(!(row instanceof Refusal));
      }
      await advance(platform, 5);
      for (const { transactionId } of [inside, outside, awaited])
        assert.equal((await readTransaction(platform, transactionId)).status, 'COMPLETED');
      assert.equal((await readTransaction(platform, lost.transactionId)).refund?.status, 'COMPLETED');
      assert.equal(await fetchBalance(platform, payer, 'ACME'), 9_998_000);
      assert.equal(await fetchBalance(platform, receiver, 'ACME'), 2_000);
    });
  });

  describe('that arrive', () => {
    let platform: TestPlatform;
    let payer: Payer;
    let acme: string;

    before(async () => {
      platform = await givenCoinPlatform(world);
      payer = await givenPayer(platform, 0);
      acme = payer.account('ACME').id;
    });

    /** The number of receipts, entries and transactions. */
    async function booked(): Promise<number[]> {
      const [row] = await world.database.query<Record<'receipts' | 'entries', bigint>>(sql`
        select (select count(*) from payment_receipts where platform_id = ${platform.id}) as receipts,
               (select count(*) from ledger_entries where platform_id = ${platform.id}) as entries`);
      return [Number(row?.receipts), Number(row?.entries), await countTransactions(platform)];
    }

    const codeAndFields = (error: unknown) => {
      assert.ok(error instanceof Refusal, String(error));
      const errors = (error.details?.errors ?? []) as { field: string }[];
      return [error.code, ...errors.map(({ field }) => field)];
    };
    const refuses = async (attempt: Promise<unknown>, expected: string[]) =>
      assert.rejects(attempt, (error) => {
        assert.deepEqual(codeAndFields(error), expected);
        return true;
      });

    const arrival = (more: Partial<Arrival> = {}): Arrival => ({
      providerReference: newUuid(),
      amount: 700n,
      currency: 'ACME',
      rail: 'SPARK',
      accountId: uuidOf(acme),
      ...more,
    });
    const deposit = (more: object = {}) => ({
      accountId: uuidOf(acme),
      amount: 700n,
      currency: 'ACME',
      sender: 'Grace Hopper',
      bankReference: newUuid(),
      rail: 'SPARK',
      reason: 'seen on the network',
      ...more,
    });

    it('stablecoins.md §7.2: the sandbox funds no account in a coin, and points to a mint instead', async () => {
      for (const accountId of [acme, inCurrency(await platformAccounts(platform), 'ACME').id]) {
        const reply = await platform.call('sandboxFundInternalAccount', {
          params: { accountId },
          body: { amount: 1_000 },
        });
        assert.equal(reply.status, 400);
        assert.deepEqual(refusedFields(reply), ['accountId']);
        assert.match(reply.raw, /mint/);
      }
      assert.equal(await fetchBalance(platform, payer, 'ACME'), 0);
    });

    it('stablecoins.md §7.2: the sandbox does not fund a quote in a coin either', async () => {
      const from = { realtime: 'ACME', network: 'SPARK', customerId: payer.id };
      const quote = await quoted(platform, { from, to: acme, send: 1_000 });
      for (const currencyCode of ['ACME', 'USD']) {
        const reply = await platform.call('sandboxSend', { body: { quoteId: quote.id, currencyCode } });
        assert.deepEqual(codeOf(reply), [400, 'INVALID_INPUT']);
        assert.match(reply.raw, /Mint/);
      }
      const { status } = await readTransaction(platform, quote.transactionId);
      assert.equal(status, 'PENDING');
    });

    it('stablecoins.md §7, §8.2: coins arrive over Spark only, whether or not an account can be credited', async () => {
      const before = await booked();
      const work = await workWithArrivals(platform, () => undefined);
      for (const more of [{}, { accountId: newUuid() }]) {
        const notice = arrival({ rail: 'SANDBOX', ...more });
        await refuses(
          work.write((tx) => receiveDeposit(tx, notice)),
          ['INVALID_INPUT', 'rail'],
        );
      }
      await refuses(
        work.write((tx) => bookDeposit(tx, deposit({ rail: 'ACH', sender: '' }))),
        ['INVALID_INPUT', 'rail', 'sender'],
      );
      assert.deepEqual(await booked(), before);
    });

    it('stablecoins.md §7: coins that match no account wait in suspense, and leave over Spark only', async () => {
      const work = await workWithArrivals(platform, () => undefined);
      const answer = await work.write((tx) => receiveDeposit(tx, arrival({ accountId: newUuid() })));
      assert.equal(answer instanceof Refusal && answer.code, 'REFERENCE_NOT_FOUND');
      const [waiting] = await work.read((tx) => listSuspended(tx));
      assert.deepEqual([waiting?.kind, waiting?.currency], ['receipt.suspended', 'ACME']);
      const entryId = waiting?.id ?? newUuid();
      const resolve = (rail: string) =>
        work.write((tx) => resolveSuspense(tx, { entryId, target: { rail }, reason: 'sent back' }));
      await refuses(resolve('ACH'), ['INVALID_INPUT', 'rail']);
      await resolve('SPARK');
    });

    it('stablecoins.md §7, §8.2: arriving coins are announced before they are booked; if refused, nothing is booked, and they can be reported again', async () => {
      const seen: Arriving[] = [];
      const refusing = await workWithArrivals(platform, (coins) => {
        seen.push(coins);
        throw new Refusal('CONFLICT', 'There are not that many coins in external wallets.');
      });
      const quote = await quoted(platform, {
        from: { realtime: 'ACME', network: 'SPARK', customerId: payer.id },
        to: acme,
        send: 700,
      });
      const { reconciliationInstructions } = await readTransaction(platform, quote.transactionId);
      const { reference } = reconciliationInstructions;
      const before = await booked();
      const notices = [
        arrival(),
        arrival({ accountId: undefined, reference }),
        arrival({ accountId: newUuid() }),
      ];
      for (const notice of notices) {
        await refuses(
          refusing.write((tx) => receiveDeposit(tx, notice)),
          ['CONFLICT'],
        );
      }
      const byHand = deposit();
      await refuses(
        refusing.write((tx) => bookDeposit(tx, byHand)),
        ['CONFLICT'],
      );
      assert.deepEqual(seen, Array(4).fill({ currency: 'ACME', amount: 700n }));
      assert.deepEqual(await booked(), before);

      const had = await fetchBalance(platform, payer, 'ACME');
      const taking = await workWithArrivals(platform, (coins) => void seen.push(coins));
      for (const notice of [...notices, ...notices]) await taking.write((tx) => receiveDeposit(tx, notice));
      const outcome = await taking.write((tx) => bookDeposit(tx, byHand));
      assert.ok(!(outcome instanceof Refusal));
      assert.equal(seen.length, 8, 'a repeated report is not announced again');
      await advance(platform, 2);
      assert.equal(await fetchBalance(platform, payer, 'ACME'), had + 3 * 700);
    });

    it('stablecoins.md §7: other currencies are not announced', async () => {
      const work = await workWithArrivals(platform, () => assert.fail('announced'));
      const dollars = { accountId: uuidOf(payer.account('USD')), currency: 'USD', rail: 'ACH' };
      assert.ok(!((await work.write((tx) => receiveDeposit(tx, arrival(dollars)))) instanceof Refusal));
    });

    it('stablecoins.md §7, money.md §11.L8: coins that are returned after their delivery are announced too', async () => {
      const own = await givenPayer(platform, 0);
      await givenCoins(platform, own.account('ACME').id, 5_000);
      const to = await givenSparkWallet(platform, { customerId: own.id });
      const { transactionId } = await quoted(platform, {
        from: own.account('ACME').id,
        to,
        send: 2_000,
        more: AT_ONCE,
      });
      await advance(platform, 2);
      const report = { reference: uuidOf(transactionId), notices: [{ kind: 'returned' as const }] };
      const refusing = await workWithArrivals(platform, () => {
        throw new Refusal('CONFLICT', 'There are not that many coins in external wallets.');
      });
      await refuses(
        refusing.write((tx) => receiveReport(tx, report)),
        ['CONFLICT'],
      );
      assert.equal((await readTransaction(platform, transactionId)).status, 'COMPLETED');
      const seen: Arriving[] = [];
      const taking = await workWithArrivals(platform, (coins) => void seen.push(coins));
      await taking.write((tx) => receiveReport(tx, report));
      await advance(platform, 5);
      assert.deepEqual(seen, [{ currency: 'ACME', amount: 2_000n }]);
      assert.equal(await fetchBalance(platform, own, 'ACME'), 5_000);
    });

    it('stablecoins.md §7, money.md §11.L8, §12.14: coins that are returned in one commit are announced together', async () => {
      const own = await givenPayer(platform, 0);
      const from = own.account('ACME').id;
      await givenCoins(platform, from, 5_000);
      const to = await givenSparkWallet(platform, { customerId: own.id });
      const reports: Report[] = [];
      for (const send of [2_000, 3_000]) {
        const { transactionId } = await quoted(platform, { from, to, send, more: AT_ONCE });
        reports.push({ reference: uuidOf(transactionId), notices: [{ kind: 'returned' }] });
      }
      await advance(platform, 2);
      const seen: Arriving[] = [];
      const taking = await workWithArrivals(platform, (coins) => void seen.push(coins));
      await taking.write((tx) => receiveReports(tx, reports));
      assert.deepEqual(seen, [{ currency: 'ACME', amount: 5_000n }]);
    });
  });
});
