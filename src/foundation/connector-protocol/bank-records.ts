import Type, { type Static } from 'typebox';
import {
  AccountFields,
  AccountType,
  Amount,
  Balance,
  Coordinates,
  Currency,
  checkValue,
  day,
  type Problem,
  SettlementAccountId,
  Side,
  words,
} from '#foundation/connector-protocol/values.ts';
import { component, idSchema, stringEnum } from '#foundation/http/schema.ts';
import { NAME_CHECK_STATUSES } from '#foundation/ports/name-check.ts';

/** Accounts, name checks and statements (connectors.md §7). */

export const AccountRequest = component('AccountRequest', 'An account to be opened.', {
  currency: Currency,
  accountTypes: Type.Array(AccountType, {
    minItems: 1,
    description: 'The types of coordinates that are needed.',
  }),
  holderName: words(200, 'The holder of the account.'),
  reference: words(100, 'A reference for payments into the account.'),
  platform: idSchema('Platform', { description: 'The platform that the account is for.' }),
});
export type AccountRequest = Static<typeof AccountRequest>;

export const ACCOUNT_STATES = ['PENDING', 'OPEN', 'REFUSED', 'CLOSED'] as const;

/** The members of an `ACCOUNT` event. */
export const ACCOUNT_EVENT = {
  accountId: words(100, 'The account, as in the path of its call.'),
  state: stringEnum(ACCOUNT_STATES, {
    description:
      '`PENDING`: not decided yet. `OPEN`: with `coordinates`. `REFUSED`. `CLOSED`: after `DELETE`.',
  }),
  coordinates: Type.Optional(Coordinates),
};

export const AccountReport = component('Account', 'An account as it is now.', ACCOUNT_EVENT);
export type AccountReport = Static<typeof AccountReport>;

/** An open account without coordinates is useless. */
export function checkAccount(value: unknown): readonly Problem[] {
  const problems = checkValue(AccountReport, value);
  if (problems.length > 0) return problems;
  const { state, coordinates } = value as AccountReport;
  const isBare = state === 'OPEN' && Object.keys(coordinates ?? {}).length === 0;
  return isBare ? [{ field: 'coordinates', message: 'is required of an open account' }] : [];
}

export const NameCheckRequest = component(
  'NameCheckRequest',
  'A name to be compared with that of an account’s holder.',
  {
    reference: words(100, 'The name of this check. The same one again gives the same result.'),
    accountType: AccountType,
    fields: AccountFields,
    name: words(200, 'The name that was submitted.'),
  },
);
export type NameCheckRequest = Static<typeof NameCheckRequest>;

/** The members of a result, in an answer and in an event. */
export const NAME_CHECK_RESULT = {
  reference: words(100, 'The name of the check.'),
  status: stringEnum(NAME_CHECK_STATUSES, {
    description: 'The result. `PENDING`: an event follows.',
  }),
  fullName: Type.Optional(words(200, 'The name of the holder, if the bank discloses it.')),
};

export const NameCheckReport = component('NameCheck', 'The result of a name check.', NAME_CHECK_RESULT);
export type NameCheckReport = Static<typeof NameCheckReport>;

const REFERENCES_MAX = 20;
/** More do not fit an answer anyway; a bank that speaks files gives as many in one statement. */
const LINES_MAX = 100_000;

const StatementLine = component('StatementLine', 'One movement on a settlement account.', {
  id: words(
    128,
    'The id of the line. It is unique in the statement, and the same in each statement that contains the line.',
  ),
  bookedOn: day('The day on which the bank booked it.'),
  valueOn: Type.Optional(day('The day from which it counts for interest.')),
  side: Side,
  amount: Amount,
  kind: stringEnum(['PAYMENT', 'RETURN', 'CHARGE', 'INTEREST', 'OTHER'], { description: 'What moved.' }),
  references: Type.Array(words(200, 'A reference of an order, a credit or a batch, or the bank’s own.'), {
    maxItems: REFERENCES_MAX,
    description: 'Everything that names the movement.',
  }),
  counterparty: Type.Optional(
    component('Counterparty', 'The other party, as far as the bank names it.', {
      name: Type.Optional(words(200, 'The name of the other party.')),
      account: Type.Optional(words(100, 'Its account.')),
    }),
  ),
  remittance: Type.Optional(words(500, 'The text of the payment.')),
});

export const Statement = component(
  'Statement',
  'The movements on one settlement account between two balances.',
  {
    id: words(128, 'The id of the statement, unique in the store.'),
    settlementAccount: SettlementAccountId,
    from: day('The first day.'),
    to: day('The last day.'),
    opening: Balance,
    closing: Balance,
    lines: Type.Array(StatementLine, {
      maxItems: LINES_MAX,
      description: 'Opening plus lines is closing, to the unit.',
    }),
  },
);
export type Statement = Static<typeof Statement>;

/** The fault of a statement; it is refused whole if its lines do not lead from opening to closing. */
export function checkStatement(value: unknown): readonly Problem[] {
  const problems = checkValue(Statement, value);
  if (problems.length > 0) return problems;
  const { opening, closing, lines, from, to } = value as Statement;
  const moved = lines.reduce(
    (sum, { side, amount }) => (side === 'CREDIT' ? sum + BigInt(amount) : sum - BigInt(amount)),
    BigInt(opening),
  );
  return [
    ...(moved === BigInt(closing)
      ? []
      : [{ field: 'closing', message: `must be ${moved}: opening plus lines` }]),
    ...(from <= to ? [] : [{ field: 'to', message: 'must not be before from' }]),
    ...(new Set(lines.map(({ id }) => id)).size === lines.length
      ? []
      : [{ field: 'lines', message: 'must have different ids' }]),
  ];
}
