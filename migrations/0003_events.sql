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
  platform_id uuid not null references platforms,
  id uuid not null default uuid_v7(),
  -- Event order. One value at a time: a cache per session would hand out numbers out of order.
  seq bigint generated always as identity (cache 1),
  type text not null check (type <> ''),
  -- `data.id`: first attempts for one resource go out in event order (§4.2.4).
  resource_id text not null check (resource_id <> ''),
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

create index events_first on events (platform_id, seq) where state = 'PENDING' and next_attempt_at is null;
create index events_again on events (platform_id, next_attempt_at) where state = 'PENDING' and next_attempt_at is not null;
create index events_finished on events (platform_id, finished_at) where finished_at is not null;

-- Whoever claims first attempts of a platform holds its row for that moment, so that two claims never split
-- the events of one resource between them.
create table webhook_lanes (
  platform_id uuid primary key references platforms
);

-- One row per attempt, kept 30 days (§4.2.6).
create table webhook_attempts (
  platform_id uuid not null references platforms,
  event_id uuid not null,
  attempt integer not null check (attempt > 0),
  -- Real time, as in the envelope's timestamp.
  at timestamptz not null,
  url text not null,
  duration_ms integer not null,
  status smallint,
  error text,
  -- The first 10 KiB, sealed: it may hold anything.
  response bytea,
  primary key (platform_id, event_id, attempt),
  foreign key (platform_id, event_id) references events on delete cascade,
  check ((status is null) <> (error is null))
);
comment on column webhook_attempts.response is 'sealed: webhook_attempts.response:{event_id}:{attempt}';
create index webhook_attempts_age on webhook_attempts (platform_id, at);

-- Work for later. A row is deleted in the transaction that does its work; payloads hold ids and choices,
-- never secrets or personal data.
create table jobs (
  platform_id uuid not null references platforms,
  id bigint generated always as identity,
  kind text collate "C" not null check (kind <> ''),
  -- While a keyed job waits, scheduling the same again does nothing.
  key text,
  payload jsonb not null default '{}',
  -- Business time.
  due_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  attempts integer not null default 0,
  last_error text,
  -- Real time: while a job that calls the network is under way.
  leased_until timestamptz,
  lease_owner uuid,
  primary key (platform_id, id)
);
-- Each kind of a platform's work is a queue of its own, so that one that is slow or fails holds up no other.
create index jobs_due on jobs (platform_id, kind, due_at, id);
create unique index jobs_key on jobs (platform_id, kind, key) where key is not null;

-- Every platform's daily purge exists from its first moment; each run schedules the next (jobs/purge.ts).
create function schedule_first_purge() returns trigger language plpgsql as $$
begin
  insert into jobs (platform_id, kind, key, due_at, created_at)
  values (new.id, 'platform.purge', 'daily', new.created_at + interval '1 day', new.created_at);
  return null;
end $$;
create trigger platforms_purge after insert on platforms for each row execute function schedule_first_purge();
insert into jobs (platform_id, kind, key, due_at, created_at)
select id, 'platform.purge', 'daily', created_at + interval '1 day', created_at from platforms;

-- Where a platform's clock is being moved to, and by whom; two moves add up and take turns.
create table clock_moves (
  platform_id uuid primary key references platforms,
  target_offset_ms bigint not null,
  -- Real time.
  leased_until timestamptz,
  lease_owner uuid
);
