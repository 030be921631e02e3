import Type, { type Static } from 'typebox';
import { acknowledgeBreakGlass } from '#capabilities/proposals/break-glass.ts';
import { type BreakGlassRow, listBreakGlass } from '#capabilities/proposals/break-glass-store.ts';
import { operatorOf } from '#capabilities/proposals/require-operator.ts';
import { type NamedOperation, operation } from '#foundation/http/declare/operation.ts';
import { EVERY_ROLE } from '#foundation/http/operator-rule.ts';
import { pageRequest } from '#foundation/http/paging.ts';
import { component, dateTime, idSchema, operatorReason, page, pageQuery } from '#foundation/http/schema.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';

const BreakGlassUse = component(
  'BreakGlassUse',
  'A command that did at once what needs a second operator. The audit log has the reason, under its id.',
  {
    id: idSchema('BreakGlass'),
    operation: Type.String({ description: 'The operation that was performed, by its id in this document.' }),
    resource: Type.Optional(Type.String({ description: 'The id of the resource that it was about.' })),
    platformId: Type.Optional(
      idSchema('Platform', { description: 'Absent: it was about the installation.' }),
    ),
    madeBy: Type.String({ description: 'The account at the command line, as the audit log names it.' }),
    operatorId: Type.Optional(
      idSchema('Operator', { description: 'The operator in whose name it was done.' }),
    ),
    createdAt: dateTime({ description: 'When it was done.' }),
    acknowledgedBy: Type.Optional(
      idSchema('Operator', { description: 'The operator who has acknowledged it.' }),
    ),
    acknowledgedAt: Type.Optional(dateTime({ description: 'When it was acknowledged.' })),
  },
);

const AREA = { area: 'Proposals', access: 'operator' } as const;

const list = operation('listBreakGlassUses', {
  ...AREA,
  route: 'GET /break-glass',
  operator: { roles: EVERY_ROLE, on: 'installation' },
  summary: 'List what was done without a second operator',
  description: 'Newest first, of all platforms and of the installation.',
  query: pageQuery({
    open: Type.Optional(Type.Boolean({ description: 'Only those that nobody has acknowledged.' })),
  }),
  reply: page('BreakGlassUseList', BreakGlassUse),
  codes: ['INVALID_INPUT'],
  read: (tx, { query }) =>
    listBreakGlass(tx, pageRequest('listBreakGlassUses', query), { isOpen: query.open }, presentBreakGlass),
});

const acknowledge = (operations: () => readonly NamedOperation[]) =>
  operation('acknowledgeBreakGlass', {
    ...AREA,
    route: 'POST /break-glass/:breakGlassId/acknowledge',
    params: { breakGlassId: { id: 'BreakGlass', missing: 'NOT_FOUND' } },
    operator: { roles: EVERY_ROLE.filter((role) => role !== 'viewer'), on: 'installation' },
    summary: 'Acknowledge what was done without a second operator',
    description:
      'Says that another operator, with a role that may do the operation, knows of it. It undoes nothing.',
    body: component('BreakGlassAcknowledgement', 'What was found.', { reason: operatorReason() }),
    reply: BreakGlassUse,
    codes: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
    async write(tx, { params: { breakGlassId }, body: { reason }, caller }) {
      const checked = { operator: operatorOf(caller), reason };
      return presentBreakGlass(await acknowledgeBreakGlass(tx, operations(), breakGlassId, checked));
    },
  });

/** Operations on uses of `--break-glass` (operator.md §7.2). */
export function breakGlassOperations(operations: () => readonly NamedOperation[]) {
  return [list, acknowledge(operations)];
}

function presentBreakGlass(row: BreakGlassRow): Static<typeof BreakGlassUse> {
  const { platform_id, resource, operator, acknowledged_by, acknowledged_at } = row;
  return {
    id: publicId('BreakGlass', row.id),
    operation: row.operation,
    ...(resource !== null && { resource }),
    ...(platform_id !== INSTALLATION.id && { platformId: publicId('Platform', platform_id) }),
    madeBy: row.made_by,
    ...(operator !== null && { operatorId: publicId('Operator', operator) }),
    createdAt: row.created_at.toISOString(),
    ...(acknowledged_by !== null && { acknowledgedBy: publicId('Operator', acknowledged_by) }),
    ...(acknowledged_at && { acknowledgedAt: acknowledged_at.toISOString() }),
  };
}
