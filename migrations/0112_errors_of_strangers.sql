-- The reference in an error of an old import belongs to nobody known if no customer has it. The upgrade seals it with
-- the key of the month, as the service seals references of new imports.
comment on column customer_import_errors.reference is
  'sealed: customer_import_errors.reference:{import_id}:{row_number}; '
  'person: (select c.id from customers c where c.platform_id = t.platform_id and c.deleted_at is null '
  'and c.platform_customer_id = t.correlation_id); otherwise: strangers; '
  'was: (nullif(t.correlation_id, ''row_'' || t.row_number)); then: correlation_id = null';

-- 0110 left out where an earlier version stored the clear text of these hashes.
comment on column customer_import_errors.reference_hash is 'hash: customers.reference; was: correlation_id';
comment on column sandbox_messages.contact_hash is 'hash: sandbox_messages.contact; was: recipient';
