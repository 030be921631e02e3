import { hash } from 'node:crypto';
import type { IncomingTransaction, OutgoingTransaction, Quote } from '#capabilities/payments/schemas.ts';
import { WALLET_NOTES } from '#capabilities/payments/wallet-instructions.ts';
import type { ScaChallenge } from '#capabilities/sca/schemas.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import {
  EXAMPLE_IDS,
  EXAMPLE_TIME,
  exampleAmount,
  exampleCurrency,
  exampleOpaqueId,
  examplePayload,
  exampleTime,
} from '#foundation/lib/examples.ts';

/** The price of a payment that is converted by way of bitcoin (money.md §1.9). */
const rateDetails = (
  counterpartyMultiplier: number,
  svcApiMultiplier: number,
  svcApiVariableFeeAmount: number,
) => ({
  counterpartyMultiplier,
  counterpartyFixedFee: 0,
  svcApiMultiplier,
  svcApiFixedFee: 0,
  svcApiVariableFeeRate: 0.005,
  svcApiVariableFeeAmount,
});

const DOLLARS_TO_EUROS = [0.000110444177671, 8288.35] as const;
export const FROM_ADA = { sourceType: 'ACCOUNT', accountId: EXAMPLE_IDS.adaUsd } as const;
export const TO_JEAN = { destinationType: 'ACCOUNT', accountId: EXAMPLE_IDS.jeanEur } as const;

/** Created this many seconds into the story. */
const madeAfter = (seconds: number) => ({
  createdAt: exampleTime(seconds),
  updatedAt: exampleTime(seconds),
});

/** A quote that was requested this many seconds into the story. */
const quotedAfter = (seconds: number) => ({
  status: 'PENDING' as const,
  createdAt: exampleTime(seconds),
  expiresAt: exampleTime(seconds + 300),
});

/** Fields that are the same in all of Ada's quotes and transactions to Jean. */
const QUOTED_TO_JEAN = {
  destination: { ...TO_JEAN, paymentRail: 'SEPA' },
  receivingCurrency: exampleCurrency('EUR'),
  exchangeRate: 1.08695652,
  platformFeesIncluded: 0,
} satisfies Partial<Quote>;

const PAID_TO_JEAN = {
  type: 'OUTGOING',
  direction: 'DEBIT',
  customerId: EXAMPLE_IDS.ada,
  platformCustomerId: 'user-4711',
  destination: { ...TO_JEAN, currency: 'EUR' },
  exchangeRate: 1.08695652,
  platformFees: 0,
  paymentRail: 'SEPA',
  railSelectionMode: 'AUTO',
  expectedSettlementAt: null,
  settlementTimelineSeconds: null,
} satisfies Partial<OutgoingTransaction>;

export const QUOTE: Quote = {
  ...QUOTED_TO_JEAN,
  ...quotedAfter(0),
  id: EXAMPLE_IDS.quote,
  transactionId: EXAMPLE_IDS.payment,
  source: { ...FROM_ADA, customerId: EXAMPLE_IDS.ada },
  sendingCurrency: exampleCurrency('USD'),
  totalSendingAmount: 25_000,
  totalReceivingAmount: 22_885,
  feesIncluded: 125,
  rateDetails: rateDetails(...DOLLARS_TO_EUROS, 125),
};

export const PAYMENT: OutgoingTransaction = {
  ...PAID_TO_JEAN,
  ...madeAfter(0),
  id: EXAMPLE_IDS.payment,
  quoteId: EXAMPLE_IDS.quote,
  status: 'PENDING',
  description: 'Invoice 2026-17',
  source: { ...FROM_ADA, currency: 'USD' },
  sentAmount: exampleAmount(25_000, 'USD'),
  receivedAmount: exampleAmount(22_885, 'EUR'),
  fees: 125,
  rateDetails: rateDetails(...DOLLARS_TO_EUROS, 125),
};

