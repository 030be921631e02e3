-- The naive peer's schema: the tables, columns and indexes that the service's promises about an executed payment need,
-- without its triggers and most of its checks. Fixed here, so that the yardstick does not change with the service.

create table platforms (
  id uuid primary key default uuidv7(),
  name text not null,
  settings jsonb not null,
  disabled_at timestamptz
);

create table tokens (
  id uuid primary key default uuidv7(),
  platform_id uuid not null references platforms,
  client_id text not null unique,
  name text not null,
  permissions text[] not null,
  salt bytea not null,
  secret_hash bytea not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);

create table customers (
  platform_id uuid not null references platforms,
  id uuid not null default uuidv7(),
  name text not null,
  status text not null,
  deleted_at timestamptz,
  primary key (platform_id, id)
);

create table internal_accounts (
  platform_id uuid not null references platforms,
  id uuid not null default uuidv7(),
  customer_id uuid not null,
  currency text not null,
  status text not null,
  primary key (platform_id, id),
  foreign key (platform_id, customer_id) references customers
);

create table external_accounts (
  platform_id uuid not null references platforms,
  id uuid not null default uuidv7(),
  currency text not null,
  status text not null,
  details jsonb not null,
  primary key (platform_id, id)
);

create table transactions (
  platform_id uuid not null references platforms,
  id uuid not null default uuidv7(),
  type text not null default 'OUTGOING',
  customer_id uuid not null,
  quote_id uuid not null,
  expires_at timestamptz not null,
  source_account uuid not null,
  destination_account uuid not null,
  sending_currency text not null,
  sending_amount bigint not null check (sending_amount > 0),
  receiving_currency text not null,
  receiving_amount bigint not null check (receiving_amount > 0),
  service_fee bigint not null check (service_fee >= 0),
  reference text,
  refund_reference text,
  details jsonb not null,
  private bytea not null,
  status text not null default 'PENDING'
    check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED', 'REFUNDED')),
  executed_at timestamptz,
  settled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  inflight_sent bigint not null default 0 check (inflight_sent >= 0),
  inflight_received bigint not null default 0 check (inflight_received >= 0),
  primary key (platform_id, id),
  unique (platform_id, quote_id),
  foreign key (platform_id, customer_id) references customers
) with (fillfactor = 70);

-- One for each filter of the list.
create index on transactions (platform_id, created_at desc, id desc);
create index on transactions (platform_id, customer_id, created_at desc, id desc);
create index on transactions (platform_id, status, created_at desc, id desc);
create index on transactions (platform_id, type, created_at desc, id desc);
create index on transactions (platform_id, source_account, created_at desc, id desc);
create index on transactions (platform_id, destination_account, created_at desc, id desc);
create index on transactions (platform_id, reference, created_at desc, id desc) where reference is not null;
create index on transactions (platform_id, refund_reference, created_at desc, id desc)
  where refund_reference is not null;
-- For the timer that expires quotes that were not executed.
create index on transactions (platform_id, expires_at) where status = 'PENDING';

create table ledger_balances (
  platform_id uuid not null,
  account text not null,
  currency text not null,
  balance bigint not null check (balance >= 0),
  updated_at timestamptz not null default now(),
  primary key (platform_id, account, currency)
) with (fillfactor = 60);

create table ledger_entries (
  platform_id uuid not null,
  seq bigint generated always as identity,
  transaction_id uuid not null,
  kind text not null,
  accounts text[] not null,
  currencies text[] not null,
  amounts bigint[] not null,
  created_at timestamptz not null default now(),
  primary key (platform_id, seq),
  unique (platform_id, transaction_id, kind)
);

create table idempotency_keys (
  platform_id uuid not null,
  scope text not null,
  key text not null,
  body_hash bytea not null,
  status smallint,
  reply text,
  created_at timestamptz not null default now(),
  primary key (platform_id, scope, key)
);
create index on idempotency_keys (platform_id, created_at);

create table events (
  platform_id uuid not null,
  id uuid not null default uuidv7(),
  seq bigint generated always as identity,
  type text not null,
  resource_id text not null,
  payload jsonb not null,
  state text not null default 'PENDING',
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (platform_id, id)
);
create index on events (platform_id, resource_id, seq) where state = 'PENDING';

create table jobs (
  platform_id uuid not null,
  id bigint generated always as identity,
  kind text not null,
  key text not null,
  payload jsonb not null,
  due_at timestamptz not null default now(),
  attempts integer not null default 0,
  primary key (platform_id, id),
  unique (platform_id, kind, key)
);
create index on jobs (platform_id, kind, due_at, id);

create table audit_log (
  id uuid primary key default uuidv7(),
  platform_id uuid not null,
  at timestamptz not null default now(),
  actor_id uuid not null,
  action text not null,
  resource text not null,
  request_id text not null,
  remote_address text not null
);
create index on audit_log (platform_id, at desc, id desc);
create index on audit_log (at);

create table payment_volumes (
  platform_id uuid not null,
  corridor text not null,
  day date not null,
  amount numeric not null,
  primary key (platform_id, corridor, day)
) with (fillfactor = 50);
