import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import type { Environment } from '#foundation/lib/platform.ts';
import { agentBody } from '#tests/given/agents.ts';
import { buildAccountRequest } from '#tests/given/external-accounts.ts';
import { documentFields, documentForm, ownerBody } from '#tests/given/packets.ts';
import { givenPlatform } from '#tests/given/payments.ts';
import { purchaseBody } from '#tests/given/purchases.ts';
import { quoteBody } from '#tests/given/quotes.ts';
import { SCA_CODE } from '#tests/given/sca.ts';
import { givenThings, givenVerification, SUCCESS, type Things } from '#tests/given/things.ts';
import { type Call, testWorld } from '#tests/harness/harness.ts';
import { tableContents } from '#tests/harness/table-contents.ts';
import { newClientKey } from '#tests/harness/wallet-client.ts';

/** A call that is valid except for the given id. */
type Build = (id: string, own: Things) => Call;

const PERSON_AGAIN = { customerType: 'INDIVIDUAL', fullName: 'Somebody Else' };

/** The simulators of the card network that ask for a decision, and those that are about a card transaction. */
const ASKING = [
  'Authorization',
  'CreditAuthorization',
  'CreditAuthorizationAdvice',
  'FinancialAuthorization',
  'FinancialCreditAuthorization',
];
const ABOUT_ROW = ['Clearing', 'AuthorizationAdvice', 'Return', 'ReturnReversal'];
const rowBody = (id: string | undefined) => ({ cardTransactionId: id, amount: 100 });

/** The rest of a call with an id in a path or a query, so that only the id can be refused. */
const BESIDE_ID: Readonly<Record<string, (own: Things) => Call>> = {
  updateCustomerById: () => ({ body: PERSON_AGAIN }),
  confirmCustomerEmailVerification: () => ({ body: { code: '123456' } }),
  confirmCustomerPhoneVerification: () => ({ body: { code: '123456' } }),
  updateBeneficialOwner: () => ({ body: { ownershipPercentage: 30 } }),
  replaceDocument: (own) => {
    const { documentHolder: _holder, ...fields } = documentFields(own.Customer ?? '');
    return { body: documentForm(fields) };
  },
  createCustomerKycLink: () => ({ body: {} }),
  createExternalAccountOwnershipChallenge: () => ({ body: { method: 'WALLET_SIGNATURE' } }),
  createPlatformExternalAccountOwnershipChallenge: () => ({ body: { method: 'WALLET_SIGNATURE' } }),
  confirmBeneficiaryTrust: () => ({ body: { code: '123456' } }),
  confirmBeneficiaryUntrust: () => ({ body: { code: '123456' } }),
  startScaFactorEnrollment: () => ({ body: { type: 'TOTP' } }),
  confirmScaFactorEnrollment: () => ({ body: { type: 'TOTP', secret: '31'.repeat(20), code: '123456' } }),
  startScaLogin: () => ({ body: { factor: 'SMS_OTP' } }),
  completeScaLogin: (own) => ({
    body: {
      factor: 'SMS_OTP',
      challengeId: own.ScaChallenge ?? `ScaChallenge:${randomUUID()}`,
      code: '123456',
      endUserIpAddress: '203.0.113.7',
    },
  }),
  startTwoFactorReset: () => ({ body: { factor: 'SMS_OTP' } }),
  getTwoFactorResetStatus: (own) => ({ query: { customerId: own.Customer ?? '' } }),
  completeTwoFactorReset: (own) => ({
    query: { customerId: own.Customer ?? '' },
    body: { mobile: { countryCode: '+49', number: '15187654321' } },
  }),
  recordSecurityEvent: () => ({ body: { eventType: 'FAILED_LOGIN_ATTEMPT' } }),
  authorizeQuote: () => ({ body: { code: '123456' } }),
  changeQuoteScaFactor: () => ({ body: { scaFactor: 'TOTP' } }),
  verifyExternalAccountOwnership: () => ({ body: { signature: '0x00' } }),
  verifyPlatformExternalAccountOwnership: () => ({ body: { signature: '0x00' } }),
  rejectPendingPayment: () => ({ body: {} }),
  answerEvent: () => ({ body: { status: 200 } }),
  sandboxFundInternalAccount: () => ({ body: { amount: 100 } }),
  verifyAuthCredential: () => ({
    body: { type: 'EMAIL_OTP', encryptedOtpBundle: '{"encappedPublic":"04","ciphertext":"00"}' },
  }),
  exportInternalAccount: () => ({ body: { clientPublicKey: newClientKey().uncompressed } }),
  updateInternalAccount: () => ({ body: { privateEnabled: true } }),
  updateCardById: () => ({ body: { status: 'FROZEN' } }),
  createStablecoinMint: (own) => ({
    key: randomUUID(),
    body: {
      amount: '10000',
      fundingSource: { type: 'WIRE' },
      destination: { accountId: own.InternalAccount ?? `InternalAccount:${randomUUID()}` },
    },
  }),
  createStablecoinBurn: (own) => ({
    key: randomUUID(),
    body: { amount: '10000', source: { type: 'EXTERNAL_ACCOUNT' }, destination: paidTo(own.ExternalAccount) },
  }),
  sandboxSimulateCardTokenization: () => ({ body: { channel: 'EMAIL' } }),
  ...Object.fromEntries(
    ASKING.map((name) => [`sandboxSimulateCard${name}`, () => ({ body: purchaseBody(100) })]),
  ),
  ...Object.fromEntries(
    ABOUT_ROW.map((name) => [
      `sandboxSimulateCard${name}`,
      (own: Things) => ({ body: rowBody(own.Transaction ?? `Transaction:${randomUUID()}`) }),
    ]),
  ),
  sandboxSimulateCardBalanceInquiry: () => ({ body: { merchant: { descriptor: 'CORNER BOOKS' } } }),
  refreshAuthSession: () => ({ body: { clientPublicKey: newClientKey().compressed } }),
  updateAgent: () => ({ body: { name: 'Another name' } }),
  updateAgentPolicy: () => ({ body: { permissions: [] } }),
};

