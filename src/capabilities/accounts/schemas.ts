import Type, { type Static } from 'typebox';
import { PaymentInstructions } from '#capabilities/accounts/payment-instruction-schemas.ts';
import {
  type BareQuery,
  CurrencyAmount,
  component,
  dateTime,
  idSchema,
  movedAmount,
  namedEnum,
  page,
  pageQuery,
  queryId,
  stringEnum,
  text,
} from '#foundation/http/schema.ts';
import { NETWORKS } from '#foundation/ports/network-fees.ts';

export const ACCOUNT_TYPES = ['INTERNAL_FIAT', 'INTERNAL_CRYPTO', 'EMBEDDED_WALLET'] as const;
export const ACCOUNT_STATUSES = ['PENDING', 'ACTIVE', 'CLOSED', 'FROZEN', 'FAILED'] as const;

export type AccountType = (typeof ACCOUNT_TYPES)[number];
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export const InternalAccountType = namedEnum(
  'InternalAccountType',
  'The kind of money in the account: a fiat currency, a digital currency that the service keeps for ' +
    'its owner, or a digital currency in a wallet whose keys only the customer can use.',
  ACCOUNT_TYPES,
);

export const InternalAccountStatus = namedEnum(
  'InternalAccountStatus',
  'Only an `ACTIVE` account sends or receives. A `PENDING` account is being set up; a `FAILED` one ' +
    'could not be set up; a `FROZEN` one was stopped by the operator; `CLOSED` is final.',
  ACCOUNT_STATUSES,
);

export const InternalAccount = component(
  'InternalAccount',
  'An account that the service keeps for a customer or for the platform, in one currency.',
  {
    id: idSchema('InternalAccount', { description: 'Id of the account.' }),
    customerId: Type.Optional(
      idSchema('Customer', { description: 'Owner of the account; absent if it is the platform’s own.' }),
    ),
    type: InternalAccountType,
    status: InternalAccountStatus,
    balance: amount('Spendable money: settled money less holds.'),
    totalBalance: amount('All money: spendable, on hold, and arriving.'),
    fundingPaymentInstructions: Type.Array(PaymentInstructions, {
      description:
        'Ways to pay money in, each with coordinates that belong to this account only. They never change.',
    }),
    privateEnabled: Type.Optional(
      Type.Boolean({
        description: 'On `EMBEDDED_WALLET` only: whether its transfers are hidden from the public.',
      }),
    ),
    createdAt: dateTime({ description: 'When the account was opened.' }),
    updatedAt: dateTime({ description: 'When it last changed, including its balances.' }),
  },
);

export type InternalAccount = Static<typeof InternalAccount>;

export const InternalAccountListResponse = page('InternalAccountListResponse', InternalAccount);

export const PlatformInternalAccountListResponse = component(
  'PlatformInternalAccountListResponse',
  'The platform’s own accounts.',
  { data: Type.Array(InternalAccount, { description: 'All accounts of the platform, oldest first.' }) },
);

const CURRENCY_FILTER = Type.Optional(
  text(1, 32, { description: 'Only accounts in this currency, by its exact code.', examples: ['USD'] }),
);
const TYPE_FILTER = Type.Optional(stringEnum(ACCOUNT_TYPES, { description: 'Only accounts of this type.' }));

export const CustomerAccountsQuery = pageQuery({
  currency: CURRENCY_FILTER,
  customerId: Type.Optional(queryId('Customer', { description: 'Only accounts of this customer.' })),
  type: TYPE_FILTER,
});

export type CustomerAccountsQuery = BareQuery<Static<typeof CustomerAccountsQuery>>;

/** For an agent, which sees only its customer's accounts. */
export const AgentAccountsQuery = pageQuery({ currency: CURRENCY_FILTER, type: TYPE_FILTER });

export const PlatformAccountsQuery = Type.Object({ currency: CURRENCY_FILTER, type: TYPE_FILTER });

export const EstimateCryptoWithdrawalFeeRequest = component(
  'EstimateCryptoWithdrawalFeeRequest',
  'A withdrawal to be priced. Nothing is reserved.',
  {
    internalAccountId: idSchema('InternalAccount', {
      description: 'Id of the account that the money would leave.',
    }),
    currency: Type.String({
      description: 'Currency to withdraw: that of the account.',
      examples: ['USDC'],
    }),
    cryptoNetwork: stringEnum(NETWORKS, { description: 'Network of the withdrawal.' }),
    amount: movedAmount({
      description: 'Amount that leaves the account, including fees, in the smallest unit.',
      examples: [25_000_000],
    }),
    destinationAddress: text(1, 4096, {
      description: 'Destination: an address, or a Lightning invoice.',
    }),
  },
);

export type EstimateCryptoWithdrawalFeeRequest = Static<typeof EstimateCryptoWithdrawalFeeRequest>;

export const EstimateCryptoWithdrawalFeeResponse = component(
  'EstimateCryptoWithdrawalFeeResponse',
  'The current cost of a withdrawal.',
  {
    networkFee: Type.Integer({
      description:
        'The network’s fee, in the smallest unit of `networkFeeAsset`. Do not add it to the other fees.',
      examples: [5000],
    }),
    networkFeeAsset: Type.String({
      description: 'Asset in which the network’s fee is paid.',
      examples: ['SOL'],
    }),
    applicationFee: Type.Integer({
      description: 'The service’s fee, in the smallest unit of `currency`.',
    }),
    totalFee: Type.Integer({
      description:
        'Both fees together, the network’s converted and rounded up, in the smallest unit of `currency`.',
      examples: [1000],
    }),
    netAmount: Type.Integer({
      description: 'Amount that would arrive: `amount` less `totalFee`.',
      examples: [24_999_000],
    }),
  },
);

export type EstimateCryptoWithdrawalFeeResponse = Static<typeof EstimateCryptoWithdrawalFeeResponse>;

/** Inlined, because a `$ref` cannot have its own description. */
export function amount(description: string) {
  return Type.Object(CurrencyAmount.properties, { description });
}
