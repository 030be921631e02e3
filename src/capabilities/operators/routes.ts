import { accessReview } from '#capabilities/operators/access-review.ts';
import { type OperatorParts, withDelivery } from '#capabilities/operators/address.ts';
import {
  confirmOperator,
  endOperator,
  endSessions,
  type Invited,
  inviteOperator,
  renewAddress,
  setRoles,
} from '#capabilities/operators/manage.ts';
import { ownOperations } from '#capabilities/operators/own-routes.ts';
import { presentOperator } from '#capabilities/operators/row.ts';
import {
  EndedSessions,
  OperatorAddress,
  OperatorConfirmation,
  OperatorInvitation,
  OperatorList,
  OperatorNames,
  OperatorQuery,
  OperatorReason,
  OperatorRecord,
  OperatorReply,
  OperatorRolesRequest,
} from '#capabilities/operators/schemas.ts';
import { findOperator, listOperatorNames, listOperators } from '#capabilities/operators/store.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { EVERY_ROLE, type OperatorRule } from '#foundation/http/operator-rule.ts';
import { pageRequest } from '#foundation/http/paging.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { isObject } from '#foundation/lib/is-object.ts';
import { notFound } from '#foundation/lib/refusals.ts';

const area = 'Operators';
const access = 'operator';
const params = { operatorId: { id: 'Operator', missing: 'OPERATOR_NOT_FOUND' } } as const;
const READ: OperatorRule = { roles: ['admin'], on: 'installation' };
/** Everything about operators needs a fresh proof of presence (operator.md §3.4). */
const ALONE: OperatorRule = { ...READ, stepUp: true };
/** A change that gives access needs two operators; one that only takes it away needs one. */
const WITH_SECOND: OperatorRule = { ...ALONE, two: 'always' };

/** A proposed invitation is about a person: others can be invited meanwhile. */
const emailOf: OperatorRule['subject'] = ({ body }) =>
  isObject(body) && typeof body.email === 'string' ? body.email.toLowerCase() : undefined;

const reads = [
  accessReview,
  operation('listOperators', {
    route: 'GET /operators',
    ...{ area, access, operator: READ },
    summary: 'List operators',
    description: 'All people who run the service, the newest first; removed ones are among them.',
    query: OperatorQuery,
    reply: OperatorList,
    codes: [],
    read: (tx, { query }) => listOperators(tx, pageRequest('listOperators', query), query, presentOperator),
  }),
  operation('listOperatorNames', {
    route: 'GET /operator-names',
    ...{ area, access, operator: { ...READ, roles: EVERY_ROLE } },
    summary: 'List the names of operators',
    description: 'Whom the ids of operators in proposals, in the audit log and among reads stand for.',
    reply: OperatorNames,
    codes: [],
    async read(tx) {
      const rows = await listOperatorNames(tx);
      return { data: rows.map(({ id, name }) => ({ id: publicId('Operator', id), name })) };
    },
  }),
  operation('getOperator', {
    route: 'GET /operators/:operatorId',
    ...{ area, access, operator: READ, params },
    summary: 'Read an operator',
    reply: OperatorRecord,
    codes: ['OPERATOR_NOT_FOUND'],
    async read(tx, { params: { operatorId } }) {
      const found = await findOperator(tx, operatorId);
      return found ? presentOperator(found) : notFound('OPERATOR_NOT_FOUND', 'operator');
    },
  }),
];

