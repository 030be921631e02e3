import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type PollParts, pollRates } from '#capabilities/pricing/rate-source/poll-rates.ts';
import { RatePoller } from '#capabilities/pricing/rate-source/rate-poller.ts';
import {
  type ClearRates,
  clearRates,
  setRates,
  stopRates,
} from '#capabilities/pricing/rate-source/set-rates.ts';
import { claimPoll, findPoll, listRates } from '#capabilities/pricing/rate-source/store.ts';
import { operatorRates } from '#edge/providers/operator-rates.ts';
import { httpRateSource } from '#edge/providers/rate-source.ts';
import { openDatabase } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { createProviderClient, type ProviderClientOptions } from '#foundation/outbound/outbound.ts';
import { inCurrency, platformAccounts, posts } from '#tests/given/accounts.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import { onInstallation } from '#tests/given/operators.ts';
import { execute, givenPlatform } from '#tests/given/payments.ts';
import { seatedOperator } from '#tests/given/proposals.ts';
import { askQuote, countTransactions } from '#tests/given/quotes.ts';
import { createRateServer, givenRates, type RateServer, rateDocument } from '#tests/given/rates.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const MINUTE_MS = 60_000;
const RATES = { EUR: '0.92', BTC: '0.00000833', MXN: '17.25' };
const OPERATOR = { kind: 'operator', id: 'ada' } as const;

