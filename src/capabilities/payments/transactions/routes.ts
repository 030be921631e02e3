import { CREDIT, PURCHASE_CLEARED, RETURN, SECOND_CREDIT } from '#capabilities/card-transactions/examples.ts';
import {
  PAYMENT,
  PAYMENT_COMPLETED,
  PAYMENT_CONFIRMED,
  RECEIPT_REQUEST,
  REFUSED_RECEIPT,
  TRANSFER_CANCELLED,
  TRANSFER_OUT,
  UMA_RECEIPT,
} from '#capabilities/payments/examples.ts';
import { presentTransaction } from '#capabilities/payments/present-transaction.ts';
import { TransactionOneOf } from '#capabilities/payments/schemas.ts';
import { cancelTransaction } from '#capabilities/payments/transactions/cancel-transaction.ts';
import { confirmReceipt } from '#capabilities/payments/transactions/confirm-receipt.ts';
import {
  type DecisionParts,
  prepareApproval,
  prepareRejection,
} from '#capabilities/payments/transactions/decide-payment.ts';
import { listTransactions } from '#capabilities/payments/transactions/list-transactions.ts';
import {
  ApprovePaymentRequest,
  CancelTransactionRequest,
  ConfirmReceiptDeliveryRequest,
  DecidedPayment,
  RejectPaymentRequest,
  TransactionListResponse,
  TransactionQuery,
} from '#capabilities/payments/transactions/schemas.ts';
import {
  findAmong,
  lockPayment,
  type TransactionSource,
} from '#capabilities/payments/transactions/sources.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { EXAMPLE_IDS, exampleList } from '#foundation/lib/examples.ts';
import { notFound } from '#foundation/lib/refusals.ts';

const AREA = 'Transactions';
export const TRANSACTION_ID = {
  transactionId: { id: 'Transaction', missing: 'TRANSACTION_NOT_FOUND' },
} as const;

type Sources = readonly TransactionSource[];

const list = (sources: Sources) =>
  operation('listTransactions', {
    route: 'GET /transactions',
    area: AREA,
    summary: 'List transactions',
    description:
      'All transactions of the platform and its customers, newest first. Filters are combined with AND. A filter with ' +
      'an unknown id gives an empty page.',
    access: 'view',
    query: TransactionQuery,
    reply: TransactionListResponse,
    codes: ['INVALID_INPUT'],
    examples: {
      'Payments that a customer sent': {
        query: { customerId: EXAMPLE_IDS.ada, type: 'OUTGOING' },
        reply: exampleList(PAYMENT_CONFIRMED),
      },
      'Transactions of a card': {
        query: { type: 'CARD', cardId: EXAMPLE_IDS.card },
        reply: exampleList(SECOND_CREDIT, CREDIT, RETURN, PURCHASE_CLEARED),
      },
    },
    read: (tx, { query }) => listTransactions(tx, query, sources),
  });

const get = (sources: Sources) =>
  operation('getTransactionById', {
    route: 'GET /transactions/:transactionId',
    area: AREA,
    summary: 'Get a transaction',
    description: 'The current state of a transaction of any type.',
    access: 'view',
    params: TRANSACTION_ID,
    reply: TransactionOneOf,
    codes: [],
    examples: { 'Dollars to euros': { params: { transactionId: PAYMENT.id }, reply: PAYMENT_COMPLETED } },
    async read(tx, { params }) {
      const found = await findAmong(tx, sources, params.transactionId);
      return found ?? notFound('TRANSACTION_NOT_FOUND', 'Transaction');
    },
  });

