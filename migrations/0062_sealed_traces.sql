-- Events, stored replies, logs, messages and files are sealed with the keys of the people whom they describe, like the
-- other data of these people (0061). Values that an earlier version sealed with a data key stay readable.

-- Returns the customer to whom a resource belongs, by the resource's public id or by the path of a call. Values of
-- earlier versions need it if no column of their row names the customer.
create function customer_of_resource(of_platform uuid, resource text) returns uuid language plpgsql stable as $$
declare
  named constant text[] := regexp_match(resource, '([A-Za-z]*)[:/]([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})');
  bare constant uuid := named[2];
begin
  return case named[1]
    when 'Customer' then bare
    when 'customers' then bare
    when 'BeneficialOwner' then (
      select o.customer_id from beneficial_owners o where o.platform_id = of_platform and o.id = bare)
    when 'Document' then (
      select d.customer_id from documents d where d.platform_id = of_platform and d.id = bare)
    when 'Verification' then (
      select v.customer_id from verifications v where v.platform_id = of_platform and v.id = bare)
    when 'InternalAccount' then (
      select a.customer_id from internal_accounts a where a.platform_id = of_platform and a.id = bare)
    when 'ExternalAccount' then (
      select a.customer_id from external_accounts a where a.platform_id = of_platform and a.id = bare)
    when 'Transaction' then coalesce(
      (select t.customer_id from transactions t where t.platform_id = of_platform and t.id = bare),
      (select t.customer_id from card_transactions t where t.platform_id = of_platform and t.id = bare))
    when 'Quote' then (
      select t.customer_id from transactions t where t.platform_id = of_platform and t.id = bare)
    when 'Card' then (
      select c.customer_id from cards c where c.platform_id = of_platform and c.id = bare)
    when 'Agent' then (
      select a.customer_id from agents a where a.platform_id = of_platform and a.id = bare)
    when 'AgentAction' then (
      select a.customer_id from agent_actions a where a.platform_id = of_platform and a.id = bare)
    when 'AuthMethod' then (
      select a.customer_id from wallet_credentials w
        join internal_accounts a on a.platform_id = w.platform_id and a.id = w.account_id
       where w.platform_id = of_platform and w.id = bare)
    else (select i.customer_id from invitations i where i.platform_id = of_platform and i.code = resource)
  end;
end $$;

comment on column events.payload is
  'sealed: events.payload:{id}; person: (customer_of_resource(t.platform_id, t.resource_id))';
comment on column webhook_attempts.response is
  'sealed: webhook_attempts.response:{event_id}:{attempt}; '
  'person: (select customer_of_resource(e.platform_id, e.resource_id) from events e where e.platform_id = '
  't.platform_id and e.id = t.event_id)';
comment on column idempotency_keys.reply is
  'sealed: idempotency_keys.reply:{platform_id}:{scope}:{key}; person: (customer_of_resource(t.platform_id, t.scope))';
comment on column request_logs.bodies is
  'sealed: request_logs.bodies:{platform_id}:{id}; '
  'person: (select c.id from customers c where c.platform_id = t.platform_id and c.id = any(t.resource_ids) limit 1)';
comment on column request_logs.unknown_fields is
  'sealed: request_logs.unknown_fields:{platform_id}:{id}; '
  'person: (select c.id from customers c where c.platform_id = t.platform_id and c.id = any(t.resource_ids) limit 1)';
