import {
  checkInvitable,
  createJoinAddress,
  type NewAddress,
  type OperatorParts,
} from '#capabilities/operators/address.ts';
import { operatorCurtailed } from '#capabilities/operators/announcements.ts';
import { deletePasskeys } from '#capabilities/operators/passkey-store.ts';
import type { OperatorRow } from '#capabilities/operators/row.ts';
import { deleteSessions } from '#capabilities/operators/session-store.ts';
import {
  allowLastAdmin,
  deleteAddress,
  findOperatorByEmail,
  hasOtherAdmin,
  insertOperator,
  lockOperators,
  type OperatorChange,
  updateOperator,
  wasAnybodyActive,
} from '#capabilities/operators/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import { type ChangedValue, changedValues } from '#foundation/audit/changed-values.ts';
import { violates } from '#foundation/database/failures.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import { OPERATOR_ROLES, type OperatorRole } from '#foundation/http/operator-rule.ts';
import { parseId, publicId } from '#foundation/lib/ids.ts';
import { notFound, Refusal, refuse, refuseIf } from '#foundation/lib/refusals.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface Invitation {
  readonly name: string;
  readonly email: string;
  readonly roles: readonly OperatorRole[];
  readonly reason?: string | undefined;
}

export interface Invited {
  readonly operator: OperatorRow;
  readonly address: NewAddress;
}

/**
 * Invites a person, or makes a new address for one who has not joined yet or was suspended (operator.md §1.2). Somebody who has
 * joined needs `renewAddress`, which says what it ends.
 */
export async function inviteOperator(tx: Tx, invitation: Invitation, parts: OperatorParts): Promise<Invited> {
  refuseIf(checkInvitable(parts));
  const { name, email, reason } = invitation;
  const roles = inOrder(invitation.roles);
  const createdAt = new Date(tx.runtime.clock.now());
  const fresh = { id: tx.newId('Operator'), name, email, roles, status: 'INVITED', createdAt } as const;
  const isNew = await insertOperator(tx, { ...fresh, invitedBy: tx.actor.id });
  const known = isNew ? fresh : await findOperatorByEmail(tx, email);
  const { target } = await lockPair(tx, (known as OperatorRow).id);
  if (target.status !== 'INVITED' && target.status !== 'SUSPENDED') {
    refuse('CONFLICT', `An operator with this e-mail address exists and is ${target.status}.`);
  }
  // A suspension and a new invitation must not be a shorter way to a new passkey than a new address (operator.md §1.5).
  const approvesFrom = new Date(tx.runtime.clock.now() + DAY_MS);
  const change: OperatorChange = {
    ...{ name, roles, status: 'INVITED', addressBy: tx.actor.id },
    ...(target.status === 'SUSPENDED' && { approvesFrom }),
  };
  const operator = await updateOperator(tx, target.id, change);
  await endAccess(tx, operator.id);
  const address = await createJoinAddress(tx, operator, parts);
  tellOperator(tx, 'operator invite', operator, { roles, reason });
  return { operator, address };
}

/**
 * Makes a new address for an operator who lost the passkeys (operator.md §1.5): all passkeys, sessions and pending proposals
 * end, and after registering again the operator has to be confirmed, and approves nothing for 24 hours.
 */
export async function renewAddress(
  tx: Tx,
  id: Id<'Operator'>,
  reason: string,
  parts: OperatorParts,
): Promise<Invited> {
  refuseIf(checkInvitable(parts));
  const { target } = await lockPair(tx, id);
  refuseIf(checkOther(tx, target));
  if (target.status === 'REMOVED') refuse('CONFLICT', 'This operator was removed.');
  const approvesFrom = new Date(tx.runtime.clock.now() + DAY_MS);
  const change: OperatorChange = {
    ...{ status: 'INVITED', addressBy: tx.actor.id, digits: null, approvesFrom },
    // The next account with the e-mail address is tied: the issuer may have replaced the old one.
    ...{ issuer: null, subject: null },
  };
  const operator = await changeGuarded(tx, target, change);
  await endAccess(tx, id);
  await announce(tx, operatorCurtailed, { operatorId: id, reason: 'the operator registers again' });
  const address = await createJoinAddress(tx, operator, parts);
  tellOperator(tx, 'operator new address', operator, { reason });
  return { operator, address };
}

/** Gives an operator other roles (operator.md §1.4), which ends the sessions. */
export async function setRoles(
  tx: Tx,
  id: Id<'Operator'>,
  wish: readonly OperatorRole[],
  reason: string,
): Promise<OperatorRow> {
  const { target } = await lockPair(tx, id);
  refuseIf(checkOther(tx, target));
  if (target.status === 'REMOVED') refuse('CONFLICT', 'This operator was removed.');
  const roles = inOrder(wish);
  const operator = await changeGuarded(tx, target, { roles });
  await deleteSessions(tx, id);
  if (target.roles.some((role) => !roles.includes(role))) {
    await announce(tx, operatorCurtailed, { operatorId: id, reason: 'the operator lost a role' });
  }
  tellOperator(tx, 'operator roles', operator, { roles, changed: changedRoles(target, roles), reason });
  return operator;
}

/** Suspends or removes an operator: every session is dead at once. A removal is final. */
export async function endOperator(
  tx: Tx,
  id: Id<'Operator'>,
  status: 'SUSPENDED' | 'REMOVED',
  reason: string,
): Promise<OperatorRow> {
  const { target } = await lockPair(tx, id);
  refuseIf(checkOther(tx, target));
  if (target.status === status || target.status === 'REMOVED') {
    refuse('CONFLICT', `This operator is ${target.status} already.`);
  }
  const operator = await changeGuarded(tx, target, { status, digits: null });
  await endAccess(tx, id);
  await deleteAddress(tx, id);
  await announce(tx, operatorCurtailed, { operatorId: id, reason: `the operator is ${status}` });
  tellOperator(tx, status === 'REMOVED' ? 'operator remove' : 'operator suspend', operator, { reason });
  return operator;
}

