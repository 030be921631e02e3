-- A platform in one environment. Its id is the platform_id of every other table.
create table platforms (
  id uuid primary key,
  name text not null check (name <> ''),
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  -- How far the platform's business time was moved ahead of real time.
  clock_offset_ms bigint not null default 0 check (clock_offset_ms >= 0),
  -- Only what the operator set; defaults come from the code (lib/platform-settings.ts).
  settings jsonb not null default '{}',
  webhook_public_key text not null,
  webhook_private_key bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  disabled_at timestamptz,
  check (environment = 'SANDBOX' or clock_offset_ms = 0)
);

create table tokens (
  platform_id uuid not null references platforms,
  id uuid not null,
  client_id text not null check (client_id ~ '^[0-9a-f]{32}$'),
  name text not null,
  permissions text[] not null check (cardinality(permissions) > 0 and permissions <@ '{VIEW,TRANSACT,MANAGE}'),
  salt bytea not null,
  secret_hash bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revoked_at timestamptz,
  primary key (platform_id, id)
);
-- Global look-ups: a credential arrives before its platform is known.
create unique index tokens_client_id on tokens (client_id);
create unique index tokens_id on tokens (id);
create index tokens_newest on tokens (platform_id, created_at desc, id desc) where revoked_at is null;

create table idempotency_keys (
  platform_id uuid not null references platforms,
  -- Agent (if any), method and concrete path.
  scope text not null,
  key text not null,
  body_hash bytea not null,
  -- Null while the first call runs, and for a reply that holds a secret.
  status smallint,
  reply bytea,
  created_at timestamptz not null,
  primary key (platform_id, scope, key)
);
create index idempotency_keys_age on idempotency_keys (platform_id, created_at);

-- Data keys, wrapped with the operator's ENCRYPTION_KEY, which is never stored here.
create table encryption_keys (
  id integer primary key,
  purpose text not null check (purpose in ('data', 'fingerprint')),
  wrapped bytea not null,
  created_at timestamptz not null
);

-- Append-only: the triggers below refuse every change, and any deletion of a row younger than 30 days.
create table audit_log (
  id uuid primary key,
  platform_id uuid references platforms,
  at timestamptz not null,
  actor_kind text not null,
  actor_id text not null,
  action text not null,
  resource text,
  request_id text,
  remote_address text,
  details jsonb not null default '{}'
);
create index audit_log_platform on audit_log (platform_id, at desc, id desc);
create index audit_log_age on audit_log (at);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create function refuse_young_audit_deletion() returns trigger language plpgsql as $$
begin
  if old.at > now() - interval '30 days' then
    raise exception 'audit rows are kept at least 30 days' using errcode = 'restrict_violation';
  end if;
  return old;
end $$;

create trigger audit_log_immutable before update on audit_log for each row execute function refuse_change();
create trigger audit_log_kept before delete on audit_log for each row execute function refuse_young_audit_deletion();
create trigger audit_log_not_truncated before truncate on audit_log for each statement execute function refuse_change();
