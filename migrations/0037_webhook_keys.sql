-- The key pairs that sign a platform's webhooks (platform.md §4.1.4–4.1.6): one, or two while one takes the place of
-- the other.
create table webhook_keys (
  platform_id uuid not null references platforms,
  id uuid not null,
  -- SPKI PEM, on show from the moment the key is made.
  public_key text not null,
  private_key bytea not null,
  -- All three in business time.
  created_at timestamptz not null,
  signs_from timestamptz not null,
  -- Null: until it is replaced.
  signs_until timestamptz,
  -- When it is off show, and its row is deleted.
  goes_at timestamptz,
  primary key (platform_id, id),
  constraint webhook_keys_start unique (platform_id, signs_from),
  check (created_at <= signs_from),
  check (signs_from < signs_until),
  check (signs_until <= goes_at),
  check ((signs_until is null) = (goes_at is null))
);

-- Keys that there were before have the id of their platform: what a private key is bound to was, and stays, its
-- platform's id, and is the id of its own row for every key since.
insert into webhook_keys (platform_id, id, public_key, private_key, created_at, signs_from)
select id, id, webhook_public_key, webhook_private_key, created_at, created_at from platforms;
comment on column webhook_keys.private_key is 'sealed: platforms.webhook_private_key:{id}';

-- One key signs until it is replaced, and one has been replaced or will be.
create unique index webhook_keys_newest on webhook_keys (platform_id) where signs_until is null;
create unique index webhook_keys_old on webhook_keys (platform_id) where signs_until is not null;
-- A key ends when the other one begins. With the indexes above that leaves no moment at which two keys sign, and none
-- at which no key does. Deferred: a rotation ends the old one before it adds the new one.
alter table webhook_keys add constraint webhook_keys_follow
  foreign key (platform_id, signs_until) references webhook_keys (platform_id, signs_from)
  deferrable initially deferred;

-- Every platform has a key.
alter table platforms add column webhook_key_id uuid;
update platforms set webhook_key_id = id;
alter table platforms alter column webhook_key_id set not null;
alter table platforms add constraint platforms_webhook_key
  foreign key (id, webhook_key_id) references webhook_keys (platform_id, id) deferrable initially deferred;
alter table platforms drop column webhook_public_key, drop column webhook_private_key;
