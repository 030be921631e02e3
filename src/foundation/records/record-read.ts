import type { PersonId } from '#foundation/crypto/person-seal.ts';
import type { Runtime, Tx } from '#foundation/database/tx.ts';
import type { OperatorCaller } from '#foundation/http/caller.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import { peopleOrStrangers } from '#foundation/person-keys/people.ts';
import { insertRead, type ReadKind, type RecordRead, sealReason } from './reads-store.ts';

export interface ReadFact {
  readonly kind: ReadKind;
  readonly platformId: PlatformId | null;
  readonly resource: string;
  readonly fields?: readonly string[];
  /** The searched values; the row has a keyed hash of them. */
  readonly terms?: Readonly<Record<string, unknown>>;
}

/** Records who looks, before anything is shown: a read that cannot be recorded does not happen. */
export async function recordRead(runtime: Runtime, caller: OperatorCaller, fact: ReadFact): Promise<void> {
  await insertRead(runtime.database.query, buildRead(runtime, caller, fact, runtime.newId(), null));
}

/** The same in a transaction, with the reason, which is sealed for the people whom it may describe. */
export async function recordReasonedRead(
  tx: Tx,
  caller: OperatorCaller,
  fact: ReadFact,
  { reason, people }: { readonly reason: string; readonly people: readonly PersonId[] },
): Promise<void> {
  const id = tx.newId<'RecordRead'>();
  const sealed = sealReason(tx.vault, peopleOrStrangers(tx, people), id, reason);
  await insertRead((piece) => tx.query(piece), buildRead(tx.runtime, caller, fact, id, sealed));
}

function buildRead(
  { clock, vault }: Runtime,
  { id: actorId, roles, session }: OperatorCaller,
  { kind, platformId, resource, fields = [], terms }: ReadFact,
  id: RecordRead['id'],
  reason: Buffer | null,
): RecordRead {
  return {
    ...{ id, platformId, actorId, roles, kind, resource, fields, reason },
    at: new Date(clock.now()),
    sessionId: session?.id ?? null,
    termHash: terms ? vault.fingerprint(canonicalJson(terms), 'searched terms') : null,
  };
}
