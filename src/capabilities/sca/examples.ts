import { EXAMPLE_IDS, exampleTime } from '#foundation/lib/examples.ts';

/** Emmy Noether, who lives in a region with strong customer authentication. */
const query = { customerId: EXAMPLE_IDS.emmy };

const SECRET = '3132333435363738393031323334353637383930';
const SECRET_BASE32 = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

export const SMS_ALONE = { query, reply: { factors: [{ factor: 'SMS_OTP' as const }] } };

export const START_TOTP = {
  query,
  body: { type: 'TOTP' as const },
  reply: {
    type: 'TOTP' as const,
    secret: SECRET,
    secretBase32Encoded: SECRET_BASE32,
    totpUri: `otpauth://totp/Svc:emmy@example.com?secret=${SECRET_BASE32}&issuer=Svc`,
  },
};

export const CONFIRM_TOTP = {
  query,
  body: { type: 'TOTP' as const, secret: SECRET, code: '123456' },
  reply: {
    type: 'TOTP' as const,
    recoveryCodes: [
      '7KQM-2XWA-9FHT',
      'C4RZ-8VNE-3JPL',
      'X6DG-5TYB-KM2W',
      'H9SU-QF7C-4ZRA',
      'N3EJ-W8LX-6VPD',
      'B5YT-GK2H-9CMS',
      'R7QW-3ZUF-8NEX',
      'J4VA-6DLP-T5YK',
      'G2HB-9MCS-7RWQ',
      'U8XE-4FZN-3KJV',
    ],
  },
};

const ORIGIN = 'http://localhost:3000';
const PASSKEY = { allowedOrigins: [ORIGIN], relyingPartyId: 'localhost' };

/** Data that only an authenticator can create; the test that runs the examples has one. */
export const EXAMPLE_PASSKEY = {
  credentialId: 'pYd8Qp0mXkGm1rS2uVw3tA',
  newClientData: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
  attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YQ',
  clientData: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
  authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MBAAAAAQ',
  signature: 'MEUCIQDx8pVq3mR1sT5uYw7zA9cE2gK4nB6vX8yZ0aLhJfWdCAIgUkPq3rT5',
};

export const START_PASSKEY = {
  query,
  body: { type: 'PASSKEY' as const },
  reply: {
    type: 'PASSKEY' as const,
    options: {
      rp: { id: PASSKEY.relyingPartyId, name: 'Test platform' },
      user: { id: 'AZVC9bPnfQKAAAAAAAAAGQ', name: 'emmy@example.com', displayName: 'emmy@example.com' },
      challenge: 'kJ3vZ8wQx1Yb5nR7tL0pM2cF4hD6gS9aE1uI3oK5yTw',
      pubKeyCredParams: [-7, -257, -8].map((alg) => ({ type: 'public-key', alg })),
      timeout: 600_000,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      attestation: 'none',
    },
    ...PASSKEY,
  },
};

export const CONFIRM_PASSKEY = {
  query,
  body: {
    type: 'PASSKEY' as const,
    origin: ORIGIN,
    credential: {
      id: EXAMPLE_PASSKEY.credentialId,
      rawId: EXAMPLE_PASSKEY.credentialId,
      type: 'public-key',
      response: {
        clientDataJSON: EXAMPLE_PASSKEY.newClientData,
        attestationObject: EXAMPLE_PASSKEY.attestationObject,
      },
    },
  },
  reply: {
    type: 'PASSKEY' as const,
    factor: { factor: 'PASSKEY' as const, credentialId: EXAMPLE_PASSKEY.credentialId },
  },
};

export const DELETE_PASSKEY = { query, params: { credentialId: EXAMPLE_PASSKEY.credentialId } };

const endUserIpAddress = '203.0.113.7';
const LOGGED_IN = { status: 'SUCCESS', sessionExpiresAt: exampleTime(180 * 86_400) };

export const START_SMS_LOGIN = {
  query,
  body: { factor: 'SMS_OTP' as const },
  reply: {
    factor: 'SMS_OTP' as const,
    challengeId: EXAMPLE_IDS.loginChallenge,
    expiresAt: exampleTime(300),
  },
};

export const COMPLETE_SMS_LOGIN = {
  query,
  body: {
    factor: 'SMS_OTP' as const,
    endUserIpAddress,
    challengeId: EXAMPLE_IDS.loginChallenge,
    code: '123456',
  },
  reply: LOGGED_IN,
};

export const START_PASSKEY_LOGIN = {
  query,
  body: { factor: 'PASSKEY' as const },
  reply: {
    factor: 'PASSKEY' as const,
    passkeyOptions: {
      challenge: 'a7Xc2Vb9Nm4Qw8Er1Ty6Ui3Op5As0Df7Gh2Jk9Lz4Mx',
      timeout: 300_000,
      rpId: PASSKEY.relyingPartyId,
      allowCredentials: [{ type: 'public-key', id: EXAMPLE_PASSKEY.credentialId }],
      userVerification: 'preferred',
    },
    ...PASSKEY,
  },
};

export const COMPLETE_PASSKEY_LOGIN = {
  query,
  body: {
    factor: 'PASSKEY' as const,
    endUserIpAddress,
    passkeyAssertion: {
      id: EXAMPLE_PASSKEY.credentialId,
      rawId: EXAMPLE_PASSKEY.credentialId,
      type: 'public-key',
      response: {
        clientDataJSON: EXAMPLE_PASSKEY.clientData,
        authenticatorData: EXAMPLE_PASSKEY.authenticatorData,
        signature: EXAMPLE_PASSKEY.signature,
      },
    },
    origin: ORIGIN,
  },
  reply: LOGGED_IN,
};

export const FAILED_LOGIN = {
  query,
  body: { eventType: 'FAILED_LOGIN_ATTEMPT' as const },
  reply: {
    eventType: 'FAILED_LOGIN_ATTEMPT' as const,
    suspended: false,
    lockedUntil: null,
    failedAttempts: 1,
  },
};

const RESET = { resetId: EXAMPLE_IDS.totpReset };

export const START_RESET = {
  query,
  body: { factor: 'TOTP' as const },
  reply: {
    ...RESET,
    livenessAccessToken: null,
    verificationLink: 'http://localhost:8080/factor-reset/AQAAAAHn8dR2mB5xT0cV3qL9wZ7k',
    expiresAt: exampleTime(900),
  },
};

export const PASSED_RESET = {
  query,
  params: RESET,
  reply: {
    status: 'LIVENESS_PASSED' as const,
    factor: 'TOTP' as const,
    enrollmentStatus: null,
    expiresAt: exampleTime(900),
    completedAt: null,
  },
};

export const COMPLETE_RESET = { query, params: RESET };
