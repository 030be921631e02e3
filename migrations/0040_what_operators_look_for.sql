-- Filters of the operator's lists that the API does not have: one index for each, in the list's own order, so that a
-- page costs the same on a large platform. Those on customers are of deleted ones too, which the operator may ask for.
-- Quotes have none: most payments have one, so that the index of all payments finds them as well.
create index customers_by_status on customers (platform_id, status, created_at desc, id desc);
create index customers_by_email on customers (platform_id, lower(email), created_at desc, id desc)
  where email is not null;
create index internal_accounts_by_status on internal_accounts (platform_id, status, created_at desc, id desc)
  where customer_id is not null and withdrawn_at is null;
-- Revoked tokens too.
create index tokens_ever on tokens (platform_id, created_at desc, id desc);

-- When a call with the token was last noted, in real time: at most once an hour.
alter table tokens add column used_at timestamptz;
