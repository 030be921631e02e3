-- The key of keyed hashes can be rotated (docs/decisions/0056-rotating-keyed-hashes.md). A hash of the first version
-- has 32 bytes. A hash of a later version begins with the id of the newest key, in four bytes.
alter table encryption_keys
  drop constraint encryption_keys_purpose_check,
  add constraint encryption_keys_purpose check (purpose in ('data', 'fingerprint', 'hash'));

-- `written` is the version of new hashes, `oldest` the oldest version that a stored hash may have. Both differ during a
-- rotation only.
create table hash_versions (
  is_only boolean primary key default true check (is_only),
  written integer not null default 0,
  oldest integer not null default 0,
  -- The version that a rotation in progress makes.
  next integer,
  check (oldest <= written and written <= coalesce(next, written)),
  check (oldest = written or next = written)
);
insert into hash_versions default values;

-- Columns of hashes that are stored for good; a rotation makes them again.
comment on column customers.reference_hash is 'hash: customers.reference';
comment on column customers.uma_hash is 'hash: customers.uma';
comment on column customers.email_hash is 'hash: customers.email';
comment on column customers.phone_hash is 'hash: customers.phone';
comment on column customers.name_hashes is 'hash: customers.name';
comment on column customer_import_errors.reference_hash is 'hash: customers.reference';
comment on column transactions.source_uma_hash is 'hash: transactions.uma';
comment on column transactions.destination_uma_hash is 'hash: transactions.uma';
comment on column transactions.reference_hash is 'hash: transactions.reference';
comment on column external_accounts.fingerprint is 'hash: external_accounts.fingerprint';
comment on column cards.pan_hash is 'hash: cards.pan';
comment on column sandbox_messages.contact_hash is 'hash: sandbox_messages.contact';

-- Returns the version of a hash.
create function hash_version(hash bytea) returns integer language sql immutable
return case when octet_length(hash) > 32
            then get_byte(hash, 0) << 24 | get_byte(hash, 1) << 16 | get_byte(hash, 2) << 8 | get_byte(hash, 3)
            else 0 end;

-- A process sends the same hash in all versions that it knows, the newest first. Returns the newest of them.
create function newest_hash(sent bytea) returns bytea language sql immutable
return case when octet_length(sent) > 32 then substring(sent for 36) else sent end;

-- Returns the older of two versions that a process sent, and null if it sent one.
create function older_hash(sent bytea) returns bytea language sql immutable
return case when octet_length(sent) > 36 then substring(sent from 37) end;

-- Returns the versions, and keeps them as they are until the end of the transaction.
create function held_hash_versions() returns hash_versions language plpgsql as $$
declare
  held hash_versions;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('hash_versions', 0));
  select v.is_only, v.written, v.oldest, v.next into held from hash_versions v;
  return held;
end $$;

-- Returns the version of a hash that is written now. A hash that was copied from another row may still have an older
-- version.
create function choose_hash(sent bytea, versions hash_versions, may_be_copied boolean) returns bytea
  language plpgsql as $$
begin
  if sent is null or hash_version(newest_hash(sent)) = versions.written then
    return newest_hash(sent);
  elsif hash_version(older_hash(sent)) = versions.written then
    return older_hash(sent);
  elsif may_be_copied and hash_version(newest_hash(sent)) between versions.oldest and versions.written then
    return newest_hash(sent);
  end if;
  -- As for a stale row, the transaction is repeated. By then the process has loaded the newest key.
  raise exception 'the hash has a version that is not written any more' using errcode = 'serialization_failure';
end $$;

-- Returns the older version of a hash, if a row may still have it. Unique indexes compare only hashes of one version.
create function stored_older_hash(sent bytea, versions hash_versions) returns bytea language sql immutable
return case when hash_version(newest_hash(sent)) = versions.written then older_hash(sent) end;

-- Refuses what the unique index of this name would refuse, if both rows had the same version.
create function refuse_older_hash(is_taken boolean, index_name text) returns void language plpgsql as $$
begin
  if is_taken then
    raise exception 'an older hash of the same value exists'
      using errcode = 'unique_violation', constraint = index_name;
  end if;
end $$;

-- Stores the hashes of a customer in the version that is written now.
create function choose_customer_hashes() returns trigger language plpgsql as $$
declare
  versions constant hash_versions := held_hash_versions();
begin
  if new.reference_hash is distinct from old.reference_hash then
    perform refuse_older_hash(exists (
      select from customers c
       where c.platform_id = new.platform_id and c.id <> new.id and c.deleted_at is null
         and c.reference_hash = stored_older_hash(new.reference_hash, versions)), 'customers_reference_hash');
    new.reference_hash := choose_hash(new.reference_hash, versions, false);
  end if;
  if new.uma_hash is distinct from old.uma_hash then
    -- Across platforms: an address belongs to one customer of the whole environment.
    perform refuse_older_hash(exists (
      select from customers c
       where c.environment = new.environment and c.id <> new.id and c.deleted_at is null
         and c.uma_hash = stored_older_hash(new.uma_hash, versions)), 'customers_uma_hash');
    new.uma_hash := choose_hash(new.uma_hash, versions, false);
  end if;
  if new.email_hash is distinct from old.email_hash then
    new.email_hash := choose_hash(new.email_hash, versions, false);
  end if;
  if new.phone_hash is distinct from old.phone_hash then
    new.phone_hash := choose_hash(new.phone_hash, versions, false);
  end if;
  if new.name_hashes is not null and new.name_hashes is distinct from old.name_hashes then
    new.name_hashes := array(
      select choose_hash(word.hash, versions, false)
        from unnest(new.name_hashes) with ordinality as word(hash, place) order by word.place);
  end if;
  return new;