const invitations = (parts: OperatorParts) => [
  operation('inviteOperator', {
    route: 'POST /operators',
    ...{ area, access, operator: { ...WITH_SECOND, subject: emailOf } },
    summary: 'Invite an operator',
    description:
      'Makes an address that works once, for 24 hours. Inviting the same e-mail address again makes the first address void. ' +
      'The person is `JOINED` after registering a passkey, until another admin confirms it.',
    body: OperatorInvitation,
    status: 201,
    reply: OperatorAddress,
    idempotency: { key: 'required', secretReply: true },
    codes: ['CONFLICT', 'NOT_IMPLEMENTED'],
    write: async (tx, { body }) => presentInvited(await inviteOperator(tx, body, parts)),
  }),
  operation('renewOperatorAddress', {
    route: 'POST /operators/:operatorId/address',
    ...{ area, access, operator: WITH_SECOND, params },
    summary: 'Make a new address for an operator',
    description:
      'For an operator who lost the passkey: all passkeys, sessions and pending proposals end, and the operator has to be ' +
      'confirmed again, and approves nothing for 24 hours.',
    body: OperatorReason,
    reply: OperatorAddress,
    idempotency: { key: 'required', secretReply: true },
    codes: ['CONFLICT', 'NOT_IMPLEMENTED'],
    write: async (tx, { params: { operatorId }, body }) =>
      presentInvited(await renewAddress(tx, operatorId, body.reason, parts)),
  }),
];

const changes = [
  operation('setOperatorRoles', {
    route: 'POST /operators/:operatorId/roles',
    ...{ area, access, operator: WITH_SECOND, params },
    summary: 'Give an operator other roles',
    description: 'The roles replace all earlier ones, and the sessions of the operator end.',
    body: OperatorRolesRequest,
    reply: OperatorReply,
    idempotency: { key: 'required' },
    codes: ['CONFLICT'],
    write: async (tx, { params: { operatorId }, body: { roles, reason } }) =>
      presentOperator(await setRoles(tx, operatorId, roles, reason)),
  }),
  operation('suspendOperator', {
    route: 'POST /operators/:operatorId/suspend',
    ...{ area, access, operator: ALONE, params },
    summary: 'Suspend an operator',
    description:
      'Every session is dead at once, and pending proposals end. A new invitation brings the operator back.',
    body: OperatorReason,
    reply: OperatorReply,
    idempotency: { key: 'required' },
    codes: ['CONFLICT'],
    write: async (tx, { params: { operatorId }, body: { reason } }) =>
      presentOperator(await endOperator(tx, operatorId, 'SUSPENDED', reason)),
  }),
  operation('removeOperator', {
    route: 'POST /operators/:operatorId/remove',
    ...{ area, access, operator: ALONE, params },
    summary: 'Remove an operator',
    description: 'Like a suspension, and final. The name stays, because audit rows name it.',
    body: OperatorReason,
    reply: OperatorReply,
    idempotency: { key: 'required' },
    codes: ['CONFLICT'],
    write: async (tx, { params: { operatorId }, body: { reason } }) =>
      presentOperator(await endOperator(tx, operatorId, 'REMOVED', reason)),
  }),
  operation('confirmOperator', {
    route: 'POST /operators/:operatorId/confirm',
    ...{ area, access, operator: ALONE, params },
    summary: 'Confirm an operator who has joined',
    description:
      'Another admin than the one who made the address compares the six digits with the person. The operator is then `ACTIVE`.',
    body: OperatorConfirmation,
    reply: OperatorReply,
    idempotency: { key: 'required' },
    codes: ['CONFLICT'],
    write: async (tx, { params: { operatorId }, body }) =>
      presentOperator(await confirmOperator(tx, operatorId, body)),
  }),
  operation('endOperatorSessions', {
    route: 'POST /operators/:operatorId/sessions/end',
    ...{ area, access, operator: ALONE, params },
    summary: 'End the sessions of an operator',
    description: 'All of them, at once.',
    body: OperatorReason,
    reply: EndedSessions,
    idempotency: { key: 'required' },
    codes: [],
    write: async (tx, { params: { operatorId }, body }) => ({
      ended: await endSessions(tx, operatorId, body),
    }),
  }),
];

/** What admins do about operators, and each operator about the own passkeys and sessions (operator.md §1). */
export function peopleOperations(parts: OperatorParts) {
  return [...reads, ...invitations(parts), ...changes, ...ownOperations(parts)];
}

function presentInvited({ operator, address }: Invited) {
  const { url, expiresAt, isMailed } = address;
  const reply = {
    operator: presentOperator(operator),
    expiresAt: expiresAt.toISOString(),
    isMailed,
    ...(!isMailed && { url }),
  };
  return withDelivery(reply, address);
}