describe('rates of production', () => {
  const world = testWorld();
  let live: TestPlatform;
  let usd: string;
  let eur: string;
  let server: RateServer;

  before(async () => {
    server = await createRateServer();
    live = await givenPlatform(world, { environment: 'PRODUCTION', currencies: ['USD', 'EUR', 'MXN'] });
    const work = await live.work();
    await work.write(async (tx) => {
      await tx.sql`
        update internal_accounts set status = 'ACTIVE', provisioning = 'COMPLETED'
         where platform_id = ${tx.platformId}`;
    });
    const accounts = await platformAccounts(live);
    usd = inCurrency(accounts, 'USD').id;
    eur = inCurrency(accounts, 'EUR').id;
    await posts(live, inCurrency(accounts, 'USD'), 'deposit', 1_000_000n);
  });
  after(() => server.close());
  beforeEach(async () => {
    await world.database.query(sql`delete from exchange_rates`);
    await world.database.query(sql`delete from stopped_currencies`);
    await world.database.query(sql`update rate_poll set next_at = 'epoch', taken_at = null, trouble = null`);
    server.requests.length = 0;
  });

  const now = () => new Date(world.clock.now());
  const partsAt = (url: string, client: ProviderClientOptions = {}): PollParts => ({
    database: world.database,
    clock: world.clock,
    ageMaxMs: 60 * MINUTE_MS,
    source: httpRateSource({ url, ageMaxMs: 60 * MINUTE_MS }, createProviderClient(client)),
  });
  const poll = (options?: { isUrgent: boolean }) => pollRates(partsAt(server.url), options);
  const source = (rates: Record<string, unknown>, more?: object, at = now()) =>
    server.answer(rateDocument(at, rates, more));
  const listed = async () =>
    (await live.call('getExchangeRates', { query: { sourceCurrency: 'USD' } })).body.data;
  const rateTo = async (code: string) =>
    (await listed()).find(
      (row: { destinationCurrency: { code: string } }) => row.destinationCurrency.code === code,
    );
  const quote = (to = eur) => askQuote(live, { from: usd, to, send: 10_000 });
  const quoteCode = async (to = eur) => {
    const reply = await quote(to);
    return reply.status === 201 ? 'OK' : reply.body.code;
  };
  const set = (perUsd: Record<string, string>, hours = 24) =>
    onInstallation(
      world,
      (tx) =>
        setRates(tx, {
          perUsd: new Map(Object.entries(perUsd)),
          forMs: hours * 60 * MINUTE_MS,
          reason: 'case 4711',
        }),
      OPERATOR,
    );
  const clear = (wanted: ClearRates) => onInstallation(world, (tx) => clearRates(tx, wanted), OPERATOR);

  describe('without any', () => {
    it('platform.md §6: the list is empty; an unknown code is still refused', async () => {
      const reply = await live.call('getExchangeRates');
      assert.deepEqual([reply.status, reply.body.data], [200, []]);
      const unknown = await live.call('getExchangeRates', { query: { sourceCurrency: 'XYZ' } });
      assert.equal(unknown.body.code, 'INVALID_CURRENCY');
    });

    it('money.md §2.13, §9.8: quotes, transfers and look-ups are refused with QUOTE_REQUEST_FAILED, even within one currency, and store nothing', async () => {
      const bank = await givenExternalAccount(live, 'USD_ACCOUNT', {});
      await (await live.work()).write(async (tx) => {
        await tx.sql`
          update external_accounts set status = 'ACTIVE', us_validation = 'VALID' where platform_id = ${tx.platformId}`;
      });
      const before = await countTransactions(live);
      const [source, destination] = [{ accountId: usd }, { accountId: bank.id }];
      const replies = [
        await quote(),
        await quote(bank.id),
        await live.call('createTransferOut', { body: { source, destination, amount: 100 } }),
        await live.call('createTransferIn', {
          body: { source: destination, destination: source, amount: 100 },
        }),
        await live.call('lookupExternalAccount', { params: { accountId: bank.id } }),
      ];
      for (const reply of replies) {
        assert.deepEqual([reply.status, reply.body.code], [400, 'QUOTE_REQUEST_FAILED'], reply.raw);
      }
      assert.equal(await countTransactions(live), before);
    });
  });

  describe('from a source', () => {
    it('money.md §1.2, platform.md §6.1: one reading is kept for 300 s, and every process prices with it', async () => {
      const first = now();
      source({ ...RATES, XXQ: 'whatever', USD: '1' });
      assert.deepEqual(await poll(), { kind: 'taken', currencies: 3 });
      source({ ...RATES, EUR: '0.80' });
      world.clock.advance(299_999);
      assert.deepEqual(await poll(), { kind: 'elsewhere' });
      const row = await rateTo('EUR');
      assert.deepEqual([row?.exchangeRate, row?.updatedAt], [1.08695652, first.toISOString()]);
      const reply = await quote();
      assert.deepEqual([reply.status, reply.body.totalReceivingAmount], [201, 9_154], reply.raw);
      world.clock.advance(1);
      source({ ...RATES, EUR: '0.80' });
      assert.equal((await poll()).kind, 'taken');
      const another = openDatabase({ url: world.databaseUrl, connectionsMax: 2 });
      const snapshot = await operatorRates(another).snapshot(now());
      await another.close();
      assert.deepEqual([snapshot?.perUsd.EUR, snapshot?.readAt], ['0.80', now()]);
      const later = await rateTo('EUR');
      assert.deepEqual([later?.exchangeRate, later?.updatedAt], [1.25, now().toISOString()]);
      assert.equal(server.requests.length, 2);
    });

    it('of many workers one polls', async () => {
      source(RATES);
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => poll()));
      assert.equal(outcomes.filter(({ kind }) => kind === 'taken').length, 1);
      assert.equal(server.requests.length, 1);
    });

    it('if a worker dies during a poll, another one polls after a minute', async () => {
      source(RATES);
      await claimPoll(world.database.query, now(), new Date(world.clock.now() + MINUTE_MS));
      world.clock.advance(MINUTE_MS - 1);
      assert.equal((await poll()).kind, 'elsewhere');
      world.clock.advance(1);
      assert.equal((await poll()).kind, 'taken');
    });

    it('an answer that arrives after another worker has polled is dropped', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const old = rateDocument(now(), { ...RATES, EUR: '0.91' });
      server.answer(async () => {
        await promise;
        return old;
      });
      const slow = poll();
      while (server.requests.length === 0) await new Promise(setImmediate);
      world.clock.advance(MINUTE_MS);
      source(RATES);
      assert.equal((await poll()).kind, 'taken');
      resolve();
      assert.equal((await slow).kind, 'elsewhere');
      assert.equal((await rateTo('EUR'))?.exchangeRate, 1.08695652);
    });

    it('a currency that the source has dropped has no corridor any more', async () => {
      source(RATES);
      await poll();
      const { MXN: _gone, ...left } = RATES;
      world.clock.advance(300_000);
      source(left);
      await poll();
      assert.equal(await rateTo('MXN'), undefined);
      const mxn = inCurrency(await platformAccounts(live), 'MXN').id;
      assert.equal(await quoteCode(mxn), 'INVALID_CURRENCY');
    });

    it('the worker polls by itself and logs the problems', async () => {
      server.answer({ status: 503, body: '' });
      const outcomes: unknown[] = [];
      const poller = new RatePoller(partsAt(server.url), { onOutcome: (outcome) => outcomes.push(outcome) });
      await poller.pump();
      await poller.pump();
      while (outcomes.length === 0) await new Promise(setImmediate);
      assert.deepEqual(outcomes, [{ kind: 'refused', problems: ['RATES_URL answers with status 503'] }]);
      assert.deepEqual(poller.counters(), [
        { name: 'corridor_rate_polls_total', labels: { outcome: 'refused' }, value: 1 },
      ]);
      source(RATES);
      world.clock.advance(MINUTE_MS);
      await poller.pump();
      await poller.drain(10_000);
      assert.equal((await listRates(world.database.query)).length, 3);
      world.clock.advance(300_000);
      await poller.pump();
      assert.equal(server.requests.length, 2, 'a draining worker starts no poll');
    });
  });

  describe('that are wrong', () => {
    const refusedWith = async (problems: readonly (string | RegExp)[]) => {
      const outcome = await poll({ isUrgent: true });
      assert.equal(outcome.kind, 'refused');
      const told = outcome.kind === 'refused' ? outcome.problems : [];
      assert.equal(told.length, problems.length, told.join('\n'));
      for (const [i, problem] of problems.entries()) assert.match(told[i] ?? '', new RegExp(problem));
    };

    it('every invalid entry is named, and the whole document is refused', async () => {
      source({
        ...RATES,
        MXN: '0',
        GBP: '-1',
        BRL: 5.15,
        INR: '1e3',
        CAD: '10000000000.5',
        NGN: null,
        PHP: '',
        AED: '0.0000000001',
        COP: '9'.repeat(1_000),
        USD: '2',
      });
      await refusedWith([
        'rates.MXN must be from',
        'rates.GBP must be a plain decimal',
        'rates.BRL must be in quotes',
        'rates.INR must be a plain decimal',
        'rates.CAD must be a plain decimal|must be from',
        'rates.NGN must be in quotes',
        'rates.PHP must be a plain decimal',
        'rates.AED must be from',
        'rates.COP must be a plain decimal',
        'rates.USD must be "1"',
      ]);
      assert.deepEqual(await listRates(world.database.query), []);
      assert.match((await findPoll(world.database.query))?.trouble ?? '', /rates\.MXN .*; rates\.GBP/);
    });

    for (const [what, body, problem] of [
      ['no JSON', '<html>', 'not a complete JSON object'],
      ['a list', '[]', 'not a complete JSON object'],
      ['cut off', '{"base":"USD","timestamp":"2026', 'not a complete JSON object'],
      ['too large', `{"x":"${'y'.repeat(300_000)}"}`, 'more than 262144 bytes'],
    ] as const) {
      it(`an answer that is ${what} is refused`, async () => {
        server.answer({ body });
        await refusedWith([problem]);
      });
    }

    it('base, time and the needed currencies are required; a time too old or in the future is refused', async () => {
      server.answer({ body: JSON.stringify({ base: 'EUR', timestamp: 'yesterday', rates: [] }) });
      await refusedWith([
        'base must be "USD"',
        'timestamp must be a time',
        'rates.EUR is missing',
        'rates.BTC is missing',
      ]);
      source(RATES, {}, new Date(world.clock.now() - 60 * MINUTE_MS));
      await refusedWith(['timestamp .* older than RATES_MAX_AGE_MINUTES']);
      source(RATES, {}, new Date(world.clock.now() + 5 * MINUTE_MS + 1));
      await refusedWith(['timestamp .* in the future']);
      for (const timestamp of ['2026-02-31T00:00:00', '2026-02-31T00:00:00Z', 1_772_446_000, null]) {
        source(RATES, { timestamp });
        await refusedWith(['timestamp must be a time']);
      }
    });

    it('an older document is refused; a document with the same time is accepted', async () => {
      const at = now();
      source(RATES, {}, at);
      await poll();
      world.clock.advance(300_000);
      source(RATES, {}, new Date(at.getTime() - 1));
      await refusedWith(['older than that of the previous document']);
      source(RATES, {}, at);
      assert.equal((await poll({ isUrgent: true })).kind, 'taken');
      assert.equal((await rateTo('EUR'))?.updatedAt, now().toISOString());
    });

    it('a rate that doubled or halved is refused until the operator confirms it', async () => {
      source(RATES);
      await poll();
      source({ ...RATES, EUR: '92', MXN: '8.6' });
      await refusedWith(['rates.EUR is 92 after 0.92: confirm', 'rates.MXN is 8.6 after 17.25: confirm']);
      assert.equal((await rateTo('EUR'))?.exchangeRate, 1.08695652);
      source({ ...RATES, MXN: '8.6' });
      await refusedWith(['rates.MXN is 8.6']);
      await set({ MXN: '8.7' });
      assert.equal((await poll({ isUrgent: true })).kind, 'taken');
    });

    it('a confirmation ends when the rate that was set by hand expires', async () => {
      await set({ EUR: '92' }, 1);
      world.clock.advance(60 * MINUTE_MS);
      source(RATES);
      assert.equal((await poll({ isUrgent: true })).kind, 'taken');
      source({ ...RATES, EUR: '92' });
      await refusedWith(['rates.EUR is 92 after 0.92: confirm']);
    });

    it('redirects are not followed, and errors are reported without address or credentials', async () => {
      server.answer({ status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' });
      await refusedWith(['RATES_URL answers with status 302']);
      const secret = server.url.replace('http://', 'http://ada:s%3Acret@').concat('?key=hidden');
      await pollRates(partsAt(secret), { isUrgent: true });
      const [, request] = server.requests;
      assert.equal(request?.headers.authorization, `Basic ${Buffer.from('ada:s:cret').toString('base64')}`);
      assert.equal(request?.url, '/rates?key=hidden');
      const { trouble } = (await findPoll(world.database.query)) ?? {};
      assert.doesNotMatch(trouble ?? '', /cret|hidden/);
    });

    it('plain http reaches only the operator’s own network, and no metadata address is ever reached', async () => {
      for (const [url, address] of [
        ['http://rates.example/', '93.184.216.34'],
        ['http://rates.example/', '169.254.169.254'],
        ['https://rates.example/', '169.254.169.254'],
      ] as const) {
        const outcome = await pollRates(partsAt(url, { resolve: async () => [address] }), { isUrgent: true });
        assert.deepEqual(outcome, {
          kind: 'refused',
          problems: ['RATES_URL cannot be reached: the host has an address that is not allowed'],
        });
      }
    });

    it('the database itself refuses a rate that is not a plausible price', async () => {
      for (const rate of ['0', '-1', 'NaN', 'Infinity', '1000000001']) {
        const row = sql`
          insert into exchange_rates values ('EUR', 'OPERATOR', ${rate}::numeric, now(), now(), now() + interval '1 hour')`;
        await assert.rejects(world.database.query(row), /exchange_rates_per_usd_check/, rate);
      }
    });
  });

  describe('that have become too old', () => {
    it('money.md §1.2: nothing new is priced, and a quote keeps its rate', async () => {
      source(RATES);
      await poll();
      world.clock.advance(57 * MINUTE_MS);
      const made = await quote();
      assert.equal(made.status, 201, made.raw);
      server.answer({ status: 500, body: '' });
      world.clock.advance(3 * MINUTE_MS);
      assert.equal(await quoteCode(), 'QUOTE_REQUEST_FAILED');
      assert.deepEqual(await listed(), []);
      const executed = await execute(live, made.body.id);
      assert.equal(executed.status, 200, executed.raw);
      assert.deepEqual(
        [executed.body.totalReceivingAmount, executed.body.exchangeRate],
        [made.body.totalReceivingAmount, 1.08695652],
      );
      await world.app.worker.settle(live.id);
    });

    it('a single expired currency is neither priced nor withdrawn, and recovers', async () => {
      await set({ EUR: '0.92', BTC: '0.00000833' }, 48);
      await set({ MXN: '17.25' }, 1);
      const mxn = inCurrency(await platformAccounts(live), 'MXN').id;
      world.clock.advance(58 * MINUTE_MS);
      const made = await quote(mxn);
      assert.equal(made.status, 201, made.raw);
      world.clock.advance(2 * MINUTE_MS);
      assert.equal(await quoteCode(mxn), 'QUOTE_REQUEST_FAILED');
      assert.equal(await quoteCode(), 'OK');
      assert.equal(await rateTo('MXN'), undefined);
      assert.equal((await execute(live, made.body.id)).status, 200);
      await set({ MXN: '17.25' });
      assert.equal(await quoteCode(mxn), 'OK');
      await world.app.worker.settle(live.id);
    });

    it('accounts.md §3.5, money.md §1.9: without euros nothing can be priced, without bitcoin nothing across currencies', async () => {
      await set({ MXN: '17.25', BTC: '0.00000833' });
      assert.equal(
        await quoteCode(inCurrency(await platformAccounts(live), 'MXN').id),
        'QUOTE_REQUEST_FAILED',
      );
      await set({ EUR: '0.92' });
      await clear({ currencies: ['BTC'], reason: 'test' });
      assert.equal(await quoteCode(), 'QUOTE_REQUEST_FAILED');
    });
  });

  describe('by hand', () => {
    it('override the source’s at once, until they expire', async () => {
      source(RATES);
      await poll();
      world.clock.advance(1_000);
      await set({ EUR: '0.95' }, 1);
      const row = await rateTo('EUR');
      assert.deepEqual([row?.exchangeRate, row?.updatedAt], [1.05263158, now().toISOString()]);
      world.clock.advance(30 * MINUTE_MS);
      source({ ...RATES, EUR: '0.93' });
      await poll();
      assert.equal((await rateTo('EUR'))?.exchangeRate, 1.05263158);
      world.clock.advance(30 * MINUTE_MS);
      assert.equal((await rateTo('EUR'))?.exchangeRate, 1.07526882);
    });

    it('operator.md §6: a stopped currency is not priced, whatever its source says, until a rate is set or cleared by hand', async () => {
      const stop = (...currencies: string[]) =>
        onInstallation(world, (tx) => stopRates(tx, { currencies, reason: 'case 4711' }), OPERATOR);
      source(RATES);
      await poll();
      const mxn = inCurrency(await platformAccounts(live), 'MXN').id;
      assert.equal(await quoteCode(mxn), 'OK');
      await assert.rejects(stop('MXN', 'USD', 'QQQ'), /MXN|USD|QQQ/);
      assert.deepEqual(await stop('MXN'), ['MXN']);
      assert.deepEqual(await stop('MXN'), []);
      assert.notEqual(await quoteCode(mxn), 'OK');
      assert.equal(await quoteCode(), 'OK');
      await poll({ isUrgent: true });
      assert.notEqual(await quoteCode(mxn), 'OK');
      assert.deepEqual(await clear({ currencies: ['MXN'], reason: 'open again' }), ['MXN']);
      assert.equal(await quoteCode(mxn), 'OK');
      await stop('MXN');
      await set({ MXN: '17.5' });
      assert.equal(await quoteCode(mxn), 'OK');
    });

    it('operator.md §6.11: operators read the rates with age, expiry and state, and the state of the source', async () => {
      const { platform } = await live.work();
      const viewer = await seatedOperator(world, platform, ['viewer']);
      const read = async () => (await viewer.call('readRates', {})).body;
      assert.deepEqual(await read(), { data: [], source: {} });
      source(RATES);
      await poll();
      const takenAt = now().toISOString();
      await set({ EUR: '0.95' }, 1);
      await onInstallation(
        world,
        (tx) => stopRates(tx, { currencies: ['MXN'], reason: 'case 4711' }),
        OPERATOR,
      );
      const byHand = {
        ...{ currency: 'EUR', perUsd: '0.95', from: 'OPERATOR', isInForce: true },
        ...{ asOf: takenAt, until: new Date(world.clock.now() + 60 * MINUTE_MS).toISOString() },
      };
      const { data, source: state } = await read();
      assert.deepEqual(state, { takenAt });
      assert.deepEqual(data[1], byHand);
      const brief = data.map((row: Record<string, unknown>) => [row.currency, row.from, row.isInForce]);
      assert.deepEqual(brief, [
        ['BTC', 'SOURCE', true],
        ['EUR', 'OPERATOR', true],
        ['EUR', 'SOURCE', false],
        ['MXN', 'SOURCE', false],
      ]);
      assert.equal(data[3].stoppedSince, takenAt);
      source({ ...RATES, EUR: '-1' });
      await poll({ isUrgent: true });
      assert.match((await read()).source.trouble, /EUR/);
    });

    it('can be cleared, and each change is audited with actor, reason, old and new rate', async () => {
      await set({ EUR: '0.92', BTC: '0.00000833' });
      await set({ EUR: '0.95' });
      const wanted = { currencies: ['EUR', 'GBP'], reason: 'done' };
      assert.deepEqual(await clear(wanted), ['EUR']);
      assert.deepEqual(await clear(wanted), []);
      const rows = await world.database.query<{ action: string; actor_id: string; details: object }>(sql`
        select action, actor_id, details - 'until' as details from audit_log
         where platform_id is null and action like 'rates%' order by at desc, id desc limit 2`);
      assert.deepEqual(rows, [
        {
          action: 'rates clear',
          actor_id: 'ada',
          details: {
            ...{ reason: 'done', currencies: ['EUR'] },
            changed: [{ field: 'currencies.EUR', before: '0.95', after: null }],
          },
        },
        {
          action: 'rates set',
          actor_id: 'ada',
          details: {
            ...{ reason: 'case 4711', rates: [{ currency: 'EUR', to: '0.95' }] },
            changed: [{ field: 'perUsd.EUR', before: '0.92', after: '0.95' }],
          },
        },
      ]);
    });

    it('that are invalid are refused, each is named, and none is set', async () => {
      const wrong = { EUR: '0.92', USD: '1', XYZ: '1', GBP: '0', MXN: '-2', BRL: '1,5' };
      await assert.rejects(set(wrong), (error: { details: { errors: { field: string }[] } }) => {
        assert.deepEqual(
          error.details.errors.map(({ field }) => field),
          ['USD', 'XYZ', 'GBP', 'MXN', 'BRL'],
        );
        return true;
      });
      assert.deepEqual(await listRates(world.database.query), []);
    });

    it('if operators set the same currencies at once, each change applies as a whole', async () => {
      const pairs = Array.from({ length: 6 }, (_, i) => [`1.${i}`, i % 2 === 0] as const);
      await Promise.all(
        pairs.map(([rate, isForward]) =>
          set(isForward ? { EUR: rate, GBP: rate } : { GBP: rate, EUR: rate }),
        ),
      );
      const rows = await listRates(world.database.query);
      assert.equal(new Set(rows.map((row) => row.per_usd)).size, 1);
    });

    it('money.md §1: prices as the same table does in the sandbox', async () => {
      await givenRates(world);
      const reply = await askQuote(live, { from: usd, to: eur, send: 25_000 });
      assert.deepEqual(
        [reply.body.totalReceivingAmount, reply.body.feesIncluded, reply.body.exchangeRate],
        [22_885, 125, 1.08695652],
      );
    });
  });
});