export const FROM_EMMY = { sourceType: 'ACCOUNT', accountId: EXAMPLE_IDS.emmyUsd } as const;
export const TO_HILBERT = { destinationType: 'ACCOUNT', accountId: EXAMPLE_IDS.hilbertEur } as const;

/** A challenge to Emmy this many seconds into the story. */
const challengeAfter = (seconds: number, id: ScaChallenge['id'], purpose: string): ScaChallenge => ({
  id,
  expiresAt: exampleTime(seconds + 300),
  factor: 'SMS_OTP',
  availableFactors: ['SMS_OTP'],
  purpose,
});

/** Emmy, who needs strong authentication, pays Hilbert; not executed yet. */
export const EMMY_QUOTE: Quote = {
  ...QUOTE,
  ...quotedAfter(10),
  id: EXAMPLE_IDS.waitingQuote,
  transactionId: EXAMPLE_IDS.waitingPayment,
  source: { ...FROM_EMMY, customerId: EXAMPLE_IDS.emmy },
  destination: { ...TO_HILBERT, paymentRail: 'SEPA' },
};

/** Executed, and waiting for her authorization. */
export const WAITING_QUOTE: Quote = {
  ...EMMY_QUOTE,
  status: 'PENDING_AUTHORIZATION',
  scaChallenge: challengeAfter(10, EXAMPLE_IDS.waitingChallenge, 'PAYOUT'),
};

export const WAITING_PAYMENT: OutgoingTransaction = {
  ...PAYMENT,
  ...madeAfter(10),
  id: EXAMPLE_IDS.waitingPayment,
  quoteId: EXAMPLE_IDS.waitingQuote,
  status: 'PENDING_AUTHORIZATION',
  customerId: EXAMPLE_IDS.emmy,
  platformCustomerId: 'user-4712',
  source: { ...FROM_EMMY, currency: 'USD' },
  destination: { ...TO_HILBERT, currency: 'EUR' },
};

export const PAYMENT_COMPLETED: OutgoingTransaction = {
  ...PAYMENT,
  status: 'COMPLETED',
  settledAt: exampleTime(1),
  updatedAt: exampleTime(1),
};

const RECEIPT_AT = exampleTime(4);

export const RECEIPT_REQUEST = { receiptDeliveryConfirmedAt: RECEIPT_AT };

export const PAYMENT_CONFIRMED: OutgoingTransaction = {
  ...PAYMENT_COMPLETED,
  receiptDeliveryConfirmedAt: RECEIPT_AT,
  updatedAt: exampleTime(5),
};

export const UMA_QUOTE: Quote = {
  ...quotedAfter(5),
  id: EXAMPLE_IDS.umaQuote,
  transactionId: EXAMPLE_IDS.umaPayment,
  status: 'PROCESSING',
  source: { ...FROM_ADA, customerId: EXAMPLE_IDS.ada },
  destination: {
    destinationType: 'UMA_ADDRESS',
    umaAddress: '$success.mxn@sandbox.localhost',
    currency: 'MXN',
  },
  sendingCurrency: exampleCurrency('USD'),
  receivingCurrency: exampleCurrency('MXN'),
  totalSendingAmount: 2_914,
  totalReceivingAmount: 50_000,
  exchangeRate: 0.05797101,
  feesIncluded: 15,
  platformFeesIncluded: 0,
  counterpartyInformation: { FULL_NAME: 'Sandbox Receiver' },
  rateDetails: rateDetails(0.00207082833133, 8288.35, 15),
};

export const USDC_SOURCE = {
  sourceType: 'REALTIME_FUNDING',
  customerId: EXAMPLE_IDS.ada,
  currency: 'USDC',
} as const;

const usdcInstructions = (address: string): NonNullable<Quote['paymentInstructions']> => [
  {
    accountOrWalletInfo: { accountType: 'SOLANA_WALLET', address, assetType: 'USDC' },
    isPlatformAccount: false,
  },
];

