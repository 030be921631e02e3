import type { BankAccount } from '#capabilities/reconciliation/row.ts';
import type { Run } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';

/** One row of an export (bank-files.md §7.4). Nothing in it says anything about people. */
export interface ExportRow {
  readonly record: 'PROOF' | 'THEIRS' | 'OURS' | 'BREAK';
  readonly day: string;
  /** The id of a line or a break; null for a proof. */
  readonly id: string | null;
  /** The amount of a line, the closing balance of a proof, the difference of a break. Above zero: money came in. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly kind: string | null;
  readonly state: string | null;
  readonly match: string | null;
  readonly matched_on: string | null;
  readonly about: string | null;
}

interface Period {
  readonly from: string;
  readonly to: string;
}

/** The lines of both sides with their matches, the breaks about them, and the proofs of a period, in the order of days. */
export function listExport(
  run: Run,
  account: BankAccount,
  { from, to }: Period,
  rowsMax: number,
): Promise<ExportRow[]> {
  const of = (alias: Sql, day: Sql) => sql`
    ${alias}.connector_id = ${account.connector_id} and ${alias}.settlement_account = ${account.settlement_account}
      and ${day} between ${from}::date and ${to}::date`;
  return run<ExportRow>(sql`
    with theirs as materialized (select t.* from bank_lines t where ${of(sql`t`, sql`t.booked_on`)}),
         ours as materialized (select o.* from bank_ours o where ${of(sql`o`, sql`o.booked_on`)}),
         proofs as materialized (select p.* from bank_proofs p where ${of(sql`p`, sql`p.day`)}),
         about as (
           select 'line ' || id as about, booked_on as day from theirs
           union all
           select 'entry ' || entry_id || ' ' || line_no, booked_on from ours
           union all
           select 'proof of ' || settlement_account || ' on ' || day, day from proofs)
    select record, day::text as day, id, amount::text as amount, currency, kind, state, match, matched_on::text as matched_on, about
      from (
        select 1 as place, 'PROOF' as record, day, null as id, closing as amount, currency, null as kind,
               case when is_proven and not is_stale then 'PROVEN' else 'UNPROVEN' end as state, null::uuid as match,
               null::date as matched_on, null as about
          from proofs
        union all
        select 2, 'THEIRS', booked_on, line_id, amount, currency, kind, null, match, matched_on, 'line ' || id from theirs
        union all
        select 3, 'OURS', booked_on, entry_id || ' ' || line_no, amount, currency, null, null, match, matched_on,
               'entry ' || entry_id || ' ' || line_no
          from ours
        union all
        select 4, 'BREAK', a.day, b.id::text, b.amount, b.currency, b.kind,
               case when b.resolved_at is null then 'OPEN' when b.is_gone then 'GONE' else 'RESOLVED' end, null, null, b.about
          from about a
          join connector_breaks b on b.connector_id = ${account.connector_id} and b.about = a.about) r
     order by r.day, r.place, r.id
     limit ${rowsMax}`);
}
