-- Counters of any kind take the place of the day's volumes, which were the only ones (src/counters/counters.sql). What
-- is written with a payment comes from the writers of its parts: nobody calls these functions any more.
create table counters (
  platform_id uuid not null,
  -- Begins with what kind of counter it is: VOLUME:<corridor>.
  name text collate "C" not null check (name <> ''),
  -- First day of the period, UTC.
  period date not null,
  numerator numeric not null check (numerator >= 0),
  denominator numeric not null check (denominator > 0),
  primary key (platform_id, name, period)
) with (fillfactor = 50);
insert into counters (platform_id, name, period, numerator, denominator)
select v.platform_id, 'VOLUME:' || v.corridor, v.day, v.numerator, v.denominator from payment_volumes v;
drop table payment_volumes;

drop function if exists apply_transitions, payment_customers_hold, payment_internals_hold, payment_keys_claim,
  payment_accounts_lock, payment_entries_post, payment_rows_insert, payment_balance_events, payment_volumes_asked,
  payment_volumes_tight, payment_volumes_judge, payment_volumes_add, ledger_post, ledger_post_one, ledger_refuse_one,
  ledger_judge;
