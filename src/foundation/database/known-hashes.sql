-- Searches name the versions of hashes that their process knows, the oldest and the newest. If stored hashes may have
-- others, the statement fails, because it would find too little (known-hashes.ts).

-- Refuses a process that lacks a key of hashes, or that knows a later state than this database, which was restored.
create or replace function require_known_versions(known_oldest integer, known_newest integer) returns void
  language plpgsql stable parallel safe as $$
begin
  if exists (select from hash_versions v where v.written > known_newest or v.oldest < known_oldest) then
    raise exception 'the process does not know the versions of stored hashes' using errcode = 'CR002';
  end if;
end $$;

-- Returns the hash unchanged.
create or replace function known_hash(hash bytea, known_oldest integer, known_newest integer) returns bytea
  language plpgsql stable parallel safe as $$
begin
  perform require_known_versions(known_oldest, known_newest);
  return hash;
end $$;

-- Returns the hashes unchanged.
create or replace function known_hashes(hashes bytea[], known_oldest integer, known_newest integer) returns bytea[]
  language plpgsql stable parallel safe as $$
begin
  perform require_known_versions(known_oldest, known_newest);
  return hashes;
end $$;
