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
} from '#foundation/http/schema.ts';

export const FACTORS = ['SMS_OTP', 'TOTP', 'PASSKEY'] as const;

export const ScaFactor = namedEnum(
  'ScaFactor',
  'How a customer authenticates: with a code in a text message, a code of an authenticator app, or a passkey.',
  FACTORS,
);
export type ScaFactor = (typeof FACTORS)[number];

/** Data from or for the browser: only known members are read. */
export const anyFields = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

export const ScaChallenge = component(
  'ScaChallenge',
  'A challenge that the customer must answer before money moves or an account becomes trusted.',
  {
    id: idSchema('ScaChallenge', { description: 'Id of the challenge.' }),
    expiresAt: dateTime({ description: 'When the challenge expires.' }),
    factor: ScaFactor,
    availableFactors: Type.Array(ScaFactor, {
      description: 'Factors that this customer can use, including this one.',
    }),
    purpose: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'The authorized operation: `TRANSFER`, `PAYOUT` or `CURRENCY_CONVERSION`.',
      }),
    ),
    passkeyAssertionOptions: Type.Optional(
      Type.Union([anyFields('Options for the browser.'), Type.Null()], {
        description:
          'For a passkey: the options for `navigator.credentials.get()`, in the form that `parseRequestOptionsFromJSON` takes.',
      }),
    ),
    passkeyAllowedOrigins: Type.Optional(
      Type.Union([Type.Array(Type.String()), Type.Null()], {
        description: 'For a passkey: the origins that may answer.',
      }),
    ),
  },
);
export type ScaChallenge = Static<typeof ScaChallenge>;

/** The members of a request that carry a proof: a code, or the assertion of a passkey with its origin. */
export const PROOF_FIELDS = {
  code: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'The code of the text message or of the authenticator app.',
      examples: ['123456'],
    }),
  ),
  passkeyAssertion: Type.Optional(
    Type.Union(
      [
        anyFields('`PublicKeyCredential.toJSON()` of the result of `navigator.credentials.get()`.'),
        Type.Null(),
      ],
      { description: 'The answer of a passkey.' },
    ),
  ),
  origin: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'The origin of the page that requested the passkey; required with `passkeyAssertion`.',
      examples: ['http://localhost:3000'],
    }),
  ),
};
export type ProofBody = Static<ReturnType<typeof proofBody>>;
const proofBody = () => Type.Object(PROOF_FIELDS);

/** The customer whose factors, login or reset a call concerns. */
export const CustomerQuery = Type.Object({
  customerId: queryId('Customer', { description: 'The customer who authenticates.' }),
});

// -- Factors ----------------------------------------------------------------------------------------------

export const ScaFactorView = component('ScaFactorView', 'A factor with which a customer can authenticate.', {
  factor: ScaFactor,
  credentialId: Type.Optional(
    Type.String({
      description: 'For a passkey: its WebAuthn id in base64url, by which it can be deleted.',
      examples: ['bG9uZ2VyIHRoYW4gdGhpcw'],
    }),
  ),
  name: Type.Optional(Type.String({ description: 'Reserved: never shown today.' })),
});
export type ScaFactorView = Static<typeof ScaFactorView>;

export const ScaFactorList = component('ScaFactorList', 'The factors of a customer.', {
  factors: Type.Array(ScaFactorView, { description: 'Oldest first.' }),
});

const totpTag = Type.Literal('TOTP', { description: 'An authenticator app.' });
const passkeyTag = Type.Literal('PASSKEY', { description: 'A passkey.' });
const smsTag = Type.Literal('SMS_OTP', { description: 'Text messages; beyond the contract.' });

