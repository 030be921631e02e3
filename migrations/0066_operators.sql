-- The people who run the service (operator.md §1, §3): who they are, how they prove it, and which browsers they use.
-- These tables belong to no platform. All times are real time.
create table operators (
  id uuid primary key,
  name text not null check (length(name) between 1 and 100),
  email text not null check (length(email) between 3 and 254),
  roles text[] not null check (
    roles <@ array['viewer', 'support', 'compliance', 'finance', 'treasury', 'admin'] and cardinality(roles) > 0
  ),
  status text not null check (status in ('INVITED', 'JOINED', 'ACTIVE', 'SUSPENDED', 'REMOVED')),
  -- As the audit log names the actor: another operator, or an account at the command line.
  invited_by text not null,
  -- The actor who made the last address. This operator cannot confirm the person who joined with it.
  address_by text not null,
  created_at timestamptz not null,
  -- Six digits of the key with which the operator joined, until somebody confirms them.
  digits text check (digits ~ '^[0-9]{6}$'),
  -- After a lost passkey the operator approves nothing until this time.
  approves_from timestamptz,
  -- When the operator became active for the first time.
  active_since timestamptz,
  last_seen_at timestamptz,
  check ((status = 'JOINED') = (digits is not null)),
  check (status <> 'ACTIVE' or active_since is not null)
);
-- A removed operator keeps the address: audit rows name the operator for ever.
create unique index operators_email on operators (lower(email));

-- Refuses every transition that operators do not have, and the end of the last active admin (operator.md §1.1, §1.4).
-- Only the command line may end the last one: it sets corridor.may_end_last_admin for its transaction.
create function guard_operators() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'operators are never deleted' using errcode = 'restrict_violation';
  end if;
  if old.status <> new.status and not (old.status, new.status) in (
    ('INVITED', 'JOINED'), ('INVITED', 'ACTIVE'), ('INVITED', 'SUSPENDED'), ('INVITED', 'REMOVED'),
    ('JOINED', 'ACTIVE'), ('JOINED', 'INVITED'), ('JOINED', 'SUSPENDED'), ('JOINED', 'REMOVED'),
    ('ACTIVE', 'INVITED'), ('ACTIVE', 'SUSPENDED'), ('ACTIVE', 'REMOVED'),
    ('SUSPENDED', 'INVITED'), ('SUSPENDED', 'REMOVED')) then
    raise exception 'an operator cannot go from % to %', old.status, new.status
      using errcode = 'restrict_violation', constraint = 'operators_transition';
  end if;
  if old.status = 'ACTIVE' and 'admin' = any(old.roles)
     and not (new.status = 'ACTIVE' and 'admin' = any(new.roles))
     and coalesce(current_setting('corridor.may_end_last_admin', true), '') <> 'yes' then
    -- One such change at a time: of two admins who suspend each other, the second one sees the first change.
    perform pg_advisory_xact_lock(hashtextextended('operators.last-admin', 0));
    if not exists (select from operators
                    where status = 'ACTIVE' and 'admin' = any(roles) and id <> old.id) then
      raise exception 'this is the last active admin'
        using errcode = 'restrict_violation', constraint = 'operators_last_admin';
    end if;
  end if;
  return new;
end $$;

create trigger operators_guarded before update or delete on operators for each row execute function guard_operators();

-- An address with which an operator joins, once. A second one replaces the first.
create table operator_addresses (
  operator_id uuid primary key references operators,
  hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create table operator_passkeys (
  id uuid primary key,
  operator_id uuid not null references operators,
  -- At most ten each.
  place smallint not null check (place between 1 and 10),
  -- base64url without padding.
  credential_id text not null unique,
  rp_id text not null,
  cose_key bytea not null,
  counter bigint not null,
  created_at timestamptz not null,
  used_at timestamptz,
  unique (operator_id, place)
);

create table operator_sessions (
  id uuid primary key,
  operator_id uuid not null references operators,
  secret_hash bytea not null unique,
  -- The secret before the last proof of presence, for requests that other tabs had already sent.
  former_hash bytea unique,
  former_until timestamptz,
  created_at timestamptz not null,
  used_at timestamptz not null,
  expires_at timestamptz not null,
  stepped_up_at timestamptz,
  remote_address text,
  browser text,
  check ((former_hash is null) = (former_until is null))
);
create index operator_sessions_by_operator on operator_sessions (operator_id, created_at);
create index operator_sessions_by_age on operator_sessions (expires_at);

-- Challenges that were answered, so that no answer counts twice.
create table operator_used_challenges (
  hash bytea primary key,
  expires_at timestamptz not null
);
create index operator_used_challenges_by_age on operator_used_challenges (expires_at);
