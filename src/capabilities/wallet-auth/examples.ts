import { hash } from 'node:crypto';
import { ADA_USDB } from '#capabilities/accounts/examples.ts';
import type { AuthMethod, AuthSession } from '#capabilities/wallet-auth/schemas.ts';
import { oidcNonce } from '#foundation/crypto/oidc.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import {
  EXAMPLE_IDS,
  EXAMPLE_TIME,
  EXAMPLE_WALLET_SIGNATURE,
  exampleChallenge,
  exampleOpaqueId,
  exampleTime,
} from '#foundation/lib/examples.ts';

const IN_WALLET = { accountId: EXAMPLE_IDS.adaUsdb, createdAt: EXAMPLE_TIME, updatedAt: EXAMPLE_TIME };

/** A client's key that becomes a session's key. */
const CLIENT_KEY = '0225576f894a46e948716764e6a63a88b5fd454d27747cad2fadd2c243b297c9d4';

const userId = exampleOpaqueId('user', EXAMPLE_IDS.ada);

const SERVICE_KEY =
  '04db933a2b4a21545c44f653043b6ec376ba28f50b62a4e41a30b3de8d61ba4f20bd8bb1bdbbe598017c6bad33218e432bf56f51b4dc1cd358dc65080c14c31fe6';

/** The service's message to a wallet's client: signed by the service's key, or unsigned (wallets.md §5.17). */
function buildEnvelope(data: Record<string, string>, dataSignature = ''): string {
  const text = JSON.stringify({ ...data, organizationId: exampleOpaqueId('org', EXAMPLE_IDS.adaUsdb) });
  return JSON.stringify({
    version: 'v1.0.0',
    data: Buffer.from(text).toString('hex'),
    dataSignature,
    enclaveQuorumPublic: dataSignature === '' ? '' : SERVICE_KEY,
  });
}

export const ADA_EMAIL = {
  ...IN_WALLET,
  id: EXAMPLE_IDS.adaEmail,
  type: 'EMAIL_OTP',
  nickname: 'ada@example.com',
} satisfies AuthMethod;

const ADA_PHONE: AuthMethod = {
  ...IN_WALLET,
  id: EXAMPLE_IDS.adaPhone,
  type: 'SMS_OTP',
  nickname: '+14155550123',
};

const ADA_PASSKEY = {
  ...IN_WALLET,
  id: EXAMPLE_IDS.adaPasskey,
  type: 'PASSKEY',
  credentialId: 'Z0nM1EQQlo43tferBzafCg',
  nickname: "Ada's phone",
} satisfies AuthMethod;

/** A code is sent. The client returns it with a new key, which then signs for the session. */
export const CHALLENGE_EMAIL = {
  params: { id: ADA_EMAIL.id },
  reply: {
    ...ADA_EMAIL,
    otpEncryptionTargetBundle: buildEnvelope(
      {
        targetPublic:
          '04bd485b7765d4333a1f2cfb09ff79b8e21ce4b6d4f7b680494fd64e31ec5e6cddd5acfbe1dfdb60e68636ce28c3a43d017ba5e1739edf2a69b9e1c188aae90086',
      },
      '304502202cb9af0f6d4daf3d7632587a55fd10d999c8f82ba1bc0ce1dbb10bee6686694f022100dcafc97a62801a23c434e844fe7e0ed10a85409701775a1c87a2dfd4bfdee191',
    ),
  },
};

/** The code 000000 and the client's key, sealed. Made again for each run of the story, like the stamp. */
export const EXAMPLE_OTP_BUNDLE = JSON.stringify({
  encappedPublic:
    '0434ff5c4e7eddc5e3c1fd8168fb6fb3c6d1db192c4643778469542d8d03b5f1a79438f04d16d169ecda969763d5d56e047ac4cb3eb2723e62972f28c68a42a9f4',
  ciphertext:
    'c8cf8ad83b16e1a1b91f6ba667e8a8597aee8de50489e569efecaca87656f430bdb1117ed5cf0124f77c0680d51087dee702b0da166fa92b70fa9cd8512b384db32d02226a125eaf18c0eee0adab44a477466632daf48f02f65efe2f9b8e34bd0daf000e439406642e5a06bc7d6a0858ec20d3c29f7b3c',
});

export const EXAMPLE_STAMP =
  'eyJwdWJsaWNLZXkiOiIwMmE4OTIwNjRkMjJkZWI4NTdjNjliODAyYjgwYzI1MDNlNmNjNjA4YjQzYmE5Y2I4ZmYxZTkwMWIyY2Y3YjA3M2EiLCJzY2hlbWUiOiJTSUdOQVRVUkVfU0NIRU1FX1RLX0FQSV9QMjU2Iiwic2lnbmF0dXJlIjoiMzA0NTAyMjEwMGM0OGRlMjUxZWM1OTdkNzAxMjkwMmExZjNjNjA2M2QwMTJlNDRkOTdhMzA3MTlkZWY5Yzg4OTJjNTU3ODIyNDQwMjIwNGIyNTdlMDQ4OTNhMTQxMTVhZmYyNTZkNTM2YWFhZDFhYWY2ODJlNGIwNTUxNmZjMTgzZTcyNTQxNzZlN2NkNCJ9';

