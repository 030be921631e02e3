import Type from 'typebox';
import {
  type BreakRow,
  findBreak,
  updateBreakNotes,
  updateBreakOwner,
} from '#capabilities/connectors/break-store.ts';
import { concernedByBreak, sealBreakText } from '#capabilities/connectors/break-texts.ts';
import { presentShownBreak } from '#capabilities/connectors/operator/present.ts';
import { BREAK_PARAMS, BreakReply } from '#capabilities/connectors/operator/schemas.ts';
import { findOperator } from '#capabilities/operators/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { operatorChange } from '#foundation/http/declare/operator-change.ts';
import { idSchema } from '#foundation/http/schema.ts';
import { parseId, publicId } from '#foundation/lib/ids.ts';
import { invalidFields, Refusal, refuse } from '#foundation/lib/refusals.ts';
import { masked } from '#foundation/records/mask.ts';

/** The roles that may take care of a break: it is their work (bank-files.md §6.4). */
const CARING = ['finance', 'treasury'] as const;

interface About {
  readonly breakId: string;
  readonly reason: string;
}

/** Says which operator takes care of a break; without one, nobody does. */
export async function giveBreak(
  tx: Tx,
  { breakId, owner, reason }: About & { readonly owner?: string | undefined },
): Promise<BreakRow> {
  const id = owner === undefined ? null : await requireCaring(tx, owner);
  const isOpen = await updateBreakOwner(tx.query.bind(tx), breakId, id);
  const operator = owner === undefined ? {} : { operator: owner };
  audit(tx, {
    action: 'break assign',
    resource: publicId('Break', breakId),
    customerId: await concernedByBreak(tx, breakId),
    details: { ...operator, reason },
  });
  return loadChanged(tx, breakId, isOpen);
}

/** Writes what finance found. The audit row has only the reason, because rows of the audit log stay for ever. */
export async function noteBreak(
  tx: Tx,
  { breakId, note = null, reason }: About & { readonly note?: string | null | undefined },
): Promise<BreakRow> {
  const sealed = note === null ? null : await sealBreakText(tx, breakId, 'notes', note);
  const isOpen = await updateBreakNotes(tx.query.bind(tx), breakId, sealed);
  const customerId = await concernedByBreak(tx, breakId);
  audit(tx, { action: 'break note', resource: publicId('Break', breakId), customerId, details: { reason } });
  return loadChanged(tx, breakId, isOpen);
}

async function requireCaring(tx: Tx, owner: string): Promise<Id<'Operator'>> {
  const id = parseId('Operator', owner);
  const row = id && (await findOperator(tx, id));
  if (row?.status === 'ACTIVE' && CARING.some((role) => row.roles.includes(role))) return row.id;
  const message = `must be an active operator with the role ${CARING.join(' or ')}`;
  throw invalidFields([{ field: 'owner', message }]);
}

async function loadChanged(tx: Tx, breakId: string, isOpen: boolean): Promise<BreakRow> {
  const row = await findBreak(tx.query.bind(tx), breakId);
  if (!row) throw new Refusal('NOT_FOUND', 'There is no such break.');
  if (!isOpen) refuse('CONFLICT', 'The break is resolved already.');
  return row;
}

const CARE = { area: 'Connectors', roles: CARING, on: 'installation', params: BREAK_PARAMS } as const;

/** Record who takes care of breaks, and what was found (operator.md §6). The commands perform the same operations. */
export const careChanges = [
  operatorChange('setBreakOwner', {
    ...CARE,
    route: 'POST /breaks/:breakId/owner',
    summary: 'Say who takes care of a break',
    description: 'Without an operator, nobody takes care of it. Others may still resolve it.',
    fields: {
      owner: Type.Optional(
        masked(
          'none',
          idSchema('Operator', { description: 'An operator with the role finance or treasury.' }),
        ),
      ),
    },
    reply: BreakReply,
    codes: ['NOT_FOUND', 'CONFLICT', 'INVALID_INPUT'],
    change: async (tx, { params, body }) => presentShownBreak(await giveBreak(tx, { ...params, ...body })),
  }),
  operatorChange('noteBreak', {
    ...CARE,
    route: 'POST /breaks/:breakId/note',
    summary: 'Write a note about a break',
    description: 'For others who work on it. It replaces the note before it; without a text, it removes it.',
    fields: {
      note: Type.Optional(
        masked('text', Type.String({ minLength: 1, maxLength: 500, description: 'What was found so far.' })),
      ),
    },
    reply: BreakReply,
    codes: ['NOT_FOUND', 'CONFLICT'],
    change: async (tx, { params, body }) => presentShownBreak(await noteBreak(tx, { ...params, ...body })),
  }),
];
