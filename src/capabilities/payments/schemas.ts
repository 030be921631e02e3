import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { PaymentInstructions } from '#capabilities/accounts/payment-instruction-schemas.ts';
import { CardTransaction } from '#capabilities/card-transactions/schemas.ts';
import {
  INCOMING_FAILURES,
  OUTGOING_FAILURES,
  PENDING_REASONS,
  REFUND_REASONS,
} from '#capabilities/payments/row.ts';
import { statusesOf, TRANSACTION_STATUSES } from '#capabilities/payments/statuses.ts';
import { PROOF_FIELDS, ScaChallenge, ScaFactor } from '#capabilities/sca/schemas.ts';
import {
  Currency,
  CurrencyAmount,
  component,
  dateTime,
  idSchema,
  namedEnum,
  namedSchema,
  stringEnum,
  tagged,
} from '#foundation/http/schema.ts';
import { PAYMENT_RAILS } from '#foundation/lib/rails-by-currency.ts';

export const CRYPTO_NETWORKS = [
  'BITCOIN',
  'ETHEREUM',
  'SOLANA',
  'BASE',
  'POLYGON',
  'TRON',
  'PLASMA',
  'SPARK',
  'ARBITRUM',
] as const;

/** Quotes have these statuses as well: a quote is never `REJECTED`. */
const OUTGOING_STATUSES = statusesOf('OUTGOING');

export const PURPOSES_OF_PAYMENT = [
  'GIFT',
  'SELF',
  'GOODS_OR_SERVICES',
  'EDUCATION',
  'HEALTH_OR_MEDICAL',
  'REAL_ESTATE_PURCHASE',
  'TAX_PAYMENT',
  'LOAN_PAYMENT',
  'UTILITY_BILL',
  'DONATION',
  'TRAVEL',
  'FAMILY_SUPPORT',
  'SALARY_PAYMENT',
  'OTHER',
] as const;

export const CryptoNetwork = namedEnum('CryptoNetwork', 'A blockchain network.', CRYPTO_NETWORKS);

const railSchema = (description: string) => stringEnum(PAYMENT_RAILS, { description });
const accountId = (description: string) => Type.String({ description, examples: [EXAMPLE_ACCOUNT] });
const EXAMPLE_ACCOUNT = 'InternalAccount:019542f5-b3e7-7d02-8000-000000000099';
const ownerId = (description: string) =>
  Type.String({ description, examples: ['Customer:019542f5-b3e7-7d02-8000-000000000099'] });
const umaAddress = (description: string) => Type.String({ description, examples: ['$ada@uma.example'] });
const currencyCode = (description: string) => Type.String({ description, examples: ['USD'] });
const amountSchema = (description: string) => Type.Object(CurrencyAmount.properties, { description });
const minorUnits = (description: string, minimum: number) => Type.Integer({ minimum, description });
const anyFields = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

export const OutgoingRateDetails = component(
  'OutgoingRateDetails',
  'How a payment across currencies is priced.',
  {
    counterpartyMultiplier: Type.Number({
      exclusiveMinimum: 0,
      description: 'Smallest receiving units per thousandth of a satoshi; for information.',
    }),
    counterpartyFixedFee: minorUnits('The counterparty’s fee, in the smallest receiving unit.', 0),
    svcApiMultiplier: Type.Number({
      exclusiveMinimum: 0,
      description:
        'Thousandths of a satoshi per smallest sending unit, after the variable fee; for information.',
    }),
    svcApiFixedFee: minorUnits('The fixed part of the service fee, in the smallest sending unit.', 0),
    svcApiVariableFeeRate: Type.Number({
      minimum: 0,
      description: 'The variable part of the service fee, as a share of the amount sent.',
      examples: [0.005],
    }),
    svcApiVariableFeeAmount: Type.Number({
      minimum: 0,
      description: 'The variable part of the service fee, in the smallest sending unit.',
    }),
  },
);

