-- How long a key is kept from its first use (platform.md §2.5); defined only here.
create or replace function idempotency_key_life() returns interval language sql immutable as $$
  select interval '24 hours'
$$;

-- Whether a key that was first used at `created` is still valid at `at`. Written so
-- that the planner cannot use the index on created_at, which would be slow once there are many keys.
create or replace function idempotency_key_is_alive(created timestamptz, at timestamptz) returns boolean
language sql immutable as $$
  select created + idempotency_key_life() > at
$$;

drop function if exists idempotency_claim(uuid, text, text, bytea, timestamptz);

-- Claims a key for the calling transaction; with a lease, until the lease ends. Waits at most five seconds for another
-- transaction's uncommitted claim (platform.md §2.4); after that PostgreSQL raises lock_not_available.
create or replace function idempotency_claim(
  for_platform uuid, for_scope text, for_key text, with_body_hash bytea, at timestamptz, lease timestamptz,
  out claimed boolean, out body_hash bytea, out status smallint, out reply bytea, out leased_until timestamptz
) language plpgsql set lock_timeout = '5s' as $$
begin
  loop
    delete from idempotency_keys k
     where k.platform_id = for_platform and k.scope = for_scope and k.key = for_key
       and not idempotency_key_is_alive(k.created_at, at);
    insert into idempotency_keys (platform_id, scope, key, body_hash, created_at, leased_until)
    values (for_platform, for_scope, for_key, with_body_hash, at, lease)
    on conflict do nothing;
    claimed := found;
    exit when claimed;
    select k.body_hash, k.status, k.reply, k.leased_until
      into idempotency_claim.body_hash, idempotency_claim.status, idempotency_claim.reply,
           idempotency_claim.leased_until
      from idempotency_keys k
     where k.platform_id = for_platform and k.scope = for_scope and k.key = for_key;
    -- Not found: it was purged in between, so the claim is tried again.
    exit when found;
  end loop;
end $$;
