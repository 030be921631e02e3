import Type, { type Static } from 'typebox';
import {
  component,
  dateTime,
  idSchema,
  namedEnum,
  namedSchema,
  queryId,
  stringEnum,
  tagged,
  text,
} from '#foundation/http/schema.ts';
import { SignedRequestChallenge } from '#foundation/http/signed/signed-retry.ts';

export const CREDENTIAL_TYPES = ['OAUTH', 'EMAIL_OTP', 'SMS_OTP', 'PASSKEY'] as const;
export type CredentialType = (typeof CREDENTIAL_TYPES)[number];
/** Types that are proven by a one-time code. */
export const OTP_TYPES = ['EMAIL_OTP', 'SMS_OTP'] as const;
export type OtpType = (typeof OTP_TYPES)[number];

export const AuthMethodType = namedEnum(
  'AuthMethodType',
  'How the owner of a wallet proves their identity: by an account at Google, Apple or another issuer, by a code ' +
    'that is sent to their e-mail address or phone, or by a passkey.',
  CREDENTIAL_TYPES,
);

const emailOtpTag = Type.Literal('EMAIL_OTP', { description: 'A code by e-mail.' });
const smsOtpTag = Type.Literal('SMS_OTP', { description: 'A code by text message.' });
const oauthTag = Type.Literal('OAUTH', { description: 'An id token from an issuer.' });
const passkeyTag = Type.Literal('PASSKEY', { description: 'A passkey.' });

const ACCOUNT_ID = { accountId: idSchema('InternalAccount', { description: 'The embedded wallet.' }) };
const TIMES = {
  createdAt: dateTime({ description: 'When it was created.' }),
  updatedAt: dateTime({ description: 'When it last changed.' }),
};
const NICKNAME = Type.String({
  description:
    'A display name: the e-mail address, phone number or name behind it. For a passkey, the name that it was given.',
  examples: ['ada@example.com'],
});
const CREDENTIAL_ID = Type.String({
  description: 'For a passkey: its id in browsers, in base64url.',
  examples: ['Z0nM1EQQlo43tferBzafCg'],
});
const OTP_BUNDLE = Type.String({
  description:
    'For a code that was just sent: the signed key to which the client seals the code, as JSON text.',
});

const AUTH_METHOD = {
  id: idSchema('AuthMethod', { description: 'Id of the credential.' }),
  ...ACCOUNT_ID,
  type: AuthMethodType,
  credentialId: Type.Optional(CREDENTIAL_ID),
  nickname: NICKNAME,
  ...TIMES,
};

export const AuthMethod = component('AuthMethod', 'A credential of a wallet’s owner.', AUTH_METHOD);
export type AuthMethod = Static<typeof AuthMethod>;

export const AuthMethodResponse = component(
  'AuthMethodResponse',
  'A credential and, if a code was sent, the key to seal that code to.',
  { ...AUTH_METHOD, otpEncryptionTargetBundle: Type.Optional(OTP_BUNDLE) },
);
export type AuthMethodResponse = Static<typeof AuthMethodResponse>;

export const AuthCredentialListResponse = component(
  'AuthCredentialListResponse',
  'The credentials of one wallet.',
  { data: Type.Array(AuthMethod, { description: 'All credentials of the wallet, oldest first.' }) },
);

export const CredentialsQuery = Type.Object({
  accountId: queryId('InternalAccount', { description: 'The wallet.' }),
});

const PasskeyAttestation = component('PasskeyAttestation', 'The result of `navigator.credentials.create`.', {
  credentialId: text(1, 2048, { description: 'The passkey’s id, in base64url.' }),
  clientDataJson: text(1, 16_384, {
    description: 'The client data from the browser, in base64url.',
  }),
  attestationObject: text(1, 65_536, {
    description: 'The attestation object from the browser, in base64url.',
  }),
  transports: Type.Optional(
    Type.Array(stringEnum(['usb', 'nfc', 'ble', 'internal', 'hybrid']), {
      maxItems: 10,
      description: 'How the authenticator can be reached.',
    }),
  ),
});

const TOKEN = text(1, 16_384, {
  description: 'A fresh id token from the issuer: issued within the last minute.',
});

