import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { PaymentInstructions } from '#capabilities/accounts/payment-instruction-schemas.ts';
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
  idOf,
  namedSchema,
  oneOf,
  tagged,
  text,
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

/** Of quotes too: what is only rejected has none. */
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

export const CryptoNetwork = namedSchema(
  'CryptoNetwork',
  oneOf(CRYPTO_NETWORKS, { description: 'A network that digital money travels on.' }),
);

const railOf = (description: string) => oneOf(PAYMENT_RAILS, { description });
const accountId = (description: string) => Type.String({ description, examples: [EXAMPLE_ACCOUNT] });
const EXAMPLE_ACCOUNT = 'InternalAccount:019542f5-b3e7-7d02-8000-000000000099';
const ownerId = (description: string) =>
  Type.String({ description, examples: ['Customer:019542f5-b3e7-7d02-8000-000000000099'] });
const umaAddress = (description: string) => Type.String({ description, examples: ['$ada@uma.example'] });
const currencyCode = (description: string) => Type.String({ description, examples: ['USD'] });
const amountOf = (description: string) => Type.Object(CurrencyAmount.properties, { description });
const minorUnits = (description: string, minimum: number) => Type.Integer({ minimum, description });
const anyFields = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

export const OutgoingRateDetails = component(
  'OutgoingRateDetails',
  {
    counterpartyMultiplier: Type.Number({
      exclusiveMinimum: 0,
      description: 'Smallest receiving units per thousandth of a satoshi; for information.',
    }),
    counterpartyFixedFee: minorUnits('What the counterparty takes, in the smallest receiving unit.', 0),
    svcApiMultiplier: Type.Number({
      exclusiveMinimum: 0,
      description:
        'Thousandths of a satoshi per smallest sending unit, after the variable fee; for information.',
    }),
    svcApiFixedFee: minorUnits('The fixed part of the service fee, in the smallest sending unit.', 0),
    svcApiVariableFeeRate: Type.Number({
      minimum: 0,
      description: 'The variable part of the service fee, as a share of what is sent.',
      examples: [0.005],
    }),
    svcApiVariableFeeAmount: Type.Number({
      minimum: 0,
      description: 'What that share comes to, in the smallest sending unit.',
    }),
  },
  { description: 'How a payment across currencies is priced.' },
);

export const AccountQuoteSource = component('AccountQuoteSource', {
  sourceType: oneOf(['ACCOUNT'], { description: 'Money in, or pulled from, an account.' }),
  accountId: accountId('The internal account, or an external bank account to pull from.'),
  customerId: Type.Optional(ownerId('For whom the platform acts; default: the owner of the account.')),
});

export const RealtimeFundingQuoteSource = component('RealtimeFundingQuoteSource', {
  sourceType: oneOf(['REALTIME_FUNDING'], { description: 'Money that is paid in for this quote.' }),
  customerId: Type.Optional(ownerId('For whom the platform acts; default: the platform itself.')),
  currency: currencyCode('What will be paid in.'),
  cryptoNetwork: Type.Optional(
    Type.String({ description: 'For a stablecoin: the network it comes over.', examples: ['SOLANA'] }),
  ),
});

export const QuoteSource = tagged('sourceType', [AccountQuoteSource, RealtimeFundingQuoteSource], {
  description: 'Where the money comes from.',
});

export const AccountDestination = component('AccountDestination', {
  destinationType: oneOf(['ACCOUNT'], { description: 'An account of ours, or one outside.' }),
  accountId: accountId('The internal or external account that receives.'),
  paymentRail: Type.Optional(railOf('Over which rail; default: the first of the account.')),
});

export const UmaAddressDestination = component('UmaAddressDestination', {
  destinationType: oneOf(['UMA_ADDRESS'], { description: 'Whoever has this UMA address.' }),
  umaAddress: umaAddress('The receiver.'),
  currency: Type.Optional(currencyCode('What the receiver gets; default: the first it supports.')),
});

export const QuoteDestination = tagged('destinationType', [AccountDestination, UmaAddressDestination], {
  description: 'Where the money goes.',
});

