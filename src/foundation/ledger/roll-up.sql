-- Adds the lines of shared accounts that were posted since the last roll-up to ledger_rollups. Returns the
-- number of entries that it added; null if another process is doing it.
--
-- seq is drawn before the commit, so an entry with a low number may become visible after one with a high number, and
-- a roll-up of all visible entries could miss it forever. Therefore it takes two runs. The first run records the
-- last number drawn and then its own transaction number: each transaction that drew a number up to that one has a
-- lower transaction number. A later run goes up to the recorded number once all those transactions have ended.
create or replace function ledger_roll_up(platform uuid) returns bigint language plpgsql as $$
declare
  last_drawn bigint;
  own_xid bigint;
  mark record;
  taken bigint := 0;
begin
  if pg_current_xact_id_if_assigned() is not null then
    raise exception 'ledger_roll_up needs a transaction of its own';
  end if;
  last_drawn := (select case when s.is_called then s.last_value else 0 end from ledger_seq s);
  own_xid := pg_current_xact_id()::text::bigint;

  insert into ledger_rollup_marks (platform_id, next_seq, next_xid) values (platform, last_drawn, own_xid)
    on conflict do nothing;
  if found then
    return 0;
  end if;
  select m.seq, m.next_seq, m.next_xid into mark from ledger_rollup_marks m
   where m.platform_id = platform for update skip locked;
  if not found then
    return null;
  end if;

  -- After a restore into another cluster the recorded number is meaningless: record it again.
  if mark.next_xid < own_xid then
    if mark.next_xid >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint then
      return 0;
    end if;
    taken := (select count(*) from ledger_entries e
               where e.platform_id = platform and e.seq > mark.seq and e.seq <= mark.next_seq);
    insert into ledger_rollups as r (platform_id, account, currency, line_count, debit, credit)
    select platform, l.account, l.currency, count(*),
           coalesce(sum(l.amount) filter (where l.side = 'DEBIT'), 0),
           coalesce(sum(l.amount) filter (where l.side = 'CREDIT'), 0)
      from ledger_lines l
     where l.platform_id = platform and l.seq > mark.seq and l.seq <= mark.next_seq and l.account_no is null
     group by l.account, l.currency
        on conflict (platform_id, account, currency) do update
       set line_count = r.line_count + excluded.line_count, debit = r.debit + excluded.debit,
           credit = r.credit + excluded.credit;
    mark.seq := mark.next_seq;
  end if;
  update ledger_rollup_marks m set seq = mark.seq, next_seq = last_drawn, next_xid = own_xid
   where m.platform_id = platform;
  return taken;
end $$;
