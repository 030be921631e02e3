import type { Tx } from '#foundation/database/tx.ts';
import { replyContext } from '#foundation/http/idempotency/idempotency.ts';
import { emptyReplies, type KeyName, listReplies } from '#foundation/http/idempotency/store.ts';
import { isNamedIn, type Traces } from '#foundation/lib/erasure-traces.ts';

/** The number of replies that are decrypted at a time. */
const PAGE = 500;

/**
 * Empties the stored replies that name an erased customer (platform.md §2.5a). A key has no column for the customers in
 * its reply: every call would have to write it, and only an erasure would ever read it. So all replies of the last day
 * are decrypted, in bounded pages.
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
    const named = page.filter(({ reply, ...name }) =>
      isNamedIn(`${name.scope} ${tx.vault.openText(reply, replyContext(platformId, name))}`, traces),
    );
    if (named.length > 0) await emptyReplies(tx, platformId, named);
    isMore = page.length === PAGE;
    after = page.at(-1) ?? after;
  }
}
