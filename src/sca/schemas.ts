import Type, { type Static } from 'typebox';
import { component, dateTime, idOf, namedSchema, oneOf } from '#http/schema.ts';

export const FACTORS = ['SMS_OTP', 'TOTP', 'PASSKEY'] as const;

export const ScaFactor = namedSchema(
  'ScaFactor',
  oneOf(FACTORS, {
    description:
      'How a customer proves who they are: by a code in a text message, by a code of an authenticator app, or by a passkey.',
  }),
);
export type ScaFactor = (typeof FACTORS)[number];

/** Whatever the browser gives or wants: only the members that count are read. */
export const anyFields = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

export const ScaChallenge = component(
  'ScaChallenge',
  {
    id: idOf('ScaChallenge', { description: 'Id of the challenge.' }),
    expiresAt: dateTime({ description: 'Until when it can be answered.' }),
    factor: ScaFactor,
    availableFactors: Type.Array(ScaFactor, { description: 'Factors that could be used instead.' }),
    purpose: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'What is being authorized: `TRANSFER`, `PAYOUT` or `CURRENCY_CONVERSION`.',
      }),
    ),
    passkeyAssertionOptions: Type.Optional(
      Type.Union([anyFields('Handed to the browser.'), Type.Null()], {
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
  { description: 'What a customer has to answer before money moves, or an account becomes trusted.' },
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
      [anyFields('`PublicKeyCredential.toJSON()` of what `navigator.credentials.get()` gave.'), Type.Null()],
      { description: 'The answer of a passkey.' },
    ),
  ),
  origin: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'The origin of the page that asked the passkey; needed with `passkeyAssertion`.',
      examples: ['http://localhost:3000'],
    }),
  ),
};
export type ProofBody = Static<ReturnType<typeof proofBody>>;
const proofBody = () => Type.Object(PROOF_FIELDS);
