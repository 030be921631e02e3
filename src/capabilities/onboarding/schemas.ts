import Type, { type Static } from 'typebox';
import { component, dateTime, namedSchema, oneOf } from '#foundation/http/schema.ts';

const KycProvider = namedSchema(
  'KycProvider',
  oneOf(['SUMSUB'], { description: 'Whose interface the reply follows. The page itself is ours.' }),
);

export const KycLinkCreateRequest = component(
  'KycLinkCreateRequest',
  {
    redirectUri: Type.Optional(
      Type.String({
        format: 'url',
        pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[!-~]+$',
        maxLength: 2048,
        description:
          'Where the customer is sent after the form, exactly as given. `https://`; for development `http://`, ' +
          'in production to localhost only. Browsers go from the form to this origin and no further: it must ' +
          'not redirect to another one.',
        examples: ['https://app.example.com/onboarding/done'],
      }),
    ),
  },
  { description: 'What happens once the customer is through.' },
);

export type KycLinkCreateRequest = Static<typeof KycLinkCreateRequest>;

export const KycLinkResponse = component(
  'KycLinkResponse',
  {
    kycUrl: Type.String({
      description:
        'Send the customer here. Whoever has the address can fill in the form: treat it as a secret.',
      examples: ['https://pay.example.com/onboard/tEGdV9kK?redirectUri=https%3A%2F%2Fapp.example.com%2Fdone'],
    }),
    expiresAt: dateTime({ description: 'Until when the link is good: 24 hours.' }),
    provider: KycProvider,
    token: Type.Optional(
      Type.String({ description: 'The same link as an opaque string, for clients that embed the page.' }),
    ),
  },
  { description: 'A link to the hosted onboarding page.' },
);

export type KycLinkResponse = Static<typeof KycLinkResponse>;
