-- The id of the database of keys that belongs to this database, and the number of the last erasure that ended here. A
-- database of keys that does not know this erasure is older than this database.
create table person_key_store (
  is_only boolean primary key default true check (is_only),
  store_id uuid not null,
  last_erasure bigint not null default 0
);

-- A job of each platform seals values that an earlier version sealed with a data key, or stored in clear text, with the
-- keys of the people to whom they belong. The comments of the columns name these people.
insert into jobs (platform_id, kind, key, payload, due_at, created_at)
select id, 'people.seal-stored', 'once', '{}', now(), now() from platforms;
