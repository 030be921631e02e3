import type { AccountType } from '#accounts/schemas.ts';
import { announcement } from '#events/reactions.ts';

export interface OpenedAccount {
  /** Bare UUID. */
  readonly id: string;
  /** Absent: the platform's own. */
  readonly customerId: string | undefined;
  readonly currency: string;
  readonly type: AccountType;
}

/** Accounts of one owner were opened; an embedded wallet among them wants its credentials (IA-5). */
export const accountsOpened = announcement<{ readonly accounts: readonly OpenedAccount[] }>('accountsOpened');

/** Somebody must hold money in a currency in which they may have no account yet; null: the platform itself. */
export const accountWanted = announcement<{ readonly customerId: string | null; readonly currency: string }>(
  'accountWanted',
);

/**
 * Before an account that the operator wants closed is locked. Transactions are locked before accounts (decision 0010),
 * so whoever has to change some of them first does so here.
 */
export const accountClosingAsked = announcement<{ readonly accountId: string }>('accountClosingAsked');

/**
 * Before accounts are closed; their rows are locked. Whoever still expects money to move into or out of one of them
 * keeps it open.
 */
export const accountsClosing = announcement<{
  readonly accountIds: readonly string[];
  keepOpen(accountId: string): void;
}>('accountsClosing');
