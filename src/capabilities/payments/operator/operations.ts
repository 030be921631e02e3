import Type, { type Static } from 'typebox';
import { type ManualReport, settleByHand } from '#capabilities/payments/operator/settle-by-hand.ts';
import { shownStatus } from '#capabilities/payments/present-transaction.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { TRANSACTION_STATUSES } from '#capabilities/payments/statuses.ts';
import { TRANSACTION_ID } from '#capabilities/payments/transactions/routes.ts';
import type { TransactionSource } from '#capabilities/payments/transactions/sources.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import type { OperatorRule } from '#foundation/http/operator-rule.ts';
import { component, idSchema, operatorReason, stringEnum } from '#foundation/http/schema.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { PAYOUT_FAILURES } from '#foundation/ports/payments.ts';

const AREA = 'Payments';
const RULE: OperatorRule = { roles: ['treasury'], on: 'resource', two: 'amount', stepUp: true };

const BANK_REFERENCE = Type.Optional(
  Type.String({ maxLength: 255, description: 'The bank’s own reference, for later inquiries.' }),
);

const SettlePaymentRequest = component(
  'SettlePaymentRequest',
  'What the bank or the network reported about a payment that is paid out or collected.',
  {
    reason: operatorReason(),
    hash: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'The transaction’s hash on its chain, or between providers.',
      }),
    ),
    bankReference: BANK_REFERENCE,
  },
);

const FailPaymentRequest = component('FailPaymentRequest', 'Why a payment failed at its bank or network.', {
  reason: operatorReason(),
  failure: Type.Optional(
    stringEnum(PAYOUT_FAILURES, {
      description: 'Why a payout failed, as its platform sees it. Default: `QUOTE_EXECUTION_FAILED`.',
    }),
  ),
  bankReference: BANK_REFERENCE,
});

const ReturnPaymentRequest = component('ReturnPaymentRequest', 'A payout that came back.', {
  reason: operatorReason(),
  bankReference: BANK_REFERENCE,
});

const ReportedPayment = component('ReportedPayment', 'A payment after an operator’s report about it.', {
  id: idSchema('Transaction'),
  status: stringEnum(TRANSACTION_STATUSES, { description: 'Its status now.' }),
});

type Sources = readonly TransactionSource[];

const settle = (sources: Sources) =>
  operation('settlePayment', {
    route: 'POST /payments/:transactionId/settle',
    area: AREA,
    summary: 'Settle a payment by hand',
    description:
      'Marks the pending step of a payment as done, with the entries and events of a report by its rail: a collection, a ' +
      'payout, an arrival or a refund.',
    access: 'operator',
    operator: RULE,
    params: TRANSACTION_ID,
    body: SettlePaymentRequest,
    reply: ReportedPayment,
    codes: ['CONFLICT'],
    write: (tx, { params, body }) => report(tx, sources, { ...body, ...params, action: 'settle' }),
  });

const fail = (sources: Sources) =>
  operation('failPayment', {
    route: 'POST /payments/:transactionId/fail',
    area: AREA,
    summary: 'Fail a payment by hand',
    description:
      'Marks the pending step of a payment as failed. Money that was taken for it is refunded. Use it only if the bank or ' +
      'the network says for certain that no money moved.',
    access: 'operator',
    operator: RULE,
    params: TRANSACTION_ID,
    body: FailPaymentRequest,
    reply: ReportedPayment,
    codes: ['CONFLICT'],
    write: (tx, { params, body }) => report(tx, sources, { ...body, ...params, action: 'fail' }),
  });

const giveBack = (sources: Sources) =>
  operation('returnPayment', {
    route: 'POST /payments/:transactionId/return',
    area: AREA,
    summary: 'Return a payment by hand',
    description: 'Books that a bank returned a payout, which is then refunded, or reversed a collection.',
    access: 'operator',
    operator: RULE,
    params: TRANSACTION_ID,
    body: ReturnPaymentRequest,
    reply: ReportedPayment,
    codes: ['CONFLICT'],
    write: (tx, { params, body }) => report(tx, sources, { ...body, ...params, action: 'return' }),
  });

/** Reports about payments in place of their rails (operator.md §6). The command line calls the same function. */
export function paymentOperations({ sources }: { readonly sources: Sources }) {
  return [settle(sources), fail(sources), giveBack(sources)];
}

type Report = Pick<ManualReport, 'transactionId' | 'action' | 'reason' | 'failure' | 'bankReference'> & {
  readonly hash?: string | undefined;
};

async function report(tx: Tx, sources: Sources, { hash, ...told }: Report) {
  return presentReported(tx, await settleByHand(tx, sources, { ...told, transactionHash: hash }));
}

function presentReported(tx: Tx, row: TransactionRow): Static<typeof ReportedPayment> {
  return { id: publicId('Transaction', row.id), status: shownStatus(row, tx.now) };
}
