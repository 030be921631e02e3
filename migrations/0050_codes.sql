-- One table for the codes that messages carry, of each owner and kind the last one, and one for the attempts that
-- limits count. They take the place of contact_codes, wallet_otps, card_tokenizations, wallet_attempts and
-- sca_code_sends, whose live codes and counts stay valid. Challenges of strong customer authentication, recovery codes,
-- device codes and invitations keep their tables: they are found by other keys and have states of their own.
create table codes (
  platform_id uuid not null references platforms,
  kind text collate "C" not null check (kind in ('CONTACT_EMAIL', 'CONTACT_PHONE', 'WALLET', 'CARD')),
  -- The customer, the credential or the card.
  owner_id uuid not null,
  id uuid not null,
  channel text not null check (channel in ('EMAIL', 'SMS')),
  code_hash bytea not null,
  -- Until its message has been sent.
  code bytea,
  -- The names of the former tables, so that codes that wait to be sent can be opened.
  code_context text not null generated always as (
    case kind when 'CONTACT_EMAIL' then 'contact_codes.code:' || owner_id::text || ':EMAIL'
              when 'CONTACT_PHONE' then 'contact_codes.code:' || owner_id::text || ':PHONE'
              when 'WALLET' then 'wallet_otps.code:' || id::text
              else 'card_tokenizations.code:' || id::text end) stored,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  wrong_tries integer not null default 0 check (wrong_tries >= 0),
  -- How many wrong tries void the code, as was said when it was issued; null: none do.
  wrong_tries_max integer check (wrong_tries_max > 0),
  used_at timestamptz,
  -- WALLET: the key to which the client seals the code.
  target_public text,
  target_private bytea,
  customer_id uuid generated always as (
    case when kind in ('CONTACT_EMAIL', 'CONTACT_PHONE') then owner_id end) stored,
  credential_id uuid generated always as (case when kind = 'WALLET' then owner_id end) stored,
  card_id uuid generated always as (case when kind = 'CARD' then owner_id end) stored,
  primary key (platform_id, kind, owner_id),
  foreign key (platform_id, customer_id) references customers,
  foreign key (platform_id, credential_id) references wallet_credentials on delete cascade,
  foreign key (platform_id, card_id) references cards,
  check ((kind = 'WALLET') = (target_public is not null)),
  check ((kind = 'WALLET') = (target_private is not null))
);
comment on column codes.code is 'sealed: {code_context}';
comment on column codes.target_private is 'sealed: wallet_otps.target_private:{id}';
create index codes_by_expiry on codes (platform_id, kind, expires_at);
create index codes_of_credential on codes (platform_id, credential_id) where credential_id is not null;

create table code_attempts (
  platform_id uuid not null references platforms,
  kind text collate "C" not null
    check (kind in ('CONTACT_EMAIL_SEND', 'CONTACT_PHONE_SEND', 'SCA_SEND', 'CARD_SEND', 'WALLET_SEND',
                    'WALLET_CHALLENGE', 'WALLET_FAILURE')),
  owner_id uuid not null,
  -- In the platform's time.
  at timestamptz not null,
  -- A success since then: it counts for the long limit only.
  is_cleared boolean not null default false,
  customer_id uuid generated always as (
    case when kind in ('CONTACT_EMAIL_SEND', 'CONTACT_PHONE_SEND', 'SCA_SEND') then owner_id end) stored,
  credential_id uuid generated always as (
    case when kind in ('WALLET_SEND', 'WALLET_CHALLENGE', 'WALLET_FAILURE') then owner_id end) stored,
  card_id uuid generated always as (case when kind = 'CARD_SEND' then owner_id end) stored,
  foreign key (platform_id, customer_id) references customers,
  foreign key (platform_id, credential_id) references wallet_credentials on delete cascade,
  foreign key (platform_id, card_id) references cards
);
create index code_attempts_latest on code_attempts (platform_id, owner_id, kind, at desc);
create index code_attempts_by_age on code_attempts (platform_id, at);
create index code_attempts_of_credential on code_attempts (platform_id, credential_id)
  where credential_id is not null;

insert into codes (platform_id, kind, owner_id, id, channel, code_hash, code, issued_at, expires_at, wrong_tries,
                   wrong_tries_max)
select platform_id, 'CONTACT_' || channel, customer_id, id, case channel when 'EMAIL' then 'EMAIL' else 'SMS' end,
       code_hash, code, issued_at, expires_at, wrong_tries, wrong_tries_max
  from contact_codes;

insert into codes (platform_id, kind, owner_id, id, channel, code_hash, code, issued_at, expires_at, wrong_tries,
                   wrong_tries_max, target_public, target_private)
select o.platform_id, 'WALLET', o.credential_id, o.id, case c.type when 'EMAIL_OTP' then 'EMAIL' else 'SMS' end,
       o.code_hash, o.code, o.issued_at, o.expires_at, o.wrong_tries,
       coalesce((p.settings #>> '{wallets,wrongCodes}')::integer, 3), o.target_public, o.target_private
  from wallet_otps o
  join wallet_credentials c on c.platform_id = o.platform_id and c.id = o.credential_id
  join platforms p on p.id = o.platform_id;

insert into codes (platform_id, kind, owner_id, id, channel, code_hash, code, issued_at, expires_at, wrong_tries,
                   wrong_tries_max, used_at)
select platform_id, 'CARD', card_id, id, channel, code_hash, code, issued_at, expires_at, wrong_tries, 5, used_at
  from card_tokenizations;

insert into code_attempts (platform_id, kind, owner_id, at)
select platform_id, 'CONTACT_' || channel || '_SEND', customer_id, issued_at from contact_codes
union all
select platform_id, 'SCA_SEND', customer_id, at from sca_code_sends
union all
-- A card had only a count of its day.
select platform_id, 'CARD_SEND', card_id, issued_at
  from card_tokenizations cross join generate_series(1, issued_that_day);

insert into code_attempts (platform_id, kind, owner_id, at, is_cleared)
select platform_id, 'WALLET_' || kind, credential_id, at, is_cleared from wallet_attempts;

-- Messages that wait to be sent.
update jobs set payload = jsonb_build_object(
         'kind', 'CONTACT_' || (payload ->> 'channel'), 'ownerId', payload -> 'customerId',
         'codeId', payload -> 'codeId')
 where kind in ('customers.send-contact-code', 'customers.send-contact-code-by-phone');
update jobs set payload = jsonb_build_object(
         'kind', 'WALLET', 'ownerId', payload -> 'credentialId', 'codeId', payload -> 'otpId')
 where kind in ('wallet-auth.send-otp', 'wallet-auth.send-otp-by-phone');
update jobs set payload = jsonb_build_object(
         'kind', 'CARD', 'ownerId', payload -> 'cardId', 'codeId', payload -> 'tokenizationId')
 where kind in ('cards.send-tokenization-code', 'cards.send-tokenization-code-by-phone');

drop table contact_codes, wallet_otps, card_tokenizations, wallet_attempts, sca_code_sends;
