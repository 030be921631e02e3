import { operatorCurtailed } from '#capabilities/operators/announcements.ts';
import type { IssuerAnswer } from '#capabilities/operators/issuer.ts';
import { activate, changedRoles, tellOperator } from '#capabilities/operators/manage.ts';
import type { OperatorRow } from '#capabilities/operators/row.ts';
import { deleteSessions } from '#capabilities/operators/session-store.ts';
import {
  allowLastAdmin,
  findOperatorByEmail,
  findOperatorBySubject,
  insertOperator,
  lockOperators,
  updateOperator,
  useInvitation,
} from '#capabilities/operators/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import { isStorable } from '#foundation/lib/storable.ts';

/** Why a person does not get in. The person reads the same sentence for all of them; the log has the reason. */
export type NotAdmitted =
  | 'no issuer may name an account like this'
  | 'nobody invited this e-mail address'
  | 'the issuer does not say that the e-mail address is verified'
  | 'the invitation has expired'
  | 'another account of the issuer is tied to this operator'
  | 'the operator is suspended or removed'
  | 'no claim gives a role';

export interface Admitted {
  readonly operator: OperatorRow;
  /** Other roles than before, which ends all earlier sessions. */
  readonly hasChanged: boolean;
}

/**
 * Decides who somebody is that the issuer has authenticated (operator.md §1.3a). The first time, the e-mail address finds the
 * operator; from then on issuer and subject alone do. With a mapping, the roles become those of the claim.
 */
export async function admit(tx: Tx, answer: IssuerAnswer): Promise<Admitted | NotAdmitted> {
  const found = await findPerson(tx, answer);
  if (typeof found === 'string') return found;
  const row = (await lockOperators(tx, [found.id])).get(found.id) as OperatorRow;
  const problem = await checkPerson(tx, row, answer);
  if (problem) return problem;
  const isFirst = row.subject === null;
  if (isFirst) {
    await updateOperator(tx, row.id, { issuer: answer.issuer, subject: answer.subject });
    tellOperator(tx, 'operator join', row, { issuer: answer.issuer });
  }
  const active = row.status === 'ACTIVE' ? row : await activate(tx, row);
  return followClaim(tx, active, answer);
}

/** The most that OpenID Connect allows; the table has the same number. */
const SUBJECT_MAX = 255;

async function findPerson(tx: Tx, answer: IssuerAnswer): Promise<OperatorRow | NotAdmitted> {
  const { subject, email, isEmailVerified, roles } = answer;
  const isNamed = subject !== '' && subject.length <= SUBJECT_MAX && isStorable(subject);
  if (!isNamed) return 'no issuer may name an account like this';
  const known = await findOperatorBySubject(tx, answer);
  if (known) return known;
  const isUsable = email !== undefined && /^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email) && isStorable(email);
  if (!isUsable) return 'nobody invited this e-mail address';
  const invited = await findOperatorByEmail(tx, email);
  if (invited && !isEmailVerified) return 'the issuer does not say that the e-mail address is verified';
  if (invited) return invited;
  if (roles === undefined) return 'nobody invited this e-mail address';
  if (roles.length === 0) return 'no claim gives a role';
  const fresh = {
    ...{ id: tx.newId('Operator'), name: nameOf(answer, email), email, roles, status: 'INVITED' as const },
    ...{ invitedBy: answer.issuer, createdAt: new Date(tx.runtime.clock.now()) },
  };
  // Of two first sign-ins at once the second one finds the operator of the first.
  await insertOperator(tx, fresh);
  const made = (await findOperatorBySubject(tx, answer)) ?? (await findOperatorByEmail(tx, email));
  return made ?? 'nobody invited this e-mail address';
}

async function checkPerson(tx: Tx, row: OperatorRow, answer: IssuerAnswer): Promise<NotAdmitted | undefined> {
  const { issuer, subject, roles } = answer;
  if (row.subject !== null && (row.subject !== subject || row.issuer !== issuer)) {
    return 'another account of the issuer is tied to this operator';
  }
  if (row.status === 'SUSPENDED' || row.status === 'REMOVED') return 'the operator is suspended or removed';
  if (row.status !== 'INVITED') return undefined;
  const isInvited = await useInvitation(tx, row.id, new Date(tx.runtime.clock.now()));
  // With a mapping, the claim is the invitation.
  if (roles === undefined) return isInvited ? undefined : 'the invitation has expired';
  return roles.length > 0 ? undefined : 'no claim gives a role';
}

/** The claim decides like the command line: it may take the role from the last admin, and give it to somebody else. */
async function followClaim(
  tx: Tx,
  row: OperatorRow,
  { roles }: IssuerAnswer,
): Promise<Admitted | NotAdmitted> {
  const isSame = roles === undefined || isSameSet(row.roles, roles);
  if (isSame) return roles?.length === 0 ? 'no claim gives a role' : { operator: row, hasChanged: false };
  await allowLastAdmin(tx);
  const operator = await updateOperator(tx, row.id, { roles });
  await deleteSessions(tx, row.id);
  if (row.roles.some((role) => !roles.includes(role))) {
    await announce(tx, operatorCurtailed, { operatorId: row.id, reason: 'the issuer took a role away' });
  }
  tellOperator(tx, 'operator roles', operator, {
    roles,
    changed: changedRoles(row, roles),
    reason: 'the claim of the issuer',
  });
  return roles.length === 0 ? 'no claim gives a role' : { operator, hasChanged: true };
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((role) => other.includes(role));
}

function nameOf({ name = '' }: IssuerAnswer, email: string): string {
  const readable = name.replace(/\p{Cc}/gu, '').trim();
  return (readable === '' ? email : readable).slice(0, 100);
}
