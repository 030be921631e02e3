import type { BankAccount, OursRow, TheirsRow } from '#capabilities/reconciliation/row.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';

export const THEIRS = sql`
  t.id, t.connector_id, t.settlement_account, t.line_id, t.booked_on::text as booked_on, t.amount, t.currency, t.kind,
  t.reference_hashes, t.match, t.matched_on::text as matched_on`;
export const OURS = sql`
  o.platform_id, o.seq, o.line_no, o.entry_id, o.connector_id, o.settlement_account, o.transaction_id,
  o.booked_on::text as booked_on, o.expected_on::text as expected_on, o.amount, o.currency, o.reference_hashes, o.match,
  o.matched_on::text as matched_on`;

/**
 * Locks the lines of the bank behind this one that may be matched now: new lines, and lines that share a reference with a new
 * line of ours. Another process that matches at the same time skips them.
 */
export function lockTheirsToMatch(
  run: Run,
  after: Pick<TheirsRow, 'booked_on' | 'id'> | undefined,
  linesMax: number,
): Promise<TheirsRow[]> {
  const isBehind = after
    ? sql`(t.booked_on, t.id) > (${after.booked_on}::date, ${after.id}::uuid)`
    : sql`true`;
  return run<TheirsRow>(sql`
    select ${THEIRS} from bank_lines t
     where t.id in (
       select n.id from bank_lines n where n.is_new
       union
       select b.id from bank_ours o
         join bank_lines b on b.connector_id = o.connector_id and b.settlement_account = o.settlement_account
          and b.match is null and b.reference_hashes && o.reference_hashes
        where o.is_new)
       and ${isBehind}
     order by t.booked_on, t.id limit ${linesMax} for update skip locked`);
}

/** A line of ours that shares a reference with a line of the bank. */
export interface OursLike extends OursRow {
  /** Whether an operator booked it for that very line. */
  readonly is_answer: boolean;
}

/** Locks our lines of the account that share a reference with a line of the bank. */
export function lockOursLike(run: Run, theirs: TheirsRow): Promise<OursLike[]> {
  return run<OursLike>(sql`
    select ${OURS},
           exists (select from bank_bookings k
                    where k.platform_id = o.platform_id and k.entry_id = o.entry_id and k.line = ${theirs.id}) as is_answer
      from bank_ours o
     where o.connector_id = ${theirs.connector_id} and o.settlement_account = ${theirs.settlement_account}
       and o.currency = ${theirs.currency} and o.reference_hashes && ${theirs.reference_hashes}::bytea[]
     order by o.booked_on, o.seq, o.line_no for update`);
}

/** Lines that were there when matching began are no longer new. */
export async function endMatching(run: Run, theirs: readonly TheirsRow[]): Promise<void> {
  const ids = theirs.map(({ id }) => id);
  await run(sql`update bank_lines set is_new = false where id = any(${ids}::uuid[]) and is_new`);
}

/** The last of our new lines of a platform. The lines of a platform are copied in the order of their numbers. */
export type LastOurs = Pick<OursRow, 'platform_id' | 'seq'>;

export function listLastNewOurs(run: Run): Promise<LastOurs[]> {
  return run<LastOurs>(
    sql`select o.platform_id, max(o.seq) as seq from bank_ours o where o.is_new group by o.platform_id`,
  );
}

/**
 * Marks our lines up to these as no longer new. A line stays new if it was not compared with a line of the bank that shares a
 * reference, because another process held that line or because it came meanwhile.
 */
export async function settleOurs(
  run: Run,
  last: readonly LastOurs[],
  compared: readonly string[],
): Promise<void> {
  await run(sql`
    update bank_ours o set is_new = false
      from unnest(${last.map((one) => one.platform_id)}::uuid[], ${last.map((one) => one.seq)}::bigint[])
           as w (platform_id, seq)
     where o.is_new and o.platform_id = w.platform_id and o.seq <= w.seq
       and not exists (
         select from bank_lines b
          where b.connector_id = o.connector_id and b.settlement_account = o.settlement_account and b.match is null
            and b.reference_hashes && o.reference_hashes and b.id <> all(${compared}::uuid[]))`);
}

export interface NewMatch {
  readonly id: string;
  readonly theirs: readonly TheirsRow[];
  readonly ours: readonly OursRow[];
}

