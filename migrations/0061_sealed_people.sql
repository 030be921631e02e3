-- A customer's personal data is sealed with the customer's own key, which is in another database
-- (docs/decisions/0039-keys-of-people.md). Searches for equal values compare keyed hashes. Rows of earlier versions
-- stay in clear text until a job of their platform has sealed them: a row is sealed as a whole, or not at all.
alter table customers
  alter column platform_customer_id drop not null,
  alter column uma_address drop not null,
  alter column profile drop not null,
  -- The platform's own reference, the UMA address, and all other personal values as JSON.
  add column reference bytea,
  add column uma bytea,
  add column person bytea,
  add column reference_hash bytea,
  add column uma_hash bytea,
  add column email_hash bytea,
  add column phone_hash bytea,
  add constraint customers_sealed_or_clear check (
    num_nulls(reference, uma, person, reference_hash, uma_hash) = 0
      and num_nonnulls(platform_customer_id, uma_address, email, phone_number, address, profile) = 0
    or num_nonnulls(reference, uma, person, reference_hash, uma_hash, email_hash, phone_hash) = 0
      and num_nulls(platform_customer_id, uma_address, profile) = 0);
comment on column customers.reference is 'sealed: customers.reference:{id}; person: id';
comment on column customers.uma is 'sealed: customers.uma:{id}; person: id';
comment on column customers.person is 'sealed: customers.person:{id}; person: id';

create unique index customers_reference_hash on customers (platform_id, reference_hash)
  where deleted_at is null and reference_hash is not null;
create unique index customers_uma_hash on customers (environment, uma_hash)
  where deleted_at is null and uma_hash is not null;
create index customers_by_reference_hash on customers (platform_id, reference_hash, created_at desc, id desc)
  where reference_hash is not null;
create index customers_by_uma_hash on customers (platform_id, uma_hash, created_at desc, id desc)
  where uma_hash is not null;
create index customers_by_email_hash on customers (platform_id, email_hash, created_at desc, id desc)
  where email_hash is not null;
create index customers_by_phone_hash on customers (platform_id, phone_hash, created_at desc, id desc)
  where phone_hash is not null;

alter table beneficial_owners
  alter column personal_info drop not null,
  add column person bytea,
  add constraint beneficial_owners_sealed_or_clear check ((person is null) <> (personal_info is null));
comment on column beneficial_owners.person is 'sealed: beneficial_owners.person:{id}; person: customer_id';

-- An earlier version sealed these columns with a data key.
comment on column customers.identifier is 'sealed: customers.identifier:{id}; person: id';
comment on column customers.tax_id is 'sealed: customers.tax_id:{id}; person: id';
comment on column customers.registration_number is 'sealed: customers.registration_number:{id}; person: id';
comment on column customers.terms_ip is 'sealed: customers.terms_ip:{id}; person: id';
comment on column end_user_terms_consents.ip is 'sealed: end_user_terms_consents.ip:{id}; person: customer_id';
comment on column beneficial_owners.identifier is 'sealed: beneficial_owners.identifier:{id}; person: customer_id';

-- The rows that the job has not sealed yet. These indexes are empty afterwards.
create index customers_in_clear on customers (platform_id, created_at desc, id desc)
  where person is null and erased_at is null;
create index beneficial_owners_in_clear on beneficial_owners (platform_id) where person is null;

insert into jobs (platform_id, kind, key, payload, due_at, created_at)
select id, 'customers.seal-people', 'once', '{}', now(), now() from platforms;