export const Quote = component(
  'Quote',
  {
    id: idOf('Quote', { description: 'Id of the quote.' }),
    status: oneOf(OUTGOING_STATUSES, { description: 'Follows the status of its transaction.' }),
    createdAt: dateTime({ description: 'When it was made.' }),
    expiresAt: dateTime({ description: 'Until when it can be executed or funded.' }),
    source: QuoteSource,
    destination: QuoteDestination,
    sendingCurrency: Currency,
    receivingCurrency: Currency,
    totalSendingAmount: minorUnits('All that is taken, fees included, in the smallest sending unit.', 1),
    totalReceivingAmount: minorUnits('What the receiver gets, in the smallest receiving unit.', 1),
    exchangeRate: Type.Number({
      exclusiveMinimum: 0,
      description:
        'Sending units per receiving unit, in major units and without fees. Amounts are exact, this is rounded.',
    }),
    feesIncluded: minorUnits('All fees, in the smallest sending unit; part of `totalSendingAmount`.', 0),
    platformFeesIncluded: Type.Optional(minorUnits('The platform’s part of `feesIncluded`.', 0)),
    paymentInstructions: Type.Optional(
      Type.Array(PaymentInstructions, {
        description:
          'Ways to pay in for a real-time quote; the first exact payment counts. Of a quote out of an embedded wallet: ' +
          'what its owner signs, and the address of the wallet.',
      }),
    ),
    transactionId: idOf('Transaction', { description: 'The transaction that was made with the quote.' }),
    counterpartyInformation: Type.Optional(anyFields('What the receiver’s provider told of the receiver.')),
    rateDetails: Type.Optional(OutgoingRateDetails),
    scaChallenge: Type.Optional(ScaChallenge),
  },
  { description: 'A payment at a fixed price, for a few minutes.' },
);

export type Quote = Static<typeof Quote>;

export const ExecuteQuoteRequest = component(
  'ExecuteQuoteRequest',
  { scaFactor: Type.Optional(ScaFactor) },
  { description: 'How a customer who authenticates strongly wants to do so.' },
);

export const QuoteScaFactorRequest = component(
  'QuoteScaFactorRequest',
  { scaFactor: ScaFactor },
  { description: 'By which factor the customer authorizes the payment instead; it must be enrolled.' },
);

export const ScaAuthorization = component(
  'ScaAuthorization',
  {
    ...PROOF_FIELDS,
    endUserIpAddress: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'The IPv4 or IPv6 address that the customer came from, for the audit log.',
        examples: ['203.0.113.7'],
      }),
    ),
  },
  { description: 'The customer’s answer to the challenge: a code or the assertion of a passkey, not both.' },
);
export type ScaAuthorization = Static<typeof ScaAuthorization>;

const OnChainTransaction = component(
  'OnChainTransaction',
  {
    transactionHash: Type.String({ description: 'The hash, as the network writes it.' }),
    network: CryptoNetwork,
  },
  { description: 'Where the transfer stands on its chain.' },
);

const AccountTransactionSource = component('AccountTransactionSource', {
  sourceType: oneOf(['ACCOUNT'], { description: 'An account of ours, or one outside.' }),
  currency: Type.Optional(currencyCode('What left it.')),
  accountId: accountId('The account.'),
  onChainTransaction: Type.Optional(OnChainTransaction),
});

const UmaAddressTransactionSource = component('UmaAddressTransactionSource', {
  sourceType: oneOf(['UMA_ADDRESS'], { description: 'Somebody with a UMA address.' }),
  currency: Type.Optional(currencyCode('What was sent.')),
  umaAddress: umaAddress('The sender.'),
});

