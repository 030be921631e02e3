import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { LINK_STATUSES } from '#capabilities/stablecoins/link-row.ts';
import { LINK_CHANGES, revokeLink } from '#capabilities/stablecoins/links/change-link.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import type { LoginAnswer } from '#foundation/ports/stablecoins.ts';
import { advance } from '#tests/given/payments.ts';
import {
  askCoin,
  askLink,
  givenCoin,
  givenLink,
  type LinkReply,
  playProvider,
  readCoin,
  readLink,
} from '#tests/given/stablecoins.ts';
import { type Answered, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const DAY_SECONDS = 24 * 3_600;

describe('linking provider accounts', () => {
  const world = testWorld();

  const codeOf = ({ status, body }: Answered<{ code?: string }>) => `${status} ${body.code ?? ''}`.trim();
  const listLinks = async (platform: TestPlatform) =>
    (await platform.call('listStablecoinProviderAccounts')).body.data;
  const revoke = async (platform: TestPlatform, { id }: LinkReply) =>
    (await platform.work()).write((tx) => revokeLink(tx, { linkId: uuidOf(id), reason: 'a test' }));
  const loadSecret = async (platform: TestPlatform, { id }: LinkReply) => {
    const [row] = await (await platform.work()).read(
      (tx) => tx.sql<{ api_client_secret: Buffer | null }>`
        select api_client_secret from stablecoin_provider_accounts
         where platform_id = ${tx.platformId} and id = ${uuidOf(id)}`,
    );
    return row?.api_client_secret;
  };

  describe('the request', () => {
    it('stablecoins.md §1.11, §1.26, §1.1: accepted credentials make an active link, which shows no secret', async () => {
      const platform = await world.platform();
      const link = await givenLink(platform, { apiClientId: 'client-xyz' });
      const { id, createdAt, updatedAt, lastVerifiedAt, ...rest } = link;
      assert.match(id, /^StablecoinProviderAccount:[0-9a-f-]{36}$/);
      assert.deepEqual(rest, {
        provider: 'BRALE',
        providerAccountId: 'account-client-xyz',
        providerEnvironment: 'SANDBOX',
        status: 'ACTIVE',
      });
      assert.deepEqual([createdAt, createdAt], [updatedAt, lastVerifiedAt]);
      assert.deepEqual(await readLink(platform, link), link);
    });

    it('stablecoins.md §1.1: the provider is asked before anything is stored, and the environment is the platform’s', async () => {
      const platform = await world.platform();
      let stored: number | undefined;
      const restore = playProvider(world, {
        async verifyLogin({ apiClientId }) {
          stored = (await listLinks(platform)).length;
          return { outcome: 'VERIFIED', accounts: [{ id: `at-${apiClientId}`, status: 'ACTIVE' }] };
        },
      });
      const body = { providerEnvironment: 'PRODUCTION' };
      const link = await givenLink(platform, body).finally(restore);
      assert.deepEqual([stored, link.providerEnvironment], [0, 'SANDBOX']);
      assert.equal(link.providerAccountId, 'at-client-abc');
    });

    it('stablecoins.md §1.1: in production it is PRODUCTION', async () => {
      const platform = await world.platform({ environment: 'PRODUCTION' });
      const restore = playProvider(world, {}, 'PRODUCTION');
      const link = await givenLink(platform).finally(restore);
      assert.equal(link.providerEnvironment, 'PRODUCTION');
      assert.deepEqual(await listLinks(platform), [link], 'stablecoins.md §6.21: reads need no provider');
    });

    it('stablecoins.md §6.21: production without a provider is 501 for every operation that would change something', async () => {
      const platform = await world.platform({ environment: 'PRODUCTION' });
      const params = { stablecoinId: `Stablecoin:${randomUUID()}` };
      for (const reply of [
        await askLink(platform),
        await askCoin(platform),
        await platform.send('requestStablecoinEnablement', { params }),
      ]) {
        assert.equal(codeOf(reply as never), '501 NOT_IMPLEMENTED');
      }
      assert.equal((await platform.call('listStablecoins')).status, 200);
      assert.equal((await platform.send('getStablecoin', { params })).status, 404);
    });

    it('stablecoins.md §2: a key is required, and every invalid field is named at once', async () => {
      const platform = await world.platform();
      for (const key of [undefined, '', 'k'.repeat(256)]) {
        const headers = key === undefined ? {} : { 'idempotency-key': key };
        const reply = await platform.send('linkStablecoinProviderAccount', { body: {}, headers });
        assert.equal(codeOf(reply), '400 INVALID_INPUT');
      }
      const bad = { provider: 'OTHER', apiClientId: '', apiClientSecret: undefined, providerAccountId: '' };
      const { body } = await askLink(platform, bad);
      const { errors } = body.details as unknown as { errors: { field: string }[] };
      assert.deepEqual(errors.map(({ field }) => field).sort(), Object.keys(bad).sort());
      assert.deepEqual(await listLinks(platform), []);
    });

    it('stablecoins.md §2: the same key gets the first reply again, and with another body 409; its provider is asked once', async () => {
      const platform = await world.platform();
      let asked = 0;
      const { verifyLogin } = world.app.runtime.ports('SANDBOX').stablecoins;
      const restore = playProvider(world, {
        async verifyLogin(login) {
          asked++;
          return verifyLogin(login);
        },
      });
      try {
        const first = await askLink(platform, {}, { key: 'once' });
        const second = await askLink(platform, {}, { key: 'once' });
        assert.deepEqual([first.status, second.status, second.raw], [201, 201, first.raw]);
        assert.equal(second.headers['idempotency-replayed'], 'true');
        const other = await askLink(platform, { apiClientSecret: 'another secret' }, { key: 'once' });
        assert.equal(codeOf(other), '409 CONFLICT');
        assert.equal(asked, 1);
      } finally {
        restore();
      }
      assert.equal((await listLinks(platform)).length, 1);
    });

    it('stablecoins.md §2: a key can be used again after a refusal, or if its process died after the verification', async () => {
      const platform = await world.platform();
      const restore = playProvider(world, {
        verifyLogin: async () => ({ outcome: 'UNAVAILABLE' }),
      });
      const refused = await askLink(platform, {}, { key: 'again' }).finally(restore);
      assert.equal(codeOf(refused), '400 STABLECOIN_PROVIDER_ERROR');
      // Like a process that dies after the provider's answer: nothing was stored.
      const died = playProvider(world, {
        verifyLogin: async () => Promise.reject(new Error('the process is gone')),
      });
      await assert.rejects(askLink(platform, {}, { key: 'again' }).finally(died), /INTERNAL_ERROR/);
      assert.equal((await askLink(platform, {}, { key: 'again' })).status, 201);
    });

    it('stablecoins.md §2: one key, sent ten times at once in two processes, makes one link and one reply', async () => {
      const platform = await world.platform();
      const other = await world.elsewhere(platform);
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, i) => askLink(i % 2 === 0 ? platform : other, {}, { key: 'one' })),
      );
      assert.deepEqual(new Set(replies.map(({ status, raw }) => `${status} ${raw}`)).size, 1);
      assert.deepEqual([replies[0]?.status, (await listLinks(platform)).length], [201, 1]);
    });
  });

  describe('the provider’s answers', () => {
    it('stablecoins.md §1.21, §1.24, §1.2, §1.3: refused credentials, and an unreachable provider, leave nothing behind', async () => {
      const platform = await world.platform();
      const refused = await askLink(platform, { apiClientId: 'client-002' });
      assert.equal(codeOf(refused), '400 STABLECOIN_PROVIDER_ACCOUNT_INVALID');
      const lost = await askLink(platform, { apiClientId: 'client-005' });
      assert.equal(codeOf(lost), '400 STABLECOIN_PROVIDER_ERROR');
      assert.deepEqual(await listLinks(platform), []);
    });

    it('stablecoins.md §1.22, §1.23: the link is created as INVALID or REVOKED, and was never verified', async () => {
      const platform = await world.platform();
      const invalid = await givenLink(platform, { apiClientId: 'client-003' });
      assert.deepEqual([invalid.status, invalid.lastVerifiedAt], ['INVALID', undefined]);
      const revoked = await givenLink(platform, { apiClientId: 'client-004' });
      assert.deepEqual([revoked.status, revoked.lastVerifiedAt], ['REVOKED', undefined]);
      assert.equal(await loadSecret(platform, revoked), null, 'an unusable secret is not stored');
      assert.ok(await loadSecret(platform, invalid));
    });

    it('stablecoins.md §1.25, §1.2: if there are several accounts, one of them must be named', async () => {
      const platform = await world.platform();
      const apiClientId = 'client-006';
      for (const providerAccountId of [undefined, 'client-006', 'client-006-c']) {
        const reply = await askLink(platform, { apiClientId, providerAccountId });
        assert.equal(codeOf(reply), '400 INVALID_INPUT');
        const { errors } = reply.body.details as unknown as { errors: object[] };
        assert.deepEqual(errors, [
          {
            field: 'providerAccountId',
            constraint: { enum: ['client-006-a', 'client-006-b'] },
            message: providerAccountId
              ? 'is not an account that these credentials open'
              : 'is required: the credentials open 2 accounts',
          },
        ]);
      }
      for (const end of ['a', 'b']) {
        const link = await givenLink(platform, { apiClientId, providerAccountId: `client-006-${end}` });
        assert.deepEqual([link.status, link.providerAccountId], ['ACTIVE', `client-006-${end}`]);
      }
    });

    it('stablecoins.md §1.2: a named account must be one that the credentials open, even if they open only one', async () => {
      const platform = await world.platform();
      const reply = await askLink(platform, { providerAccountId: 'account-of-another' });
      assert.equal(codeOf(reply), '400 INVALID_INPUT');
      await givenLink(platform, { providerAccountId: 'account-client-abc' });
    });

    it('stablecoins.md §1.2: a second active link to an account is 409, on the same platform only', async () => {
      const platform = await world.platform();
      await givenLink(platform);
      assert.equal(codeOf(await askLink(platform, { apiClientSecret: 'another' })), '409 CONFLICT');
      await givenLink(platform, { apiClientId: 'client-xyz' });
      await givenLink(await world.platform());
    });

    it('stablecoins.md §1.2: one of ten concurrent links to one account in two processes is 201, the others 409', async () => {
      const platform = await world.platform();
      const other = await world.elsewhere(platform);
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, i) => askLink(i % 2 === 0 ? platform : other)),
      );
      const counts = Object.groupBy(replies.map(codeOf), (code) => code);
      assert.deepEqual([counts['201']?.length, counts['409 CONFLICT']?.length], [1, 9]);
    });
  });

  describe('changes of a link', () => {
    const answering = (answer: LoginAnswer) => playProvider(world, { verifyLogin: async () => answer });

    it('stablecoins.md §1.12, §1.13: an active link can become INVALID or REVOKED, an invalid one REVOKED, and nothing else', () => {
      const changes = LINK_STATUSES.flatMap((from) => LINK_CHANGES[from].map((to) => `${from} ${to}`));
      assert.deepEqual(changes, ['ACTIVE INVALID', 'ACTIVE REVOKED', 'INVALID REVOKED']);
    });

    it('stablecoins.md §1.1: the credentials are verified once a day, and lastVerifiedAt records it', async () => {
      const platform = await world.platform();
      const link = await givenLink(platform);
      await advance(platform, DAY_SECONDS - 1);
      assert.deepEqual(await readLink(platform, link), link);
      for (let day = 1; day <= 3; day++) {
        await advance(platform, day === 1 ? 1 : DAY_SECONDS);
        const checked = await readLink(platform, link);
        assert.equal(checked.status, 'ACTIVE');
        const passedMs = Date.parse(checked.lastVerifiedAt) - Date.parse(link.createdAt);
        assert.equal(passedMs, day * DAY_SECONDS * 1_000);
      }
    });

    for (const [what, answer, status] of [
      ['refuses the credentials', { outcome: 'LOGIN_REFUSED' }, 'INVALID'],
      [
        'has another account for them',
        { outcome: 'VERIFIED', accounts: [{ id: 'another', status: 'ACTIVE' }] },
        'INVALID',
      ],
      [
        'calls the account invalid',
        { outcome: 'VERIFIED', accounts: [{ id: 'account-client-abc', status: 'INVALID' }] },
        'INVALID',
      ],
      [
        'has revoked it',
        { outcome: 'VERIFIED', accounts: [{ id: 'account-client-abc', status: 'REVOKED' }] },
        'REVOKED',
      ],
    ] as const) {
      it(`stablecoins.md §1.12, §1.13: at the daily check a provider that ${what} makes the link ${status}, finally`, async () => {
        const platform = await world.platform();
        const link = await givenLink(platform);
        const restore = answering(answer);
        await advance(platform, DAY_SECONDS).finally(restore);
        const ended = await readLink(platform, link);
        assert.deepEqual([ended.status, ended.lastVerifiedAt], [status, link.lastVerifiedAt]);
        assert.equal((await loadSecret(platform, link)) === null, status === 'REVOKED');
        await advance(platform, 3 * DAY_SECONDS);
        assert.deepEqual(await readLink(platform, link), ended);
      });
    }

    it('stablecoins.md §1.1: a provider that cannot be reached is asked again an hour later, and the link stays', async () => {
      const platform = await world.platform();
      const link = await givenLink(platform);
      const restore = answering({ outcome: 'UNAVAILABLE' });
      await advance(platform, DAY_SECONDS).finally(restore);
      assert.deepEqual(await readLink(platform, link), link);
      await advance(platform, 3_600);
      const { status, lastVerifiedAt } = await readLink(platform, link);
      assert.deepEqual([status, lastVerifiedAt > link.lastVerifiedAt], ['ACTIVE', true]);
    });

    it('stablecoins.md §1.12, §3.12: credentials that are refused during a registration make the link INVALID, and the reply is 400', async () => {
      const platform = await world.platform();
      const link = await givenLink(platform);
      const restore = playProvider(world, { describeToken: async () => ({ outcome: 'LOGIN_REFUSED' }) });
      const refused = await askCoin(platform, {}, { key: 'a coin' }).finally(restore);
      assert.equal(codeOf(refused), '400 STABLECOIN_PROVIDER_ACCOUNT_INVALID');
      assert.equal((await readLink(platform, link)).status, 'INVALID');
      assert.equal(codeOf(await askCoin(platform)), '400 STABLECOIN_PROVIDER_ACCOUNT_INVALID');
      await givenLink(platform);
      assert.equal((await askCoin(platform, {}, { key: 'a coin' })).status, 201);
    });

    it('stablecoins.md §1.13: the operator revokes an active or an invalid link once, with an audit row, and its secret is destroyed', async () => {
      const platform = await world.platform();
      for (const apiClientId of ['client-abc', 'client-003']) {
        const link = await givenLink(platform, { apiClientId });
        assert.equal((await revoke(platform, link)).status, 'REVOKED');
        assert.equal((await readLink(platform, link)).status, 'REVOKED');
        assert.equal(await loadSecret(platform, link), null);
        await assert.rejects(revoke(platform, link), { code: 'CONFLICT' });
        const rows = await (await platform.work()).read(
          (tx) => tx.sql`select details from audit_log
                          where platform_id = ${tx.platformId} and resource = ${link.id}
                            and action = 'stablecoin link revoke'`,
        );
        assert.deepEqual(rows, [{ details: { reason: 'a test' } }]);
      }
      const nobody = { linkId: newUuid(), reason: 'a test' };
      const work = await platform.work();
      await assert.rejects(
        work.write((tx) => revokeLink(tx, nobody)),
        { code: 'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND' },
      );
    });

    it('stablecoins.md §1.4: a new link to the same account takes over the coins of unusable links only', async () => {
      const platform = await world.platform();
      const first = await givenLink(platform);
      const coin = await givenCoin(platform);
      const other = await givenLink(platform, { apiClientId: 'client-xyz' });
      const beside = await askCoin(platform, {
        providerTokenIdentifier: 'beside',
        stablecoinProviderAccountId: other.id,
      });
      await revoke(platform, first);
      const second = await givenLink(platform, { apiClientSecret: 'a newer secret' });
      assert.equal((await readCoin(platform, coin)).stablecoinProviderAccountId, second.id);
      assert.equal((await readCoin(platform, beside.body)).stablecoinProviderAccountId, other.id);
      await revoke(platform, second);
      assert.equal((await readCoin(platform, coin)).stablecoinProviderAccountId, second.id);
      const third = await givenLink(platform);
      assert.equal((await readCoin(platform, coin)).stablecoinProviderAccountId, third.id);
    });

    it('stablecoins.md §1.4: pending questions about a coin are asked through the link that takes over', async () => {
      const platform = await world.platform();
      const link = await givenLink(platform);
      const coin = await givenCoin(platform, { providerTokenIdentifier: 'slow-005' });
      await revoke(platform, link);
      await advance(platform, 60);
      assert.equal((await readCoin(platform, coin)).issuanceStatus, 'PROVISIONING');
      await givenLink(platform);
      await advance(platform, 1);
      assert.equal((await readCoin(platform, coin)).issuanceStatus, 'PROVISIONED');
    });
  });

  it('lists links, the newest first, by provider and status, page by page', async () => {
    const platform = await world.platform();
    const links: LinkReply[] = [];
    for (const apiClientId of ['client-abc', 'client-003', 'client-xyz']) {
      links.unshift(await givenLink(platform, { apiClientId }));
      await advance(platform, 1);
    }
    const list = async (query: object) =>
      (await platform.send('listStablecoinProviderAccounts', { query: query as never })).body;
    assert.deepEqual(await list({}), { data: links, hasMore: false, totalCount: 3 });
    assert.deepEqual((await list({ status: 'INVALID' })).data, [links[1]]);
    assert.deepEqual((await list({ provider: 'BRALE', status: 'REVOKED' })).data, []);
    const page = await list({ limit: 2 });
    assert.deepEqual([page.data, page.hasMore], [links.slice(0, 2), true]);
    assert.deepEqual((await list({ limit: 2, cursor: page.nextCursor })).data, links.slice(2));
    assert.deepEqual((await (await world.platform()).call('listStablecoinProviderAccounts')).body.data, []);
  });
});
