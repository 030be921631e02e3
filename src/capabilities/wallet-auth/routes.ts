import { InternalAccount } from '#capabilities/accounts/schemas.ts';
import { listCredentials } from '#capabilities/wallet-auth/credential-store.ts';
import { additionTarget, prepareAddition } from '#capabilities/wallet-auth/credentials/add-credential.ts';
import { challengeCredential } from '#capabilities/wallet-auth/credentials/challenge-credential.ts';
import {
  credentialTarget,
  prepareRevocation,
} from '#capabilities/wallet-auth/credentials/revoke-credential.ts';
import { verifyCredential } from '#capabilities/wallet-auth/credentials/verify-credential.ts';
import {
  ADA_EMAIL,
  ADA_SESSIONS,
  ADD_GOOGLE,
  ADD_PASSKEY,
  ADD_PHONE,
  CHALLENGE_EMAIL,
  CHALLENGE_PASSKEY,
  END_SESSION,
  EXPORT,
  MAKE_PRIVATE,
  REFRESH,
  REVOKE_PASSKEY,
  VERIFY_CODE,
  VERIFY_GOOGLE,
  VERIFY_PASSKEY,
} from '#capabilities/wallet-auth/examples.ts';
import { presentCredential, presentSession } from '#capabilities/wallet-auth/present.ts';
import type { WalletAuthSettings } from '#capabilities/wallet-auth/rules.ts';
import {
  AuthCredentialChallengeRequest,
  AuthCredentialCreateRequest,
  AuthCredentialListResponse,
  AuthCredentialResponse,
  AuthCredentialVerifyRequest,
  AuthMethodResponse,
  AuthSession,
  AuthSessionRefreshRequest,
  AuthSignedRequestChallenge,
  CredentialsQuery,
  InternalAccountExportRequest,
  InternalAccountExportResponse,
  InternalAccountUpdateRequest,
  SessionListResponse,
} from '#capabilities/wallet-auth/schemas.ts';
import { listActiveSessions } from '#capabilities/wallet-auth/session-store.ts';
import {
  prepareRefresh,
  prepareSessionRevocation,
  refreshTarget,
  revocationTarget,
} from '#capabilities/wallet-auth/sessions/sessions.ts';
import { exportTarget, prepareExport } from '#capabilities/wallet-auth/wallets/export-wallet.ts';
import { prepareWalletUpdate, updateTarget } from '#capabilities/wallet-auth/wallets/update-wallet.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { SignedRequestChallenge } from '#foundation/http/signed/signed-retry.ts';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';

const area = 'Embedded Wallet Auth';
const CREDENTIAL = { id: { id: 'AuthMethod', missing: 'AUTH_METHOD_NOT_FOUND' } } as const;
const SESSION = { id: { id: 'Session', missing: 'SESSION_NOT_FOUND' } } as const;
/** Requests are never replayed: every challenge and every session is new. */
const idempotency = { key: 'ignored' } as const;

const createAuthCredential = (settings: WalletAuthSettings) =>
  operation('createAuthCredential', {
    route: 'POST /auth/credentials',
    area,
    summary: 'Add a credential to a wallet',
    description:
      'The first credential of a wallet is added at once. Any other must be signed by an active session: the first ' +
      'request gets 202 with the payload to sign, and the addition takes effect when you repeat the request with the ' +
      'signature. A code to an e-mail address or phone is sent with the signed request.',
    access: 'manage',
    idempotency,
    signed: { target: (tx, { body }) => additionTarget(tx, body) },
    body: AuthCredentialCreateRequest,
    status: 201,
    reply: AuthMethodResponse,
    otherReplies: { 202: AuthSignedRequestChallenge },
    codes: [
      'ACCOUNT_NOT_FOUND',
      'WALLET_NOT_PROVISIONED',
      'CONFLICT',
      'MISSING_MANDATORY_USER_INFO',
      'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS',
      'SMS_OTP_CREDENTIAL_ALREADY_EXISTS',
      'PASSKEY_CREDENTIAL_ALREADY_EXISTS',
      'NOT_IMPLEMENTED',
    ],
    examples: {
      'Codes to the phone': ADD_PHONE,
      'A passkey': ADD_PASSKEY,
      'An account at Google': ADD_GOOGLE,
    },
    prepare: (tx, { body, signed }) => prepareAddition(tx, body, signed, settings),
  });

