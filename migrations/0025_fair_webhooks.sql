-- Webhooks are claimed resource by resource (src/webhooks/claim-webhooks.sql), so that the backlog of one stands in
-- nobody's way; questions, whose answer somebody waits for, are found before everything else.
drop function if exists claim_webhooks;
-- Compared byte by byte, whatever the database's own order: it is only ever walked through.
alter table events alter column resource_id type text collate "C";
drop index events_first;
create index events_first on events (platform_id, resource_id, seq)
  where state = 'PENDING' and next_attempt_at is null;
create index events_asked on events (platform_id, seq)
  where state = 'PENDING' and next_attempt_at is null and decision is not null;

-- How far the walk over a platform's resources has come, where it could not visit all of them at once, and where this
-- lap ends: at the last resource of its beginning, so that ever newer ones cannot keep it from starting again.
alter table webhook_lanes
  add column after_resource text collate "C",
  add column lap_end text collate "C",
  add check ((after_resource is null) = (lap_end is null));
