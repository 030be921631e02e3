import type { Run } from '#foundation/database/database.ts';
import { PLATFORM_COLUMNS, type PlatformRow, toPlatform } from '#foundation/database/platforms.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Platform } from '#foundation/lib/platform.ts';

/** An address that shows the number of a card; of its token only the hash is kept (A.5.3). */
export interface Reveal {
  readonly cardId: string;
  /** Who asked for it: the public id of an API token. */
  readonly actor: string;
  readonly expiresAt: Date;
}

export async function insertReveal(tx: Tx, reveal: Reveal & { readonly tokenHash: Buffer }): Promise<void> {
  await tx.sql`
    insert into card_reveals (token_hash, platform_id, card_id, actor, expires_at, created_at)
    values (${reveal.tokenHash}, ${tx.platformId}, ${reveal.cardId}, ${reveal.actor}, ${reveal.expiresAt}, ${tx.now})`;
}

/**
 * Across platforms: the token is all that a visitor of the page has. While a platform is disabled its addresses are not
 * found, like its other links. Expired ones are found.
 */
export async function findReveal(
  run: Run,
  tokenHash: Buffer,
): Promise<(Reveal & { readonly platform: Platform }) | undefined> {
  const [row] = await run<PlatformRow & { card_id: string; actor: string; expires_at: Date }>(sql`
    select r.card_id, r.actor, r.expires_at, ${PLATFORM_COLUMNS}
      from card_reveals r join platforms p on p.id = r.platform_id
     where r.token_hash = ${tokenHash} and p.disabled_at is null`);
  return (
    row && { cardId: row.card_id, actor: row.actor, expiresAt: row.expires_at, platform: toPlatform(row) }
  );
}

/** An expired one is no better than an unknown one; who asked and who looked is in the audit log. */
export async function purgeReveals(tx: Tx, rowsMax: number): Promise<number> {
  const deleted = await tx.sql`
    delete from card_reveals
     where ctid = any(array(
       select ctid from card_reveals
        where platform_id = ${tx.platformId} and expires_at < ${tx.now}
        limit ${rowsMax} for update skip locked))
    returning 1`;
  return deleted.length;
}
