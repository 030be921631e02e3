-- Events by API (platform.md §4.7): the list, and the events of one resource.
create index events_newest on events (platform_id, created_at desc, id desc);
create index events_by_resource on events (platform_id, resource_id, created_at desc, id desc);
-- What was given up or never sent, for a platform that has it all sent again.
create index events_unsent on events (platform_id, created_at desc, id desc)
  where state in ('EXHAUSTED', 'SKIPPED');