export const AccountQuoteSource = component('AccountQuoteSource', {
  sourceType: stringEnum(['ACCOUNT'], {
    description: 'An internal account, or an external one to pull from.',
  }),
  accountId: accountId('The internal account that pays, or an external bank account to pull from.'),
  customerId: Type.Optional(
    ownerId('The customer that the platform acts for; default: the owner of the account.'),
  ),
});

export const RealtimeFundingQuoteSource = component('RealtimeFundingQuoteSource', {
  sourceType: stringEnum(['REALTIME_FUNDING'], { description: 'Funds that are paid in for this quote.' }),
  customerId: Type.Optional(
    ownerId('The customer that the platform acts for; default: the platform itself.'),
  ),
  currency: currencyCode('The currency that will be paid in.'),
  cryptoNetwork: Type.Optional(
    Type.String({ description: 'For a stablecoin: the network that it arrives on.', examples: ['SOLANA'] }),
  ),
});

export const QuoteSource = tagged('sourceType', [AccountQuoteSource, RealtimeFundingQuoteSource], {
  description: 'The source of the money.',
});

export const AccountDestination = component('AccountDestination', {
  destinationType: stringEnum(['ACCOUNT'], { description: 'An internal or an external account.' }),
  accountId: accountId('The internal or external account that receives.'),
  paymentRail: Type.Optional(railSchema('The rail to use; default: the account’s first one.')),
});

export const UmaAddressDestination = component('UmaAddressDestination', {
  destinationType: stringEnum(['UMA_ADDRESS'], { description: 'The holder of a UMA address.' }),
  umaAddress: umaAddress('The receiver.'),
  currency: Type.Optional(
    currencyCode('The currency that the receiver gets; default: the first one it supports.'),
  ),
});

export const QuoteDestination = tagged('destinationType', [AccountDestination, UmaAddressDestination], {
  description: 'The destination of the money.',
});

export const Quote = component('Quote', 'A payment at a price that is fixed for a few minutes.', {
  id: idSchema('Quote', { description: 'Id of the quote.' }),
  status: stringEnum(OUTGOING_STATUSES, { description: 'Follows the status of its transaction.' }),
  createdAt: dateTime({ description: 'When the quote was created.' }),
  expiresAt: dateTime({ description: 'The deadline to execute or fund the quote.' }),
  source: QuoteSource,
  destination: QuoteDestination,
  sendingCurrency: Currency,
  receivingCurrency: Currency,
  totalSendingAmount: minorUnits(
    'The amount taken from the payer, fees included, in the smallest sending unit.',
    1,
  ),
  totalReceivingAmount: minorUnits('The amount that the receiver gets, in the smallest receiving unit.', 1),
  exchangeRate: Type.Number({
    exclusiveMinimum: 0,
    description:
      'Sending units per receiving unit, in major units and without fees. The amounts are exact; this rate is rounded.',
  }),
  feesIncluded: minorUnits('All fees, in the smallest sending unit; part of `totalSendingAmount`.', 0),
  platformFeesIncluded: Type.Optional(minorUnits('The platform’s part of `feesIncluded`.', 0)),
  paymentInstructions: Type.Optional(
    Type.Array(PaymentInstructions, {
      description:
        'Ways to fund a real-time quote; the first payment of the exact amount counts. For a quote from an embedded ' +
        'wallet: the payload that its owner signs, and the address of the wallet.',
    }),
  ),
  transactionId: idSchema('Transaction', {
    description: 'The transaction that was created with the quote.',
  }),
  counterpartyInformation: Type.Optional(
    anyFields('The receiver’s data, as reported by the receiver’s provider.'),
  ),
  rateDetails: Type.Optional(OutgoingRateDetails),
  scaChallenge: Type.Optional(ScaChallenge),
});

export type Quote = Static<typeof Quote>;

export const ExecuteQuoteRequest = component(
  'ExecuteQuoteRequest',
  'The factor by which a customer under strong authentication authorizes the payment.',
  { scaFactor: Type.Optional(ScaFactor) },
);

