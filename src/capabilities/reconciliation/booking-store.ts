import { OURS, THEIRS } from '#capabilities/reconciliation/match-store.ts';
import type { BankAccount, OursRow, TheirsRow } from '#capabilities/reconciliation/row.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';

export interface OpenBreak {
  readonly id: string;
  readonly connector_id: string;
  readonly connector: string;
  readonly kind: string;
  readonly about: string;
}

/** Locks a break that nobody has resolved. */
export async function lockOpenBreak(run: Run, id: string): Promise<OpenBreak | undefined> {
  const [row] = await run<OpenBreak>(sql`
    select b.id, b.connector_id, c.name as connector, b.kind, b.about
      from connector_breaks b join connectors c on c.id = b.connector_id
     where b.id = ${id} and b.resolved_at is null for update of b`);
  return row;
}

/** Locks the line of the bank that a break is about, if it is not matched. */
export async function lockTheirs(run: Run, id: string): Promise<TheirsRow | undefined> {
  const [row] = await run<TheirsRow>(sql`
    select ${THEIRS} from bank_lines t where t.id = ${id} and t.match is null for update`);
  return row;
}

/** Locks the line of ours that a break is about, if it is not matched. */
export async function lockOurs(
  run: Run,
  {
    platformId,
    entryId,
    lineNo,
  }: { readonly platformId: PlatformId; readonly entryId: string; readonly lineNo: number },
): Promise<OursRow | undefined> {
  const [row] = await run<OursRow>(sql`
    select ${OURS} from bank_ours o
     where o.platform_id = ${platformId} and o.line_no = ${lineNo} and o.match is null
       and o.seq = (select c.seq from journal_chain c where c.platform_id = ${platformId} and c.entry_id = ${entryId})
       for update`);
  return row;
}

/** The platform in whose books the operator's own money in a settlement account is. */
export async function findBooksOf(
  run: Run,
  { connector_id, settlement_account }: BankAccount,
): Promise<PlatformId | undefined> {
  const [row] = await run<{ platform_id: PlatformId }>(sql`
    select platform_id from connector_owners
     where connector_id = ${connector_id} and settlement_account = ${settlement_account}`);
  return row?.platform_id;
}

export interface NewBooking {
  readonly platform_id: PlatformId;
  readonly entry_id: string;
  readonly break_id: string;
  readonly line: string | null;
  readonly ours_seq: bigint | null;
  readonly ours_line_no: number | null;
  readonly booked_at: Date;
}

export async function insertBooking(run: Run, row: NewBooking): Promise<void> {
  await run(sql`
    insert into bank_bookings (platform_id, entry_id, break_id, line, ours_seq, ours_line_no, booked_at)
    values (${row.platform_id}, ${row.entry_id}, ${row.break_id}, ${row.line}, ${row.ours_seq}, ${row.ours_line_no},
            ${row.booked_at})`);
}

/** Whether an operator booked this line of the bank. */
export async function isBooked(run: Run, line: string): Promise<boolean> {
  return (await run(sql`select 1 from bank_bookings where line = ${line}`)).length > 0;
}
