-- Every webhook adds a row here. Its two foreign keys looked up and locked the event and the platform for each of them,
-- rows that the same statement reads anyway. Platforms are never removed (0016_hot_tables.sql); an event is removed by
-- the purge alone, which takes its attempts along (src/jobs/purge.ts).
alter table webhook_attempts drop constraint webhook_attempts_platform_id_fkey;
alter table webhook_attempts drop constraint webhook_attempts_platform_id_event_id_fkey;
