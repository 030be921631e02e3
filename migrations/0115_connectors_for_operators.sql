-- What operators read of connectors (connectors.md §9). The last signed answer is noted every ten seconds at most.
alter table connectors add column answered_at timestamptz;
alter table connectors add column silent_at timestamptz;
alter table connectors add column silence_why text;

create index connector_orders_by_time on connector_orders (platform_id, created_at desc, id desc);
create index connector_events_in_order on connector_events (connector_id, seq);
create index connector_breaks_in_order on connector_breaks (opened_at desc, id desc);

-- Routes are also for what is no order: opening accounts, coordinates for quotes, and checks of names.
alter table connector_routes drop constraint connector_routes_kind_check;
alter table connector_routes add constraint connector_routes_kind_check
  check (kind in ('PAYOUT', 'COLLECTION', 'REFUND', 'ACCOUNT', 'QUOTE', 'NAME_CHECK'));
