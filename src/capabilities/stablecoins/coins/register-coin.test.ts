// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addCurrency } from '#capabilities/platform/add-currency.ts';
import { revokeLink } from '#capabilities/stablecoins/links/change-link.ts';
import type { Token, TokenAnswer } from '#foundation/ports/stablecoins.ts';
import { advance } from '#tests/given/payments.ts';
import {
  askCoin,
  type CoinReply,
  type CoinWish,
  enableCoin,
  givenCoin,
  givenLink,
  type LinkReply,
  playProvider,
  readCoin,
} from '#tests/given/stablecoins.ts';
import { type Answered, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('registering coins', () => {
  const world = testWorld();

  const codeOf = ({ status, body }: Answered<{ code?: string }>) => `${status} ${body.code ?? ''}`.trim();
  const listCoins = async (platform: TestPlatform) => (await platform.call('listStablecoins')).body.data;
  const revoke = async (platform: TestPlatform, { id }: LinkReply) =>
    (await platform.work()).write((tx) => revokeLink(tx, { linkId: uuidOf(id), reason: 'a test' }));
  /** A token of a well-behaved provider. */
  const TOKEN: Omit<Token, 'networkTokenIdentifier'> = {
    name: 'Acme Dollar',
    symbol: 'ACMEUSD',
    baseCurrency: 'USD',
    decimals: 6,
    supply: 0n,
    issuance: { status: 'PROVISIONED' },
  };
  /** Registers a token that the provider describes in this way. */
  const registered = (platform: TestPlatform, says: Partial<Token>, more: CoinWish = {}) => {
    const restore = playProvider(world, {
      describeToken: async (_login, { networkTokenIdentifier }): Promise<TokenAnswer> => ({
        outcome: 'FOUND',
        token: { networkTokenIdentifier, ...TOKEN, ...says },
      }),
    });
    return askCoin(platform, more).finally(restore);
  };
  const listLines = async (platform: TestPlatform, { id }: Pick<CoinReply, 'id'>) =>
    (await platform.work()).read(
      (tx) => tx.sql`
        select l.account, l.currency, l.side, l.amount from ledger_lines l
          join ledger_entries e on e.platform_id = l.platform_id and e.seq = l.seq
         where l.platform_id = ${tx.platformId} and e.transaction_id = ${uuidOf(id)} order by l.account`,
    );
  const loadBalances = async (platform: TestPlatform, { id }: Pick<CoinReply, 'id'>) =>
    (await platform.work()).read(
      (tx) => tx.sql`
        select account, currency, balance from ledger_balances
         where platform_id = ${tx.platformId} and account like ${`%:${uuidOf(id)}`} order by account`,
    );

  describe('a coin', () => {
    it('stablecoins.md §3.1, §3.3, §3.21, §4.11: has the provider’s data, with our ids and times', async () => {
      const platform = await world.platform();
      const link = await givenLink(platform);
      const reply = await askCoin(platform, {
        providerTokenIdentifier: 'Acme-Coin.dollars',
        networkTokenIdentifier: 'btkn1q',
        name: 'Another Name',
        symbol: 'OTHER',
        decimals: 2,
        baseCurrency: 'EUR',
      });
      assert.equal(reply.status, 201);
      const { id, createdAt, updatedAt, ...rest } = reply.body;
      assert.match(id, /^Stablecoin:[0-9a-f-]{36}$/);
      assert.equal(createdAt, updatedAt);
      assert.deepEqual(rest, {
        name: 'ACMECOINDO Dollar',
        symbol: 'ACMECOINDO',
        baseCurrency: 'USD',
        network: 'SPARK',
        decimals: 6,
        issuanceStatus: 'PROVISIONED',
        svcOperationsStatus: 'NOT_ENABLED',
        networkTokenIdentifier: 'btkn1q',
        provider: 'BRALE',
        stablecoinProviderAccountId: link.id,
        providerEnvironment: 'SANDBOX',
        providerTokenIdentifier: 'Acme-Coin.dollars',
      });
      assert.deepEqual(await readCoin(platform, { id }), reply.body);
      assert.deepEqual(await loadBalances(platform, { id }), [
        { account: `ISSUED:${uuidOf(id)}`, currency: 'ACMECOINDO', balance: 0n },
        { account: `RESERVE:${uuidOf(id)}`, currency: 'USD', balance: 0n },
      ]);
      assert.deepEqual(await listLines(platform, { id }), []);
    });

    it('stablecoins.md §3.1: the provider is asked with the link’s credentials, for the named token', async () => {
      const platform = await world.platform();
      await givenLink(platform, { apiClientSecret: 'of the link' });
      const asked: unknown[] = [];
      const { describeToken } = world.app.runtime.ports('SANDBOX').stablecoins;
      const restore = playProvider(world, {
        describeToken(login, token, times) {
          asked.push(login, token);
          return describeToken(login, token, times);
        },
      });
      await askCoin(platform, { name: 'unasked' }).finally(restore);
      assert.deepEqual(asked, [
        {
          apiClientId: 'client-abc',
          apiClientSecret: 'of the link',
          providerAccountId: 'account-client-abc',
        },
        {
          network: 'SPARK',
          providerTokenIdentifier: 'acme-usd',
          networkTokenIdentifier: 'btkn1acme-usd',
        },
      ]);
    });

    it('money.md §11.L29, stablecoins.md §7: the provider’s existing supply is booked, in the coin and in dollars', async () => {
      const platform = await world.platform();
      await givenLink(platform);
      const { status, body: coin } = await registered(platform, { supply: 1_234_560_000n });
      assert.equal(status, 201);
      assert.deepEqual(await listLines(platform, coin), [
        { account: `ISSUED:${uuidOf(coin)}`, currency: 'ACMEUSD', side: 'DEBIT', amount: 1_234_560_000n },
        { account: 'RAIL:PROVIDER:USD', currency: 'USD', side: 'DEBIT', amount: 123_456n },
        { account: 'RAIL:SPARK:ACMEUSD', currency: 'ACMEUSD', side: 'CREDIT', amount: 1_234_560_000n },
        { account: `RESERVE:${uuidOf(coin)}`, currency: 'USD', side: 'CREDIT', amount: 123_456n },
      ]);
    });
  });

  describe('the checks and their order', () => {
    it('stablecoins.md §3.11: an unknown link, or none if there is no link, is 404', async () => {
      const platform = await world.platform();
      const missing = '404 STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND';
      assert.equal(codeOf(await askCoin(platform)), missing);
      const other = await givenLink(await world.platform());
      await givenLink(platform);
      const named = { stablecoinProviderAccountId: other.id, providerTokenIdentifier: 'acme-003' };
      assert.equal(codeOf(await askCoin(platform, named)), missing);
    });

    it('stablecoins.md §3.12: the named link, or the only one, must be active', async () => {
      for (const [end, code] of [
        ['003', '400 STABLECOIN_PROVIDER_ACCOUNT_INVALID'],
        ['004', '400 STABLECOIN_PROVIDER_ACCOUNT_REVOKED'],
      ] as const) {
        const platform = await world.platform();
        const dead = await givenLink(platform, { apiClientId: `client-${end}` });
        const bad = { providerTokenIdentifier: 'acme-003' };
        assert.equal(codeOf(await askCoin(platform, bad)), code);
        // Comes before stablecoins.md §3.13: several other links are active.
        for (const apiClientId of ['client-a', 'client-b']) await givenLink(platform, { apiClientId });
        assert.equal(codeOf(await askCoin(platform, { ...bad, stablecoinProviderAccountId: dead.id })), code);
      }
    });

    it('stablecoins.md §3.12, §3.1: if several links are unusable, the newest determines the refusal', async () => {
      const platform = await world.platform();
      await givenLink(platform, { apiClientId: 'client-003' });
      await advance(platform, 1);
      await givenLink(platform, { apiClientId: 'client-004' });
      assert.equal(codeOf(await askCoin(platform)), '400 STABLECOIN_PROVIDER_ACCOUNT_REVOKED');
      await advance(platform, 1);
      await givenLink(platform, { apiClientId: 'other-003' });
      assert.equal(codeOf(await askCoin(platform)), '400 STABLECOIN_PROVIDER_ACCOUNT_INVALID');
    });

    it('stablecoins.md §3.13, §3.1: if several links are active, one must be named; the only active one is used by default', async () => {
      const platform = await world.platform();
      await givenLink(platform, { apiClientId: 'client-003' });
      const one = await givenLink(platform, { apiClientId: 'client-one' });
      await givenLink(platform, { apiClientId: 'client-004' });
      assert.equal((await givenCoin(platform)).stablecoinProviderAccountId, one.id);
      const two = await givenLink(platform, { apiClientId: 'client-two' });
      // Comes before stablecoins.md §3.14 and §3.16: the provider does not know the token, and its identifier is taken.
      const bad = { providerTokenIdentifier: 'acme-003', networkTokenIdentifier: 'btkn1acme-usd' };
      const required = '400 STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED';
      assert.equal(codeOf(await askCoin(platform, bad)), required);
      const chosen = { providerTokenIdentifier: 'second', stablecoinProviderAccountId: two.id };
      assert.equal((await askCoin(platform, chosen)).body.stablecoinProviderAccountId, two.id);
      await revoke(platform, two);
      const { body } = await askCoin(platform, { providerTokenIdentifier: 'third' });
      assert.equal(body.stablecoinProviderAccountId, one.id);
    });

    it('stablecoins.md §3.14, §3.33: a token that the provider does not know, or has under another network identifier, is 400', async () => {
      const platform = await world.platform();
      await givenCoin(platform);
      const failed = '400 STABLECOIN_VERIFICATION_FAILED';
      // Comes before stablecoins.md §3.16: the identifier is taken.
      const taken = { networkTokenIdentifier: 'btkn1acme-usd' };
      assert.equal(
        codeOf(await askCoin(platform, { providerTokenIdentifier: 'acme-003', ...taken })),
        failed,
      );
      const other = await registered(platform, { networkTokenIdentifier: 'btkn1other', symbol: 'x' }, taken);
      assert.equal(codeOf(other), failed);
      assert.match(other.body.reason, /another networkTokenIdentifier/, 'before stablecoins.md §3.15');
    });

    it('stablecoins.md §3.1: a provider that cannot be reached is 400, and nothing is stored', async () => {
      const platform = await world.platform();
      const link = await givenLink(platform);
      const restore = playProvider(world, { describeToken: async () => ({ outcome: 'UNAVAILABLE' }) });
      const reply = await askCoin(platform).finally(restore);
      assert.equal(codeOf(reply), '400 STABLECOIN_PROVIDER_ERROR');
      assert.deepEqual(await listCoins(platform), []);
      assert.equal(
        (await readCoin(platform, await givenCoin(platform))).stablecoinProviderAccountId,
        link.id,
      );
    });

    const IMPOSSIBLE: Readonly<Record<string, Partial<Token>>> = {
      'a symbol of two characters': { symbol: 'AC' },
      'a symbol of eleven': { symbol: 'ACMEDOLLARS' },
      'a symbol that begins with a digit': { symbol: '1ACME' },
      'a symbol in lower case': { symbol: 'acme' },
      'a symbol with another character': { symbol: 'ACME-1' },
      'no symbol': { symbol: '' },
      'no name': { name: ' ' },
      'a name with a control character': { name: 'Acme\u0007' },
      'a name that is too long': { name: 'A'.repeat(256) },
      'another base currency': { baseCurrency: 'EUR' },
      'one decimal': { decimals: 1 },
      'nine decimals': { decimals: 9 },
      'half a decimal': { decimals: 2.5 },
      'a supply of less than a cent': { supply: 9_999n },
      'a supply below zero': { supply: -10_000n },
      'a supply that is too large': { supply: 9_007_199_254_750_000n },
    };
    for (const [what, says] of Object.entries(IMPOSSIBLE)) {
      it(`stablecoins.md §3.15, §3.4: ${what} is 400, before the names are checked`, async () => {
        const platform = await world.platform();
        await givenCoin(platform);
        const reply = await registered(platform, says);
        assert.equal(codeOf(reply), '400 STABLECOIN_VERIFICATION_FAILED');
        assert.equal((await listCoins(platform)).length, 1);
      });
    }

    for (const [what, says] of Object.entries({
      'a symbol of three characters': { symbol: 'ACM' },
      'a symbol of ten, digits among them': { symbol: 'A234567890' },
      'two decimals': { decimals: 2, supply: 1n },
      'eight decimals': { decimals: 8 },
      'the largest supply': { supply: 9_007_199_254_740_000n },
      'a name of 255 characters': { name: 'A'.repeat(255) },
    } satisfies Record<string, Partial<Token>>)) {
      it(`stablecoins.md §3.15, §3.4: ${what} is accepted, and can be enabled`, async () => {
        const platform = await world.platform();
        await givenLink(platform);
        const reply = await registered(platform, says);
        assert.equal(reply.status, 201, reply.raw);
        await enableCoin(platform, reply.body);
      });
    }

    it('stablecoins.md §3.15, §3.4: a symbol that the sandbox derives from an identifier can be too short, or begin with a digit', async () => {
      const platform = await world.platform();
      await givenLink(platform);
      for (const providerTokenIdentifier of ['ab', '1acme', '---', '🪙🪙🪙']) {
        const reply = await askCoin(platform, { providerTokenIdentifier });
        assert.equal(codeOf(reply), '400 STABLECOIN_VERIFICATION_FAILED', providerTokenIdentifier);
      }
    });

    it('stablecoins.md §3.16, §3.17: a taken identifier is reported before a taken symbol', async () => {
      const platform = await world.platform();
      await givenCoin(platform);
      const [both, symbol, neither] = [
        { providerTokenIdentifier: 'ACME.usd', networkTokenIdentifier: 'btkn1acme-usd' },
        { providerTokenIdentifier: 'ACME.usd', networkTokenIdentifier: 'btkn1other' },
        { providerTokenIdentifier: 'other', networkTokenIdentifier: 'btkn1other' },
      ];
      const identifier = { ...both, providerTokenIdentifier: 'another' };
      const taken = '409 STABLECOIN_TOKEN_IDENTIFIER_ALREADY_EXISTS';
      assert.deepEqual(
        [codeOf(await askCoin(platform, both)), codeOf(await askCoin(platform, identifier))],
        [taken, taken],
      );
      assert.equal(codeOf(await askCoin(platform, symbol)), '409 STABLECOIN_SYMBOL_ALREADY_EXISTS');
      assert.equal((await askCoin(platform, neither)).status, 201);
    });

    it('stablecoins.md §3.17, §3.4: a common currency code is taken, and so is a platform’s own currency', async () => {
      const platform = await world.platform();
      await givenLink(platform);
      for (const providerTokenIdentifier of ['usd', 'u-s-d-c', 'eur', 'b.t.c']) {
        const reply = await askCoin(platform, { providerTokenIdentifier });
        assert.equal(codeOf(reply), '409 STABLECOIN_SYMBOL_ALREADY_EXISTS', providerTokenIdentifier);
      }
      const points = { code: 'POINTS', name: 'Points', symbol: 'POINTS', decimals: 0 };
      await (await platform.work()).write((tx) => addCurrency(tx, points));
      const own = await askCoin(platform, { providerTokenIdentifier: 'points' });
      assert.equal(codeOf(own), '409 STABLECOIN_SYMBOL_ALREADY_EXISTS');
    });

    it('stablecoins.md §3.4: in the sandbox names are unique per platform, in production across platforms', async () => {
      const [one, two] = [await world.platform(), await world.platform()];
      await givenCoin(one);
      await givenCoin(two);
      const restore = playProvider(world, {}, 'PRODUCTION');
      try {
        const [first, second] = [
          await world.platform({ environment: 'PRODUCTION' }),
          await world.platform({ environment: 'PRODUCTION' }),
        ];
        await givenCoin(first);
        await givenLink(second);
        const both = await askCoin(second);
        assert.equal(codeOf(both), '409 STABLECOIN_TOKEN_IDENTIFIER_ALREADY_EXISTS');
        const symbol = await askCoin(second, { networkTokenIdentifier: 'btkn1another' });
        assert.equal(codeOf(symbol), '409 STABLECOIN_SYMBOL_ALREADY_EXISTS');
        assert.doesNotMatch(symbol.raw, new RegExp(uuidOf((await listCoins(first))[0] as CoinReply)));
        await givenCoin(second, { providerTokenIdentifier: 'second' });
      } finally {
        restore();
      }
    });

    for (const [end, status] of [
      ['002', 'REJECTED'],
      ['004', 'FAILED'],
    ] as const) {
      it(`stablecoins.md §3.4: a ${status} coin frees its symbol and its identifier, and never has an entry`, async () => {
        const platform = await world.platform();
        const providerTokenIdentifier = `acme-${end}`;
        const dead = await givenCoin(platform, { providerTokenIdentifier });
        assert.equal(dead.issuanceStatus, status);
        const again = await givenCoin(platform, { providerTokenIdentifier });
        assert.notEqual(again.id, dead.id);
        const issued = { issuance: { status }, supply: 10_000n } as const;
        const { body } = await registered(platform, issued, { providerTokenIdentifier });
        assert.deepEqual([body.issuanceStatus, await listLines(platform, body)], [status, []]);
        const names = { networkTokenIdentifier: `btkn1${providerTokenIdentifier}` };
        const alive = await registered(platform, { symbol: `ACME${end}` }, names);
        assert.equal(alive.status, 201, alive.raw);
      });
    }
  });

  describe('at the same moment', () => {
    /** Alternates between this process and another one on the same database. */
    const tenTimes = async (
      platform: TestPlatform,
      call: (on: TestPlatform, i: number) => Promise<Answered<unknown>>,
    ) => {
      const other = await world.elsewhere(platform);
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, i) => call(i % 2 === 0 ? platform : other, i)),
      );
      const counts: Record<string, number> = {};
      for (const reply of replies) {
        const code = codeOf(reply as Answered<{ code?: string }>);
        counts[code] = (counts[code] ?? 0) + 1;
      }
      return { replies, counts };
    };

    it('stablecoins.md §3.16: one of ten concurrent registrations of one token in two processes is 201, the others 409', async () => {
      const platform = await world.platform();
      await givenLink(platform);
      const { counts } = await tenTimes(platform, (on) => askCoin(on));
      assert.deepEqual(counts, { 201: 1, '409 STABLECOIN_TOKEN_IDENTIFIER_ALREADY_EXISTS': 9 });
      assert.equal((await listCoins(platform)).length, 1);
    });

    it('stablecoins.md §3.17: one of ten concurrent registrations of one symbol in two processes is 201, the others 409', async () => {
      const platform = await world.platform();
      await givenLink(platform);
      const { counts } = await tenTimes(platform, (on, i) =>
        askCoin(on, { networkTokenIdentifier: `btkn1${i}` }),
      );
      assert.deepEqual(counts, { 201: 1, '409 STABLECOIN_SYMBOL_ALREADY_EXISTS': 9 });
    });

    it('stablecoins.md §2: one key, sent ten times in two processes, makes one coin and one reply', async () => {
      const platform = await world.platform();
      await givenLink(platform);
      const { replies, counts } = await tenTimes(platform, (on) => askCoin(on, {}, { key: 'one' }));
      assert.deepEqual(counts, { 201: 10 });
      assert.equal(new Set(replies.map(({ raw }) => raw)).size, 1);
      assert.equal((await listCoins(platform)).length, 1);
      const other = await askCoin(platform, { providerTokenIdentifier: 'other' }, { key: 'one' });
      assert.equal(codeOf(other), '409 CONFLICT');
    });

    it('stablecoins.md §3.12: a link that is revoked while the provider is asked is not used', async () => {
      const platform = await world.platform();
      const link = await givenLink(platform);
      const { describeToken } = world.app.runtime.ports('SANDBOX').stablecoins;
      const restore = playProvider(world, {
        async describeToken(...asked) {
          await revoke(platform, link);
          return describeToken(...asked);
        },
      });
      const reply = await askCoin(platform).finally(restore);
      assert.equal(codeOf(reply), '400 STABLECOIN_PROVIDER_ACCOUNT_REVOKED');
      assert.deepEqual(await listCoins(platform), []);
    });
  });

  it('lists coins, the newest first, by status and provider, page by page', async () => {
    const platform = await world.platform();
    const coins: CoinReply[] = [];
    for (const providerTokenIdentifier of ['one-usd', 'two-002', 'three-usd']) {
      coins.unshift(await givenCoin(platform, { providerTokenIdentifier }));
      await advance(platform, 1);
    }
    const list = async (query: object) =>
      (await platform.send('listStablecoins', { query: query as never })).body;
    assert.deepEqual(await list({}), { data: coins, hasMore: false, totalCount: 3 });
    assert.deepEqual((await list({ issuanceStatus: 'REJECTED' })).data, [coins[1]]);
    assert.deepEqual((await list({ svcOperationsStatus: 'ENABLED' })).data, []);
    assert.deepEqual((await list({ provider: 'BRALE', svcOperationsStatus: 'NOT_ENABLED' })).data, coins);
    const page = await list({ limit: 2 });
    assert.deepEqual([page.data, page.hasMore], [coins.slice(0, 2), true]);
    assert.deepEqual((await list({ limit: 2, cursor: page.nextCursor })).data, coins.slice(2));
    const wrong = await platform.send('listStablecoins', { query: { issuanceStatus: 'OTHER' } });
    assert.equal(codeOf(wrong as never), '400 INVALID_INPUT');
  });
});
