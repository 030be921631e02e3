import { type ItemPlace, placeOf, readItemId } from '#capabilities/attention/items.ts';
import { readerOf, requireKind, type WorkParts } from '#capabilities/attention/kinds.ts';
import { type ItemRow, pageStatement, type WorkScope } from '#capabilities/attention/store.ts';
import {
  deleteTake,
  type ItemName,
  lockTake,
  type TakeRow,
  updateNote,
  upsertTake,
} from '#capabilities/attention/take-store.ts';
import { operatorOf } from '#capabilities/proposals/require-operator.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import { type AttentionKind, type AttentionReader, ownerOf } from '#foundation/database/attention.ts';
import { onPlatform, type Tx } from '#foundation/database/tx.ts';
import type { Caller } from '#foundation/http/caller.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { notFound, refuse } from '#foundation/lib/refusals.ts';
import { findCustomerOf } from '#foundation/person-keys/customer-of-store.ts';
import { peopleOrStrangers } from '#foundation/person-keys/people.ts';

/** Takes a waiting item for an operator (operator.md §6.5). */
export async function takeWork(
  tx: Tx,
  parts: WorkParts,
  caller: Caller,
  { item, takeOver: isTakeover = false }: { readonly item: string; readonly takeOver?: boolean | undefined },
): Promise<TakeRow> {
  const place = readItemId(item);
  const kind = requireKind(parts, caller, place.kind, 'item');
  const subject = await requireWaiting(tx, kind, place, readerOf(parts, caller));
  const name = nameOf(place);
  const take = { operator: operatorOf(caller), at: realNow(tx), isTakeover };
  const row = await upsertTake(tx, { ...name, subject }, take);
  if (!row) refuse('CONFLICT', 'Another operator has taken it. Send `takeOver` to take it over.');
  auditTake(tx, 'work take', { ...name, subject });
  return row;
}

/** Gives an item back, which may be done already. */
export async function releaseWork(tx: Tx, parts: WorkParts, caller: Caller, item: string): Promise<void> {
  const { name, row } = await requireOwn(tx, parts, caller, item);
  await deleteTake(tx, row.id);
  auditTake(tx, 'work release', { ...name, subject: row.subject });
}

/** Writes a note for others. Like the reason of a change, it may describe the person whom the item is about. */
export async function noteWork(
  tx: Tx,
  parts: WorkParts,
  caller: Caller,
  { item, note }: { readonly item: string; readonly note: string | null },
): Promise<TakeRow> {
  const { name, row } = await requireOwn(tx, parts, caller, item);
  const sealed = note === null ? null : await sealNote(tx, { ...name, ...row }, note);
  await updateNote(tx, row.id, sealed, realNow(tx));
  auditTake(tx, 'work note', { ...name, subject: row.subject });
  return { ...row, note: sealed };
}

/** Returns the subject of an item that still waits: the item is the next one after a key that is a little shorter. */
async function requireWaiting(
  tx: Tx,
  kind: AttentionKind,
  { since, platformId, key }: ItemPlace,
  reader: AttentionReader,
): Promise<string> {
  const isOwned = platformId !== INSTALLATION.id;
  const scope: WorkScope = {
    now: realNow(tx),
    environment: 'PRODUCTION',
    platformId: isOwned ? (platformId as PlatformId) : undefined,
    reader,
  };
  const before = new Date(new Date(since).getTime() - 1).toISOString();
  const after =
    key === '' ? { since: before, platformId, key } : { since, platformId, key: key.slice(0, -1) };
  const rows = await tx.query<ItemRow>(pageStatement(kind, scope, { limit: NEIGHBOURS_MAX, after }));
  const place = { since, platformId, key };
  const found = rows.find((row) => isAt(placeOf(kind, row), place));
  if (!found) throw notFound('NOT_FOUND', 'item that waits');
  return kind.present(found as never, ownerOf(found.platform_id)).subject;
}

/** Items that began to wait in the same millisecond, and whose keys differ in the last characters only. */
const NEIGHBOURS_MAX = 100;

function isAt(one: ItemPlace, other: Omit<ItemPlace, 'kind'>): boolean {
  return one.since === other.since && one.platformId === other.platformId && one.key === other.key;
}

async function requireOwn(tx: Tx, parts: WorkParts, caller: Caller, item: string) {
  const place = readItemId(item);
  requireKind(parts, caller, place.kind, 'item');
  const name = nameOf(place);
  const row = await lockTake(tx, name);
  if (row?.operator !== operatorOf(caller))
    refuse('CONFLICT', row ? 'Another operator has taken it.' : 'Nobody has taken it.');
  return { name, row };
}

function nameOf({ kind, platformId, key }: ItemPlace): ItemName {
  return { kind, platformId: platformId as PlatformId, key };
}

function realNow(tx: Tx): Date {
  return new Date(tx.runtime.clock.now());
}

async function sealNote(
  tx: Tx,
  { id, platformId, subject }: Pick<TakeRow, 'id' | 'subject'> & Pick<ItemName, 'platformId'>,
  note: string,
): Promise<Buffer> {
  const customer = await findCustomerOf(tx, subject, platformId);
  const isOwned = platformId !== INSTALLATION.id;
  const named = customer === undefined ? [] : [customer];
  const people = peopleOrStrangers({ platformId, runtime: tx.runtime }, named);
  tx.runtime.personKeys.requireHeld(people, isOwned ? platformId : undefined);
  return tx.vault.sealNaming(people, note, noteContext(id));
}

/** Opens a note. Undefined: there is none, or the customer whom it was about is erased. */
export function openNote(
  vault: PersonVault,
  { id, note }: { readonly id: TakeRow['id'] | null; readonly note: Buffer | null },
): string | undefined {
  return id === null || note === null ? undefined : vault.openKept(note, noteContext(id));
}

function noteContext(id: TakeRow['id']): string {
  return `work_takes.note:${id}`;
}

function auditTake(
  tx: Tx,
  action: string,
  { kind, platformId, subject: resource }: ItemName & { readonly subject: string },
): void {
  const isOwned = platformId !== INSTALLATION.id;
  const there = isOwned ? onPlatform(tx, { ...tx.platform, id: platformId }) : tx;
  audit(there, { action, resource, details: { kind } });
}
