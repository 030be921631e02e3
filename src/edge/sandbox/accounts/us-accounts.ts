import { DELAYS, formatDuration } from '#edge/sandbox/delays-table.ts';
import { type CompleteTable, rowFor } from '#edge/sandbox/table.ts';
import type {
  AccountScreeningPort,
  UsAccountsPort,
  UsValidationResult,
} from '#foundation/ports/account-screening.ts';

/** Screening never finds anything, so a new account can be paid at once (accounts.md §3.5). */
export const sandboxScreening: AccountScreeningPort = {
  atCreate: () => 'CLEAR',
  screen: async () => 'CLEAR',
};

/** Every US account exists, unless its routing number says otherwise. */
export const sandboxUsAccounts: UsAccountsPort = {
  isTestRoutingNumber: (routingNumber) => US_ACCOUNTS_TABLE.rows.some((row) => row.value === routingNumber),
  atCreate: ({ fields }) => rowFor(US_ACCOUNTS_TABLE, String(fields.routingNumber)).does,
  validate: async () => 'VALID',
};

const TRAVEL_MS = DELAYS.usAccount.ms;

/** accounts.md §4.7. */
export const US_ACCOUNTS_TABLE: CompleteTable<UsValidationResult> = {
  id: 'us-accounts',
  title: 'Whether a US account exists',
  intro:
    'The routing number of a `USD_ACCOUNT` decides whether small entries prove that the account exists. No bank has these ' +
    'numbers, and their check digit is not verified. The account itself does not show the result; payments do.',
  column: 'Routing number',
  operations: ['createCustomerExternalAccount', 'createPlatformExternalAccount', 'createQuote'],
  rows: [
    {
      value: '999999991',
      example: '999999991',
      effect: 'Never proven: no money can be pulled from the account or paid to it by ACH.',
      shows: { 'quote.code': 'BANK_ACCOUNT_VALIDATION_PENDING' },
      does: { state: 'PENDING' },
    },
    {
      value: '999999992',
      example: '999999992',
      effect: 'There is no such account: no money can be pulled from it or paid to it.',
      shows: { 'quote.code': 'INVALID_BANK_ACCOUNT' },
      does: { state: 'FAILED' },
    },
    {
      value: '999999993',
      example: '999999993',
      effect: `Like \`999999991\` for ${formatDuration(TRAVEL_MS)}; then the account is proven.`,
      shows: { 'quote.status': 'PENDING' },
      overAfterMs: TRAVEL_MS,
      does: { state: 'PENDING', next: { state: 'VALID', afterMs: TRAVEL_MS } },
    },
  ],
  otherwise: {
    value: 'anything else',
    example: '021000021',
    effect: 'The account exists.',
    shows: { 'quote.status': 'PENDING' },
    does: { state: 'VALID' },
  },
};