const RealtimeFundingTransactionSource = component('RealtimeFundingTransactionSource', {
  sourceType: oneOf(['REALTIME_FUNDING'], { description: 'Money paid in.' }),
  customerId: Type.Optional(ownerId('For whom it was paid in.')),
  currency: currencyCode('What was paid in.'),
  accountHolderName: Type.Optional(Type.String({ description: 'Who paid, as the bank tells it.' })),
  accountIdentifier: Type.Optional(Type.String({ description: 'The account it came from, as far as told.' })),
  bankName: Type.Optional(Type.String({ description: 'The payer’s bank.' })),
  bankIdentifier: Type.Optional(Type.String({ description: 'What identifies that bank.' })),
  paymentRail: Type.Optional(railOf('Over which rail it came.')),
  remittanceInformation: Type.Optional(Type.String({ description: 'What the payer wrote.' })),
  endToEndId: Type.Optional(Type.String({ description: 'The payer’s own id of the payment.' })),
  traceNumber: Type.Optional(Type.String({ description: 'The rail’s id of the payment.' })),
  onChainTransaction: Type.Optional(OnChainTransaction),
});

const TransactionSource = tagged(
  'sourceType',
  [AccountTransactionSource, UmaAddressTransactionSource, RealtimeFundingTransactionSource],
  { description: 'Where the money comes from.' },
);

const AccountTransactionDestination = component('AccountTransactionDestination', {
  destinationType: oneOf(['ACCOUNT'], { description: 'An account of ours, or one outside.' }),
  currency: Type.Optional(currencyCode('What reaches it.')),
  accountId: accountId('The account.'),
  onChainTransaction: Type.Optional(OnChainTransaction),
});

const UmaAddressTransactionDestination = component('UmaAddressTransactionDestination', {
  destinationType: oneOf(['UMA_ADDRESS'], { description: 'Somebody with a UMA address.' }),
  currency: Type.Optional(currencyCode('What is received.')),
  umaAddress: umaAddress('The receiver.'),
});

const TransactionDestination = tagged(
  'destinationType',
  [AccountTransactionDestination, UmaAddressTransactionDestination],
  { description: 'Where the money goes.' },
);

const Refund = component(
  'Refund',
  {
    reference: Type.String({
      description: 'Names the refund on statements.',
      examples: ['SVC-7K2MQ4XA-REFUND'],
    }),
    initiatedAt: dateTime({ description: 'When it became due.' }),
    settledAt: Type.Optional(dateTime({ description: 'When the money was back.' })),
    status: oneOf(['PENDING', 'COMPLETED', 'FAILED'], {
      description: '`FAILED` is being seen to by people.',
    }),
    reason: Type.Optional(oneOf(REFUND_REASONS, { description: 'Why the money goes back.' })),
    amount: amountOf('What goes back: all that was taken, or what arrived instead of the amount asked for.'),
  },
  { description: 'Money that was taken and goes back: all of it, fees included.' },
);

const ReconciliationInstructions = component(
  'ReconciliationInstructions',
  {
    reference: Type.Optional(Type.String({ description: 'What to look for on a statement.' })),
    transactionHash: Type.Optional(
      Type.String({ deprecated: true, description: 'The same hash as in `onChainTransaction`.' }),
    ),
  },
  { minProperties: 1, description: 'How to find this payment elsewhere.' },
);

export const PaymentParty = component(
  'PaymentParty',
  {
    name: Type.Optional(Type.String({ description: 'The holder, as the account names it.' })),
    account: Type.String({
      description:
        'The number or address of the account: `****` and its last four characters. A UMA address is whole.',
      examples: ['****3000'],
    }),
  },
  { description: 'Who is on the other side of a payment.' },
);
export type PaymentParty = Static<typeof PaymentParty>;

/** Beyond the contract: of payments that agents ask for, so that people and models see what they are about. */
export const PARTIES = {
  payer: Type.Optional(PaymentParty),
  payee: Type.Optional(PaymentParty),
  memo: Type.Optional(
    Type.String({ description: 'In a payment that an agent asked for: the text that the payee reads.' }),
  ),
};

/** Beyond the contract (agents.md C.4.10). */
const ASKED = {
  executedAt: Type.Optional(
    dateTime({
      description: 'In a payment that an agent asked for: when it started. Absent: it has not started.',
    }),
  ),
  takenAt: Type.Optional(
    dateTime({
      description:
        'In a payment that an agent asked for: when the payer’s money was taken. Absent: nothing was taken. While the ' +
        'customer has to authorize the payment, `sentAmount` is on hold in an internal account.',
    }),
  ),
  ...PARTIES,
};
export type AskedPayment = Static<TObject<typeof ASKED>>;

