-- Internal accounts (accounts.md §2). Their balances are the ledger's: AVAIL, HOLD and PENDING_IN of the id.
create table internal_accounts (
  platform_id uuid not null references platforms,
  id uuid not null,
  -- Null: the platform's own.
  customer_id uuid,
  currency text collate "C" not null check (currency <> ''),
  type text not null check (type in ('INTERNAL_FIAT', 'INTERNAL_CRYPTO', 'EMBEDDED_WALLET')),
  status text not null check (status in ('PENDING', 'ACTIVE', 'CLOSED', 'FROZEN', 'FAILED')),
  -- The latest answer of the provider that opens the account behind ours; a refused one may be asked for again.
  provisioning text not null check (provisioning in ('REQUESTED', 'COMPLETED', 'REFUSED')),
  -- FUND-…, where deposits are told apart by it.
  reference text collate "C",
  -- Holder name and funding instructions, account numbers and all.
  funding bytea not null,
  -- How many of the instructions are shown. The list only grows, so this number alone tells how it looked at
  -- an earlier moment.
  funding_count smallint not null default 0 check (funding_count >= 0),
  private_enabled boolean not null default false,
  created_at timestamptz not null,
  -- Of this row; a change of balance shows in the ledger's rows.
  updated_at timestamptz not null,
  -- Out of sight with their customer, as its documents and owners are (customers.md §2.4.26). The rows stay: books and
  -- payments refer to them.
  withdrawn_at timestamptz,
  primary key (platform_id, id),
  foreign key (platform_id, customer_id) references customers,
  check (type <> 'EMBEDDED_WALLET' or customer_id is not null),
  check (type = 'EMBEDDED_WALLET' or not private_enabled),
  check (provisioning = 'COMPLETED' or status in ('PENDING', 'FAILED', 'CLOSED')),
  check (provisioning = 'COMPLETED' or funding_count = 0),
  check (withdrawn_at is null or (customer_id is not null and status = 'CLOSED'))
);
comment on column internal_accounts.funding is 'sealed: internal_accounts.funding:{id}';

-- One account per owner and currency; a closed one makes room (IA-2, IA-4, IA-7).
create unique index internal_accounts_live_of_customer on internal_accounts (platform_id, customer_id, currency)
  where status <> 'CLOSED' and customer_id is not null;
create unique index internal_accounts_live_of_platform on internal_accounts (platform_id, currency)
  where status <> 'CLOSED' and customer_id is null;
create unique index internal_accounts_reference on internal_accounts (platform_id, reference)
  where reference is not null;

-- One index per filter of the customers' list, each in its order, of those in sight; the platform's own are few.
create index internal_accounts_newest on internal_accounts (platform_id, created_at desc, id desc)
  where customer_id is not null and withdrawn_at is null;
create index internal_accounts_by_currency on internal_accounts (platform_id, currency, created_at desc, id desc)
  where customer_id is not null and withdrawn_at is null;
create index internal_accounts_by_type on internal_accounts (platform_id, type, created_at desc, id desc)
  where customer_id is not null and withdrawn_at is null;
-- Serves the foreign key too.
create index internal_accounts_by_customer on internal_accounts (platform_id, customer_id, created_at desc, id desc)
  where customer_id is not null;
create index internal_accounts_of_platform on internal_accounts (platform_id, created_at, id)
  where customer_id is null;
