-- Retries that are due are taken by their time. Where those of one resource crowd the front of that queue, others' are
-- found resource by resource (src/webhooks/claim-webhooks.sql); the lane says how far that walk has come.
create index events_again_by_resource on events (platform_id, resource_id, next_attempt_at)
  where state = 'PENDING' and next_attempt_at is not null;
alter table webhook_lanes add column again_after text collate "C";

-- A process of an earlier version that still runs would write these URLs as they are: text goes into a column of bytes
-- without a word. A sealed value begins with the number of its form, a URL with a letter. What is there is not looked
-- through: the tables may be large, and whoever could have written it is refused from now on.
alter table platform_configs add constraint platform_configs_endpoint_sealed
  check (get_byte(webhook_endpoint, 0) < 32) not valid;
alter table webhook_attempts add constraint webhook_attempts_url_sealed check (get_byte(url, 0) < 32) not valid;
alter table onboarding_links add constraint onboarding_links_redirect_sealed
  check (get_byte(redirect_uri, 0) < 32) not valid;
