import Type from 'typebox';
import { component, stringEnum, text } from '#foundation/http/schema.ts';
import { shown } from '#foundation/records/fields.ts';

/** Replies about reconciliation for operators (bank-files.md §7.4). They say nothing about people. */
export const ACCOUNT_PARAMS = {
  account: { text: 'The settlement account: its connector, a dot and its name there.' },
} as const;

const day = (description: string) => text(10, 10, { description, examples: ['2026-03-31'] });

export const ReconciledAccounts = component(
  'ReconciledAccounts',
  'All settlement accounts of which a bank has sent a statement.',
  {
    data: Type.Array(
      component('ReconciledAccount', 'How far a settlement account is proven.', {
        account: shown.own('The settlement account, behind the name of its connector.'),
        connector: shown.own('The connector.'),
        lastStatement: shown.code('The last day of its statements.'),
        lastProven: shown.code('The last day that is proven. Null: none is.'),
        unprovenDays: shown.count('How many days are not proven.'),
      }),
      { description: 'The accounts by their names.' },
    ),
  },
);

const PROOF_FIELDS = {
  account: shown.own('The settlement account, behind the name of its connector.'),
  day: shown.code('The day, in the zone of the account.'),
  currency: shown.code('The currency of all amounts, which are in the smallest unit.'),
  state: shown.code('Whether the day is proven.', ['PROVEN', 'UNPROVEN']),
  ours: shown.own('The balance of the account in the books at the end of the day.'),
  closing: shown.own('The closing balance of the bank.'),
  oursInTransit: shown.own('The sum of our lines that the bank had not booked by then.'),
  theirsInTransit: shown.own('The sum of lines of the bank that the books did not have by then.'),
  difference: shown.own('The difference that is left without the items in transit. A proven day has 0.'),
  unexplainedItems: shown.count('Items in transit that are due and have no break.'),
  provenAt: shown.time('When the proof was computed.'),
};

export const AccountProofs = component('AccountProofs', 'The proofs of a settlement account over a period.', {
  data: Type.Array(component('AccountProof', 'The proof of a day.', PROOF_FIELDS), {
    description: 'The proofs, the newest first.',
  }),
});

/** A line that only one side has. */
export const LINE_FIELDS = {
  whose: shown.code('The side of the line.', ['OURS', 'THEIRS']),
  item: shown.code('Its entry in the journal, or our id of a line of the bank.'),
  day: shown.code('The day on which it was booked.'),
  amount: shown.own('Its amount in the smallest unit. Above zero: money came in.'),
  currency: shown.code('Its currency.'),
  kind: shown.code('The kind of a line of the bank. Null: it is ours.'),
  matchedOn: shown.code('The day from which on it counts as matched. Null: it is not matched.'),
  transaction: shown.id('Transaction', 'The transaction of a line of ours. Null: it has none.'),
  line: shown.own('The bank’s id of its line, or the end of it if it could be a text. Null: it is ours.'),
};

export const ProofRecord = component('ProofRecord', 'The proof of a day, with each item in transit.', {
  ...PROOF_FIELDS,
  break: shown.id('Break', 'The break about the day. Null: there was none.'),
  items: Type.Array(
    component('ItemInTransit', 'A line that only one side had at the end of the day.', {
      ...LINE_FIELDS,
      break: shown.id('Break', 'The break about the line. Null: there is none.'),
      breakKind: shown.code('The kind of this break.'),
      breakState: shown.code('Its state.', ['OPEN', 'RESOLVED', 'GONE']),
    }),
    { description: 'The items: ours first, then those of the bank, the oldest first.' },
  ),
  isComplete: Type.Boolean({
    description: 'Whether these are all items. At most 1,000 of each side are listed.',
  }),
});

export const BreakSuggestions = component(
  'BreakSuggestions',
  'The line that a break is about, and lines of the other side that may belong to it.',
  {
    notes: shown.own('The note of finance about the break. Null: there is none.'),
    line: Type.Union(
      [component('BreakLine', 'A line of the books or of the bank.', LINE_FIELDS), Type.Null()],
      {
        description: 'The line. Null: the break is about no line.',
      },
    ),
    suggestions: Type.Array(
      component('SuggestedLine', 'A line that nothing matches, and what speaks for it.', {
        ...LINE_FIELDS,
        reasons: shown.codes(
          'What both lines have in common, beside the amount: `SAME_REFERENCE`, `SAME_ACCOUNT`, `SAME_NAME`, ' +
            '`SIMILAR_REFERENCE`, `SAME_DAY`.',
        ),
      }),
      { description: 'The best first; at most ten.' },
    ),
  },
);

export const PeriodQuery = Type.Object({
  from: Type.Optional(day('The first day. Default: 30 days before the last one.')),
  to: Type.Optional(day('The last day, at most 366 days after the first. Default: today.')),
});

export const ExportQuery = Type.Object({
  from: day('The first day.'),
  to: day('The last day, at most 366 days after the first.'),
  format: Type.Optional(stringEnum(['csv', 'json'], { description: 'Default: `csv`.' })),
});

export const ProofQuery = Type.Object({
  day: Type.Optional(day('The day. Default: the last one that has a proof.')),
});
