import Type, { type Static } from 'typebox';
import { PaymentRail } from '#capabilities/pricing/schemas.ts';
import {
  Currency,
  clearable,
  component,
  dateTime,
  idSchema,
  ignored,
  minorUnits,
  namedEnum,
  page,
  pageQuery,
  stringEnum,
  text,
} from '#foundation/http/schema.ts';

export const CustomerInfoFieldName = namedEnum(
  'CustomerInfoFieldName',
  'A fact about a person or business that a payment may have to carry.',
  [
    'FULL_NAME',
    'BIRTH_DATE',
    'NATIONALITY',
    'PHONE_NUMBER',
    'EMAIL',
    'POSTAL_ADDRESS',
    'TAX_ID',
    'REGISTRATION_NUMBER',
    'USER_TYPE',
    'COUNTRY_OF_RESIDENCE',
    'ACCOUNT_IDENTIFIER',
    'FI_LEGAL_ENTITY_NAME',
    'FI_ADDRESS',
    'PURPOSE_OF_PAYMENT',
    'ULTIMATE_INSTITUTION_COUNTRY',
    'IDENTIFIER',
    'BUSINESS_TYPE',
    'COMPANY_LEGAL_NAME',
    'ID_TYPE',
    'ID_NUMBER',
  ],
);
export type CustomerInfoFieldName = Static<typeof CustomerInfoFieldName>;

export const TransactionType = namedEnum(
  'TransactionType',
  'The direction of a payment, seen from the platform.',
  ['INCOMING', 'OUTGOING'],
);
export type TransactionType = Static<typeof TransactionType>;

export const CounterpartyFieldDefinition = component(
  'CounterpartyFieldDefinition',
  'One fact that the counterparty of a payment is asked for.',
  {
    name: CustomerInfoFieldName,
    mandatory: Type.Boolean({
      description: 'False: the fact is requested, but a payment without it continues.',
    }),
  },
);

const currencyCode = (description: string) =>
  Type.String({ format: 'iso4217', examples: ['USD'], description: `${description} Upper case.` });

const currencySettings = {
  // No format, since a platform may have currencies of its own.
  currencyCode: Type.String({
    examples: ['USD'],
    description: 'ISO 4217 code, or BTC, USDC, USDT, USDB, or a currency of the platform’s own. Upper case.',
  }),
  minAmount: minorUnits({
    description: 'Smallest amount of one payment, in the smallest unit.',
    examples: [100],
  }),
  maxAmount: minorUnits({
    description: 'Largest amount of one payment, in the smallest unit.',
    examples: [1000000],
  }),
  requiredCounterpartyFields: Type.Array(CounterpartyFieldDefinition, {
    maxItems: 100,
    description: 'Facts that UMA senders are asked for. The webhook of a pending payment carries them.',
  }),
  enabledTransactionTypes: Type.Array(TransactionType, {
    maxItems: 100,
    description: 'Directions in which the currency may be used.',
  }),
};

const providerLists = {
  providerRequiredCustomerFields: Type.Array(CustomerInfoFieldName, {
    readOnly: true,
    description:
      'Facts about a customer that our providers require before the currency can be enabled for it.',
  }),
  providerRequiredCounterpartyCustomerFields: Type.Array(CustomerInfoFieldName, {
    readOnly: true,
    description:
      'Facts about the counterparty that our providers require before they quote a payment in the currency.',
  }),
};

export const PlatformCurrencyConfig = component(
  'PlatformCurrencyConfig',
  'One currency of the platform and the rules for using it.',
  {
    ...currencySettings,
    providerRequiredCustomerFields: Type.Optional(providerLists.providerRequiredCustomerFields),
    providerRequiredCounterpartyCustomerFields: Type.Optional(
      providerLists.providerRequiredCounterpartyCustomerFields,
    ),
  },
);
export type PlatformCurrencyConfig = Static<typeof PlatformCurrencyConfig>;

/** Clients that send back a GET response include the read-only lists, which are ignored (platform.md §3.2.1). */
const PlatformCurrencyConfigUpdate = component(
  'PlatformCurrencyConfigUpdate',
  'One currency of the platform and the rules for using it.',
  {
    ...currencySettings,
    providerRequiredCustomerFields: ignored(providerLists.providerRequiredCustomerFields),
    providerRequiredCounterpartyCustomerFields: ignored(
      providerLists.providerRequiredCounterpartyCustomerFields,
    ),
  },
);

