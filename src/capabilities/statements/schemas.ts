import Type, { type Static } from 'typebox';
import { amount } from '#capabilities/accounts/schemas.ts';
import { component, dateTime, idSchema, page, pageQuery, stringEnum, text } from '#foundation/http/schema.ts';
import { LEDGER_KINDS } from '#foundation/ledger/kinds.ts';

export const FORMATS = ['json', 'csv', 'camt053', 'html'] as const;
export type StatementFormat = (typeof FORMATS)[number];

export const CAMT_VERSIONS = ['08', '04'] as const;
export type CamtVersion = (typeof CAMT_VERSIONS)[number];

const StatementCounterparty = component(
  'StatementCounterparty',
  'The other party of a movement, as its transaction shows it.',
  {
    name: Type.Optional(Type.String({ description: 'Its name.', examples: ['CORNER BOOKS'] })),
    account: Type.Optional(
      Type.String({
        description: 'Its account: the id of an account, a UMA address, or a number at a bank.',
      }),
    ),
  },
);

const StatementLine = component('AccountStatementLine', 'A movement of money, with the balance after it.', {
  at: dateTime({ description: 'When it was booked.' }),
  entryId: idSchema('JournalEntry', { description: 'The entry of the ledger.' }),
  transactionId: Type.Optional(
    Type.String({
      description: 'The transaction, or the mint or burn, that moved the money.',
      examples: ['Transaction:019542f5-b3e7-7d02-8000-000000000032'],
    }),
  ),
  kind: stringEnum(Object.keys(LEDGER_KINDS), {
    description: 'The kind of the ledger entry.',
    examples: ['payment.executed'],
  }),
  description: Type.String({ description: 'The kind in words.', examples: ['Payment sent'] }),
  counterparty: Type.Optional(StatementCounterparty),
  references: Type.Array(Type.String(), { description: 'References of the payment.' }),
  direction: stringEnum(['IN', 'OUT'], { description: 'Whether money was added or taken.' }),
  amount: amount('The amount that was added or taken.'),
  balanceAfter: amount('The balance after it, amounts on hold included.'),
});
export type StatementLine = Static<typeof StatementLine>;

export const STATEMENT_HEAD = {
  accountId: idSchema('InternalAccount', { description: 'The account.' }),
  from: Type.String({ format: 'date', description: 'The first day.' }),
  to: Type.String({ format: 'date', description: 'The last day.' }),
  zone: Type.String({ description: 'The time zone of these days.', examples: ['UTC'] }),
  opening: amount('The balance at the start of the first day, amounts on hold included.'),
  closing: amount('The balance at the end of the last day. The next period opens with it.'),
  isProvisional: Type.Boolean({
    description:
      'Whether it may still change: the period ended less than five minutes ago, or has not ended.',
  }),
};

export const AccountStatement = (() => {
  const rows = page('PageOfAccountStatement', StatementLine, { total: false });
  return component('AccountStatement', 'A page of the movements of an account in a period.', {
    ...STATEMENT_HEAD,
    ...rows.properties,
  });
})();
export type AccountStatement = Static<typeof AccountStatement>;

const day = (description: string) => text(10, 10, { description, examples: ['2026-03-31'] });

/** The parameters of a statement, besides its account. */
export const STATEMENT_QUERY = {
  from: day('The first day.'),
  to: day('The last day, at most 366 days after the first.'),
  zone: Type.Optional(
    text(1, 64, {
      description: 'The time zone of the days. Default: `UTC`.',
      examples: ['Europe/Berlin'],
    }),
  ),
  format: Type.Optional(
    stringEnum(FORMATS, {
      description:
        'A page in JSON, or the whole period as a file: `csv`, `camt053` (XML of ISO 20022), `html` (a page to print). ' +
        'Default: `json`.',
    }),
  ),
  version: Type.Optional(
    stringEnum(CAMT_VERSIONS, { description: 'The version of `camt053`. Default: `08`.' }),
  ),
};

export const AccountStatementQuery = pageQuery({
  accountId: text(1, 100, {
    description: 'The account.',
    examples: ['InternalAccount:019542f5-b3e7-7d02-8000-000000000099'],
  }),
  ...STATEMENT_QUERY,
});
export type StatementQuery = Omit<Static<typeof AccountStatementQuery>, 'accountId'>;
