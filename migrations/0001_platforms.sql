-- Platforms, what they configure for themselves, and their API tokens (platform.md §1, §3); the keys that seal what
-- must not lie open.

-- Guards that several tables share.

-- For a table whose rows are never changed or deleted.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- For a table whose rows are never deleted.
create function refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never removed', tg_table_name using errcode = 'restrict_violation';
end $$;

-- Data keys, wrapped with the operator's ENCRYPTION_KEY, which is never stored here. A column of sealed values says so,
-- and what its values are bound to, in a comment (`sealed: <context>`): key rotation reads the comments of the schema.
create table encryption_keys (
  id integer primary key,
  purpose text not null check (purpose in ('data', 'fingerprint')),
  wrapped bytea not null,
  created_at timestamptz not null
);

-- A platform in one environment. Its id is the platform_id of every other table.
create table platforms (
  id uuid primary key,
  name text not null check (name <> ''),
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  -- How far the platform's business time was moved ahead of real time.
  clock_offset_ms bigint not null default 0 check (clock_offset_ms >= 0),
  -- Only what the operator set; defaults come from the code (src/lib/platform.ts).
  settings jsonb not null default '{}',
  -- Currencies that the platform added to those that everybody knows: name, symbol and decimals by code.
  own_currencies jsonb not null default '{}'
    constraint platforms_own_currencies check (
      jsonb_typeof(own_currencies) = 'object'
      and not jsonb_path_exists(own_currencies, '$.keyvalue() ? (!(@.key like_regex "^[A-Z][A-Z0-9]{2,9}$"))')
      and not jsonb_path_exists(own_currencies,
        '$.* ? (!(@.decimals.type() == "number" && @.decimals >= 0 && @.decimals <= 8
                  && @.decimals.floor() == @.decimals))')),
  webhook_public_key text not null,
  webhook_private_key bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  disabled_at timestamptz,
  -- For foreign keys of tables that keep a copy of the environment.
  constraint platforms_id_environment unique (id, environment),
  check (environment = 'SANDBOX' or clock_offset_ms = 0)
);
comment on column platforms.webhook_private_key is 'sealed: platforms.webhook_private_key:{id}';

-- Rows that every payment adds have no foreign key to platforms: it would look up and lock the platform's row for each
-- of them, a row that all of a platform's work shares. Instead platforms are never removed.
create trigger platforms_kept before delete or truncate on platforms
  for each statement execute function refuse_removal();

-- Amounts are kept in the smallest unit: with other decimals all money in the currency would be another amount.
create function guard_own_currencies() returns trigger language plpgsql as $$
begin
  if not new.own_currencies @> old.own_currencies then
    raise exception 'a currency of platform % cannot be changed or taken away', old.id;
  end if;
  return new;
end $$;
create trigger platforms_own_currencies before update of own_currencies on platforms
  for each row execute function guard_own_currencies();

-- One row per platform, made with it (platform.md §3).
create table platform_configs (
  platform_id uuid primary key,
  id uuid not null,
  -- A copy, so that names are unique within one environment and free in the other.
  environment text not null,
  -- Null: the service's own domain.
  uma_domain text check (uma_domain = lower(uma_domain)),
  proxy_uma_subdomain text,
  -- Sealed: its query may hold a secret. Sealed values begin with a version byte, so the check refuses a URL in the
  -- clear.
  webhook_endpoint bytea constraint platform_configs_endpoint_sealed check (get_byte(webhook_endpoint, 0) < 32),
  supported_currencies jsonb not null check (jsonb_typeof(supported_currencies) = 'array'),
  fee_configs jsonb not null default '[]' check (jsonb_typeof(fee_configs) = 'array'),
  embedded_wallet_config jsonb not null default '{}',
  card_tokenization_2fa_config jsonb not null default '{}',
  -- What the providers of a currency demand to know, by currency code; set by the operator.
  provider_fields jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (platform_id, environment) references platforms (id, environment),
  -- The default domain's label is shared; only a domain of one's own has a label to hold.
  check (uma_domain is not null or proxy_uma_subdomain is null)
);
comment on column platform_configs.webhook_endpoint is 'sealed: platform_configs.webhook_endpoint:{platform_id}';
-- Global look-ups: a name belongs to one platform of its environment.
create unique index platform_configs_uma_domain on platform_configs (environment, uma_domain);
create unique index platform_configs_proxy_uma_subdomain on platform_configs (environment, proxy_uma_subdomain);

create table tokens (
  platform_id uuid not null references platforms,
  id uuid not null,
  client_id text not null check (client_id ~ '^[0-9a-f]{32}$'),
  name text not null,
  permissions text[] not null check (cardinality(permissions) > 0 and permissions <@ '{VIEW,TRANSACT,MANAGE}'),
  salt bytea not null,
  secret_hash bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revoked_at timestamptz,
  primary key (platform_id, id)
);
-- Global look-ups: a credential arrives before its platform is known.
create unique index tokens_client_id on tokens (client_id);
create unique index tokens_id on tokens (id);
-- The list, and its exact-name filter (platform.md §1.3.6).
create index tokens_newest on tokens (platform_id, created_at desc, id desc) where revoked_at is null;
create index tokens_name on tokens (platform_id, name, created_at desc, id desc) where revoked_at is null;
