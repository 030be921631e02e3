-- When the content of an event was erased with the customer that it named (customers.md §2.4.26b). Its payload is gone
-- then, its facts are empty, and it is never sent. Older rows have none: nothing of them was erased.
alter table events add column erased_at timestamptz(3);

-- Customers who were erased before are looked for once more: their events and replies were left as they were.
insert into jobs (platform_id, kind, key, payload, due_at, created_at)
select platform_id, 'customer.erase-again', id::text, jsonb_build_object('customerId', id, 'until', now()), now(), now()
  from customers where erased_at is not null;
