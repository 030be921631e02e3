import Type, { type Static } from 'typebox';
import { bookDeposit, type DepositToBook } from '#capabilities/payments/operator/book-deposit.ts';
import { resolveSuspense, type SuspenseTarget } from '#capabilities/payments/operator/resolve-suspense.ts';
import { type ManualReport, settleByHand } from '#capabilities/payments/operator/settle-by-hand.ts';
import { writeOff } from '#capabilities/payments/operator/write-off.ts';
import { shownStatus } from '#capabilities/payments/present-transaction.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { TRANSACTION_STATUSES } from '#capabilities/payments/statuses.ts';
import { TRANSACTION_ID } from '#capabilities/payments/transactions/routes.ts';
import type { TransactionSource } from '#capabilities/payments/transactions/sources.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { operatorChange } from '#foundation/http/declare/operator-change.ts';
import { component, idSchema, stringEnum } from '#foundation/http/schema.ts';
import { parseId, publicId } from '#foundation/lib/ids.ts';
import { isObject } from '#foundation/lib/is-object.ts';
import { AMOUNT_MAX } from '#foundation/lib/money.ts';
import { invalidFields, Refusal } from '#foundation/lib/refusals.ts';
import { PAYOUT_FAILURES } from '#foundation/ports/payments.ts';
import { masked } from '#foundation/records/mask.ts';

/** The words that the reports about a payment share. */
const REPORT = {
  area: 'Payments',
  roles: ['treasury'],
  two: 'amount',
  asksFirst: true,
  params: TRANSACTION_ID,
  codes: ['CONFLICT'],
} as const;

/** The words of what finance books by hand. */
const BOOKING = { area: 'Money by hand', roles: ['finance'], asksFirst: true } as const;

const bankReference = Type.Optional(
  masked(
    'number',
    Type.String({ maxLength: 255, description: 'The bank’s own reference, for later inquiries.' }),
  ),
);
const currency = masked('none', Type.String({ maxLength: 40, description: 'Its currency, such as `EUR`.' }));
const despiteConnector = Type.Optional(
  masked('none', Type.Boolean({ description: 'Also if an order for the payment is open at a connector.' })),
);
const minorUnits = (description: string) =>
  masked('none', Type.Integer({ minimum: 1, maximum: Number(AMOUNT_MAX), description }));

const ReportedPayment = component('ReportedPayment', 'A payment after an operator’s report about it.', {
  id: idSchema('Transaction'),
  status: stringEnum(TRANSACTION_STATUSES, { description: 'Its status now.' }),
});

type Sources = readonly TransactionSource[];

/** What operators do with payments and their money (operator.md §6). The commands call the same functions. */
export function paymentOperations({ sources }: { readonly sources: Sources }) {
  return [
    ...reports(sources),
    ...[bookDepositByHand, resolveSuspenseByHand, writeOffOfCustomer, writeOffOfPlatform],
  ];
}

function reports(sources: Sources) {
  return [settlePayment(sources), failPayment(sources), returnPayment(sources)];
}

const BookedDeposit = component('BookedDeposit', 'A deposit that was booked by hand.', {
  id: idSchema('Transaction'),
  status: stringEnum(TRANSACTION_STATUSES, { description: 'Its status now.' }),
  isNew: Type.Boolean({ description: 'Whether it was booked now; otherwise nothing was done.' }),
});

const settlePayment = (sources: Sources) =>
  operatorChange('settlePayment', {
    ...REPORT,
    route: 'POST /payments/:transactionId/settle',
    summary: 'Settle a payment by hand',
    description:
      'Marks the pending step of a payment as done, with the entries and events of a report by its rail: a collection, a ' +
      'payout, an arrival or a refund.',
    fields: {
      hash: Type.Optional(
        masked(
          'none',
          Type.String({
            maxLength: 255,
            description: 'The transaction’s hash on its chain, or between providers.',
          }),
        ),
      ),
      ...{ bankReference, despiteConnector },
    },
    reply: ReportedPayment,
    change: (tx, { params, body: { hash: transactionHash, ...told } }) =>
      report(tx, sources, { ...params, action: 'settle', transactionHash, ...told }),
  });

const failPayment = (sources: Sources) =>
  operatorChange('failPayment', {
    ...REPORT,
    route: 'POST /payments/:transactionId/fail',
    summary: 'Fail a payment by hand',
    description:
      'Marks the pending step of a payment as failed. Money that was taken for it is refunded. Use it only if the bank or ' +
      'the network says for certain that no money moved.',
    fields: {
      failure: Type.Optional(
        masked(
          'none',
          stringEnum(PAYOUT_FAILURES, {
            description: 'Why a payout failed, as its platform sees it. Default: `QUOTE_EXECUTION_FAILED`.',
          }),
        ),
      ),
      ...{ bankReference, despiteConnector },
    },
    reply: ReportedPayment,
    change: (tx, { params, body }) => report(tx, sources, { ...params, action: 'fail', ...body }),
  });

const returnPayment = (sources: Sources) =>
  operatorChange('returnPayment', {
    ...REPORT,
    route: 'POST /payments/:transactionId/return',
    summary: 'Return a payment by hand',
    description: 'Books that a bank returned a payout, which is then refunded, or reversed a collection.',
    fields: { bankReference },
    reply: ReportedPayment,
    change: (tx, { params, body: { reason, bankReference: reference } }) =>
      report(tx, sources, { ...params, action: 'return', reason, bankReference: reference }),
  });

async function report(tx: Tx, sources: Sources, told: ManualReport) {
  return presentReported(tx, await settleByHand(tx, sources, told));
}

