-- The request log (platform.md §11): the last requests of each platform. Written after the requests and apart from
-- them, so that it costs them nothing; bounded in time and in rows (src/request-log/store.ts). No foreign key to
-- platforms (0001 says why).
create table request_logs (
  platform_id uuid not null,
  id uuid not null,
  -- Real time.
  created_at timestamptz(3) not null,
  request_id uuid not null,
  caller_kind text not null check (caller_kind in ('token', 'agent')),
  caller_id uuid not null,
  method text not null,
  -- As the document writes it, and as it was called, with ids only.
  route text not null,
  path text not null,
  status smallint not null,
  code text,
  duration_ms integer not null check (duration_ms >= 0),
  key_verdict text not null check (key_verdict in ('none', 'new', 'replayed', 'conflict')),
  -- Every id in the path and in the bodies: by them a customer's requests are found when the customer is erased.
  resource_ids uuid[] not null,
  -- What is kept of query, request and reply as JSON, sealed; only where the platform's settings have it kept.
  bodies bytea,
  primary key (platform_id, id)
);
create index request_logs_by_time on request_logs (platform_id, created_at desc, id desc);
-- Ciphertext does not compress.
alter table request_logs alter column bodies set storage external;
comment on column request_logs.bodies is 'sealed: request_logs.bodies:{platform_id}:{id}';
