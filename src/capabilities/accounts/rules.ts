import type { AccountStatus, AccountType } from '#capabilities/accounts/schemas.ts';
import { isFiat } from '#foundation/lib/rails-by-currency.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/** accounts.md §2.1.4. */
export function chooseAccountType(currency: string, owner: 'customer' | 'platform'): AccountType {
  if (currency === 'USDB' && owner === 'customer') return 'EMBEDDED_WALLET';
  return isFiat(currency) ? 'INTERNAL_FIAT' : 'INTERNAL_CRYPTO';
}

/** The status machine of accounts.md §2.2. */
export const STATUS_CHANGES = {
  activate: { from: ['PENDING', 'FAILED'], to: 'ACTIVE' },
  fail: { from: ['PENDING'], to: 'FAILED' },
  freeze: { from: ['ACTIVE'], to: 'FROZEN' },
  unfreeze: { from: ['FROZEN'], to: 'ACTIVE' },
  close: { from: ['ACTIVE', 'FROZEN', 'PENDING', 'FAILED'], to: 'CLOSED' },
} as const satisfies Record<string, { from: readonly AccountStatus[]; to: AccountStatus }>;

/** An account is opened at the provider at once, or has to be requested there. */
export const FIRST_ACCOUNT_STATUSES = {
  opened: 'ACTIVE',
  requested: 'PENDING',
} as const satisfies Record<string, AccountStatus>;

export type StatusChange = keyof typeof STATUS_CHANGES;

/**
 * Returns why money may not move from or to this account (accounts.md §2.2). Read the account after its ledger
 * accounts are locked: closing an account also locks them, so that a concurrent closing is always seen.
 */
export function checkCanMoveMoney(account: {
  type: AccountType;
  status: AccountStatus;
}): Refusal | undefined {
  const { type, status } = account;
  if (status === 'ACTIVE') return undefined;
  if (type === 'EMBEDDED_WALLET' && (status === 'PENDING' || status === 'FAILED')) {
    return new Refusal('WALLET_NOT_PROVISIONED', `The wallet is still being set up; it is ${status}.`);
  }
  return new Refusal(
    'USER_NOT_READY',
    `The internal account is ${status}; only an ACTIVE account can move money.`,
  );
}
