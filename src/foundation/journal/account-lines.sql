-- Adds the lines of a platform's entries after one number and up to another to account_lines. The caller holds the
-- platform's mark, and has made sure that no entry up to there can appear later (follow.ts).
--
-- The balance of a new line is the balance of the account's last earlier line, plus the new lines since. Lines that are
-- there already and have a later time get their balances changed. They are few: an entry is read after one with a later
-- time only if the two were posted at almost the same moment. Their places (ctid) hold, since nobody else writes here.
create or replace function journal_add_lines(platform uuid, after_seq bigint, last_seq bigint, shared_kinds text[])
returns void language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  with lines as materialized (
    select l.account, l.currency, e.created_at as at, e.seq, l.line_no::smallint as line_no, l.amount
      from ledger_entries e
     cross join lateral unnest(e.accounts, e.currencies, e.amounts) with ordinality
           as l (account, currency, amount, line_no)
     where e.platform_id = platform and e.seq > after_seq and e.seq <= last_seq),
  added as materialized (
    select l.account, l.currency, l.at, l.seq, l.line_no, l.amount from lines l
    union all
    -- One line for all accounts of a kind.
    select split_part(l.account, ':', 1), l.currency, l.at, l.seq, 0::smallint, sum(l.amount)::bigint
      from lines l
     where split_part(l.account, ':', 1) <> all (shared_kinds)
     group by 1, 2, 3, 4
    having sum(l.amount) <> 0),
  firsts as materialized (
    select distinct on (a.account, a.currency) a.account, a.currency, a.at, a.seq, a.line_no
      from added a
     order by a.account, a.currency, a.at, a.seq, a.line_no),
  starts as materialized (
    select f.account, f.currency, f.at, f.seq, f.line_no, coalesce(earlier.balance, 0) as balance
      from firsts f
      left join lateral (
        select k.balance from account_lines k
         where k.platform_id = platform and k.account = f.account and k.currency = f.currency
           and (k.at, k.seq, k.line_no) < (f.at, f.seq, f.line_no)
         order by k.at desc, k.seq desc, k.line_no desc limit 1) earlier on true),
  later as materialized (
    select k.account, k.currency, k.at, k.seq, k.line_no, k.amount, k.place
      from starts s
     cross join lateral (
       select t.account, t.currency, t.at, t.seq, t.line_no, t.amount, t.ctid as place from account_lines t
        where t.platform_id = platform and t.account = s.account and t.currency = s.currency
          and (t.at, t.seq, t.line_no) > (s.at, s.seq, s.line_no)
        order by t.at, t.seq, t.line_no) k),
  summed as materialized (
    select m.account, m.currency, m.at, m.seq, m.line_no, m.amount, m.place,
           s.balance + sum(m.amount) over (
             partition by m.account, m.currency order by m.at, m.seq, m.line_no rows unbounded preceding) as balance
      from (
        select a.account, a.currency, a.at, a.seq, a.line_no, a.amount, null::tid as place from added a
        union all
        select l.account, l.currency, l.at, l.seq, l.line_no, l.amount, l.place from later l) m
      join starts s on s.account = m.account and s.currency = m.currency),
  moved as (
    update account_lines k set balance = s.balance
      from summed s
     where k.ctid = s.place)
  insert into account_lines (platform_id, account, currency, at, seq, line_no, amount, balance)
  select platform, s.account, s.currency, s.at, s.seq, s.line_no, s.amount, s.balance
    from summed s
   where s.place is null;
end $$;
