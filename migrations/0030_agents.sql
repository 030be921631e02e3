-- Agents of customers, and the codes that connect them (agents.md).

create table agents (
  platform_id uuid not null references platforms,
  id uuid not null,
  -- Raised by every change of what decides about the agent; what it has used is counted elsewhere.
  version bigint not null,
  customer_id uuid not null,
  name text not null check (name <> ''),
  -- As the API shows it.
  policy jsonb not null,
  is_paused boolean not null,
  -- Of the token, while the agent has one.
  token_hash bytea,
  -- One more whenever the limits get another currency: what was used is counted anew from there (C.1.4a).
  usage_no integer not null check (usage_no > 0),
  deleted_at timestamptz,
  -- When a call with the token was last noted (C.5.5); no change of the agent.
  token_used_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  foreign key (platform_id, customer_id) references customers,
  check (deleted_at is null or token_hash is null)
);
-- A global look-up: a token arrives before its platform is known.
create unique index agents_token on agents (token_hash) where token_hash is not null;
create index agents_newest on agents (platform_id, created_at desc, id desc) where deleted_at is null;
create index agents_of_customer on agents (platform_id, customer_id, created_at desc, id desc)
  where deleted_at is null;

-- Device codes, of which only a keyed hash is stored. Those of a deleted agent are gone.
create table agent_device_codes (
  platform_id uuid not null references platforms,
  code_hash bytea not null,
  agent_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  redeemed_at timestamptz,
  -- A newer code took its place.
  superseded_at timestamptz,
  primary key (platform_id, code_hash),
  foreign key (platform_id, agent_id) references agents,
  check (redeemed_at is null or superseded_at is null)
);
-- A global look-up: whoever redeems a code has nothing else.
create unique index agent_device_codes_hash on agent_device_codes (code_hash);
create index agent_device_codes_of_agent on agent_device_codes (platform_id, agent_id);