const email = (description: string) =>
  Type.String({ format: 'email', maxLength: 255, description, examples: ['otp@example.com'] });
const line = (description: string, maxLength = 255) => text(1, maxLength, { description });

const walletFields = {
  appName: line('Name of the app in messages to its users.'),
  otpLength: Type.Integer({
    minimum: 4,
    maximum: 12,
    description: 'Characters of a one-time code. Unset: 6.',
  }),
  alphanumeric: Type.Boolean({ description: 'Whether codes also contain letters. Unset: digits only.' }),
  expirationSeconds: Type.Integer({
    minimum: 1,
    maximum: 86_400,
    description: 'Seconds for which a code is valid. Unset: 300.',
  }),
  sendFromEmailAddress: email('Sender address of code mails.'),
  sendFromEmailSenderName: line('Sender name of code mails. Unset: Notifications.'),
  replyToEmailAddress: email('Reply-to address of code mails.'),
  logoUrl: Type.String({ format: 'url', maxLength: 512, description: 'Logo shown in code mails.' }),
};

const optional = Type.Optional;

export const EmbeddedWalletConfig = component(
  'EmbeddedWalletConfig',
  'How embedded wallets of this platform send their one-time codes.',
  {
    appName: optional(walletFields.appName),
    otpLength: optional(walletFields.otpLength),
    alphanumeric: optional(walletFields.alphanumeric),
    expirationSeconds: optional(walletFields.expirationSeconds),
    sendFromEmailAddress: optional(walletFields.sendFromEmailAddress),
    sendFromEmailSenderName: optional(walletFields.sendFromEmailSenderName),
    replyToEmailAddress: optional(walletFields.replyToEmailAddress),
    logoUrl: optional(walletFields.logoUrl),
  },
);
export type EmbeddedWalletConfig = Static<typeof EmbeddedWalletConfig>;

const EmbeddedWalletConfigUpdate = component(
  'EmbeddedWalletConfigUpdate',
  'Omitted fields keep their values; `null` resets a field.',
  {
    appName: optional(clearable(walletFields.appName)),
    otpLength: optional(clearable(walletFields.otpLength)),
    alphanumeric: optional(clearable(walletFields.alphanumeric)),
    expirationSeconds: optional(clearable(walletFields.expirationSeconds)),
    sendFromEmailAddress: optional(clearable(walletFields.sendFromEmailAddress)),
    sendFromEmailSenderName: optional(clearable(walletFields.sendFromEmailSenderName)),
    replyToEmailAddress: optional(clearable(walletFields.replyToEmailAddress)),
    logoUrl: optional(clearable(walletFields.logoUrl)),
  },
);

const cardEmail = {
  fromAddress: email('Sender address. Not verified here: an invalid one fails at delivery.'),
  fromName: line('Sender name.'),
  replyToAddress: email('Reply-to address.'),
  subject: line('Subject line.'),
  bodyText: line('Text before the code. Plain text: markup and placeholders are not interpreted.', 2000),
};
const cardSms = {
  templateSid: line('Template at the SMS provider. Not verified here: an invalid one fails at delivery.', 64),
  bodyText: line('Text before the code if no template is set. Plain text.', 480),
};
const cardFields = {
  displayName: line('Name shown to cardholders.'),
  logoUrl: Type.String({
    format: 'url',
    pattern: '^https://',
    maxLength: 512,
    description: 'Logo shown to cardholders; https only.',
  }),
};

export const CardTokenization2FAConfig = component(
  'CardTokenization2FAConfig',
  'How cardholders receive the code that adds a card to a phone. Independent of embedded wallets.',
  {
    displayName: optional(cardFields.displayName),
    logoUrl: optional(cardFields.logoUrl),
    email: optional(
      component('CardTokenization2FAEmailConfig', 'Codes sent by e-mail.', {
        fromAddress: optional(cardEmail.fromAddress),
        fromName: optional(cardEmail.fromName),
        replyToAddress: optional(cardEmail.replyToAddress),
        subject: optional(cardEmail.subject),
        bodyText: optional(cardEmail.bodyText),
      }),
    ),
    sms: optional(
      component('CardTokenization2FASmsConfig', 'Codes sent by SMS.', {
        templateSid: optional(cardSms.templateSid),
        bodyText: optional(cardSms.bodyText),
      }),
    ),
  },
);
export type CardTokenization2FAConfig = Static<typeof CardTokenization2FAConfig>;

