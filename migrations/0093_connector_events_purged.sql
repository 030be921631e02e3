-- Events that were applied are deleted after a time (connectors.md §6.7). Their content is destroyed already.
create index connector_events_to_purge on connector_events (applied_at) where applied_at is not null and body is null;
