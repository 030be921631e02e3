-- Money that arrived, by the reference under which whoever took it in reported it: a report that comes again is
-- known, whatever became of the first.
create table payment_receipts (
  platform_id uuid not null references platforms,
  provider_reference text collate "C" not null check (provider_reference <> ''),
  -- The payment that it funded, or the deposit that it became; null: nobody knew what it was for.
  transaction_id uuid,
  created_at timestamptz(3) not null,
  primary key (platform_id, provider_reference),
  foreign key (platform_id, transaction_id) references transactions
);
create index payment_receipts_transaction on payment_receipts (platform_id, transaction_id)
  where transaction_id is not null;
