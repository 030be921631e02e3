import { TRANSFER_IN, TRANSFER_OUT } from '#capabilities/payments/examples.ts';
import { MOVEMENT_CODES } from '#capabilities/payments/quotes/routes.ts';
import { TransactionOneOf } from '#capabilities/payments/schemas.ts';
import { planTransfer, retryWithBalance } from '#capabilities/payments/transfers/create-transfer.ts';
import { TRANSFER_IN_REQUEST, TRANSFER_OUT_REQUEST } from '#capabilities/payments/transfers/examples.ts';
import {
  loadTransferIn,
  loadTransferOut,
  resolveTransferIn,
  resolveTransferOut,
} from '#capabilities/payments/transfers/resolve-transfer.ts';
import { TransferInRequest, TransferOutRequest } from '#capabilities/payments/transfers/schemas.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { type Code, type FieldError, invalidFields } from '#foundation/lib/refusals.ts';

const idempotency = { key: 'optional', conflict: 'DUPLICATE_PAY_REQUEST' } as const;

export const TRANSFER_OUT_CODES: readonly Code[] = [
  ...MOVEMENT_CODES,
  'SCA_SESSION_REQUIRED',
  'INSUFFICIENT_FUNDS',
  'TRANSACTION_SIZE_LIMIT_EXCEEDED',
  'DAILY_VOLUME_LIMIT_EXCEEDED',
];

const createTransferIn = operation('createTransferIn', {
  route: 'POST /transfer-in',
  area: 'Same-Currency Transfers',
  summary: 'Pull money from a bank account',
  description:
    'Use `POST /quotes` with `immediatelyExecute` instead. Collects an amount from an external bank account into ' +
    'an internal account of the same currency. The money is credited after it was collected.',
  deprecated: true,
  access: 'transact',
  idempotency,
  body: TransferInRequest,
  checksBody: true,
  status: 201,
  reply: TransactionOneOf,
  codes: MOVEMENT_CODES,
  examples: { 'From the customer’s own bank account': { body: TRANSFER_IN_REQUEST, reply: TRANSFER_IN } },
  async prepare(tx, { body, problems }) {
    const named = await loadTransferIn(tx, withAmount(body, problems));
    return planTransfer(tx, await resolveTransferIn(tx, named), 'INCOMING');
  },
});

const createTransferOut = operation('createTransferOut', {
  route: 'POST /transfer-out',
  area: 'Same-Currency Transfers',
  summary: 'Pay from an internal account',
  description:
    'Use `POST /quotes` with `immediatelyExecute` instead. Pays an amount, or the whole available balance, to an ' +
    'external account of the same currency. The amount is debited with the request.',
  deprecated: true,
  access: 'transact',
  idempotency,
  body: TransferOutRequest,
  status: 201,
  reply: TransactionOneOf,
  codes: TRANSFER_OUT_CODES,
  examples: { 'To the customer’s own bank account': { body: TRANSFER_OUT_REQUEST, reply: TRANSFER_OUT } },
  async prepare(tx, { body }) {
    const transfer = await resolveTransferOut(tx, await loadTransferOut(tx, body));
    const plan = planTransfer(tx, transfer, 'OUTGOING');
    return body.amount === undefined ? retryWithBalance(plan) : plan;
  },
});

/**
 * The amount is required for a pull (money.md §5.2), and for an agent. If it is missing, it is refused with the other
 * invalid fields.
 */
export function withAmount<Body extends { readonly amount?: number }>(
  body: Body,
  problems: readonly FieldError[],
): Body & { readonly amount: number } {
  const { amount } = body;
  const isMissing = amount === undefined && !problems.some(({ field }) => field === 'amount');
  const errors = isMissing ? [...problems, { field: 'amount', message: 'is required' }] : problems;
  if (errors.length > 0 || amount === undefined) throw invalidFields(errors);
  return { ...body, amount };
}

export const transferOperations = [createTransferIn, createTransferOut];
