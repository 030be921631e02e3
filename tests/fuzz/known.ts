import { randomUUID } from 'node:crypto';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { agentBody } from '#tests/given/agents.ts';
import { FROM_PAGE } from '#tests/given/console.ts';
import { EUROPEAN, PERSON } from '#tests/given/customers.ts';
import { buildAccountRequest } from '#tests/given/external-accounts.ts';
import { csvForm, personRow, renderCsv } from '#tests/given/imports.ts';
import { documentFields, documentForm } from '#tests/given/packets.ts';
import type { BodyOf } from '#tests/harness/api-types.ts';
import { newClientKey, sealCode, signedHeaders } from '#tests/harness/wallet-client.ts';

/** Existing resources that requests may name, so that some of them pass the first check. */
export interface FuzzTargets {
  readonly authorization: string;
  /** An agent's token. */
  readonly agentAuthorization: string;
  /** The cookies of the sessions of a developer and of an operator in the console. */
  readonly consoleCookie: string;
  /** An id of each type of resource: `Customer:…`; and of an internal account that is a `Wallet`. */
  readonly ids: ReadonlyMap<string, string>;
  /** The tokens that open pages, by the path before them: `onboard`, `liveness`, `factor-reset`, `i`, `reveal`. */
  readonly links: ReadonlyMap<string, string>;
}