const confirm = (sources: Sources) =>
  operation('confirmReceiptDelivery', {
    route: 'POST /transactions/:transactionId/confirm',
    area: AREA,
    summary: 'Confirm that a receipt was delivered',
    description:
      'Records when the customer got the receipt of a completed transaction. A later call overwrites it.',
    access: 'transact',
    params: TRANSACTION_ID,
    body: ConfirmReceiptDeliveryRequest,
    bodyOptional: true,
    reply: TransactionOneOf,
    codes: ['INVALID_INPUT', 'TRANSACTION_NOT_FOUND'],
    examples: {
      'A delivered receipt': {
        params: { transactionId: PAYMENT.id },
        body: RECEIPT_REQUEST,
        reply: PAYMENT_CONFIRMED,
      },
    },
    async write(tx, { params, body }) {
      const reason = 'Only payments have a receipt to confirm.';
      const row = await lockPayment(tx, params.transactionId, { sources, code: 'INVALID_INPUT', reason });
      const after = await confirmReceipt(tx, row, body?.receiptDeliveryConfirmedAt);
      return presentTransaction(tx, after, tx.now);
    },
  });

const approve = (parts: DecisionParts) =>
  operation('approvePendingPayment', {
    route: 'POST /transactions/:transactionId/approve',
    area: AREA,
    summary: 'Approve a pending payment',
    description:
      'Accepts an incoming UMA payment that waits for a decision. The deadline is five seconds after its offer, or ' +
      'five seconds after the webhook was answered with 202. The first decision counts.',
    access: 'transact',
    params: TRANSACTION_ID,
    body: ApprovePaymentRequest,
    bodyOptional: true,
    reply: DecidedPayment,
    codes: [
      'INVALID_INPUT',
      'MISSING_MANDATORY_USER_INFO',
      'TRANSACTION_NOT_FOUND',
      'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
    ],
    examples: { 'An accepted payment': { params: { transactionId: UMA_RECEIPT.id }, reply: UMA_RECEIPT } },
    prepare: (tx, { params, body }) =>
      prepareApproval(tx, parts, {
        id: params.transactionId,
        receiverInfo: body?.receiverCustomerInfo ?? {},
      }),
  });

const reject = (parts: DecisionParts) =>
  operation('rejectPendingPayment', {
    route: 'POST /transactions/:transactionId/reject',
    area: AREA,
    summary: 'Reject a pending payment',
    description: 'Refuses an incoming UMA payment that waits for a decision. The first decision counts.',
    access: 'transact',
    params: TRANSACTION_ID,
    body: RejectPaymentRequest,
    bodyOptional: true,
    reply: DecidedPayment,
    codes: ['INVALID_INPUT', 'TRANSACTION_NOT_FOUND', 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL'],
    examples: {
      'A refused payment': {
        params: { transactionId: REFUSED_RECEIPT.id },
        body: { reason: 'Unknown sender' },
        reply: { ...REFUSED_RECEIPT, status: 'REJECTED' },
      },
    },
    prepare: (tx, { params, body }) =>
      prepareRejection(tx, parts, { id: params.transactionId, reason: body?.reason }),
  });

const cancel = (sources: Sources) =>
  operation('cancelTransaction', {
    route: 'POST /transactions/:transactionId/cancel',
    area: AREA,
    summary: 'Cancel a transaction',
    description:
      'Cancels a payment over bank rails that has not settled. Money that was taken is refunded, fees included; the ' +
      'transaction becomes `COMPLETED` with the refund. A cancelled pull becomes `FAILED`.',
    access: 'transact',
    params: TRANSACTION_ID,
    body: CancelTransactionRequest,
    bodyOptional: true,
    reply: TransactionOneOf,
    codes: ['INVALID_INPUT', 'TRANSACTION_NOT_FOUND', 'TRANSACTION_NOT_CANCELLABLE'],
    examples: {
      'A payment over ACH': {
        params: { transactionId: TRANSFER_OUT.id },
        body: { reason: 'Entered twice' },
        reply: TRANSFER_CANCELLED,
      },
    },
    handle: (work, { params, body }) =>
      cancelTransaction(work, sources, { id: params.transactionId, reason: body?.reason }),
  });

/** Transactions, in contract order. */
export function transactionOperations(parts: DecisionParts) {
  const { sources } = parts;
  return [list(sources), get(sources), confirm(sources), approve(parts), reject(parts), cancel(sources)];
}