/** Matches these lines, each once: the day of a match is that of its last line. */
export async function insertMatch(run: Run, { id, theirs, ours }: NewMatch): Promise<void> {
  const day = [...theirs, ...ours]
    .map(({ booked_on }) => booked_on)
    .toSorted()
    .at(-1);
  const first = await run(sql`
    update bank_lines set match = ${id}, matched_on = ${day}
     where id = any(${theirs.map((one) => one.id)}::uuid[]) and match is null
    returning id`);
  const second = await run(sql`
    update bank_ours o set match = ${id}, matched_on = ${day}
      from unnest(${ours.map((one) => one.platform_id)}::uuid[], ${ours.map((one) => one.seq)}::bigint[],
                  ${ours.map((one) => one.line_no)}::smallint[]) as w (platform_id, seq, line_no)
     where o.platform_id = w.platform_id and o.seq = w.seq and o.line_no = w.line_no and o.match is null
    returning o.seq`);
  if (first.length !== theirs.length || second.length !== ours.length)
    throw new Error('a line of the match was matched before');
}

/** Closes the open breaks of every kind about these lines, because the missing lines came later. */
export async function endBreaksAbout(
  run: Run,
  { connector_id: connectorId }: BankAccount,
  about: readonly string[],
  now: Date,
): Promise<void> {
  await run(sql`
    update connector_breaks
       set resolved_at = ${now}, is_gone = true, resolution = 'The missing line came later.'
     where connector_id = ${connectorId} and about = any(${about}::text[]) and resolved_at is null
       and kind in ('OURS_UNMATCHED', 'THEIRS_UNMATCHED', 'AMOUNT_DIFFERS', 'DUPLICATE', 'RETURNED', 'LATE')`);
}

/** A line became another break: those of other kinds about it are gone. */
export async function endOtherBreaks(
  run: Run,
  {
    connectorId,
    about,
    kind,
  }: { readonly connectorId: string; readonly about: string; readonly kind: string },
  now: Date,
): Promise<void> {
  await run(sql`
    update connector_breaks
       set resolved_at = ${now}, is_gone = true, resolution = ${`The line is now a break of the kind ${kind}.`}
     where connector_id = ${connectorId} and about = ${about} and kind <> ${kind} and resolved_at is null`);
}

/** Our lines that the bank should have booked by a day, and that are in no break. */
export function listOverdueOurs(
  run: Run,
  { connector_id, settlement_account }: BankAccount,
  day: string,
): Promise<OursRow[]> {
  return run<OursRow>(sql`
    select ${OURS} from bank_ours o
     where o.connector_id = ${connector_id} and o.settlement_account = ${settlement_account}
       and coalesce(o.matched_on, 'infinity'::date) = 'infinity'::date and o.expected_on <= ${day}
       and not exists (
         select from connector_breaks b
          where b.connector_id = o.connector_id and b.kind = 'OURS_UNMATCHED'
            and b.about = 'entry ' || o.entry_id || ' ' || o.line_no)
     order by o.expected_on, o.seq limit 1000`);
}

export interface ReadAccount extends BankAccount {
  /** The last day of its statements. */
  readonly last_day: string;
}

export function listAccountsWithStatements(run: Run): Promise<ReadAccount[]> {
  return run<ReadAccount>(sql`
    select s.connector_id, s.settlement_account, max(s.last_day)::text as last_day
      from bank_statements s group by 1, 2 order by 1, 2`);
}

/** Locks our lines that an operator wrote off, each with the line that takes it back, once that was copied. */
export async function lockTakenBack(run: Run): Promise<{ ours: OursRow; taken: OursRow }[]> {
  const pairs = await run<{ platform_id: PlatformId; seq: bigint; taken_seq: bigint }>(sql`
    select o.platform_id, o.seq, n.seq as taken_seq
      from bank_ours n
      join bank_bookings k on k.platform_id = n.platform_id and k.entry_id = n.entry_id and k.ours_seq is not null
      join bank_ours o on o.platform_id = k.platform_id and o.seq = k.ours_seq and o.line_no = k.ours_line_no
     where n.is_new and n.match is null and o.match is null`);
  const found: { ours: OursRow; taken: OursRow }[] = [];
  for (const { platform_id, seq, taken_seq } of pairs) {
    const rows = await run<OursRow>(sql`
      select ${OURS} from bank_ours o
       where o.platform_id = ${platform_id} and o.seq in (${seq}, ${taken_seq}) and o.match is null for update`);
    const [ours, taken] = [seq, taken_seq].map((one) => rows.find((row) => row.seq === one));
    if (ours && taken && ours.amount === -taken.amount) found.push({ ours, taken });
  }
  return found;
}

/**
 * Whether a rotation of the hashes' key is under way, so that lines have hashes of two versions and cannot be compared
 * (decision 0056). The answer holds until the end of the transaction.
 */
export async function areHashesMixed(run: Run): Promise<boolean> {
  const [row] = await run<{ is_mixed: boolean }>(sql`
    select coalesce(v.written = v.next, false) as is_mixed from held_hash_versions() v`);
  return row?.is_mixed === true;
}
