import Type from 'typebox';
import { BREAK_PARAMS } from '#capabilities/connectors/operator/schemas.ts';
import { bookLine, DIFFERENCES, LINE_MEANINGS } from '#capabilities/reconciliation/book-line.ts';
import { bookOpening } from '#capabilities/reconciliation/operator/book-opening.ts';
import { matchByHand } from '#capabilities/reconciliation/operator/match-by-hand.ts';
import { operatorChange } from '#foundation/http/declare/operator-change.ts';
import { component, idSchema, stringEnum } from '#foundation/http/schema.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { isObject } from '#foundation/lib/is-object.ts';
import { masked } from '#foundation/records/mask.ts';

const BOOKING = { area: 'Connectors', roles: ['finance'], asksFirst: true, params: BREAK_PARAMS } as const;

const BookedBankLine = component('BookedBankLine', 'The entry that was booked to resolve a break.', {
  entry: idSchema('JournalEntry', { description: 'The entry.' }),
  amount: Type.String({
    description: 'In the smallest unit. Above zero: the money in the settlement account grew.',
  }),
  currency: Type.String({ description: 'Its currency.' }),
});

function present({ entryId, amount, currency }: Awaited<ReturnType<typeof bookLine>>) {
  return { entry: publicId('JournalEntry', entryId), amount: amount.toString(), currency };
}

const bookBankLine = operatorChange('bookBankLine', {
  ...BOOKING,
  route: 'POST /breaks/:breakId/bank-line',
  summary: 'Book a charge or interest of the bank',
  description:
    'Books the line of the bank that a break is about, in the books of the settlement account’s owner, and closes the break.',
  two: 'amount',
  fields: { as: masked('none', stringEnum(LINE_MEANINGS, { description: 'What the line is.' })) },
  reply: BookedBankLine,
  codes: ['CONFLICT'],
  change: async (tx, { params: { breakId }, body }) => present(await bookLine(tx, { ...body, breakId })),
});

const bookBankDifference = operatorChange('bookBankDifference', {
  ...BOOKING,
  route: 'POST /breaks/:breakId/difference',
  summary: 'Book own money at the bank, or write a difference off',
  description:
    '`OWN`: the operator’s own money came to the settlement account or left it. `WRITE_OFF`: the books and the bank differ for ' +
    'good. Closes the break.',
  two: 'always',
  fields: { as: masked('none', stringEnum(DIFFERENCES, { description: 'What it is.' })) },
  reply: BookedBankLine,
  codes: ['CONFLICT'],
  change: async (tx, { params: { breakId }, body }) => present(await bookLine(tx, { ...body, breakId })),
});

const LINES_MAX = 100;

const matchBreak = operatorChange('matchBreak', {
  ...BOOKING,
  route: 'POST /breaks/:breakId/match',
  summary: 'Match the line of a break by hand',
  description:
    'Matches the line that a break is about with lines of the other side, and closes the break. Both sides must be equal to the ' +
    'unit; with `charge` the bank kept the rest, which is booked as its charge.',
  two: 'amount',
  fields: {
    lines: masked(
      'none',
      Type.Array(Type.String({ minLength: 1, maxLength: 60 }), {
        minItems: 1,
        maxItems: LINES_MAX,
        description:
          'Lines of ours by their entries, `JournalEntry:…`, and lines of the bank by our ids of them.',
      }),
    ),
    charge: Type.Optional(
      masked(
        'none',
        Type.Boolean({ description: 'Whether the bank kept the rest as its charge.', default: false }),
      ),
    ),
  },
  reply: component('MatchedBreak', 'Lines that were matched by hand.', {
    ours: Type.Integer({ description: 'How many lines of ours.' }),
    theirs: Type.Integer({ description: 'How many lines of the bank.' }),
    rest: Type.String({
      description: 'The amount that was booked as a charge, in the smallest unit; `0`: nothing.',
    }),
    currency: Type.String({ description: 'Its currency.' }),
  }),
  codes: ['CONFLICT', 'INVALID_INPUT'],
  async change(tx, { params: { breakId }, body: { lines, charge = false, reason } }) {
    const matched = await matchByHand(tx, { breakId, lines, isCharge: charge, reason });
    return { ...matched, rest: matched.rest.toString() };
  },
});

const bookOpeningBalance = operatorChange('bookOpeningBalance', {
  area: 'Connectors',
  roles: ['finance'],
  asksFirst: true,
  two: 'always',
  route: 'POST /platforms/:platformId/opening-balances',
  summary: 'Book the money that a settlement account began with',
  description:
    'Books, once, the amount that the proof of the first day of a settlement account lacks, as the operator’s own money in the books of ' +
    'the account’s owner. The entry counts from that day.',
  params: { platformId: { id: 'Platform', missing: 'PLATFORM_NOT_FOUND' } },
  subject: ({ body }) =>
    isObject(body)
      ? `opening balance of ${String(body.connector)}.${String(body.settlementAccount)}`
      : undefined,
  fields: {
    connector: masked(
      'none',
      Type.String({ minLength: 1, maxLength: 32, description: 'The name of the connector.' }),
    ),
    settlementAccount: masked(
      'none',
      Type.String({ minLength: 1, maxLength: 32, description: 'The settlement account.' }),
    ),
  },
  reply: BookedBankLine,
  codes: ['NOT_FOUND', 'CONFLICT', 'PLATFORM_NOT_FOUND'],
  change: async (tx, { body }) => present(await bookOpening(tx, body)),
});

/** How operators book what breaks about statements are about (operator.md §6). The command performs the same operations. */
export const lineChanges = [bookBankLine, bookBankDifference, matchBreak, bookOpeningBalance];
