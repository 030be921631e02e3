import { accountClosingAsked } from '#accounts/announcements.ts';
import { closeAccounts } from '#accounts/close-accounts.ts';
import { emitAccounts } from '#accounts/events.ts';
import { auditAction, lockAccount, type OperatorAction, refuseState } from '#accounts/operator-actions.ts';
import type { StatusChange } from '#accounts/rules.ts';
import { type AccountRow, findAccounts, moveAccounts } from '#accounts/store.ts';
import type { Tx } from '#database/tx.ts';
import { announce } from '#events/reactions.ts';
import { refuse } from '#lib/refusals.ts';

/** Compliance or fraud: the money stays, and none of it moves. */
export function freezeAccount(tx: Tx, action: OperatorAction): Promise<AccountRow> {
  return take(tx, 'freeze', action);
}

export function unfreezeAccount(tx: Tx, action: OperatorAction): Promise<AccountRow> {
  return take(tx, 'unfreeze', action);
}

/** Final, and only while the account is empty and no payment into or out of it is under way. */
export async function closeAccount(tx: Tx, action: OperatorAction): Promise<AccountRow> {
  await announce(tx, accountClosingAsked, { accountId: action.accountId });
  const account = await lockAccount(tx, action.accountId);
  if (account.status === 'CLOSED') refuseState(account.status, 'close');
  const holding = await closeAccounts(tx, [account]);
  if (holding.length > 0) {
    refuse('CONFLICT', 'The account holds money, or a payment to or from it has not finished.');
  }
  auditAction(tx, 'close', action);
  return (await findAccounts(tx, [account.id]))[0] as AccountRow;
}

async function take(tx: Tx, step: StatusChange, action: OperatorAction): Promise<AccountRow> {
  const account = await lockAccount(tx, action.accountId);
  const moved = await moveAccounts(tx, [account.id], step);
  if (moved.length === 0) refuseState(account.status, step);
  auditAction(tx, step, action);
  const [row] = await emitAccounts(tx, 'INTERNAL_ACCOUNT.STATUS_UPDATED', moved);
  return row as AccountRow;
}
