import Type, { type Static } from 'typebox';
import { Rail } from '#foundation/connector-protocol/capabilities.ts';
import {
  AccountFields,
  AccountType,
  Amount,
  Country,
  Currency,
  checkValue,
  day,
  type Problem,
  Reference,
  SettlementAccountId,
  time,
  words,
} from '#foundation/connector-protocol/values.ts';
import { component, idSchema, stringEnum, tagged } from '#foundation/http/schema.ts';

/** Orders, and what a connector says about them (connectors.md §4). */

export const ORDER_STATES = [
  'RECEIVED',
  'HELD',
  'SENT',
  'SETTLED',
  'FAILED',
  'CANCELLED',
  'RETURNED',
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

export const REMITTANCE_MAX = 80;

const Address = Type.Record(Type.String(), Type.Unknown(), {
  description: 'An address as in the API of Corridor; only where `needs` asks for it.',
});

const party = {
  name: words(200, 'The full name of the person, or the legal name of the business.', 'Ada Lovelace'),
  country: Type.Optional(Country),
  accountId: Type.Optional(words(100, 'The internal account behind the order.')),
  address: Type.Optional(Address),
  birthDate: Type.Optional(day('The date of birth; only where `needs` asks for it.')),
  nationalId: Type.Optional(words(100, 'A national or tax number; only where `needs` asks for it.')),
};

export const Originator = component('Originator', 'The party in whose name money moves.', {
  type: stringEnum(['PERSON', 'BUSINESS', 'PLATFORM'], {
    description: 'A person, a business, or the platform itself.',
  }),
  ...party,
});

export const Beneficiary = component('Beneficiary', 'The holder of the other account, and that account.', {
  type: Type.Optional(
    stringEnum(['PERSON', 'BUSINESS'], { description: 'The kind of holder, where it is known.' }),
  ),
  name: Type.Optional(words(200, 'The name of the holder, where it is known.', 'Grace Hopper')),
  accountType: AccountType,
  fields: AccountFields,
  address: Type.Optional(Address),
  birthDate: Type.Optional(day('The date of birth; only where `needs` asks for it.')),
});

const common = {
  amount: Amount,
  currency: Currency,
  rail: Rail,
  settlementAccount: SettlementAccountId,
  platform: idSchema('Platform', { description: 'The platform that the order is for.' }),
  requestedAt: time('When the payment was requested.'),
};

const Payout = component('Payout', 'Money to be paid.', {
  kind: Type.Literal('PAYOUT'),
  ...common,
  originator: Originator,
  beneficiary: Beneficiary,
  purpose: Type.Optional(words(100, 'The purpose of the payment, as the API of Corridor names it.', 'GIFT')),
  remittance: Type.Optional(words(REMITTANCE_MAX, 'A text for the beneficiary.', 'Invoice 4711')),
});

const Collection = component('Collection', 'Money to be collected.', {
  kind: Type.Literal('COLLECTION'),
  ...common,
  debtor: Beneficiary,
  creditor: Originator,
  authorizedAt: time('When the debtor authorized the collection.'),
});

const Refund = component('Refund', 'Money that came in, to be sent back.', {
  kind: Type.Literal('REFUND'),
  ...common,
  of: words(128, 'The reference of the collection, or the `creditId` of the credit.'),
  beneficiary: Type.Optional(Beneficiary),
});

export const OrderBody = tagged('kind', [Payout, Collection, Refund], {
  description: 'An order. Every repetition has the same bytes.',
});
export type OrderBody = Static<typeof OrderBody>;

const report = {
  reference: Reference,
  state: stringEnum(ORDER_STATES, {
    description:
      '`RECEIVED`: recorded. `HELD`: under review. `SENT`: the bank has it. `SETTLED`: the money arrived. ' +
      '`FAILED` and `CANCELLED`: no money moved, and none will. `RETURNED`: all of it came back.',
  }),
  at: time('When the order reached this state.'),
  amount: Amount,
  currency: Currency,
  reason: Type.Optional(
    words(
      200,
      'Why an order failed: `ACCOUNT_CANNOT_RECEIVE`, `ACCOUNT_INVALID`, `COMPLIANCE_REJECTED`, ' +
        '`QUOTE_EXECUTION_FAILED`, or any other word.',
      'ACCOUNT_INVALID',
    ),
  ),
  expectedSettlementAt: Type.Optional(
    time('When the money is expected to arrive. Later the payment is overdue.'),
  ),
  bankReference: Type.Optional(words(200, 'The bank’s own name of the payment.')),
  transactionHash: Type.Optional(words(200, 'The transaction on a network.')),
};

/** The members of an answer about an order, which an `ORDER` event has too. */
export const ORDER_REPORT = report;

export const OrderReport = component('Order', 'An order as it is now.', {
  ...report,
  amount: Type.Optional(report.amount),
  currency: Type.Optional(report.currency),
});
export type OrderReport = Static<typeof OrderReport>;

/** An order that was cancelled before it came has no amount (connectors.md §4.9); every other one has. */
export function checkOrder(value: unknown): readonly Problem[] {
  const problems = checkValue(OrderReport, value);
  if (problems.length > 0 || (value as OrderReport).state === 'CANCELLED') return problems;
  return (['amount', 'currency'] as const)
    .filter((field) => (value as OrderReport)[field] === undefined)
    .map((field) => ({ field, message: 'is required' }));
}
