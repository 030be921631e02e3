drop function if exists card_authorization;

-- Loads all facts for the decision on an authorization in one snapshot, by look-ups by key. It is a function, so that
-- its plan is made only once per connection.
create or replace function card_authorization(
  of_platform uuid, of_card uuid, message_id text, row_token text, on_day date, wants_uncovered boolean
) returns table (
  card cards, platform_customer_id text, account_status text, account_type text, account_currency text,
  available bigint, has_key boolean, spent numeric, purchases numeric, uncovered numeric, is_known boolean,
  is_due boolean, answer jsonb,
  row_card_id uuid, row_status text, row_direction text, row_authorized bigint, has_early boolean
) stable language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
#variable_conflict use_column
declare
  holder uuid;
  source uuid;
  binding uuid;
begin
  select c.customer_id, c.funding_source, c.binding_id into holder, source, binding
    from cards c where c.platform_id = of_platform and c.id = of_card;
  -- Every table is read by plain values for a unique key. So even a plan that was made while the tables were empty
  -- reads no other rows, whatever its join order.
  return query
  select c, h.platform_customer_id, a.status, a.type, a.currency, b.balance::bigint,
         exists (select 1 from delegated_keys k
                  where k.platform_id = of_platform and k.binding_id = binding and k.status = 'ACTIVE'),
         coalesce(s.numerator, 0), coalesce(p.numerator, 0),
         case when wants_uncovered then card_uncovered(of_platform, source) else 0 end,
         m.id is not null, m.due_at is not null, m.answer,
         t.card_id, t.status, t.direction, t.authorized_amount,
         exists (select 1 from card_messages e
                  where e.platform_id = of_platform and e.token = row_token and e.is_early and e.card_id = of_card)
    from cards c
    join customers h on h.platform_id = of_platform and h.id = holder
    join internal_accounts a on a.platform_id = of_platform and a.id = source
    left join ledger_balances b
      on b.platform_id = of_platform and b.account = 'AVAIL:' || source and b.currency = a.currency
    left join counters s
      on s.platform_id = of_platform and s.name = 'CARD_SPEND:' || of_card and s.period = on_day
    left join counters p
      on p.platform_id = of_platform and p.name = 'CARD_PURCHASES:' || of_card and p.period = on_day
    left join card_messages m on m.platform_id = of_platform and m.id = message_id
    left join card_transactions t on t.platform_id = of_platform and t.token = row_token
   where c.platform_id = of_platform and c.id = of_card;
end $$;

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
