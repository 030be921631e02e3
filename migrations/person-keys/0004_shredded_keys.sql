-- PostgreSQL leaves a deleted key in the file of its table until the space is used again. So the table is written
-- again, at most once a day, after keys were deleted.
alter table key_store
  -- Counts the transactions that deleted keys of people.
  add column deletions bigint not null default 0,
  -- How many of them had committed when the table was last written again.
  add column shredded bigint not null default 0,
  add column shredded_at timestamptz not null default now();
-- Keys that an earlier version deleted.
update key_store set deletions = 1;