const USDC_INSTRUCTIONS = usdcInstructions('BQh4r4GENWh6174TwrdfmK4uFKKuC7KUpouFVWperVte');

const USDC_TO_EUROS = rateDetails(0.000110444177671, 0.828835, 500_000);

export const USDC_QUOTE: Quote = {
  ...QUOTED_TO_JEAN,
  ...quotedAfter(5),
  id: EXAMPLE_IDS.usdcQuote,
  transactionId: EXAMPLE_IDS.usdcPayment,
  source: { ...USDC_SOURCE, cryptoNetwork: 'SOLANA' },
  sendingCurrency: exampleCurrency('USDC'),
  totalSendingAmount: 100_000_000,
  totalReceivingAmount: 9_154,
  feesIncluded: 500_000,
  paymentInstructions: USDC_INSTRUCTIONS,
  rateDetails: USDC_TO_EUROS,
};

const SOLANA_HASH =
  '5dpV9r2kzYKar4EzYvB6TQoqsgYy9A6Bya3U2HhNhYofPjPgUQgeP9dqiiVzLax5s1GED8gRMdDVw42ocsLcXJrP';

/** Authorized by Emmy, so it can be funded. */
export const EMMY_USDC_QUOTE: Quote = {
  ...USDC_QUOTE,
  ...quotedAfter(10),
  id: EXAMPLE_IDS.waitingUsdcQuote,
  transactionId: EXAMPLE_IDS.waitingUsdcPayment,
  source: { ...USDC_SOURCE, customerId: EXAMPLE_IDS.emmy, cryptoNetwork: 'SOLANA' },
  destination: { ...TO_HILBERT, paymentRail: 'SEPA' },
  paymentInstructions: usdcInstructions('9wFFyRfZBsuAha4YcuxcXLKwMxJR43S7fPfQLusDBzvT'),
};

/** Before the authorization: first the conversion waits for her, then the payout. */
const { paymentInstructions: _later, ...NOT_TO_BE_PAID_IN } = EMMY_USDC_QUOTE;

export const WAITING_USDC_QUOTE: Quote = {
  ...NOT_TO_BE_PAID_IN,
  status: 'PENDING_AUTHORIZATION',
  scaChallenge: challengeAfter(10, EXAMPLE_IDS.conversionChallenge, 'CURRENCY_CONVERSION'),
};

export const CONVERTED_USDC_QUOTE: Quote = {
  ...WAITING_USDC_QUOTE,
  scaChallenge: challengeAfter(10, EXAMPLE_IDS.payoutChallenge, 'PAYOUT'),
};

/** Another quote of hers. She has an authenticator app and does not authorize it. */
const UNWANTED_QUOTE: Quote = {
  ...NOT_TO_BE_PAID_IN,
  id: EXAMPLE_IDS.unwantedQuote,
  transactionId: EXAMPLE_IDS.unwantedPayment,
  status: 'PENDING_AUTHORIZATION',
};

const unwantedChallenge = (id: ScaChallenge['id'], factor: ScaChallenge['factor']): ScaChallenge => ({
  ...challengeAfter(10, id, 'CURRENCY_CONVERSION'),
  factor,
  availableFactors: ['SMS_OTP', 'TOTP'],
});

export const ASKED_QUOTE: Quote = {
  ...UNWANTED_QUOTE,
  scaChallenge: unwantedChallenge(EXAMPLE_IDS.unwantedChallenge, 'SMS_OTP'),
};

/** The challenge was moved to the app. */
export const MOVED_QUOTE: Quote = {
  ...UNWANTED_QUOTE,
  scaChallenge: unwantedChallenge(EXAMPLE_IDS.movedChallenge, 'TOTP'),
};

export const CANCELLED_QUOTE: Quote = { ...UNWANTED_QUOTE, status: 'FAILED' };

