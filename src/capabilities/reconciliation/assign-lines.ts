import { textsContext } from '#capabilities/reconciliation/receive-statement.ts';
import type { Run } from '#foundation/database/database.ts';
import { fetchingKeys } from '#foundation/database/fetching-keys.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';
import { peopleOfReport, type ReportedCustomer } from '#foundation/person-keys/people.ts';

type Parts = Pick<Runtime, 'database' | 'vault' | 'personKeys' | 'clock'>;

/** A line that is matched, and whose texts only a key of a month seals. */
interface MatchedLine {
  readonly id: string;
  readonly texts: Buffer;
}

const BATCH = 100;
/** A value is sealed for so many people at most. A line of a whole file says nothing about each of them. */
const PEOPLE_MAX = 255;

/**
 * Seals the texts of lines for the customers to whom they belong, once a match tells who these are (bank-files.md §5.3). A
 * line that is matched with money in suspense is looked at again when that money is assigned.
 */
export async function assignLines(parts: Parts): Promise<void> {
  const { database, personKeys } = parts;
  let done: number;
  do {
    done = await fetchingKeys(personKeys, NIL_ID, () =>
      database.transaction(async (run) => {
        await nameCredits(run);
        const lines = await lockAssignable(run);
        for (const line of lines) await assign(parts, run, line);
        return lines.length;
      }),
    );
  } while (done === BATCH);
}

/** Keeps which credit a line stands for: the books forget it when the money leaves suspense. */
async function nameCredits(run: Run): Promise<void> {
  await run(sql`
    update bank_lines l set credit_id = k.credit_id
      from bank_ours o join connector_credits k on k.platform_id = o.platform_id and k.entry_id = o.entry_id
     where l.is_of_stranger and l.match is not null and l.texts is not null and l.credit_id is null
       and o.match = l.match and k.connector_id = l.connector_id`);
}

/** Locks lines whose people are known by now, or will never be. */
function lockAssignable(run: Run): Promise<MatchedLine[]> {
  return run<MatchedLine>(sql`
    select l.id, l.texts from bank_lines l
     where l.is_of_stranger and l.match is not null and l.texts is not null
       and not exists (
         select from connector_credits k
          where k.connector_id = l.connector_id and k.credit_id = l.credit_id and k.transaction_id is null
            and k.taken_back_at is null)
     order by l.id limit ${BATCH} for update of l skip locked`);
}

async function assign(parts: Parts, run: Run, { id, texts }: MatchedLine): Promise<void> {
  const people = await listPeople(run, id);
  const sealed = people.length === 0 ? texts : reseal(parts, id, texts, people);
  await run(sql`update bank_lines set texts = ${sealed}, is_of_stranger = false where id = ${id}`);
}

function listPeople(run: Run, lineId: string): Promise<ReportedCustomer[]> {
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

/** Null if one of them was erased, or if the line is one of a large file. */
function reseal(parts: Parts, id: string, texts: Buffer, people: readonly ReportedCustomer[]): Buffer | null {
  const { vault, personKeys } = parts;
  if (people.length > PEOPLE_MAX) return null;
  const sealedFor = peopleOfReport(parts, people);
  personKeys.requireOpenable([texts]);
  const text = vault.openKept(texts, textsContext(id));
  if (text === undefined || people.some(({ customer_id }) => personKeys.isErased(customer_id))) return null;
  return vault.sealFor(sealedFor, text, textsContext(id));
}
