import { readReferences } from '#foundation/crypto/person-seal.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { replyContext } from '#foundation/http/idempotency/idempotency.ts';
import { emptyReplies, type KeyName, listReplies } from '#foundation/http/idempotency/store.ts';
import { isNamedIn, type Traces } from '#foundation/lib/erasure-traces.ts';

/** The number of replies that are decrypted at a time. */
const PAGE = 500;

/**
 * Empties the stored replies that name an erased customer (platform.md §2.5a). A key has no column for the customers in
 * its reply: every call would have to write it, and only an erasure would ever read it. The header of a reply that is
 * sealed with the customer's key names the customer. All other replies of the last day may name the customer in another
 * way, so they are opened, in bounded pages.
 */
export async function eraseReplies(tx: Tx, traces: Traces): Promise<void> {
  await eraseOn(tx, tx.platformId, traces);
  const codes = Map.groupBy(traces.elsewhere, ({ platformId }) => platformId);
  for (const [platformId, told] of codes) {
    await eraseOn(tx, platformId, { ids: new Set(), texts: told.map(({ resourceId }) => resourceId) });
  }
}

async function eraseOn(tx: Tx, platformId: PlatformId, traces: Pick<Traces, 'ids' | 'texts'>): Promise<void> {
  let after: KeyName = { scope: '', key: '' };
  for (let isMore = true; isMore; ) {
    const page = await listReplies(tx, platformId, after, PAGE);
    const sealedFor = page.filter(({ reply }) => isSealedFor(reply, traces));
    const others = page.filter((row) => !sealedFor.includes(row));
    // Meanwhile only rows of the deleted customer are locked.
    await tx.runtime.personKeys.loadPage(others.map(({ reply }) => reply));
    const named = [...sealedFor, ...others.filter((row) => isOpenedNaming(tx, platformId, row, traces))];
    if (named.length > 0) await emptyReplies(tx, platformId, named);
    isMore = page.length === PAGE;
    after = page.at(-1) ?? after;
  }
}

function isSealedFor(reply: Buffer, { ids }: Pick<Traces, 'ids'>): boolean {
  return readReferences(reply).some(({ person }) => ids.has(person));
}

/** Whether the opened reply names the customer. A reply that cannot be opened names a person who was erased before. */
function isOpenedNaming(
  { vault }: Tx,
  platformId: PlatformId,
  { reply, ...name }: KeyName & { readonly reply: Buffer },
  traces: Pick<Traces, 'ids' | 'texts'>,
): boolean {
  const text = vault.openKept(reply, replyContext(platformId, name));
  return text === undefined || isNamedIn(`${name.scope} ${text}`, traces);
}
