import {
  accountClosingRequested,
  accountsClosed,
  accountsClosing,
} from '#capabilities/accounts/announcements.ts';
import { emitAccount, emitAccounts } from '#capabilities/accounts/events.ts';
import { openFunding } from '#capabilities/accounts/funding-instructions.ts';
import { ledgerAccountsOf } from '#capabilities/accounts/ledger-accounts.ts';
import type { StatusChange } from '#capabilities/accounts/rules.ts';
import {
  type AccountRow,
  findAccounts,
  type LockedAccount,
  lockAccount,
  moveStatuses,
  setFunding,
} from '#capabilities/accounts/store.ts';
import { findLiveCustomer } from '#capabilities/customers/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import { lockBalances } from '#foundation/ledger/store.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { refuse } from '#foundation/lib/refusals.ts';

/** For compliance or fraud: the money stays in the account and cannot move. */
export function freezeAccount(tx: Tx, action: OperatorAction): Promise<AccountRow> {
  return changeStatusByOperator(tx, 'freeze', action);
}

export function unfreezeAccount(tx: Tx, action: OperatorAction): Promise<AccountRow> {
  return changeStatusByOperator(tx, 'unfreeze', action);
}

/** Final. An account can be closed only if it is empty and no payment or card needs it. */
export async function closeAccount(tx: Tx, action: OperatorAction): Promise<AccountRow> {
  await announce(tx, accountClosingRequested, { accountId: action.accountId });
  const account = await lockAccount(tx, action.accountId);
  if (account.status === 'CLOSED') refuseState(account.status, 'close');
  const holding = await closeAccounts(tx, [account]);
  if (holding.length > 0) {
    refuse(
      'CONFLICT',
      'The account holds money, a payment to or from it has not finished, or a card keeps it open.',
    );
  }
  auditAction(tx, 'close', action, account);
  return (await findAccounts(tx, [account.id]))[0] as AccountRow;
}

async function changeStatusByOperator(
  tx: Tx,
  change: StatusChange,
  action: OperatorAction,
): Promise<AccountRow> {
  const account = await lockAccount(tx, action.accountId);
  const moved = await moveStatuses(tx, [account.id], change);
  if (moved.length === 0) refuseState(account.status, change);
  auditAction(tx, change, action, account);
  const [row] = await emitAccounts(tx, 'INTERNAL_ACCOUNT.STATUS_UPDATED', moved);
  return row as AccountRow;
}

/**
 * Closes accounts whose rows the caller has locked, with an event for each. If any of them has money, including held
 * or pending money, or another folder keeps it open, none is closed and the blocking ones are returned. Their ledger
 * accounts stay locked until the commit, so that nothing is posted between the check and the closing.
 */
export async function closeAccounts(tx: Tx, accounts: readonly LockedAccount[]): Promise<LockedAccount[]> {
  if (accounts.length === 0) return [];
  const states = await lockBalances(
    tx,
    accounts.flatMap(({ id }) => ledgerAccountsOf(id)),
  );
  const kept = new Set(
    states.filter(({ balance }) => balance > 0n).map(({ account }) => internalAccountOf(account)),
  );
  const accountIds = accounts.map(({ id }) => id);
  await announce(tx, accountsClosing, { accountIds, keepOpen: (id) => void kept.add(id) });
  const holding = accounts.filter(({ id }) => kept.has(id));
  if (holding.length > 0) return holding;
  const closed = await moveStatuses(tx, accountIds, 'close');
  await emitAccounts(tx, 'INTERNAL_ACCOUNT.STATUS_UPDATED', closed);
  await announce(tx, accountsClosed, { accountIds });
  return [];
}

/** `HOLD:<id>` → `<id>` */
function internalAccountOf(account: string): string {
  return account.slice(account.indexOf(':') + 1);
}

/**
 * Activates the accounts that are ready: provisioned, and owned by the platform or an approved customer (accounts.md
 * §2.2). Their funding instructions are shown from now on. The accounts belong to one owner, and the caller has locked
 * them.
 */
export async function activateReadyAccounts(tx: Tx, accounts: readonly LockedAccount[]): Promise<void> {
  const ready = accounts.filter(({ provisioning }) => provisioning === 'COMPLETED');
  const [first] = ready;
  if (!first || !(await isOwnerApproved(tx, first.customer_id))) return;
  const moved = await moveStatuses(
    tx,
    ready.map(({ id }) => id),
    'activate',
  );
  for (const account of ready.filter(({ id }) => moved.includes(id))) {
    const funding = openFunding(tx, account);
    if (funding.instructions.length > 0) await setFunding(tx, account, funding, funding.instructions.length);
  }
  for (const row of await findAccounts(tx, moved)) {
    emitAccount(tx, 'INTERNAL_ACCOUNT.STATUS_UPDATED', row);
    if (row.funding_count > 0) emitAccount(tx, 'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED', row);
  }
}

async function isOwnerApproved(tx: ReadTx, customerId: CustomerId | null): Promise<boolean> {
  return customerId === null || (await findLiveCustomer(tx, customerId))?.status === 'APPROVED';
}

/** An action of the operator on an account (accounts.md §2.2). */
export interface OperatorAction {
  readonly accountId: AccountId;
  /** The reason, for the audit log. */
  readonly reason?: string | undefined;
}

/** Audits an action of the operator, in the same commit as its effect. The reason may describe the account's owner. */
export function auditAction(
  tx: Tx,
  action: string,
  { accountId, reason }: OperatorAction,
  owner?: Pick<AccountRow, 'customer_id'>,
): void {
  audit(tx, {
    action: `account ${action}`,
    resource: publicId('InternalAccount', accountId),
    customerId: owner?.customer_id,
    ...(reason !== undefined && { details: { reason } }),
  });
}

export function refuseState(status: string, action: string): never {
  refuse('CONFLICT', `The account is ${status}; this action is not possible: ${action}.`, { status });
}
