import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { describe, it } from 'node:test';
import { currencyConfigured } from '#capabilities/platform/announcements.ts';
import {
  disablePlatform,
  enablePlatform,
  listPlatforms,
  loadPlatform,
  openPlatform,
  setPlatform,
} from '#capabilities/platform/set-platform.ts';
import { loadProviderFields } from '#capabilities/platform/store.ts';
import { createFirstPlatform, createPlatform } from '#capabilities/tokens/create-platform.ts';
import { webhookKeyContext } from '#foundation/crypto/webhook-key.ts';
import { sql } from '#foundation/database/sql.ts';
import { on, reactionTable } from '#foundation/events/reactions.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { type FieldError, Refusal, refuse } from '#foundation/lib/refusals.ts';
import { testWorld } from '#tests/harness/harness.ts';

const operator = { kind: 'operator', id: 'jo' } as const;

describe('platforms', () => {
  const world = testWorld();
  const create = (request: object = {}) =>
    createPlatform(world.app.runtime, operator, { name: 'Acme', environment: 'SANDBOX', ...request });
  const refusedFields = async (request: object): Promise<string[]> => {
    const refusal = await create(request).then(
      () => assert.fail('was created'),
      (error: unknown) => error,
    );
    assert.ok(refusal instanceof Refusal);
    return ((refusal.details?.errors ?? []) as FieldError[]).map(({ field }) => field);
  };
  const count = async (table: 'platforms' | 'tokens' | 'platform_configs') => {
    const tables = {
      platforms: sql`platforms`,
      tokens: sql`tokens`,
      platform_configs: sql`platform_configs`,
    };
    const rows = await world.database.query<{ count: bigint }>(sql`select count(*) from ${tables[table]}`);
    return Number(rows[0]?.count);
  };
  const config = (authorization: string) =>
    world.app.http.inject({ url: '/svc/2025-10-13/config', headers: { authorization } });
  const basic = (user: string, secret: string) =>
    `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;

  it('platform.md §1.3.8: if many processes start at once on an empty database, one creates the first platform', async () => {
    const request = { name: 'First', environment: 'SANDBOX' } as const;
    const made = await Promise.all(
      Array.from({ length: 5 }, () => createFirstPlatform(world.app.runtime, operator, request)),
    );
    assert.equal(made.filter((platform) => platform !== undefined).length, 1);
    assert.equal(await count('platforms'), 1);
    assert.equal(await createFirstPlatform(world.app.runtime, operator, request), undefined);
  });

  it('platform.md §1.3.8: creation returns a token with all permissions, the webhook key and the settings', async () => {
    const made = await create({ settings: { isRegulatedFinancialInstitution: true } });
    assert.deepEqual(made.token.permissions, ['VIEW', 'TRANSACT', 'MANAGE']);
    const reply = await config(basic(made.token.client_id, made.clientSecret));
    assert.equal(reply.statusCode, 200);
    assert.equal(reply.json().isRegulatedFinancialInstitution, true);
    const shown = await loadPlatform(world.app.runtime, `Platform:${made.id}`);
    assert.deepEqual(shown.explicitSettings, { isRegulatedFinancialInstitution: true });
  });

  it('platform.md §1.3.8, §4.1.3: the stored private key is sealed and belongs to the public one', async () => {
    const made = await create();
    const [row] = await world.database.query<{
      id: Id<'WebhookKey'>;
      public_key: string;
      private_key: Buffer;
    }>(sql`select id, public_key, private_key from webhook_keys where platform_id = ${made.id}`);
    assert.ok(row);
    assert.equal(row.public_key, made.webhookPublicKey);
    const der = world.app.runtime.vault.open(row.private_key, webhookKeyContext(row.id));
    const key = createPublicKey(createPrivateKey({ key: der, type: 'pkcs8', format: 'der' }));
    assert.equal(key.export({ type: 'spki', format: 'pem' }), made.webhookPublicKey);
  });

  it('platform.md §1.3.8: chosen credentials are used, by client id or by id', async () => {
    const clientSecret = 'a-secret-that-the-operator-has-chosen';
    const clientId = '0123456789abcdef0123456789abcdef';
    await create({ token: { credentials: { clientId, clientSecret } } });
    assert.equal((await config(basic(clientId, clientSecret))).statusCode, 200);
    const id = newUuid();
    await create({ token: { credentials: { id, clientSecret } } });
    assert.equal((await config(basic(`Token:${id}`, clientSecret))).statusCode, 200);
  });

  it('platform.md §3.1: every initial currency is announced in the platform’s own transaction; a refusal rolls everything back', async () => {
    const announced: string[] = [];
    const runtime = (refused?: string) => ({
      ...world.app.runtime,
      reactions: reactionTable([
        on(currencyConfigured, async (tx, { code }) => {
          const rows = await tx.sql`select from platform_configs where platform_id = ${tx.platformId}`;
          assert.equal(rows.length, 1);
          announced.push(code);
          if (code === refused) refuse('CONFLICT', 'no');
        }),
      ]),
    });
    const request = { name: 'Acme', environment: 'SANDBOX' } as const;
    await createPlatform(runtime(), operator, request);
    assert.deepEqual(announced, ['USD', 'USDC', 'USDB']);
    const before = [await count('platforms'), await count('tokens'), await count('platform_configs')];
    await assert.rejects(createPlatform(runtime('USDB'), operator, request), { code: 'CONFLICT' });
    assert.deepEqual(
      [await count('platforms'), await count('tokens'), await count('platform_configs')],
      before,
    );
  });

  it('platform.md §1.3.8: creation writes audit rows without secrets', async () => {
    const made = await create();
    const rows = await world.database.query<{ action: string; actor_id: string; row: string }>(
      sql`select action, actor_id, a::text as row from audit_log a where platform_id = ${made.id} order by id`,
    );
    assert.deepEqual(
      rows.map(({ action, actor_id }) => `${actor_id}: ${action}`),
      ['jo: platform create', 'jo: secret shown'],
    );
    assert.ok(!rows.some(({ row }) => row.includes(made.clientSecret)));
  });

  it('platform.md §3.3: every invalid setting is named, and nothing is created', async () => {
    const before = await count('platforms');
    const bad = {
      isRegulatedFinancialInstitution: 'yes',
      isRegulated: true,
      fees: { crossCurrencyBps: 10_001, crossBps: 5 },
      limits: { corridors: { 'USD-EUR': { maxUsdCents: -1 } } },
      cards: { liveMaxPerCardholder: 0 },
      requestRate: 5,
      frameOrigins: ['not a url'],
    };
    assert.deepEqual((await refusedFields({ settings: bad })).sort(), [
      'cards.liveMaxPerCardholder',
      'fees.crossBps',
      'fees.crossCurrencyBps',
      'frameOrigins.0',
      'isRegulated',
      'isRegulatedFinancialInstitution',
      'limits.corridors.USD-EUR.maxUsdCents',
      'requestRate',
    ]);
    assert.equal(await count('platforms'), before);
  });

  it('platform.md §3.3: unknown names inside settings are refused', async () => {
    const settings = {
      skipVerificationPaperwork: true,
      fees: { fixed: { USDX: 1 }, counterpartyFixed: { eur: 1 } },
      limits: { corridors: { 'USD-XXX': {}, 'USD-EUR-GBP': {}, '': {}, USD: {}, 'USD-EUR': {} } },
      frameOrigins: ['https://app.example.com', 'https://app.example.com/path'],
      allowedUmaProviders: ['ok.example', 'Not.Lower', 'x'],
    };
    const bad = [
      'fees.fixed.USDX',
      'fees.counterpartyFixed.eur',
      'limits.corridors.USD-XXX',
      'limits.corridors.USD-EUR-GBP',
      'limits.corridors.',
      'frameOrigins.1',
      'allowedUmaProviders.1',
      'allowedUmaProviders.2',
    ];
    assert.deepEqual(await refusedFields({ settings }), bad);
    assert.deepEqual(await refusedFields({ environment: 'PRODUCTION', settings }), [
      ...bad,
      'skipVerificationPaperwork',
    ]);
  });

  it('a name has 1 to 255 characters', async () => {
    for (const name of ['', '  ', 'x'.repeat(256)])
      await assert.rejects(create({ name }), { code: 'INVALID_INPUT' });
  });

  it('platform.md §3.3: settings are merged, null resets one, and running servers see it at once', async () => {
    const made = await create({ settings: { fees: { crossCurrencyBps: 80 } } });
    const authorization = basic(made.token.client_id, made.clientSecret);
    assert.equal((await config(authorization)).json().isRegulatedFinancialInstitution, false);
    const set = (settings: Record<string, unknown>) =>
      setPlatform(world.app.runtime, made.id, operator, { settings });
    await set({ isRegulatedFinancialInstitution: true, fees: { fixed: { USD: 25 } } });
    assert.equal((await config(authorization)).json().isRegulatedFinancialInstitution, true);
    const after = await set({ isRegulatedFinancialInstitution: null, fees: { crossCurrencyBps: null } });
    assert.deepEqual(after.explicitSettings, { fees: { fixed: { USD: 25 } } });
    assert.equal((await config(authorization)).json().isRegulatedFinancialInstitution, false);
  });

  it('platform.md §3.3: an invalid change leaves the settings unchanged', async () => {
    const made = await create();
    const { runtime } = world.app;
    await assert.rejects(setPlatform(runtime, made.id, operator, { name: 'New', settings: { typo: 1 } }), {
      code: 'INVALID_INPUT',
    });
    for (const providerFields of [{ USDX: {} }, { USD: { customer: ['SHOE_SIZE'] } }]) {
      await assert.rejects(
        setPlatform(runtime, made.id, operator, { providerFields: providerFields as never }),
        { code: 'INVALID_INPUT' },
      );
    }
    const shown = await loadPlatform(runtime, made.id);
    assert.equal(shown.name, 'Acme');
    assert.deepEqual(shown.explicitSettings, {});
    await assert.rejects(setPlatform(runtime, newUuid(), operator, {}), { code: 'PLATFORM_NOT_FOUND' });
  });

  it('platform.md §3.3: provider fields that are not sent stay, null removes an entry, and unknown names are refused', async () => {
    const made = await create();
    const { runtime } = world.app;
    const set = (providerFields: object) =>
      setPlatform(runtime, made.id, operator, { providerFields: providerFields as never });
    const stored = async () =>
      (await openPlatform(runtime, made.id, operator)).read((tx) => loadProviderFields(tx));
    await set({
      EUR: { customer: ['BIRTH_DATE'], counterparty: ['ID_NUMBER'] },
      USD: { customer: ['TAX_ID'] },
    });
    await set({ EUR: { customer: ['TAX_ID'] } });
    assert.deepEqual(await stored(), {
      EUR: { customer: ['TAX_ID'], counterparty: ['ID_NUMBER'] },
      USD: { customer: ['TAX_ID'] },
    });
    for (const bad of [
      { EUR: { customers: [] } },
      { EURO: { customer: [] } },
      { EUR: ['TAX_ID'] },
      ['EUR'],
      null,
    ]) {
      await assert.rejects(set(bad as never), { code: 'INVALID_INPUT' }, JSON.stringify(bad));
    }
    await set({ EUR: { counterparty: null }, USD: null });
    assert.deepEqual(await stored(), { EUR: { customer: ['TAX_ID'] } });
  });

  it('platform.md §3.3: two concurrent changes are both kept', async () => {
    const made = await create();
    const { runtime } = world.app;
    await Promise.all([
      setPlatform(runtime, made.id, operator, { settings: { cards: { liveMax: 5 } } }),
      setPlatform(runtime, made.id, operator, { settings: { cards: { liveMaxPerCardholder: 1 } } }),
      setPlatform(runtime, made.id, operator, { name: 'Renamed' }),
    ]);
    const shown = await loadPlatform(runtime, made.id);
    assert.deepEqual(shown.explicitSettings, { cards: { liveMax: 5, liveMaxPerCardholder: 1 } });
    assert.equal(shown.name, 'Renamed');
  });

  it('platform.md §10.3: tokens of a disabled platform get PLATFORM_NOT_FOUND until it is enabled again', async () => {
    const made = await create();
    const authorization = basic(made.token.client_id, made.clientSecret);
    const { disabledAt } = await disablePlatform(world.app.runtime, made.id, operator);
    assert.ok(disabledAt);
    const reply = await config(authorization);
    assert.equal(reply.statusCode, 404);
    assert.equal(reply.json().code, 'PLATFORM_NOT_FOUND');
    await enablePlatform(world.app.runtime, made.id, operator);
    assert.equal((await config(authorization)).statusCode, 200);
  });

  it('the operator lists platforms of both environments, oldest first', async () => {
    const one = await create({ name: 'One' });
    world.clock.advance(1000);
    const two = await create({ name: 'Two', environment: 'PRODUCTION' });
    const listed = (await listPlatforms(world.app.runtime)).slice(-2);
    assert.deepEqual(
      listed.map(({ id, environment }) => [id, environment]),
      [
        [one.id, 'SANDBOX'],
        [two.id, 'PRODUCTION'],
      ],
    );
    await assert.rejects(loadPlatform(world.app.runtime, 'nonsense'), { code: 'PLATFORM_NOT_FOUND' });
  });
});
