import { LINKS, type LinkRow } from '#capabilities/stablecoins/link-row.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

const COLUMNS = LINKS.columns('t');

export async function findLink(tx: ReadTx, id: LinkId): Promise<LinkRow | undefined> {
  const [row] = await tx.query<LinkRow>(linkById(tx, id));
  return row;
}

/** Locks the row until the transaction ends. */
export async function lockLink(tx: Tx, id: LinkId): Promise<LinkRow | undefined> {
  const [row] = await tx.query<LinkRow>(sql`${linkById(tx, id)} for no key update of t`);
  return row;
}

/** Keeps the row unchanged until the transaction ends, while others may use it as well. Lock its coin first. */
export async function lockLinkForUse(tx: Tx, id: LinkId): Promise<LinkRow | undefined> {
  const [row] = await tx.query<LinkRow>(sql`${linkById(tx, id)} for share of t`);
  return row;
}

function linkById({ platformId }: ReadTx, id: LinkId): Sql {
  return sql`
    select ${COLUMNS} from stablecoin_provider_accounts t
     where t.platform_id = ${platformId} and t.id = ${id}`;
}