export const ScaFactorEnrollRequest = namedSchema(
  'ScaFactorEnrollRequestOneOf',
  tagged('type', [
    component('TotpFactorEnrollRequest', 'Codes of an authenticator app.', { type: totpTag }),
    component('PasskeyFactorEnrollRequest', 'A passkey.', { type: passkeyTag }),
    component(
      'SmsFactorEnrollRequest',
      'Text messages to a phone number that replaced another one, or was verified after a login. Beyond the contract.',
      { type: smsTag },
    ),
  ]),
);
export type ScaFactorEnrollRequest = Static<typeof ScaFactorEnrollRequest>;

const TotpEnrollmentStart = component(
  'TotpEnrollmentStart',
  'The secret for an authenticator app; valid for ten minutes.',
  {
    type: totpTag,
    secret: Type.String({
      description: 'The secret, 20 bytes in hexadecimal.',
      examples: ['3132333435363738393031323334353637383930'],
    }),
    secretBase32Encoded: Type.String({
      description: 'The same in Base32, for typing it into an app.',
      examples: ['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
    }),
    totpUri: Type.String({
      description: 'The same as a URI, for a QR code.',
      examples: ['otpauth://totp/Svc:emmy@example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Svc'],
    }),
  },
);
export type TotpEnrollmentStart = Static<typeof TotpEnrollmentStart>;

const ALLOWED_ORIGINS = { description: 'The origins of pages that may use the passkey.' };
const RELYING_PARTY = {
  description: 'The relying party that the passkey belongs to.',
  examples: ['localhost'],
};

const PasskeyEnrollmentStart = component(
  'PasskeyEnrollmentStart',
  'The options with which a browser creates a passkey; valid for ten minutes.',
  {
    type: passkeyTag,
    options: anyFields(
      'The options for `navigator.credentials.create()`, in the form that `parseCreationOptionsFromJSON` takes.',
    ),
    allowedOrigins: Type.Array(Type.String(), ALLOWED_ORIGINS),
    relyingPartyId: Type.String(RELYING_PARTY),
  },
);
export type PasskeyEnrollmentStart = Static<typeof PasskeyEnrollmentStart>;

const SmsEnrollmentStart = component(
  'SmsEnrollmentStart',
  'The challenge that another factor of the customer must answer; beyond the contract.',
  { type: smsTag, scaChallenge: ScaChallenge },
);
export type SmsEnrollmentStart = Static<typeof SmsEnrollmentStart>;

export const ScaFactorEnrollStart = namedSchema(
  'ScaFactorEnrollStartOneOf',
  tagged('type', [TotpEnrollmentStart, PasskeyEnrollmentStart, SmsEnrollmentStart]),
);

const TotpEnrollmentConfirmRequest = component(
  'TotpEnrollmentConfirmRequest',
  'The proof that an app has the secret.',
  {
    type: totpTag,
    secret: Type.String({ description: 'The secret of the start, in hexadecimal or Base32.' }),
    code: Type.String({ description: 'The code that the app shows.', examples: ['123456'] }),
  },
);
export type TotpEnrollmentConfirmRequest = Static<typeof TotpEnrollmentConfirmRequest>;

const PasskeyEnrollmentConfirmRequest = component('PasskeyEnrollmentConfirmRequest', 'A new passkey.', {
  type: passkeyTag,
  origin: Type.String({
    description: 'The origin of the page that created the passkey.',
    examples: ['http://localhost:3000'],
  }),
  credential: anyFields('`PublicKeyCredential.toJSON()` of the result of `navigator.credentials.create()`.'),
});
export type PasskeyEnrollmentConfirmRequest = Static<typeof PasskeyEnrollmentConfirmRequest>;

const SmsEnrollmentConfirmRequest = component(
  'SmsEnrollmentConfirmRequest',
  'The proof, by another factor, that the phone number is the customer’s; beyond the contract.',
  {
    type: smsTag,
    challengeId: Type.String({
      description: 'The id of the start’s `scaChallenge`.',
      examples: ['ScaChallenge:019542f5-b3e7-7d02-8000-000000000099'],
    }),
    ...PROOF_FIELDS,
  },
);
export type SmsEnrollmentConfirmRequest = Static<typeof SmsEnrollmentConfirmRequest>;

export const ScaFactorConfirmRequest = namedSchema(
  'ScaFactorConfirmRequestOneOf',
  tagged('type', [
    TotpEnrollmentConfirmRequest,
    PasskeyEnrollmentConfirmRequest,
    SmsEnrollmentConfirmRequest,
  ]),
);
export type ScaFactorConfirmRequest = Static<typeof ScaFactorConfirmRequest>;

const SmsEnrollmentConfirmResponse = component(
  'SmsEnrollmentConfirmResponse',
  'Text messages to the number are now a factor; beyond the contract.',
  { type: smsTag, factor: ScaFactorView },
);
export type SmsEnrollmentConfirmResponse = Static<typeof SmsEnrollmentConfirmResponse>;

export const ScaFactorConfirmResponse = namedSchema(
  'ScaFactorConfirmResponseOneOf',
  tagged('type', [
    component('TotpEnrollmentConfirmResponse', 'The authenticator app is enrolled.', {
      type: totpTag,
      recoveryCodes: Type.Array(Type.String(), {
        description: 'Ten codes, shown only here; each works once in place of a code of the app.',
        examples: [['7KQM-2XWA-9FHT']],
      }),
    }),
    component('PasskeyEnrollmentConfirmResponse', 'The passkey is enrolled.', {
      type: passkeyTag,
      factor: ScaFactorView,
    }),
    SmsEnrollmentConfirmResponse,
  ]),
);
export type ScaFactorConfirmResponse = Static<typeof ScaFactorConfirmResponse>;

// -- Login ------------------------------------------------------------------------------------------------

export const ScaLoginStartRequest = component(
  'ScaLoginStartRequest',
  'The factor to log in with; it must be enrolled.',
  { factor: ScaFactor },
);

export const ScaLoginStart = component(
  'ScaLoginStart',
  'The challenge of a login. An authenticator app has no challenge.',
  {
    factor: ScaFactor,
    challengeId: Type.Optional(
      Type.Union([idSchema('ScaChallenge'), Type.Null()], {
        description: 'For a text message: the id of the challenge, to be sent back with the code.',
      }),
    ),
    expiresAt: Type.Optional(
      Type.Union([dateTime(), Type.Null()], {
        description: 'For a text message: when its code expires.',
      }),
    ),
    passkeyOptions: Type.Optional(
      Type.Union([anyFields('Options for the browser.'), Type.Null()], {
        description:
          'For a passkey: the options for `navigator.credentials.get()`, in the form that `parseRequestOptionsFromJSON` takes.',
      }),
    ),
    allowedOrigins: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()], ALLOWED_ORIGINS)),
    relyingPartyId: Type.Optional(Type.Union([Type.String(), Type.Null()], RELYING_PARTY)),
  },
);
export type ScaLoginStart = Static<typeof ScaLoginStart>;