const CODE_SESSION: AuthSession = {
  ...IN_WALLET,
  id: EXAMPLE_IDS.codeSession,
  type: 'EMAIL_OTP',
  nickname: ADA_EMAIL.nickname,
  expiresAt: exampleTime(900),
};

export const VERIFY_CODE = {
  params: { id: ADA_EMAIL.id },
  body: { type: 'EMAIL_OTP', encryptedOtpBundle: EXAMPLE_OTP_BUNDLE } as const,
  challenge: {
    payloadToSign:
      'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJjb250YWN0IjoiYWRhQGV4YW1wbGUuY29tIiwiZXhwIjoiMTc3MjQ0NTkwMDAwMCIsImlkIjoiMDE5NTQyZjUtYjNlNy03ZDAyLTgwMDAtMDAwMDAwMDAwMGExIiwib3JnYW5pemF0aW9uX2lkIjoib3JnXzAxOTU0MmY1YjNlNzdkMDI4MDAwMDAwMDAwMDAwMDQ4IiwicHVibGljX2tleSI6IjAyYTg5MjA2NGQyMmRlYjg1N2M2OWI4MDJiODBjMjUwM2U2Y2M2MDhiNDNiYTljYjhmZjFlOTAxYjJjZjdiMDczYSIsInZlcmlmaWNhdGlvbl90eXBlIjoiT1RQX1RZUEVfRU1BSUwifQ.E14wK8_ZNoSUdLP8VtHkyEL7vMV0iNxBH8sTrPnTPnePIZryCWSNce7o-TgXFw7WSKQz_FIarKpROtsy6EwgoQ',
    requestId: EXAMPLE_IDS.codeRequest,
    expiresAt: exampleTime(300),
    type: 'EMAIL_OTP',
  },
  signature: EXAMPLE_STAMP,
  reply: CODE_SESSION,
};

export const ADD_PHONE = {
  body: { type: 'SMS_OTP', accountId: EXAMPLE_IDS.adaUsdb } as const,
  challenge: {
    ...exampleChallenge(EXAMPLE_IDS.phoneRequest, 1, {
      type: 'UPDATE_USER_PHONE_NUMBER',
      parameters: { userId, userPhoneNumber: ADA_PHONE.nickname },
    }),
    type: 'SMS_OTP',
  },
  signature: EXAMPLE_WALLET_SIGNATURE,
  reply: {
    ...ADA_PHONE,
    otpEncryptionTargetBundle: buildEnvelope(
      {
        targetPublic:
          '0425576f894a46e948716764e6a63a88b5fd454d27747cad2fadd2c243b297c9d450cf1d397c848f47787608b72c7e45725af72a6cd9ad619c81dbe027724b10a6',
      },
      '304402203ea043975a2459e3234deca9634355c5b6fe27b4644aa6898f946408ab3491f202200d2d5546a48aaa9d9f19aaf11f81c8e753ada12d93cb90b78321c3951e1ac5a8',
    ),
  },
};

/** As created by a browser on `https://wallet.example.com`. */
const ATTESTATION = {
  credentialId: ADA_PASSKEY.credentialId,
  clientDataJson:
    'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiSWFCbFpxYXktLUtwRmxtSTctY3NsdzhSQ244ZDVsSUdUUkN5dEd0NDRFOCIsIm9yaWdpbiI6Imh0dHBzOi8vd2FsbGV0LmV4YW1wbGUuY29tIiwiY3Jvc3NPcmlnaW4iOmZhbHNlfQ',
  attestationObject:
    'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViUo3mm9u6vuaVeN4wRgDTidR5oL6ufLTCrE9ISVYbOGUdFAAAAAAAAAAAAAAAAAAAAAAAAAAAAEGdJzNREEJaON7X3qwc2nwqlAQIDJiABIVgg2qt9dfdOaketFajNd6zfklj2r2LvEHWfPsYn9meYtxwiWCDo_aV0ix4WmLtK65hIbNTI8He0_Oz0PugVntvk92zklQ',
};
const REGISTRATION_CHALLENGE = 'IaBlZqay--KpFlmI7-cslw8RCn8d5lIGTRCytGt44E8';

