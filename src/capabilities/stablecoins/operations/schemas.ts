import Type, { type Static } from 'typebox';
import {
  BURN_RAILS,
  OPERATION_STATUSES,
  OPERATION_TYPES,
  SOURCE_TYPES,
} from '#capabilities/stablecoins/operations/row.ts';
import { StablecoinProvider, StablecoinProviderEnvironment } from '#capabilities/stablecoins/schemas.ts';
import {
  anyIdSchema,
  component,
  dateTime,
  idSchema,
  namedEnum,
  namedSchema,
  page,
  pageQuery,
  stringEnum,
  tagged,
  text,
} from '#foundation/http/schema.ts';

const AMOUNT = Type.String({
  pattern: '^[0-9]+$',
  description:
    'The amount in the coin’s smallest units (see `decimals`), as digits. Its value must be whole US cents.',
  examples: ['25000000'],
});
const DESCRIPTION = text(0, 1024, { description: 'Your own note, stored with the operation.' });
const BANK_ACCOUNT = idSchema('ExternalAccount', { description: 'A bank account in US dollars.' });

const StablecoinWireFundingSource = component(
  'StablecoinWireFundingSource',
  'Dollars that you send to the provider by wire.',
  { type: stringEnum(['WIRE'], { description: 'You send a wire; the reply has the instructions.' }) },
);
const StablecoinAchDebitFundingSource = component(
  'StablecoinAchDebitFundingSource',
  'Dollars that the provider collects from a bank account by ACH.',
  {
    type: stringEnum(['ACH_DEBIT'], { description: 'The provider debits the account.' }),
    externalAccountId: BANK_ACCOUNT,
  },
);
const StablecoinSameDayAchDebitFundingSource = component(
  'StablecoinSameDayAchDebitFundingSource',
  'Dollars that the provider collects from a bank account by same-day ACH.',
  {
    type: stringEnum(['SAME_DAY_ACH_DEBIT'], {
      description: 'The provider debits the account on the same day.',
    }),
    externalAccountId: BANK_ACCOUNT,
  },
);
const StablecoinSvcInternalFundingSource = component(
  'StablecoinSvcInternalFundingSource',
  'Dollars from an internal account, once the coin is enabled.',
  {
    type: stringEnum(['SVC_INTERNAL_ACCOUNT'], { description: 'An internal account pays.' }),
    accountId: idSchema('InternalAccount', {
      description: 'The account, in USD; the dollars are put on hold at once.',
    }),
  },
);
const StablecoinProviderBalanceFundingSource = component(
  'StablecoinProviderBalanceFundingSource',
  'Another token of yours at the provider. Reserved: mints do not accept it yet.',
  {
    type: stringEnum(['PROVIDER_INTERNAL_BALANCE'], {
      description: 'Another token that you hold at the provider.',
    }),
    sourceTokenIdentifier: text(1, 255, { description: 'The token to pay with.' }),
    cryptoNetwork: text(1, 255, { description: 'The network of that token.' }),
  },
);

export const StablecoinMintFundingSource = namedSchema(
  'StablecoinMintFundingSource',
  tagged(
    'type',
    [
      StablecoinWireFundingSource,
      StablecoinAchDebitFundingSource,
      StablecoinSameDayAchDebitFundingSource,
      StablecoinSvcInternalFundingSource,
      StablecoinProviderBalanceFundingSource,
    ],
    { description: 'The funding of the coins.' },
  ),
);

const StablecoinMintDestination = component('StablecoinMintDestination', 'The destination of the coins.', {
  accountId: anyIdSchema(['ExternalAccount', 'InternalAccount'], {
    description:
      'A Spark wallet among your external accounts or, once the coin is enabled, an internal account in it.',
  }),
});

export const StablecoinMintRequest = component('StablecoinMintRequest', 'The coins to mint.', {
  amount: AMOUNT,
  fundingSource: StablecoinMintFundingSource,
  destination: StablecoinMintDestination,
  description: Type.Optional(DESCRIPTION),
});
export type StablecoinMintRequest = Static<typeof StablecoinMintRequest>;

