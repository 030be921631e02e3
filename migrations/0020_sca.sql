-- Strong customer authentication (customers.md §7): factors, sessions, challenges, resets; payments that
-- wait for authorization.

-- What has become of a customer's proofs. Every proof locks this row, so that failures are counted exactly.
create table sca_standings (
  platform_id uuid not null references platforms,
  customer_id uuid not null,
  failed_attempts integer not null default 0 check (failed_attempts >= 0),
  locked_until timestamptz,
  is_suspended boolean not null default false,
  -- From then on a change of factors needs a session (customers.md §7.6a).
  first_login_at timestamptz,
  primary key (platform_id, customer_id),
  foreign key (platform_id, customer_id) references customers,
  check (not (is_suspended and locked_until is not null))
);
-- For the operator: few customers are ever locked.
create index sca_standings_locked on sca_standings (platform_id) where is_suspended or locked_until is not null;

-- Enrolled factors. SMS_OTP has no row: it is enrolled while the phone number is verified.
create table sca_factors (
  platform_id uuid not null references platforms,
  customer_id uuid not null,
  factor text not null check (factor in ('TOTP', 'PASSKEY')),
  -- TOTP: the key, and the time step of the last code that was accepted (customers.md §7.5a).
  secret bytea,
  last_step bigint,
  -- PASSKEY: as the authenticator knows itself, the key it signs with, and how often it did.
  webauthn_id bytea,
  rp_id text,
  cose_key bytea,
  sign_count bigint,
  created_at timestamptz not null,
  primary key (platform_id, customer_id, factor),
  foreign key (platform_id, customer_id) references customers,
  check ((factor = 'TOTP') = (secret is not null)),
  check ((factor = 'PASSKEY') = (webauthn_id is not null and rp_id is not null and cose_key is not null
                                 and sign_count is not null))
);
comment on column sca_factors.secret is 'sealed: sca_factors.secret:{customer_id}';

-- An enrolment that was started: the TOTP key, or the challenge for the new passkey.
create table sca_enrollments (
  platform_id uuid not null references platforms,
  customer_id uuid not null,
  factor text not null check (factor in ('TOTP', 'PASSKEY')),
  material bytea not null,
  expires_at timestamptz not null,
  primary key (platform_id, customer_id, factor),
  foreign key (platform_id, customer_id) references customers
);
comment on column sca_enrollments.material is 'sealed: sca_enrollments.material:{customer_id}:{factor}';
create index sca_enrollments_by_expiry on sca_enrollments (platform_id, expires_at);

-- Keyed hashes; a code that was used is gone.
create table sca_recovery_codes (
  platform_id uuid not null references platforms,
  customer_id uuid not null,
  code_hash bytea not null,
  primary key (platform_id, customer_id, code_hash),
  foreign key (platform_id, customer_id) references customers
);

create table sca_sessions (
  platform_id uuid not null references platforms,
  id uuid not null,
  customer_id uuid not null,
  factor text not null check (factor in ('SMS_OTP', 'TOTP', 'PASSKEY')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (platform_id, id),
  foreign key (platform_id, customer_id) references customers
);
create index sca_sessions_of_customer on sca_sessions (platform_id, customer_id, expires_at) where revoked_at is null;
create index sca_sessions_by_expiry on sca_sessions (platform_id, expires_at);

-- What a customer was asked to prove, and has not proved yet: at most one at a time of each purpose and target. What is
-- proved is gone; what has lapsed or was voided stays until it is purged, so that a late answer can be told apart.
create table sca_challenges (
  platform_id uuid not null references platforms,
  id uuid not null,
  customer_id uuid not null,
  purpose text not null check (purpose in ('LOGIN', 'TRUST', 'UNTRUST', 'PAYMENT')),
  -- LOGIN: the customer; TRUST and UNTRUST: the external account; PAYMENT: the transaction.
  target uuid not null,
  -- PAYMENT: what is authorized, as the API names it.
  label text,
  factor text not null check (factor in ('SMS_OTP', 'PASSKEY')),
  -- SMS_OTP: the code's keyed hash, which holds for one phone number, and the code itself as long as it may be sent.
  code_hash bytea,
  code bytea,
  -- PASSKEY: what the authenticator is to sign.
  webauthn_challenge bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  wrong_tries integer not null default 0,
  -- PAYMENT: when it was answered, right or wrong, the latest last (customers.md §7.11).
  calls timestamptz[] not null default '{}',
  resends integer not null default 0,
  resent_at timestamptz,
  voided_at timestamptz,
  primary key (platform_id, id),
  foreign key (platform_id, customer_id) references customers,
  check ((factor = 'SMS_OTP') = (code_hash is not null)),
  check ((factor = 'PASSKEY') = (webauthn_challenge is not null))
);
comment on column sca_challenges.code is 'sealed: sca_challenges.code:{id}';
create unique index sca_challenges_one_at_a_time on sca_challenges (platform_id, purpose, target);
create index sca_challenges_of_customer on sca_challenges (platform_id, customer_id);
create index sca_challenges_by_expiry on sca_challenges (platform_id, expires_at);

-- Text messages with a code for login, trust or untrust, for the limits of customers.md §7.7a.
create table sca_code_sends (
  platform_id uuid not null references platforms,
  customer_id uuid not null,
  at timestamptz not null,
  foreign key (platform_id, customer_id) references customers
);
create index sca_code_sends_of_customer on sca_code_sends (platform_id, customer_id, at);

create table sca_resets (
  platform_id uuid not null references platforms,
  id uuid not null,
  customer_id uuid not null,
  factor text not null check (factor in ('SMS_OTP', 'TOTP', 'PASSKEY')),
  -- Without EXPIRED, which follows from expires_at.
  status text not null
    check (status in ('INITIATED', 'PENDING_REVIEW', 'LIVENESS_PASSED', 'COMPLETED', 'REJECTED')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  completed_at timestamptz,
  -- When the factor that was removed was enrolled again.
  reenrolled_at timestamptz,
  primary key (platform_id, id),
  foreign key (platform_id, customer_id) references customers,
  check ((status = 'COMPLETED') = (completed_at is not null))
);
create index sca_resets_of_customer on sca_resets (platform_id, customer_id, created_at);
create index sca_resets_by_expiry on sca_resets (platform_id, expires_at);

-- Until when the customer can authorize the payment; set while it waits, and kept where it was not done in time.
alter table transactions add column authorize_by timestamptz;
create index transactions_awaiting_authorization on transactions (platform_id, authorize_by)
  where status = 'PENDING_AUTHORIZATION';

-- Where a person was is erased with the customer (customers.md §2.4.26a); nothing else of an audit row ever changes.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - 'details' = to_jsonb(old) - 'details' and new.details = old.details - 'endUserIpAddress' then
    return new;
  end if;
  raise exception 'audit_log is append-only' using errcode = 'restrict_violation';
end $$;
drop trigger audit_log_immutable on audit_log;
create trigger audit_log_immutable before update on audit_log for each row execute function refuse_audit_change();
