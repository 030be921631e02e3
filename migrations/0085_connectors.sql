-- Connectors: services of the operator that speak to banks (docs/rules/connectors.md). A connector serves all platforms
-- of production, so its own rows name no platform. All times are real time.
create table connectors (
  id uuid primary key,
  -- A removed connector keeps its name: ledger accounts contain it.
  name text not null unique check (name ~ '^[a-z0-9-]{1,32}$'),
  url text not null,
  key_id uuid not null,
  secret bytea not null,
  -- During a rotation: requests are signed with it from `next_from` on, and with it alone from `next_alone_from` on.
  next_key_id uuid,
  next_secret bytea,
  next_from timestamptz,
  next_alone_from timestamptz,
  -- The first store that the connector answered from. Another one means that it lost or restored its records.
  store text,
  capabilities jsonb,
  capabilities_trouble text,
  capabilities_due_at timestamptz not null,
  capabilities_read_at timestamptz,
  paused_because text check (paused_because in ('OPERATOR', 'STORE', 'CURSOR')),
  paused_at timestamptz,
  -- Calls in a row that nobody answered, and since when no orders are sent because of them.
  silences integer not null default 0,
  down_since timestamptz,
  -- The place in the list of events, and the lease of the worker that reads it.
  cursor text,
  events_due_at timestamptz not null,
  events_read_at timestamptz,
  reader uuid,
  reader_until timestamptz,
  -- Orders that were sent within one second.
  second timestamptz,
  second_orders integer not null default 0,
  created_at timestamptz not null,
  removed_at timestamptz,
  check ((paused_because is null) = (paused_at is null)),
  check (num_nonnulls(next_key_id, next_secret, next_from, next_alone_from) in (0, 4))
);
comment on column connectors.secret is 'sealed: connectors.secret:{key_id}';
comment on column connectors.next_secret is 'sealed: connectors.secret:{next_key_id}';

-- The lowest number that fits an order wins.
create table connector_routes (
  number integer primary key check (number > 0),
  connector_id uuid not null references connectors,
  rail text,
  currency text,
  kind text check (kind in ('PAYOUT', 'COLLECTION', 'REFUND')),
  country text,
  platform_id uuid references platforms,
  least bigint,
  most bigint
);

-- What a connector is asked to do. The row is committed before the first byte is sent.
create table connector_orders (
  platform_id uuid not null references platforms,
  id uuid not null,
  -- The order's name at the connector, for ever.
  reference uuid not null,
  transaction_id uuid not null,
  customer_id uuid,
  kind text not null check (kind in ('PAYOUT', 'COLLECTION', 'REFUND')),
  -- WAITING: for a route. ROUTED: nothing was sent. ASKED: something may have been sent. TAKEN: the connector has it.
  -- ENDED: by the connector, or because the payment no longer needs it. LEFT: cancelled there, to be sent elsewhere or
  -- to fail. CONFLICT: the connector has another order under the reference. BY_HAND: no connector can take it.
  status text not null
    check (status in ('WAITING', 'ROUTED', 'ASKED', 'TAKEN', 'ENDED', 'LEFT', 'CONFLICT', 'BY_HAND')),
  connector_id uuid references connectors,
  settlement_account text,
  rail text,
  amount bigint not null check (amount > 0),
  currency text not null,
  body bytea,
  -- What the connector says about it.
  state text check (state in ('RECEIVED', 'HELD', 'SENT', 'SETTLED', 'FAILED', 'CANCELLED', 'RETURNED')),
  state_at timestamptz,
  reason text,
  expected_at timestamptz,
  bank_reference text,
  transaction_hash text,
  -- The next call, when it is due, and the worker that is making one.
  call text check (call in ('PUT', 'GET', 'CANCEL')),
  call_at timestamptz,
  caller uuid,
  caller_until timestamptz,
  silences integer not null default 0,
  -- The platform wants it cancelled.
  is_cancelled boolean not null default false,
  -- Since when the connector has not taken it (429 or 503), and whether it is to leave for good (400, or for too long).
  not_taken_since timestamptz,
  leaves boolean not null default false,
  created_at timestamptz not null,
  asked_at timestamptz,
  acknowledged_at timestamptz,
  ended_at timestamptz,
  primary key (platform_id, id),
  unique (connector_id, reference),
  check ((connector_id is null)
    = (status in ('WAITING', 'BY_HAND') or (status = 'ENDED' and asked_at is null and body is null))),
  check (status <> 'ASKED' or call is not null),
  check ((state in ('SETTLED', 'FAILED', 'CANCELLED', 'RETURNED')) is not true
    or status in ('ENDED', 'LEFT', 'CONFLICT'))
);
comment on column connector_orders.body is 'sealed: connector_orders.body:{id}; person: customer_id';
-- An order is at one connector at a time.
create unique index connector_orders_at_one_place on connector_orders (reference) where status <> 'LEFT';
create index connector_orders_by_transaction on connector_orders (platform_id, transaction_id);
create index connector_orders_without_route on connector_orders (call_at) where status = 'WAITING';
create index connector_orders_to_call on connector_orders (connector_id, call_at) where call is not null;
create index connector_orders_open on connector_orders (connector_id) where ended_at is null;
create index connector_orders_with_body on connector_orders (platform_id, ended_at) where body is not null;

-- What connectors reported. A page and its cursor are stored in one commit; each event is applied in a commit that
-- says so.
create table connector_events (
  connector_id uuid not null references connectors,
  seq bigint generated always as identity,
  event_id text not null,
  type text not null,
  at timestamptz not null,
  -- Events about one reference are applied in the order of the list.
  about text not null,
  content_hash bytea not null,
  -- Destroyed once it is applied.
  body bytea,
  received_at timestamptz not null,
  applied_at timestamptz,
  due_at timestamptz,
  failures integer not null default 0,
  outcome text,
  primary key (connector_id, event_id),
  check ((applied_at is null) = (due_at is not null))
);
comment on column connector_events.body is 'sealed: connector_events.body:{connector_id}:{event_id}';
create index connector_events_to_apply on connector_events (connector_id, seq) where applied_at is null;
create index connector_events_before on connector_events (connector_id, about, seq) where applied_at is null;

-- Contradictions between connectors and our books: work for a person. A break books nothing itself.
create table connector_breaks (
  id uuid primary key,
  connector_id uuid not null references connectors,
  -- Null: no platform's order or account is known.
  platform_id uuid references platforms,
  kind text not null check (kind in ('CONTRADICTION', 'AMOUNT_DIFFERS', 'DUPLICATE', 'RETURNED')),
  -- The reference of an order, or the id of an event or a credit.
  about text not null,
  order_id uuid,
  what text not null,
  amount bigint,
  currency text,
  opened_at timestamptz not null,
  resolved_at timestamptz,
  resolution text
);
-- One break of a kind is open about one thing at a time.
create unique index connector_breaks_open on connector_breaks (connector_id, kind, about) where resolved_at is null;
create index connector_breaks_by_age on connector_breaks (opened_at) where resolved_at is null;
