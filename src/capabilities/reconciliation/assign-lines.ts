import {
  keepTexts,
  listPeopleOfLine,
  lockAssignable,
  type MatchedLine,
  nameCredits,
} from '#capabilities/reconciliation/line-people-store.ts';
import { textsContext } from '#capabilities/reconciliation/receive-statement.ts';
import type { Run } from '#foundation/database/database.ts';
import { fetchingKeys } from '#foundation/database/fetching-keys.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';
import { resealFor } from '#foundation/person-keys/people.ts';

type Parts = Pick<Runtime, 'database' | 'vault' | 'personKeys' | 'clock'>;

const BATCH = 100;
/** A value can be sealed for this many people. A line of a larger file loses its texts: they name none of them. */
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
        const lines = await lockAssignable(run, BATCH);
        for (const line of lines) await assign(parts, run, line);
        return lines.length;
      }),
    );
  } while (done === BATCH);
}

async function assign(parts: Parts, run: Run, { id, texts }: MatchedLine): Promise<void> {
  const people = await listPeopleOfLine(run, id);
  const isTooLarge = people.length > PEOPLE_MAX;
  await keepTexts(run, id, isTooLarge ? null : resealFor(parts, people, texts, textsContext(id)));
}
