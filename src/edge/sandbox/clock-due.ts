import Type, { type Static } from 'typebox';
import type { ReadTx } from '#foundation/database/tx.ts';
import { type PageRequest, readSealedCursor, writeSealedCursor } from '#foundation/http/paging.ts';
import { component, dateTime, idSchema, page, pageQuery } from '#foundation/http/schema.ts';
import {
  type DuePosition,
  type DueSource,
  findDue,
  type ListedDue,
  listDue,
  timeOf,
} from '#foundation/jobs/due.ts';
import { parseId, publicId, typeOfId } from '#foundation/lib/ids.ts';
import { invalidFields, Refusal, refuse } from '#foundation/lib/refusals.ts';

/** Lists what is due on a platform's clock (platform.md §1.5.5–1.5.8). */

export const SandboxClockDueItem = component(
  'SandboxClockDueItem',
  'Something that will happen on the clock.',
  {
    id: idSchema('DueItem', {
      description: 'Id of the item. Send it as `until` to move the clock to this item.',
    }),
    dueAt: dateTime({ description: 'When it will happen, on the platform’s clock.' }),
    resourceId: Type.Optional(
      Type.String({
        description: 'The resource that the item concerns, if there is one.',
        examples: ['Quote:019542f5-b3e7-7d02-8000-000000000031'],
      }),
    ),
    kind: Type.Optional(
      Type.String({
        description: 'The kind of that resource: the part of its id before the colon.',
        examples: ['Quote'],
      }),
    ),
    sentence: Type.String({ description: 'What will happen, in one sentence.' }),
  },
);
type SandboxClockDueItem = Static<typeof SandboxClockDueItem>;

export const SandboxClockDueQuery = pageQuery({});
export const SandboxClockDueListResponse = page('SandboxClockDueListResponse', SandboxClockDueItem, {
  total: false,
});

export function presentDue({
  id,
  dueAt,
  resourceId,
  sentence,
}: Omit<ListedDue, 'source' | 'key'>): SandboxClockDueItem {
  const kind = resourceId && typeOfId(resourceId);
  return {
    id: publicId('DueItem', id),
    dueAt: dueAt.toISOString(),
    ...(resourceId !== undefined && { resourceId }),
    ...(kind !== undefined && { kind }),
    sentence,
  };
}

/** One page, the earliest first. */
export async function readDuePage(
  tx: ReadTx,
  request: PageRequest,
  sources: readonly DueSource[],
): Promise<Static<typeof SandboxClockDueListResponse>> {
  const after = request.cursor === undefined ? undefined : readPosition(tx, request);
  const found = await listDue(tx, sources, request.limit + 1, after);
  const kept = found.slice(0, request.limit);
  const last = kept.at(-1);
  const hasMore = found.length > kept.length;
  return {
    data: kept.map(presentDue),
    hasMore,
    ...(hasMore && last && { nextCursor: writePosition(tx, request, last) }),
  };
}

function writePosition(tx: ReadTx, request: PageRequest, { dueAt, source, key }: DuePosition): string {
  return writeSealedCursor(tx, request, [dueAt.toISOString(), `${source}`, key]);
}

function readPosition(tx: ReadTx, request: PageRequest): DuePosition {
  const [dueAt = '', source, key = ''] = readSealedCursor(tx, request);
  return { dueAt: new Date(dueAt), source: Number(source), key };
}

/** Finds what `until` names, or refuses. */
export async function requireDue(
  tx: ReadTx,
  sources: readonly DueSource[],
  until: 'next' | Id<'DueItem'>,
): Promise<Omit<ListedDue, 'source' | 'key'>> {
  const found = until === 'next' ? await findNext(tx, sources) : await findNamed(tx, sources, until);
  if (found.dueAt.getTime() - tx.now.getTime() > YEAR_MS) {
    throw invalidFields([
      { field: 'until', message: `is due at ${found.dueAt.toISOString()}, more than a year ahead` },
    ]);
  }
  return found;
}

async function findNext(tx: ReadTx, sources: readonly DueSource[]) {
  const [next] = await listDue(tx, sources, 1);
  return next ?? refuse('CONFLICT', 'Nothing is due on this clock.');
}

async function findNamed(tx: ReadTx, sources: readonly DueSource[], id: Id<'DueItem'>) {
  const found = await findDue(tx, sources, id);
  if (found) return { ...found, id };
  const at = timeOf(id);
  const reason =
    at > tx.now
      ? 'No item with this id is due. It may have been cancelled or moved to another time.'
      : `No item with this id is due. Its time, ${at.toISOString()}, has passed, so it has happened or was cancelled.`;
  throw new Refusal('NOT_FOUND', reason);
}

const YEAR_MS = 31_536_000_000;

/** Reads `until` of a request. */
export function parseUntil(text: string): 'next' | Id<'DueItem'> {
  if (text === 'next') return text;
  const id = parseId('DueItem', text, 'full');
  if (id !== undefined) return id;
  throw invalidFields([
    { field: 'until', message: 'must be "next", or the id of an item of GET /sandbox/clock/due' },
  ]);
}