/** After the USDC arrived. */
export const USDC_PAYMENT: OutgoingTransaction = {
  ...PAID_TO_JEAN,
  ...madeAfter(5),
  id: EXAMPLE_IDS.usdcPayment,
  quoteId: EXAMPLE_IDS.usdcQuote,
  status: 'PROCESSING',
  source: { ...USDC_SOURCE, onChainTransaction: { transactionHash: SOLANA_HASH, network: 'SOLANA' } },
  sentAmount: exampleAmount(100_000_000, 'USDC'),
  receivedAmount: exampleAmount(9_154, 'EUR'),
  fees: 500_000,
  reconciliationInstructions: { reference: 'SVC-QXCIOD375', transactionHash: SOLANA_HASH },
  paymentInstructions: USDC_INSTRUCTIONS,
  rateDetails: USDC_TO_EUROS,
};

export const FROM_WALLET = { sourceType: 'ACCOUNT', accountId: EXAMPLE_IDS.adaUsdb } as const;

/** The terms that Ada signs (wallets.md §3.8). */
const WALLET_TERMS = {
  destination: EXAMPLE_IDS.jeanEur,
  quoteId: EXAMPLE_IDS.walletQuote,
  receivingCurrency: 'EUR',
  sendingCurrency: 'USDB',
  totalReceivingAmount: 1_830,
  totalSendingAmount: 20_000_000,
};

export const WALLET_QUOTE: Quote = {
  ...QUOTED_TO_JEAN,
  ...quotedAfter(9),
  id: EXAMPLE_IDS.walletQuote,
  transactionId: EXAMPLE_IDS.walletPayment,
  source: { ...FROM_WALLET, customerId: EXAMPLE_IDS.ada },
  sendingCurrency: exampleCurrency('USDB'),
  totalSendingAmount: WALLET_TERMS.totalSendingAmount,
  totalReceivingAmount: WALLET_TERMS.totalReceivingAmount,
  feesIncluded: 100_000,
  paymentInstructions: [
    {
      instructionsNotes: WALLET_NOTES.sign,
      accountOrWalletInfo: {
        accountType: 'EMBEDDED_WALLET',
        payloadToSign: examplePayload(10, {
          type: 'SIGN_TRANSACTION_V2',
          parameters: {
            signWith: exampleOpaqueId('wallet', EXAMPLE_IDS.adaUsdb),
            type: 'TRANSACTION_TYPE_WALLET',
            unsignedTransaction: hash('sha256', canonicalJson(WALLET_TERMS)),
          },
        }),
      },
      isPlatformAccount: false,
    },
    {
      instructionsNotes: WALLET_NOTES.address,
      accountOrWalletInfo: {
        accountType: 'SPARK_WALLET',
        address: 'sparkt1pgss9hl8n9t387qxx0mmy2mhghayx622asq2qazvg093330mftkj5m7lqscchz',
        assetType: 'USDB',
      },
      isPlatformAccount: false,
    },
  ],
  rateDetails: rateDetails(0.000110444177671, 0.828835, 100_000),
};

export const BANK_SOURCE = {
  sourceType: 'REALTIME_FUNDING',
  customerId: EXAMPLE_IDS.ada,
  currency: 'USD',
} as const;

const BANK_INSTRUCTIONS = [
  {
    accountOrWalletInfo: {
      accountType: 'USD_ACCOUNT',
      accountNumber: '447879690869',
      routingNumber: '110000000',
      bankName: 'Sandbox Bank',
      bankAddress: '1 Sandbox Plaza, New York, NY 10001, US',
      accountHolderName: 'Svc FBO Ada Lovelace',
      paymentRails: ['RTP', 'FEDNOW'],
      reference: 'SVC-Q4TQ7ZS4V',
    },
    isPlatformAccount: false,
  },
] satisfies Quote['paymentInstructions'];