const StablecoinExternalAccountBurnSource = component(
  'StablecoinExternalAccountBurnSource',
  'Coins that are sent to the provider, from any wallet.',
  {
    type: stringEnum(['EXTERNAL_ACCOUNT'], {
      description: 'You send the coins; the reply has the instructions.',
    }),
  },
);
const StablecoinSvcInternalBurnSource = component(
  'StablecoinSvcInternalBurnSource',
  'Coins from an internal account, once the coin is enabled.',
  {
    type: stringEnum(['SVC_INTERNAL_ACCOUNT'], { description: 'An internal account gives the coins.' }),
    accountId: idSchema('InternalAccount', {
      description: 'The account, in the coin; the coins are put on hold at once.',
    }),
  },
);
const StablecoinProviderBalanceBurnSource = component(
  'StablecoinProviderBalanceBurnSource',
  'Coins that you hold at the provider.',
  {
    type: stringEnum(['PROVIDER_INTERNAL_BALANCE'], { description: 'Coins that you hold at the provider.' }),
  },
);

export const StablecoinBurnSource = namedSchema(
  'StablecoinBurnSource',
  tagged(
    'type',
    [
      StablecoinExternalAccountBurnSource,
      StablecoinSvcInternalBurnSource,
      StablecoinProviderBalanceBurnSource,
    ],
    { description: 'The source of the coins.' },
  ),
);

const RAIL = stringEnum(BURN_RAILS, { description: 'The rail by which the dollars are paid out.' });

const StablecoinBurnDestination = component('StablecoinBurnDestination', 'The destination of the dollars.', {
  type: stringEnum(['EXTERNAL_ACCOUNT'], { description: 'An external account.' }),
  externalAccountId: BANK_ACCOUNT,
  rail: RAIL,
});

export const StablecoinBurnRequest = component('StablecoinBurnRequest', 'The coins to burn, for dollars.', {
  amount: AMOUNT,
  source: StablecoinBurnSource,
  destination: StablecoinBurnDestination,
  description: Type.Optional(DESCRIPTION),
});
export type StablecoinBurnRequest = Static<typeof StablecoinBurnRequest>;

const StablecoinOperationType = namedEnum(
  'StablecoinOperationType',
  'Whether coins are issued or destroyed.',
  OPERATION_TYPES,
);
const StablecoinOperationStatus = namedEnum(
  'StablecoinOperationStatus',
  'The progress of the operation. `PENDING_FUNDING` waits for your wire or coins. `CREATED` waits for the provider’s ' +
    'confirmation that it has the operation. `COMPLETED`, `FAILED` and `EXPIRED` are final.',
  OPERATION_STATUSES,
);

const StablecoinOperationSource = component(
  'StablecoinOperationSource',
  'The funding of a mint, or the source of a burn’s coins.',
  {
    type: stringEnum(SOURCE_TYPES, {
      description: 'The type of the funding, or of the source of the coins.',
    }),
    externalAccountId: Type.Optional(
      idSchema('ExternalAccount', { description: 'The account that is debited.' }),
    ),
    accountId: Type.Optional(idSchema('InternalAccount', { description: 'The internal account.' })),
    sourceTokenIdentifier: Type.Optional(Type.String({ description: 'Another token at the provider.' })),
    cryptoNetwork: Type.Optional(Type.String({ description: 'The network of that token.' })),
  },
);

const StablecoinOperationDestination = component(
  'StablecoinOperationDestination',
  'The destination of the coins, or of the dollars.',
  {
    accountId: Type.String({
      description: 'The account that gets the coins, or the dollars.',
      examples: ['ExternalAccount:019542f5-b3e7-7d02-8000-000000000099'],
    }),
    rail: Type.Optional(RAIL),
  },
);

const StablecoinFundingInstructions = component(
  'StablecoinFundingInstructions',
  'How to send the money or coins that the operation waits for.',
  {
    rail: Type.Optional(Type.String({ description: '`WIRE` or `SPARK`.', examples: ['WIRE'] })),
    network: Type.Optional(
      Type.String({ description: 'The network to send coins over.', examples: ['SPARK'] }),
    ),
    address: Type.Optional(Type.String({ description: 'The address to send coins to.' })),
    valueType: Type.Optional(Type.String({ description: 'The symbol of the coin to send.' })),
    beneficiaryName: Type.Optional(Type.String({ description: 'For a wire: the beneficiary.' })),
    bankName: Type.Optional(Type.String({ description: 'For a wire: the bank.' })),
    accountNumber: Type.Optional(Type.String({ description: 'For a wire: the account number.' })),
    routingNumber: Type.Optional(Type.String({ description: 'For a wire: the bank’s routing number.' })),
    reference: Type.Optional(
      Type.String({ description: 'For a wire: the reference that it must state, so that it is assigned.' }),
    ),
  },
  { additionalProperties: true },
);

