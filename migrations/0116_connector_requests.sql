-- What connectors are asked for besides orders: to open an account, and to check a name (connectors.md §7). No money
-- moves, so the same bytes are sent again after silence. All times are real time.
create table connector_requests (
  platform_id uuid not null references platforms,
  kind text not null check (kind in ('ACCOUNT', 'NAME_CHECK')),
  -- The internal or external account.
  subject uuid not null,
  customer_id uuid,
  -- WAITING: for a route. ROUTED: nothing was sent. ASKED: something may have been sent. TAKEN: the connector has it.
  -- ENDED: answered, or no longer needed. CONFLICT: a person has to look at it. BY_HAND: no connector can take it.
  status text not null check (status in ('WAITING', 'ROUTED', 'ASKED', 'TAKEN', 'ENDED', 'CONFLICT', 'BY_HAND')),
  connector_id uuid references connectors,
  currency text not null,
  account_types text[] not null,
  body bytea,
  -- What the connector says about an account.
  state text check (state in ('PENDING', 'OPEN', 'REFUSED', 'CLOSED')),
  -- The account was closed here, and is to be closed there.
  closes boolean not null default false,
  -- The next call, when it is due, and the worker that is making one.
  call_at timestamptz,
  caller uuid,
  caller_until timestamptz,
  silences integer not null default 0,
  created_at timestamptz not null,
  asked_at timestamptz,
  acknowledged_at timestamptz,
  ended_at timestamptz,
  primary key (platform_id, kind, subject),
  check ((connector_id is null) <= (status in ('WAITING', 'BY_HAND', 'ENDED'))),
  check ((call_at is not null) = (status in ('WAITING', 'ROUTED', 'ASKED', 'TAKEN')))
);
comment on column connector_requests.body is 'sealed: connector_requests.body:{subject}; person: customer_id';
create index connector_requests_by_turn on connector_requests (connector_id, platform_id, call_at)
  where call_at is not null and connector_id is not null;
create index connector_requests_without_route on connector_requests (platform_id, call_at) where status = 'WAITING';
create index connector_requests_unsent on connector_requests (connector_id) where status = 'ROUTED';
create index connector_requests_by_subject on connector_requests (subject);
create index connector_requests_with_body on connector_requests (platform_id, ended_at) where body is not null;
