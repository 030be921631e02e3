import Type, { type Static } from 'typebox';
import { component, dateTime, namedEnum } from '#foundation/http/schema.ts';

const KycProvider = namedEnum(
  'KycProvider',
  'The provider whose interface the reply follows. The page itself is ours.',
  ['SUMSUB'],
);

export const KycLinkCreateRequest = component('KycLinkCreateRequest', 'Options of the link.', {
  redirectUri: Type.Optional(
    Type.String({
      format: 'url',
      pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[!-~]+$',
      maxLength: 2048,
      description:
        'URL to which the customer is redirected after the form, unchanged. It must be `https://`; for ' +
        'development it may be `http://`, in production to localhost only. Browsers follow the form to ' +
        'this origin only: it must not redirect to another origin.',
      examples: ['https://app.example.com/onboarding/done'],
    }),
  ),
});

export type KycLinkCreateRequest = Static<typeof KycLinkCreateRequest>;

export const KycLinkResponse = component('KycLinkResponse', 'A link to the hosted onboarding page.', {
  kycUrl: Type.String({
    description:
      'Send the customer to this URL. Anyone who has it can fill in the form, so treat it as a secret.',
    examples: ['https://pay.example.com/onboard/tEGdV9kK?redirectUri=https%3A%2F%2Fapp.example.com%2Fdone'],
  }),
  expiresAt: dateTime({ description: 'When the link expires: after 24 hours.' }),
  provider: KycProvider,
  token: Type.Optional(
    Type.String({ description: 'The same link as an opaque string, for clients that embed the page.' }),
  ),
});

export type KycLinkResponse = Static<typeof KycLinkResponse>;
