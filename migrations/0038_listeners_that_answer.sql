-- Until when a listener of the platform answers approval questions (platform.md §4.8.6), in real time.
create table webhook_listeners (
  platform_id uuid primary key references platforms,
  answers_until timestamptz not null
);

-- Only sandbox platforms have listeners. Who writes an event of a production platform leaves its transaction out
-- (src/events/store.ts), and it costs no entry of this index.
drop index events_heard;
create index events_heard on events (platform_id, xid) where xid is not null;