comment on column codes.code is
  'sealed: {code_context}; '
  'person: (coalesce(t.customer_id, customer_of_resource(t.platform_id, case t.kind when ''WALLET'' then '
  '''AuthMethod:'' else ''Card:'' end || t.owner_id)))';
comment on column codes.target_private is
  'sealed: wallet_otps.target_private:{id}; '
  'person: (customer_of_resource(t.platform_id, ''AuthMethod:'' || t.owner_id))';
comment on column signed_requests.challenge is
  'sealed: signed_requests.challenge:{id}; person: (customer_of_resource(t.platform_id, t.target))';

-- Texts that people wrote about a customer into an audit row: a reason, a name. The other details stay in clear text.
alter table audit_log add column private bytea;
comment on column audit_log.end_user_ip is
  'sealed: audit_log.end_user_ip:{id}; '
  'person: (customer_of_resource(t.platform_id, coalesce(t.details ->> ''customerId'', t.resource)))';
comment on column audit_log.private is
  'sealed: audit_log.private:{id}; '
  'person: (customer_of_resource(t.platform_id, coalesce(t.details ->> ''customerId'', t.resource)))';

-- The personal values of an audit row can be removed, sealed, or sealed again. Nothing else of the row ever changes.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
declare
  of_person constant text[] := '{details,end_user_ip,private,remote_address}';
  written constant text[] := '{reason,name}';
begin
  if to_jsonb(new) - of_person = to_jsonb(old) - of_person
     and (new.details = old.details or new.details = old.details - 'endUserIpAddress'
          or new.private is not null and old.private is null and new.details = old.details - written)
     and (new.remote_address is not distinct from old.remote_address
          or new.remote_address is null and old.actor_kind = 'page')
     and (new.private is null or old.private is not null or old.details ?| written)
     and (new.end_user_ip is null or old.end_user_ip is not null or old.details ? 'endUserIpAddress'
          or old.actor_kind = 'page' and old.remote_address is not null) then
    return new;
  end if;
  raise exception 'audit_log is append-only' using errcode = 'restrict_violation';
end $$;

-- The recipient of a message in the sandbox's inbox.
alter table sandbox_messages
  alter column recipient drop not null,
  add column contact bytea,
  add column contact_hash bytea,
  add constraint sandbox_messages_sealed_or_clear check (
    num_nulls(contact, contact_hash) = 0 and recipient is null
    or num_nonnulls(contact, contact_hash) = 0 and recipient is not null);
comment on column sandbox_messages.contact is
  'sealed: sandbox_messages.contact:{id}; person: customer_id; was: recipient';
comment on column sandbox_messages.contact_hash is 'hash: sandbox_messages.contact; was: recipient';
comment on column sandbox_messages.text is 'sealed: sandbox_messages.text:{id}; person: customer_id';
create index sandbox_messages_by_contact on sandbox_messages (platform_id, contact_hash, created_at desc, id desc)
  where contact_hash is not null;

-- The platform's reference to a person in a row of a file that was not imported. A row without one keeps its number.
alter table customer_import_errors
  alter column correlation_id drop not null,
  add column reference bytea,
  add column reference_hash bytea,
  add constraint customer_import_errors_sealed_or_clear check (
    num_nulls(reference, reference_hash) = 0 and correlation_id is null
    or num_nonnulls(reference, reference_hash) = 0 and correlation_id is not null);
comment on column customer_import_errors.reference is
  'sealed: customer_import_errors.reference:{import_id}:{row_number}; '
  'person: (select c.id from customers c where c.platform_id = t.platform_id and c.deleted_at is null '
  'and c.platform_customer_id = t.correlation_id); '
  'was: (nullif(t.correlation_id, ''row_'' || t.row_number)); then: correlation_id = null';
comment on column customer_import_errors.reference_hash is 'hash: customers.reference; was: correlation_id';
create index customer_import_errors_by_reference on customer_import_errors (platform_id, reference_hash)
  where reference_hash is not null;

-- A file's key is stored in the commit of the row that the file belongs to, because only that row says whose file it
-- is. Until then only the request that receives the file can read the file.
alter table contents
  drop constraint contents_check,
  add constraint contents_key check (state = 'INCOMING' or (state = 'DISCARDED') = (key is null));
comment on column contents.key is
  'sealed: contents.key:{id}; '
  'person: (select d.customer_id from documents d where d.platform_id = t.platform_id and d.content_id = t.id)';
