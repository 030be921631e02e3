import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReportedCustomer } from '#foundation/person-keys/people.ts';

/** The customers whom reports of a connector are about, by what each report names. */
export type PeopleByAbout = ReadonlyMap<string, readonly ReportedCustomer[]>;

/** Looks these customers up: by the reference of an order, the account that was asked for, or the name of a credit. */
export async function findReported(
  run: Run,
  connectorId: string,
  abouts: readonly string[],
): Promise<PeopleByAbout> {
  if (abouts.length === 0) return new Map();
  const rows = await run<ReportedCustomer & { about: string }>(sql`
    select named.about, r.platform_id, r.customer_id
      from unnest(${[...new Set(abouts)]}::text[]) as named (about)
     cross join lateral people_of_report(${connectorId}, named.about) r`);
  return Map.groupBy(rows, ({ about }) => about);
}

/** The customers behind a break. */
export function findBehindBreak(run: Run, breakId: string): Promise<ReportedCustomer[]> {
  return run<ReportedCustomer>(sql`
    select p.platform_id, p.customer_id from people_of_break(${breakId}) p`);
}