const listAuthCredentials = operation('listAuthCredentials', {
  route: 'GET /auth/credentials',
  area,
  summary: 'List the credentials of a wallet',
  description: 'All credentials, oldest first. The list is empty for a wallet of another platform.',
  access: 'view',
  query: CredentialsQuery,
  reply: AuthCredentialListResponse,
  codes: [],
  examples: {
    'A new wallet': {
      query: { accountId: EXAMPLE_IDS.adaUsdb },
      reply: { data: [ADA_EMAIL] },
    },
  },
  read: async (tx, { query }) => ({
    data: (await listCredentials(tx, query.accountId)).map(presentCredential),
  }),
});

const revokeAuthCredential = operation('revokeAuthCredential', {
  route: 'DELETE /auth/credentials/:id',
  area,
  summary: 'Revoke a credential',
  description:
    'Must be signed by a session of another credential of the wallet. Sessions of the revoked credential end with it. ' +
    'The last credential of a wallet cannot be revoked.',
  access: 'manage',
  signed: { target: (tx, { params }) => credentialTarget(tx, params.id) },
  params: CREDENTIAL,
  otherReplies: { 202: AuthSignedRequestChallenge },
  codes: ['INVALID_INPUT'],
  examples: { 'A passkey': REVOKE_PASSKEY },
  prepare: (tx, { params, signed }) => prepareRevocation(tx, params.id, signed),
});

const challengeAuthCredential = operation('challengeAuthCredential', {
  route: 'POST /auth/credentials/:id/challenge',
  area,
  summary: 'Request a challenge',
  description:
    'Sends a code, or creates a challenge for a passkey; an id token needs none. At most ten times a minute. In the ' +
    'sandbox nothing is sent: the code is [always the same](/docs/sandbox#wallet-codes), and the message can be read ' +
    'at `GET /sandbox/messages`.',
  access: 'manage',
  idempotency,
  params: CREDENTIAL,
  body: AuthCredentialChallengeRequest,
  bodyOptional: true,
  checksBody: true,
  reply: AuthCredentialResponse,
  codes: ['WALLET_NOT_PROVISIONED', 'CONFLICT', 'RATE_LIMITED', 'NOT_IMPLEMENTED'],
  examples: { 'A code by e-mail': CHALLENGE_EMAIL, 'A passkey': CHALLENGE_PASSKEY },
  write: (tx, { params, body, problems }) => challengeCredential(tx, params.id, { body, problems }),
});

const verifyAuthCredential = (settings: WalletAuthSettings) =>
  operation('verifyAuthCredential', {
    route: 'POST /auth/credentials/:id/verify',
    area,
    summary: 'Verify a credential',
    description:
      'The right proof gives a session, whose keys sign for the wallet. A code is proven in two steps: the first request ' +
      'gets 202 with a token that the client’s new key has to sign. After ten failures in five minutes, or fifty in a ' +
      'day, the reply is 429.',
    access: 'manage',
    idempotency,
    signed: {},
    params: CREDENTIAL,
    body: AuthCredentialVerifyRequest,
    reply: AuthSession,
    otherReplies: { 202: AuthSignedRequestChallenge },
    codes: ['WALLET_NOT_PROVISIONED', 'CONFLICT', 'RATE_LIMITED', 'NOT_IMPLEMENTED'],
    examples: {
      'A code from an e-mail': VERIFY_CODE,
      'A passkey': VERIFY_PASSKEY,
      'An account at Google': VERIFY_GOOGLE,
    },
    handle: (work, { params, body, request }) =>
      verifyCredential(work, params.id, { body, request }, settings),
  });

const listAuthSessions = operation('listAuthSessions', {
  route: 'GET /auth/sessions',
  area,
  summary: 'List the active sessions of a wallet',
  description: 'All active sessions, oldest first. The list is empty for a wallet of another platform.',
  access: 'view',
  query: CredentialsQuery,
  reply: SessionListResponse,
  codes: [],
  examples: {
    'One session of each type': {
      query: { accountId: EXAMPLE_IDS.adaUsdb },
      reply: { data: ADA_SESSIONS },
    },
  },
  read: async (tx, { query }) => ({
    data: (await listActiveSessions(tx, query.accountId)).map((row) => presentSession(row)),
  }),
});

