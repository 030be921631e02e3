-- Accounts and wallets outside (accounts.md §3–5). Numbers, addresses and holders are sealed; whether two
-- accounts are the same is told by a keyed hash.
create table external_accounts (
  platform_id uuid not null references platforms,
  id uuid not null,
  -- Null: the platform's own.
  customer_id uuid,
  account_type text collate "C" not null,
  currency text collate "C" not null check (currency <> ''),
  status text not null check (status in
    ('PENDING', 'ACTIVE', 'PENDING_OWNERSHIP_VERIFICATION', 'UNVERIFIED', 'UNDER_REVIEW', 'INACTIVE')),
  ownership_type text check (ownership_type in ('FIRST_PARTY', 'THIRD_PARTY')),
  -- The platform's own reference; says nothing to us.
  platform_account_id text,
  is_default boolean not null default false,
  name_check text check (name_check in
    ('MATCHED', 'PARTIAL_MATCH', 'NOT_MATCHED', 'UNSUPPORTED', 'CHECKED_BY_RECEIVING_FI', 'PENDING')),
  -- Of US bank accounts only (accounts.md §4.7).
  us_validation text check (us_validation in ('VALID', 'PENDING', 'FAILED')),
  -- Whether the owner may pay it without proving who they are each time (accounts.md §3.4).
  trusted boolean not null default false,
  -- accountInfo, and the holder's name as the check told it. Gone once the customer was erased.
  details bytea,
  fingerprint bytea,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (platform_id, id),
  foreign key (platform_id, customer_id) references customers,
  check (deleted_at is not null or (details is not null and fingerprint is not null)),
  check (not is_default or customer_id is not null),
  check (not trusted or customer_id is not null)
);
comment on column external_accounts.details is 'sealed: external_accounts.details:{id}';

-- EA-30: the owner is part of the hash, so another customer may hold the same account.
create unique index external_accounts_fingerprint on external_accounts (platform_id, fingerprint)
  where deleted_at is null;
-- EA-20.
create unique index external_accounts_default on external_accounts (platform_id, customer_id)
  where is_default and deleted_at is null;

-- One index per list and filter, each in the list's own order.
create index external_accounts_newest on external_accounts (platform_id, created_at desc, id desc)
  where customer_id is not null and deleted_at is null;
create index external_accounts_by_currency on external_accounts (platform_id, currency, created_at desc, id desc)
  where customer_id is not null and deleted_at is null;
create index external_accounts_of_platform on external_accounts (platform_id, created_at desc, id desc)
  where customer_id is null and deleted_at is null;
create index external_accounts_of_platform_by_currency
  on external_accounts (platform_id, currency, created_at desc, id desc)
  where customer_id is null and deleted_at is null;
create index external_accounts_live_of_customer
  on external_accounts (platform_id, customer_id, created_at desc, id desc) where deleted_at is null;
-- For the foreign key, and for whoever wants a customer's accounts whatever became of them.
create index external_accounts_of_customer on external_accounts (platform_id, customer_id);

-- What a wallet's owner was asked for (accounts.md §5.2). The latest one counts; the others stay closed.
create table ownership_challenges (
  platform_id uuid not null references platforms,
  id uuid not null,
  account_id uuid not null,
  method text not null check (method in ('WALLET_SIGNATURE', 'LIVENESS')),
  -- The text to sign, byte for byte; it holds the address.
  message bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Proven, failed, or replaced by a later one.
  closed_at timestamptz,
  primary key (platform_id, id),
  foreign key (platform_id, account_id) references external_accounts,
  check ((method = 'WALLET_SIGNATURE') = (message is not null))
);
comment on column ownership_challenges.message is 'sealed: ownership_challenges.message:{id}';
create unique index ownership_challenges_open on ownership_challenges (platform_id, account_id)
  where closed_at is null;
create index ownership_challenges_of_account on ownership_challenges (platform_id, account_id);

-- Receivers that were looked up and may be quoted for an hour (RL-2).
create table lookups (
  platform_id uuid not null references platforms,
  id uuid not null,
  -- Who sends, who receives, in which currencies.
  facts bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (platform_id, id)
);
comment on column lookups.facts is 'sealed: lookups.facts:{id}';
create index lookups_age on lookups (platform_id, expires_at);
