import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReportedCustomer } from '#foundation/person-keys/people.ts';

/** A line that is matched, and whose texts only a key of a month seals. */
export interface MatchedLine {
  readonly id: string;
  readonly texts: Buffer;
}

/** Keeps which credit a line stands for: the books forget it when the money leaves suspense. */
export async function nameCredits(run: Run): Promise<void> {
  await run(sql`
    update bank_lines l set credit_id = k.credit_id
      from bank_ours o join connector_credits k on k.platform_id = o.platform_id and k.entry_id = o.entry_id
     where l.is_of_stranger and l.match is not null and l.texts is not null and l.credit_id is null
       and o.match = l.match and k.connector_id = l.connector_id`);
}

/** Locks lines whose people are known by now, or will never be. */
export function lockAssignable(run: Run, limit: number): Promise<MatchedLine[]> {
  return run<MatchedLine>(sql`
    select l.id, l.texts from bank_lines l
     where l.is_of_stranger and l.match is not null and l.texts is not null
       and not exists (
         select from connector_credits k
          where k.connector_id = l.connector_id and k.credit_id = l.credit_id and k.transaction_id is null
            and k.taken_back_at is null)
     order by l.id limit ${limit} for update of l skip locked`);
}

export function listPeopleOfLine(run: Run, lineId: string): Promise<ReportedCustomer[]> {
  return run<ReportedCustomer>(sql`
    select t.platform_id, t.customer_id from bank_lines l
      join bank_ours o on o.match = l.match
      join transactions t on t.platform_id = o.platform_id and t.id = o.transaction_id
     where l.id = ${lineId} and t.customer_id is not null
    union
    select r.platform_id, r.customer_id from bank_lines l
     cross join lateral people_of_report(l.connector_id, l.credit_id) r
     where l.id = ${lineId} and l.credit_id is not null`);
}

export async function keepTexts(run: Run, lineId: string, texts: Buffer | null): Promise<void> {
  await run(sql`update bank_lines set texts = ${texts}, is_of_stranger = false where id = ${lineId}`);
}