export const ADD_PASSKEY = {
  body: {
    type: 'PASSKEY',
    accountId: EXAMPLE_IDS.adaUsdb,
    nickname: ADA_PASSKEY.nickname,
    challenge: REGISTRATION_CHALLENGE,
    attestation: ATTESTATION,
  } as const,
  challenge: {
    ...exampleChallenge(EXAMPLE_IDS.passkeyRequest, 2, {
      type: 'CREATE_AUTHENTICATORS_V2',
      parameters: {
        authenticators: [
          {
            attestation: ATTESTATION,
            authenticatorName: ADA_PASSKEY.nickname,
            challenge: REGISTRATION_CHALLENGE,
            transports: [],
          },
        ],
        userId,
      },
    }),
    type: 'PASSKEY',
  },
  signature: EXAMPLE_WALLET_SIGNATURE,
  reply: ADA_PASSKEY,
};

export const CHALLENGE_PASSKEY = {
  params: { id: ADA_PASSKEY.id },
  body: { clientPublicKey: CLIENT_KEY },
  reply: {
    ...ADA_PASSKEY,
    challenge: '00fb7bd799926428ba2a2b97baa98251ee28db4cd18e08c227e9d12cc40557e0',
    requestId: EXAMPLE_IDS.loginRequest,
    expiresAt: exampleTime(303),
  },
};

const PASSKEY_SESSION: AuthSession = {
  ...IN_WALLET,
  id: EXAMPLE_IDS.passkeySession,
  type: 'PASSKEY',
  nickname: ADA_PASSKEY.nickname,
  expiresAt: exampleTime(903),
};

/** The sandbox accepts this passkey signature without verifying it. */
export const VERIFY_PASSKEY = {
  params: { id: ADA_PASSKEY.id },
  requestId: EXAMPLE_IDS.loginRequest,
  body: {
    type: 'PASSKEY',
    assertion: {
      credentialId: ADA_PASSKEY.credentialId,
      clientDataJson:
        'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiTURCbVlqZGlaRGM1T1RreU5qUXlPR0poTW1FeVlqazNZbUZoT1RneU5URmxaVEk0WkdJMFkyUXhPR1V3T0dNeU1qZGxPV1F4TW1Oak5EQTFOVGRsTUEiLCJvcmlnaW4iOiJodHRwczovL3dhbGxldC5leGFtcGxlLmNvbSIsImNyb3NzT3JpZ2luIjpmYWxzZX0',
      authenticatorData: 'o3mm9u6vuaVeN4wRgDTidR5oL6ufLTCrE9ISVYbOGUcFAAAAAQ',
      signature: 'sandbox-valid-passkey-signature',
    },
  } as const,
  reply: {
    ...PASSKEY_SESSION,
    encryptedSessionSigningKey:
      'xcDz5uuazkh642NdRAKjBvS2bpoceWvrBn29SNFWpmTgPaDeWVPTxJ6ZD58Pshc41A4N7HV92kdYJNZZtykr8opq8D7uFm2YQMduCKH1vuXN4H9xBPB',
  },
};

/**
 * A token from Google for an app with this client id; its `nonce` names the client's key. Made again, like the stamp.
 */