/** What incoming and outgoing transactions have in common. */
const common = {
  id: idOf('Transaction', { description: 'Id of the transaction.' }),
  pendingReason: Type.Optional(
    oneOf(PENDING_REASONS, { description: 'What it waits for, while something blocks it.' }),
  ),
  direction: oneOf(['CREDIT', 'DEBIT'], { description: 'Whether money comes in or goes out.' }),
  destination: TransactionDestination,
  customerId: ownerId('Whose transaction it is: a customer, or the platform itself.'),
  platformCustomerId: Type.String({ description: 'The platform’s own reference of that customer.' }),
  settledAt: Type.Optional(dateTime({ description: 'When it was done.' })),
  createdAt: Type.Optional(dateTime({ description: 'When it came to be.' })),
  updatedAt: Type.Optional(dateTime({ description: 'When it last changed.' })),
  receiptDeliveryConfirmedAt: Type.Optional(
    dateTime({ description: 'When the platform says that it handed over the receipt.' }),
  ),
  agentId: Type.Optional(Type.String({ description: 'The agent that asked for it.' })),
  description: Type.Optional(Type.String({ description: 'What the platform noted.' })),
  exchangeRate: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      description: 'Sending units per receiving unit, in major units, without fees.',
    }),
  ),
  quoteId: Type.Optional(idOf('Quote', { description: 'The quote it was made with.' })),
  refund: Type.Optional(Refund),
  counterpartyInformation: Type.Optional(anyFields('What is known of whoever is on the other side.')),
  ...ASKED,
};

const incoming = {
  ...common,
  type: oneOf(['INCOMING'], { description: 'Money for a customer or the platform.' }),
  status: oneOf(TRANSACTION_STATUSES, { description: 'Where it stands.' }),
  source: Type.Optional(TransactionSource),
  sentAmount: Type.Optional(amountOf('What the sender sent, where that is known.')),
  receivedAmount: amountOf('What arrives.'),
  fees: Type.Optional(minorUnits('All fees, in the smallest sending unit.', 0)),
  reconciliationInstructions: Type.Optional(ReconciliationInstructions),
  failureReason: Type.Optional(oneOf(INCOMING_FAILURES, { description: 'Why it failed; on `FAILED` only.' })),
};

export const IncomingTransaction = component('IncomingTransaction', incoming, {
  description: 'A payment that brings money in.',
});

export const OutgoingTransaction = component(
  'OutgoingTransaction',
  {
    ...common,
    type: oneOf(['OUTGOING'], { description: 'Money that a customer or the platform sends.' }),
    status: oneOf(OUTGOING_STATUSES, { description: 'Where it stands.' }),
    source: TransactionSource,
    sentAmount: amountOf('All that is taken from the payer, fees included.'),
    receivedAmount: Type.Optional(amountOf('What the receiver gets.')),
    fees: Type.Optional(minorUnits('All fees, in the smallest sending unit.', 0)),
    platformFees: Type.Optional(minorUnits('The platform’s part of them.', 0)),
    reconciliationInstructions: Type.Optional(ReconciliationInstructions),
    paymentInstructions: Type.Optional(
      Type.Array(PaymentInstructions, {
        description: 'Ways to pay in for it, or to sign it: those of its quote.',
      }),
    ),
    rateDetails: Type.Optional(OutgoingRateDetails),
    failureReason: Type.Optional(
      oneOf(OUTGOING_FAILURES, { description: 'Why it failed; on `FAILED` only.' }),
    ),
    paymentRail: Type.Optional(
      nullable(railOf('The rail.'), 'Over which rail it goes out; null where the way is not a bank’s.'),
    ),
    railSelectionMode: Type.Optional(
      nullable(
        oneOf(['AUTO', 'MANUAL'], { description: 'Who chose.' }),
        'Whether the rail was chosen by the caller; null where there is none.',
      ),
    ),
    expectedSettlementAt: Type.Optional(
      nullable(dateTime({ description: 'When.' }), 'When it should arrive; null where that is at once.'),
    ),
    settlementTimelineSeconds: Type.Optional(
      nullable(
        Type.Integer({ description: 'Seconds.' }),
        'How long the rail takes; null where it is instant.',
      ),
    ),
  },
  { description: 'A payment that sends money.' },
);

