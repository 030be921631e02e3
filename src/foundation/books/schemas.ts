import Type from 'typebox';
import { component, dateTime, idSchema, page, pageQuery, stringEnum } from '#foundation/http/schema.ts';
import { ACCOUNT_KINDS, type AccountKindName } from '#foundation/ledger/kinds.ts';

export const ACCOUNT_KIND_NAMES = Object.keys(ACCOUNT_KINDS) as AccountKindName[];

/** A balance may be larger than a number can be exactly. */
const units = (description: string) =>
  Type.String({ description: `${description} In the smallest unit: debit above zero, credit below.` });
const currency = Type.String({ description: 'The code of the currency.' });
const decimals = Type.Integer({ description: 'Digits after the point.' });
const account = Type.String({ description: 'The account, such as `FEES:USD`, or a kind of accounts.' });
const number = (description: string) => Type.String({ description });

const BookBalance = component('BookBalance', 'The balance of an account in one currency.', {
  account,
  currency,
  decimals,
  balance: units('The balance.'),
});

/** Fields that every answer of the books has. */
const FROM_BOOKS = {
  at: dateTime({ description: 'The business time up to which the answer holds.' }),
  isProvisional: Type.Boolean({
    description: 'Whether the answer may still change: entries of the last minutes may be missing.',
  }),
};

export const BalancesAnswer = component('BookBalances', 'Balances of accounts at a moment.', {
  ...FROM_BOOKS,
  balances: Type.Array(BookBalance, { description: 'One for each account and currency.' }),
});

export const TrialBalanceAnswer = component(
  'TrialBalance',
  'The balances of all kinds of accounts at a moment. They add up to zero in each currency.',
  {
    ...FROM_BOOKS,
    platforms: Type.Integer({ description: 'How many platforms are added up.' }),
    balances: Type.Array(BookBalance, { description: 'By currency and kind of account.' }),
    unbalanced: Type.Array(
      component('UnbalancedCurrency', 'A currency whose balances do not add up to zero.', {
        currency,
        sum: units('Their sum.'),
      }),
      { description: 'Empty, unless an entry was changed behind the service.' },
    ),
  },
);

export const PageOfAccounts = page('PageOfBookAccounts', BookBalance, { total: false });

const BookLine = component('BookLine', 'A line of an account.', {
  at: dateTime({ description: 'Its business time.' }),
  entry: idSchema('JournalEntry', { description: 'Its entry.' }),
  seq: number('The number of the entry in the journal.'),
  kind: Type.String({ description: 'The kind of entry.' }),
  transactionId: Type.Optional(idSchema('Transaction', { description: 'The transaction of the entry.' })),
  currency,
  decimals,
  amount: units('The amount.'),
  balance: units('The balance after the line.'),
});

export const PageOfLines = page('PageOfBookLines', BookLine, { total: false });

export const Entry = component('BookEntry', 'An entry of the journal with its lines and who caused it.', {
  id: idSchema('JournalEntry'),
  platform: idSchema('Platform', { description: 'The platform in whose journal it is.' }),
  seq: number('Its number in the journal.'),
  kind: Type.String({ description: 'Its kind.' }),
  createdAt: dateTime({ description: 'Its business time.' }),
  recordedAt: dateTime({ description: 'Its real time.' }),
  reverses: Type.Optional(idSchema('JournalEntry', { description: 'The entry that it reverses.' })),
  reversedBy: Type.Optional(idSchema('JournalEntry', { description: 'The entry that reverses it.' })),
  hash: Type.Optional(Type.String({ description: 'Its hash in the chain. Absent until it is read.' })),
  transaction: Type.Optional(
    component('EntryTransaction', 'The transaction that an entry belongs to.', {
      id: Type.String({ description: 'Its id.' }),
      type: Type.String({ description: 'Its type.' }),
      status: Type.String({ description: 'Its status.' }),
    }),
  ),
  cause: component('EntryCause', 'The act that posted an entry.', {
    kind: Type.String({ description: 'Who acted. `SERVICE`: the service by itself.' }),
    actorId: Type.Optional(Type.String({ description: 'The token, agent or operator.' })),
    action: Type.Optional(Type.String({ description: 'The action, as in the audit log.' })),
    requestId: Type.Optional(Type.String({ description: 'The `X-Request-Id` of the request.' })),
  }),
  lines: Type.Array(
    component('EntryLine', 'A line of an entry.', {
      account,
      currency,
      decimals,
      amount: units('The amount.'),
      balance: Type.Optional(units('The balance of the account after it. Absent until the entry is read.')),
    }),
    { description: 'In the order of the entry.' },
  ),
});

export const HeadsAnswer = component('JournalHeads', 'The signed ends of a platform’s chain of entries.', {
  heads: Type.Array(
    component('JournalHead', 'The signed end of a chain at a moment: the last one of a day.', {
      seq: number('The number of its last entry.'),
      entries: number('How many entries the chain has up to there.'),
      hash: Type.String({ description: 'The hash of the last entry, which vouches for all before it.' }),
      madeAt: dateTime({ description: 'When it was signed, in real time.' }),
      keyId: Type.Integer({ description: 'The number of the key.' }),
      signature: Type.String({ description: 'Ed25519, base64url.' }),
    }),
    { description: 'The oldest first.' },
  ),
  keys: Type.Array(
    component('JournalKey', 'A public key that signs ends of chains.', {
      id: Type.Integer({ description: 'Its number.' }),
      publicKey: Type.String({ description: 'SPKI, PEM.' }),
      createdAt: dateTime({ description: 'When it was made.' }),
    }),
    { description: 'All keys, the newest first.' },
  ),
});

export const ChecksAnswer = component('LedgerChecks', 'The checks of the ledger, with what each proves.', {
  checks: Type.Array(
    component('LedgerCheck', 'One check of the verification.', {
      place: Type.Integer({ description: 'Its place in the verification.' }),
      proves: Type.String({ description: 'What it proves.' }),
      rule: Type.String({ description: 'The rule that it proves.' }),
    }),
    { description: 'In the order in which they run.' },
  ),
});

/** `FEES:USD`, `AVAIL:<id of the internal account>`, or a kind alone for all its accounts. */
const accountName = Type.String({
  maxLength: 120,
  pattern: '^[A-Z_]+(?::[A-Za-z0-9_.-]+)*$',
  description: 'The account, such as `FEES:USD` or `AVAIL:<uuid of the internal account>`; or a kind alone.',
});
const atTime = Type.Optional(dateTime({ description: 'The business time. Default: now.' }));

export const BalanceQuery = Type.Object({
  account: accountName,
  at: atTime,
  entry: Type.Optional(
    Type.String({
      pattern: '^(?:[1-9][0-9]{0,17}|(?:JournalEntry:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$',
      description: 'Right after this entry, by its id or its number, instead of a time.',
    }),
  ),
});

export const AtQuery = Type.Object({ at: atTime });

export const AccountsQuery = pageQuery({
  kind: stringEnum(ACCOUNT_KIND_NAMES, { description: 'The kind of accounts.' }),
  at: atTime,
});

export const LinesQuery = pageQuery({
  account: accountName,
  currency: Type.String({
    minLength: 1,
    maxLength: 40,
    pattern: '^[A-Za-z0-9]+$',
    description: 'The currency.',
  }),
  createdAfter: Type.Optional(dateTime({ description: 'Only lines at or after this business time.' })),
  createdBefore: Type.Optional(dateTime({ description: 'Only lines at or before this business time.' })),
});