export const QuoteScaFactorRequest = component(
  'QuoteScaFactorRequest',
  'The factor by which the customer authorizes the payment instead; it must be enrolled.',
  { scaFactor: ScaFactor },
);

export const ScaAuthorization = component(
  'ScaAuthorization',
  'The customer’s answer to the challenge: a code or the assertion of a passkey, not both.',
  {
    ...PROOF_FIELDS,
    endUserIpAddress: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'The IPv4 or IPv6 address that the customer’s request came from, for the audit log.',
        examples: ['203.0.113.7'],
      }),
    ),
  },
);
export type ScaAuthorization = Static<typeof ScaAuthorization>;

const OnChainTransaction = component('OnChainTransaction', 'The transfer’s transaction on the blockchain.', {
  transactionHash: Type.String({ description: 'The hash, in the network’s own notation.' }),
  network: CryptoNetwork,
});

const AccountTransactionSource = component('AccountTransactionSource', {
  sourceType: stringEnum(['ACCOUNT'], { description: 'An internal or an external account.' }),
  currency: Type.Optional(currencyCode('The currency that was sent.')),
  accountId: accountId('The account.'),
  onChainTransaction: Type.Optional(OnChainTransaction),
});

const UmaAddressTransactionSource = component('UmaAddressTransactionSource', {
  sourceType: stringEnum(['UMA_ADDRESS'], { description: 'The holder of a UMA address.' }),
  currency: Type.Optional(currencyCode('The currency that was sent.')),
  umaAddress: umaAddress('The sender.'),
});

const RealtimeFundingTransactionSource = component('RealtimeFundingTransactionSource', {
  sourceType: stringEnum(['REALTIME_FUNDING'], { description: 'Funds that were paid in.' }),
  customerId: Type.Optional(ownerId('The customer that the funds were paid in for.')),
  currency: currencyCode('The currency that was paid in.'),
  accountHolderName: Type.Optional(
    Type.String({ description: 'The payer’s name, as the bank reported it.' }),
  ),
  accountIdentifier: Type.Optional(
    Type.String({ description: 'The payer’s account, if the bank reported it.' }),
  ),
  bankName: Type.Optional(Type.String({ description: 'The payer’s bank.' })),
  bankIdentifier: Type.Optional(Type.String({ description: 'The identifier of the payer’s bank.' })),
  paymentRail: Type.Optional(railSchema('The rail over which the funds arrived.')),
  remittanceInformation: Type.Optional(Type.String({ description: 'The payer’s message.' })),
  endToEndId: Type.Optional(Type.String({ description: 'The payer’s own id for the payment.' })),
  traceNumber: Type.Optional(Type.String({ description: 'The rail’s id for the payment.' })),
  onChainTransaction: Type.Optional(OnChainTransaction),
});

const TransactionSource = tagged(
  'sourceType',
  [AccountTransactionSource, UmaAddressTransactionSource, RealtimeFundingTransactionSource],
  { description: 'The source of the money.' },
);

const AccountTransactionDestination = component('AccountTransactionDestination', {
  destinationType: stringEnum(['ACCOUNT'], { description: 'An internal or an external account.' }),
  currency: Type.Optional(currencyCode('The currency that is received.')),
  accountId: accountId('The account.'),
  onChainTransaction: Type.Optional(OnChainTransaction),
});

const UmaAddressTransactionDestination = component('UmaAddressTransactionDestination', {
  destinationType: stringEnum(['UMA_ADDRESS'], { description: 'The holder of a UMA address.' }),
  currency: Type.Optional(currencyCode('The currency that is received.')),
  umaAddress: umaAddress('The receiver.'),
});

const TransactionDestination = tagged(
  'destinationType',
  [AccountTransactionDestination, UmaAddressTransactionDestination],
  { description: 'The destination of the money.' },
);

