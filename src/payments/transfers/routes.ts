import { type NamedOperation, operation } from '#http/operation.ts';
import { type FieldError, invalidFields } from '#lib/refusals.ts';
import { MOVEMENT_CODES } from '#payments/quotes/routes.ts';
import { TransactionOneOf } from '#payments/schemas.ts';
import { createTransfer } from '#payments/transfers/create-transfer.ts';
import { planTransferIn, planTransferOut } from '#payments/transfers/plan-transfer.ts';
import { resolveTransferIn, resolveTransferOut } from '#payments/transfers/resolve-transfer.ts';
import { TransferInRequest, TransferOutRequest } from '#payments/transfers/schemas.ts';

const idempotency = { key: 'optional', conflict: 'DUPLICATE_PAY_REQUEST' } as const;

const createTransferIn = operation('createTransferIn', {
  route: 'POST /transfer-in',
  area: 'Same-Currency Transfers',
  summary: 'Pull money from a bank account',
  description:
    'Use `POST /quotes` with `immediatelyExecute` instead. Collects an amount from an external bank account into ' +
    'an internal account of the same currency. The money is credited once it was collected.',
  deprecated: true,
  access: 'transact',
  idempotency,
  body: TransferInRequest,
  judgesBody: true,
  status: 201,
  reply: TransactionOneOf,
  codes: MOVEMENT_CODES,
  handle: async (work, { body, problems }) => {
    const request = readTransferIn(body, problems);
    return createTransfer(work, {
      plan: async (tx) => planTransferIn(tx, await resolveTransferIn(tx, request)),
    });
  },
});

const createTransferOut = operation('createTransferOut', {
  route: 'POST /transfer-out',
  area: 'Same-Currency Transfers',
  summary: 'Pay out of an internal account',
  description:
    'Use `POST /quotes` with `immediatelyExecute` instead. Pays an amount, or all that can be spent, to an ' +
    'external account of the same currency. The amount is debited with the call.',
  deprecated: true,
  access: 'transact',
  idempotency,
  body: TransferOutRequest,
  status: 201,
  reply: TransactionOneOf,
  codes: [
    ...MOVEMENT_CODES,
    'INSUFFICIENT_FUNDS',
    'TRANSACTION_SIZE_LIMIT_EXCEEDED',
    'DAILY_VOLUME_LIMIT_EXCEEDED',
  ],
  handle: (work, { body }) =>
    createTransfer(work, {
      plan: async (tx) => planTransferOut(tx, await resolveTransferOut(tx, body)),
      takesAll: body.amount === undefined,
    }),
});

/** money.md §5.2: how much to pull has to be said; told with the other bad fields. */
function readTransferIn(body: TransferInRequest, problems: readonly FieldError[]) {
  const { amount } = body;
  const isMissing = amount === undefined && !problems.some(({ field }) => field === 'amount');
  const errors = isMissing ? [...problems, { field: 'amount', message: 'is required' }] : problems;
  if (errors.length > 0 || amount === undefined) throw invalidFields(errors);
  return { ...body, amount };
}

export const transferOperations: NamedOperation[] = [createTransferIn, createTransferOut];