/** Ids in bodies, by operation and type. */
const IN_BODY: readonly (readonly [operationId: string, type: string, build: Build])[] = [
  ['createBeneficialOwner', 'Customer', (id) => ({ body: ownerBody(id) })],
  ['uploadDocument', 'Customer', (id) => ({ body: documentForm(documentFields(id, 'DRIVERS_LICENSE')) })],
  ['uploadDocument', 'BeneficialOwner', (id) => ({ body: documentForm(documentFields(id, 'NATIONAL_ID')) })],
  ['createVerification', 'Customer', (id) => ({ body: { customerId: id } })],
  [
    'estimateCryptoWithdrawalFee',
    'InternalAccount',
    (id) => ({
      body: {
        internalAccountId: id,
        currency: 'USDC',
        cryptoNetwork: 'SOLANA',
        amount: 1_000_000,
        destinationAddress: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
      },
    }),
  ],
  ['createAuthCredential', 'InternalAccount', (id) => ({ body: { type: 'SMS_OTP', accountId: id } })],
  ['createAuthCredential', 'Wallet', (id) => ({ body: { type: 'SMS_OTP', accountId: id } })],
  ['createDelegatedKey', 'Card', (id, own) => ({ body: delegation(id, own.Wallet) })],
  ['createDelegatedKey', 'InternalAccount', (id, own) => ({ body: delegation(own.Card, id) })],
  ['createDelegatedKey', 'Wallet', (id, own) => ({ body: delegation(own.Card, id) })],
  [
    'createCustomerExternalAccount',
    'Customer',
    (id) => ({ body: buildAccountRequest('USD_ACCOUNT', {}, { customerId: id }) }),
  ],
  [
    'createQuote',
    'InternalAccount',
    (id, own) => ({ body: quoteBody({ from: id, to: own.ExternalAccount ?? '' }) }),
  ],
  [
    'createQuote',
    'InternalAccount',
    (id, own) => ({ body: quoteBody({ from: own.PlatformAccount ?? '', to: id }) }),
  ],
  [
    'createQuote',
    'ExternalAccount',
    (id, own) => ({ body: quoteBody({ from: own.InternalAccount ?? '', to: id }) }),
  ],
  [
    'createQuote',
    'ExternalAccount',
    (id, own) => ({ body: quoteBody({ from: id, to: own.InternalAccount ?? '' }) }),
  ],
  [
    'createQuote',
    'Customer',
    (id, own) => ({
      body: quoteBody({ from: { realtime: 'USD', customerId: id }, to: own.ExternalAccount ?? '' }),
    }),
  ],
  [
    'createQuote',
    'Lookup',
    (id, own) => ({
      body: quoteBody({ from: own.InternalAccount ?? '', to: SUCCESS, more: { lookupId: id } }),
    }),
  ],
  ...transfersBy('createTransferIn', 'createTransferOut'),
  ...transfersBy('agentCreateTransferIn', 'agentCreateTransferOut'),
  [
    'createCard',
    'Customer',
    (id, own) => ({ body: { customerId: id, form: 'VIRTUAL', fundingSource: own.InternalAccount } }),
  ],
  ...['InternalAccount', 'Wallet'].flatMap((kind): (typeof IN_BODY)[number][] => [
    [
      'createCard',
      kind,
      (id, own) => ({ body: { customerId: own.Customer, form: 'VIRTUAL', fundingSource: id } }),
    ],
    [
      'updateCardById',
      kind,
      (id, own) => ({ params: { id: own.Card ?? randomUUID() }, body: { fundingSource: id } }),
    ],
  ]),
  ...ABOUT_ROW.map((name): (typeof IN_BODY)[number] => [
    `sandboxSimulateCard${name}`,
    'Transaction',
    (id, own) => ({ params: { id: own.Card ?? randomUUID() }, body: rowBody(id) }),
  ]),
  [
    'registerStablecoin',
    'StablecoinProviderAccount',
    (id) => ({
      key: randomUUID(),
      body: {
        providerTokenIdentifier: 'theirs',
        networkTokenIdentifier: 'btkn1theirs',
        network: 'SPARK',
        stablecoinProviderAccountId: id,
      },
    }),
  ],
  [
    'agentCreateExternalAccount',
    'Customer',
    (id) => ({ body: buildAccountRequest('USD_ACCOUNT', {}, { customerId: id }) }),
  ],
  ...(['InternalAccount', 'ExternalAccount'] as const).flatMap((kind): (typeof IN_BODY)[number][] => [
    [
      'agentCreateQuote',
      kind,
      (id, own) => ({ body: quoteBody({ from: id, to: own.ExternalAccount ?? '' }) }),
    ],
    [
      'agentCreateQuote',
      kind,
      (id, own) => ({ body: quoteBody({ from: own.InternalAccount ?? '', to: id }) }),
    ],
  ]),
  [
    'agentCreateQuote',
    'Lookup',
    (id, own) => ({
      body: quoteBody({ from: own.InternalAccount ?? '', to: SUCCESS, more: { lookupId: id } }),
    }),
  ],
  ['createAgent', 'Customer', (id) => ({ body: agentBody(id) })],
  ['createAgent', 'InternalAccount', (id, own) => ({ body: agentBody(own.Customer, allowing(id)) })],
  [
    'updateAgentPolicy',
    'InternalAccount',
    (id, own) => ({ params: { agentId: own.Agent ?? '' }, body: allowing(id) }),
  ],
  [
    'createStablecoinMint',
    'ExternalAccount',
    (id, own) =>
      ofCoin(own, {
        fundingSource: { type: 'ACH_DEBIT', externalAccountId: id },
        destination: { accountId: id },
      }),
  ],
  [
    'createStablecoinMint',
    'ExternalAccount',
    (id, own) => ofCoin(own, { fundingSource: { type: 'WIRE' }, destination: { accountId: id } }),
  ],
  [
    'createStablecoinMint',
    'InternalAccount',
    (id, own) =>
      ofCoin(own, {
        fundingSource: { type: 'SVC_INTERNAL_ACCOUNT', accountId: id },
        destination: { accountId: own.InternalAccount },
      }),
  ],
  [
    'createStablecoinMint',
    'InternalAccount',
    (id, own) => ofCoin(own, { fundingSource: { type: 'WIRE' }, destination: { accountId: id } }),
  ],
  [
    'createStablecoinBurn',
    'ExternalAccount',
    (id, own) => ofCoin(own, { source: { type: 'EXTERNAL_ACCOUNT' }, destination: paidTo(id) }),
  ],
  [
    'createStablecoinBurn',
    'InternalAccount',
    (id, own) =>
      ofCoin(own, {
        source: { type: 'SVC_INTERNAL_ACCOUNT', accountId: id },
        destination: paidTo(own.ExternalAccount),
      }),
  ],
  ['sandboxSend', 'Quote', (id) => ({ body: { quoteId: id, currencyCode: 'USD' } })],
  [
    'sandboxReceive',
    'Customer',
    (id) => ({
      body: {
        senderUmaAddress: SUCCESS,
        customerId: id,
        receivingCurrencyCode: 'USD',
        receivingCurrencyAmount: 500,
      },
    }),
  ],
];