const StablecoinEstimatedDelivery = component(
  'StablecoinEstimatedDelivery',
  'The payout of a burn, and its expected time.',
  {
    rail: Type.Optional(
      Type.String({ description: 'The rail by which the dollars are paid out.', examples: ['WIRE'] }),
    ),
    amount: Type.Optional(
      Type.String({ pattern: '^[0-9]+$', description: 'The amount, in cents.', examples: ['2500'] }),
    ),
    currency: Type.Optional(Type.String({ description: 'USD.', examples: ['USD'] })),
    timing: Type.Optional(
      Type.String({ description: 'The expected time, as text.', examples: ['same business day'] }),
    ),
  },
  { additionalProperties: true },
);

export const StablecoinOperation = component('StablecoinOperation', 'A mint or a burn.', {
  id: idSchema('StablecoinOperation', { description: 'Id of the mint or burn.' }),
  stablecoinId: idSchema('Stablecoin', { description: 'The coin.' }),
  operationType: StablecoinOperationType,
  status: StablecoinOperationStatus,
  amount: Type.String({
    description: 'The amount in the coin’s smallest units.',
    examples: ['25000000'],
  }),
  provider: StablecoinProvider,
  providerEnvironment: StablecoinProviderEnvironment,
  stablecoinProviderAccountId: idSchema('StablecoinProviderAccount', {
    description: 'The link that the operation was made with.',
  }),
  source: Type.Optional(StablecoinOperationSource),
  fundingInstructions: Type.Optional(StablecoinFundingInstructions),
  destination: Type.Optional(StablecoinOperationDestination),
  estimatedDelivery: Type.Optional(StablecoinEstimatedDelivery),
  expiresAt: Type.Optional(dateTime({ description: 'The deadline for its funds.' })),
  providerStatus: Type.Optional(Type.String({ description: 'The provider’s own name for the status.' })),
  failureReason: Type.Optional(
    Type.String({ description: 'Why it failed.', examples: ['PROVIDER_TRANSFER_FAILED'] }),
  ),
  description: Type.Optional(Type.String({ description: 'Your note.' })),
  createdAt: dateTime({ description: 'When the operation was created.' }),
  updatedAt: dateTime({ description: 'When the operation last changed.' }),
});
export type StablecoinOperation = Static<typeof StablecoinOperation>;

export const StablecoinOperationsQuery = pageQuery({ operationType: Type.Optional(StablecoinOperationType) });

export const StablecoinOperationListResponse = page('StablecoinOperationListResponse', StablecoinOperation, {
  total: true,
});

export const StablecoinSupply = component(
  'StablecoinSupply',
  'The coins that exist and the money behind them, as the ledger has them. All figures are of the same moment.',
  {
    stablecoinId: idSchema('Stablecoin', { description: 'The coin.' }),
    issued: units(
      'The coins that were issued and not redeemed, including those from before the registration.',
    ),
    inside: units('Those within the service: in internal accounts, on hold, or in payments under way.'),
    outside: units(
      'Those in external wallets and at the provider. `inside` and `outside` add up to `issued`.',
    ),
    reserve: Type.String({
      description: 'The money that backs the coins, in the smallest unit of `reserveCurrency`.',
      examples: ['12500'],
    }),
    reserveCurrency: Type.String({ description: 'The currency of the reserve: USD.', examples: ['USD'] }),
    openMints: units('The sum of the mints that have not ended.'),
    openBurns: units('The sum of the burns that have not ended. `issued` still includes these coins.'),
  },
);
export type StablecoinSupply = Static<typeof StablecoinSupply>;

function units(description: string) {
  return Type.String({
    description: `${description} In the coin’s smallest units.`,
    examples: ['125000000'],
  });
}
