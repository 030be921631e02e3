-- Calls that were made under an Idempotency-Key, and what they were answered (platform.md §2). No foreign key to
-- platforms (0001 says why).
create table idempotency_keys (
  platform_id uuid not null,
  -- Agent (if any), method and concrete path.
  scope text not null,
  key text not null,
  body_hash bytea not null,
  -- Null while the first call runs, and for a reply that holds a secret.
  status smallint,
  reply bytea,
  created_at timestamptz not null,
  -- A call that reaches outside claims its key in one commit and stores its reply in another; in between the key is
  -- leased, in real time, to whoever calls.
  leased_until timestamptz,
  primary key (platform_id, scope, key)
);
comment on column idempotency_keys.reply is 'sealed: idempotency_keys.reply:{platform_id}:{scope}:{key}';
create index idempotency_keys_age on idempotency_keys (platform_id, created_at);
