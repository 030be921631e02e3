-- Reports of banks and connectors are sealed for the customers whom they are about. While nobody knows them, a key of
-- the installation's month seals a report. A file names many people, so each has a key of its own
-- (docs/decisions/0068-keys-of-files.md). Values that a data key sealed stay readable.

-- Finds the customers whom a report is about, by the reference of an order, the account that was asked for, or the name
-- of a credit.
create function people_of_report(of_connector uuid, about text) returns table (platform_id uuid, customer_id uuid)
language sql stable as $$
  select o.platform_id, o.customer_id from connector_orders o
   where o.connector_id = of_connector and o.customer_id is not null
     and o.reference = substring(about from '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$')::uuid
  union
  select r.platform_id, r.customer_id from connector_requests r
   where r.connector_id = of_connector and r.customer_id is not null
     and r.subject = substring(about from '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$')::uuid
  union
  select t.platform_id, t.customer_id from connector_credits c
    join transactions t on t.platform_id = c.platform_id and t.id = c.transaction_id
   where c.connector_id = of_connector and lower(c.credit_id) = lower(about) and t.customer_id is not null
$$;
create index connector_credits_by_about on connector_credits (connector_id, lower(credit_id));
create index bank_ours_by_entry on bank_ours (platform_id, entry_id);
create index bank_ours_by_transaction on bank_ours (platform_id, transaction_id) where transaction_id is not null;

-- Finds the customers behind a break: of its order, of the credit that it names, or of the line.
create function people_of_break(of_break uuid) returns table (platform_id uuid, customer_id uuid)
language sql stable as $$
  select t.platform_id, t.customer_id from connector_breaks b
    join connector_orders o on o.platform_id = b.platform_id and o.id = b.order_id
    join transactions t on t.platform_id = o.platform_id and t.id = o.transaction_id
   where b.id = of_break and t.customer_id is not null
  union
  select r.platform_id, r.customer_id from connector_breaks b
   cross join lateral people_of_report(b.connector_id, regexp_replace(b.about, '^credit ', '')) r
   where b.id = of_break and b.about !~ '^(line|entry|event|gap before|statement|settlement account|proof of) '
  union
  select t.platform_id, t.customer_id from connector_breaks b
    join bank_lines l on l.id = substring(b.about from '^line (.{36})$')::uuid
    join bank_ours o on o.match = l.match
    join transactions t on t.platform_id = o.platform_id and t.id = o.transaction_id
   where b.id = of_break and t.customer_id is not null
  union
  select t.platform_id, t.customer_id from connector_breaks b
    join bank_ours o on o.platform_id = b.platform_id and o.entry_id = substring(b.about from '^entry (.{36}) ')::uuid
    join transactions t on t.platform_id = o.platform_id and t.id = o.transaction_id
   where b.id = of_break and t.customer_id is not null
$$;

-- Texts of operators about mints and burns, money in suspense, breaks, proposals, uses of break-glass and events are
-- sealed for the customer behind them, too. A quote is found by its own id.
create or replace function customer_of_resource(of_platform uuid, resource text) returns uuid
language plpgsql stable as $$
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
      select t.customer_id from transactions t where t.platform_id = of_platform and t.quote_id = bare)
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
    when 'ScaReset' then (
      select r.customer_id from sca_resets r where r.platform_id = of_platform and r.id = bare)
    when 'StablecoinOperation' then (
      select coalesce(f.customer_id, g.customer_id, p.customer_id, q.customer_id) from stablecoin_operations o
        left join internal_accounts f on f.platform_id = o.platform_id and f.id = o.source_internal
        left join external_accounts g on g.platform_id = o.platform_id and g.id = o.source_external
        left join internal_accounts p on p.platform_id = o.platform_id and p.id = o.destination_internal
        left join external_accounts q on q.platform_id = o.platform_id and q.id = o.destination_external
       where o.platform_id = of_platform and o.id = bare)
    -- Only money that is still in suspense is a subject of operators.
    when 'JournalEntry' then (
      select coalesce(customer_of_resource(e.platform_id, 'Transaction:' || e.transaction_id),
                      customer_of_resource(e.platform_id, 'StablecoinOperation:' || e.transaction_id))
        from open_suspense e where e.platform_id = of_platform and e.entry = bare limit 1)
    when 'Break' then (
      select p.customer_id from people_of_break(bare) p limit 1)
    when 'Proposal' then (
      select p.customer_id from proposals p where p.id = bare limit 1)
    when 'BreakGlass' then (
      select customer_of_resource(u.platform_id, u.resource) from break_glass_uses u where u.id = bare)
    when 'Webhook' then (
      select customer_of_resource(e.platform_id, e.resource_id) from events e
       where e.platform_id = of_platform and e.id = bare)
    else (select i.customer_id from invitations i where i.platform_id = of_platform and i.code = resource)
  end;
