import type { BankAccount, TheirsRow } from '#capabilities/reconciliation/row.ts';
import type { Movement } from '#foundation/connector-protocol/repeated-lines.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';

export interface NewStatement extends BankAccount {
  id: string;
  statement_id: string;
  currency: string;
  first_day: string;
  last_day: string;
  opening: bigint;
  closing: bigint;
  content_hash: Buffer;
  received_at: Date;
}

/** Makes a second statement of the account wait for the commit, so that it is compared with the lines of the first. */
export async function lockStatements(
  run: Run,
  { connector_id, settlement_account }: BankAccount,
): Promise<void> {
  const name = `bank_statements ${connector_id} ${settlement_account}`;
  await run(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

export async function insertStatement(run: Run, row: NewStatement): Promise<void> {
  await run(sql`
    insert into bank_statements
      (id, connector_id, settlement_account, statement_id, currency, first_day, last_day, opening, closing, content_hash,
       has_gap, received_at)
    values (${row.id}, ${row.connector_id}, ${row.settlement_account}, ${row.statement_id}, ${row.currency},
            ${row.first_day}, ${row.last_day}, ${row.opening}, ${row.closing}, ${row.content_hash}, false, ${row.received_at})`);
}

export async function findStatement(
  run: Run,
  { connector_id, settlement_account }: BankAccount,
  statementId: string,
): Promise<{ content_hash: Buffer } | undefined> {
  const [row] = await run<{ content_hash: Buffer }>(sql`
    select content_hash from bank_statements
     where connector_id = ${connector_id} and settlement_account = ${settlement_account} and statement_id = ${statementId}`);
  return row;
}

export interface Days {
  readonly from: string;
  readonly to: string;
}

/** Finds the last statement up to these days, with the time at which it came if it covers the same days. */
export async function findStatementBefore(
  run: Run,
  { connector_id, settlement_account }: BankAccount,
  { from, to }: Days,
): Promise<{ closing: bigint; last_received_at: Date | null } | undefined> {
  const [row] = await run<{ closing: bigint; last_received_at: Date | null }>(sql`
    select s.closing, case when s.last_day = ${to}::date and s.first_day = ${from}::date then s.received_at end as last_received_at
      from bank_statements s
     where s.connector_id = ${connector_id} and s.settlement_account = ${settlement_account}
       and (s.last_day, s.first_day) <= (${to}::date, ${from}::date)
     order by s.last_day desc, s.first_day desc, s.received_at desc limit 1`);
  return row;
}

/** Finds the last statement with one of these days that closes with this balance. */
export async function findContinued(
  run: Run,
  { connector_id, settlement_account }: BankAccount,
  { from, to, closing }: Days & { readonly closing: bigint },
): Promise<{ first_day: string; received_at: Date } | undefined> {
  const [row] = await run<{ first_day: string; received_at: Date }>(sql`
    select s.first_day::text as first_day, s.received_at from bank_statements s
     where s.connector_id = ${connector_id} and s.settlement_account = ${settlement_account}
       and s.last_day between ${from}::date and ${to}::date and s.closing = ${closing}
     order by s.last_day desc, s.first_day desc, s.received_at desc limit 1`);
  return row;
}

export interface LineOfDays {
  readonly statement: string;
  readonly opening: bigint;
  /** Undefined: the statement has none. */
  readonly line: Movement | undefined;
}

/** Lists the lines of all statements that contain one of these days, statement by statement. */
export async function listLinesOfDays(
  run: Run,
  { connector_id, settlement_account }: BankAccount,
  { from, to }: Days,
): Promise<LineOfDays[]> {
  const rows = await run<{
    statement: string;
    opening: bigint;
    id: string | null;
    booked_on: string;
    amount: bigint;
  }>(sql`
    select s.id as statement, s.opening, l.line_id as id, l.booked_on::text as booked_on, l.amount
      from bank_statements s left join bank_lines l on l.statement = s.id
     where s.connector_id = ${connector_id} and s.settlement_account = ${settlement_account}
       and s.last_day >= ${from}::date and s.first_day <= ${to}::date
     order by s.last_day, s.first_day, s.received_at, l.place`);
  return rows.map(({ statement, opening, id, booked_on: bookedOn, amount: moved }) => {
    return { statement, opening, line: id === null ? undefined : { id, bookedOn, moved } };
  });
}

export type NewLine = Pick<
  TheirsRow,
  | 'id'
  | 'connector_id'
  | 'settlement_account'
  | 'line_id'
  | 'booked_on'
  | 'amount'
  | 'currency'
  | 'kind'
  | 'reference_hashes'
> & { readonly statement: string; readonly place: number; readonly texts: Buffer };

export async function insertLines(run: Run, rows: readonly NewLine[]): Promise<void> {
  for (const row of rows)
    await run(sql`
      insert into bank_lines
        (id, statement, place, connector_id, settlement_account, line_id, booked_on, amount, currency, kind,
         reference_hashes, texts, is_new)
      values (${row.id}, ${row.statement}, ${row.place}, ${row.connector_id}, ${row.settlement_account}, ${row.line_id},
              ${row.booked_on}, ${row.amount}, ${row.currency}, ${row.kind}, ${row.reference_hashes}::bytea[],
              ${row.texts}, true)`);
}

export interface Neighbour {
  readonly id: string;
  readonly statement_id: string;
  readonly opening: bigint;
  /** The closing balance of the statement before it; null: it is the first one. */
  readonly before: bigint | null;
  readonly has_gap: boolean;
}

/** The statements of the account whose opening balance is not what `has_gap` says. */
export function listNeighbours(
  run: Run,
  { connector_id, settlement_account }: BankAccount,
): Promise<Neighbour[]> {
  return run<Neighbour>(sql`
    select id, statement_id, opening, before, has_gap
      from (
        select s.id, s.statement_id, s.opening, s.has_gap,
               lag(s.closing) over (order by s.last_day, s.first_day, s.received_at) as before
          from bank_statements s
         where s.connector_id = ${connector_id} and s.settlement_account = ${settlement_account}) s
     where has_gap <> coalesce(before <> opening, false)`);
}

export async function markGap(run: Run, id: string, hasGap: boolean): Promise<void> {
  await run(sql`update bank_statements set has_gap = ${hasGap} where id = ${id}`);
}

/** The missing line or statement came later. */
export async function closeGap(
  run: Run,
  { connectorId, about }: { readonly connectorId: string; readonly about: string },
  now: Date,
): Promise<void> {
  await run(sql`
    update connector_breaks
       set resolved_at = ${now}, is_gone = true, resolution = 'The missing statement came later.'
     where connector_id = ${connectorId} and about = ${about} and resolved_at is null`);
}

/**
 * Destroys the old texts of lines about people (bank-files.md §5.3). It keeps the texts of a line with an open break, because a
 * person has yet to find out whose money it is, and those of a line that was never compared with the books. Returns how many
 * lines had texts.
 */
export async function destroyTexts(run: Run, before: Date, rowsMax: number): Promise<number> {
  const rows = await run(sql`
    update bank_lines set texts = null
     where id in (select l.id from bank_lines l
                   where l.texts is not null and not l.is_new and l.booked_on < ${before}::timestamptz::date
                     and not exists (select from connector_breaks b
                                      where b.connector_id = l.connector_id and b.about = 'line ' || l.id
                                        and b.resolved_at is null)
                   order by l.booked_on limit ${rowsMax})
    returning id`);
  return rows.length;
}

/** Does the same for the contents of statements that came in files, counted from the day on which they came. */
export async function destroyContents(run: Run, before: Date, rowsMax: number): Promise<number> {
  const rows = await run(sql`
    update bank_file_statements set content = null
     where (connector_id, settlement_account, statement_id) in (
             select s.connector_id, s.settlement_account, s.statement_id from bank_file_statements s
              where s.content is not null and s.received_at < ${before}
              order by s.received_at limit ${rowsMax})
    returning statement_id`);
  return rows.length;
}