const revokeAuthSession = operation('revokeAuthSession', {
  route: 'DELETE /auth/sessions/:id',
  area,
  summary: 'End a session',
  description: 'Must be signed by any active session of the wallet, including the one that ends.',
  access: 'manage',
  signed: { target: (tx, { params }) => revocationTarget(tx, params.id) },
  params: SESSION,
  otherReplies: { 202: AuthSignedRequestChallenge },
  codes: ['INVALID_INPUT'],
  examples: { 'A passkey’s session': END_SESSION },
  prepare: (tx, { params, signed }) => prepareSessionRevocation(tx, params.id, signed),
});

const refreshAuthSession = operation('refreshAuthSession', {
  route: 'POST /auth/sessions/:id/refresh',
  area,
  summary: 'Refresh a session',
  description:
    'Must be signed by the session itself while it is active. The new session lasts fifteen minutes from now; the old ' +
    'one still ends at its own time.',
  access: 'manage',
  idempotency,
  signed: { target: (tx, { params, body }) => refreshTarget(tx, params.id, body.clientPublicKey) },
  params: SESSION,
  body: AuthSessionRefreshRequest,
  status: 201,
  reply: AuthSession,
  otherReplies: { 202: SignedRequestChallenge },
  codes: ['WALLET_NOT_PROVISIONED', 'CONFLICT'],
  examples: { 'With the client’s own key': REFRESH },
  prepare: (tx, { params, body, signed }) => prepareRefresh(tx, params.id, body.clientPublicKey, signed),
});

const ACCOUNT = { id: { id: 'InternalAccount', missing: 'ACCOUNT_NOT_FOUND' } } as const;
const ACCOUNTS_AREA = 'Internal Accounts';

const updateInternalAccount = operation('updateInternalAccount', {
  route: 'PATCH /internal-accounts/:id',
  area: ACCOUNTS_AREA,
  summary: 'Change the privacy of a wallet',
  description:
    'For an embedded wallet. Must be signed by its owner: the first request gets 202 with the payload to sign, and the ' +
    'change takes effect when you repeat the request with the signature of an active session.',
  access: 'manage',
  signed: { target: (tx, { params, body }) => updateTarget(tx, params.id, body) },
  params: ACCOUNT,
  body: InternalAccountUpdateRequest,
  reply: InternalAccount,
  otherReplies: { 202: SignedRequestChallenge },
  codes: ['WALLET_NOT_PROVISIONED', 'CONFLICT'],
  examples: { 'A private wallet': MAKE_PRIVATE },
  prepare: (tx, { params, body, signed }) => prepareWalletUpdate(tx, params.id, body, signed),
});

const exportInternalAccount = operation('exportInternalAccount', {
  route: 'POST /internal-accounts/:id/export',
  area: ACCOUNTS_AREA,
  summary: 'Export a wallet',
  description:
    'The twelve words that restore an embedded wallet anywhere, sealed to a key of the client, so that only the client ' +
    'can read them. Must be signed by its owner, in two steps. The wallet stays usable and can be exported again.',
  access: 'manage',
  idempotency,
  signed: { target: (tx, { params, body }) => exportTarget(tx, params.id, body.clientPublicKey) },
  params: ACCOUNT,
  body: InternalAccountExportRequest,
  reply: InternalAccountExportResponse,
  otherReplies: { 202: SignedRequestChallenge },
  codes: ['WALLET_NOT_PROVISIONED', 'CONFLICT'],
  examples: { 'In the sandbox': EXPORT },
  prepare: (tx, { params, body, signed }) => prepareExport(tx, params.id, body.clientPublicKey, signed),
});

export function walletAuthOperations(settings: WalletAuthSettings) {
  return [
    // The accounts' own area comes first: it continues accountOperations.
    updateInternalAccount,
    exportInternalAccount,
    createAuthCredential(settings),
    listAuthCredentials,
    revokeAuthCredential,
    challengeAuthCredential,
    verifyAuthCredential(settings),
    listAuthSessions,
    revokeAuthSession,
    refreshAuthSession,
  ];
}