export const BANK_QUOTE: Quote = {
  ...QUOTED_TO_JEAN,
  ...quotedAfter(5),
  id: EXAMPLE_IDS.wrongQuote,
  transactionId: EXAMPLE_IDS.wrongPayment,
  source: BANK_SOURCE,
  sendingCurrency: exampleCurrency('USD'),
  totalSendingAmount: 10_925,
  totalReceivingAmount: 10_000,
  feesIncluded: 55,
  paymentInstructions: BANK_INSTRUCTIONS,
  rateDetails: rateDetails(...DOLLARS_TO_EUROS, 55),
};

/** Too little arrived: the payment fails, and the funds are refunded. */
export const WRONG_PAYMENT: OutgoingTransaction = {
  ...PAID_TO_JEAN,
  ...madeAfter(5),
  id: EXAMPLE_IDS.wrongPayment,
  quoteId: EXAMPLE_IDS.wrongQuote,
  status: 'FAILED',
  failureReason: 'FUNDING_AMOUNT_MISMATCH',
  source: BANK_SOURCE,
  sentAmount: exampleAmount(10_925, 'USD'),
  receivedAmount: exampleAmount(10_000, 'EUR'),
  fees: 55,
  reconciliationInstructions: { reference: 'SVC-Q4TQ7ZS4V' },
  paymentInstructions: BANK_INSTRUCTIONS,
  rateDetails: rateDetails(...DOLLARS_TO_EUROS, 55),
};

/** A refund of this amount, this many seconds into the story. */
const refund = (
  reference: string,
  amount: number,
  seconds: number,
  reason = 'TRANSACTION_FAILED' as const,
) => ({
  reference,
  initiatedAt: exampleTime(seconds),
  status: 'PENDING' as const,
  reason,
  amount: exampleAmount(amount, 'USD'),
});

const settled = (seconds: number) => ({ status: 'COMPLETED' as const, settledAt: exampleTime(seconds) });

export const WRONG_REFUND = refund('SVC-Q4TQ7ZS4V-REFUND', 10_000, 5);

export const WRONG_PAYMENT_REFUNDING: OutgoingTransaction = { ...WRONG_PAYMENT, refund: WRONG_REFUND };

export const WRONG_PAYMENT_REFUNDED: OutgoingTransaction = {
  ...WRONG_PAYMENT,
  updatedAt: exampleTime(6),
  refund: { ...WRONG_REFUND, ...settled(6) },
};

export const FIXED_EUROS_QUOTE: Quote = {
  ...QUOTED_TO_JEAN,
  ...quotedAfter(15),
  id: EXAMPLE_IDS.lateQuote,
  transactionId: EXAMPLE_IDS.latePayment,
  source: { ...FROM_ADA, customerId: EXAMPLE_IDS.ada },
  sendingCurrency: exampleCurrency('USD'),
  totalSendingAmount: 1_092,
  totalReceivingAmount: 1_000,
  feesIncluded: 5,
  rateDetails: rateDetails(...DOLLARS_TO_EUROS, 5),
};

export const LATE_PAYMENT: OutgoingTransaction = {
  ...PAID_TO_JEAN,
  id: EXAMPLE_IDS.latePayment,
  quoteId: EXAMPLE_IDS.lateQuote,
  status: 'EXPIRED',
  createdAt: exampleTime(15),
  updatedAt: exampleTime(315),
  source: { ...FROM_ADA, currency: 'USD' },
  sentAmount: exampleAmount(1_092, 'USD'),
  receivedAmount: exampleAmount(1_000, 'EUR'),
  fees: 5,
  rateDetails: rateDetails(...DOLLARS_TO_EUROS, 5),
};

/** Fields that are the same in all payments into Ada's account. */
const INTO_ADA = {
  type: 'INCOMING',
  direction: 'CREDIT',
  status: 'PENDING',
  customerId: EXAMPLE_IDS.ada,
  platformCustomerId: 'user-4711',
  destination: { destinationType: 'ACCOUNT', currency: 'USD', accountId: EXAMPLE_IDS.adaUsd },
  exchangeRate: 1,
  fees: 0,
} satisfies Partial<IncomingTransaction>;

