// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { currencyConfigured } from '#capabilities/platform/announcements.ts';
import { setPlatform, setUmaDomain } from '#capabilities/platform/set-platform.ts';
import { loadConfig } from '#capabilities/platform/store.ts';
import { updateConfig } from '#capabilities/platform/update-config.ts';
import { sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { on, reactionTable } from '#foundation/events/reactions.ts';
import { refuse } from '#foundation/lib/refusals.ts';
import { givenDomain, TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const operator = { kind: 'operator', id: 'test' } as const;

const usd = (change: object = {}) => ({
  currencyCode: 'USD',
  minAmount: 100,
  maxAmount: 500_000,
  requiredCounterpartyFields: [{ name: 'FULL_NAME', mandatory: true }],
  enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
  ...change,
});

const fee = (change: object = {}) => ({
  feeType: 'CROSS_CURRENCY_TRANSACTION',
  sourceCurrency: 'USD',
  variableFeeBps: 30,
  fixedFee: { amount: 50, currency: 'USD' },
  ...change,
});

describe('platform config', () => {
  const world = testWorld();
  const read = async (platform: TestPlatform) => (await platform.call('getPlatformConfig')).body;
  const patch = (platform: TestPlatform, body: unknown) => platform.send('updatePlatformConfig', { body });
  const change = async (platform: TestPlatform, body: unknown) => {
    const answer = await patch(platform, body);
    assert.equal(answer.status, 200, answer.raw);
    return answer.body;
  };
  /** Returns the fields that a refused PATCH names, and asserts that nothing changed. */
  const refusedFields = async (platform: TestPlatform, body: unknown, status = 400) => {
    const before = await read(platform);
    const answer = await patch(platform, body);
    assert.equal(answer.status, status, answer.raw);
    assert.deepEqual(await read(platform), before);
    if (status === 400) assert.equal(answer.body.code, 'INVALID_INPUT');
    return (answer.body.details?.errors ?? []).map((error: { field: string }) => error.field);
  };
  const testsQueued = async (platform: TestPlatform) => {
    const rows = await world.database.query<{ count: bigint }>(
      sql`select count(*) from events where platform_id = ${platform.id} and type = 'TEST'`,
    );
    return Number(rows[0]?.count);
  };

  it('platform.md §3.1: a fresh platform supports USD, USDC and USDB, and omits fields that were never set', async () => {
    const platform = await world.platform();
    const { id, createdAt, updatedAt, ...config } = await read(platform);
    assert.match(id, /^PlatformConfig:/);
    assert.equal(createdAt, updatedAt);
    assert.deepEqual(config, {
      umaDomain: TEST_DOMAINS.defaultUmaDomain,
      proxyUmaSubdomain: 'uma',
      supportedCurrencies: ['USD', 'USDC', 'USDB'].map((currencyCode) => ({
        currencyCode,
        minAmount: 1,
        maxAmount: 1_000_000_000_000,
        requiredCounterpartyFields: [],
        enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
      })),
      isRegulatedFinancialInstitution: false,
      feeConfigs: [],
    });
  });

  it('platform.md §3.1: only the operator sets the regulated flag, and PATCH ignores it', async () => {
    const platform = await world.platform({ settings: { isRegulatedFinancialInstitution: true } });
    assert.equal((await read(platform)).isRegulatedFinancialInstitution, true);
    const after = await change(platform, { isRegulatedFinancialInstitution: false });
    assert.equal(after.isRegulatedFinancialInstitution, true);
  });

  it('platform.md §1.3.4: reading needs VIEW, changing needs MANAGE, and both need credentials', async () => {
    const viewer = await world.platform({ permissions: ['VIEW'] });
    assert.equal((await viewer.call('getPlatformConfig')).status, 200);
    assert.equal((await patch(viewer, {})).body.code, 'FORBIDDEN');
    const manager = await world.platform({ permissions: ['MANAGE', 'TRANSACT'] });
    assert.equal((await manager.call('getPlatformConfig')).body.code, 'FORBIDDEN');
    assert.equal((await patch(manager, {})).status, 200);
    assert.equal((await manager.call('getPlatformConfig', { as: 'nobody' })).body.code, 'UNAUTHORIZED');
  });

  it('platform.md §3.1: a platform sees and changes its own configuration only', async () => {
    const [one, two] = [await world.platform(), await world.platform()];
    await change(one, { webhookEndpoint: 'https://one.example/' });
    assert.equal((await read(two)).webhookEndpoint, undefined);
    assert.notEqual((await read(one)).id, (await read(two)).id);
  });

  it('platform.md §3.2.1: an empty PATCH changes nothing, not even updatedAt', async () => {
    const platform = await world.platform();
    const before = await read(platform);
    world.clock.advance(60_000);
    assert.deepEqual(await change(platform, {}), before);
    assert.deepEqual(await read(platform), before);
  });

  it('platform.md §3.2.1: a change moves updatedAt but not createdAt', async () => {
    const platform = await world.platform();
    const before = await read(platform);
    world.clock.advance(60_000);
    const after = await change(platform, { supportedCurrencies: [usd()] });
    assert.equal(after.createdAt, before.createdAt);
    assert.ok(after.updatedAt > before.updatedAt);
  });

  it('platform.md §3.2.1: a GET response can be sent back unchanged', async () => {
    const platform = await world.platform();
    assert.deepEqual(await change(platform, await read(platform)), await read(platform));
    await change(platform, {
      umaDomain: 'round.example',
      webhookEndpoint: 'https://round.example/hooks',
      supportedCurrencies: [usd(), usd({ currencyCode: 'EUR' })],
      feeConfigs: [fee()],
      embeddedWalletConfig: { appName: 'Round', otpLength: 8 },
      cardTokenization2faConfig: {
        displayName: 'Round',
        email: { subject: 'Code' },
        sms: { bodyText: 'Code:' },
      },
    });
    await setPlatform(world.app.runtime, platform.id, operator, {
      providerFields: { EUR: { customer: ['BIRTH_DATE'], counterparty: ['PURPOSE_OF_PAYMENT'] } },
    });
    const before = await read(platform);
    world.clock.advance(1000);
    assert.deepEqual(await change(platform, before), before);
  });

  it('platform.md §3.2.1: read-only fields are ignored, whatever their value', async () => {
    const platform = await world.platform();
    const before = await read(platform);
    const after = await change(platform, {
      id: 7,
      createdAt: 'never',
      updatedAt: {},
      proxyUmaSubdomain: ['x'],
      isRegulatedFinancialInstitution: 'yes',
      unheardOf: true,
      supportedCurrencies: before.supportedCurrencies.map((currency: object) => ({
        ...currency,
        providerRequiredCustomerFields: 'all',
        providerRequiredCounterpartyCustomerFields: null,
        unheardOf: 1,
      })),
    });
    assert.deepEqual(after, before);
  });

  it('platform.md §3.2.1, §10.0.2: all invalid fields are named together, in document order, and nothing changes', async () => {
    const platform = await world.platform();
    const fields = await refusedFields(platform, {
      feeConfigs: [fee({ variableFeeBps: 10_001 }), fee(), fee()],
      webhookEndpoint: 'https://user:secret@example.com/',
      umaDomain: 'not a domain',
      embeddedWalletConfig: { otpLength: 3, sendFromEmailAddress: 'nobody', appName: 'Fine' },
      supportedCurrencies: [
        usd({ minAmount: -1 }),
        usd({ minAmount: 6, maxAmount: 5 }),
        usd(),
        { currencyCode: 'ABC' },
      ],
      cardTokenization2faConfig: {
        logoUrl: 'http://example.com/logo.png',
        email: { bodyText: 'x'.repeat(2001) },
      },
    });
    assert.deepEqual(fields, [
      'umaDomain',
      'webhookEndpoint',
      'supportedCurrencies.0.minAmount',
      'supportedCurrencies.1.minAmount',
      'supportedCurrencies.2.currencyCode',
      'supportedCurrencies.3.currencyCode',
      'supportedCurrencies.3.minAmount',
      'supportedCurrencies.3.maxAmount',
      'supportedCurrencies.3.requiredCounterpartyFields',
      'supportedCurrencies.3.enabledTransactionTypes',
      'embeddedWalletConfig.otpLength',
      'embeddedWalletConfig.sendFromEmailAddress',
      'cardTokenization2faConfig.logoUrl',
      'cardTokenization2faConfig.email.bodyText',
      'feeConfigs.0.variableFeeBps',
      'feeConfigs.2',
    ]);
  });

  it('platform.md §3.2.1: a hundred invalid entries are 400, like a single one', async () => {
    const platform = await world.platform();
    const many = Array.from({ length: 150 }, () => ({ currencyCode: 5 }));
    assert.ok((await refusedFields(platform, { supportedCurrencies: many })).length >= 50);
    for (const list of ['USD', {}, 5, [5], [null], [[]], null]) {
      await refusedFields(platform, { supportedCurrencies: list });
      await refusedFields(platform, { feeConfigs: list });
    }
  });

  it('platform.md §3.2.1: one invalid field also rejects the valid fields of its request', async () => {
    const platform = await world.platform();
    const fields = await refusedFields(platform, {
      webhookEndpoint: 'https://good.example/',
      umaDomain: 'localhost',
    });
    assert.deepEqual(fields, ['umaDomain']);
    assert.equal(await testsQueued(platform), 0);
  });

  it('platform.md §3.2.2: umaDomain is lower-cased, and its first label becomes the proxy subdomain', async () => {
    const platform = await world.platform();
    const after = await change(platform, { umaDomain: 'Pay.ACME.example' });
    assert.equal(after.umaDomain, 'pay.acme.example');
    assert.equal(after.proxyUmaSubdomain, 'pay');
  });

  it('platform.md §3.2.2: a string that is not a DNS name is refused', async () => {
    const platform = await world.platform();
    const long = `${'a'.repeat(64)}.example`;
    for (const umaDomain of [
      '',
      'x',
      'a..b',
      '-a.example',
      'a-.example',
      'a_b.example',
      '10.0.0.1',
      'a.example.',
      'http://a.example',
      'a.example:80',
      '$a@b.example',
      long,
      `${'a.'.repeat(130)}example`,
      'bücher.example',
      null,
      5,
    ]) {
      assert.deepEqual(await refusedFields(platform, { umaDomain }), ['umaDomain'], String(umaDomain));
    }
  });

  it('platform.md §3.2.2: a domain that another platform uses is refused, whatever its case', async () => {
    const [one, two] = [await world.platform(), await world.platform()];
    await change(one, { umaDomain: 'taken.example' });
    assert.deepEqual(await refusedFields(two, { umaDomain: 'TAKEN.example' }), ['umaDomain']);
    for (const umaDomain of TEST_DOMAINS.sandboxUmaDomains)
      assert.deepEqual(await refusedFields(two, { umaDomain }), ['umaDomain']);
    await change(one, { umaDomain: 'moved.example' });
    assert.equal((await change(two, { umaDomain: 'taken.example' })).umaDomain, 'taken.example');
  });

  it('platform.md §1.1.3: the other environment has its own domains', async () => {
    const sandbox = await world.platform();
    const production = await world.platform({ environment: 'PRODUCTION' });
    await change(sandbox, { umaDomain: 'both.example' });
    givenDomain(world, production, 'both.example');
    const after = await change(production, { umaDomain: 'both.example' });
    assert.equal(after.proxyUmaSubdomain, 'both');
  });

  it('platform.md §3.2.2a: in production a domain is accepted once DNS proves that it is the platform’s', async () => {
    const [one, two] = [
      await world.platform({ environment: 'PRODUCTION' }),
      await world.platform({ environment: 'PRODUCTION' }),
    ];
    const refused = async (platform: TestPlatform, umaDomain: string) => {
      const { status, body } = await patch(platform, { umaDomain });
      assert.equal(status, 400);
      return body.details.errors[0]?.message;
    };
    const record = `the DNS TXT record _uma-platform.own.example with the text Platform:${one.id}`;
    assert.equal(
      await refused(one, 'OWN.example'),
      `is not proven to be yours: add ${record}, or ask the operator`,
    );
    givenDomain(world, one, 'own.example');
    assert.match(await refused(two, 'own.example'), /^is not proven to be yours/);
    assert.equal((await change(one, { umaDomain: 'own.example' })).umaDomain, 'own.example');
    // The proof is checked once: a GET response can be sent back, and removing the record later changes nothing.
    world.txtRecords.clear();
    assert.equal((await change(one, { umaDomain: 'own.example' })).umaDomain, 'own.example');
    givenDomain(world, two, 'own.example');
    assert.equal(await refused(two, 'own.example'), 'is used by another platform');
  });

  it('platform.md §3.2.2a: the operator can vouch for a domain, but not take one from another platform', async () => {
    const [one, two] = [
      await world.platform({ environment: 'PRODUCTION' }),
      await world.platform({ environment: 'PRODUCTION' }),
    ];
    const give = (platform: TestPlatform, domain: string) =>
      setUmaDomain(world.app.runtime, platform.id, { kind: 'operator', id: 'test' }, domain, {
        domains: TEST_DOMAINS,
        reason: 'contract',
      });
    await give(one, 'Word.example');
    assert.equal((await one.call('getPlatformConfig')).body.umaDomain, 'word.example');
    for (const bad of ['word.example', 'not a domain', TEST_DOMAINS.sandboxUmaDomains[0] ?? ''])
      await assert.rejects(give(two, bad), { code: 'INVALID_INPUT' });
    const rows = await world.database.query<{ details: object }>(
      sql`select details from audit_log where platform_id = ${one.id} and action = 'platform uma-domain'`,
    );
    assert.deepEqual(rows, [{ details: { umaDomain: 'Word.example', reason: 'contract' } }]);
  });

  it('platform.md §3.2.2: if many platforms claim one domain at once, exactly one gets it', async () => {
    const platforms = await Promise.all(Array.from({ length: 8 }, () => world.platform()));
    const answers = await Promise.all(
      platforms.map((platform) => patch(platform, { umaDomain: 'race.example' })),
    );
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assert.equal(answer.status, 400);
      assert.equal(answer.body.details.errors[0].field, 'umaDomain');
    }
  });

  it('platform.md §3.1: equal first labels are numbered, even if they are claimed at once', async () => {
    const platforms = await Promise.all(Array.from({ length: 6 }, () => world.platform()));
    const answers = await Promise.all(
      platforms.map((platform, i) => change(platform, { umaDomain: `label.n${i}.example` })),
    );
    const labels = answers.map((config) => config.proxyUmaSubdomain).sort();
    assert.deepEqual(labels, ['label', 'label-2', 'label-3', 'label-4', 'label-5', 'label-6']);
  });

  it('platform.md §3.1: the service’s own label is reserved, and a platform that returns to its domain frees its label', async () => {
    const [one, two] = [await world.platform(), await world.platform()];
    assert.equal((await change(one, { umaDomain: 'uma.one.example' })).proxyUmaSubdomain, 'uma-2');
    assert.equal((await change(one, { umaDomain: TEST_DOMAINS.defaultUmaDomain })).proxyUmaSubdomain, 'uma');
    assert.equal((await change(two, { umaDomain: 'uma.one.example' })).proxyUmaSubdomain, 'uma-2');
  });

  it('platform.md §3.1: a numbered label still fits into 63 characters', async () => {
    const label = 'l'.repeat(63);
    const [one, two] = [await world.platform(), await world.platform()];
    assert.equal((await change(one, { umaDomain: `${label}.one.example` })).proxyUmaSubdomain, label);
    const second = (await change(two, { umaDomain: `${label}.two.example` })).proxyUmaSubdomain;
    assert.equal(second, `${'l'.repeat(61)}-2`);
  });

  it('platform.md §3.2.3: an endpoint is set, changed and cleared; each new value queues one TEST', async () => {
    const platform = await world.platform();
    const set = await change(platform, { webhookEndpoint: 'http://127.0.0.1:9/hooks' });
    assert.equal(set.webhookEndpoint, 'http://127.0.0.1:9/hooks');
    assert.equal(await testsQueued(platform), 1);
    await change(platform, { webhookEndpoint: 'http://127.0.0.1:9/hooks', supportedCurrencies: [usd()] });
    assert.equal(await testsQueued(platform), 1);
    await change(platform, { webhookEndpoint: 'https://example.com/other' });
    assert.equal(await testsQueued(platform), 2);
    assert.equal((await change(platform, { webhookEndpoint: null })).webhookEndpoint, undefined);
    assert.equal(await testsQueued(platform), 2);
  });

  it('platform.md §3.2.3: production demands https and a public address, the sandbox does not', async () => {
    const production = await world.platform({ environment: 'PRODUCTION' });
    for (const webhookEndpoint of ['http://example.com/', 'https://127.0.0.1/', 'https://localhost/']) {
      assert.deepEqual(await refusedFields(production, { webhookEndpoint }), ['webhookEndpoint']);
    }
    await change(production, { webhookEndpoint: 'https://example.com/hooks' });
  });

  it('platform.md §4.2.7: an address that no delivery connects to is refused at once, in either environment', async () => {
    const platforms = [await world.platform(), await world.platform({ environment: 'PRODUCTION' })];
    for (const platform of platforms) {
      for (const host of ['168.63.129.16', '2822734096', '[::127.0.0.1]', '[64:ff9b::7f00:1]']) {
        const webhookEndpoint = `https://${host}/hooks`;
        assert.deepEqual(await refusedFields(platform, { webhookEndpoint }), ['webhookEndpoint'], host);
      }
    }
  });

  it('platform.md §3.2.3: at most 2048 characters', async () => {
    const platform = await world.platform();
    const exact = `https://example.com/${'a'.repeat(2048 - 20)}`;
    assert.equal((await change(platform, { webhookEndpoint: exact })).webhookEndpoint, exact);
    const answer = await patch(platform, { webhookEndpoint: `${exact}a` });
    assert.equal(answer.body.details.errors[0].constraint.maxLength, 2048);
  });

  it('platform.md §3.2.4: supportedCurrencies replaces the whole list; duplicate types count once', async () => {
    const platform = await world.platform();
    const after = await change(platform, {
      supportedCurrencies: [usd({ enabledTransactionTypes: ['OUTGOING', 'OUTGOING'] })],
    });
    assert.deepEqual(after.supportedCurrencies, [usd({ enabledTransactionTypes: ['OUTGOING'] })]);
    assert.deepEqual((await change(platform, { supportedCurrencies: [] })).supportedCurrencies, []);
  });

  it('platform.md §3.2.4: duplicate and unknown codes, and min above max, are refused; min may equal max', async () => {
    const platform = await world.platform();
    const list = (...entries: object[]) => refusedFields(platform, { supportedCurrencies: entries });
    assert.deepEqual(await list(usd(), usd()), ['supportedCurrencies.1.currencyCode']);
    for (const currencyCode of ['XXX', 'usd', '', 'USDD']) {
      assert.deepEqual(await list(usd({ currencyCode })), ['supportedCurrencies.0.currencyCode']);
    }
    assert.deepEqual(await list(usd({ minAmount: 500_001 })), ['supportedCurrencies.0.minAmount']);
    assert.deepEqual(await list(usd({ maxAmount: 9007199254740992 })), ['supportedCurrencies.0.maxAmount']);
    assert.deepEqual(await list(usd({ minAmount: 1.5 })), ['supportedCurrencies.0.minAmount']);
    await change(platform, { supportedCurrencies: [usd({ minAmount: 7, maxAmount: 7 })] });
  });

  it('platform.md §3.2.4: each new currency is announced in the same transaction, and a reaction may refuse it', async () => {
    const platform = await world.platform();
    const announced: string[] = [];
    const runtime = {
      ...world.app.runtime,
      reactions: reactionTable([
        on(currencyConfigured, async (_tx, { code }) => {
          announced.push(code);
          if (code === 'GBP') refuse('CONFLICT', 'no');
        }),
      ]),
    };
    const work = new Work(runtime, (await platform.work()).platform, operator);
    const list = (...codes: string[]) =>
      work.write((tx) =>
        updateConfig(
          tx,
          { supportedCurrencies: codes.map((currencyCode) => usd({ currencyCode }) as never) },
          { domains: TEST_DOMAINS, sandboxReach: 'any', problems: [], proof: undefined },
        ),
      );
    await list('USD', 'EUR', 'MXN');
    assert.deepEqual(announced, ['EUR', 'MXN']);
    await assert.rejects(list('USD', 'GBP'));
    const kept = await work.read(loadConfig);
    assert.deepEqual(
      kept.supportedCurrencies.map((rule) => rule.currencyCode),
      ['USD', 'EUR', 'MXN'],
    );
  });

  it('platform.md §3.2.5: counterparty fields keep their name and mandatory flag; a duplicate name is refused', async () => {
    const platform = await world.platform();
    const requiredCounterpartyFields = [
      { name: 'FULL_NAME', mandatory: true },
      { name: 'BIRTH_DATE', mandatory: false },
    ];
    const after = await change(platform, { supportedCurrencies: [usd({ requiredCounterpartyFields })] });
    assert.deepEqual(after.supportedCurrencies[0].requiredCounterpartyFields, requiredCounterpartyFields);
    const twice = [...requiredCounterpartyFields, { name: 'FULL_NAME', mandatory: false }];
    assert.deepEqual(
      await refusedFields(platform, { supportedCurrencies: [usd({ requiredCounterpartyFields: twice })] }),
      ['supportedCurrencies.0.requiredCounterpartyFields.2.name'],
    );
  });

  it('platform.md §3.2.5: the operator sets the fields that providers require, and each currency shows its own', async () => {
    const platform = await world.platform();
    await setPlatform(world.app.runtime, platform.id, operator, {
      providerFields: { USD: { customer: ['TAX_ID'] }, EUR: { counterparty: ['ID_NUMBER'] } },
    });
    const after = await change(platform, { supportedCurrencies: [usd(), usd({ currencyCode: 'EUR' })] });
    assert.deepEqual(after.supportedCurrencies[0].providerRequiredCustomerFields, ['TAX_ID']);
    assert.deepEqual(after.supportedCurrencies[1].providerRequiredCounterpartyCustomerFields, ['ID_NUMBER']);
  });

  it('platform.md §3.2.6: fees are set and replaced by key, and fees that are not sent stay', async () => {
    const platform = await world.platform();
    assert.deepEqual((await change(platform, { feeConfigs: [fee()] })).feeConfigs, [fee()]);
    assert.deepEqual((await change(platform, { feeConfigs: [] })).feeConfigs, [fee()]);
    const higher = fee({ variableFeeBps: 40 });
    assert.deepEqual((await change(platform, { feeConfigs: [higher] })).feeConfigs, [higher]);
  });

  it('platform.md §3.2.6a: either component alone is a fee; the omitted one is removed', async () => {
    const platform = await world.platform();
    await change(platform, { feeConfigs: [fee()] });
    const bare = { feeType: 'CROSS_CURRENCY_TRANSACTION', sourceCurrency: 'USD' };
    const variable = { ...bare, variableFeeBps: 25 };
    assert.deepEqual((await change(platform, { feeConfigs: [variable] })).feeConfigs, [variable]);
    const fixed = { ...bare, fixedFee: { amount: 75, currency: 'USD' } };
    assert.deepEqual((await change(platform, { feeConfigs: [fixed] })).feeConfigs, [fixed]);
  });

  it('platform.md §3.2.6: a fee with both components 0, or neither, is removed', async () => {
    const platform = await world.platform();
    const off = fee({ variableFeeBps: 0, fixedFee: { amount: 0, currency: 'USD' } });
    for (const last of [off, { feeType: 'CROSS_CURRENCY_TRANSACTION', sourceCurrency: 'USD' }]) {
      await change(platform, { feeConfigs: [fee()] });
      assert.deepEqual((await change(platform, { feeConfigs: [last] })).feeConfigs, []);
    }
  });

  it('platform.md §3.2.6: a source or fixed fee in another currency than USD is 501', async () => {
    const platform = await world.platform();
    for (const entry of [
      fee({ sourceCurrency: 'EUR' }),
      fee({ sourceCurrency: 'EUR', fixedFee: { amount: 1, currency: 'EUR' } }),
      fee({ fixedFee: { amount: 1, currency: 'EUR' } }),
      fee({ sourceCurrency: 'USDC', fixedFee: undefined }),
    ]) {
      await refusedFields(platform, { feeConfigs: [entry] }, 501);
      await refusedFields(platform, { feeConfigs: [entry], webhookEndpoint: 'https://x.example/' }, 501);
    }
    assert.equal(
      (await patch(platform, { feeConfigs: [fee({ sourceCurrency: 'GBP' })] })).body.code,
      'NOT_IMPLEMENTED',
    );
  });

  it('platform.md §3.2.6: bps outside 0–10000, a negative amount and a duplicate key are 400, even next to a fee that would be 501', async () => {
    const platform = await world.platform();
    const fees = (...feeConfigs: object[]) => refusedFields(platform, { feeConfigs });
    assert.deepEqual(await fees(fee({ variableFeeBps: -1 })), ['feeConfigs.0.variableFeeBps']);
    assert.deepEqual(await fees(fee({ variableFeeBps: 10_001 })), ['feeConfigs.0.variableFeeBps']);
    assert.deepEqual(await fees(fee({ fixedFee: { amount: -1, currency: 'USD' } })), [
      'feeConfigs.0.fixedFee.amount',
    ]);
    assert.deepEqual(await fees(fee(), fee({ variableFeeBps: 1 })), ['feeConfigs.1']);
    assert.deepEqual(await fees(fee({ sourceCurrency: 'EUR' }), fee(), fee()), ['feeConfigs.2']);
    assert.deepEqual(await fees(fee({ sourceCurrency: 'usd' })), ['feeConfigs.0.sourceCurrency']);
    assert.deepEqual(await fees(fee({ feeType: 'OTHER' })), ['feeConfigs.0.feeType']);
    await change(platform, { feeConfigs: [fee({ variableFeeBps: 10_000 })] });
  });

  it('platform.md §3.2.7: wallet settings merge field by field; null resets one or all of them', async () => {
    const platform = await world.platform();
    const wallet = async (embeddedWalletConfig: unknown) =>
      (await change(platform, { embeddedWalletConfig })).embeddedWalletConfig;
    assert.deepEqual(await wallet({ appName: 'Acme', otpLength: 8 }), { appName: 'Acme', otpLength: 8 });
    assert.deepEqual(await wallet({ alphanumeric: true, unheardOf: 1 }), {
      appName: 'Acme',
      otpLength: 8,
      alphanumeric: true,
    });
    assert.deepEqual(await wallet({ otpLength: null }), { appName: 'Acme', alphanumeric: true });
    assert.deepEqual(await wallet({}), { appName: 'Acme', alphanumeric: true });
    assert.equal(await wallet(null), undefined);
    assert.equal(await wallet({}), undefined);
  });

  it('platform.md §3.2.7: the 2FA settings merge through email and sms, independent of wallets', async () => {
    const platform = await world.platform();
    const card = async (cardTokenization2faConfig: unknown) =>
      (await change(platform, { cardTokenization2faConfig })).cardTokenization2faConfig;
    await change(platform, { embeddedWalletConfig: { appName: 'Wallet' } });
    await card({
      displayName: 'Acme',
      email: { subject: 'Your code', fromName: 'Acme' },
      sms: { templateSid: 'T1' },
    });
    assert.deepEqual(
      await card({ email: { fromName: null, bodyText: '<b>{{code}}</b>' }, sms: { bodyText: 'Code' } }),
      {
        displayName: 'Acme',
        email: { subject: 'Your code', bodyText: '<b>{{code}}</b>' },
        sms: { templateSid: 'T1', bodyText: 'Code' },
      },
    );
    assert.deepEqual(await card({ email: null, sms: { templateSid: null, bodyText: null } }), {
      displayName: 'Acme',
    });
    assert.equal(await card(null), undefined);
    assert.deepEqual((await read(platform)).embeddedWalletConfig, { appName: 'Wallet' });
  });

  it('platform.md §3.2.7: lengths, e-mail formats, ranges and https are enforced, and every violation is named', async () => {
    const platform = await world.platform();
    assert.deepEqual(
      await refusedFields(platform, {
        embeddedWalletConfig: {
          appName: 'x'.repeat(256),
          otpLength: 13,
          alphanumeric: 'yes',
          expirationSeconds: 86_401,
          sendFromEmailAddress: 'a@',
          logoUrl: 'logo.png',
        },
        cardTokenization2faConfig: {
          logoUrl: 'http://example.com/a.png',
          email: { fromAddress: 'x', replyToAddress: 5 },
          sms: { templateSid: 'x'.repeat(65), bodyText: 'x'.repeat(481) },
        },
      }),
      [
        'embeddedWalletConfig.appName',
        'embeddedWalletConfig.otpLength',
        'embeddedWalletConfig.alphanumeric',
        'embeddedWalletConfig.expirationSeconds',
        'embeddedWalletConfig.sendFromEmailAddress',
        'embeddedWalletConfig.logoUrl',
        'cardTokenization2faConfig.logoUrl',
        'cardTokenization2faConfig.email.fromAddress',
        'cardTokenization2faConfig.email.replyToAddress',
        'cardTokenization2faConfig.sms.templateSid',
        'cardTokenization2faConfig.sms.bodyText',
      ],
    );
  });

  it('platform.md §3.2.1: two concurrent changes of different fields are both kept', async () => {
    const platform = await world.platform();
    await Promise.all([
      change(platform, { webhookEndpoint: 'https://both.example/' }),
      change(platform, { feeConfigs: [fee()] }),
      change(platform, { embeddedWalletConfig: { appName: 'Both' } }),
      change(platform, { embeddedWalletConfig: { otpLength: 4 } }),
    ]);
    const after = await read(platform);
    assert.equal(after.webhookEndpoint, 'https://both.example/');
    assert.deepEqual(after.feeConfigs, [fee()]);
    assert.deepEqual(after.embeddedWalletConfig, { appName: 'Both', otpLength: 4 });
  });

  it('platform.md §1.1.6: a body that is not a JSON object is INVALID_REQUEST_FORMAT', async () => {
    const platform = await world.platform();
    for (const body of ['', '[]', 'null', '"x"', '{']) {
      assert.equal((await patch(platform, body)).body.code, 'INVALID_REQUEST_FORMAT', body);
    }
  });
});
