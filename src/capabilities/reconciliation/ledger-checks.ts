import { sql } from '#foundation/database/sql.ts';
import { checkRows } from '#foundation/ledger/checks.ts';

const matchesAreEqual = checkRows(
  'each match of lines with the bank has the same sum on both sides',
  'money.md §12.16',
  sql`select l.match, sum(l.theirs) as theirs, sum(l.ours) as ours, sum(l.theirs) = sum(l.ours) as ok
        from (
          select t.match, t.amount as theirs, 0 as ours from bank_lines t where t.match is not null
          union all
          select o.match, 0, o.amount from bank_ours o where o.match is not null
          union all
          -- The bank has no line for the money that an account began with.
          select o.match, b.amount, 0
            from bank_openings b join bank_ours o on o.platform_id = b.platform_id and o.entry_id = b.entry_id
           where o.match is not null) l
       group by l.match`,
  sql`format('match %s: the bank has %s, the books have %s', r.match, r.theirs, r.ours)`,
);

const copiesAreWhole = checkRows(
  'our side of each proof is the sum of the journal',
  'money.md §12.16',
  sql`select c.name || '.' || d.settlement_account as account, d.ours, coalesce(j.amount, 0) as journal,
             d.ours = coalesce(j.amount, 0) as ok
        from (select connector_id, settlement_account, sum(ours) as ours from bank_days group by 1, 2) d
        join connectors c on c.id = d.connector_id
        left join (
          select split_part(l.account, ':', 3) as place, sum(case l.side when 'DEBIT' then l.amount else -l.amount end) as amount
            from ledger_lines l
            join bank_marks m on m.platform_id = l.platform_id and l.seq <= m.seq
           where l.account like 'RAIL:%.%:%'
           group by 1) j on j.place = c.name || '.' || d.settlement_account`,
  sql`format('%s: proofs have %s, the journal has %s', r.account, r.ours, r.journal)`,
);

export const MATCH_CHECKS = [matchesAreEqual, copiesAreWhole];

/** Entries that operators book for breaks. */
export const BOOKING_CHECKS = [
  checkRows(
    'each entry L30, L31 and L32 belongs to a break or an opening balance',
    'money.md §12.16',
    sql`select e.platform_id, e.seq, k.entry_id is not null or b.entry_id is not null as ok
          from ledger_entries e
          left join bank_bookings k on k.platform_id = e.platform_id and k.entry_id = e.id
          left join bank_openings b on b.platform_id = e.platform_id and b.entry_id = e.id and e.kind = 'bank.own_moved'
         where e.kind in ('bank.own_moved', 'bank.charged', 'bank.written_off')`,
    sql`format('entry %s of platform %s', r.seq, r.platform_id)`,
  ),
];
