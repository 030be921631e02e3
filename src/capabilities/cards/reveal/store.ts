import type { Run } from '#foundation/database/database.ts';
import { PLATFORM_COLUMNS, type PlatformRow, toPlatform } from '#foundation/database/platforms.ts';
import { purgeRows } from '#foundation/database/rows.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Platform } from '#foundation/lib/platform.ts';

/** An address that shows the number of a card. Only the hash of its token is stored (cards.md §5.3). */
export interface Reveal {
  readonly cardId: CardId;
  /** The caller who requested it: the public id of an API token. */
  readonly actor: string;
  readonly expiresAt: Date;
}

export async function insertReveal(tx: Tx, reveal: Reveal & { readonly tokenHash: Buffer }): Promise<void> {
  await tx.sql`
    insert into card_reveals (token_hash, platform_id, card_id, actor, expires_at, created_at)
    values (${reveal.tokenHash}, ${tx.platformId}, ${reveal.cardId}, ${reveal.actor}, ${reveal.expiresAt}, ${tx.now})`;
}

/**
 * Searches all platforms, because a visitor of the page has nothing but the token. The addresses of a disabled platform
 * are not found, like its other links. Expired addresses are found.
 */
export async function findReveal(
  run: Run,
  tokenHash: Buffer,
): Promise<(Reveal & { readonly platform: Platform }) | undefined> {
  const [row] = await run<PlatformRow & { card_id: CardId; actor: string; expires_at: Date }>(sql`
    select r.card_id, r.actor, r.expires_at, ${PLATFORM_COLUMNS}
      from card_reveals r join platforms p on p.id = r.platform_id
     where r.token_hash = ${tokenHash} and p.disabled_at is null`);
  return (
    row && { cardId: row.card_id, actor: row.actor, expiresAt: row.expires_at, platform: toPlatform(row) }
  );
}

/** Deletes expired addresses, which work no more than unknown ones. The audit log keeps who requested and opened them. */
export function purgeReveals(tx: Tx, rowsMax: number): Promise<number> {
  return purgeRows(tx, 'card_reveals', sql`expires_at < ${tx.now}`, rowsMax);
}
