import { type CompleteTable, rowFor, sandboxSuffix } from '#edge/sandbox/table.ts';
import type { WalletSignaturesPort } from '#foundation/ports/wallet-signatures.ts';

const CODE = '000000';

const OLD_TOKEN = [
  { alg: 'RS256' },
  {
    iss: 'https://accounts.google.com',
    aud: 'client-1',
    sub: 'user-1',
    iat: 1_577_836_800,
    exp: 1_577_840_400,
  },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .concat('signature')
  .join('.');

/** wallets.md §7. The cryptography around a code is the same as in production. */
export const WALLET_CODES_TABLE: CompleteTable<'RIGHT' | 'WRONG'> = {
  id: 'wallet-codes',
  title: 'Codes of embedded wallets',
  intro:
    'The code of every `EMAIL_OTP` and `SMS_OTP` credential is the same, whatever `embeddedWalletConfig` says. Nothing is ' +
    'sent: the message is in the inbox. The client encrypts the code and signs as in production.',
  column: 'Code',
  operations: ['challengeAuthCredential', 'verifyAuthCredential', 'listSandboxMessages'],
  rows: [
    {
      value: CODE,
      example: CODE,
      effect: 'Right, once for each challenge.',
      shows: { type: 'EMAIL_OTP' },
      does: 'RIGHT',
    },
  ],
  otherwise: {
    value: 'anything else',
    example: '123456',
    effect: 'Wrong. The third wrong code voids the challenge.',
    shows: { code: 'UNAUTHORIZED', reason: 'Invalid OTP code' },
    does: 'WRONG',
  },
};

/** The code that is right. */
export const WALLET_CODE: string =
  WALLET_CODES_TABLE.rows.find(({ does }) => does === 'RIGHT')?.value ?? CODE;

/** Stands in for a signature: only the request, its time, its single use and its body are checked. */
export const WALLET_STAMPS_TABLE: CompleteTable<'ACCEPTED' | 'CHECKED'> = {
  id: 'wallet-signatures',
  title: 'Signatures of embedded wallets',
  intro:
    'The header with the wallet’s signature decides, on every signed call except the proof of a code, where the client’s new ' +
    'key has to sign. `Request-Id` is still required, except to execute a quote.',
  column: 'Signature',
  operations: [
    'createAuthCredential',
    'revokeAuthCredential',
    'revokeAuthSession',
    'refreshAuthSession',
    'updateInternalAccount',
    'exportInternalAccount',
    'createDelegatedKey',
    'updateCustomerById',
    'executeQuote',
  ],
  rows: [
    {
      value: 'sandbox-valid-signature',
      example: 'sandbox-valid-signature',
      effect: 'Counts as a signature of the wallet’s owner.',
      shows: { privateEnabled: true },
      does: 'ACCEPTED',
    },
  ],
  otherwise: {
    value: 'anything else',
    example: 'sandbox-signature',
    effect: 'Checked as in production.',
    shows: { code: 'WALLET_SIGNATURE_MALFORMED' },
    does: 'CHECKED',
  },
};

export const PASSKEY_SIGNATURES_TABLE: CompleteTable<'ACCEPTED' | 'CHECKED'> = {
  id: 'passkey-signatures',
  title: 'Signatures of passkeys',
  intro:
    'The `assertion.signature` decides when a passkey is proven. If it is accepted, the other members of the assertion are ' +
    'ignored; the `Request-Id` of a challenge is still required.',
  column: 'Signature',
  operations: ['verifyAuthCredential'],
  rows: [
    {
      value: 'sandbox-valid-passkey-signature',
      example: 'sandbox-valid-passkey-signature',
      effect: 'Counts as the passkey’s own signature: a session is created.',
      shows: { type: 'PASSKEY' },
      does: 'ACCEPTED',
    },
  ],
  otherwise: {
    value: 'anything else',
    example: 'bm90IGEgc2lnbmF0dXJl',
    effect: 'Checked as in production.',
    shows: { code: 'UNAUTHORIZED' },
    does: 'CHECKED',
  },
};

/** wallets.md §7: id tokens need no real signature here, but they have to name their subject and their time. */
export const ID_TOKENS_TABLE: CompleteTable<'INVALID' | 'VALID'> = {
  id: 'id-tokens',
  title: 'Id tokens of wallet credentials',
  intro:
    'The `oidcToken` of an `OAUTH` credential. Its claims are checked as in production: `iss` is one of the issuers, `iat` is ' +
    'within the last minute, by `GET /sandbox/clock` or in real time, and `nonce` is the digest of the client’s key. Only its ' +
    'signature, the third part, may be any text.',
  column: 'Token',
  operations: ['createAuthCredential', 'verifyAuthCredential'],
  rows: [
    {
      value: 'sandbox-valid-oidc-token',
      example: 'sandbox-valid-oidc-token',
      effect: 'Refused: it is not a token, because it does not name its subject.',
      shows: { code: 'INVALID_INPUT' },
      does: 'INVALID',
    },
  ],
  otherwise: {
    value: 'anything else',
    example: OLD_TOKEN,
    effect:
      'Checked as in production, except for its signature. This one is from the year 2020, and therefore too old.',
    shows: { code: 'UNAUTHORIZED' },
    does: 'VALID',
  },
};

/** wallets.md §7: signatures that the sandbox accepts without a key. */
export const sandboxSignatures: WalletSignaturesPort = {
  isAlwaysValid: (stamp) => rowFor(WALLET_STAMPS_TABLE, stamp).does === 'ACCEPTED',
  isAlwaysValidAssertion: (signature) => rowFor(PASSKEY_SIGNATURES_TABLE, signature).does === 'ACCEPTED',
};

/** wallets.md §6.11.49: whether codes can go to a new address or number. */
export const WALLET_CONTACTS_TABLE: CompleteTable<'REFUSED' | 'ACCEPTED'> = {
  id: 'wallet-contacts',
  title: 'New contacts of wallet credentials',
  intro:
    'The last three digits of the new phone number, or of the part before `@` of the new e-mail address, decide when a contact ' +
    'for codes changes. They are checked in the signed call.',
  column: 'Ends in',
  operations: ['updateCustomerById'],
  rows: [
    {
      value: '424',
      example: 'ada424@example.com',
      effect: 'The message provider refuses it: nothing changes.',
      shows: { code: 'EMAIL_OTP_CREDENTIAL_SYNC_FAILED' },
      does: 'REFUSED',
    },
  ],
  otherwise: {
    value: 'anything else',
    example: 'ada.king@example.com',
    effect: 'Codes are sent there from now on.',
    shows: { email: 'ada.king@example.com' },
    does: 'ACCEPTED',
  },
};

export function isContactAccepted(contact: string): boolean {
  return rowFor(WALLET_CONTACTS_TABLE, sandboxSuffix(contact)).does === 'ACCEPTED';
}

/** wallets.md §7, §6.1.20: whether a customer's wallet is opened. */
export const WALLETS_TABLE: CompleteTable<'PENDING' | 'OPENED'> = {
  id: 'wallets',
  title: 'Embedded wallets of new customers',
  intro:
    'The last three digits of the part before `@` of the customer’s e-mail address decide when the wallet is opened. The ' +
    'customer’s other accounts are opened at once in any case.',
  column: 'Ends in',
  operations: ['createCustomer', 'updateCustomerById'],
  rows: [
    {
      value: '409',
      example: 'ada409@example.com',
      effect: 'The wallet is never opened, and its owner cannot log in.',
      shows: { 'account.status': 'PENDING', 'challenge.code': 'WALLET_NOT_PROVISIONED' },
      does: 'PENDING',
    },
  ],
  otherwise: {
    value: 'anything else',
    example: 'ada@example.com',
    effect: 'The wallet is opened at once.',
    shows: { 'account.status': 'ACTIVE', 'challenge.type': 'EMAIL_OTP' },
    does: 'OPENED',
  },
};

export function isWalletOpened(email: string): boolean {
  return rowFor(WALLETS_TABLE, sandboxSuffix(email)).does === 'OPENED';
}
