import { OURS, THEIRS } from '#capabilities/reconciliation/match-store.ts';
import { type BankAccount, type OursRow, sumOf, type TheirsRow } from '#capabilities/reconciliation/row.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';

/** Matches by hand, and opening balances (bank-files.md §6.5, §7.2). */

export interface Lines {
  readonly theirs: readonly TheirsRow[];
  readonly ours: readonly OursRow[];
}

/** Locks lines of the bank at an account that nothing matches. */
export function lockTheirsNamed(
  run: Run,
  { connector_id, settlement_account }: BankAccount,
  ids: readonly string[],
): Promise<TheirsRow[]> {
  return run<TheirsRow>(sql`
    select ${THEIRS} from bank_lines t
     where t.connector_id = ${connector_id} and t.settlement_account = ${settlement_account} and t.match is null
       and t.id = any(${ids}::uuid[])
     order by t.id for update`);
}

/** Locks our lines of these entries at an account that nothing matches. */
export function lockOursNamed(
  run: Run,
  { connector_id, settlement_account }: BankAccount,
  entries: readonly string[],
): Promise<OursRow[]> {
  return run<OursRow>(sql`
    select ${OURS} from bank_ours o
     where o.connector_id = ${connector_id} and o.settlement_account = ${settlement_account} and o.match is null
       and coalesce(o.matched_on, 'infinity'::date) = 'infinity'::date and o.entry_id = any(${entries}::uuid[])
     order by o.platform_id, o.seq, o.line_no for update`);
}

/** Keeps which of our lines a booked charge completes. */
export async function insertHandMatch(
  run: Run,
  { platformId, entryId }: { readonly platformId: PlatformId; readonly entryId: string },
  ours: readonly OursRow[],
): Promise<void> {
  for (const { platform_id, seq, line_no } of ours)
    await run(sql`
      insert into bank_hand_matches (platform_id, entry_id, ours_platform_id, ours_seq, ours_line_no)
      values (${platformId}, ${entryId}, ${platform_id}, ${seq}, ${line_no})`);
}

interface Charge {
  readonly platform_id: PlatformId;
  readonly entry_id: string;
  /** The line of the bank that kept it. */
  readonly line: string;
  readonly seq: bigint;
  readonly line_no: number;
}

/** Locks what operators matched by hand and the copied entry completes now. */
export async function lockJoined(run: Run): Promise<Lines[]> {
  const charges = await run<Charge>(sql`
    select k.platform_id, k.entry_id, k.line, n.seq, n.line_no
      from bank_ours n
      join bank_bookings k on k.platform_id = n.platform_id and k.entry_id = n.entry_id and k.line is not null
     where n.is_new and n.match is null
       and exists (select from bank_hand_matches h where h.platform_id = k.platform_id and h.entry_id = k.entry_id)`);
  const found: Lines[] = [];
  for (const { platform_id, entry_id, line, seq, line_no } of charges) {
    const theirs = await run<TheirsRow>(sql`
      select ${THEIRS} from bank_lines t where t.id = ${line} and t.match is null for update`);
    const ours = await run<OursRow>(sql`
      select ${OURS} from bank_ours o
       where o.match is null
         and (o.platform_id, o.seq, o.line_no) in (
           select h.ours_platform_id, h.ours_seq, h.ours_line_no from bank_hand_matches h
            where h.platform_id = ${platform_id} and h.entry_id = ${entry_id}
           union all
           select ${platform_id}::uuid, ${seq}::bigint, ${line_no}::smallint)
       order by o.platform_id, o.seq, o.line_no for update`);
    if (theirs.length > 0 && sumOf(theirs) === sumOf(ours)) found.push({ theirs, ours });
  }
  return found;
}

/** Locks the copied entries of opening balances: no line of the bank belongs to them. */
export async function lockOpenings(run: Run): Promise<Lines[]> {
  const ours = await run<OursRow>(sql`
    select ${OURS} from bank_ours o
      join bank_openings b on b.platform_id = o.platform_id and b.entry_id = o.entry_id
     where o.is_new and o.match is null
     order by o.platform_id, o.seq for update of o`);
  return ours.map((row) => ({ theirs: [], ours: [row] }));
}

export interface NewOpening extends BankAccount {
  readonly platform_id: PlatformId;
  readonly entry_id: string;
  readonly day: string;
  readonly amount: bigint;
  readonly booked_at: Date;
}

/** False if the opening balance of the account was booked before. */
export async function insertOpening(run: Run, row: NewOpening): Promise<boolean> {
  const inserted = await run(sql`
    insert into bank_openings (connector_id, settlement_account, platform_id, entry_id, day, amount, booked_at)
    values (${row.connector_id}, ${row.settlement_account}, ${row.platform_id}, ${row.entry_id}, ${row.day}, ${row.amount},
            ${row.booked_at})
        on conflict do nothing
    returning entry_id`);
  return inserted.length > 0;
}