/** Ids in queries that are not declared as such: their value may be something else, too. */
const IN_QUERY: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  listTransactions: {
    customerId: ['Customer'],
    accountIdentifier: ['InternalAccount', 'ExternalAccount'],
  },
  agentListTransactions: { accountIdentifier: ['InternalAccount', 'ExternalAccount'] },
  listDocuments: { documentHolder: ['Customer', 'BeneficialOwner'] },
};

/**
 * Answered as a bad field, by the rules: an account in a policy (agents.md §1.2), the customer of an agent
 * (agents.md §3.14).
 */
const isBadField = ({ operation, type }: IsolationCase) =>
  (type === 'InternalAccount' && /^(createAgent|updateAgentPolicy)$/.test(operation.id)) ||
  operation.id === 'agentCreateExternalAccount';

/** The call with this id, by a caller who may make it. */
function buildCall({ operation, build }: IsolationCase, id: string, own: Things): Call {
  return { ...build(id, own), ...(operation.access === 'agent' && { as: `Bearer ${own.accessToken}` }) };
}

const allowing = (id: string) => ({ accountRestrictions: { allowedAccountIds: [id] } });

/** A mint or burn of the caller's own coin. */
function ofCoin({ Stablecoin = `Stablecoin:${randomUUID()}` }: Things, body: object) {
  return { params: { stablecoinId: Stablecoin }, key: randomUUID(), body: { amount: '10000', ...body } };
}

