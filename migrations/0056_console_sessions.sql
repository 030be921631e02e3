-- Sessions of developers in the console (operator.md §9). A row begins as an address that can sign in once; signing in
-- makes it a session. Each rests on a token, and ends with it. All times are real time, whatever the platform's clock.
create table console_sessions (
  platform_id uuid not null references platforms,
  id uuid not null,
  token_id uuid not null,
  created_at timestamptz not null,
  -- The hash of the address's secret, until the address is used.
  address_hash bytea,
  address_expires_at timestamptz not null,
  -- The hash of the cookie's secret, once somebody has signed in.
  secret_hash bytea,
  signed_in_at timestamptz,
  expires_at timestamptz,
  primary key (platform_id, id),
  foreign key (platform_id, token_id) references tokens,
  check ((address_hash is null) = (secret_hash is not null)),
  check ((secret_hash is null) = (signed_in_at is null)),
  check ((secret_hash is null) = (expires_at is null))
);
-- Global look-ups: a secret arrives before its platform is known.
create unique index console_sessions_address on console_sessions (address_hash) where address_hash is not null;
create unique index console_sessions_secret on console_sessions (secret_hash) where secret_hash is not null;
create index console_sessions_by_age on console_sessions (platform_id, created_at);

-- The way that a call took beside the public API: `console`.
alter table request_logs add column via text check (via in ('console'));
