-- People for whom the database of keys has made a key although no sealed row of `customers` says so: the months of
-- strangers, and customers of an earlier version until they are sealed. A row is written before anything is sealed with
-- the key, so that a key that is missing later is not taken for one that was never made.
create table keyed_people (
  person_id uuid primary key,
  platform_id uuid not null
);
create index keyed_people_of_platform on keyed_people (platform_id, person_id);

-- People whose values no key opens although they were not erased. A call that needs the key adds a row, and so does the
-- daily check; the check removes the row once the key is back.
create table lost_person_keys (
  person_id uuid primary key,
  platform_id uuid not null,
  found_at timestamptz not null default now()
);
create index lost_person_keys_by_age on lost_person_keys (platform_id, found_at);
