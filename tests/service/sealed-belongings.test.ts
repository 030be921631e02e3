// lane: whole — one person with everything that the service keeps of people, in three forms

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { updateCustomerStatus } from '#capabilities/customers/store.ts';
import { storeEnrollment } from '#capabilities/sca/enrollment-store.ts';
import { decideReview } from '#capabilities/verification/review.ts';
import { insertCredential } from '#capabilities/wallet-auth/credential-store.ts';
import { walletAddress } from '#capabilities/wallet-auth/wallets/provision-wallets.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { executeAs, givenAgentQuote } from '#tests/given/actions.ts';
import { APPROVAL, agentBody, redeem } from '#tests/given/agents.ts';
import { givenCardPlatform } from '#tests/given/cards.ts';
import { givenDelegatedKey } from '#tests/given/delegated-keys.ts';
import { documentFields, documentForm } from '#tests/given/packets.ts';
import { advance, givenOutside, givenPayer, type Payer } from '#tests/given/payments.ts';
import { bought } from '#tests/given/purchases.ts';
import { givenEuropean, givenPasskey, givenTotp, startedLogin } from '#tests/given/sca.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { createPasskey } from '#tests/harness/passkeys.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import {
  assertNotInClear,
  type OpenedValue,
  openTables,
  sealAsCommented,
} from '#tests/harness/sealed-values.ts';
import { callSigned, logIn } from '#tests/harness/wallet-client.ts';

/** The tables with a customer's cards, wallets, factors, agents and documents. */
const TABLES = [
  ...['cards', 'card_transactions', 'card_messages', 'delegated_keys'],
  ...['wallet_keys', 'wallet_credentials', 'wallet_sessions'],
  ...['sca_factors', 'sca_enrollments', 'sca_challenges'],
  ...['agents', 'agent_actions', 'documents', 'verifications'],
];

/** How an earlier version stored the values, in clear text. */
const EARLIER: Record<string, (text: string, row: OpenedValue['row']) => Sql> = {
  'cards.details': (text, { id }) => sql`
    update cards set platform_card_id = ${text}::jsonb ->> 'platformCardId', last4 = ${text}::jsonb ->> 'last4',
           details = null, reference_hash = null where id = ${id}`,
  'card_transactions.details': (text, { id }) => sql`
    update card_transactions set platform_customer_id = ${text}::jsonb ->> 'platformCustomerId',
           merchant = ${text}::jsonb -> 'merchant', details = null where id = ${id}`,
  'card_messages.merchant': (text, { id }) => sql`
    update card_messages set message = message || jsonb_build_object('merchant', ${text}::jsonb), merchant = null
     where id = ${id}`,
  'delegated_keys.nickname_sealed': (text, { id }) => sql`
    update delegated_keys set nickname = ${text}, nickname_sealed = null where id = ${id}`,
  'wallet_keys.address_sealed': (text, { account_id }) => sql`
    update wallet_keys set address = ${text}, address_sealed = null where account_id = ${account_id}`,
  'wallet_credentials.details': (text, { id }) => sql`
    update wallet_credentials
       set nickname = ${text}::jsonb ->> 'nickname', issuer = ${text}::jsonb ->> 'issuer',
           audience = ${text}::jsonb ->> 'audience', subject = ${text}::jsonb ->> 'subject',
           webauthn_id = decode(${text}::jsonb ->> 'webauthnId', 'base64'),
           cose_key = decode(${text}::jsonb ->> 'coseKey', 'base64'),
           details = null, contact_hash = null, identity_hash = null, webauthn_hash = null where id = ${id}`,
  'wallet_sessions.nickname_sealed': (text, { id }) => sql`
    update wallet_sessions set nickname = ${text}, nickname_sealed = null where id = ${id}`,
  'sca_factors.passkey': (text, { customer_id }) => sql`
    update sca_factors set webauthn_id = decode(${text}::jsonb ->> 'webauthnId', 'base64'),
           cose_key = decode(${text}::jsonb ->> 'coseKey', 'base64'), passkey = null
     where customer_id = ${customer_id} and factor = 'PASSKEY'`,
  'agents.name_sealed': (text, { id }) => sql`
    update agents set name = ${text}, name_sealed = null where id = ${id}`,
  'agent_actions.reason_sealed': (text, { id }) => sql`
    update agent_actions set rejection_reason = ${text}, reason_sealed = null where id = ${id}`,
  'verifications.details': (text, { id }) => sql`
    update verifications set errors = case jsonb_typeof(${text}::jsonb) when 'array' then ${text}::jsonb
           else ${text}::jsonb -> 'errors' end, details = null where id = ${id}`,
  'documents.details': (text, { id }) => sql`
    update documents set issuing_authority = ${text}::jsonb ->> 'issuingAuthority',
           file_name = ${text}::jsonb ->> 'fileName', details = null where id = ${id}`,
};

