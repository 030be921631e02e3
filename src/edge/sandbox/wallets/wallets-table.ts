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
    'sent: the message is in the inbox. The client seals it and signs as it would in production.',
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

/** In place of a signature: nothing but the request, its time, its single use and its body is checked. */
export const WALLET_STAMPS_TABLE: CompleteTable<'ACCEPTED' | 'CHECKED'> = {
  id: 'wallet-signatures',
  title: 'Signatures of embedded wallets',
  intro:
    'The header with the wallet’s signature, on every signed call but the proof of a code: there the client’s new key ' +
    'has to sign. `Request-Id` is needed all the same, except to execute a quote.',
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
    effect: 'Is checked as in production.',
    shows: { code: 'WALLET_SIGNATURE_MALFORMED' },
    does: 'CHECKED',
  },
};

export const PASSKEY_SIGNATURES_TABLE: CompleteTable<'ACCEPTED' | 'CHECKED'> = {
  id: 'passkey-signatures',
  title: 'Signatures of passkeys',
  intro:
    '`assertion.signature` when a passkey is proved. Accepted, it makes the other members of the assertion count for ' +
    'nothing; the `Request-Id` of a challenge is needed all the same.',
  column: 'Signature',
  operations: ['verifyAuthCredential'],
  rows: [
    {
      value: 'sandbox-valid-passkey-signature',
      example: 'sandbox-valid-passkey-signature',
      effect: 'Counts as the passkey’s own: a session results.',
      shows: { type: 'PASSKEY' },
      does: 'ACCEPTED',
    },
  ],
  otherwise: {
    value: 'anything else',
    example: 'bm90IGEgc2lnbmF0dXJl',
    effect: 'Is checked as in production.',
    shows: { code: 'UNAUTHORIZED' },
    does: 'CHECKED',
  },
};

/** wallets.md §7: nobody signs id tokens here, but somebody has to say whom they speak of, and when. */
export const ID_TOKENS_TABLE: CompleteTable<'INVALID' | 'VALID'> = {
  id: 'id-tokens',
  title: 'Id tokens of wallet credentials',
  intro:
    '`oidcToken` of an `OAUTH` credential. Its claims are checked as in production: `iss` is one of the issuers, `iat` within the ' +
    'last minute, by `GET /sandbox/clock` or in real time, `nonce` the digest of the client’s key. Only its signature, the third part, may ' +
    'be any text.',
  column: 'Token',
  operations: ['createAuthCredential', 'verifyAuthCredential'],
  rows: [
    {
      value: 'sandbox-valid-oidc-token',
      example: 'sandbox-valid-oidc-token',
      effect: 'Is no token: it would not say whom it speaks of.',
      shows: { code: 'INVALID_INPUT' },
      does: 'INVALID',
    },
  ],
  otherwise: {
    value: 'anything else',
    example: OLD_TOKEN,
    effect:
      'Is checked as in production, but for its signature. This one is of the year 2020, and so too old.',
    shows: { code: 'UNAUTHORIZED' },
    does: 'VALID',
  },
};

/** wallets.md §7: signatures that the sandbox takes without a key behind them. */
export const sandboxSignatures: WalletSignaturesPort = {
  isAlwaysValid: (stamp) => rowFor(WALLET_STAMPS_TABLE, stamp).does === 'ACCEPTED',
  isAlwaysValidAssertion: (signature) => rowFor(PASSKEY_SIGNATURES_TABLE, signature).does === 'ACCEPTED',
};

/** wallets.md W49: whether codes can go to a new address or number. */
export const WALLET_CONTACTS_TABLE: CompleteTable<'REFUSED' | 'ACCEPTED'> = {
  id: 'wallet-contacts',
  title: 'New contacts of wallet credentials',
  intro:
    'The last three digits of the new phone number, or of the part before `@` of the new e-mail address, when a contact ' +
    'changes that codes are sent to. It is looked at in the signed call.',
  column: 'Ends in',
  operations: ['updateCustomerById'],
  rows: [
    {
      value: '424',
      example: 'ada424@example.com',
      effect: 'The provider of messages refuses it: nothing changes.',
      shows: { code: 'EMAIL_OTP_CREDENTIAL_SYNC_FAILED' },
      does: 'REFUSED',
    },
  ],
  otherwise: {
    value: 'anything else',
    example: 'ada.king@example.com',
    effect: 'Codes go there from now on.',
    shows: { email: 'ada.king@example.com' },
    does: 'ACCEPTED',
  },
};

export function isContactAccepted(contact: string): boolean {
  return rowFor(WALLET_CONTACTS_TABLE, sandboxSuffix(contact)).does === 'ACCEPTED';
}

/** wallets.md §7, W20: whether a customer's wallet is opened. */
export const WALLETS_TABLE: CompleteTable<'PENDING' | 'OPENED'> = {
  id: 'wallets',
  title: 'Embedded wallets of new customers',
  intro:
    'The last three digits of the part before `@` of the customer’s e-mail address, when the wallet is opened. The ' +
    'customer’s other accounts are opened at once, whatever it is.',
  column: 'Ends in',
  operations: ['createCustomer', 'updateCustomerById'],
  rows: [
    {
      value: '409',
      example: 'ada409@example.com',
      effect: 'The wallet is never opened, and nobody can log in to it.',
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
