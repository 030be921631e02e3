-- The transaction that wrote an event. A listener reads whole windows of transactions that have all ended, so that it
-- loses no event of one that commits late (platform.md §4.8). Events of before have none: nobody listened.
alter table events add column xid xid8;
alter table events alter column xid set default pg_current_xact_id();
create index events_heard on events (platform_id, xid);
