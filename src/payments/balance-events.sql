-- One INTERNAL_ACCOUNT.BALANCE_UPDATED for each entry and each internal account whose balance or total it changed
-- (money.md §10.4), with the figures right after that entry: for entries that touch what is on hold or pending,
-- too. The arrays are those of apply_transitions; the entries have been posted.
create or replace function payment_balance_events(
  entry_platforms uuid[], entry_nows timestamptz[], entry_steps integer[], ok boolean[], line_entries integer[],
  accounts text[], currencies text[], amounts bigint[]
) returns void language plpgsql as $$
begin
  insert into events (platform_id, type, resource_id, facts, created_at)
  select moved.platform_id, 'INTERNAL_ACCOUNT.BALANCE_UPDATED', 'InternalAccount:' || moved.id,
         internal_account_facts(
           account, (money.available - moved.available_all + moved.available_so_far)::bigint,
           (money.total - moved.total_all + moved.total_so_far)::bigint, entry_nows[moved.entry_no]),
         entry_nows[moved.entry_no]
    from (
      -- Balances after the call are known: those after each entry follow from what came later.
      select l.entry_no, l.platform_id, l.id, l.currency,
             sum(sum(l.available)) over so_far as available_so_far,
             sum(sum(l.available)) over whole as available_all,
             sum(sum(l.effect)) over so_far as total_so_far, sum(sum(l.effect)) over whole as total_all,
             sum(l.available) <> 0 or sum(l.effect) <> 0 as has_changed
        from (
          select g.entry_no, entry_platforms[g.entry_no] as platform_id,
                 split_part(g.account, ':', 2)::uuid as id, g.currency,
                 ledger_effect(g.account, g.amount) as effect,
                 case when g.account like 'AVAIL:%' then ledger_effect(g.account, g.amount) else 0 end as available
            from unnest(line_entries, accounts, currencies, amounts) as g (entry_no, account, currency, amount)
           where (g.account like 'AVAIL:%' or g.account like 'HOLD:%' or g.account like 'PENDING_IN:%')
             and ok[entry_steps[g.entry_no]]) l
       group by l.entry_no, l.platform_id, l.id, l.currency
      window whole as (partition by l.platform_id, l.id, l.currency),
             so_far as (partition by l.platform_id, l.id, l.currency order by l.entry_no)) moved
   cross join lateral (
      select coalesce(sum(b.balance) filter (where b.account like 'AVAIL:%'), 0) as available,
             coalesce(sum(b.balance), 0) as total
        from ledger_balances b
       where b.platform_id = moved.platform_id and b.currency = moved.currency
         and b.account = any(array['AVAIL:' || moved.id, 'HOLD:' || moved.id, 'PENDING_IN:' || moved.id])) money
    join internal_accounts account on account.platform_id = moved.platform_id and account.id = moved.id
   where moved.has_changed
   order by moved.entry_no;
end $$;
