import type { OpenBreak } from '#capabilities/reconciliation/booking-store.ts';
import { OURS, THEIRS } from '#capabilities/reconciliation/match-store.ts';
import type { BankAccount, OursRow, TheirsRow } from '#capabilities/reconciliation/row.ts';
import type { Run } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';

/** A line of the bank with what it says about people, as long as that is kept. */
export type TheirsWithTexts = TheirsRow & { readonly texts: Buffer | null };

export interface LineBreakRow extends OpenBreak {
  readonly platform_id: PlatformId | null;
  /** What finance wrote about it, sealed. */
  readonly notes: Buffer | null;
}

export async function findLineBreak(run: Run, id: string): Promise<LineBreakRow | undefined> {
  const [row] = await run<LineBreakRow>(sql`
    select b.id, b.connector_id, c.name as connector, b.platform_id, b.kind, b.about, b.notes
      from connector_breaks b join connectors c on c.id = b.connector_id
     where b.id = ${id}`);
  return row;
}

export async function findTheirs(run: Run, id: string): Promise<TheirsWithTexts | undefined> {
  const [row] = await run<TheirsWithTexts>(
    sql`select ${THEIRS}, t.texts from bank_lines t where t.id = ${id}`,
  );
  return row;
}

export async function findOurs(
  run: Run,
  platformId: PlatformId,
  { entryId, lineNo }: { readonly entryId: string; readonly lineNo: number },
): Promise<OursRow | undefined> {
  const [row] = await run<OursRow>(sql`
    select ${OURS} from bank_ours o
     where o.platform_id = ${platformId} and o.line_no = ${lineNo}
       and o.seq = (select c.seq from journal_chain c where c.platform_id = ${platformId} and c.entry_id = ${entryId})`);
  return row;
}

/** The values by which lines of the other side are found. */
export interface Wanted extends BankAccount {
  readonly amount: bigint;
  readonly currency: string;
  readonly reference_hashes: readonly Buffer[];
  readonly from: string;
  readonly to: string;
}

/** Only lines that are in transit are read, however many were matched. */
const like = (alias: Sql, wanted: Wanted) => sql`
  ${alias}.connector_id = ${wanted.connector_id} and ${alias}.settlement_account = ${wanted.settlement_account}
    and coalesce(${alias}.matched_on, 'infinity'::date) = 'infinity'::date and ${alias}.currency = ${wanted.currency}
    and ((${alias}.amount = ${wanted.amount} and ${alias}.booked_on between ${wanted.from}::date and ${wanted.to}::date)
         or ${alias}.reference_hashes && ${[...wanted.reference_hashes]}::bytea[])`;

export function listOursLike(run: Run, wanted: Wanted, linesMax: number): Promise<OursRow[]> {
  return run<OursRow>(sql`
    select ${OURS} from bank_ours o where ${like(sql`o`, wanted)} order by o.booked_on desc, o.seq desc limit ${linesMax}`);
}

export function listTheirsLike(run: Run, wanted: Wanted, linesMax: number): Promise<TheirsWithTexts[]> {
  return run<TheirsWithTexts>(sql`
    select ${THEIRS}, t.texts from bank_lines t
     where ${like(sql`t`, wanted)} order by t.booked_on desc, t.place desc limit ${linesMax}`);
}
