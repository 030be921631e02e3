import type { AccountType } from '#capabilities/accounts/schemas.ts';
import { announcement } from '#foundation/events/reactions.ts';

export interface OpenedAccount {
  readonly id: AccountId;
  /** Absent: the account is the platform's own. */
  readonly customerId: CustomerId | undefined;
  readonly currency: string;
  readonly type: AccountType;
}

/** Accounts of one owner were opened; an embedded wallet among them needs its credentials (accounts.md §2.1.5). */
export const accountsOpened = announcement<{ readonly accounts: readonly OpenedAccount[] }>('accountsOpened');

/**
 * The customer, or the platform itself (null), is about to receive a currency in which it may have no account yet.
 */
export const accountNeeded = announcement<{
  readonly customerId: CustomerId | null;
  readonly currency: string;
}>('accountNeeded');

/**
 * The operator asked to close an account, and its row is not locked yet. Transactions are locked before accounts
 * (decision 0010), so a reaction that changes transactions does so here.
 */
export const accountClosingRequested = announcement<{ readonly accountId: AccountId }>(
  'accountClosingRequested',
);

/**
 * Accounts are about to be closed, and their rows are locked. A reaction that still expects money to move into or out
 * of one of them keeps it open.
 */
export const accountsClosing = announcement<{
  readonly accountIds: readonly AccountId[];
  keepOpen(accountId: AccountId): void;
}>('accountsClosing');

export const accountsClosed = announcement<{ readonly accountIds: readonly AccountId[] }>('accountsClosed');
