-- Stablecoins: the platforms' accounts at the issuing provider, the coins that they registered, mints and burns
-- (stablecoins.md).

create table stablecoin_provider_accounts (
  platform_id uuid not null references platforms,
  id uuid not null,
  version bigint not null,
  provider text not null check (provider in ('BRALE')),
  provider_account_id text not null,
  api_client_id text not null,
  -- Destroyed when the link is revoked.
  api_client_secret bytea,
  status text not null check (status in ('ACTIVE', 'INVALID', 'REVOKED')),
  last_verified_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  check ((status = 'REVOKED') = (api_client_secret is null))
);
comment on column stablecoin_provider_accounts.api_client_secret
  is 'sealed: stablecoin_provider_accounts.api_client_secret:{id}';
-- B.1.2: one live link to a provider account.
create unique index stablecoin_provider_accounts_active
  on stablecoin_provider_accounts (platform_id, provider, provider_account_id) where status = 'ACTIVE';
create index stablecoin_provider_accounts_newest
  on stablecoin_provider_accounts (platform_id, created_at desc, id desc);

create table stablecoins (
  platform_id uuid not null,
  id uuid not null,
  version bigint not null,
  environment text not null,
  -- Within what symbols and identifiers are unique: the platform in the sandbox, everybody in production (B.3.4).
  scope uuid not null generated always as
    (case environment when 'SANDBOX' then platform_id else '00000000-0000-0000-0000-000000000000' end) stored,
  provider_account uuid not null,
  provider text not null,
  network text not null check (network in ('SPARK')),
  provider_token_identifier text not null,
  network_token_identifier text not null,
  name text not null,
  symbol text not null check (symbol ~ '^[A-Z][A-Z0-9]{2,9}$'),
  base_currency text not null check (base_currency = 'USD'),
  decimals smallint not null check (decimals between 2 and 8),
  -- What the provider had issued before the coin was registered, in its smallest units (B.7).
  opening_supply bigint not null check (opening_supply between 0 and 9007199254740991),
  created_at timestamptz not null,
  issuance_status text not null
    check (issuance_status in ('PENDING_REVIEW', 'PROVISIONING', 'PROVISIONED', 'REJECTED', 'FAILED')),
  svc_operations_status text not null
    check (svc_operations_status in ('NOT_ENABLED', 'PENDING_APPROVAL', 'ENABLING', 'ENABLED', 'DISABLED')),
  -- From when on the symbol has been a currency of the platform: the first time that the coin was enabled.
  currency_since timestamptz,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  foreign key (platform_id, environment) references platforms (id, environment),
  foreign key (platform_id, provider_account) references stablecoin_provider_accounts,
  check (issuance_status = 'PROVISIONED' or svc_operations_status = 'NOT_ENABLED'),
  check (svc_operations_status not in ('ENABLED', 'DISABLED') or currency_since is not null)
);
create unique index stablecoins_token on stablecoins (scope, network, network_token_identifier)
  where issuance_status not in ('REJECTED', 'FAILED');
create unique index stablecoins_symbol on stablecoins (scope, symbol)
  where issuance_status not in ('REJECTED', 'FAILED');
create index stablecoins_newest on stablecoins (platform_id, created_at desc, id desc);
create index stablecoins_of_provider_account on stablecoins (platform_id, provider_account);

-- Amounts are kept in the coin's smallest unit, and its entries in its symbol.
create function guard_stablecoin() returns trigger language plpgsql as $$
begin
  if (new.symbol, new.decimals, new.opening_supply, new.environment)
     is distinct from (old.symbol, old.decimals, old.opening_supply, old.environment) then
    raise exception 'symbol, decimals and opening supply of stablecoin % cannot be changed', old.id;
  end if;
  return new;
end $$;
create trigger stablecoins_guard before update on stablecoins for each row execute function guard_stablecoin();
create trigger stablecoins_kept before delete or truncate on stablecoins
  for each statement execute function refuse_removal();

-- External accounts that the provider knows (B.6.1), and what for: one that it pays may not be debited.
create table stablecoin_account_links (
  platform_id uuid not null,
  provider_account uuid not null,
  external_account uuid not null,
  role text not null check (role in ('DEBITED', 'CREDITED', 'RECEIVES_COINS')),
  reference text not null,
  created_at timestamptz not null,
  primary key (platform_id, provider_account, external_account, role),
  foreign key (platform_id, provider_account) references stablecoin_provider_accounts
);

