// lane: whole — one of the longest of the short tests

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { freezeAccount } from '#capabilities/accounts/change-status.ts';
import { lockCard } from '#capabilities/cards/card-store.ts';
import { closeCard } from '#capabilities/cards/change-card.ts';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { derivePublicKey } from '#foundation/crypto/p256.ts';
import { sql } from '#foundation/database/sql.ts';
import { fetchAccounts, inCurrency } from '#tests/given/accounts.ts';
import {
  givenDelegatedKey,
  givenWalletCard,
  type KeyBody,
  nextLeg,
  openedLegs,
} from '#tests/given/delegated-keys.ts';
import { advance } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { allRows, formsOf } from '#tests/harness/table-contents.ts';
import { givenWallet, logIn, newPerson, signedHeaders } from '#tests/harness/wallet-client.ts';

const KEY_PATTERN = /^0[23][0-9a-f]{64}$/;

describe('delegated keys', () => {
  const world = testWorld();

  /** A card with a wallet as its source, and the calls that delegate a key to it. */
  async function scene(platform?: TestPlatform) {
    const own = platform ?? (await world.platform());
    const wallet = await givenWallet(own, newPerson());
    const card = await givenWalletCard(own, wallet);
    const body: KeyBody = { cardId: card.id, internalAccountId: wallet.accountId, nickname: 'Groceries' };
    return { platform: own, wallet, body, ...keyCalls(own, card.id, wallet.accountId) };
  }

  function keyCalls(platform: TestPlatform, cardId: string, accountId: string) {
    return {
      keys: async () => (await platform.call('listDelegatedKeys', { query: { accountId } })).body.data,
      statuses: async () =>
        (await platform.call('listDelegatedKeys', { query: { accountId } })).body.data.map(
          ({ status }) => status,
        ),
      card: async () => (await platform.call('getCardById', { params: { id: cardId } })).body,
      async patch(body: object) {
        const reply = await platform.send('updateCardById', { params: { id: cardId }, body });
        assert.equal(reply.status, 200, reply.raw);
      },
      revoke: (id = '') => platform.send('revokeDelegatedKey', { params: { id } }),
    };
  }

  /** The card's version, by which a decision sees whether the card has changed since it was read. */
  async function loadVersion(cardId = ''): Promise<bigint> {
    const [row] = await world.database.query<{ version: bigint }>(sql`
      select version from cards where id = ${uuidOf(cardId)}`);
    assert.ok(row);
    return row.version;
  }

  /** The encrypted private keys of a platform, stored with the key or in a pending request. */
  async function sealedKeys(platform: TestPlatform): Promise<string[]> {
    const { vault } = (await platform.work()).runtime;
    const keys = await world.database.query<{ id: string; private_key: Buffer }>(sql`
      select id, private_key from delegated_keys where platform_id = ${platform.id} and private_key is not null`);
    const requests = await world.database.query<{ id: string; challenge: Buffer }>(sql`
      select id, challenge from signed_requests
       where platform_id = ${platform.id} and operation = 'createDelegatedKey' and challenge is not null`);
    return [
      ...keys.map(({ id, private_key }) =>
        vault.open(private_key, `delegated_keys.private_key:${id}`).toString('hex'),
      ),
      ...requests.map(({ id, challenge }) => {
        const { context } = JSON.parse(vault.openText(challenge, `signed_requests.challenge:${id}`));
        return String(context.privateKey);
      }),
    ];
  }

  const outcomeOf = ({ status, body }: { status: number; body: { code?: unknown } }) => [status, body.code];

  describe('three legs', () => {
    it('wallets.md §6.8.43, §3.8, §3.9: two signatures of the owner, over the key and then over its policy, activate it', async () => {
      const { platform, wallet, body, keys } = await scene();
      const login = await logIn(platform, wallet.credentialId);
      const sign = async (reply: { body: unknown }) => signedHeaders(login.key, reply.body as never);
      const first = await platform.send('createDelegatedKey', { body });
      assert.equal(first.status, 202, first.raw);
      assert.deepEqual(Object.keys(first.body).sort(), ['expiresAt', 'payloadToSign', 'requestId']);
      assert.deepEqual(await keys(), [], 'nothing is listed yet');

      const second = await platform.send('createDelegatedKey', { body, headers: await sign(first) });
      assert.equal(second.status, 202, second.raw);
      const [pending] = await keys();
      assert.equal(pending?.status, 'PENDING');
      world.clock.advance(1_000);
      const third = await platform.send('createDelegatedKey', { body, headers: await sign(second) });
      assert.equal(third.status, 201, third.raw);

      const opaque = (prefix: string, id: string) => `${prefix}_${uuidOf(id).replaceAll('-', '')}`;
      const [asked, next] = [first, second].map(({ body }) => {
        const { payloadToSign } = body as unknown as { payloadToSign: string };
        const { timestampMs, ...rest } = JSON.parse(payloadToSign);
        return { ...rest, at: BigInt(timestampMs) };
      });
      const organizationId = opaque('org', wallet.accountId);
      const { at, ...user } = asked;
      assert.deepEqual(user, {
        organizationId,
        parameters: { publicKey: third.body.publicKey, userName: 'Groceries' },
        type: 'ACTIVITY_TYPE_CREATE_USERS_V3',
      });
      const { at: later, ...policy } = next;
      assert.ok(later > at);
      assert.deepEqual(policy, {
        organizationId,
        parameters: {
          delegatedKeyId: opaque('delegated_key', third.body.id),
          walletId: opaque('wallet', wallet.accountId),
        },
        type: 'ACTIVITY_TYPE_CREATE_POLICIES',
      });

      const { fundingSourceId, publicKey, createdAt } = third.body;
      assert.match(fundingSourceId, /^CardFundingSource:/);
      assert.match(publicKey, KEY_PATTERN);
      assert.deepEqual(third.body, {
        id: pending.id,
        cardId: body.cardId,
        fundingSourceId,
        accountId: wallet.accountId,
        publicKey,
        nickname: 'Groceries',
        status: 'ACTIVE',
        createdAt,
        updatedAt: new Date(Date.parse(createdAt) + 1_000).toISOString(),
      });
      assert.deepEqual(await keys(), [third.body]);
      const read = await platform.call('getDelegatedKeyById', { params: { id: third.body.id } });
      assert.deepEqual(read.body, third.body);
    });

    it('wallets.md §6.8.43: the signature of one leg is not valid for the other, and a leg cannot be repeated', async () => {
      const { platform, wallet, body, statuses } = await scene();
      const login = await logIn(platform, wallet.credentialId);
      const first = await platform.send('createDelegatedKey', { body });
      const firstHeaders = await signedHeaders(login.key, first.body as never);
      const second = await platform.send('createDelegatedKey', { body, headers: firstHeaders });
      const secondHeaders = await signedHeaders(login.key, second.body as never);
      const mixed = { ...secondHeaders, 'svc-wallet-signature': firstHeaders['svc-wallet-signature'] ?? '' };
      const wrong = await platform.send('createDelegatedKey', { body, headers: mixed });
      assert.deepEqual(outcomeOf(wrong), [401, 'WALLET_SIGNATURE_INVALID']);
      const again = await platform.send('createDelegatedKey', { body, headers: firstHeaders });
      assert.deepEqual(outcomeOf(again), [401, 'UNAUTHORIZED']);
      assert.deepEqual(await statuses(), ['PENDING']);
      const third = await platform.send('createDelegatedKey', { body, headers: secondHeaders });
      assert.equal(third.status, 201, third.raw);
    });

    it('wallets.md §6.8.43: works for cards that are PROCESSING or FROZEN', async () => {
      const making = await scene();
      assert.equal((await making.card()).status, 'PROCESSING');
      await givenDelegatedKey(making.platform, making.body);
      const { platform, body, patch } = await scene();
      await advance(platform, 1);
      await patch({ status: 'FROZEN' });
      await givenDelegatedKey(platform, body);
    });

    it('wallets.md §6.8.43: a nickname has 1 to 256 characters, and is part of the signed payload', async () => {
      const { platform, body } = await scene();
      for (const nickname of ['', 'x'.repeat(257), 7, null]) {
        const reply = await platform.send('createDelegatedKey', { body: { ...body, nickname } });
        assert.deepEqual(outcomeOf(reply), [400, 'INVALID_INPUT'], String(nickname));
      }
      const nickname = ` ${'🙂'.repeat(254)}é`;
      const key = await givenDelegatedKey(platform, { ...body, nickname });
      assert.equal(key.nickname, nickname);
    });

    it('wallets.md §6.8.43: refuses in this order: the card, the account, its state, an existing key', async () => {
      const { platform, wallet, body, patch } = await scene();
      const other = await scene(platform);
      const usd = inCurrency(await fetchAccounts(platform, wallet.customer.id), 'USD').id;
      await givenDelegatedKey(platform, body);
      const unknown = randomUUID();
      const ask = async (change: Partial<KeyBody>) =>
        outcomeOf(await nextLeg(platform, { ...body, ...change } as KeyBody));
      const work = await platform.work();
      assert.deepEqual(await ask({}), [409, 'CONFLICT']);
      await work.write((tx) => freezeAccount(tx, { accountId: uuidOf(wallet.accountId) }));
      const frozen = await nextLeg(platform, body);
      assert.deepEqual(outcomeOf(frozen), [409, 'CONFLICT']);
      assert.match(String(frozen.body.reason), /FROZEN/);
      assert.deepEqual(await ask({ internalAccountId: other.wallet.accountId as never }), [404, 'NOT_FOUND']);
      assert.deepEqual(await ask({ internalAccountId: usd }), [404, 'ACCOUNT_NOT_FOUND']);
      assert.deepEqual(await ask({ internalAccountId: `InternalAccount:${unknown}` }), [
        404,
        'ACCOUNT_NOT_FOUND',
      ]);
      const cardId = `Card:${unknown}` as const;
      assert.deepEqual(await ask({ cardId, internalAccountId: `InternalAccount:${unknown}` }), [
        404,
        'NOT_FOUND',
      ]);
      await advance(platform, 1);
      await patch({ status: 'CLOSED' });
      assert.deepEqual(await ask({ internalAccountId: `InternalAccount:${unknown}` }), [404, 'NOT_FOUND']);
    });

    it('wallets.md §6.8.43: a card with a dollar account as its source cannot have a key', async () => {
      const { platform, wallet, body, patch } = await scene();
      const usd = inCurrency(await fetchAccounts(platform, wallet.customer.id), 'USD').id;
      await patch({ fundingSource: usd });
      assert.deepEqual(outcomeOf(await nextLeg(platform, body)), [404, 'NOT_FOUND']);
      const reply = await nextLeg(platform, { ...body, internalAccountId: usd });
      assert.deepEqual(outcomeOf(reply), [404, 'ACCOUNT_NOT_FOUND']);
    });

    it('wallets.md §6.1.20: a wallet that is not opened yet is 409 WALLET_NOT_PROVISIONED', async () => {
      const { platform, wallet, body } = await scene();
      const accountId = uuidOf(wallet.accountId);
      await world.database.query(
        sql`update internal_accounts set status = 'PENDING' where id = ${accountId}`,
      );
      assert.deepEqual(outcomeOf(await nextLeg(platform, body)), [409, 'WALLET_NOT_PROVISIONED']);
    });

    it('platform.md §1.3.9: delegating and revoking a key are audited', async () => {
      const { platform, body, revoke } = await scene();
      const key = await givenDelegatedKey(platform, body);
      await revoke(key.id);
      const rows = await world.database.query<{ action: string; resource: string; details: unknown }>(sql`
        select action, resource, details from audit_log
         where platform_id = ${platform.id} and action like '%DelegatedKey' order by at, id`);
      const about = { cardId: body.cardId, internalAccountId: body.internalAccountId };
      assert.deepEqual(
        rows.map(({ action, details }) => [action, details]),
        [
          ['createDelegatedKey', { ...about, heldBy: 'signature' }],
          ['createDelegatedKey', { ...about, heldBy: 'signature' }],
          ['createDelegatedKey', { ...about, delegatedKeyId: key.id }],
          ['revokeDelegatedKey', rows[3]?.details],
        ],
      );
      assert.match(rows[3]?.resource ?? '', new RegExp(uuidOf(key.id)));
    });
  });

  describe('one active key', () => {
    it('wallets.md §6.8.43: if the binding has an active key, every leg is 409', async () => {
      const { platform, body, statuses, revoke } = await scene();
      const [afterFirst, afterSecond] = [
        await openedLegs(platform, body, 1),
        await openedLegs(platform, body, 2),
      ];
      const active = await givenDelegatedKey(platform, body);
      for (const requestId of [undefined, afterFirst, afterSecond]) {
        assert.deepEqual(outcomeOf(await nextLeg(platform, body, requestId)), [409, 'CONFLICT']);
      }
      assert.deepEqual(await statuses(), ['PENDING', 'ACTIVE']);
      // After it is revoked, the delegation can be finished.
      assert.equal((await revoke(active.id)).status, 204);
      assert.equal((await nextLeg(platform, body, afterSecond)).status, 201);
      assert.deepEqual(await statuses(), ['ACTIVE', 'REVOKED']);
    });

    it('wallets.md §6.8.43: abandoned keys do not block new ones', async () => {
      const { platform, body, statuses } = await scene();
      await openedLegs(platform, body, 2);
      await openedLegs(platform, body, 2);
      world.clock.advance(300_000);
      await givenDelegatedKey(platform, body);
      assert.deepEqual(await statuses(), ['PENDING', 'PENDING', 'ACTIVE']);
    });

    it('wallets.md §6.8.43: of several keys finished concurrently, in two processes, one becomes active', async () => {
      const { platform, body, statuses } = await scene();
      const elsewhere = await world.elsewhere(platform);
      const requests: string[] = [];
      for (let i = 0; i < 6; i++) requests.push(await openedLegs(platform, body, 2));
      const replies = await Promise.all(
        requests.map((requestId, i) => nextLeg(i % 2 === 0 ? platform : elsewhere, body, requestId)),
      );
      const outcomes = replies.map(outcomeOf);
      assert.equal(outcomes.filter(([status]) => status === 201).length, 1, JSON.stringify(outcomes));
      for (const outcome of outcomes.filter(([status]) => status !== 201)) {
        assert.deepEqual(outcome, [409, 'CONFLICT']);
      }
      assert.deepEqual((await statuses()).toSorted(), [
        'ACTIVE',
        ...Array.from({ length: 5 }, () => 'PENDING'),
      ]);
    });

    it('wallets.md §6.8.43: each card of a wallet has a key of its own', async () => {
      const { platform, wallet, body, keys } = await scene();
      const other = await givenWalletCard(platform, wallet);
      const first = await givenDelegatedKey(platform, body);
      const second = await givenDelegatedKey(platform, { ...body, cardId: other.id });
      assert.notEqual(first.fundingSourceId, second.fundingSourceId);
      assert.notEqual(first.publicKey, second.publicKey);
      assert.deepEqual(await keys(), [first, second]);
    });
  });

  describe('reading and revoking', () => {
    it('wallets.md §6.8.44: a list needs a wallet or a funding source, and has every status, oldest first', async () => {
      const { platform, wallet, body, revoke } = await scene();
      const list = (query: Record<string, string>) => platform.send('listDelegatedKeys', { query });
      assert.deepEqual(outcomeOf(await list({})), [400, 'INVALID_INPUT']);
      for (const query of [{ accountId: 'x' }, { fundingSourceId: wallet.accountId }]) {
        assert.deepEqual(outcomeOf(await list(query as never)), [400, 'INVALID_INPUT']);
      }
      const first = await givenDelegatedKey(platform, body);
      world.clock.advance(1_000);
      await revoke(first.id);
      await openedLegs(platform, body, 2);
      world.clock.advance(1_000);
      const last = await givenDelegatedKey(platform, { ...body, nickname: 'Books' });
      const { accountId, fundingSourceId } = last;
      for (const query of [{ accountId }, { fundingSourceId }, { accountId, fundingSourceId }]) {
        const { body } = await list(query);
        assert.deepEqual(Object.keys(body), ['data']);
        assert.deepEqual(
          body.data.map(({ status }) => status),
          ['REVOKED', 'PENDING', 'ACTIVE'],
        );
        assert.deepEqual([body.data[0]?.id, body.data[2]], [first.id, last]);
      }
      const other = await scene(platform);
      const nothing = [
        { accountId: `InternalAccount:${randomUUID()}` },
        { fundingSourceId: `CardFundingSource:${randomUUID()}` },
        { accountId: other.wallet.accountId },
        { accountId: other.wallet.accountId, fundingSourceId },
      ];
      for (const query of nothing) assert.deepEqual((await list(query)).body, { data: [] });
    });

    it('wallets.md §6.8.44: an active key is revoked by one call without a signature, for good; no other can be', async () => {
      const { platform, body, keys, revoke } = await scene();
      const key = await givenDelegatedKey(platform, body);
      world.clock.advance(1_000);
      const done = await revoke(key.id);
      assert.deepEqual([done.status, done.raw], [204, '']);
      const updatedAt = new Date(world.clock.now()).toISOString();
      assert.deepEqual(await keys(), [{ ...key, status: 'REVOKED', updatedAt }]);
      assert.deepEqual(outcomeOf(await revoke(key.id)), [400, 'INVALID_INPUT']);
      await openedLegs(platform, body, 2);
      const pending = (await keys()).find(({ status }) => status === 'PENDING');
      assert.deepEqual(outcomeOf(await revoke(pending?.id)), [400, 'INVALID_INPUT']);
      for (const id of [`DelegatedKey:${randomUUID()}`, 'x']) {
        assert.deepEqual(outcomeOf(await revoke(id)), [404, 'NOT_FOUND']);
        const read = await platform.send('getDelegatedKeyById', { params: { id } });
        assert.deepEqual(outcomeOf(read), [404, 'NOT_FOUND']);
      }
      assert.equal((await givenDelegatedKey(platform, body)).status, 'ACTIVE', 'another one can follow');
    });

    it('wallets.md §6.8.44: of several concurrent calls that revoke a key, one succeeds', async () => {
      const { platform, body, revoke } = await scene();
      const elsewhere = await world.elsewhere(platform);
      const { id } = await givenDelegatedKey(platform, body);
      const there = () => elsewhere.send('revokeDelegatedKey', { params: { id } });
      const replies = await Promise.all([revoke(id), there(), revoke(id), there()]);
      assert.deepEqual(replies.map(({ status }) => status).toSorted(), [204, 400, 400, 400]);
    });

    it('wallets.md §6.8.45: a concurrent decision on the card is repeated, and the API shows no change of the card', async () => {
      const { platform, body, card, revoke } = await scene();
      const before = await card();
      const requestId = await openedLegs(platform, body, 2);
      const seen = await loadVersion(body.cardId);
      const done = await nextLeg(platform, body, requestId);
      const activated = await loadVersion(body.cardId);
      assert.ok(activated > seen);
      world.clock.advance(1_000);
      await revoke(done.body.id);
      assert.ok((await loadVersion(body.cardId)) > activated);
      assert.deepEqual(await card(), before);
    });
  });

  describe('the end of a binding', () => {
    it('wallets.md §6.8.43: a change of the funding source revokes the keys, and a later key has another binding', async () => {
      const { platform, wallet, body, patch, keys, statuses } = await scene();
      const usd = inCurrency(await fetchAccounts(platform, wallet.customer.id), 'USD').id;
      await openedLegs(platform, body, 2);
      const key = await givenDelegatedKey(platform, body);
      await patch({ maxSpendPerDay: 5_000, fundingSource: wallet.accountId });
      assert.deepEqual(await statuses(), ['PENDING', 'ACTIVE'], 'the same source ends nothing');
      await patch({ fundingSource: usd });
      assert.deepEqual(await statuses(), ['REVOKED', 'REVOKED']);
      await patch({ fundingSource: wallet.accountId });
      assert.deepEqual(await statuses(), ['REVOKED', 'REVOKED'], 'they do not come back');
      const next = await givenDelegatedKey(platform, body);
      assert.notEqual(next.fundingSourceId, key.fundingSourceId);
      const query = { fundingSourceId: next.fundingSourceId };
      assert.deepEqual((await platform.call('listDelegatedKeys', { query })).body.data, [next]);
      assert.equal((await keys()).length, 3);
    });

    it('wallets.md §6.8.43: a source that changes between the legs is 404, and after it is restored 409: the signature was for another binding', async () => {
      const { platform, wallet, body, patch, statuses } = await scene();
      const usd = inCurrency(await fetchAccounts(platform, wallet.customer.id), 'USD').id;
      const requests = [await openedLegs(platform, body, 1), await openedLegs(platform, body, 2)];
      await patch({ fundingSource: usd });
      for (const requestId of requests) {
        assert.deepEqual(outcomeOf(await nextLeg(platform, body, requestId)), [404, 'NOT_FOUND']);
      }
      await patch({ fundingSource: wallet.accountId });
      for (const requestId of requests) {
        const reply = await nextLeg(platform, body, requestId);
        assert.deepEqual(outcomeOf(reply), [409, 'CONFLICT']);
        assert.match(String(reply.body.reason), /start again/);
      }
      assert.deepEqual(await statuses(), ['REVOKED']);
    });

    it('wallets.md §6.8.43: closing a card revokes its keys, and ends unfinished delegations', async () => {
      const { platform, body, patch, statuses } = await scene();
      await advance(platform, 1);
      const requests = [await openedLegs(platform, body, 1), await openedLegs(platform, body, 2)];
      await givenDelegatedKey(platform, body);
      await patch({ status: 'CLOSED' });
      assert.deepEqual(await statuses(), ['REVOKED', 'REVOKED']);
      for (const requestId of requests) {
        assert.deepEqual(outcomeOf(await nextLeg(platform, body, requestId)), [404, 'NOT_FOUND']);
      }
    });

    it('wallets.md §6.8.43: so does a closing by the operator or the issuer', async () => {
      const { platform, body, statuses } = await scene();
      await givenDelegatedKey(platform, body);
      const work = await platform.work();
      await work.write(async (tx) => {
        const card = await lockCard(tx, uuidOf(body.cardId ?? ''));
        assert.ok(card);
        await closeCard(tx, card, 'closeByOperator');
      });
      assert.deepEqual(await statuses(), ['REVOKED']);
    });

    it('wallets.md §6.8.43: a key that becomes active while the source changes is revoked, or never becomes active', async () => {
      for (let round = 0; round < 8; round++) {
        const { platform, wallet, body, patch, statuses } = await scene();
        const usd = inCurrency(await fetchAccounts(platform, wallet.customer.id), 'USD').id;
        const requests = [await openedLegs(platform, body, 1), await openedLegs(platform, body, 2)];
        const legs = requests.map((requestId) => nextLeg(platform, body, requestId));
        const [, ...replies] = await Promise.all([patch({ fundingSource: usd }), ...legs]);
        for (const { status, raw } of replies) assert.ok([201, 202, 404, 409].includes(status), raw);
        for (const status of await statuses()) assert.equal(status, 'REVOKED');
      }
    });

    it('customers.md §2.4.26a: erasing the customer erases the nicknames of keys, and pending requests', async () => {
      const { platform, wallet, body, patch } = await scene();
      const nickname = 'Planted nickname';
      await advance(platform, 1);
      await openedLegs(platform, { ...body, nickname }, 2);
      const key = await givenDelegatedKey(platform, { ...body, nickname });
      await patch({ status: 'CLOSED' });
      const params = { customerId: wallet.customer.id };
      assert.equal((await platform.call('deleteCustomerById', { params })).status, 200);
      const query = { accountId: wallet.accountId };
      assert.deepEqual((await platform.call('listDelegatedKeys', { query })).body.data, []);
      const read = await platform.send('getDelegatedKeyById', { params: { id: key.id } });
      assert.deepEqual(outcomeOf(read), [404, 'NOT_FOUND']);
      const work = await platform.work();
      await work.write((tx) => eraseCustomer(tx, uuidOf(wallet.customer)));
      assert.deepEqual(await sealedKeys(platform), []);
      for (const form of formsOf(nickname)) {
        const leaks = (await allRows(world.database)).filter(({ text }) => text.includes(form));
        assert.deepEqual(leaks, []);
      }
    });
  });

  describe('the private key', () => {
    it('wallets.md §6.7.42a: matches the public key, is encrypted while active, and is destroyed when revoked', async () => {
      const { platform, body, revoke } = await scene();
      await openedLegs(platform, body, 1);
      const [waiting] = await sealedKeys(platform);
      assert.ok(waiting, 'in the request');
      world.clock.advance(300_000);
      const key = await givenDelegatedKey(platform, body);
      const found = (await sealedKeys(platform)).filter((one) => one !== waiting);
      assert.equal(found.length, 1, 'with the key alone: used requests have forgotten it');
      const [secret = ''] = found;
      assert.equal(derivePublicKey(Buffer.from(secret, 'hex')).compressed, key.publicKey);
      const forms = [secret, ...formsOf(secret), Buffer.from(secret, 'hex').toString('base64')];
      const rows = await allRows(world.database);
      for (const form of forms) {
        assert.ok(!rows.some(({ text }) => text.includes(form)), 'in a table');
        assert.ok(!world.logged.some((line) => line.includes(form)), 'in the log');
      }
      assert.ok(
        rows.some(({ text }) => text.includes(key.publicKey)),
        'the search finds what lies open',
      );
      await revoke(key.id);
      assert.deepEqual(await sealedKeys(platform), [waiting]);
    });

    it('wallets.md §6.7.42a: is destroyed with the binding, too', async () => {
      const { platform, body, patch } = await scene();
      await advance(platform, 1);
      await givenDelegatedKey(platform, body);
      assert.equal((await sealedKeys(platform)).length, 1);
      await patch({ status: 'CLOSED' });
      assert.deepEqual(await sealedKeys(platform), []);
    });
  });
});
