-- The connector that speaks to banks by files (docs/rules/bank-files.md). It answers the calls of the
-- protocol within the service, so it has neither an address nor a secret. All times are real time.
alter table connectors alter column key_id drop not null;
alter table connectors alter column secret drop not null;
alter table connectors add constraint connectors_by_files
  check ((url = 'files:') = (key_id is null) and (url = 'files:') = (secret is null));
alter table connectors drop constraint connectors_paused_because_check;
alter table connectors add constraint connectors_paused_because_check
  check (paused_because in ('OPERATOR', 'STORE', 'CURSOR', 'FILES'));

create table bank_file_connectors (
  connector_id uuid primary key references connectors,
  profile jsonb,
  store uuid not null,
  -- The highest place in the list of its events. A transaction that adds events locks this row first, so that events
  -- become visible in their order.
  last_event bigint not null default 0,
  -- The lease of the worker that writes and reads, and when it looks again.
  worker uuid,
  worker_until timestamptz,
  work_due_at timestamptz not null,
  -- An operator wants files that the archive has, and this database does not know, to count as written.
  adopt_wanted_at timestamptz
);

create table bank_file_batches (
  connector_id uuid not null references bank_file_connectors,
  id uuid not null,
  version bigint not null,
  status text not null
    check (status in ('OPEN', 'SEALED', 'WRITING', 'WRITTEN', 'ACCEPTED', 'PARTLY', 'REJECTED', 'ENDED')),
  settlement_account text not null,
  rail text not null,
  kind text not null check (kind in ('PAYOUT', 'COLLECTION', 'REFUND')),
  currency text not null,
  format text not null,
  -- The cut-off at which it is sealed.
  seal_at timestamptz not null,
  message_id text,
  payment_information_id text,
  name text,
  bytes bytea,
  content_hash bytea,
  orders integer,
  total bigint,
  execution_day date,
  -- NACHA: the letter of the file among those of one day.
  modifier text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sealed_at timestamptz,
  written_at timestamptz,
  ended_at timestamptz,
  -- An operator wants the same bytes written again.
  resend_wanted_at timestamptz,
  primary key (connector_id, id),
  unique (connector_id, name),
  unique (message_id),
  check (status = 'OPEN'
    or num_nonnulls(message_id, payment_information_id, name, content_hash, orders, total, sealed_at) = 7)
);
comment on column bank_file_batches.bytes is 'sealed: bank_file_batches.bytes:{id}';
create unique index bank_file_batches_open
  on bank_file_batches (connector_id, settlement_account, rail, kind) where status = 'OPEN';
create index bank_file_batches_due on bank_file_batches (connector_id, seal_at) where status = 'OPEN';
create index bank_file_batches_unwritten on bank_file_batches (updated_at)
  where status in ('SEALED', 'WRITING');
create index bank_file_batches_to_resend on bank_file_batches (connector_id)
  where resend_wanted_at is not null;
create index bank_file_batches_with_bytes on bank_file_batches (ended_at)
  where bytes is not null and ended_at is not null;

create table bank_file_orders (
  connector_id uuid not null references bank_file_connectors,
  reference uuid not null,
  seq bigint generated always as identity,
  -- Null: it was cancelled before it came.
  content_hash bytea,
  kind text check (kind in ('PAYOUT', 'COLLECTION', 'REFUND')),
  rail text,
  settlement_account text,
  amount bigint check (amount > 0),
  currency text,
  -- What its file needs; destroyed once the file has it.
  content bytea,
  state text not null check (state in ('RECEIVED', 'SENT', 'SETTLED', 'FAILED', 'CANCELLED', 'RETURNED')),
  state_at timestamptz not null,
  reason text,
  expected_at timestamptz,
  bank_reference text,
  -- When it counts as settled where the bank sends no statements.
  settle_at timestamptz,
  batch_id uuid,
  place integer,
  trace_number text,
  received_at timestamptz not null,
  primary key (connector_id, reference),
  foreign key (connector_id, batch_id) references bank_file_batches (connector_id, id),
  check (num_nonnulls(content_hash, kind, rail, settlement_account, amount, currency) in (0, 6)),
  check (content_hash is not null or state = 'CANCELLED'),
  check (batch_id is null or state not in ('RECEIVED', 'CANCELLED') or content_hash is not null),
  check ((batch_id is null) = (place is null)),
  check (state not in ('SENT', 'SETTLED', 'RETURNED') or batch_id is not null)
);
comment on column bank_file_orders.content is 'sealed: bank_file_orders.content:{reference}';
create unique index bank_file_orders_of_batch on bank_file_orders (connector_id, batch_id, place)
  where batch_id is not null;
