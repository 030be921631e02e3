import { emitStatusUpdated } from '#capabilities/external-accounts/events.ts';
import type { AccountStatus } from '#capabilities/external-accounts/schemas.ts';
import {
  type ExternalAccountRow,
  externalAccountNotFound,
  lockExternalAccount,
  settleUsValidation,
  updateExternalAccountStatus,
} from '#capabilities/external-accounts/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { refuse } from '#foundation/lib/refusals.ts';
import type { UsValidation } from '#foundation/ports/account-screening.ts';

/** The status changes of accounts.md §3.5, except those by a proof of ownership. */
export const EXTERNAL_STATUS_CHANGES = {
  'screening clear': { from: ['PENDING'], to: 'ACTIVE' },
  'screening hit': { from: ['PENDING', 'ACTIVE'], to: 'UNDER_REVIEW' },
  'review clear': { from: ['UNDER_REVIEW'], to: 'ACTIVE' },
  'review refuse': { from: ['UNDER_REVIEW'], to: 'INACTIVE' },
  disable: { from: ['ACTIVE'], to: 'INACTIVE' },
  enable: { from: ['INACTIVE'], to: 'ACTIVE' },
} as const satisfies Record<string, { from: readonly AccountStatus[]; to: AccountStatus }>;

/** A new account awaits a proof of ownership, screening, or nothing. */
export const FIRST_EXTERNAL_STATUSES = {
  'awaits proof': 'PENDING_OWNERSHIP_VERIFICATION',
  'awaits screening': 'PENDING',
  'awaits nothing': 'ACTIVE',
} as const satisfies Record<string, AccountStatus>;

/** accounts.md §5: the changes that a proof of ownership makes. */
export const OWNERSHIP_CHANGES = {
  'new challenge': { from: ['UNVERIFIED'], to: 'PENDING_OWNERSHIP_VERIFICATION' },
  'ownership proven': { from: ['PENDING_OWNERSHIP_VERIFICATION'], to: 'ACTIVE' },
  'proof failed': { from: ['PENDING_OWNERSHIP_VERIFICATION'], to: 'UNVERIFIED' },
} as const satisfies Record<string, { from: readonly AccountStatus[]; to: AccountStatus }>;

const ALL_CHANGES = { ...EXTERNAL_STATUS_CHANGES, ...OWNERSHIP_CHANGES };

export type ExternalStatusChange = keyof typeof EXTERNAL_STATUS_CHANGES;

export const STATUS_CHANGE_NAMES = Object.keys(EXTERNAL_STATUS_CHANGES) as ExternalStatusChange[];

export interface OperatorAction {
  readonly accountId: ExternalAccountId;
  /** The reason, for the audit log. */
  readonly reason?: string | undefined;
}

/** Refused if the account's status does not allow the change. */
export async function changeExternalStatusByOperator(
  tx: Tx,
  change: ExternalStatusChange,
  action: OperatorAction,
): Promise<ExternalAccountRow> {
  const account = await lockedAccount(tx, action.accountId);
  const moved = await applyStatusChange(tx, change, account.id);
  if (!moved)
    refuse('CONFLICT', `The account is ${account.status}; it cannot be changed this way: ${change}.`);
  auditAction(tx, change, action, account);
  return moved;
}

/** The result of screening; a repeated or late notice changes nothing. */
export async function clearScreening(tx: Tx, accountId: ExternalAccountId): Promise<void> {
  await applyStatusChange(tx, 'screening clear', accountId);
}

export async function flagScreeningHit(tx: Tx, accountId: ExternalAccountId): Promise<void> {
  await applyStatusChange(tx, 'screening hit', accountId);
}

/** The result of the micro-deposits (accounts.md §4.7); the first one counts. */
export async function recordUsValidation(
  tx: Tx,
  accountId: ExternalAccountId,
  state: Exclude<UsValidation, 'PENDING'>,
): Promise<boolean> {
  return settleUsValidation(tx, accountId, state);
}

export async function recordUsValidationByOperator(
  tx: Tx,
  state: Exclude<UsValidation, 'PENDING'>,
  action: OperatorAction,
): Promise<ExternalAccountRow> {
  const account = await lockedAccount(tx, action.accountId);
  if (!(await settleUsValidation(tx, account.id, state))) {
    refuse('CONFLICT', 'This is not a US bank account that is being validated.');
  }
  auditAction(tx, `validation ${state.toLowerCase()}`, action, account);
  return account;
}

/** Changes the status if the present one allows it, and emits the event. Every change of status goes through here. */
export async function applyStatusChange(
  tx: Tx,
  change: keyof typeof ALL_CHANGES,
  accountId: ExternalAccountId,
): Promise<ExternalAccountRow | undefined> {
  const { from, to } = ALL_CHANGES[change];
  const row = await updateExternalAccountStatus(tx, accountId, from, to);
  if (row) emitStatusUpdated(tx, row);
  return row;
}

async function lockedAccount(tx: Tx, id: ExternalAccountId): Promise<ExternalAccountRow> {
  const account = await lockExternalAccount(tx, id);
  if (!account) throw externalAccountNotFound();
  return account;
}

function auditAction(
  tx: Tx,
  action: string,
  { accountId, reason }: OperatorAction,
  { customer_id: customerId }: ExternalAccountRow,
): void {
  audit(tx, {
    action: `account ${action}`,
    resource: publicId('ExternalAccount', accountId),
    customerId,
    ...(reason !== undefined && { details: { reason } }),
  });
}
