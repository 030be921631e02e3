-- Internal accounts go out of sight with their customer, as its documents and owners do (customers.md rule 26). The
-- rows stay: books and payments refer to them.
alter table internal_accounts add column withdrawn_at timestamptz;
alter table internal_accounts add check (withdrawn_at is null or (customer_id is not null and status = 'CLOSED'));

update internal_accounts a
   set withdrawn_at = c.deleted_at
  from customers c
 where c.platform_id = a.platform_id and c.id = a.customer_id and c.deleted_at is not null and a.status = 'CLOSED';

-- The list is of those in sight, so its indexes hold no others.
drop index internal_accounts_newest, internal_accounts_by_currency, internal_accounts_by_type;
create index internal_accounts_newest on internal_accounts (platform_id, created_at desc, id desc)
  where customer_id is not null and withdrawn_at is null;
create index internal_accounts_by_currency on internal_accounts (platform_id, currency, created_at desc, id desc)
  where customer_id is not null and withdrawn_at is null;
create index internal_accounts_by_type on internal_accounts (platform_id, type, created_at desc, id desc)
  where customer_id is not null and withdrawn_at is null;