const Refund = component('Refund', 'The refund of money that was taken: all of it, fees included.', {
  reference: Type.String({
    description: 'Identifies the refund on statements.',
    examples: ['SVC-7K2MQ4XA-REFUND'],
  }),
  initiatedAt: dateTime({ description: 'When the refund became due.' }),
  settledAt: Type.Optional(dateTime({ description: 'When the payer had the money back.' })),
  status: stringEnum(['PENDING', 'COMPLETED', 'FAILED'], {
    description: '`FAILED`: the operator resolves it by hand.',
  }),
  reason: Type.Optional(stringEnum(REFUND_REASONS, { description: 'Why the money is refunded.' })),
  amount: amountSchema('The refunded amount: all that was taken, or the wrong amount that arrived.'),
});

const ReconciliationInstructions = component(
  'ReconciliationInstructions',
  'How to find this payment in other systems.',
  {
    reference: Type.Optional(Type.String({ description: 'The reference to look for on a statement.' })),
    transactionHash: Type.Optional(
      Type.String({ deprecated: true, description: 'The same hash as in `onChainTransaction`.' }),
    ),
  },
  { minProperties: 1 },
);

export const PaymentParty = component('PaymentParty', 'The other party of a payment.', {
  name: Type.Optional(Type.String({ description: 'The holder’s name on the account.' })),
  account: Type.String({
    description:
      'The number or address of the account: `****` and its last four characters. A UMA address is shown in full.',
    examples: ['****3000'],
  }),
});
export type PaymentParty = Static<typeof PaymentParty>;

/** Beyond the contract: in payments that agents request, so that reviewers and models see what they are about. */
export const PARTIES = {
  payer: Type.Optional(PaymentParty),
  payee: Type.Optional(PaymentParty),
  memo: Type.Optional(
    Type.String({ description: 'In a payment that an agent requested: the text that the payee reads.' }),
  ),
};

/** Beyond the contract (agents.md §4.10). */
const AGENT_PAYMENT = {
  executedAt: Type.Optional(
    dateTime({
      description: 'In a payment that an agent requested: when it started. Absent if it has not started.',
    }),
  ),
  takenAt: Type.Optional(
    dateTime({
      description:
        'In a payment that an agent requested: when the payer’s money was taken. Absent if nothing was taken. While the ' +
        'customer has to authorize the payment, `sentAmount` is on hold in an internal account.',
    }),
  ),
  ...PARTIES,
};
export type AgentPaymentReply = Static<TObject<typeof AGENT_PAYMENT>>;

/** Fields that incoming and outgoing transactions share. */
const common = {
  id: idSchema('Transaction', { description: 'Id of the transaction.' }),
  pendingReason: Type.Optional(
    stringEnum(PENDING_REASONS, { description: 'What the payment waits for, while it is blocked.' }),
  ),
  direction: stringEnum(['CREDIT', 'DEBIT'], { description: 'Whether money comes in or goes out.' }),
  destination: TransactionDestination,
  customerId: ownerId('The owner of the transaction: a customer, or the platform itself.'),
  platformCustomerId: Type.String({ description: 'The platform’s own id for that customer.' }),
  settledAt: Type.Optional(dateTime({ description: 'When the transaction completed.' })),
  createdAt: Type.Optional(dateTime({ description: 'When the transaction was created.' })),
  updatedAt: Type.Optional(dateTime({ description: 'When the transaction last changed.' })),
  receiptDeliveryConfirmedAt: Type.Optional(
    dateTime({ description: 'When the platform delivered the receipt, as it confirmed.' }),
  ),
  agentId: Type.Optional(Type.String({ description: 'The agent that requested the payment.' })),
  description: Type.Optional(Type.String({ description: 'The platform’s note.' })),
  exchangeRate: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      description: 'Sending units per receiving unit, in major units, without fees.',
    }),
  ),
  quoteId: Type.Optional(
    idSchema('Quote', { description: 'The quote that the transaction was created with.' }),
  ),
  refund: Type.Optional(Refund),
  counterpartyInformation: Type.Optional(anyFields('The known data about the other party.')),
  ...AGENT_PAYMENT,
};

