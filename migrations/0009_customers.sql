-- Customers (customers.md §2), their currencies, consents and contact codes.
create table customers (
  platform_id uuid not null,
  id uuid not null,
  -- A copy, so that UMA addresses are unique within one environment and free in the other.
  environment text not null,
  customer_type text not null check (customer_type in ('INDIVIDUAL', 'BUSINESS')),
  -- The platform's own reference, compared byte by byte.
  platform_customer_id text collate "C" not null check (platform_customer_id <> ''),
  uma_address text collate "C" not null check (uma_address = lower(uma_address)),
  -- kycStatus of an individual, kybStatus of a business.
  status text not null check (status in ('UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED', 'HOLD')),
  region text collate "C" not null,
  currencies text[] not null,
  email text,
  phone_number text,
  address jsonb,
  -- An individual's other fields, or a business's businessInfo; never an identification number.
  profile jsonb not null default '{}',
  identifier bytea,
  tax_id bytea,
  registration_number bytea,
  -- Set where contact verification is mandated, and only there.
  email_verification text check (email_verification in ('PENDING', 'VERIFIED')),
  phone_verification text check (phone_verification in ('PENDING', 'VERIFIED')),
  -- The latest consent; all of them are in end_user_terms_consents.
  terms_consent jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  -- When the operator had the personal data removed.
  erased_at timestamptz,
  primary key (platform_id, id),
  foreign key (platform_id, environment) references platforms (id, environment),
  check ((email_verification is null) = (phone_verification is null)),
  check (erased_at is null or deleted_at is not null),
  constraint customers_no_clear_numbers check (not (profile ?| '{identifier,taxId,registrationNumber}'))
);
comment on column customers.identifier is 'sealed: customers.identifier:{id}';
comment on column customers.tax_id is 'sealed: customers.tax_id:{id}';
comment on column customers.registration_number is 'sealed: customers.registration_number:{id}';

create unique index customers_platform_customer_id on customers (platform_id, platform_customer_id)
  where deleted_at is null;
-- A global look-up: an address says who is paid, whichever platform the customer belongs to.
create unique index customers_uma_address on customers (environment, uma_address) where deleted_at is null;

-- One index per filter of the list, each in the list's own order, so that a page costs the same however many
-- customers there are. The first also serves the foreign key.
create index customers_newest on customers (platform_id, created_at desc, id desc);
create index customers_live on customers (platform_id, created_at desc, id desc) where deleted_at is null;
create index customers_by_type on customers (platform_id, customer_type, created_at desc, id desc)
  where deleted_at is null;
create index customers_by_region on customers (platform_id, region, created_at desc, id desc)
  where deleted_at is null;
create index customers_by_reference on customers (platform_id, platform_customer_id, created_at desc, id desc);
create index customers_by_uma_address on customers (platform_id, uma_address, created_at desc, id desc);
create index customers_by_update on customers (platform_id, updated_at) where deleted_at is null;

-- Which live customers hold a currency, in the order of the list.
create table customer_currencies (
  platform_id uuid not null references platforms,
  currency text collate "C" not null,
  -- Of the customer.
  created_at timestamptz not null,
  customer_id uuid not null,
  primary key (platform_id, customer_id, currency),
  foreign key (platform_id, customer_id) references customers
);
create index customer_currencies_newest
  on customer_currencies (platform_id, currency, created_at desc, customer_id desc);

-- Every consent ever recorded; a later one replaces an earlier on the customer, not here.
create table end_user_terms_consents (
  platform_id uuid not null references platforms,
  customer_id uuid not null,
  id uuid not null,
  terms_version text not null,
  accepted_at timestamptz not null,
  -- Gone once the customer was erased.
  ip_address text,
  acceptance_method text not null check (acceptance_method in ('CHECKBOX', 'CLICK_TO_ACCEPT')),
  recorded_at timestamptz not null,
  primary key (platform_id, customer_id, id),
  foreign key (platform_id, customer_id) references customers
);

-- The code last issued for a channel. It is compared through its keyed hash; the sealed copy exists only until
-- the message has been handed over.
create table contact_codes (
  platform_id uuid not null references platforms,
  customer_id uuid not null,
  channel text not null check (channel in ('EMAIL', 'PHONE')),
  id uuid not null,
  code_hash bytea not null,
  code bytea,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  wrong_tries integer not null default 0 check (wrong_tries >= 0),
  -- How many wrong tries void the code, as the environment that issued it says; null: none do.
  wrong_tries_max integer check (wrong_tries_max > 0),
  primary key (platform_id, customer_id, channel),
  foreign key (platform_id, customer_id) references customers
);
comment on column contact_codes.code is 'sealed: contact_codes.code:{customer_id}:{channel}';