const EmailOtpCredentialCreateRequest = component(
  'EmailOtpCredentialCreateRequest',
  'Codes to the customer’s e-mail address.',
  { type: emailOtpTag, ...ACCOUNT_ID },
);
const SmsOtpCredentialCreateRequest = component(
  'SmsOtpCredentialCreateRequest',
  'Codes to the customer’s phone number.',
  { type: smsOtpTag, ...ACCOUNT_ID },
);
const OauthCredentialCreateRequest = component(
  'OauthCredentialCreateRequest',
  'An account at an issuer of id tokens.',
  { type: oauthTag, ...ACCOUNT_ID, oidcToken: TOKEN },
);
const PasskeyCredentialCreateRequest = component(
  'PasskeyCredentialCreateRequest',
  'A passkey that a browser or phone has just created.',
  {
    type: passkeyTag,
    ...ACCOUNT_ID,
    nickname: Type.String({
      description: "The owner’s name for it: up to 100 letters, digits, spaces and `. _ - ' ( )`.",
      examples: ["Ada's phone"],
    }),
    challenge: text(1, 2048, { description: 'The challenge that you gave the browser, in base64url.' }),
    attestation: PasskeyAttestation,
  },
);

export const AuthCredentialCreateRequest = namedSchema(
  'AuthCredentialCreateRequestOneOf',
  tagged('type', [
    EmailOtpCredentialCreateRequest,
    SmsOtpCredentialCreateRequest,
    OauthCredentialCreateRequest,
    PasskeyCredentialCreateRequest,
  ]),
);
export type AuthCredentialCreateRequest = Static<typeof AuthCredentialCreateRequest>;
export type PasskeyCredentialCreateRequest = Static<typeof PasskeyCredentialCreateRequest>;

export const AuthSignedRequestChallenge = component(
  'AuthSignedRequestChallenge',
  'The payload to sign before the request takes effect, and the type of credential that it is about.',
  { ...SignedRequestChallenge.properties, type: AuthMethodType },
);

/**
 * wallets.md §6.4.33: a compressed key signs by itself; for an uncompressed one, a session key is created and sealed to
 * it.
 */
const KEY_PATTERN = '^(0[23][0-9a-fA-F]{64}|04[0-9a-fA-F]{128})$';
const CLIENT_KEY = Type.String({
  pattern: KEY_PATTERN,
  minLength: 66,
  maxLength: 130,
  description:
    'A P-256 key of the client, in hexadecimal. A compressed key (66 digits) signs for the session itself. For an ' +
    'uncompressed key (130 digits), the service creates the session’s key and seals it to the client’s key.',
  examples: ['0225576f894a46e948716764e6a63a88b5fd454d27747cad2fadd2c243b297c9d4'],
});

export const AuthCredentialChallengeRequest = component(
  'AuthCredentialChallengeRequest',
  'For a passkey: the key of the new session. Other credentials need no body.',
  { clientPublicKey: Type.Optional(CLIENT_KEY) },
);
export type AuthCredentialChallengeRequest = Static<typeof AuthCredentialChallengeRequest>;

const PasskeyAuthChallenge = component(
  'PasskeyAuthChallenge',
  'A passkey and the challenge that it has to sign.',
  {
    ...AUTH_METHOD,
    type: passkeyTag,
    credentialId: CREDENTIAL_ID,
    challenge: Type.String({
      description:
        'Hexadecimal digits. Pass their 64 ASCII characters, not the decoded bytes, to ' +
        '`navigator.credentials.get`.',
    }),
    requestId: idSchema('Request', { description: 'Send it as `Request-Id` with the verification.' }),
    expiresAt: dateTime({ description: 'The deadline to answer the challenge.' }),
  },
);
const OtherAuthChallenge = component(
  'AuthCredentialChallengeResponse',
  'A credential whose code was sent, or that needs no challenge.',
  {
    ...AuthMethodResponse.properties,
    type: stringEnum(['OAUTH', 'EMAIL_OTP', 'SMS_OTP'], { description: 'Any other kind of credential.' }),
  },
);
export const AuthCredentialResponse = namedSchema(
  'AuthCredentialResponseOneOf',
  tagged('type', [OtherAuthChallenge, PasskeyAuthChallenge]),
);
export type AuthCredentialResponse = Static<typeof AuthCredentialResponse>;

const OTP_CIPHERTEXT = text(1, 4096, {
  description:
    'The code and the client’s new key, `{"otp_code", "public_key"}`, sealed to the key of the challenge, as JSON text.',
});
const EmailOtpCredentialVerifyRequest = component(
  'EmailOtpCredentialVerifyRequest',
  'The code from an e-mail.',
  { type: emailOtpTag, encryptedOtpBundle: OTP_CIPHERTEXT },
);
const SmsOtpCredentialVerifyRequest = component(
  'SmsOtpCredentialVerifyRequest',
  'The code from a text message.',
  { type: smsOtpTag, encryptedOtpBundle: OTP_CIPHERTEXT },
);
const OauthCredentialVerifyRequest = component(
  'OauthCredentialVerifyRequest',
  'An id token whose `nonce` names the client’s key.',
  { type: oauthTag, oidcToken: TOKEN, clientPublicKey: CLIENT_KEY },
);
export type OauthCredentialVerifyRequest = Static<typeof OauthCredentialVerifyRequest>;
/**
 * With the sandbox's literal any other text is accepted (wallets.md §7), so the members' format is checked with the
 * proof.
 */
