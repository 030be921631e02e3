import { type LockedAccount, lockAccounts } from '#accounts/store.ts';
import { audit } from '#audit/audit.ts';
import type { Tx } from '#database/tx.ts';
import { publicId } from '#lib/ids.ts';
import { notFound, refuse } from '#lib/refusals.ts';

/** The operator's word on an account (accounts.md §2.2). */
export interface OperatorAction {
  /** Bare UUID. */
  readonly accountId: string;
  /** Why, for the audit log. */
  readonly reason?: string | undefined;
}

/** Every such action is audited, in the commit of its effect. */
export function auditAction(tx: Tx, action: string, { accountId, reason }: OperatorAction): void {
  audit(tx, {
    action: `account ${action}`,
    resource: publicId('InternalAccount', accountId),
    ...(reason !== undefined && { details: { reason } }),
  });
}

/** Missing and foreign accounts alike are not there (C-2). */
export async function lockAccount(tx: Tx, id: string): Promise<LockedAccount> {
  const [account] = await lockAccounts(tx, [id]);
  if (!account) throw notFound('ACCOUNT_NOT_FOUND', 'InternalAccount');
  return account;
}

export function refuseState(status: string, action: string): never {
  refuse('CONFLICT', `The account is ${status}; this action is not possible: ${action}.`, { status });
}
