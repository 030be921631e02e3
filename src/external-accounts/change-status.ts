import { audit } from '#audit/audit.ts';
import type { Tx } from '#database/tx.ts';
import { emitStatusUpdated } from '#external-accounts/events.ts';
import type { AccountStatus } from '#external-accounts/schemas.ts';
import {
  type ExternalAccountRow,
  lockAccount,
  moveAccount,
  settleUsValidation,
} from '#external-accounts/store.ts';
import { publicId } from '#lib/ids.ts';
import { notFound, refuse } from '#lib/refusals.ts';
import type { UsValidation } from '#rails/account-screening.ts';

/** The rows of accounts.md §3.5 that no proof of ownership makes. */
export const STATUS_CHANGES = {
  'screening clear': { from: ['PENDING'], to: 'ACTIVE' },
  'screening hit': { from: ['PENDING', 'ACTIVE'], to: 'UNDER_REVIEW' },
  'review clear': { from: ['UNDER_REVIEW'], to: 'ACTIVE' },
  'review refuse': { from: ['UNDER_REVIEW'], to: 'INACTIVE' },
  disable: { from: ['ACTIVE'], to: 'INACTIVE' },
  enable: { from: ['INACTIVE'], to: 'ACTIVE' },
} as const satisfies Record<string, { from: readonly AccountStatus[]; to: AccountStatus }>;

export type StatusChange = keyof typeof STATUS_CHANGES;

export const STATUS_CHANGE_NAMES = Object.keys(STATUS_CHANGES) as StatusChange[];

export interface OperatorAction {
  /** Bare UUID. */
  readonly accountId: string;
  /** Why, for the audit log. */
  readonly reason?: string | undefined;
}

/** The operator's word; one that does not fit the account's state is refused. */
export async function stepByOperator(
  tx: Tx,
  step: StatusChange,
  action: OperatorAction,
): Promise<ExternalAccountRow> {
  const account = await lockedAccount(tx, action.accountId);
  const moved = await takeStep(tx, step, account.id);
  if (!moved) refuse('CONFLICT', `The account is ${account.status}; it cannot be changed this way: ${step}.`);
  auditAction(tx, step, action);
  return moved;
}

/** What screening says about an account; a notice that comes twice or too late changes nothing. */
export async function screeningCleared(tx: Tx, accountId: string): Promise<void> {
  await takeStep(tx, 'screening clear', accountId);
}

export async function screeningHit(tx: Tx, accountId: string): Promise<void> {
  await takeStep(tx, 'screening hit', accountId);
}

/** What became of the small entries (accounts.md §4.7); the first outcome counts. */
export async function usAccountValidated(
  tx: Tx,
  accountId: string,
  state: Exclude<UsValidation, 'PENDING'>,
): Promise<boolean> {
  return settleUsValidation(tx, accountId, state);
}

export async function validateByOperator(
  tx: Tx,
  state: Exclude<UsValidation, 'PENDING'>,
  action: OperatorAction,
): Promise<ExternalAccountRow> {
  const account = await lockedAccount(tx, action.accountId);
  if (!(await settleUsValidation(tx, account.id, state))) {
    refuse('CONFLICT', 'This is not a US bank account that is being validated.');
  }
  auditAction(tx, `validation ${state.toLowerCase()}`, action);
  return account;
}

async function takeStep(
  tx: Tx,
  step: StatusChange,
  accountId: string,
): Promise<ExternalAccountRow | undefined> {
  const { from, to } = STATUS_CHANGES[step];
  return changeStatus(tx, accountId, from, to);
}

/** The one way in which a status changes: guarded, with its event. */
export async function changeStatus(
  tx: Tx,
  accountId: string,
  from: readonly AccountStatus[],
  to: AccountStatus,
): Promise<ExternalAccountRow | undefined> {
  const row = await moveAccount(tx, accountId, from, to);
  if (row) emitStatusUpdated(tx, row);
  return row;
}

async function lockedAccount(tx: Tx, id: string): Promise<ExternalAccountRow> {
  const account = await lockAccount(tx, id);
  if (!account) throw missingAccount();
  return account;
}

export function missingAccount() {
  return notFound('ACCOUNT_NOT_FOUND', 'ExternalAccount');
}

function auditAction(tx: Tx, action: string, { accountId, reason }: OperatorAction): void {
  audit(tx, {
    action: `account ${action}`,
    resource: publicId('ExternalAccount', accountId),
    ...(reason !== undefined && { details: { reason } }),
  });
}
