-- What was reported of money that waits in SUSPENSE, under the entry that put it there: who sent it, which reference
-- they stated, and the account that it was meant for. It stays when the money is assigned.
alter table payment_receipts
  add column entry_id uuid,
  add column intended_account uuid,
  add column stated_reference bytea,
  add column sender bytea;
comment on column payment_receipts.stated_reference is
  'sealed: payment_receipts.stated_reference:{platform_id}:{provider_reference}';
comment on column payment_receipts.sender is 'sealed: payment_receipts.sender:{platform_id}:{provider_reference}';
create unique index payment_receipts_entry on payment_receipts (platform_id, entry_id) where entry_id is not null;
-- For the erasure of a customer.
create index payment_receipts_intended on payment_receipts (platform_id, intended_account)
  where intended_account is not null;

-- The bank's reference of what the operator reported about a payment, once for each thing that was reported.
create table payment_bank_references (
  platform_id uuid not null references platforms,
  transaction_id uuid not null,
  -- The notice that was given in the rail's place: collected, delivered, refunded …
  notice text collate "C" not null check (notice <> ''),
  bank_reference text not null check (bank_reference <> ''),
  created_at timestamptz(3) not null,
  primary key (platform_id, transaction_id, notice),
  foreign key (platform_id, transaction_id) references transactions
);