/**
 * Confirms a person who has joined (operator.md §1.5a): another admin has compared the six digits. The admin who made the address
 * cannot, except for the first operator, who confirms the second.
 */
export async function confirmOperator(
  tx: Tx,
  id: Id<'Operator'>,
  { digits, reason }: { readonly digits: string; readonly reason: string },
): Promise<OperatorRow> {
  const { target, self } = await lockPair(tx, id);
  refuseIf(checkOther(tx, target));
  if (target.status !== 'JOINED') refuse('CONFLICT', `This operator is ${target.status}, and not JOINED.`);
  if (self && target.addressBy === tx.actor.id && (await wasAnybodyActive(tx, [id, self.id]))) {
    refuse(
      'FORBIDDEN',
      'You made the address with which this operator joined: another admin has to confirm.',
    );
  }
  if (target.digits !== digits) {
    refuse(
      'CONFLICT',
      'These are not the digits of this operator: the person may have joined with another key.',
    );
  }
  const operator = await activate(tx, target);
  tellOperator(tx, 'operator confirm', operator, { reason });
  return operator;
}

/** Makes an operator active. A session from before, which could do nothing, ends. */
export async function activate(tx: Tx, { id }: Pick<OperatorRow, 'id'>): Promise<OperatorRow> {
  await deleteSessions(tx, id);
  const activeSince = new Date(tx.runtime.clock.now());
  return updateOperator(tx, id, { status: 'ACTIVE', digits: null, activeSince });
}

/** Ends all sessions of an operator, or one; an operator may end the own ones. Returns how many. */
export async function endSessions(
  tx: Tx,
  id: Id<'Operator'>,
  options: { readonly session?: Id<'OperatorSession'>; readonly reason?: string | undefined } = {},
): Promise<number> {
  const { target } = await lockPair(tx, id);
  const ended = await deleteSessions(tx, id, options.session);
  tellOperator(tx, 'operator sessions', target, { ended, reason: options.reason });
  return ended;
}

/** Whether this operator needs nobody to confirm: the first one, or the last admin with an address of the command line. */
export async function needsNobody(tx: Tx, { id, roles, addressBy }: OperatorRow): Promise<boolean> {
  const isFromShell = operatorIdOf(addressBy) === undefined;
  return isFromShell && roles.includes('admin') && !(await hasOtherAdmin(tx, id));
}

/** The operator that an actor of the audit log is; undefined for an account at the command line. */
export function operatorIdOf(actorId: string): Id<'Operator'> | undefined {
  return parseId('Operator', actorId, 'full');
}

interface Pair {
  readonly target: OperatorRow;
  /** The operator who acts; undefined at the command line. */
  readonly self: OperatorRow | undefined;
}

/** Locks the operator who is changed and the one who changes, and looks again whether that one still may. */
async function lockPair(tx: Tx, id: Id<'Operator'>): Promise<Pair> {
  const own = operatorIdOf(tx.actor.id);
  const rows = await lockOperators(tx, own === undefined ? [id] : [id, own]);
  const target = rows.get(id);
  if (!target) throw notFound('OPERATOR_NOT_FOUND', 'operator');
  if (own === undefined) return { target, self: undefined };
  const self = rows.get(own);
  const mayAct = self?.status === 'ACTIVE' && (own === id || self.roles.includes('admin'));
  if (!mayAct) refuse('FORBIDDEN', 'You are no longer an active admin.');
  return { target, self };
}

/** operator.md §1.4: neither alone, nor by approving what somebody else proposes about the own account. */
function checkOther({ actor }: Tx, { id }: OperatorRow): Refusal | undefined {
  const own = publicId('Operator', id);
  if (actor.id !== own && actor.details?.checker !== own) return undefined;
  return new Refusal('FORBIDDEN', 'You cannot change your own roles or status: another admin has to.');
}

/** The database has the last word about the last admin, since two may act at once. */
async function changeGuarded(tx: Tx, target: OperatorRow, change: OperatorChange): Promise<OperatorRow> {
  if (operatorIdOf(tx.actor.id) === undefined) await allowLastAdmin(tx);
  try {
    return await updateOperator(tx, target.id, change);
  } catch (error) {
    if (!violates(error, 'operators_last_admin')) throw error;
    throw new Refusal('CONFLICT', 'This is the last active admin. Only the command line can end that.');
  }
}

async function endAccess(tx: Tx, id: Id<'Operator'>): Promise<void> {
  await deleteSessions(tx, id);
  await deletePasskeys(tx, id);
}

/** Writes the audit row of a change to an operator. */
export function tellOperator(
  tx: Tx,
  action: string,
  { id, email }: OperatorRow,
  { reason, changed = [], ...details }: Told,
): void {
  const isGiven = reason !== undefined;
  const resource = publicId('Operator', id);
  const told = { operator: email, ...details, ...(isGiven && { reason }) };
  audit(tx, { action, resource, details: told, changed });
}

interface Told {
  readonly changed?: readonly ChangedValue[];
  readonly [detail: string]: unknown;
}

/** The roles before and after a change, for the audit log and the preview of a proposal. */
export function changedRoles({ roles: before }: OperatorRow, after: readonly OperatorRole[]): ChangedValue[] {
  return changedValues({ roles: before }, { roles: after });
}

function inOrder(roles: readonly OperatorRole[]): OperatorRole[] {
  return OPERATOR_ROLES.filter((role) => roles.includes(role));
}
