import Type, { type Static } from 'typebox';
import { PaymentInstructions } from '#capabilities/accounts/payment-instruction-schemas.ts';
import {
  CurrencyAmount,
  component,
  dateTime,
  idOf,
  movedAmount,
  namedSchema,
  oneOf,
  page,
  pageQuery,
  queryId,
  text,
} from '#foundation/http/schema.ts';
import { NETWORKS } from '#foundation/ports/network-fees.ts';

export const ACCOUNT_TYPES = ['INTERNAL_FIAT', 'INTERNAL_CRYPTO', 'EMBEDDED_WALLET'] as const;
export const ACCOUNT_STATUSES = ['PENDING', 'ACTIVE', 'CLOSED', 'FROZEN', 'FAILED'] as const;

export type AccountType = (typeof ACCOUNT_TYPES)[number];
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export const InternalAccountType = namedSchema(
  'InternalAccountType',
  oneOf(ACCOUNT_TYPES, {
    description:
      'What the account holds: a fiat currency, a digital one kept for its owner, or a digital one in a wallet ' +
      'whose keys only the customer can use.',
  }),
);

export const InternalAccountStatus = namedSchema(
  'InternalAccountStatus',
  oneOf(ACCOUNT_STATUSES, {
    description:
      'Only an `ACTIVE` account sends or receives. `PENDING` is being set up, `FAILED` could not be; `FROZEN` ' +
      'was stopped by the operator; `CLOSED` is final.',
  }),
);

export const InternalAccount = component(
  'InternalAccount',
  {
    id: idOf('InternalAccount', { description: 'Id of the account.' }),
    customerId: Type.Optional(
      idOf('Customer', { description: 'Whose account it is; absent when it is the platform’s own.' }),
    ),
    type: InternalAccountType,
    status: InternalAccountStatus,
    balance: amount('What can be spent: settled money less what is on hold.'),
    totalBalance: amount('All money there is: spendable, on hold, and arriving.'),
    fundingPaymentInstructions: Type.Array(PaymentInstructions, {
      description: 'Ways to pay money in, each with coordinates of this account alone. They never change.',
    }),
    privateEnabled: Type.Optional(
      Type.Boolean({
        description: 'On `EMBEDDED_WALLET` only: whether its transfers are hidden from the public.',
      }),
    ),
    createdAt: dateTime({ description: 'When the account was opened.' }),
    updatedAt: dateTime({ description: 'When it last changed, its balances included.' }),
  },
  { description: 'An account that the service keeps for a customer or for the platform, in one currency.' },
);

export type InternalAccount = Static<typeof InternalAccount>;

export const InternalAccountListResponse = page('InternalAccountListResponse', InternalAccount);

export const PlatformInternalAccountListResponse = component(
  'PlatformInternalAccountListResponse',
  { data: Type.Array(InternalAccount, { description: 'All accounts of the platform, oldest first.' }) },
  { description: 'The platform’s own accounts.' },
);

const CURRENCY_FILTER = Type.Optional(
  text(1, 32, { description: 'Only accounts in this currency, by its exact code.', examples: ['USD'] }),
);
const TYPE_FILTER = Type.Optional(oneOf(ACCOUNT_TYPES, { description: 'Only accounts of this type.' }));

export const CustomerAccountsQuery = pageQuery({
  currency: CURRENCY_FILTER,
  customerId: Type.Optional(queryId('Customer', { description: 'Only accounts of this customer.' })),
  type: TYPE_FILTER,
});

export type CustomerAccountsQuery = Static<typeof CustomerAccountsQuery>;

/** Of an agent, which sees those of its customer only. */
export const AgentAccountsQuery = pageQuery({ currency: CURRENCY_FILTER, type: TYPE_FILTER });

export const PlatformAccountsQuery = Type.Object({ currency: CURRENCY_FILTER, type: TYPE_FILTER });

export const EstimateCryptoWithdrawalFeeRequest = component(
  'EstimateCryptoWithdrawalFeeRequest',
  {
    internalAccountId: idOf('InternalAccount', { description: 'The account the money would leave.' }),
    currency: Type.String({
      description: 'What is withdrawn: the currency of the account.',
      examples: ['USDC'],
    }),
    cryptoNetwork: oneOf(NETWORKS, { description: 'The network it would travel on.' }),
    amount: movedAmount({
      description: 'What leaves the account, fees included, in the smallest unit.',
      examples: [25_000_000],
    }),
    destinationAddress: text(1, 4096, {
      description: 'Where it would go: an address, or a Lightning invoice.',
    }),
  },
  { description: 'A withdrawal to be priced. Nothing is reserved.' },
);

export type EstimateCryptoWithdrawalFeeRequest = Static<typeof EstimateCryptoWithdrawalFeeRequest>;

export const EstimateCryptoWithdrawalFeeResponse = component(
  'EstimateCryptoWithdrawalFeeResponse',
  {
    networkFee: Type.Integer({
      description:
        'What the network takes, in the smallest unit of `networkFeeAsset`. Do not add it to the others.',
      examples: [5000],
    }),
    networkFeeAsset: Type.String({ description: 'What the network is paid in.', examples: ['SOL'] }),
    applicationFee: Type.Integer({
      description: 'What the service takes, in the smallest unit of `currency`.',
    }),
    totalFee: Type.Integer({
      description:
        'Both fees together, the network’s converted and rounded up, in the smallest unit of `currency`.',
      examples: [1000],
    }),
    netAmount: Type.Integer({
      description: 'What would arrive: `amount` less `totalFee`.',
      examples: [24_999_000],
    }),
  },
  { description: 'What a withdrawal would cost now.' },
);

export type EstimateCryptoWithdrawalFeeResponse = Static<typeof EstimateCryptoWithdrawalFeeResponse>;

/** Written out, since a `$ref` cannot have a description of its own. */
function amount(description: string) {
  return Type.Object(CurrencyAmount.properties, { description });
}
