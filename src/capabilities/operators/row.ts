import type { OperatorRole } from '#foundation/http/operator-rule.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** Where a person stands (operator.md §1.1); the table has the transitions. */
export const OPERATOR_STATUSES = ['INVITED', 'JOINED', 'ACTIVE', 'SUSPENDED', 'REMOVED'] as const;
export type OperatorStatus = (typeof OPERATOR_STATUSES)[number];

/** A person who runs the service. */
export interface OperatorRow {
  readonly id: Id<'Operator'>;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly OperatorRole[];
  readonly status: OperatorStatus;
  /** As the audit log names the actor. */
  readonly invitedBy: string;
  /** The actor who made the last address. */
  readonly addressBy: string;
  readonly createdAt: Date;
  /** Six digits of the key of an operator who has joined, until somebody confirms them. */
  readonly digits: string | null;
  /** After a lost passkey, the time until which the operator approves nothing. */
  readonly approvesFrom: Date | null;
  readonly lastSeenAt: Date | null;
  /** The account of the issuer at which the operator signs in. */
  readonly issuer: string | null;
  readonly subject: string | null;
}

/** An operator as other operators and the command line see one. */
export function presentOperator(row: OperatorRow) {
  const { id, name, email, roles, status, invitedBy, createdAt, digits, approvesFrom, lastSeenAt } = row;
  return {
    id: publicId('Operator', id),
    name,
    email,
    roles: [...roles],
    status,
    invitedBy,
    createdAt: createdAt.toISOString(),
    ...(lastSeenAt && { lastSeenAt: lastSeenAt.toISOString() }),
    ...(digits !== null && { digits }),
    ...(approvesFrom && { approvesFrom: approvesFrom.toISOString() }),
  };
}

/** Only these may sign in; a joined operator can then do nothing (operator.md §1.5a). */
export function maySignIn({ status }: Pick<OperatorRow, 'status'>): boolean {
  return status === 'ACTIVE' || status === 'JOINED';
}