function presentReported(tx: Tx, row: TransactionRow): Static<typeof ReportedPayment> {
  return { id: publicId('Transaction', row.id), status: shownStatus(row, tx.now) };
}

const bookDepositByHand = operatorChange('bookDeposit', {
  ...BOOKING,
  route: 'POST /internal-accounts/:accountId/deposits',
  summary: 'Book a deposit by hand',
  description:
    'Credits an account with money that reached the bank and that nothing reported, once for each reference of the bank. ' +
    'If the account cannot be credited, the money is booked to suspense, and the refusal says so.',
  two: 'amount',
  // The same deposit must not be proposed for two accounts.
  subject: ({ body }) => (isObject(body) ? String(body.bankReference) : undefined),
  params: { accountId: { id: 'InternalAccount', missing: 'ACCOUNT_NOT_FOUND' } },
  fields: {
    amount: minorUnits('How much, in the smallest unit of the currency.'),
    currency,
    sender: masked(
      'name',
      Type.String({ maxLength: 255, description: 'The payer’s name on the bank’s statement.' }),
    ),
    bankReference: masked(
      'number',
      Type.String({
        maxLength: 255,
        description: 'The bank’s own reference. One reference is one deposit.',
      }),
    ),
    rail: Type.Optional(
      masked(
        'none',
        Type.String({
          maxLength: 40,
          default: 'BANK_TRANSFER',
          description: 'The rail over which it came, such as `SEPA`.',
        }),
      ),
    ),
  },
  reply: BookedDeposit,
  codes: ['CONFLICT', 'INVALID_CURRENCY'],
  async change(tx, { params, body: { amount, rail = 'BANK_TRANSFER', ...told } }) {
    const wanted: DepositToBook = { ...told, ...params, rail, amount: BigInt(amount) };
    const booked = await bookDeposit(tx, wanted);
    if (booked instanceof Refusal) return booked;
    return { ...presentReported(tx, booked.row), isNew: booked.isNew };
  },
});

const ResolvedSuspense = component('ResolvedSuspense', 'Money that left suspense.', {
  entry: idSchema('JournalEntry', { description: 'The entry that had booked it to suspense.' }),
  amount: Type.Integer({ description: 'How much, in the smallest unit.' }),
  currency,
});

const resolveSuspenseByHand = operatorChange('resolveSuspense', {
  ...BOOKING,
  route: 'POST /suspense/:entryId/resolve',
  summary: 'Resolve money in suspense',
  description: 'Credits an account with the money, or records that it was paid out by hand over a rail.',
  two: 'amount',
  params: { entryId: { id: 'JournalEntry', missing: 'REFERENCE_NOT_FOUND' } },
  fields: {
    to: Type.Optional(masked('none', idSchema('InternalAccount', { description: 'The account to credit.' }))),
    rail: Type.Optional(
      masked('none', Type.String({ maxLength: 40, description: 'Or the rail over which it was paid out.' })),
    ),
  },
  reply: ResolvedSuspense,
  codes: ['CONFLICT', 'ACCOUNT_NOT_FOUND'],
  async change(tx, { params: { entryId }, body: { reason, ...told } }) {
    const { amount, currency } = await resolveSuspense(tx, { entryId, target: readTarget(told), reason });
    return { entry: publicId('JournalEntry', entryId), amount: Number(amount), currency };
  },
});

function readTarget({ to, rail }: { to?: string; rail?: string }): SuspenseTarget {
  const accountId = to === undefined ? undefined : parseId('InternalAccount', to);
  if (accountId !== undefined && rail === undefined) return { accountId };
  if (rail !== undefined && to === undefined) return { rail };
  throw invalidFields([{ field: 'to', message: 'give either the account to credit or a rail' }]);
}

const RemainingDebt = component('RemainingDebt', 'A debt after a part of it was given up.', {
  left: Type.Integer({ description: 'The amount still owed, in the smallest unit.' }),
  currency,
});

const WRITE_OFF = {
  ...BOOKING,
  two: 'always',
  summary: 'Write off a debt',
  fields: {
    currency,
    amount: Type.Optional(minorUnits('How much, in the smallest unit; by default all of it.')),
  },
  reply: RemainingDebt,
  codes: ['CONFLICT'],
} as const;

const writeOffOfCustomer = operatorChange('writeOffDebtOfCustomer', {
  ...WRITE_OFF,
  route: 'POST /customers/:customerId/debts/write-off',
  description: 'Gives up what a customer owes in a currency, or a part of it, at the service’s own cost.',
  params: { customerId: { id: 'Customer', missing: 'CUSTOMER_NOT_FOUND' } },
  change: (tx, { params, body }) => giveUp(tx, params.customerId, body),
});

const writeOffOfPlatform = operatorChange('writeOffDebtOfPlatform', {
  ...WRITE_OFF,
  route: 'POST /platforms/:platformId/debts/write-off',
  description: 'Gives up what a platform owes in a currency, or a part of it, at the service’s own cost.',
  params: { platformId: { id: 'Platform', missing: 'PLATFORM_NOT_FOUND' } },
  change: (tx, { params, body }) => giveUp(tx, params.platformId, body),
});

async function giveUp(
  tx: Tx,
  ownerId: CustomerId | PlatformId,
  { currency, amount, reason }: { currency: string; amount?: number; reason: string },
) {
  const wanted = amount === undefined ? undefined : BigInt(amount);
  const left = await writeOff(tx, { ownerId, currency, amount: wanted, reason });
  return { left: Number(left), currency };
}