end $$;
create trigger customers_hashes
  before insert or update of reference_hash, uma_hash, email_hash, phone_hash, name_hashes on customers
  for each row execute function choose_customer_hashes();

-- The same for an error of an import.
create function choose_import_error_hashes() returns trigger language plpgsql as $$
begin
  if new.reference_hash is distinct from old.reference_hash then
    new.reference_hash := choose_hash(new.reference_hash, held_hash_versions(), false);
  end if;
  return new;
end $$;
create trigger customer_import_errors_hashes before insert or update of reference_hash on customer_import_errors
  for each row execute function choose_import_error_hashes();

-- The same for a payment. A mirror copies hashes of the payment that it shows.
create function choose_transaction_hashes() returns trigger language plpgsql as $$
declare
  versions constant hash_versions := held_hash_versions();
begin
  if new.source_uma_hash is distinct from old.source_uma_hash then
    new.source_uma_hash := choose_hash(new.source_uma_hash, versions, true);
  end if;
  if new.destination_uma_hash is distinct from old.destination_uma_hash then
    new.destination_uma_hash := choose_hash(new.destination_uma_hash, versions, true);
  end if;
  if new.reference_hash is distinct from old.reference_hash then
    new.reference_hash := choose_hash(new.reference_hash, versions, true);
  end if;
  return new;
end $$;
create trigger transactions_hashes before insert on transactions for each row
  when (coalesce(new.source_uma_hash, new.destination_uma_hash, new.reference_hash) is not null)
  execute function choose_transaction_hashes();
create trigger transactions_new_hashes
  before update of source_uma_hash, destination_uma_hash, reference_hash on transactions
  for each row execute function choose_transaction_hashes();

-- The same for an external account. The insert of a duplicate is skipped, as its statement asks for.
create function choose_external_account_hashes() returns trigger language plpgsql as $$
declare
  versions constant hash_versions := held_hash_versions();
begin
  if new.fingerprint is distinct from old.fingerprint then
    if exists (
      select from external_accounts a
       where a.platform_id = new.platform_id and a.id <> new.id and a.deleted_at is null
         and a.fingerprint = stored_older_hash(new.fingerprint, versions)) then
      return null;
    end if;
    new.fingerprint := choose_hash(new.fingerprint, versions, false);
  end if;
  return new;
end $$;
create trigger external_accounts_hashes before insert or update of fingerprint on external_accounts
  for each row execute function choose_external_account_hashes();

-- The same for a card.
create function choose_card_hashes() returns trigger language plpgsql as $$
declare
  versions constant hash_versions := held_hash_versions();
begin
  if new.reference_hash is distinct from old.reference_hash then
    perform refuse_older_hash(exists (
      select from cards c
       where c.platform_id = new.platform_id and c.id <> new.id
         and c.reference_hash = stored_older_hash(new.reference_hash, versions)), 'cards_reference_hash');
    new.reference_hash := choose_hash(new.reference_hash, versions, false);
  end if;
  if new.pan_hash is distinct from old.pan_hash then
    -- Across platforms: a number exists only once.
    perform refuse_older_hash(exists (
      select from cards c
       where c.id <> new.id and c.pan_hash = stored_older_hash(new.pan_hash, versions)), 'cards_pan');
    new.pan_hash := choose_hash(new.pan_hash, versions, false);
  end if;
  return new;
end $$;
create trigger cards_hashes before insert on cards for each row execute function choose_card_hashes();
create trigger cards_new_hashes before update of reference_hash, pan_hash on cards for each row
  when (new.reference_hash is distinct from old.reference_hash or new.pan_hash is distinct from old.pan_hash)
  execute function choose_card_hashes();

-- The same for a credential of a wallet.
create function choose_credential_hashes() returns trigger language plpgsql as $$
declare
  versions constant hash_versions := held_hash_versions();
begin
  if new.contact_hash is distinct from old.contact_hash then
    new.contact_hash := choose_hash(new.contact_hash, versions, false);
  end if;
  if new.identity_hash is distinct from old.identity_hash then
    perform refuse_older_hash(exists (
      select from wallet_credentials c
       where c.platform_id = new.platform_id and c.account_id = new.account_id and c.id <> new.id
         and c.identity_hash = stored_older_hash(new.identity_hash, versions)), 'wallet_credentials_identity_hash');
    new.identity_hash := choose_hash(new.identity_hash, versions, false);
  end if;
  if new.webauthn_hash is distinct from old.webauthn_hash then
    perform refuse_older_hash(exists (
      select from wallet_credentials c
       where c.platform_id = new.platform_id and c.account_id = new.account_id and c.id <> new.id
         and c.webauthn_hash = stored_older_hash(new.webauthn_hash, versions)), 'wallet_credentials_webauthn_hash');
    new.webauthn_hash := choose_hash(new.webauthn_hash, versions, false);
  end if;
  return new;
end $$;
create trigger wallet_credentials_hashes
  before insert or update of contact_hash, identity_hash, webauthn_hash on wallet_credentials
  for each row execute function choose_credential_hashes();

-- The same for a message of the sandbox.
create function choose_message_hashes() returns trigger language plpgsql as $$
begin
  if new.contact_hash is distinct from old.contact_hash then
    new.contact_hash := choose_hash(new.contact_hash, held_hash_versions(), false);
  end if;
  return new;
end $$;
create trigger sandbox_messages_hashes before insert or update of contact_hash on sandbox_messages
  for each row execute function choose_message_hashes();