function paidTo(externalAccountId: string | undefined) {
  return { type: 'EXTERNAL_ACCOUNT', externalAccountId, rail: 'WIRE' };
}

function transfersBy(into: string, out: string): (readonly [string, string, Build])[] {
  return [
    [into, 'ExternalAccount', (id, own) => ({ body: transfer(id, own.InternalAccount) })],
    [into, 'InternalAccount', (id, own) => ({ body: transfer(own.ExternalAccount, id) })],
    [out, 'InternalAccount', (id, own) => ({ body: transfer(id, own.ExternalAccount) })],
    [out, 'ExternalAccount', (id, own) => ({ body: transfer(own.InternalAccount, id) })],
  ];
}

function transfer(from: string | undefined, to: string | undefined) {
  return { source: { accountId: from }, destination: { accountId: to }, amount: 1_000 };
}

function delegation(cardId = `Card:${randomUUID()}`, internalAccountId = '') {
  return { cardId, internalAccountId, nickname: 'Groceries' };
}

/**
 * Sends another platform's id to every place of the interface that takes an id: the answer must be the same as for an
 * unknown id, and no table may change (platform.md §1.1.3).
 */
describe('ids of other platforms', () => {
  const world = testWorld();
  const owners = new Map<Environment, Things>();

  before(async () => {
    owners.set('SANDBOX', await thingsOfOwner('SANDBOX'));
    owners.set('PRODUCTION', await thingsOfOwner('PRODUCTION'));
  });

  async function thingsOfOwner(environment: Environment): Promise<Things> {
    const isSandbox = environment === 'SANDBOX';
    const platform = await givenPlatform(world, { environment, currencies: ['USD', 'EUR', 'USDC', 'USDB'] });
    const things = await givenThings(platform, isSandbox);
    return { ...things, Verification: await givenVerification(await world.platform({ environment })) };
  }

  for (const [whose, stranger] of [
    ['SANDBOX', 'SANDBOX'],
    ['SANDBOX', 'PRODUCTION'],
    ['PRODUCTION', 'SANDBOX'],
    ['PRODUCTION', 'PRODUCTION'],
  ] as const) {
    it(`platform.md §1.1.3: a ${stranger} platform cannot tell a ${whose} platform's ids from ids that do not exist`, async () => {
      const platform = await givenPlatform(world, {
        environment: stranger,
        currencies: ['USD', 'EUR', 'USDC', 'USDB'],
        settings: { requestRate: { perSecond: 0, burst: 1 } },
      });
      const own = await givenThings(platform, stranger === 'SANDBOX');
      const theirs = owners.get(whose) as Things;
      const calls = allCalls(world.app.operations);
      const stored = await contents();
      const wrong: string[] = [];
      let asked = 0;
      for (const call of calls) {
        const { operation, type } = call;
        const foreign = theirs[type];
        // Only the sandbox has money and counterparties that answer.
        assert.ok(foreign !== undefined || whose === 'PRODUCTION', type);
        if (foreign === undefined) continue;
        const answers: Answer[] = [];
        for (const id of [foreign, foreign.replace(/[^:]*$/, randomUUID())]) {
          const reply = await platform.send(operation.id, {
            ...buildCall(call, id, own),
            key: 'the-same-key',
          });
          answers.push({
            status: reply.status,
            raw: reply.raw.replaceAll(id.slice(id.indexOf(':') + 1), 'ID'),
          });
        }
        const [seen, none] = answers as [Answer, Answer];
        const label = `${operation.id} ${type}: ${seen.status} ${seen.raw}`;
        if (!isDeepStrictEqual(seen, none)) wrong.push(`${label} is not ${none.status} ${none.raw}`);
        const isClosed = operation.sandboxOnly && stranger === 'PRODUCTION';
        const isUnavailable = operation.checkAvailable && stranger === 'PRODUCTION';
        const isEmpty = operation.method === 'GET' && seen.status === 200 && isEmptyPage(seen.raw);
        const expected = isClosed ? 403 : isUnavailable ? 501 : isBadField(call) ? 400 : 404;
        if (!isEmpty && seen.status !== expected) wrong.push(label);
        asked++;
      }
      assert.deepEqual(wrong, []);
      assert.ok(asked > (whose === 'SANDBOX' ? 60 : 40), `${asked} were asked`);
      assert.deepEqual(await contents(), stored);
    });
  }

  it('platform.md §1.2.2: an id of another type is an unknown one in a path, and a bad field elsewhere', async () => {
    const platform = await givenPlatform(world, { currencies: ['USD', 'EUR', 'USDC', 'USDB'] });
    const own = await givenThings(platform, true);
    const bad: string[] = [];
    for (const call of allCalls(world.app.operations)) {
      const { operation, type, place } = call;
      const other = type === 'Agent' ? 'Card' : 'Agent';
      const wrong = `${other}:${(own[type] ?? randomUUID()).replace(/^.*:/, '')}`;
      const reply = await platform.send(operation.id, buildCall(call, wrong, own));
      const label = `${operation.id} ${type} ${reply.raw}`;
      if (place === 'path') {
        // The answer names the resource type, but not whether the UUID exists.
        const missing = await platform.send(operation.id, buildCall(call, `${type}:${randomUUID()}`, own));
        const nobodys = await platform.send(operation.id, buildCall(call, `${other}:${randomUUID()}`, own));
        const { code, reason } = reply.body;
        const isSame = reply.status === 404 && code === missing.body.code && reply.raw === nobodys.raw;
        if (!isSame || !reason.endsWith(`another kind, ${other}.`)) bad.push(label);
      } else if (
        place === 'free' ? ![200, 400].includes(reply.status) : reply.body.code !== 'INVALID_INPUT'
      ) {
        bad.push(label);
      }
    }
    assert.deepEqual(bad, []);
  });

  it('platform.md §1.1.3: a challenge of another platform’s customer is answered like one that does not exist', async () => {
    const platform = await givenPlatform(world, { currencies: ['USD', 'EUR', 'USDC', 'USDB'] });
    const own = await givenThings(platform, true);
    const trust = { externalAccountId: own.ExternalAccount ?? '' };
    await platform.call('startBeneficiaryTrust', { params: trust });
    const answers: Answer[] = [];
    for (const challengeId of [owners.get('SANDBOX')?.ScaChallenge ?? '', `ScaChallenge:${randomUUID()}`]) {
      const proof = { challengeId, code: SCA_CODE };
      const login = { ...proof, factor: 'SMS_OTP', endUserIpAddress: '203.0.113.7' } as const;
      const query = { customerId: own.Customer ?? '' };
      for (const { status, raw } of [
        await platform.call('completeScaLogin', { query, body: login }),
        await platform.call('confirmBeneficiaryTrust', { params: trust, body: proof }),
      ]) {
        answers.push({ status, raw });
      }
    }
    const [login, confirmed, ...none] = answers;
    assert.deepEqual([login?.status, confirmed?.status], [400, 400]);
    assert.deepEqual([login, confirmed], none);
  });

  /** A refused upload is visible to its own platform until its file is deleted. */
  const contents = () => tableContents(world.database, ['contents', 'jobs']);
});

