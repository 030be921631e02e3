-- Returns an account's uncovered amount in card cents: authorizations approved without a hold, and amounts that its
-- rows could not pull (cards.md §6.8).
create or replace function card_uncovered(of_platform uuid, of_account uuid) returns numeric stable language sql as $$
  select coalesce(sum(
           t.receivable
           + case when t.status = 'EXCEPTION' then 0
                  else greatest(t.authorized_amount - coalesce(t.settled_amount, 0) - t.hold, 0) end), 0)
    from card_transactions t
   where t.platform_id = of_platform and t.account_id = of_account and t.direction = 'DEBIT'
     and t.status in ('AUTHORIZED', 'PARTIALLY_SETTLED', 'EXCEPTION')
$$;

-- Fails a commit if the account is no longer active, or if its uncovered amount exceeds the limit with the new rows.
-- The account is locked first, so that parallel commits add up.
create or replace function card_check_uncovered(of_platform uuid, of_account uuid, most numeric)
returns void language plpgsql as $$
declare
  found_status text;
begin
  select i.status into found_status
    from internal_accounts i
   where i.platform_id = of_platform and i.id = of_account
     for no key update;
  if found_status is distinct from 'ACTIVE' then
    perform refuse_commit('stale');
  end if;
  if card_uncovered(of_platform, of_account) > most then
    perform refuse_commit('uncovered');
  end if;
end $$;