create index bank_file_orders_waiting on bank_file_orders (connector_id, settlement_account, rail, kind, seq)
  where batch_id is null and state = 'RECEIVED';
create index bank_file_orders_by_trace on bank_file_orders (trace_number) where trace_number is not null;
create index bank_file_orders_to_settle on bank_file_orders (connector_id, settle_at)
  where settle_at is not null and state = 'SENT';

-- An order is in one batch, for ever.
create function bank_file_orders_keep_batch() returns trigger language plpgsql as $$
begin
  if old.batch_id is not null and new.batch_id is distinct from old.batch_id then
    raise exception 'an order leaves its batch';
  end if;
  return new;
end $$;
create trigger bank_file_orders_keep_batch before update on bank_file_orders
  for each row when (old.batch_id is distinct from new.batch_id)
  execute function bank_file_orders_keep_batch();

-- The last trace number of a routing number.
create table bank_file_traces (
  routing text primary key,
  last integer not null
);

-- What the connector reports, in its order.
create table bank_file_events (
  connector_id uuid not null references bank_file_connectors,
  place bigint not null,
  body bytea not null,
  created_at timestamptz not null,
  primary key (connector_id, place)
);
comment on column bank_file_events.body is 'sealed: bank_file_events.body:{connector_id}:{place}';
create index bank_file_events_by_age on bank_file_events (created_at);

-- Files that a bank sent.
create table bank_files (
  connector_id uuid not null references bank_file_connectors,
  id uuid not null,
  name text not null,
  content_hash bytea not null,
  size bigint not null,
  outcome text not null check (outcome in ('READ', 'QUARANTINED')),
  message text,
  reason text,
  line integer,
  received_at timestamptz not null,
  -- An operator has seen why it was not taken.
  closed_at timestamptz,
  primary key (connector_id, id),
  check ((outcome = 'QUARANTINED') = (reason is not null))
);
create unique index bank_files_read_once on bank_files (connector_id, content_hash)
  where outcome = 'READ';
create unique index bank_files_quarantined on bank_files (connector_id, content_hash)
  where outcome = 'QUARANTINED' and closed_at is null;
create index bank_files_in_quarantine on bank_files (received_at)
  where outcome = 'QUARANTINED' and closed_at is null;

create table bank_file_statements (
  connector_id uuid not null references bank_file_connectors,
  settlement_account text not null,
  statement_id text not null,
  seq bigint generated always as identity,
  first_day date not null,
  last_day date not null,
  opening bigint not null,
  closing bigint not null,
  content_hash bytea not null,
  content bytea not null,
  received_at timestamptz not null,
  primary key (connector_id, settlement_account, statement_id)
);
comment on column bank_file_statements.content is
  'sealed: bank_file_statements.content:{connector_id}:{settlement_account}:{statement_id}';
create index bank_file_statements_by_day
  on bank_file_statements (connector_id, settlement_account, last_day, seq);

-- A receipt is credited once, whatever says it again.
create table bank_file_credits (
  connector_id uuid not null references bank_file_connectors,
  credit_id text not null,
  amount bigint not null,
  statement_id text not null,
  -- The account that a refund goes to.
  payer bytea,
  created_at timestamptz not null,
  primary key (connector_id, credit_id)
);
comment on column bank_file_credits.payer is 'sealed: bank_file_credits.payer:{connector_id}:{credit_id}';
