-- What a platform configures for itself (platform.md §3). One row per platform, made with it.
alter table platforms add constraint platforms_id_environment unique (id, environment);

create table platform_configs (
  platform_id uuid primary key,
  id uuid not null,
  -- A copy, so that names are unique within one environment and free in the other.
  environment text not null,
  -- Null: the service's own domain.
  uma_domain text check (uma_domain = lower(uma_domain)),
  proxy_uma_subdomain text,
  webhook_endpoint text check (length(webhook_endpoint) <= 2048),
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
-- Global look-ups: a name belongs to one platform of its environment.
create unique index platform_configs_uma_domain on platform_configs (environment, uma_domain);
create unique index platform_configs_proxy_uma_subdomain on platform_configs (environment, proxy_uma_subdomain);

-- The exact-name filter of the token list (§1.3.6).
create index tokens_name on tokens (platform_id, name, created_at desc, id desc) where revoked_at is null;
