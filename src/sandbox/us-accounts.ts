import type { AccountScreeningPort, UsAccountsPort, UsValidationResult } from '#rails/account-screening.ts';

/** Nothing is ever found against an account here: a new one can be paid at once (accounts.md §3.5). */
export const sandboxScreening: AccountScreeningPort = {
  atCreate: () => 'CLEAR',
  screen: async () => 'CLEAR',
};

/** Every US account exists, unless its routing number says otherwise. */
export const sandboxUsAccounts: UsAccountsPort = {
  isTestRoutingNumber: (routingNumber) => Object.hasOwn(BY_ROUTING_NUMBER, routingNumber),
  atCreate: ({ fields }) => BY_ROUTING_NUMBER[String(fields.routingNumber)] ?? { state: 'VALID' },
  validate: async () => 'VALID',
};

/** accounts.md §4.7. */
const BY_ROUTING_NUMBER: Readonly<Record<string, UsValidationResult>> = {
  '999999991': { state: 'PENDING' },
  '999999992': { state: 'FAILED' },
  '999999993': { state: 'PENDING', next: { state: 'VALID', afterMs: 30_000 } },
};