describe('what belongs to a customer is sealed with the customer’s own key', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Payer;
  let european: string;
  let agentId: string;
  const planted = {
    platformCardId: `card-${randomUUID()}-own`,
    merchant: `SHOP ${randomUUID()} & SONS`,
    keyNickname: `Groceries ${randomUUID()}`,
    passkeyNickname: `Phone ${randomUUID()}`,
    issuer: `https://${randomUUID()}.example`,
    audience: `audience ${randomUUID()}`,
    subject: `subject ${randomUUID()}`,
    identity: `identity ${randomUUID()}`,
    agent: `Agent of ${randomUUID()}`,
    reason: `Because ${randomUUID()}`,
    number: `N${randomUUID().slice(0, 12)}`,
    authority: `Authority ${randomUUID()}`,
    file: `${randomUUID()}.pdf`,
    problem: `Not good: ${randomUUID()}`,
  };
  const passkey = createPasskey();

  before(async () => {
    platform = await givenCardPlatform(world);
    ada = await givenPayer(platform);
    const bank = await givenOutside(platform, ada.id, '999', 'USD_ACCOUNT');
    await givenCards();
    await givenWallet();
    await givenAction(ada.account('USD').id, bank);
    const { authority: issuingAuthority, number: documentNumber } = planted;
    const fields = documentFields(ada.id, 'PASSPORT', { issuingAuthority, documentNumber });
    const made = await platform.call('uploadDocument', {
      body: documentForm(fields, { name: planted.file }),
    });
    assert.equal(made.status, 201, made.raw);
    const work = await platform.work();
    const problems = [{ type: 'EXPIRED_DOCUMENT', reason: planted.problem }];
    await work.write(async (tx) => {
      await updateCustomerStatus(tx, uuidOf<'Customer'>(ada.id as never), 'PENDING');
      await decideReview(tx, uuidOf<'Customer'>(ada.id as never), { kind: 'CORRECTABLE', problems });
    });
    const customer = await givenEuropean(platform);
    european = customer.id;
    await givenTotp(platform, customer);
    await givenPasskey(platform, customer);
    await work.write((tx) =>
      storeEnrollment(tx, {
        customerId: uuidOf(customer),
        ...{ factor: 'TOTP', material: randomBytes(20), expiresAt: new Date(tx.now.getTime() + 60_000) },
      }),
    );
    await startedLogin(platform, customer);
  });

  async function givenCards(): Promise<void> {
    const source = (currency: string) => ada.account(currency).id;
    const body = { customerId: ada.id, form: 'VIRTUAL', platformCardId: planted.platformCardId } as const;
    const card = await platform.call('createCard', { body: { ...body, fundingSource: source('USD') } });
    assert.equal(card.status, 201, card.raw);
    await advance(platform, 1);
    await bought(world, platform, card.body.id, 500, planted.merchant);
    const { platformCardId, ...unnamed } = body;
    const paid = await platform.call('createCard', { body: { ...unnamed, fundingSource: source('USDB') } });
    assert.equal(paid.status, 201, paid.raw);
    const key = { cardId: paid.body.id, internalAccountId: source('USDB'), nickname: planted.keyNickname };
    await givenDelegatedKey(platform, key);
  }

  async function givenWallet(): Promise<void> {
    const accountId = ada.account('USDB').id;
    const { body } = await platform.call('listAuthCredentials', { query: { accountId } });
    const { key } = await logIn(platform, body.data[0]?.id ?? '');
    const challenge = randomBytes(32).toString('base64url');
    const attestation = passkey.register(challenge);
    const added = await callSigned(platform, key, 'createAuthCredential', {
      body: { type: 'PASSKEY', accountId, nickname: planted.passkeyNickname, challenge, attestation },
    });
    assert.equal(added.status, 201, added.raw);
    const work = await platform.work();
    const { issuer, audience, subject, identity: nickname } = planted;
    const own = {
      account_id: uuidOf<'InternalAccount'>(accountId as never),
      customer_id: uuidOf<'Customer'>(ada.id as never),
    };
    await work.write((tx) =>
      insertCredential(tx, { id: tx.newId(), ...own, type: 'OAUTH', nickname, issuer, audience, subject }),
    );
    assert.ok(await work.write((tx) => walletAddress(tx, own.account_id)));
  }

  async function givenAction(from: string, to: string): Promise<void> {
    const body = { ...agentBody(ada.id, APPROVAL), name: planted.agent };
    const made = await platform.send('createAgent', { body });
    assert.equal(made.status, 201, made.raw);
    const { agent, deviceCode } = made.body;
    agentId = agent.id;
    const { accessToken } = (await redeem(platform, deviceCode.code)).body;
    const quote = await givenAgentQuote(platform, { accessToken }, { from, to, send: 1_000 });
    const action = await executeAs(platform, { accessToken }, quote.id);
    const params = { agentId: agent.id, actionId: action.body.id };
    const rejected = await platform.call('rejectAgentAction', { params, body: { reason: planted.reason } });
    assert.equal(rejected.status, 200, rejected.raw);
  }

  /** All replies that show the values. */
  async function readAll(): Promise<unknown[]> {
    const accountId = ada.account('USDB').id;
    const calls: [string, object][] = [
      ['listCards', {}],
      ['listCards', { platformCardId: planted.platformCardId }],
      ['listTransactions', { type: 'CARD' }],
      ['listTransactions', {}],
      ['listDelegatedKeys', { accountId }],
      ['listAuthCredentials', { accountId }],
      ['listAuthSessions', { accountId }],
      ['listScaFactors', { customerId: european }],
      ['listAgents', {}],
      ['listDocuments', {}],
      ['listVerifications', {}],
      ['search', { q: planted.platformCardId }],
    ];
    const replies: unknown[] = [(await platform.call('listAgentActions', { params: { agentId } })).body];
    for (const [operation, query] of calls) {
      const reply = await platform.send(operation, { query: query as Record<string, string> });
      assert.equal(reply.status, 200, `${operation}: ${reply.raw}`);
      replies.push({ operation, ...reply.body });
    }
    return replies;
  }

  const runtime = async () => (await platform.work()).runtime;
  const openAll = async () => openTables(await runtime(), platform.id, TABLES);

  it('SECURITY.md: no value stands in clear text or under a data key, and every one is shown', async () => {
    const shown = JSON.stringify(await readAll());
    const isHidden = ['issuer', 'audience', 'subject'];
    for (const [name, value] of Object.entries(planted)) {
      if (!isHidden.includes(name)) assert.ok(shown.includes(value), `${name} is shown`);
    }
    const secrets = [passkey.credentialId, Buffer.from(passkey.credentialId, 'base64url').toString('hex')];
    await assertNotInClear(world.database, TABLES, [...Object.values(planted), ...secrets]);
    const values = await openAll();
    const people = [ada.id, european].map((id) => uuidOf(id));
    for (const { table, column, people: named } of values) {
      assert.ok(named.length === 1 && people.includes(named[0] as never), `${table}.${column} is a person’s`);
    }
    for (const [name, value] of Object.entries(planted)) {
      assert.ok(
        values.some(({ text }) => text.includes(value)),
        `${name} is sealed`,
      );
    }
    const sealed = new Set(values.map(({ table, column }) => `${table}.${column}`));
    const others = ['cards.pan', 'delegated_keys.private_key', 'wallet_keys.mnemonic', 'sca_factors.secret'];
    const more = ['sca_enrollments.material', 'sca_challenges.code', 'documents.document_number'];
    for (const column of [...Object.keys(EARLIER), ...others, ...more]) assert.ok(sealed.has(column), column);
  });

  it('SECURITY.md: rows of an earlier version are read as before, and are sealed as the comments of their columns say', async () => {
    const other = await givenPayer(platform);
    const before = await readAll();
    for (const { table, column, text, row } of await openAll()) {
      const earlier = EARLIER[`${table}.${column}`];
      if (earlier) await world.database.query(earlier(text, row));
    }
    await assert.rejects(assertNotInClear(world.database, TABLES, Object.values(planted)));
    assert.deepEqual(await readAll(), before);
    const taken = { customerId: other.id, form: 'VIRTUAL', fundingSource: other.account('USD').id } as const;
    const again = () =>
      platform.call('createCard', { body: { ...taken, platformCardId: planted.platformCardId } });
    const refused = await again();
    assert.equal(refused.status, 409, refused.raw);
    await sealAsCommented(await runtime(), platform.id, TABLES);
    await assertNotInClear(world.database, TABLES, Object.values(planted));
    assert.deepEqual(await readAll(), before);
    assert.equal((await again()).status, 409);
  });

  it('customers.md §2.4.26a: once the key is destroyed, nothing opens, and lists show the rest', async () => {
    const { vault, personKeys } = await runtime();
    const values = await openAll();
    await (personKeys as unknown as { erase(id: string, people: string[]): Promise<void> }).erase(
      platform.id,
      [uuidOf(ada)],
    );
    for (const { table, column, row, people } of values) {
      if (!people.includes(uuidOf(ada))) continue;
      assert.throws(() => vault.open(row[column] as Buffer, 'any'), { name: 'PersonErased' }, table);
    }
    for (const [operation, query] of [
      ['listCards', {}],
      ['listTransactions', { type: 'CARD' }],
      ['listAgents', {}],
    ] as const) {
      const reply = await platform.send(operation, { query });
      assert.equal(reply.status, 200, reply.raw);
      for (const value of Object.values(planted)) assert.ok(!reply.raw.includes(value), operation);
    }
  });
});
