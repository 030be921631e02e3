-- People whose keys nobody took into use are deleted. A sweep reads the people of a
-- platform once, in the order of their creation.
create index people_by_age on people (platform_id, created_at, person_id) where erased_at is null;
create table sweeps (
  platform_id uuid primary key,
  -- The last person whom a sweep has looked at: those before are customers, or keys of a month.
  created_at timestamptz not null,
  person_id uuid not null
);

-- The keys of months have ids of UUID version 8. They are destroyed when the data of
-- their month is no longer kept.
create index people_months on people (platform_id, created_at)
  where erased_at is null and substr(person_id::text, 15, 1) = '8';

-- A rotation in progress: keys that are older than it are replaced, and then deleted.
create table rotation (
  is_only boolean primary key default true check (is_only),
  begun_at timestamptz not null default now()
);
