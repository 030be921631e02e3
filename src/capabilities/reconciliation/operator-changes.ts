import Type from 'typebox';
import { BREAK_PARAMS } from '#capabilities/connectors/operator/schemas.ts';
import { bookLine, DIFFERENCES, LINE_MEANINGS } from '#capabilities/reconciliation/book-line.ts';
import { operatorChange } from '#foundation/http/declare/operator-change.ts';
import { component, idSchema, stringEnum } from '#foundation/http/schema.ts';
import { publicId } from '#foundation/lib/ids.ts';
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

/** How operators book what breaks about statements are about (operator.md §6). The command performs the same operations. */
export const lineChanges = [bookBankLine, bookBankDifference];