const CardTokenization2FAConfigUpdate = component(
  'CardTokenization2FAConfigUpdate',
  'Omitted fields keep their values; `null` resets a field.',
  {
    displayName: optional(clearable(cardFields.displayName)),
    logoUrl: optional(clearable(cardFields.logoUrl)),
    email: optional(
      clearable(
        component('CardTokenization2FAEmailConfigUpdate', 'Codes sent by e-mail.', {
          fromAddress: optional(clearable(cardEmail.fromAddress)),
          fromName: optional(clearable(cardEmail.fromName)),
          replyToAddress: optional(clearable(cardEmail.replyToAddress)),
          subject: optional(clearable(cardEmail.subject)),
          bodyText: optional(clearable(cardEmail.bodyText)),
        }),
      ),
    ),
    sms: optional(
      clearable(
        component('CardTokenization2FASmsConfigUpdate', 'Codes sent by SMS.', {
          templateSid: optional(clearable(cardSms.templateSid)),
          bodyText: optional(clearable(cardSms.bodyText)),
        }),
      ),
    ),
  },
);

export const FeeType = namedEnum('FeeType', 'The kind of payment that the fee is charged on.', [
  'CROSS_CURRENCY_TRANSACTION',
]);

export const FeeConfig = component(
  'FeeConfig',
  'A fee that the platform charges on top of the service’s fees. Either component may be used alone; if both are 0, the fee is off.',
  {
    feeType: FeeType,
    sourceCurrency: currencyCode('Currency that is sent. USD only, for now.'),
    variableFeeBps: optional(
      Type.Integer({
        minimum: 0,
        maximum: 10_000,
        description: 'Basis points of the amount after all fixed fees. Left out: 0.',
        examples: [30],
      }),
    ),
    fixedFee: optional(
      component('FixedFee', 'An amount per payment. Left out: 0.', {
        amount: minorUnits({ description: 'In the smallest unit.', examples: [50] }),
        currency: currencyCode('Must be the source currency.'),
      }),
    ),
  },
);
export type FeeConfig = Static<typeof FeeConfig>;

export const PlatformConfig = component(
  'PlatformConfig',
  'The settings that a platform chooses for itself, in one environment.',
  {
    id: idSchema('PlatformConfig', { readOnly: true, description: 'Id of the configuration.' }),
    umaDomain: optional(
      Type.String({
        description: 'Domain of the UMA addresses of new customers.',
        examples: ['pay.example.com'],
      }),
    ),
    proxyUmaSubdomain: optional(
      Type.String({
        readOnly: true,
        description: 'First label of `umaDomain`, with a number if another platform has that label.',
        examples: ['pay'],
      }),
    ),
    webhookEndpoint: optional(
      Type.String({
        description: 'URL that events are delivered to.',
        examples: ['https://example.com/hooks'],
      }),
    ),
    supportedCurrencies: optional(
      Type.Array(PlatformCurrencyConfig, { description: 'Currencies the platform uses.' }),
    ),
    isRegulatedFinancialInstitution: optional(
      Type.Boolean({
        readOnly: true,
        description: 'Whether the platform verifies its customers itself. Set by the operator.',
      }),
    ),
    embeddedWalletConfig: optional(EmbeddedWalletConfig),
    cardTokenization2faConfig: optional(CardTokenization2FAConfig),
    feeConfigs: optional(Type.Array(FeeConfig, { description: 'Fees of the platform that are in force.' })),
    createdAt: optional(dateTime({ readOnly: true, description: 'When the platform was created.' })),
    updatedAt: optional(dateTime({ readOnly: true, description: 'When a setting last changed.' })),
  },
);
export type PlatformConfigReply = Static<typeof PlatformConfig>;

/** At least two labels of letters, digits and inner hyphens; the last one is not a number. */
const DNS_NAME =
  '^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$';