end $$;

comment on column connector_events.body is
  'sealed: connector_events.body:{connector_id}:{event_id}; '
  'person: (select r.customer_id from people_of_report(t.connector_id, t.about) r limit 1); '
  'otherwise: strangers; by: connectors';
-- The events that a data key sealed. The index is empty once the worker has sealed them again.
create index connector_events_in_old_seal on connector_events (connector_id, seq) where get_byte(body, 0) = 1;

-- `resolution` has only sentences of the service from now on, in breaks that are gone. Texts of operators are sealed.
alter table connector_breaks
  add column resolution_sealed bytea,
  drop column notes,
  add column notes bytea;
comment on column connector_breaks.resolution_sealed is
  'sealed: connector_breaks.resolution_sealed:{id}; '
  'person: (select p.customer_id from people_of_break(t.id) p limit 1); '
  'otherwise: strangers; by: connectors';
comment on column connector_breaks.notes is
  'sealed: connector_breaks.notes:{id}; person: (select p.customer_id from people_of_break(t.id) p limit 1); '
  'otherwise: strangers; by: connectors';
-- Resolutions that an earlier version stored in clear text. The index is empty once the worker has sealed them.
create index connector_breaks_in_clear on connector_breaks (id) where resolution is not null and not is_gone;

comment on column bank_file_orders.content is
  'sealed: bank_file_orders.content:{reference}; '
  'person: (select r.customer_id from people_of_report(t.connector_id, t.reference::text) r limit 1); '
  'otherwise: strangers; by: bank-files';

comment on column bank_file_batches.bytes is 'sealed: bank_file_batches.bytes:{id}; person: id; by: bank-files';

-- The subjects of a file of a bank: references of orders, and names of credits. An erasure finds the files by them.
create table bank_file_subjects (
  connector_id uuid not null references bank_file_connectors,
  about text not null,
  file_id uuid not null,
  primary key (connector_id, about, file_id)
);
create index bank_files_by_content on bank_files (connector_id, content_hash);

alter table bank_file_statements
  add column file_id uuid,
  alter column content drop not null;
comment on column bank_file_statements.content is
  'sealed: bank_file_statements.content:{connector_id}:{settlement_account}:{statement_id}; person: file_id; '
  'by: bank-files';

-- The reference of the order, or the name of the credit, that the event is about.
alter table bank_file_events add column about text;
comment on column bank_file_events.body is
  'sealed: bank_file_events.body:{connector_id}:{place}; '
  'person: (select r.customer_id from people_of_report(t.connector_id, t.about) r limit 1); '
  'otherwise: strangers; by: bank-files';
create index bank_file_events_by_about on bank_file_events (connector_id, about) where about is not null;

-- Whether nobody knows yet whose money it is.
alter table bank_file_credits add column is_of_stranger boolean not null default true;
comment on column bank_file_credits.payer is
  'sealed: bank_file_credits.payer:{connector_id}:{credit_id}; '
  'person: (select r.customer_id from people_of_report(t.connector_id, t.credit_id) r limit 1); '
  'otherwise: strangers; by: bank-files';
create index bank_file_credits_of_strangers on bank_file_credits (connector_id) where is_of_stranger;

-- The same for a line, and the credit that it is matched with, whose owner may become known later.
alter table bank_lines
  add column is_of_stranger boolean not null default true,
  add column credit_id text;
comment on column bank_lines.texts is
  'sealed: bank_lines.texts:{id}; '
  'person: (select p.customer_id from bank_ours o join transactions p on p.platform_id = o.platform_id '
  'and p.id = o.transaction_id where o.match = t.match and p.customer_id is not null limit 1); '
  'otherwise: strangers; by: reconciliation';
create index bank_lines_of_strangers on bank_lines (id)
  where is_of_stranger and match is not null and texts is not null;
