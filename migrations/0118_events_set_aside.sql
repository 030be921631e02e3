-- The events of a connector are applied from a mark on, so that looking for the next ones costs the same however many
-- were applied before (connectors.md §6.4). The mark is on the connector: every event up to it is applied or set aside.
alter table connectors add column applied_to bigint not null default 0;

-- An event that is set aside waits: for its time, because it failed, or without one for an earlier event about the same
-- thing that failed.
alter table connector_events add column is_aside boolean not null default false;
update connector_events set is_aside = true where applied_at is null and failures > 0;

alter table connector_events drop constraint connector_events_check;
alter table connector_events add check (applied_at is null or due_at is null);
alter table connector_events add check (applied_at is not null or due_at is not null or is_aside);

drop index connector_events_before;
create index connector_events_aside on connector_events (connector_id, about, seq)
  where is_aside and applied_at is null;
create index connector_events_aside_due on connector_events (connector_id, due_at, seq)
  where is_aside and applied_at is null;