const PasskeyAssertion = component('PasskeyAssertion', 'The result of `navigator.credentials.get`.', {
  credentialId: text(0, 2048, { description: 'The passkey’s id, in base64url.' }),
  clientDataJson: text(0, 16_384, { description: 'The client data, in base64url.' }),
  authenticatorData: text(0, 16_384, { description: 'The authenticator data, in base64url.' }),
  signature: text(1, 4096, { description: 'The signature, in base64url.' }),
  userHandle: Type.Optional(text(0, 2048, { description: 'Accepted but not used.' })),
});
export type PasskeyAssertion = Static<typeof PasskeyAssertion>;
const PasskeyCredentialVerifyRequest = component(
  'PasskeyCredentialVerifyRequest',
  'The passkey’s answer to a challenge.',
  { type: passkeyTag, assertion: PasskeyAssertion },
);
export const AuthCredentialVerifyRequest = namedSchema(
  'AuthCredentialVerifyRequestOneOf',
  tagged('type', [
    EmailOtpCredentialVerifyRequest,
    SmsOtpCredentialVerifyRequest,
    OauthCredentialVerifyRequest,
    PasskeyCredentialVerifyRequest,
  ]),
);
export type AuthCredentialVerifyRequest = Static<typeof AuthCredentialVerifyRequest>;

export const AuthSession = component(
  'AuthSession',
  'A session, whose keys sign for the wallet for fifteen minutes.',
  {
    ...AUTH_METHOD,
    id: idSchema('Session', { description: 'Id of the session.' }),
    encryptedSessionSigningKey: Type.Optional(
      Type.String({
        description:
          'The private key that signs for the session, sealed to the client’s key, in base58check. Only in the reply ' +
          'that creates the session.',
      }),
    ),
    expiresAt: dateTime({ description: 'When its keys stop being valid.' }),
  },
);
export type AuthSession = Static<typeof AuthSession>;

export const SessionListResponse = component('SessionListResponse', 'The active sessions of one wallet.', {
  data: Type.Array(AuthSession, { description: 'The active sessions of the wallet, oldest first.' }),
});

export const AuthSessionRefreshRequest = component(
  'AuthSessionRefreshRequest',
  'The key of the new session.',
  { clientPublicKey: CLIENT_KEY },
);

export const InternalAccountUpdateRequest = component(
  'InternalAccountUpdateRequest',
  'The fields to change; at least one.',
  {
    privateEnabled: Type.Optional(
      Type.Boolean({ description: 'Whether the wallet’s transfers are hidden from the public.' }),
    ),
  },
);
export type InternalAccountUpdateRequest = Static<typeof InternalAccountUpdateRequest>;

export const InternalAccountExportRequest = component(
  'InternalAccountExportRequest',
  'The key that the words of the wallet are sealed to.',
  {
    clientPublicKey: Type.String({
      pattern: '^04[0-9a-fA-F]{128}$',
      minLength: 130,
      maxLength: 130,
      description:
        'A new P-256 key of the client, uncompressed, in 130 hexadecimal digits: the words are sealed to it.',
      examples: [
        '04da3883cf15b487bc9a8d7f073a185bb02ee633e532d1bbc6692c0e1a05cd39e4' +
          'e07c4a4ee56b14f9273ad48a711d1e97187a5aa2a5bf2cab83c695a633e80699',
      ],
    }),
  },
);

export const InternalAccountExportResponse = component(
  'InternalAccountExportResponse',
  'The words that restore the wallet anywhere, readable only by its owner.',
  {
    id: idSchema('InternalAccount', { description: 'Id of the wallet’s account.' }),
    encryptedWalletCredentials: Type.String({
      description:
        'The twelve words of the wallet, sealed to the client’s key, in an envelope as JSON text. The service signs the ' +
        'envelope; in the sandbox it is unsigned.',
    }),
    derivationPath: Type.String({
      description:
        'The path by which the wallet’s identity key is derived from the words (BIP-32). The second number is the account ' +
        'number, which the owner enters in another Spark wallet, whose default is 1. Beyond the contract.',
      'x-beyond-contract': true,
    }),
  },
);
export type InternalAccountExportResponse = Static<typeof InternalAccountExportResponse>;