interface Answer {
  readonly status: number;
  readonly raw: string;
}

function isEmptyPage(raw: string): boolean {
  const { data } = JSON.parse(raw);
  return Array.isArray(data) && data.length === 0;
}

interface IsolationCase {
  readonly operation: NamedOperation;
  readonly type: string;
  readonly place: 'path' | 'query' | 'body' | 'free';
  readonly build: Build;
}

function allCalls(operations: readonly NamedOperation[]): IsolationCase[] {
  return operations.flatMap((operation) => [
    ...pathCalls(operation),
    ...queryCalls(operation),
    ...bodyCalls(operation),
  ]);
}

function pathCalls(operation: NamedOperation): IsolationCase[] {
  return Object.entries(operation.params ?? {}).flatMap(([name, rule]): IsolationCase[] => {
    if (!('id' in rule)) return [];
    const build: Build = (id, own) => ({
      ...besideId(operation, own),
      params: { ...buildPathCall(operation, own).params, [name]: id },
    });
    return kindsOf(rule.id).map((type) => ({ operation, type, place: 'path', build }));
  });
}

function besideId(operation: NamedOperation, own: Things): Call {
  const beside = BESIDE_ID[operation.id];
  assert.ok(beside || !operation.body || operation.bodyOptional, `${operation.id} takes a body`);
  return beside?.(own) ?? {};
}

