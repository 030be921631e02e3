-- Connectors pay real money (decision 0042).

-- The store that the order was sent to: a 404 of another store does not say that it never arrived.
alter table connector_orders add column asked_store text;
update connector_orders o set asked_store = c.store
  from connectors c where c.id = o.connector_id and o.asked_at is not null;

-- The id of an event is unique in its store.
alter table connector_events add column store text;
update connector_events e set store = coalesce(c.store, '') from connectors c where c.id = e.connector_id;
alter table connector_events alter column store set not null;
alter table connector_events drop constraint connector_events_pkey;
alter table connector_events add primary key (connector_id, store, event_id);

alter table connector_breaks drop constraint connector_breaks_kind_check;
alter table connector_breaks add constraint connector_breaks_kind_check
  check (kind in ('CONTRADICTION', 'AMOUNT_DIFFERS', 'DUPLICATE', 'RETURNED', 'MALFORMED', 'LOST'));

create index connector_orders_by_reference on connector_orders (reference);
-- Platforms take turns: the next orders of each are found without looking at its other ones.
drop index connector_orders_without_route;
create index connector_orders_without_route on connector_orders (platform_id, call_at) where status = 'WAITING';
create index connector_orders_by_turn on connector_orders (connector_id, (call = 'PUT'), platform_id, call_at)
  where call is not null;
create index connector_orders_unsent on connector_orders (connector_id) where status = 'ROUTED';
