-- Connectors bring money (docs/rules/connectors.md §6.9, §8.5).

-- The platform whose books hold the money in a settlement account that nobody claims.
create table connector_owners (
  connector_id uuid not null references connectors,
  settlement_account text not null,
  platform_id uuid not null references platforms,
  set_at timestamptz not null,
  primary key (connector_id, settlement_account)
);

-- Money that a connector reported, once for each of its names: whatever store lists it again, it is booked once.
create table connector_credits (
  connector_id uuid not null references connectors,
  credit_id text not null,
  -- In whose books it is now.
  platform_id uuid not null references platforms,
  settlement_account text not null,
  rail text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  -- What it became: a payment, or an entry in SUSPENSE. Both are unset while it is being booked.
  transaction_id uuid,
  entry_id uuid,
  received_at timestamptz not null,
  -- When the connector said that the bank took it back, and when a person booked that.
  reversed_at timestamptz,
  taken_back_at timestamptz,
  primary key (connector_id, credit_id),
  check (num_nonnulls(transaction_id, entry_id) < 2),
  check (taken_back_at is null or reversed_at is not null)
);
create index connector_credits_by_transaction on connector_credits (platform_id, transaction_id)
  where transaction_id is not null;

alter table connector_breaks drop constraint connector_breaks_kind_check;
alter table connector_breaks add constraint connector_breaks_kind_check
  check (kind in ('CONTRADICTION', 'AMOUNT_DIFFERS', 'DUPLICATE', 'RETURNED', 'MALFORMED', 'LOST', 'THEIRS_UNMATCHED',
                  'OURS_UNMATCHED', 'LATE', 'GAP', 'UNPROVEN'));