export const EXAMPLE_ID_TOKEN = [
  { alg: 'RS256', kid: '2f9c', typ: 'JWT' },
  {
    iss: 'https://accounts.google.com',
    aud: 'client-1',
    sub: 'user-1',
    email: ADA_EMAIL.nickname,
    iat: Date.parse(EXAMPLE_TIME) / 1000,
    exp: Date.parse(EXAMPLE_TIME) / 1000 + 3600,
    nonce: oidcNonce(CLIENT_KEY),
  },
  'signature',
]
  .map((part) => Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url'))
  .join('.');

const ADA_GOOGLE: AuthMethod = {
  ...IN_WALLET,
  id: EXAMPLE_IDS.adaGoogle,
  type: 'OAUTH',
  nickname: ADA_EMAIL.nickname,
};

export const ADD_GOOGLE = {
  body: { type: 'OAUTH', accountId: EXAMPLE_IDS.adaUsdb, oidcToken: EXAMPLE_ID_TOKEN } as const,
  challenge: {
    ...exampleChallenge(EXAMPLE_IDS.googleRequest, 3, {
      type: 'CREATE_OAUTH_PROVIDERS',
      parameters: { oauthProviders: [{ oidcToken: EXAMPLE_ID_TOKEN, providerName: 'Google' }], userId },
    }),
    type: 'OAUTH',
  },
  signature: EXAMPLE_WALLET_SIGNATURE,
  reply: ADA_GOOGLE,
};

const GOOGLE_SESSION: AuthSession = {
  ...IN_WALLET,
  id: EXAMPLE_IDS.googleSession,
  type: 'OAUTH',
  nickname: ADA_GOOGLE.nickname,
  expiresAt: exampleTime(903),
};

export const VERIFY_GOOGLE = {
  params: { id: ADA_GOOGLE.id },
  body: { type: 'OAUTH', oidcToken: EXAMPLE_ID_TOKEN, clientPublicKey: CLIENT_KEY } as const,
  reply: {
    ...GOOGLE_SESSION,
    encryptedSessionSigningKey:
      'raiMf8QfoB7bRiwnvq3HJ5dGs9sAgsu3szFD5Fn9RzJZzLtitCb4H3MHuSGx1WFbhB19bMaEvviTpZtoumTNBCXKXnssNFNr72D4rVWGMUdsY5rFSs7',
  },
};

export const ADA_SESSIONS = [CODE_SESSION, PASSKEY_SESSION, GOOGLE_SESSION];

const NEXT_KEY = '028c6a5309ca5a12f30f60f085bc2318670aedd6b00d1a2399eec1726a0006d06a';

export const REFRESH = {
  params: { id: CODE_SESSION.id },
  body: { clientPublicKey: NEXT_KEY },
  challenge: exampleChallenge(EXAMPLE_IDS.refreshRequest, 4, {
    type: 'CREATE_READ_WRITE_SESSION_V2',
    parameters: { targetPublicKey: NEXT_KEY },
  }),
  signature: EXAMPLE_WALLET_SIGNATURE,
  reply: { ...CODE_SESSION, id: EXAMPLE_IDS.nextSession, expiresAt: exampleTime(904) },
};

export const END_SESSION = {
  params: { id: PASSKEY_SESSION.id },
  challenge: {
    ...exampleChallenge(EXAMPLE_IDS.endRequest, 5, {
      type: 'DELETE_API_KEYS',
      parameters: { apiKeyIds: [exampleOpaqueId('api_key', EXAMPLE_IDS.passkeySession)], userId },
    }),
    type: 'PASSKEY',
  },
  signature: EXAMPLE_WALLET_SIGNATURE,
};

export const REVOKE_PASSKEY = {
  params: { id: ADA_PASSKEY.id },
  challenge: {
    ...exampleChallenge(EXAMPLE_IDS.revokeRequest, 6, {
      type: 'DELETE_AUTHENTICATORS',
      parameters: { authenticatorIds: [exampleOpaqueId('authenticator', EXAMPLE_IDS.adaPasskey)], userId },
    }),
    type: 'PASSKEY',
  },
  signature: EXAMPLE_WALLET_SIGNATURE,
};

export const MAKE_PRIVATE = {
  params: { id: EXAMPLE_IDS.adaUsdb },
  body: { privateEnabled: true },
  challenge: exampleChallenge(EXAMPLE_IDS.privacyRequest, 7, {
    type: 'SIGN_RAW_PAYLOAD_V2',
    parameters: {
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_NO_OP',
      payload: hash('sha256', canonicalJson({ accountId: EXAMPLE_IDS.adaUsdb, privateEnabled: true })),
      signWith: exampleOpaqueId('wallet', EXAMPLE_IDS.adaUsdb),
    },
  }),
  signature: EXAMPLE_WALLET_SIGNATURE,
  reply: { ...ADA_USDB, privateEnabled: true },
};

const EXPORT_KEY =
  '04da3883cf15b487bc9a8d7f073a185bb02ee633e532d1bbc6692c0e1a05cd39e4e07c4a4ee56b14f9273ad48a711d1e97187a5aa2a5bf2cab83c695a633e80699';

/** In the sandbox the envelope is unsigned. */
export const EXPORT = {
  params: { id: EXAMPLE_IDS.adaUsdb },
  body: { clientPublicKey: EXPORT_KEY },
  challenge: exampleChallenge(EXAMPLE_IDS.exportRequest, 8, {
    type: 'EXPORT_WALLET',
    parameters: { targetPublicKey: EXPORT_KEY, walletId: exampleOpaqueId('wallet', EXAMPLE_IDS.adaUsdb) },
  }),
  signature: EXAMPLE_WALLET_SIGNATURE,
  reply: {
    id: EXAMPLE_IDS.adaUsdb,
    encryptedWalletCredentials: buildEnvelope({
      encappedPublic:
        '045247b42b74458220fffc53c125bd1daac339a670f622f837ded1d9911b0b97fbc771a96866aad758bec889dc446e2f09b909fbc32af5dbe9c25a85a51e20229f',
      ciphertext:
        '67a558a652c3ac92ce8a7ff046884af2095bebbd74ff6c9bc54f4db397fe0481ecfac43d072d0a4ab0703bf711bdc7fa974277afb19379a00f0648de470124393295711cbbd9291c666dbfc2a0aa7c5a9f2fa6ff4c420c31140050',
    }),
    derivationPath: "m/8797555'/1'/0'",
  },
};
