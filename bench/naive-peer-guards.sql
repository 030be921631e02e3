-- Gives the naive peer's tables the guarantees of the service's tables: as many columns, indexes, checks and guards, for
-- the same statements. The added cost is the price of these guarantees; any cost of the service beyond it is its own.
-- The file is fixed like the peer's tables, so that the yardstick does not change with the service.

alter table transactions
  add column version bigint not null default 1,
  add column kind text not null default 'QUOTE',
  add column agent_id uuid,
  add column locked_side text default 'SENDING',
  add column source_type text not null default 'INTERNAL',
  add column source_uma text,
  add column destination_type text not null default 'EXTERNAL',
  add column destination_uma text,
  add column platform_fee bigint not null default 0,
  add column fee_account uuid,
  add column failure_reason text,
  add column pending_reason text,
  add column refund_status text,
  add column refund_reason text,
  add column refund_amount bigint,
  add column refund_initiated_at timestamptz,
  add column refund_settled_at timestamptz,
  add column inflight_sent_no bigint not null default 0,
  add column inflight_received_no bigint not null default 0,
  add column refund_payable bigint not null default 0 check (refund_payable >= 0),
  add column refund_payable_no bigint not null default 0,
  add column authorize_by timestamptz,
  add column approve_by timestamptz;

create index on transactions (platform_id, source_uma, created_at desc, id desc) where source_uma is not null;
create index on transactions (platform_id, destination_uma, created_at desc, id desc) where destination_uma is not null;
create index on transactions (platform_id, refund_initiated_at) where refund_status = 'PENDING';
create index on transactions (platform_id, authorize_by) where status = 'PENDING_AUTHORIZATION';
create index on transactions (platform_id, approve_by) where approve_by is not null;
create index on transactions (platform_id, executed_at)
  where status in ('PENDING', 'PROCESSING') and executed_at is not null and refund_status is null;

-- Refuses a row whose columns contradict each other.
create function transactions_guard() returns trigger language plpgsql as $$
declare
  broken text;
  is_cross_currency constant boolean := new.sending_currency <> new.receiving_currency;
  in_flight constant boolean := new.inflight_sent > 0 or new.inflight_received > 0;
begin
  if (new.type in ('OUTGOING', 'INCOMING') and new.kind in ('QUOTE', 'TRANSFER') and new.version > 0
      and new.inflight_sent_no >= 0 and new.inflight_received_no >= 0 and new.refund_payable_no >= 0) is not true then
    broken := 'kind';
  elsif ((new.quote_id is null) = (new.kind <> 'QUOTE') and (new.quote_id is null) = (new.expires_at is null)
      and (new.quote_id is null) = (new.locked_side is null)
      and coalesce(new.locked_side in ('SENDING', 'RECEIVING'), true)) is not true then
    broken := 'quote';
  elsif (new.source_type in ('INTERNAL', 'EXTERNAL', 'UMA')
      and (new.source_type = 'UMA') = (new.source_uma is not null)) is not true then
    broken := 'source';
  elsif (case new.destination_type
           when 'UMA' then new.destination_uma is not null
           when 'INTERNAL' then new.destination_account is not null and new.destination_uma is null
           when 'EXTERNAL' then new.destination_account is not null and new.destination_uma is null
         end) is not true then
    broken := 'destination';
  elsif (new.service_fee >= 0 and new.platform_fee >= 0 and new.receiving_amount > 0
      and new.service_fee + new.platform_fee < new.sending_amount
      and (is_cross_currency or new.sending_amount = new.receiving_amount + new.service_fee + new.platform_fee)
      and (new.platform_fee = 0 or new.fee_account is not null)) is not true then
    broken := 'amounts';
  elsif (case new.status
           when 'PROCESSING' then new.refund_status is null
             or (new.refund_status = 'PENDING' and new.refund_reason = 'USER_CANCELLATION')
           when 'COMPLETED' then new.refund_status is null
             or (new.refund_status = 'COMPLETED' and new.refund_reason = 'USER_CANCELLATION')
           when 'PENDING' then new.refund_status is null
           when 'EXPIRED' then new.refund_status is null
           when 'FAILED' then true
           when 'REFUNDED' then new.refund_status = 'COMPLETED'
         end) is not true then
    broken := 'status';
  elsif (case
           when new.status <> 'FAILED' then new.failure_reason is null
           else new.failure_reason in ('QUOTE_EXPIRED', 'QUOTE_EXECUTION_FAILED', 'PAYOUT_RETURNED', 'LIMIT_EXCEEDED')
         end) is not true then
    broken := 'failure';
  elsif new.pending_reason is not null
      and (new.status in ('PENDING', 'PROCESSING') and new.pending_reason = 'COMPLIANCE_REVIEW') is not true then
    broken := 'pending_reason';
  elsif (new.status <> 'COMPLETED' or new.settled_at is not null) is not true then
    broken := 'times';
  elsif (case new.status
           when 'PENDING_AUTHORIZATION' then new.authorize_by is not null and new.executed_at is null
           when 'FAILED' then new.authorize_by is null or new.refund_status is null
           else new.authorize_by is null
         end) is not true then
    broken := 'authorization';
  elsif new.approve_by is not null
      and (new.status = 'PENDING' and new.agent_id is not null and new.executed_at is null) is not true then
    broken := 'approval';
  elsif in_flight and (new.executed_at is not null
      and (new.status = 'PROCESSING' or (new.status = 'PENDING' and new.kind = 'TRANSFER'))) is not true then
    broken := 'inflight';
  elsif not is_cross_currency and (new.inflight_received = 0 and new.inflight_received_no = 0) is not true then
    broken := 'one_currency';
  elsif (new.refund_payable = case when new.refund_status = 'PENDING' then new.refund_amount else 0 end) is not true then
    broken := 'refund_payable';
  elsif (case
           when new.refund_status is null then new.refund_initiated_at is null and new.refund_reference is null
             and new.refund_reason is null and new.refund_amount is null and new.refund_settled_at is null
           else new.refund_initiated_at is not null and new.refund_reference is not null and new.refund_amount > 0
             and (new.refund_status = 'COMPLETED') = (new.refund_settled_at is not null)
         end) is not true then
    broken := 'refund';
  else
    return new;
  end if;
  raise exception 'transaction % is not sound: %', new.id, broken using errcode = 'check_violation';
