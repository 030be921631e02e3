-- Several keys of hashes may be new at once, if a rotation was interrupted before its key was used. So a process may
-- send a hash in more than two versions. The database stores one whole version of it, and refuses everything else
-- (docs/decisions/0056-rotating-keyed-hashes.md).

-- `copied` is the oldest version that a row may still copy from another one. `oldest` follows it once no such row is
-- left, because searches look for no version before `oldest`.
alter table hash_versions add column copied integer not null default 0;
update hash_versions set copied = oldest;
alter table hash_versions add constraint hash_versions_copied check (copied <= written);

-- Refuses versions without a key, and versions that go back.
create function check_hash_versions() returns trigger language plpgsql as $$
declare
  version integer;
begin
  if new.written < old.written or new.oldest < old.oldest or new.copied < old.copied then
    raise exception 'versions of hashes never go back' using errcode = 'check_violation';
  end if;
  foreach version in array array[new.written, new.oldest, new.copied, new.next] loop
    if version <> 0 and not exists (select from encryption_keys k where k.id = version and k.purpose = 'hash') then
      raise exception 'there is no key of hashes %', version using errcode = 'check_violation';
    end if;
  end loop;
  return new;
end $$;
create trigger hash_versions_checked before update on hash_versions
  for each row execute function check_hash_versions();

-- Returns the versions, and keeps them as they are until the end of the transaction.
create or replace function held_hash_versions() returns hash_versions language plpgsql as $$
declare
  held hash_versions;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('hash_versions', 0));
  select v.is_only, v.written, v.oldest, v.next, v.copied into held from hash_versions v;
  return held;
end $$;

-- A process sends a hash in all versions that it knows, the newest first: 36 bytes for each, and 32 for the first
-- version, which is the last. Returns the hash in one version, and null if it was not sent.
create function sent_hash(sent bytea, version integer) returns bytea language plpgsql immutable as $$
declare
  part bytea;
  place integer := 1;
begin
  if octet_length(sent) % 36 not in (0, 32) then
    raise exception 'a hash has % bytes', octet_length(sent) using errcode = 'data_exception';
  end if;
  while place <= octet_length(sent) loop
    part := substring(sent from place for 36);
    if hash_version(part) = version then
      return part;
    end if;
    place := place + 36;
  end loop;
  return null;
end $$;

-- Returns the version of a hash that is written now. A hash that was copied from another row may still have an older
-- version.
create or replace function choose_hash(sent bytea, versions hash_versions, may_be_copied boolean) returns bytea
  language plpgsql as $$
declare
  chosen constant bytea := sent_hash(sent, versions.written);
begin
  if sent is null or chosen is not null then
    return chosen;
  elsif may_be_copied and octet_length(sent) in (32, 36)
    and hash_version(sent) between greatest(versions.oldest, versions.copied) and versions.written then
    return sent;
  end if;
  -- As for a stale row, the transaction is repeated. By then the process has loaded the newest key.
  raise exception 'the hash has a version that is not written any more' using errcode = 'serialization_failure';
end $$;

-- Returns the older version of a hash, if a row may still have it. Unique indexes compare only hashes of one version.
create or replace function stored_older_hash(sent bytea, versions hash_versions) returns bytea
  language plpgsql as $$
begin
  return case when versions.oldest < versions.written then sent_hash(sent, versions.oldest) end;
end $$;

drop function newest_hash(bytea);
drop function older_hash(bytea);