const amounts = (amount: number) => ({
  sentAmount: exampleAmount(amount, 'USD'),
  receivedAmount: exampleAmount(amount, 'USD'),
});

export const TRANSFER_IN: IncomingTransaction = {
  ...INTO_ADA,
  ...madeAfter(5),
  ...amounts(12_550),
  id: EXAMPLE_IDS.transferIn,
  source: { sourceType: 'ACCOUNT', currency: 'USD', accountId: EXAMPLE_IDS.adaBank },
};

/** Sandbox money, without a sender. */
export const FUNDING: IncomingTransaction = {
  ...INTO_ADA,
  ...madeAfter(0),
  ...amounts(100_000),
  id: EXAMPLE_IDS.funding,
  status: 'COMPLETED',
  settledAt: EXAMPLE_TIME,
  source: { sourceType: 'REALTIME_FUNDING', currency: 'USD' },
};

export const TRANSFER_OUT: OutgoingTransaction = {
  ...madeAfter(5),
  ...amounts(2_500),
  id: EXAMPLE_IDS.transferOut,
  type: 'OUTGOING',
  direction: 'DEBIT',
  status: 'PENDING',
  customerId: EXAMPLE_IDS.ada,
  platformCustomerId: 'user-4711',
  source: { ...FROM_ADA, currency: 'USD' },
  destination: { destinationType: 'ACCOUNT', currency: 'USD', accountId: EXAMPLE_IDS.adaBank },
  exchangeRate: 1,
  fees: 0,
  platformFees: 0,
  paymentRail: 'ACH',
  railSelectionMode: 'MANUAL',
  expectedSettlementAt: exampleTime(86_405),
  settlementTimelineSeconds: 86_400,
};

export const TRANSFER_CANCELLED: OutgoingTransaction = {
  ...TRANSFER_OUT,
  status: 'PROCESSING',
  refund: { ...refund('SVC-7K2MQ4XA-REFUND', 2_500, 5), reason: 'USER_CANCELLATION' },
};

/** A payment from another provider's user, before the platform has decided on it. */
export const receiptFrom = (
  umaAddress: string,
  id: IncomingTransaction['id'],
  amount: number,
): IncomingTransaction => ({
  ...INTO_ADA,
  ...madeAfter(10),
  ...amounts(amount),
  id,
  counterpartyInformation: { FULL_NAME: 'Sandbox Sender' },
  source: { sourceType: 'UMA_ADDRESS', currency: 'USD', umaAddress },
});

export const UMA_SENDER = '$success.usd@sandbox.localhost';
export const REVIEWED_SENDER = '$fail.compliance.usd@sandbox.localhost';

export const UMA_RECEIPT = receiptFrom(UMA_SENDER, EXAMPLE_IDS.umaReceipt, 5_000);
export const REFUSED_RECEIPT = receiptFrom(UMA_SENDER, EXAMPLE_IDS.refusedReceipt, 7_500);
export const REVIEWED_RECEIPT = receiptFrom(REVIEWED_SENDER, EXAMPLE_IDS.failedReceipt, 9_900);

export const REVIEWED_RECEIPT_FAILED: IncomingTransaction = {
  ...REVIEWED_RECEIPT,
  status: 'FAILED',
  failureReason: 'COMPLIANCE_REJECTED',
  updatedAt: exampleTime(11),
};

export const RECEIPT_REFUND = refund('SVC-I5VDBX2G-REFUND', 9_900, 11);

export const RECEIPT_REFUNDING: IncomingTransaction = { ...REVIEWED_RECEIPT_FAILED, refund: RECEIPT_REFUND };

export const RECEIPT_REFUNDED: IncomingTransaction = {
  ...REVIEWED_RECEIPT_FAILED,
  updatedAt: exampleTime(12),
  refund: { ...RECEIPT_REFUND, ...settled(12) },
};
