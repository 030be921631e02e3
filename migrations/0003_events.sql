-- Events and the webhooks that tell of them (platform.md §4). No foreign keys to platforms (0001 says why).

-- Time-ordered ids for rows that SQL functions make themselves (platform.md §1.2.1): 48 bits of milliseconds
-- laid over a random version 4 UUID, whose version bits then become 7.
create function uuid_v7() returns uuid language sql volatile as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
        from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
$$;

-- The outbox: one row for each state change that a platform is told about, written in the commit of that
-- change (platform.md §4.2.1), and where its delivery stands.
create table events (
  platform_id uuid not null,
  id uuid not null default uuid_v7(),
  -- Event order. One value at a time: a cache per session would hand out numbers out of order.
  seq bigint generated always as identity (cache 1),
  type text not null check (type <> ''),
  -- `data.id`: first attempts for one resource go out in event order (platform.md §4.2.4). Compared byte by byte,
  -- whatever the database's own order: it is only ever walked through.
  resource_id text collate "C" not null check (resource_id <> ''),
  -- `data` as JSON text, sealed; or the facts of the moment, until they are rendered for the first attempt.
  payload bytea,
  facts jsonb,
  -- Sent at most once: TEST, and questions whose HTTP answer decides something (money.md §7.2).
  once boolean not null default false,
  -- Who is handed the answer of a question.
  decision text,
  -- Business time.
  created_at timestamptz(3) not null,
  state text not null default 'PENDING'
    check (state in ('PENDING', 'DELIVERED', 'ACKED_DUPLICATE', 'EXHAUSTED', 'SKIPPED')),
  attempts integer not null default 0,
  retries integer not null default 0,
  -- Business time; no next attempt means that the first one is still to come.
  first_attempt_at timestamptz(3),
  next_attempt_at timestamptz(3),
  -- Real time.
  finished_at timestamptz,
  leased_until timestamptz,
  lease_owner uuid,
  primary key (platform_id, id),
  check ((payload is null) <> (facts is null)),
  check (decision is null or once),
  check ((state = 'PENDING') = (finished_at is null))
) with (fillfactor = 80, toast_tuple_target = 128);
-- Ciphertext does not compress; out of line it is not copied when the delivery state changes.
alter table events alter column payload set storage external;
comment on column events.payload is 'sealed: events.payload:{id}';

-- Webhooks are claimed resource by resource (src/webhooks/claim-webhooks.sql), so that the backlog of one stands in
-- nobody's way; questions, whose answer somebody waits for, are found before everything else.
create index events_first on events (platform_id, resource_id, seq)
  where state = 'PENDING' and next_attempt_at is null;
create index events_asked on events (platform_id, seq)
  where state = 'PENDING' and next_attempt_at is null and decision is not null;
-- Retries that are due are taken by their time. Where those of one resource crowd the front of that queue, others' are
-- found resource by resource.
create index events_again on events (platform_id, next_attempt_at)
  where state = 'PENDING' and next_attempt_at is not null;
create index events_again_by_resource on events (platform_id, resource_id, next_attempt_at)
  where state = 'PENDING' and next_attempt_at is not null;
create index events_finished on events (platform_id, finished_at) where finished_at is not null;

-- Whoever claims first attempts of a platform holds its row for that moment, so that two claims never split
-- the events of one resource between them.
create table webhook_lanes (
  platform_id uuid primary key references platforms,
  -- How far the walk over the platform's resources has come, where one claim could not visit all of them. The lap ends
  -- at the resource that was last when it began, so that ever newer ones cannot keep it from starting again.
  after_resource text collate "C",
  lap_end text collate "C",
  -- The same for retries.
  again_after text collate "C",
  check ((after_resource is null) = (lap_end is null))
);

-- One row per attempt, kept 30 days (platform.md §4.2.6). No foreign key to the event: it would look it up and lock it
-- for each attempt. An event is removed by the purge alone, which takes its attempts along (src/jobs/purge.ts).
create table webhook_attempts (
  platform_id uuid not null,
  event_id uuid not null,
  attempt integer not null check (attempt > 0),
  -- Real time, as in the envelope's timestamp.
  at timestamptz not null,
  -- Sealed, as platform_configs.webhook_endpoint is.
  url bytea not null constraint webhook_attempts_url_sealed check (get_byte(url, 0) < 32),
  duration_ms integer not null,
  status smallint,
  error text,
  -- The first 10 KiB, sealed: it may hold anything.
  response bytea,
  primary key (platform_id, event_id, attempt),
  check ((status is null) <> (error is null))
);
comment on column webhook_attempts.url is 'sealed: webhook_attempts.url:{event_id}:{attempt}';
comment on column webhook_attempts.response is 'sealed: webhook_attempts.response:{event_id}:{attempt}';
create index webhook_attempts_age on webhook_attempts (platform_id, at);
