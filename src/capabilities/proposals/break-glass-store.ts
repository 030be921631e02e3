import type { Database } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { keysetPage, type Page, type PageRequest } from '#foundation/http/paging.ts';

/** One row of `break_glass_uses`: a command that did at once what needs a second operator (operator.md §7.2). */
export interface BreakGlassRow {
  readonly id: Id<'BreakGlass'>;
  /** The nil id: the installation. */
  readonly platform_id: PlatformId;
  readonly operation: string;
  readonly resource: string | null;
  readonly made_by: string;
  readonly operator: Id<'Operator'> | null;
  readonly created_at: Date;
  readonly acknowledged_by: Id<'Operator'> | null;
  readonly acknowledged_at: Date | null;
}

const COLUMNS = sql`
  t.id, t.platform_id, t.operation, t.resource, t.made_by, t.operator, t.created_at, t.acknowledged_by,
  t.acknowledged_at`;

export type NewBreakGlass = Omit<BreakGlassRow, 'acknowledged_by' | 'acknowledged_at'>;

export async function insertBreakGlass(tx: Tx, row: NewBreakGlass): Promise<void> {
  const { id, platform_id, operation, resource, made_by, operator, created_at } = row;
  await tx.sql`
    insert into break_glass_uses (id, platform_id, operation, resource, made_by, operator, created_at)
    values (${id}, ${platform_id}, ${operation}, ${resource}, ${made_by}, ${operator}, ${created_at})`;
}

export interface BreakGlassFilter {
  /** Only those that nobody has acknowledged. */
  readonly isOpen?: boolean | undefined;
}

/** Lists the uses of all platforms and of the installation, the newest first. */
export function listBreakGlass<Item>(
  tx: ReadTx,
  request: PageRequest,
  { isOpen = false }: BreakGlassFilter,
  present: (row: BreakGlassRow) => Item,
): Promise<Page<Item>> {
  const where = [sql`true`, ...(isOpen ? [sql`t.acknowledged_at is null`] : [])];
  const query = { columns: COLUMNS, from: sql`break_glass_uses t`, where };
  return keysetPage<BreakGlassRow, Item>(tx, request, query, present);
}

/** The uses that nobody has acknowledged, the oldest first. */
export function listUnacknowledged(
  { query }: Pick<Database, 'query'>,
  limit: number,
): Promise<BreakGlassRow[]> {
  return query<BreakGlassRow>(sql`
    select ${COLUMNS} from break_glass_uses t
     where t.acknowledged_at is null order by t.created_at, t.id limit ${limit}`);
}

export async function lockBreakGlass(tx: Tx, id: Id<'BreakGlass'>): Promise<BreakGlassRow | undefined> {
  const [row] = await tx.query<BreakGlassRow>(sql`
    select ${COLUMNS} from break_glass_uses t where t.id = ${id} for no key update`);
  return row;
}

export async function markAcknowledged(
  tx: Tx,
  id: Id<'BreakGlass'>,
  by: Id<'Operator'>,
  at: Date,
): Promise<BreakGlassRow> {
  const [row] = await tx.query<BreakGlassRow>(sql`
    update break_glass_uses t set acknowledged_by = ${by}, acknowledged_at = ${at} where t.id = ${id}
    returning ${COLUMNS}`);
  if (!row) throw new Error('the use of break-glass is never removed');
  return row;
}
