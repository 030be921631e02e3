-- IP addresses of end users are sealed (SECURITY.md): of a person who logged in, authorized a payment, visited a page
-- of ours or accepted terms. A job for each platform seals those that were stored in clear before, in bounded steps.
alter table audit_log add column end_user_ip bytea;
comment on column audit_log.end_user_ip is 'sealed: audit_log.end_user_ip:{id}';
-- Erasing a customer finds the rows that name it beside their resource.
create index audit_log_customer on audit_log ((details ->> 'customerId')) where details ? 'customerId';
alter table end_user_terms_consents add column ip bytea;
comment on column end_user_terms_consents.ip is 'sealed: end_user_terms_consents.ip:{id}';
alter table customers add column terms_ip bytea;
comment on column customers.terms_ip is 'sealed: customers.terms_ip:{id}';

-- An audit row may lose a person's IP address, or have it sealed or sealed again; nothing else of it ever changes.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
declare
  of_person constant text[] := '{details,end_user_ip,remote_address}';
begin
  if to_jsonb(new) - of_person = to_jsonb(old) - of_person
     and (new.details = old.details or new.details = old.details - 'endUserIpAddress')
     and (new.remote_address is not distinct from old.remote_address
          or new.remote_address is null and old.actor_kind = 'page')
     and (new.end_user_ip is null or old.end_user_ip is not null or old.details ? 'endUserIpAddress'
          or old.actor_kind = 'page' and old.remote_address is not null) then
    return new;
  end if;
  raise exception 'audit_log is append-only' using errcode = 'restrict_violation';
end $$;

-- The path of a look-up had the UMA address in it. New rows leave the address out; this removes it from old ones.
alter table audit_log disable trigger audit_log_immutable;
update audit_log set resource = regexp_replace(resource, '/receiver/uma/.*$', '/receiver/uma/…')
 where action = 'lookupUma' and resource like '%/receiver/uma/%';
alter table audit_log enable trigger audit_log_immutable;

insert into jobs (platform_id, kind, key, payload, due_at, created_at)
select id, 'customers.seal-addresses', 'once', '{}', now(), now() from platforms;