end $$;

create trigger transactions_sound before insert or update on transactions
  for each row execute function transactions_guard();

-- Refuses every statement that it is called for.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger ledger_balances_kept before delete or truncate on ledger_balances
  for each statement execute function refuse_change();

alter table ledger_entries add column reverses_seq bigint;
create unique index on ledger_entries (platform_id, reverses_seq) where reverses_seq is not null;
create index on ledger_entries (platform_id, seq) where kind = 'SUSPENDED';

-- Refuses an entry that does not balance in each currency, or names an account of no known kind.
create function ledger_guard() returns trigger language plpgsql as $$
declare
  line_count constant integer := cardinality(new.amounts);
  net bigint := 0;
  sound boolean := line_count > 1
    and line_count = cardinality(new.accounts) and line_count = cardinality(new.currencies);
begin
  for i in 1 .. line_count loop
    net := net + new.amounts[i];
    sound := sound and abs(new.amounts[i]) between 1 and 100000000000000000
      and (net = 0 or new.currencies[i] = new.currencies[i + 1])
      and case when split_part(new.accounts[i], ':', 1) = any ('{FEES,FX,RAIL,SUSPENSE}')
            then split_part(new.accounts[i], ':', -1) = new.currencies[i]
            else split_part(new.accounts[i], ':', 1) = any ('{AVAIL,HOLD,PENDING_IN,INFLIGHT,REFUND_PAYABLE}')
          end;
  end loop;
  if new.reverses_seq is not null then
    sound := sound and exists (
      select from ledger_entries e where e.platform_id = new.platform_id and e.seq = new.reverses_seq);
  end if;
  if (sound and net = 0) is not true then
    raise exception 'ledger entry % is not sound', new.seq using errcode = 'check_violation';
  end if;
  return new;
end $$;

create trigger ledger_entries_sound before insert on ledger_entries for each row execute function ledger_guard();
create trigger ledger_entries_immutable before delete or update or truncate on ledger_entries
  for each statement execute function refuse_change();

alter table events
  add column facts jsonb,
  add column once boolean not null default false,
  add column decision text,
  add column finished_at timestamptz,
  add column xid xid8 default pg_current_xact_id(),
  add column resent_xid xid8,
  alter column payload drop not null,
  add check ((payload is null) <> (facts is null)),
  add check (decision is null or once),
  add check ((state = 'PENDING') = (finished_at is null)),
  add check (resource_id <> ''),
  add check (state in ('PENDING', 'DELIVERED', 'ACKED_DUPLICATE', 'EXHAUSTED', 'SKIPPED')),
  add check (type <> '');
create index on events (platform_id, resource_id, next_attempt_at) where state = 'PENDING' and next_attempt_at is not null;
create index on events (platform_id, finished_at) where finished_at is not null;
create index on events (platform_id, created_at desc, id desc);
create index on events (platform_id, resource_id, created_at desc, id desc);
create index on events (platform_id, created_at desc, id desc) where state in ('EXHAUSTED', 'SKIPPED');
create index on events (platform_id, xid, seq) where xid is not null;
create index on events (platform_id, resent_xid, seq) where resent_xid is not null;
create index on events (platform_id, finished_at) where state = 'EXHAUSTED' and not once;

alter table jobs
  add column created_at timestamptz not null default now(),
  add check (kind <> '');
create index on jobs (platform_id, created_at) where attempts >= 3;

alter table audit_log
  add column actor_kind text not null default 'token',
  add column details jsonb not null default '{}';
create index on audit_log (resource, at desc, id desc) where resource is not null;
create index on audit_log (actor_id, at desc, id desc) where actor_kind = 'operator';
create index on audit_log ((details ->> 'customerId')) where details ? 'customerId';
create trigger audit_log_immutable before update or delete on audit_log
  for each row execute function refuse_change();
create trigger audit_log_not_truncated before truncate on audit_log
  for each statement execute function refuse_change();

alter table payment_volumes
  add column denominator numeric not null default 1 check (denominator > 0),
  add check (corridor <> ''),
  add check (amount >= 0);
