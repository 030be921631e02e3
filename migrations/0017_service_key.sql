-- The one key with which the service signs what it hands to the clients of embedded wallets (wallets.md W17). Clients
-- know it, so it outlives restarts and is the same in all processes.
create table service_keys (
  id smallint primary key check (id = 1),
  -- The P-256 scalar, 32 bytes.
  private_key bytea not null,
  created_at timestamptz not null default now()
);
comment on column service_keys.private_key is 'sealed: service_keys.private_key:{id}';
create trigger service_keys_kept before delete or truncate on service_keys
  for each statement execute function refuse_removal();