/** Creates one of everything through the API; resources that the platform refuses are omitted. */
export async function makeKnown(
  origin: string,
  authorization: string,
  operatorCookie: string,
): Promise<FuzzTargets> {
  const known = {
    authorization,
    agentAuthorization: '',
    consoleCookie: '',
    ids: new Map<string, string>(),
    links: new Map<string, string>(),
  };
  const call: CallApi = async (method, path, body, headers) => {
    const isForm = body instanceof FormData;
    const reply = await fetch(`${origin}${wireNames('Svc').basePath}${path}`, {
      method,
      headers: { authorization, ...(body && !isForm && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) return {};
    for (const [id, type = ''] of text.matchAll(/\b([A-Z][A-Za-z]+):[0-9a-f]{8}-[0-9a-f-]{27}\b/g))
      known.ids.set(type, id);
    for (const [, page = '', token = ''] of text.matchAll(
      /https?:\/\/[^"]+\/([a-z-]+)(?:\/|\?t=)([\w-]{10,})/g,
    ))
      known.links.set(page, token);
    return reply.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : {};
  };
  const id = (type: string): string => known.ids.get(type) ?? `${type}:none`;
  await call('POST', '/tokens', { name: 'known', permissions: ['VIEW'] });
  // A customer who is not verified yet, and can use the hosted page.
  await call('POST', '/customers', PERSON);
  await call('POST', `/customers/${id('Customer')}/kyc-link`, {});
  const { umaAddress: inviterUma } = await call('POST', '/customers', PAYER);
  for (const path of ['verify-email', 'verify-phone']) {
    await call('POST', `/customers/${id('Customer')}/${path}`);
    await call('POST', `/customers/${id('Customer')}/${path}/confirm`, { code: '123456' });
  }
  await call('POST', '/invitations', { inviterUma, firstName: 'Grace', amountToSend: 1_000 });
  await call('GET', `/customers/internal-accounts?currency=USDB&customerId=${id('Customer')}`);
  known.ids.set('Wallet', id('InternalAccount'));
  await makeSession(call, id);
  await makeCoin(call);
  await call('POST', '/documents', documentForm(documentFields(id('Customer'))));
  await call('POST', '/verifications', { customerId: id('Customer') });
  await call('POST', '/customers/bulk/csv', csvForm(renderCsv([personRow(1)])));
  await call('POST', '/customers/external-accounts', {
    ...buildAccountRequest('BASE_WALLET', { address: `0x${'a'.repeat(37)}888`, vaspName: undefined }),
    ownershipType: 'FIRST_PARTY',
    customerId: id('Customer'),
  });
  await call('POST', `/customers/external-accounts/${id('ExternalAccount')}/challenge`, {
    method: 'LIVENESS',
  });
  await call('POST', '/platform/external-accounts', buildAccountRequest('EUR_ACCOUNT'));
  await call(
    'POST',
    '/customers/external-accounts',
    buildAccountRequest('EUR_ACCOUNT', {}, { customerId: id('Customer') }),
  );
  await call('POST', `/customers/external-accounts/${id('ExternalAccount')}/trust`);
  await makeDelegatedKey(call, id);
  await makeWaitingPayment(call, id);
  // The card is active by then, and its holder logged in.
  await call('POST', '/sandbox/clock/advance', { seconds: 1 });
  await call('POST', `/cards/${id('Card')}/reveal`);
  const { deviceCode } = (await call('POST', '/agents', agentBody(id('Customer')))) as BodyOf<'createAgent'>;
  const { accessToken } = await call('POST', `/agents/device-codes/${deviceCode?.code}/redeem`);
  known.agentAuthorization = `Bearer ${accessToken}`;
  const { url } = (await call('POST', '/console-sessions')) as BodyOf<'createConsoleSession'>;
  known.consoleCookie = `${await signIn(origin, url)}; ${operatorCookie}`;
  // An operator could disable the platform of all other requests.
  known.ids.delete('Platform');
  return known;
}

/** Signs in to the console with an address, and returns the cookie. */
async function signIn(origin: string, address: string): Promise<string> {
  const reply = await fetch(`${origin}/console/api/sign-in`, {
    method: 'POST',
    headers: { ...FROM_PAGE, 'content-type': 'application/json' },
    body: JSON.stringify({ secret: new URL(address).hash.slice(1) }),
  });
  return reply.headers.get('set-cookie')?.split(';')[0] ?? '';
}

type CallApi = (
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<Record<string, unknown>>;

/** An approved customer under strong customer authentication. */
const PAYER = {
  ...PERSON,
  ...EUROPEAN,
  idType: 'NON_US_TAX_ID',
  endUserTermsConsent: {
    acceptedAt: '2026-03-02T09:00:00.000Z',
    ipAddress: '203.0.113.7',
    termsVersion: 'V1',
    acceptanceMethod: 'CHECKBOX',
  },
};

/** The customer logs in and starts a reset, and a payment waits to be authorized. */
async function makeWaitingPayment(call: CallApi, id: (type: string) => string): Promise<void> {
  const customer = `customerId=${id('Customer')}`;
  const factor = 'SMS_OTP';
  const { challengeId } = await call('POST', `/sca/login/start?${customer}`, { factor });
  const login = { factor, challengeId, code: '123456', endUserIpAddress: '203.0.113.7' };
  await call('POST', `/sca/login/complete?${customer}`, login);
  await call('POST', `/sca/factors/reset?${customer}`, { factor });
  await call('GET', `/customers/internal-accounts?currency=USD&${customer}`);
  await call('POST', `/sandbox/internal-accounts/${id('InternalAccount')}/fund`, { amount: 1_000_000 });
  await call('POST', '/quotes', {
    source: { sourceType: 'ACCOUNT', accountId: id('InternalAccount') },
    destination: { destinationType: 'ACCOUNT', accountId: id('ExternalAccount') },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000,
    immediatelyExecute: true,
  });
}

/** A card with the wallet as its source, which spends without a signature. */
async function makeDelegatedKey(call: CallApi, id: (type: string) => string): Promise<void> {
  await call('POST', '/cards', { customerId: id('Customer'), form: 'VIRTUAL', fundingSource: id('Wallet') });
  const body = { cardId: id('Card'), internalAccountId: id('Wallet'), nickname: 'Groceries' };
  await call('POST', '/auth/delegated-keys', body);
  for (let signature = 1; signature <= 2; signature++) {
    const headers = { 'svc-wallet-signature': 'sandbox-valid-signature', 'request-id': id('Request') };
    await call('POST', '/auth/delegated-keys', body, headers);
  }
}

async function makeCoin(call: CallApi): Promise<void> {
  const key = () => ({ 'idempotency-key': randomUUID() });
  await call(
    'POST',
    '/stablecoin-provider-accounts',
    { provider: 'BRALE', apiClientId: 'client-abc', apiClientSecret: 'secret' },
    key(),
  );
  await call(
    'POST',
    '/stablecoins',
    { providerTokenIdentifier: 'known', networkTokenIdentifier: 'btkn1known', network: 'SPARK' },
    key(),
  );
}

/** A wallet's owner logs in, and a call waits for their signature. */
async function makeSession(call: CallApi, id: (type: string) => string): Promise<void> {
  await call('GET', `/auth/credentials?accountId=${id('Wallet')}`);
  const credential = `/auth/credentials/${id('AuthMethod')}`;
  const { otpEncryptionTargetBundle: bundle } = await call('POST', `${credential}/challenge`);
  if (typeof bundle !== 'string') return;
  const key = newClientKey();
  const proof = { type: 'EMAIL_OTP', encryptedOtpBundle: await sealCode(bundle, key) };
  const challenge = await call('POST', `${credential}/verify`, proof);
  await call('POST', `${credential}/verify`, proof, await signedHeaders(key, challenge as never));
  await call('POST', '/auth/credentials', { type: 'SMS_OTP', accountId: id('Wallet') });
}
