-- When the content of an event was erased with the customer that it named (customers.md §2.4.26b). Its payload is gone
-- then, its facts are empty, and it is never sent. Older rows have none: nothing of them was erased.
alter table events add column erased_at timestamptz(3);

-- Customers who were erased before are looked for once more: their events and replies were left as they were, and so
-- were the events of others' payments to them. Events have the platform's own time, which may be ahead of ours.
insert into jobs (platform_id, kind, key, payload, due_at, created_at)
select c.platform_id, 'customer.erase-again', c.id::text,
       jsonb_build_object(
         'customerId', c.id, 'until', now() + p.clock_offset_ms * interval '1 millisecond', 'isOfEarlierVersion', true),
       now(), now()
  from customers c join platforms p on p.id = c.platform_id
 where c.erased_at is not null;