-- Mints and burns. `amount` is in the coin's smallest units (T), `cents` what it is worth (F of B.7).
create table stablecoin_operations (
  platform_id uuid not null,
  id uuid not null,
  version bigint not null,
  stablecoin_id uuid not null,
  operation_type text not null check (operation_type in ('MINT', 'BURN')),
  amount bigint not null check (amount between 1 and 9007199254740991),
  cents bigint not null check (cents between 1 and 9007199254740991),
  currency text not null,
  provider text not null,
  provider_account uuid not null,
  source_type text not null check (source_type in ('WIRE', 'ACH_DEBIT', 'SAME_DAY_ACH_DEBIT', 'EXTERNAL_ACCOUNT',
    'SVC_INTERNAL_ACCOUNT', 'PROVIDER_INTERNAL_BALANCE')),
  -- Each of these four is the id of an account; an operation has at most one source and just one destination.
  source_internal uuid,
  source_external uuid,
  destination_internal uuid,
  destination_external uuid,
  rail text check (rail in ('WIRE', 'ACH_CREDIT', 'SAME_DAY_ACH_CREDIT', 'RTP_CREDIT')),
  description text,
  created_at timestamptz not null,
  -- REFUSED is never shown: the provider did not take it when it was submitted, and nobody was told its id (B.6.3).
  status text not null check (status in ('CREATED', 'PENDING_FUNDING', 'PENDING_PROVIDER', 'PROCESSING', 'COMPLETED',
    'FAILED', 'EXPIRED', 'REFUSED')),
  -- What the provider must know of the external accounts, until the operation is over.
  instruments bytea,
  funding_instructions jsonb,
  expires_at timestamptz,
  provider_status text,
  failure_reason text check (failure_reason in ('PROVIDER_TRANSFER_FAILED', 'PROVIDER_CANCELED',
    'FUNDING_INSUFFICIENT_FUNDS', 'FUNDING_ACCOUNT_INVALID', 'FUNDING_REJECTED')),
  updated_at timestamptz not null,
  primary key (platform_id, id),
  foreign key (platform_id, stablecoin_id) references stablecoins,
  foreign key (platform_id, provider_account) references stablecoin_provider_accounts,
  foreign key (platform_id, source_internal) references internal_accounts,
  foreign key (platform_id, destination_internal) references internal_accounts,
  check ((source_internal is not null) = (source_type = 'SVC_INTERNAL_ACCOUNT')),
  check ((source_external is not null) = (source_type in ('ACH_DEBIT', 'SAME_DAY_ACH_DEBIT'))),
  check (num_nonnulls(destination_internal, destination_external) = 1),
  check ((rail is not null) = (operation_type = 'BURN')),
  check (operation_type = 'MINT' or destination_external is not null),
  check ((status = 'FAILED') = (failure_reason is not null)),
  check (status <> 'PENDING_FUNDING' or (funding_instructions is not null and expires_at is not null))
);
comment on column stablecoin_operations.instruments is 'sealed: stablecoin_operations.instruments:{id}';
create index stablecoin_operations_newest
  on stablecoin_operations (platform_id, stablecoin_id, created_at desc, id desc) where status <> 'REFUSED';
create index stablecoin_operations_of_type
  on stablecoin_operations (platform_id, stablecoin_id, operation_type, created_at desc, id desc)
  where status <> 'REFUSED';
-- What a coin, and each account, still has to answer for.
create index stablecoin_operations_open on stablecoin_operations (platform_id, stablecoin_id)
  where status in ('CREATED', 'PENDING_FUNDING', 'PENDING_PROVIDER', 'PROCESSING');
create index stablecoin_operations_from on stablecoin_operations (platform_id, source_internal)
  where status in ('CREATED', 'PENDING_FUNDING', 'PENDING_PROVIDER', 'PROCESSING');
create index stablecoin_operations_to on stablecoin_operations (platform_id, destination_internal)
  where status in ('CREATED', 'PENDING_FUNDING', 'PENDING_PROVIDER', 'PROCESSING');
