-- The keys of people. They are in a database of their own, so that a backup of the other database cannot be opened
-- after a
-- person was erased. Neither this database nor its backups contain anything else about a person.

-- One row for each person for good: an erased person never gets a key again.
create table people (
  person_id uuid primary key,
  platform_id uuid not null,
  created_at timestamptz not null default now(),
  erased_at timestamptz,
  -- The order of erasures, by which processes find those that they have not heard of.
  erasure bigint unique,
  constraint people_erasure check ((erased_at is null) = (erasure is null))
);
create sequence people_erasures;

create table person_keys (
  person_id uuid not null references people,
  generation smallint not null check (generation between 1 and 255),
  -- Sealed with a key of the platform.
  wrapped bytea not null,
  created_at timestamptz not null default now(),
  primary key (person_id, generation)
);

-- Which database this store belongs to, and since when.
create table key_store (
  is_only boolean primary key default true check (is_only),
  id uuid not null default gen_random_uuid(),
  created_at timestamptz not null default now()
);
insert into key_store default values;

-- A key is added only for a person who is not erased. The lock on the row keeps an erasure waiting meanwhile.
create function refuse_key_of_erased_person() returns trigger language plpgsql as $$
begin
  perform 1 from people where person_id = new.person_id and erased_at is null for share;
  if not found then
    raise exception 'person % is erased', new.person_id using errcode = 'CR410';
  end if;
  return new;
end $$;
create trigger refuse_key_of_erased_person before insert on person_keys
  for each row execute function refuse_key_of_erased_person();

-- An erasure is final.
create function refuse_undone_erasure() returns trigger language plpgsql as $$
begin
  raise exception 'person % is erased', old.person_id using errcode = 'CR410';
end $$;
create trigger refuse_undone_erasure before update on people
  for each row when (old.erased_at is not null) execute function refuse_undone_erasure();
create trigger refuse_deleted_erasure before delete on people
  for each row when (old.erased_at is not null) execute function refuse_undone_erasure();
