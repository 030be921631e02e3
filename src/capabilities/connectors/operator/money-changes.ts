import Type from 'typebox';
import { assignCredit } from '#capabilities/connectors/credits/assign-credit.ts';
import { bookOrder, ORDER_OUTCOMES } from '#capabilities/connectors/credits/book-order.ts';
import { setOwner } from '#capabilities/connectors/credits/set-owner.ts';
import { takeBack } from '#capabilities/connectors/credits/take-back.ts';
import { ABOUT_CONNECTOR, BREAK_PARAMS } from '#capabilities/connectors/operator/schemas.ts';
import { shownStatus } from '#capabilities/payments/present-transaction.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { TRANSACTION_STATUSES } from '#capabilities/payments/statuses.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { operatorChange } from '#foundation/http/declare/operator-change.ts';
import { component, idSchema, stringEnum } from '#foundation/http/schema.ts';
import { parseId, publicId } from '#foundation/lib/ids.ts';
import { isObject } from '#foundation/lib/is-object.ts';
import { invalidFields } from '#foundation/lib/refusals.ts';
import { masked } from '#foundation/records/mask.ts';

/** The common parts of bookings by which finance resolves a break. */
const BOOKING = { area: 'Connectors', roles: ['finance'], asksFirst: true } as const;

const BookedBreak = component('BookedBreak', 'A payment after a break about it was booked.', {
  id: idSchema('Transaction'),
  status: stringEnum(TRANSACTION_STATUSES, { description: 'Its status now.' }),
});

function presentBooked(tx: Tx, row: TransactionRow) {
  return { id: publicId('Transaction', row.id), status: shownStatus(row, tx.now) };
}

const bookBreak = operatorChange('bookBreak', {
  ...BOOKING,
  route: 'POST /breaks/:breakId/book',
  summary: 'Book what a break is about',
  description:
    'Books what the bank says about an order, at the settlement account of the order, and closes the break. No order of the ' +
    'payment is sent from then on.',
  two: 'amount',
  params: BREAK_PARAMS,
  fields: {
    outcome: masked(
      'none',
      stringEnum(ORDER_OUTCOMES, {
        description:
          'What the bank says: `settled`, the money moved; `failed`, it did not and will not; `returned`, it came back.',
      }),
    ),
  },
  reply: BookedBreak,
  codes: ['CONFLICT'],
  change: async (tx, { params, body }) => presentBooked(tx, await bookOrder(tx, { ...params, ...body })),
});

const assignBreak = operatorChange('assignBreak', {
  ...BOOKING,
  route: 'POST /internal-accounts/:accountId/unclaimed-money',
  summary: 'Credit an account with unclaimed money',
  description:
    'Credits an account with money that a connector reported and nobody claimed, and closes the break about it. If other books ' +
    'held the money, it leaves them in the same commit.',
  two: 'amount',
  // The same money must not be proposed for two accounts.
  subject: ({ body }) => (isObject(body) ? String(body.break) : undefined),
  params: { accountId: { id: 'InternalAccount', missing: 'ACCOUNT_NOT_FOUND' } },
  fields: { break: masked('none', idSchema('Break', { description: 'The break about the money.' })) },
  reply: BookedBreak,
  codes: ['CONFLICT', 'ACCOUNT_NOT_FOUND'],
  async change(tx, { params: { accountId }, body: { break: id, reason } }) {
    const breakId = parseId('Break', id);
    if (breakId === undefined)
      throw invalidFields([{ field: 'break', message: 'must be the id of a break' }]);
    return presentBooked(tx, await assignCredit(tx, { breakId, accountId, reason }));
  },
});

const takeBackCredit = operatorChange('takeBackCredit', {
  ...BOOKING,
  route: 'POST /breaks/:breakId/take-back',
  summary: 'Confirm that the bank took money back',
  description:
    'Takes back the credit that the bank has reversed, and closes the break about it. Money that was credited is taken from its ' +
    'owner, who owes what is missing.',
  two: 'always',
  params: BREAK_PARAMS,
  reply: component('TakenBackCredit', 'A credit that was taken back.', {
    credit: Type.String({ description: 'The connector’s name of the credit.' }),
    amount: Type.String({ description: 'The amount, in the smallest unit.' }),
    currency: Type.String({ description: 'Its currency.' }),
  }),
  codes: ['CONFLICT'],
  async change(tx, { params: { breakId }, body: { reason } }) {
    const { credit_id: credit, amount, currency } = await takeBack(tx, { breakId, reason });
    return { credit, amount: amount.toString(), currency };
  },
});

const setConnectorOwner = operatorChange('setConnectorOwner', {
  area: 'Connectors',
  roles: ['treasury'],
  on: 'installation',
  two: 'always',
  asksFirst: true,
  route: 'POST /connectors/:name/owners',
  summary: 'Name the owner of a settlement account',
  description:
    'Names the platform whose books hold the money that nobody claims. A settlement account takes money in once it has an owner.',
  ...ABOUT_CONNECTOR,
  params: { name: { text: 'The name of the connector.' } },
  subject: ({ params, body }) =>
    isObject(body) ? `settlement account ${String(body.settlementAccount)} of ${params.name}` : undefined,
  fields: {
    settlementAccount: masked(
      'none',
      Type.String({ minLength: 1, maxLength: 32, description: 'The settlement account.' }),
    ),
    platform: masked('none', idSchema('Platform', { description: 'The platform, one of production.' })),
  },
  reply: component('SettlementAccountOwner', 'The owner of a settlement account.', {
    connector: Type.String({ description: 'The connector.' }),
    settlementAccount: Type.String({ description: 'The settlement account.' }),
    platform: idSchema('Platform', { description: 'Its owner.' }),
  }),
  codes: ['NOT_FOUND', 'CONFLICT', 'INVALID_INPUT'],
  async change(tx, { params: { name }, body: { settlementAccount, platform, reason } }) {
    const platformId = parseId('Platform', platform);
    if (platformId === undefined)
      throw invalidFields([{ field: 'platform', message: 'must be the id of a platform' }]);
    await setOwner(tx, { name, settlementAccount, platformId, reason });
    return { connector: name, settlementAccount, platform: publicId('Platform', platformId) };
  },
});

/** How operators book money of connectors, and say whose it is (operator.md §6). The commands perform the same operations. */
export const moneyChanges = [setConnectorOwner, bookBreak, assignBreak, takeBackCredit];
