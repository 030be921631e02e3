-- Replaced by functions and statements for one row (src/foundation/database/row-sets.ts).
drop function if exists jobs_schedule, counters_add, internal_account_facts, payment_executions,
  card_authorization;

-- PostgreSQL parses check constraints again for every statement. The tables that most commits write promise the same by
-- guards (src/foundation/database/guards.ts), whose expressions are prepared, or by domains, whose constraints are
-- cached.
alter table card_transactions
  drop constraint card_transactions_authorized_amount_check,
  drop constraint card_transactions_check,
  drop constraint card_transactions_check1,
  drop constraint card_transactions_check2,
  drop constraint card_transactions_check3,
  drop constraint card_transactions_check4,
  drop constraint card_transactions_check5,
  drop constraint card_transactions_declined_reason_check,
  drop constraint card_transactions_direction_check,
  drop constraint card_transactions_hold_check,
  drop constraint card_transactions_kind_check,
  drop constraint card_transactions_receivable_check,
  drop constraint card_transactions_settled_amount_check,
  drop constraint card_transactions_status_check,
  -- The account belongs to the platform, and the account's own key says that the platform exists.
  drop constraint card_transactions_platform_id_fkey;
-- The same holds for the card.
alter table card_messages drop constraint card_messages_platform_id_fkey;
alter table events
  drop constraint events_check,
  drop constraint events_check1,
  drop constraint events_check2,
  drop constraint events_resource_id_check,
  drop constraint events_state_check,
  drop constraint events_type_check;

create domain counter_name as text collate "C" constraint counter_name_set check (value <> '');
create domain webhook_lane as text collate "C"
  constraint webhook_lane_known check (value in ('ASKED', 'FIRST', 'RETRY'));
create domain counted as numeric constraint counted_range check (value >= 0);
create domain counted_parts as numeric constraint counted_parts_range check (value > 0);
alter table webhook_queues
  drop constraint webhook_queues_check,
  alter column lane type webhook_lane,
  add constraint webhook_queues_lease check ((lease_owner is null) = (leased_until is null));
alter table counters
  drop constraint counters_name_check,
  drop constraint counters_numerator_check,
  drop constraint counters_denominator_check,
  alter column name type counter_name,
  alter column numerator type counted,
  alter column denominator type counted_parts;

-- A change of a transaction is refused if its version is not the expected one; a row that is gone would go unnoticed.
create trigger transactions_kept before delete or truncate on transactions
  for each statement execute function refuse_removal();
create trigger card_transactions_kept before delete or truncate on card_transactions
  for each statement execute function refuse_removal();
