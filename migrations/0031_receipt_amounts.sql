-- What was reported under a reference, so that the same reference with another amount is not taken for a repetition.
-- Null: reported before this was kept.
alter table payment_receipts
  add column amount bigint check (amount > 0),
  add column currency text collate "C",
  add check ((amount is null) = (currency is null));