export const ScaLoginCompleteRequest = component(
  'ScaLoginCompleteRequest',
  'The proof of a login: a code, or the assertion of a passkey with its origin.',
  {
    factor: ScaFactor,
    endUserIpAddress: Type.String({
      description: 'The IPv4 or IPv6 address of the person who logs in.',
      examples: ['203.0.113.7'],
    }),
    challengeId: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'For a text message: the `challengeId` of the start.',
        examples: ['ScaChallenge:019542f5-b3e7-7d02-8000-000000000099'],
      }),
    ),
    ...PROOF_FIELDS,
  },
);
export type ScaLoginCompleteRequest = Static<typeof ScaLoginCompleteRequest>;

export const ScaLoginComplete = component('ScaLoginComplete', 'The customer is logged in.', {
  status: Type.String({ description: 'Always `SUCCESS`.', examples: ['SUCCESS'] }),
  sessionExpiresAt: Type.Optional(
    Type.Union([dateTime(), Type.Null()], { description: 'When the session ends, in 180 days.' }),
  ),
});
export type ScaLoginComplete = Static<typeof ScaLoginComplete>;

// -- Security events --------------------------------------------------------------------------------------

const SECURITY_EVENTS = ['RESET_PASSWORD_COMPLETED', 'FAILED_LOGIN_ATTEMPT'] as const;
export type SecurityEvent = (typeof SECURITY_EVENTS)[number];

