-- Embedded wallets: their keys, the credentials and sessions of their owners, and what these sign (wallets.md).

-- Calls that wait for a signature (wallets.md §3): what is to be signed, for which operation, target and body.
create table signed_requests (
  platform_id uuid not null references platforms,
  id uuid not null,
  operation text collate "C" not null,
  -- The public id of what the call is about.
  target text collate "C" not null,
  -- SHA-256 of the canonical body.
  body_digest bytea not null,
  -- The payload, byte for byte, and what the operation wants to find again; it may hold a token or a contact.
  challenge bytea not null,
  -- The one key that may sign, where that is not a session's.
  signer_key text collate "C",
  created_at timestamptz not null,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  primary key (platform_id, id)
);
comment on column signed_requests.challenge is 'sealed: signed_requests.challenge:{id}';
create index signed_requests_by_target on signed_requests (platform_id, target);
create index signed_requests_by_expiry on signed_requests (platform_id, expires_at);

-- The key of each embedded wallet. The words restore it anywhere.
create table wallet_keys (
  platform_id uuid not null references platforms,
  account_id uuid not null,
  mnemonic bytea not null,
  -- Derived from the words when it is first needed (W46a).
  address text collate "C",
  -- What the latest payload to be signed was dated (W8): the next one is later, whatever the clock says.
  last_timestamp_ms bigint not null default 0,
  created_at timestamptz not null,
  primary key (platform_id, account_id),
  foreign key (platform_id, account_id) references internal_accounts
);
comment on column wallet_keys.mnemonic is 'sealed: wallet_keys.mnemonic:{account_id}';

-- How the owner of a wallet proves who they are. A revoked credential is gone.
create table wallet_credentials (
  platform_id uuid not null references platforms,
  id uuid not null,
  account_id uuid not null,
  type text not null check (type in ('EMAIL_OTP', 'SMS_OTP', 'OAUTH', 'PASSKEY')),
  -- Of the OTP kinds: the e-mail address or phone number that codes go to.
  nickname text not null,
  -- OAUTH: who the issuer says it is.
  issuer text,
  audience text,
  subject text,
  -- PASSKEY: as the authenticator knows itself, the key it signs with, and how often it did.
  webauthn_id bytea,
  rp_id text,
  cose_key bytea,
  sign_count bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  foreign key (platform_id, account_id) references internal_accounts,
  check ((type = 'OAUTH') = (issuer is not null and audience is not null and subject is not null)),
  check ((type = 'PASSKEY') = (webauthn_id is not null and rp_id is not null and cose_key is not null
                               and sign_count is not null))
);
create index wallet_credentials_of_account on wallet_credentials (platform_id, account_id, created_at, id);
-- W22, W23, W25.
create unique index wallet_credentials_one_otp on wallet_credentials (platform_id, account_id, type)
  where type in ('EMAIL_OTP', 'SMS_OTP');
create unique index wallet_credentials_webauthn on wallet_credentials (platform_id, account_id, webauthn_id)
  where webauthn_id is not null;
create unique index wallet_credentials_identity
  on wallet_credentials (platform_id, account_id, md5(issuer), md5(audience), md5(subject)) where issuer is not null;
-- W49: who else has this address or number.
create index wallet_credentials_by_contact on wallet_credentials (platform_id, type, nickname)
  where type in ('EMAIL_OTP', 'SMS_OTP');

-- Challenges that a passkey was registered with: each counts once (W23), whatever became of the passkey.
create table wallet_passkey_challenges (
  platform_id uuid not null references platforms,
  account_id uuid not null,
  challenge_hash bytea not null,
  used_at timestamptz not null,
  primary key (platform_id, account_id, challenge_hash),
  foreign key (platform_id, account_id) references internal_accounts
);

-- The latest one-time code of a credential. It arrives sealed to the target key (W18).
create table wallet_otps (
  platform_id uuid not null references platforms,
  credential_id uuid not null,
  id uuid not null,
  code_hash bytea not null,
  -- Until its message has been sent.
  code bytea,
  target_public text not null,
  target_private bytea not null,
  wrong_tries smallint not null default 0,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (platform_id, credential_id),
  foreign key (platform_id, credential_id) references wallet_credentials on delete cascade
);
comment on column wallet_otps.code is 'sealed: wallet_otps.code:{id}';
comment on column wallet_otps.target_private is 'sealed: wallet_otps.target_private:{id}';
create index wallet_otps_by_expiry on wallet_otps (platform_id, expires_at);

-- Sliding limits of wallets.md §1, per credential: each row is one call, in the platform's time.
create table wallet_attempts (
  platform_id uuid not null references platforms,
  credential_id uuid not null,
  kind text not null check (kind in ('CHALLENGE', 'SEND', 'FAILURE')),
  at timestamptz not null,
  -- A success since then: it counts for the long limit only.
  is_cleared boolean not null default false,
  foreign key (platform_id, credential_id) references wallet_credentials on delete cascade
);
create index wallet_attempts_latest on wallet_attempts (platform_id, credential_id, kind, at desc);
create index wallet_attempts_by_age on wallet_attempts (platform_id, at);

-- What a proof is good for: fifteen minutes of signing. Type and nickname are those of the credential at the time.
create table wallet_sessions (
  platform_id uuid not null references platforms,
  id uuid not null,
  account_id uuid not null,
  credential_id uuid not null,
  type text not null check (type in ('EMAIL_OTP', 'SMS_OTP', 'OAUTH', 'PASSKEY')),
  nickname text not null,
  -- Compressed, in hexadecimal: the client's own key, one that was made for it, or both (W33a).
  public_keys text[] not null check (cardinality(public_keys) between 1 and 2),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (platform_id, id),
  foreign key (platform_id, account_id) references internal_accounts
);
-- A stamp's key is looked for among the sessions that have not expired (W42). Ended ones are known for thirty days
-- (W41), and must not be read each time.
create index wallet_sessions_of_account on wallet_sessions (platform_id, account_id, expires_at);
create index wallet_sessions_by_expiry on wallet_sessions (platform_id, expires_at);
