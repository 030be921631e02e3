-- Returns the customer behind a resource, as before, and nobody for a test event. Such an event is about itself, so
-- 0145 looked for its customer until PostgreSQL had no stack left.
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
       where e.platform_id = of_platform and e.id = bare and e.resource_id not like 'Webhook:%')
    else (select i.customer_id from invitations i where i.platform_id = of_platform and i.code = resource)
  end;
end $$;