export const CardMerchant = component(
  'CardMerchant',
  {
    descriptor: text(1, 255, { description: 'As it stands on the statement.', examples: ['CORNER BOOKS'] }),
    mcc: Type.Optional(text(1, 16, { description: 'Merchant category code.', examples: ['5942'] })),
    country: Type.Optional(text(1, 64, { description: 'Country of the merchant.', examples: ['US'] })),
    city: Type.Optional(text(1, 255, { description: 'City of the merchant.' })),
    state: Type.Optional(text(1, 255, { description: 'State or region of the merchant.' })),
  },
  { description: 'Who took the card.' },
);

export const CardTransaction = component(
  'CardTransaction',
  {
    type: oneOf(['CARD'], { description: 'A payment by card.' }),
    id: idOf('Transaction', { description: 'Id of the transaction.' }),
    cardId: Type.Optional(idOf('Card', { description: 'The card that paid.' })),
    customerId: ownerId('Whose card it is.'),
    platformCustomerId: Type.String({ description: 'The platform’s own reference of that customer.' }),
    issuerTransactionToken: Type.Optional(
      Type.String({ description: 'The issuer’s id of the transaction.' }),
    ),
    status: oneOf(['AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'DECLINED', 'EXCEPTION'], {
      description: 'Where it stands.',
    }),
    direction: oneOf(['CREDIT', 'DEBIT'], { description: 'Whether money comes in or goes out.' }),
    merchant: CardMerchant,
    authorizedAmount: amountOf('What the merchant asked for.'),
    settledAmount: Type.Optional(amountOf('What was settled so far.')),
    accountId: accountId('The account behind the card.'),
    authorizedAt: dateTime({ description: 'When the card was used.' }),
    createdAt: dateTime({ description: 'When the transaction came to be.' }),
    updatedAt: dateTime({ description: 'When it last changed.' }),
    description: Type.Optional(Type.String({ description: 'As it stands on the statement.' })),
    originalTransactionId: Type.Optional(
      idOf('Transaction', {
        description: 'Of a return: the purchase. Of a return that was taken back: the return.',
      }),
    ),
    cardDeclinedReason: Type.Optional(
      oneOf(
        [
          'CARD_NOT_ACTIVE',
          'SPEND_LIMIT_EXCEEDED',
          'INSUFFICIENT_FUNDS',
          'NO_ELIGIBLE_FUNDING_SOURCE',
          'BLOCKED',
          'UNSUPPORTED_NETWORK',
          'OTHER',
        ],
        { description: 'Why the card was declined.' },
      ),
    ),
  },
  { description: 'A payment by card.' },
);

export type CardTransaction = Static<typeof CardTransaction>;

export const TransactionOneOf = namedSchema(
  'TransactionOneOf',
  tagged('type', [IncomingTransaction, OutgoingTransaction, CardTransaction], {
    description: 'A transaction of any type; `type` says which fields there are.',
  }),
);

const Transaction = component(
  'Transaction',
  {
    type: oneOf(['INCOMING', 'OUTGOING'], { description: 'Which way the money goes.' }),
    status: oneOf(TRANSACTION_STATUSES, { description: 'Where it stands.' }),
  },
  { additionalProperties: true, description: 'What all payments have.' },
);

/** Where only one of them can come: that one, and as a payment like any other. */
export const IncomingPayment = Type.Intersect([Transaction, IncomingTransaction]);
export const OutgoingPayment = Type.Intersect([Transaction, OutgoingTransaction]);

export type IncomingTransaction = Static<typeof IncomingTransaction>;
export type OutgoingTransaction = Static<typeof OutgoingTransaction>;

function nullable<S extends TSchema>(schema: S, description: string) {
  return Type.Union([schema, Type.Null()], { description });
}
