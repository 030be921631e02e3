import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { findDefault } from '#capabilities/external-accounts/store.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { HOLDER } from '#tests/checks/external-account-examples.ts';
import { listAccountWebhooks } from '#tests/given/accounts.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import {
  addAccount,
  buildAccountRequest,
  type ExternalAccountReply,
  givenExternalAccount,
  readExternalAccount,
} from '#tests/given/external-accounts.ts';
import { type Call, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

type ListId = 'listCustomerExternalAccounts' | 'listPlatformExternalAccounts';

describe('reading and deleting external accounts', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let first: string;
  let second: string;
  /** Newest first. */
  let ofCustomers: ExternalAccountReply[];
  let ofPlatform: ExternalAccountReply[];

  before(async () => {
    platform = await world.platform();
    first = (await givenCustomer(platform)).id;
    second = (await givenCustomer(platform)).id;
    const made: ExternalAccountReply[] = [];
    for (const name of ['USD_ACCOUNT', 'EUR_ACCOUNT', 'BASE_WALLET', 'MXN_ACCOUNT', 'LIGHTNING']) {
      for (const rest of [{ customerId: first }, { customerId: second }, {}]) {
        made.push(await givenExternalAccount(platform, name, {}, rest));
        // Some have the same time, so ties are ordered by id.
        if (name !== 'EUR_ACCOUNT') world.clock.advance(1000);
      }
    }
    const newest = made.toSorted((a, b) => (`${a.createdAt}${a.id}` < `${b.createdAt}${b.id}` ? 1 : -1));
    ofCustomers = newest.filter((account) => account.customerId !== null);
    ofPlatform = newest.filter((account) => account.customerId === null);
  });

  const list = async (
    query: NonNullable<Call['query']> = {},
    id: ListId = 'listCustomerExternalAccounts',
  ) => {
    const reply = await platform.call(id, { query });
    assert.equal(reply.status, 200, reply.raw);
    return reply.body;
  };
  const params = (externalAccountId: string) => ({ params: { externalAccountId } });
  const bothPaths = ['Customer', 'Platform'] as const;

  it('accounts.md §3.1.3, §1.4: each list has its own accounts, newest first, ties by id, with the count of all', async () => {
    assert.deepEqual(await list(), { data: ofCustomers, hasMore: false, totalCount: 10 });
    assert.deepEqual(await list({}, 'listPlatformExternalAccounts'), {
      data: ofPlatform,
      hasMore: false,
      totalCount: 5,
    });
  });

  it('accounts.md §1.4: pages give every account once', async () => {
    const walk = async (id: ListId, limit: number) => {
      const seen: ExternalAccountReply[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await list({ limit, ...(cursor !== undefined && { cursor }) }, id);
        seen.push(...page.data);
        assert.equal(page.nextCursor !== undefined, page.hasMore);
        if (!page.hasMore) return seen;
        cursor = page.nextCursor;
      }
    };
    for (const limit of [1, 3]) {
      assert.deepEqual(await walk('listCustomerExternalAccounts', limit), ofCustomers);
      assert.deepEqual(await walk('listPlatformExternalAccounts', limit), ofPlatform);
    }
  });

  it('accounts.md §1.4, §1.5: filters combine; the currency is exact; an unknown currency or customer gives an empty list', async () => {
    const of = (test: (account: ExternalAccountReply) => boolean) => ofCustomers.filter(test);
    assert.deepEqual(
      (await list({ currency: 'EUR' })).data,
      of((account) => account.currency === 'EUR'),
    );
    assert.deepEqual(
      (await list({ customerId: first })).data,
      of((account) => account.customerId === first),
    );
    assert.deepEqual(
      (await list({ customerId: second, currency: 'USDC' })).data,
      of((account) => account.customerId === second && account.currency === 'USDC'),
    );
    const bare = uuidOf(first);
    assert.deepEqual(
      (await list({ customerId: bare })).data,
      of((account) => account.customerId === first),
    );
    for (const query of [{ currency: 'usd' }, { currency: 'ZZZ' }, { customerId: `Customer:${newUuid()}` }]) {
      assert.deepEqual(await list(query), { data: [], hasMore: false, totalCount: 0 });
    }
    assert.deepEqual(
      (await list({ currency: 'EUR' }, 'listPlatformExternalAccounts')).data,
      ofPlatform.filter((account) => account.currency === 'EUR'),
    );
  });

  it('accounts.md §1.4: invalid limits, cursors and ids are refused, and so is a cursor with other filters', async () => {
    const { nextCursor = '' } = await list({ limit: 2 });
    for (const query of [
      { limit: 0 },
      { limit: 101 },
      { limit: 'many' },
      { cursor: 'x' },
      { cursor: nextCursor, currency: 'EUR' },
      { customerId: 'Customer:1' },
      { customerId: `Quote:${newUuid()}` },
    ] as NonNullable<Call['query']>[]) {
      const reply = await platform.call('listCustomerExternalAccounts', { query });
      assert.equal(reply.status, 400, JSON.stringify(query));
      assert.equal(reply.body.code, 'INVALID_INPUT');
    }
    const foreign = await platform.call('listPlatformExternalAccounts', { query: { cursor: nextCursor } });
    assert.equal(foreign.status, 400);
  });

  it('accounts.md §3.1.3: the customers’ path reads both kinds, the platform’s path only its own; full id or bare UUID', async () => {
    const [customerOwned] = ofCustomers;
    const [platformOwned] = ofPlatform;
    assert.ok(customerOwned && platformOwned);
    for (const account of [customerOwned, platformOwned]) {
      assert.deepEqual(await readExternalAccount(platform, account.id), account);
      assert.deepEqual(await readExternalAccount(platform, uuidOf(account.id)), account);
    }
    const own = await platform.call('getPlatformExternalAccountById', params(platformOwned.id));
    assert.deepEqual(own.body, platformOwned);
    const other = await platform.call('getPlatformExternalAccountById', params(customerOwned.id));
    assert.equal(other.status, 404);
  });

  it('accounts.md §1.2: malformed, unknown, foreign and deleted ids get the same 404 from every call', async () => {
    const stranger = await givenExternalAccount(await world.platform());
    const gone = await givenExternalAccount(platform, 'GBP_ACCOUNT');
    assert.equal((await platform.call('deleteCustomerExternalAccountById', params(gone.id))).status, 204);
    const ids = [
      'nonsense',
      `ExternalAccount:${newUuid().toUpperCase()}`,
      `ExternalAccount:${newUuid()}`,
      stranger.id,
      gone.id,
    ];
    const bodies = new Set<string>();
    for (const id of ids) {
      for (const path of bothPaths) {
        bodies.add((await platform.call(`get${path}ExternalAccountById`, params(id))).raw);
        bodies.add((await platform.call(`delete${path}ExternalAccountById`, params(id))).raw);
        const prefix = path === 'Platform' ? 'Platform' : '';
        const challenge = { ...params(id), body: { method: 'WALLET_SIGNATURE' } };
        bodies.add((await platform.call(`create${prefix}ExternalAccountOwnershipChallenge`, challenge)).raw);
        const proof = { ...params(id), body: { signature: 'x' } };
        bodies.add((await platform.call(`verify${prefix}ExternalAccountOwnership`, proof)).raw);
      }
    }
    assert.equal(bodies.size, 1);
    assert.equal(JSON.parse([...bodies][0] ?? '').code, 'ACCOUNT_NOT_FOUND');
  });

  it('accounts.md §3.1.9: an account cannot be changed: PUT and PATCH are 405 on both paths', async () => {
    const [owned] = ofCustomers;
    const [own] = ofPlatform;
    assert.ok(owned && own);
    for (const path of [
      `/customers/external-accounts/${owned.id}`,
      `/platform/external-accounts/${own.id}`,
    ]) {
      for (const method of ['PUT', 'PATCH'] as const) {
        const reply = await world.app.http.inject({
          method,
          url: `/svc/2025-10-13${path}`,
          headers: { authorization: platform.authorization },
          payload: { platformAccountId: 'another' },
        });
        assert.deepEqual([reply.statusCode, reply.json().code], [405, 'METHOD_NOT_ALLOWED'], path);
      }
    }
    assert.deepEqual(await readExternalAccount(platform, own.id), own);
  });

  it('accounts.md §3.4, §3.1.10: deletion is soft, replies 204 once, and sends no event', async () => {
    const owned = await givenExternalAccount(platform, 'CAD_ACCOUNT', {}, { customerId: first });
    const other = await givenExternalAccount(platform, 'CAD_ACCOUNT');
    assert.equal((await platform.call('deletePlatformExternalAccountById', params(owned.id))).status, 404);
    for (const { id } of [owned, other]) {
      const replies = await Promise.all(
        Array.from({ length: 4 }, () => platform.call('deleteCustomerExternalAccountById', params(id))),
      );
      assert.deepEqual(replies.map((reply) => reply.status).sort(), [204, 404, 404, 404]);
    }
    assert.ok(!(await list()).data.some(({ id }) => id === owned.id));
    assert.deepEqual(await listAccountWebhooks(platform, 'EXTERNAL_ACCOUNT.'), []);
    const work = await platform.work();
    const rows = await work.read(
      (tx) => tx.sql`
      select deleted_at from external_accounts
       where platform_id = ${tx.platformId} and id = ${uuidOf(owned.id)} and deleted_at is not null`,
    );
    assert.equal(rows.length, 1);
  });

  it('accounts.md §3.4: deleting a customer deletes its accounts', async () => {
    const { id: customerId } = await givenCustomer(platform);
    const accounts = [
      await givenExternalAccount(platform, 'USD_ACCOUNT', {}, { customerId }),
      await givenExternalAccount(platform, 'EUR_ACCOUNT', {}, { customerId, defaultUmaDepositAccount: true }),
    ];
    assert.equal((await platform.call('deleteCustomerById', { params: { customerId } })).status, 200);
    for (const { id } of accounts) {
      assert.equal((await platform.call('getCustomerExternalAccountById', params(id))).status, 404);
    }
    assert.deepEqual((await list({ customerId })).data, []);
  });

  it('accounts.md §3.4: no account is added while its customer is being deleted', async () => {
    for (let round = 0; round < 5; round++) {
      const { id: customerId } = await givenCustomer(platform);
      const [deleted, added] = await Promise.all([
        platform.call('deleteCustomerById', { params: { customerId } }),
        addAccount(platform, buildAccountRequest('USD_ACCOUNT', {}, { customerId })),
      ]);
      assert.equal(deleted.status, 200);
      assert.ok(added.status === 201 || added.body.code === 'CUSTOMER_NOT_FOUND');
      assert.deepEqual((await list({ customerId })).data, []);
    }
  });

  it('accounts.md §3.2.23: the default receives money only while it is active and in the payment’s currency', async () => {
    const { id } = await givenCustomer(platform);
    const customerId = uuidOf(id);
    const work = await platform.work();
    const target = (currency: string) => work.read((tx) => findDefault(tx, customerId, currency));
    assert.equal(await target('EUR'), undefined);
    const made = await givenExternalAccount(
      platform,
      'EUR_ACCOUNT',
      {},
      { customerId: id, defaultUmaDepositAccount: true },
    );
    assert.equal((await target('EUR'))?.id, uuidOf(made.id));
    assert.equal(await target('USD'), undefined);
    await world.database.query(sql`
      update external_accounts set status = 'INACTIVE' where id = ${uuidOf(made.id)}`);
    assert.equal(await target('EUR'), undefined);
  });

  it('accounts.md §1.7, customers.md §2.4.26a: no number, address or holder is in plain text in any table or log; erasure leaves nothing', async () => {
    const owner = await world.platform({ settings: { counterpartyRequirements: true } });
    await owner.receive();
    const { id: customerId } = await givenCustomer(owner);
    const iban = 'GB33BUKB20201555555555';
    const address = '0x52908400098527886E0F7030069857D2E4169EE7';
    const secrets = [iban, address, '98123456789', 'Hedy Lamarr Kiesler', 'vienna.bound@kiesler.example'];
    const beneficiary = { ...HOLDER, fullName: secrets[3], email: secrets[4] };
    const key = 'keep';
    const body = buildAccountRequest('EUR_ACCOUNT', { iban, beneficiary }, { customerId });
    assert.equal((await owner.call('createCustomerExternalAccount', { body, key })).status, 201);
    await givenExternalAccount(
      owner,
      'USD_ACCOUNT',
      { accountNumber: secrets[2], beneficiary },
      { customerId },
    );
    const wallet = await givenExternalAccount(
      owner,
      'BASE_WALLET',
      { address, vaspName: undefined },
      { customerId, ownershipType: 'FIRST_PARTY' },
    );
    const challenge = { ...params(wallet.id), body: { method: 'WALLET_SIGNATURE' } };
    assert.equal((await owner.call('createExternalAccountOwnershipChallenge', challenge)).status, 201);
    await owner.call('verifyExternalAccountOwnership', { ...params(wallet.id), body: { signature: '0x00' } });
    await addAccount(owner, buildAccountRequest('EUR_ACCOUNT', { iban, beneficiary: 5 }, { customerId }));
    assert.deepEqual(await findOpen(secrets), []);
    await owner.call('deleteCustomerById', { params: { customerId } });
    const work = await owner.work();
    const { eraseCustomer } = await import('#capabilities/customers/lifecycle/delete-customer.ts');
    await work.write((tx) => eraseCustomer(tx, uuidOf(customerId)));
    const left = await work.read(
      (tx) => tx.sql`
      select from external_accounts
       where platform_id = ${tx.platformId} and (details is not null or fingerprint is not null)`,
    );
    assert.deepEqual(left, []);
    const asked = await work.read(
      (tx) => tx.sql`
      select from ownership_challenges where platform_id = ${tx.platformId}`,
    );
    assert.deepEqual(asked, []);
  });

  /** The places where a secret appears in plain text, or as its bytes would in a dump. */
  async function findOpen(secrets: readonly string[]): Promise<string[]> {
    const tables = await world.database.query<{ name: string }>(sql`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE'`);
    const places: [string, string][] = [['log', world.logged.join('\n').toLowerCase()]];
    for (const { name } of tables) {
      const rows = await world.database.query<{ text: string }>(
        sql`select r::text as text from ${rawSql(name)} r`,
      );
      places.push([name, rows.map((row) => row.text.toLowerCase()).join('\n')]);
    }
    const forms = secrets.flatMap((secret) => [secret.toLowerCase(), Buffer.from(secret).toString('hex')]);
    return places.flatMap(([name, text]) =>
      forms.filter((form) => text.includes(form)).map((form) => `${form} in ${name}`),
    );
  }
});