const incoming = {
  ...common,
  type: stringEnum(['INCOMING'], { description: 'Money that a customer or the platform receives.' }),
  status: stringEnum(TRANSACTION_STATUSES, { description: 'Current status.' }),
  source: Type.Optional(TransactionSource),
  sentAmount: Type.Optional(amountSchema('The amount that the sender sent, if known.')),
  receivedAmount: amountSchema('The amount that arrives.'),
  fees: Type.Optional(minorUnits('All fees, in the smallest sending unit.', 0)),
  reconciliationInstructions: Type.Optional(ReconciliationInstructions),
  failureReason: Type.Optional(
    stringEnum(INCOMING_FAILURES, { description: 'Why the payment failed; only if `status` is `FAILED`.' }),
  ),
};

export const IncomingTransaction = component(
  'IncomingTransaction',
  'A payment that brings money in.',
  incoming,
);

export const OutgoingTransaction = component('OutgoingTransaction', 'A payment that sends money.', {
  ...common,
  type: stringEnum(['OUTGOING'], { description: 'Money that a customer or the platform sends.' }),
  status: stringEnum(OUTGOING_STATUSES, { description: 'Current status.' }),
  source: TransactionSource,
  sentAmount: amountSchema('The amount taken from the payer, fees included.'),
  receivedAmount: Type.Optional(amountSchema('The amount that the receiver gets.')),
  fees: Type.Optional(minorUnits('All fees, in the smallest sending unit.', 0)),
  platformFees: Type.Optional(minorUnits('The platform’s part of `fees`.', 0)),
  reconciliationInstructions: Type.Optional(ReconciliationInstructions),
  paymentInstructions: Type.Optional(
    Type.Array(PaymentInstructions, {
      description: 'How to fund or sign the payment, copied from its quote.',
    }),
  ),
  rateDetails: Type.Optional(OutgoingRateDetails),
  failureReason: Type.Optional(
    stringEnum(OUTGOING_FAILURES, { description: 'Why the payment failed; only if `status` is `FAILED`.' }),
  ),
  paymentRail: Type.Optional(
    nullable(railSchema('The rail.'), 'The rail of the payout; null if it does not go to a bank.'),
  ),
  railSelectionMode: Type.Optional(
    nullable(
      stringEnum(['AUTO', 'MANUAL'], { description: '`AUTO` or `MANUAL`.' }),
      '`MANUAL` if the caller chose the rail, `AUTO` if not; null if there is no rail.',
    ),
  ),
  expectedSettlementAt: Type.Optional(
    nullable(
      dateTime({ description: 'Time of arrival.' }),
      'When the payout should arrive; null if that is at once.',
    ),
  ),
  settlementTimelineSeconds: Type.Optional(
    nullable(Type.Integer({ description: 'Seconds.' }), 'How long the rail takes; null if it is instant.'),
  ),
});

export const TransactionOneOf = namedSchema(
  'TransactionOneOf',
  tagged('type', [IncomingTransaction, OutgoingTransaction, CardTransaction], {
    description: 'A transaction of any type; `type` determines the fields.',
  }),
);

const Transaction = component(
  'Transaction',
  'Fields that all payments share.',
  {
    type: stringEnum(['INCOMING', 'OUTGOING'], { description: 'The direction of the payment.' }),
    status: stringEnum(TRANSACTION_STATUSES, { description: 'Current status.' }),
  },
  { additionalProperties: true },
);

/** For replies with only one of the types: that type's fields, and those of any payment. */
export const IncomingPayment = Type.Intersect([Transaction, IncomingTransaction]);
export const OutgoingPayment = Type.Intersect([Transaction, OutgoingTransaction]);

export type IncomingTransaction = Static<typeof IncomingTransaction>;
export type OutgoingTransaction = Static<typeof OutgoingTransaction>;

function nullable<S extends TSchema>(schema: S, description: string) {
  return Type.Union([schema, Type.Null()], { description });
}