/** Resources of one type that operations treat differently. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  ExternalAccount: ['ExternalAccount', 'PlatformExternalAccount'],
  InternalAccount: ['InternalAccount', 'Wallet'],
};

function kindsOf(type: string): readonly string[] {
  return KINDS[type] ?? [type];
}

function queryCalls(operation: NamedOperation): IsolationCase[] {
  const properties = (operation.query as { properties?: Record<string, Record<string, unknown>> } | undefined)
    ?.properties;
  const declared = Object.entries(properties ?? {}).flatMap(([name, property]): IsolationCase[] => {
    const type = property['x-id'];
    if (typeof type !== 'string') return [];
    const build: Build = (id, own) => ({
      ...besideId(operation, own),
      ...buildPathCall(operation, own),
      query: { [name]: id },
    });
    return kindsOf(type).map((kind) => ({ operation, type: kind, place: 'query', build }));
  });
  const free = Object.entries(IN_QUERY[operation.id] ?? {}).flatMap(([name, types]) =>
    types.map((type): IsolationCase => {
      return { operation, type, place: 'free', build: (id) => ({ query: { [name]: id } }) };
    }),
  );
  return [...declared, ...free];
}

/** An address of the caller's own, for a call whose query holds the id. */
function buildPathCall({ params = {} }: NamedOperation, own: Things): Call {
  const filled = Object.entries(params).map(([name, rule]) => [
    name,
    'id' in rule ? (own[rule.id] ?? `${rule.id}:${randomUUID()}`) : SUCCESS,
  ]);
  return { params: Object.fromEntries(filled) };
}

function bodyCalls(operation: NamedOperation): IsolationCase[] {
  const known = IN_BODY.filter(([id]) => id === operation.id);
  const inSchema = JSON.stringify(operation.body ?? {}).matchAll(/"pattern":"\^\(?([A-Z]\w+):/g);
  for (const [, type] of inSchema) {
    assert.ok(
      known.some(([, covered]) => covered === type),
      `${operation.id} takes the id of a ${type} in its body`,
    );
  }
  return known.map(([, type, build]): IsolationCase => ({ operation, type, place: 'body', build }));
}
