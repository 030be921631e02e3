-- What operators type to find records of all platforms (operator.md §6.2): the name of a platform, and the reference
-- that a bank gave to what was reported by hand about a payment.
create index platforms_by_name on platforms (lower(name));
create index payment_bank_references_by_reference
  on payment_bank_references (platform_id, bank_reference, created_at desc, transaction_id desc);