export const PlatformConfigUpdateRequest = component(
  'PlatformConfigUpdateRequest',
  'The fields to change; omitted fields keep their values.',
  {
    umaDomain: optional(
      Type.String({
        pattern: DNS_NAME,
        maxLength: 253,
        description: 'DNS name that no other platform uses. Existing addresses keep their domain.',
        examples: ['pay.example.com'],
      }),
    ),
    webhookEndpoint: optional(
      clearable(
        Type.String({
          format: 'url',
          maxLength: 2048,
          description:
            'Absolute URL without credentials or fragment; in production https and a public address. `null` clears it.',
        }),
      ),
    ),
    supportedCurrencies: optional(
      Type.Array(PlatformCurrencyConfigUpdate, { maxItems: 200, description: 'Replaces the whole list.' }),
    ),
    embeddedWalletConfig: optional(clearable(EmbeddedWalletConfigUpdate)),
    cardTokenization2faConfig: optional(clearable(CardTokenization2FAConfigUpdate)),
    feeConfigs: optional(
      Type.Array(FeeConfig, {
        maxItems: 100,
        description: 'Sets or replaces fees by type and source currency; fees that are not sent stay.',
      }),
    ),
  },
);
export type PlatformConfigUpdateRequest = Static<typeof PlatformConfigUpdateRequest>;

/** The form of any currency code, known or not: ISO 4217, a crypto asset, an issued token (platform.md §7.1). */
const CURRENCY_CODE = '^[A-Za-z0-9]{3,10}$';

export const DiscoveryQuery = Type.Object({
  country: optional(Type.String({ pattern: '^[A-Za-z]{2}$', description: 'ISO 3166-1 alpha-2 code.' })),
  currency: optional(Type.String({ pattern: CURRENCY_CODE, description: 'Code of the currency.' })),
});

export const DiscoveryListResponse = component('DiscoveryListResponse', 'Receiving institutions.', {
  data: Type.Array(
    component('Discovery', 'A bank or mobile-money provider that receives payments.', {
      bankName: Type.String({
        description: 'The value to send as `bankName` or `provider` of an external account.',
      }),
      displayName: Type.String({ description: 'The name to show to people.' }),
      country: Type.String({ description: 'ISO 3166-1 alpha-2 code.', examples: ['NG'] }),
      currency: Type.String({ description: 'ISO 4217 code.', examples: ['NGN'] }),
      paymentRails: Type.Array(PaymentRail, {
        description: 'Rails on which accounts there can be paid.',
      }),
    }),
    { description: 'By country, currency and display name.' },
  ),
});

export const UmaProviderQuery = pageQuery({
  countryCode: optional(
    Type.String({ pattern: '^[A-Za-z]{2}$', description: 'Only providers that serve this country.' }),
  ),
  currencyCode: optional(
    Type.String({ pattern: CURRENCY_CODE, description: 'Only providers that receive this currency.' }),
  ),
  hasBlockedProviders: optional(
    Type.Boolean({ description: 'False omits providers that this platform may not pay.' }),
  ),
  sortOrder: optional(stringEnum(['asc', 'desc'], { default: 'desc', description: 'By name.' })),
});

export const UmaProvider = component('UmaProvider', 'A provider whose UMA addresses can be paid.', {
  name: optional(Type.String({ description: 'Name of the provider.' })),
  supportedRegions: optional(
    Type.Array(Type.String({ description: 'ISO 3166-1 alpha-2 code.' }), {
      description: 'Countries that it serves.',
    }),
  ),
  domain: optional(Type.String({ description: 'Domain of its UMA addresses.' })),
  logoUrl: optional(Type.String({ format: 'url', description: 'Its logo.' })),
  supportedCurrencies: optional(
    Type.Array(Currency, { description: 'Currencies that its users can receive.' }),
  ),
  lei: optional(Type.String({ description: 'Legal Entity Identifier.' })),
  allowListStatus: optional(Type.Boolean({ description: 'Whether this platform may pay its users.' })),
});

export const UmaProviderListResponse = page('UmaProviderListResponse', UmaProvider);

export const VaspQuery = pageQuery({});

export const Vasp = component('Vasp', 'An exchange that holds wallets for its users.', {
  vaspName: Type.String({
    description: 'The value to send as `vaspName` of a wallet that the exchange holds.',
  }),
  url: optional(Type.String({ format: 'url', description: 'Its website.' })),
});

export const VaspListResponse = page('VaspListResponse', Vasp, { total: false });

/** The operator's settings for `providerRequired…`: lists by currency code. */
export const ProviderFieldsByCurrency = Type.Record(
  Type.String(),
  Type.Object({
    customer: optional(Type.Array(CustomerInfoFieldName)),
    counterparty: optional(Type.Array(CustomerInfoFieldName)),
  }),
);