const eventType = stringEnum(SECURITY_EVENTS, { description: 'The event at the platform’s own login.' });

export const RecordSecurityEventRequest = component(
  'RecordSecurityEventRequest',
  'A security event that the platform observed for a customer.',
  { eventType },
);

export const RecordSecurityEventResponse = component(
  'RecordSecurityEventResponse',
  'The customer’s lock status after the event.',
  {
    eventType,
    suspended: Type.Boolean({ description: 'Whether the customer is locked indefinitely.' }),
    lockedUntil: Type.Optional(
      Type.Union([dateTime(), Type.Null()], {
        description: 'When the customer’s lock ends; `null` if not locked, or suspended.',
      }),
    ),
    failedAttempts: Type.Integer({ description: 'Failures since the last success.', examples: [5] }),
  },
);
export type RecordSecurityEventResponse = Static<typeof RecordSecurityEventResponse>;

// -- Resets -----------------------------------------------------------------------------------------------

const RESET_STATUSES = [
  'INITIATED',
  'PENDING_REVIEW',
  'LIVENESS_PASSED',
  'COMPLETED',
  'REJECTED',
  'EXPIRED',
] as const;
export type ResetStatus = (typeof RESET_STATUSES)[number];

export const TwoFactorResetStartRequest = component(
  'TwoFactorResetStartRequest',
  'The factor that the customer has lost; it must be enrolled.',
  { factor: ScaFactor },
);

export const TwoFactorResetStart = component(
  'TwoFactorResetStart',
  'A reset that waits for a liveness check.',
  {
    resetId: idSchema('ScaReset', { description: 'Id of the reset.' }),
    livenessAccessToken: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Token for the SDK of the liveness provider, if it has one.',
      }),
    ),
    verificationLink: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'URL of the liveness check for the customer.',
      }),
    ),
    expiresAt: Type.Optional(
      Type.Union([dateTime(), Type.Null()], { description: 'When the reset expires: after 15 minutes.' }),
    ),
  },
);
export type TwoFactorResetStart = Static<typeof TwoFactorResetStart>;

export const TwoFactorResetStatus = component('TwoFactorResetStatus', 'The status of a reset.', {
  status: stringEnum(RESET_STATUSES, { description: 'Status of the reset.' }),
  factor: ScaFactor,
  enrollmentStatus: Type.Optional(
    Type.Union([stringEnum(['PENDING', 'COMPLETED']), Type.Null()], {
      description:
        'For a completed reset: whether the removed factor was enrolled again. `null` for text messages.',
    }),
  ),
  expiresAt: dateTime({ description: 'When the reset expires.' }),
  completedAt: Type.Optional(
    Type.Union([dateTime(), Type.Null()], { description: 'When it was completed; `null` before.' }),
  ),
});
export type TwoFactorResetStatus = Static<typeof TwoFactorResetStatus>;

export const TwoFactorResetCompleteRequest = component(
  'TwoFactorResetCompleteRequest',
  'The new phone number for text messages; an app or a passkey is enrolled again instead.',
  {
    mobile: Type.Optional(
      Type.Object(
        {
          countryCode: Type.String({ description: 'With or without `+`.', examples: ['+49'] }),
          number: Type.String({
            description: 'The rest of the number, digits only.',
            examples: ['15187654321'],
          }),
        },
        { description: 'To reset text messages: the number that receives them from now on.' },
      ),
    ),
  },
);
export type TwoFactorResetCompleteRequest = Static<typeof TwoFactorResetCompleteRequest>;
