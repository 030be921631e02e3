// lane: whole — a part of the service that tests bring

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pino from 'pino';
import { type App, createApp } from '#app/app.ts';
import { addCurrency } from '#capabilities/platform/add-currency.ts';
import { disableCurrency, enableCurrency } from '#capabilities/platform/disable-currency.ts';
import { setPlatform } from '#capabilities/platform/set-platform.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { OwnCurrency } from '#foundation/lib/currencies.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { folderStore } from '#foundation/uploads/storage/folder-store.ts';
import { sealedStorage } from '#foundation/uploads/storage/open-storage.ts';
import { fetchAccounts, inCurrency, platformAccounts, posts, supports } from '#tests/given/accounts.ts';
import { givenCoins } from '#tests/given/coins.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { refusedFields } from '#tests/given/external-accounts.ts';
import { advance, givenOutside, givenPlatform } from '#tests/given/payments.ts';
import { PATIENCE } from '#tests/harness/databases.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const GLOBEX: OwnCurrency = { code: 'GLOBEX', name: 'Globex Dollar', symbol: 'GLX', decimals: 5 };
const OPERATOR = { kind: 'operator', id: 'test' } as const;

describe('a currency of a platform’s own', () => {
  const world = testWorld({ journalIsChecked: false });
  let platform: TestPlatform;

  before(async () => {
    platform = await givenPlatform(world);
    await adds(platform, GLOBEX);
    await supports(platform, ['USD', 'GLOBEX']);
  });

  async function adds(own: TestPlatform, currency: OwnCurrency): Promise<void> {
    const work = await own.work();
    await work.write((tx) => addCurrency(tx, currency));
  }

  const refused = (code: string, fields?: string[]) => (error: unknown) => {
    assert.ok(error instanceof Refusal, String(error));
    const errors = (error.details?.errors ?? []) as { field: string }[];
    assert.deepEqual([error.code, errors.map(({ field }) => field)], [code, fields ?? []]);
    return true;
  };

  async function ownCurrencies(own: TestPlatform) {
    return (await own.work()).platform.ownCurrencies;
  }

  describe('adding it', () => {
    it('decision 0016: a code, name, symbol or number of decimals that is not possible is refused, and every one is named', async () => {
      const own = await world.platform();
      for (const code of ['', 'AB', 'ABCDEFGHIJK', 'globex', '1GLOBEX', 'GLO-BEX', 'GLOBEX\n', '__proto__']) {
        await assert.rejects(adds(own, { ...GLOBEX, code }), refused('INVALID_INPUT', ['code']), code);
      }
      for (const decimals of [-1, 9, 1.5, Number.NaN]) {
        await assert.rejects(adds(own, { ...GLOBEX, decimals }), refused('INVALID_INPUT', ['decimals']));
      }
      const nothing = { code: '', name: ' ', symbol: 'a\u0000', decimals: 99 };
      const all = ['code', 'name', 'symbol', 'decimals'];
      await assert.rejects(adds(own, nothing), refused('INVALID_INPUT', all));
      assert.deepEqual(await ownCurrencies(own), {});
    });

    it('platform.md §1.2.5: a currency that every platform knows cannot be a platform’s own', async () => {
      const own = await world.platform();
      for (const code of ['USD', 'USDC', 'BTC']) {
        await assert.rejects(adds(own, { ...GLOBEX, code }), refused('CONFLICT'));
      }
      assert.deepEqual(await ownCurrencies(own), {});
    });

    it('adding the same currency again changes nothing; another one under the code is refused', async () => {
      const own = await world.platform();
      await adds(own, GLOBEX);
      await adds(own, { decimals: 5, symbol: 'GLX', name: 'Globex Dollar', code: 'GLOBEX' });
      for (const other of [{ decimals: 6 }, { name: 'Globex' }, { symbol: '$' }]) {
        await assert.rejects(adds(own, { ...GLOBEX, ...other }), refused('CONFLICT'));
      }
      const { code, ...terms } = GLOBEX;
      assert.deepEqual(await ownCurrencies(own), { [code]: terms });
      const audited = await world.database.query<{ details: unknown }>(sql`
        select details from audit_log where platform_id = ${own.id} and action = 'currency add'`);
      assert.deepEqual(audited, [{ details: GLOBEX }]);
    });

    it('of many calls that add different ones under one code at once, one wins', async () => {
      const own = await world.platform();
      const tries = Array.from({ length: 9 }, (_, decimals) => adds(own, { ...GLOBEX, decimals }));
      const outcomes = await Promise.allSettled(tries);
      const won = outcomes.flatMap(({ status }, decimals) => (status === 'fulfilled' ? [decimals] : []));
      assert.equal(won.length, 1);
      assert.equal((await ownCurrencies(own)).GLOBEX?.decimals, won[0]);
      await Promise.all([adds(own, { ...GLOBEX, code: 'AAA' }), adds(own, { ...GLOBEX, code: 'BBB' })]);
      assert.deepEqual(Object.keys(await ownCurrencies(own)).sort(), ['AAA', 'BBB', 'GLOBEX']);
    });

    it('the database refuses to change or remove it, and refuses a value that is not a currency', async () => {
      const { decimals: _, ...without } = GLOBEX;
      for (const value of [
        {},
        { GLOBEX: { ...without, decimals: 6 } },
        { GLOBEX: without },
        { ...(await ownCurrencies(platform)), glo: { ...without, decimals: 2 } },
        { ...(await ownCurrencies(platform)), OTHER: { ...without, decimals: '2' } },
        { ...(await ownCurrencies(platform)), OTHER: { ...without, decimals: 9 } },
        [],
      ]) {
        const text = JSON.stringify(value);
        const change = world.database.query(
          sql`update platforms set own_currencies = ${text}::jsonb where id = ${platform.id}`,
        );
        await assert.rejects(change, /cannot be changed or taken away|platforms_own_currencies/, text);
      }
    });
  });

  describe('disabling it', () => {
    async function disabled(own: TestPlatform) {
      return (await own.work()).platform.disabledCurrencies;
    }

    it('stablecoins.md §8.4: it is loaded with the platform; a repetition changes nothing, enabling reverses it, and both are audited', async () => {
      const own = await world.platform();
      await adds(own, GLOBEX);
      await adds(own, { ...GLOBEX, code: 'OTHER' });
      assert.deepEqual(await disabled(own), []);
      const write = async (steps: typeof disableCurrency, code: string) =>
        (await own.work()).write((tx) => steps(tx, code));
      for (const code of ['GLOBEX', 'OTHER', 'GLOBEX']) await write(disableCurrency, code);
      assert.deepEqual(await disabled(own), ['GLOBEX', 'OTHER']);
      for (const code of ['GLOBEX', 'GLOBEX']) await write(enableCurrency, code);
      assert.deepEqual(await disabled(own), ['OTHER']);
      const audited = await world.database.query<{ action: string; details: { code: string } }>(sql`
        select action, details from audit_log
         where platform_id = ${own.id} and action in ('currency disable', 'currency enable') order by id`);
      assert.deepEqual(
        audited.map(({ action, details }) => `${action} ${details.code}`),
        ['currency disable GLOBEX', 'currency disable OTHER', 'currency enable GLOBEX'],
      );
    });

    it('stablecoins.md §8.4: the database refuses to disable a currency that is not the platform’s own', async () => {
      for (const codes of [['USD'], ['NONE'], ['GLOBEX', null]]) {
        const change = world.database.query(
          sql`update platforms set disabled_currencies = ${codes}::text[] where id = ${platform.id}`,
        );
        await assert.rejects(change, /platforms_disabled_currencies/);
      }
      await assert.rejects((await platform.work()).write((tx) => disableCurrency(tx, 'USD')));
      assert.deepEqual(await disabled(platform), []);
    });
  });

  describe('once it is there', () => {
    const shown = (amount: number) => ({
      amount,
      currency: { code: 'GLOBEX', name: 'Globex Dollar', symbol: 'GLX', decimals: 5 },
    });

    it('platform.md §1.2.5: it is configured like any other, and accounts in it are opened and shown', async () => {
      const { body: config } = await platform.call('getPlatformConfig');
      assert.deepEqual(
        config.supportedCurrencies.map(({ currencyCode }: { currencyCode: string }) => currencyCode),
        ['USD', 'GLOBEX'],
      );
      const own = inCurrency(await platformAccounts(platform), 'GLOBEX');
      assert.deepEqual([own.type, own.balance, own.totalBalance], ['INTERNAL_CRYPTO', shown(0), shown(0)]);
      const customer = await givenCustomer(platform, PERSON);
      const account = inCurrency(await fetchAccounts(platform, customer.id), 'GLOBEX');
      assert.deepEqual([account.type, account.balance], ['INTERNAL_CRYPTO', shown(0)]);
      const { body: found } = await platform.call('listCustomerInternalAccounts', {
        query: { currency: 'GLOBEX', customerId: customer.id },
      });
      assert.deepEqual(found.data, [account]);
    });

    it('platform.md §1.2.5: money is posted in it, and balance and BALANCE_UPDATED show it with its decimals', async () => {
      const receiver = await platform.receive();
      const customer = await givenCustomer(platform, PERSON);
      const account = inCurrency(await fetchAccounts(platform, customer.id), 'GLOBEX');
      await posts(platform, account, 'deposit', 1_250_000n);
      await posts(platform, account, 'hold', 250_000n);
      const after = inCurrency(await fetchAccounts(platform, customer.id), 'GLOBEX');
      assert.deepEqual([after.balance, after.totalBalance], [shown(1_000_000), shown(1_250_000)]);
      await world.app.worker.settle(platform.id);
      const told = receiver.received.flatMap(({ body: { type, data } }) =>
        type === 'INTERNAL_ACCOUNT.BALANCE_UPDATED' && data.id === account.id ? [data.balance] : [],
      );
      assert.deepEqual(told, [shown(1_250_000), shown(1_000_000)]);
    });

    it('platform.md §1.2.5: a payment in it is shown, listed and reported like any other', async () => {
      const receiver = await platform.receive();
      const account = inCurrency(await platformAccounts(platform), 'GLOBEX');
      await givenCoins(platform, account.id, 700_000);
      assert.deepEqual(inCurrency(await platformAccounts(platform), 'GLOBEX').balance, shown(700_000));
      const { body: list } = await platform.call('listTransactions', {
        query: { accountIdentifier: account.id },
      });
      assert.deepEqual(
        [list.data.length, list.data[0]?.sentAmount, list.data[0]?.receivedAmount],
        [1, shown(700_000), shown(700_000)],
      );
      await advance(platform, 1);
      const told = receiver.received.map(({ body: { type, data } }) => [
        type,
        type.startsWith('INCOMING') ? data.receivedAmount : data.balance,
      ]);
      assert.deepEqual(
        told.filter(([type]) => type !== 'TEST'),
        [
          ['INCOMING_PAYMENT.COMPLETED', shown(700_000)],
          ['INTERNAL_ACCOUNT.BALANCE_UPDATED', shown(700_000)],
        ],
      );
    });

    it('stablecoins.md §8.2: it is quoted against nothing else, and never answered with a 5xx', async () => {
      const accounts = await platformAccounts(platform);
      const [coins, dollars] = [inCurrency(accounts, 'GLOBEX').id, inCurrency(accounts, 'USD').id];
      for (const [from, to] of [
        [coins, dollars],
        [dollars, coins],
        [coins, await givenOutside(platform, undefined)],
      ]) {
        const reply = await platform.call('createQuote', {
          body: {
            source: { sourceType: 'ACCOUNT', accountId: from },
            destination: { destinationType: 'ACCOUNT', accountId: to },
            lockedCurrencySide: 'SENDING',
            lockedCurrencyAmount: 100,
          },
        });
        assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_CURRENCY'], reply.raw);
      }
      const { status, body } = await platform.call('getExchangeRates', {
        query: { sourceCurrency: 'GLOBEX' },
      });
      assert.deepEqual([status, body.data], [200, []]);
    });

    it('platform.md §3.3: the operator’s settings may name it, on this platform only', async () => {
      const settings = {
        fees: { fixed: { GLOBEX: 5 }, withdrawal: { GLOBEX: 5 } },
        limits: { corridors: { GLOBEX: { minUsdCents: 1 } } },
      };
      await setPlatform(world.app.runtime, platform.id, OPERATOR, { settings });
      const other = await world.platform();
      const change = setPlatform(world.app.runtime, other.id, OPERATOR, { settings });
      await assert.rejects(
        change,
        refused('INVALID_INPUT', ['fees.fixed.GLOBEX', 'fees.withdrawal.GLOBEX', 'limits.corridors.GLOBEX']),
      );
    });
  });

  describe('others', () => {
    async function configures(own: TestPlatform, code: string) {
      return own.call('updatePlatformConfig', {
        body: {
          supportedCurrencies: [
            {
              currencyCode: code,
              minAmount: 5,
              maxAmount: 1,
              requiredCounterpartyFields: [],
              enabledTransactionTypes: [],
            },
          ],
        },
      });
    }

    it('platform.md §1.2.5: to another platform it is no currency', async () => {
      const other = await givenPlatform(world);
      const reply = await configures(other, 'GLOBEX');
      assert.equal(reply.status, 400);
      // Every bad field at once, as with any unknown code.
      const fields = ['currencyCode', 'minAmount'].map((name) => `supportedCurrencies.0.${name}`);
      assert.deepEqual(refusedFields(reply), fields);
      assert.deepEqual(refusedFields(await configures(other, 'XXX')), fields);
      assert.deepEqual(refusedFields(await configures(platform, 'GLOBEX')), fields.slice(1));
      const rates = await other.call('getExchangeRates', { query: { sourceCurrency: 'GLOBEX' } });
      assert.deepEqual([rates.status, rates.body.code], [400, 'INVALID_CURRENCY']);
    });

    it('platform.md §1.2.5: another platform may have another one of the same code', async () => {
      const other = await givenPlatform(world);
      const theirs = { ...GLOBEX, name: 'Other', decimals: 2 };
      await adds(other, theirs);
      await supports(other, ['GLOBEX']);
      const shown = async (own: TestPlatform) =>
        inCurrency(await platformAccounts(own), 'GLOBEX').balance.currency;
      assert.deepEqual(await shown(other), theirs);
      assert.deepEqual(await shown(platform), GLOBEX);
    });
  });

  describe('other processes', () => {
    const opened: { app: App; database: Database }[] = [];

    after(async () => {
      for (const { app, database } of opened) {
        await app.close();
        await database.close();
      }
    });

    async function startProcess(): Promise<App> {
      const { vault, personKeys, serviceKey } = world.app.runtime;
      const database = openDatabase({ url: world.databaseUrl, connectionsMax: 4, ...PATIENCE });
      const app = await createApp({
        database,
        ...{ vault, personKeys },
        serviceKey,
        clock: world.clock,
        newId: newUuid,
        names: wireNames('Svc'),
        domains: TEST_DOMAINS,
        storage: sealedStorage(folderStore(world.storageFolder)),
        log: pino({ level: 'silent' }),
      });
      opened.push({ app, database });
      return app;
    }

    it('a running process and one that starts later know it at once', async () => {
      const own = await givenPlatform(world);
      const running = await startProcess();
      const ask = async (app: App, method: 'GET' | 'PATCH', path: string, body?: object) => {
        const reply = await app.http.inject({
          method,
          url: `${wireNames('Svc').basePath}${path}`,
          headers: { authorization: own.authorization },
          ...(body && { payload: body }),
        });
        return { status: reply.statusCode, body: reply.json() };
      };
      assert.equal((await ask(running, 'GET', '/config')).status, 200);
      await adds(own, GLOBEX);
      const rule = {
        minAmount: 1,
        maxAmount: 9,
        requiredCounterpartyFields: [],
        enabledTransactionTypes: [],
      };
      const supportedCurrencies = [{ currencyCode: 'GLOBEX', ...rule }];
      assert.equal((await ask(running, 'PATCH', '/config', { supportedCurrencies })).status, 200);
      for (const app of [running, await startProcess()]) {
        const { body } = await ask(app, 'GET', '/platform/internal-accounts?currency=GLOBEX');
        assert.deepEqual(
          body.data.map(({ balance }: { balance: object }) => balance),
          [{ amount: 0, currency: GLOBEX }],
        );
      }
    });
  });
});
