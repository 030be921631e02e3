-- Work for later, and the clock that makes it due.

-- A row is deleted in the transaction that does its work; payloads hold ids and choices, never secrets or personal
-- data. No foreign key to platforms (0001 says why).
create table jobs (
  platform_id uuid not null,
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

-- Every platform's daily purge exists from its first moment; each run schedules the next (src/jobs/purge.ts).
create function schedule_first_purge() returns trigger language plpgsql as $$
begin
  insert into jobs (platform_id, kind, key, due_at, created_at)
  values (new.id, 'platform.purge', 'daily', new.created_at + interval '1 day', new.created_at);
  return null;
end $$;
create trigger platforms_purge after insert on platforms for each row execute function schedule_first_purge();

-- Where a platform's clock is being moved to, and by whom; two moves add up and take turns.
create table clock_moves (
  platform_id uuid primary key references platforms,
  target_offset_ms bigint not null,
  -- Real time.
  leased_until timestamptz,
  lease_owner uuid
);
