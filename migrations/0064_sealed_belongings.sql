-- Cards, purchases, wallets, factors, agents and documents of a customer are sealed with the customer's own key
-- (docs/decisions/0039-keys-of-people.md). Rows of earlier versions stay as they are until a job has sealed them. A row
-- with neither form belongs to a customer who was erased. The comment of a sealed column names the person to whom its
-- values belong, the place of the clear text (`was`: a column, or an expression over the row t), and the assignments
-- that remove the clear text (`then`; by default the column becomes null). The comment of a column of hashes names
-- their purpose, and the text from which they are made.

-- `details` contains the platform's own id of the card, and the last four digits of the card's number.
alter table cards
  drop constraint cards_check2,
  alter column platform_card_id drop not null,
  add column details bytea,
  add column reference_hash bytea,
  add constraint cards_issued check ((activated_at is null) = (brand is null)
    and (activated_at is null) = (exp_month is null) and (activated_at is null) = (exp_year is null)),
  add constraint cards_sealed_or_clear check (num_nonnulls(platform_card_id, last4) = 0
    or num_nonnulls(details, reference_hash) = 0);
comment on column cards.details is
  'sealed: cards.details:{id}; person: customer_id; was: (jsonb_build_object(''platformCardId'', '
  't.platform_card_id, ''last4'', t.last4)); then: platform_card_id = null, last4 = null';
comment on column cards.reference_hash is 'hash: cards.reference; was: platform_card_id';
comment on column cards.pan is 'sealed: cards.pan:{id}; person: customer_id';
create unique index cards_reference_hash on cards (platform_id, reference_hash) where reference_hash is not null;

-- `details` contains the platform's own id of the customer, and the merchant.
alter table card_transactions
  alter column platform_customer_id drop not null,
  alter column merchant drop not null,
  add column details bytea;
comment on column card_transactions.details is
  'sealed: card_transactions.details:{id}; person: customer_id; '
  'was: (jsonb_build_object(''platformCustomerId'', t.platform_customer_id, ''merchant'', t.merchant)); '
  'then: platform_customer_id = null, merchant = null';

-- The merchant moves out of `message`. The rest of a message says nothing about the cardholder.
alter table card_messages add column merchant bytea;
comment on column card_messages.merchant is
  'sealed: card_messages.merchant:{id}; person: (select c.customer_id from cards c '
  'where c.platform_id = t.platform_id and c.id = t.card_id); was: (t.message -> ''merchant''); '
  'then: message = message - ''merchant''';

alter table delegated_keys
  alter column nickname drop not null,
  add column nickname_sealed bytea,
  add constraint delegated_keys_sealed_or_clear check (num_nonnulls(nickname, nickname_sealed) = 1);
comment on column delegated_keys.nickname_sealed is
  'sealed: delegated_keys.nickname_sealed:{id}; person: (select c.customer_id from cards c '
  'where c.platform_id = t.platform_id and c.id = t.card_id); was: nickname';
comment on column delegated_keys.private_key is
  'sealed: delegated_keys.private_key:{id}; person: (select c.customer_id from cards c '
  'where c.platform_id = t.platform_id and c.id = t.card_id)';

alter table wallet_keys
  add column address_sealed bytea,
  add constraint wallet_keys_sealed_or_clear check (num_nonnulls(address, address_sealed) <= 1);
comment on column wallet_keys.address_sealed is
  'sealed: wallet_keys.address_sealed:{account_id}; person: (select a.customer_id from internal_accounts a '
  'where a.platform_id = t.platform_id and a.id = t.account_id); was: address';
comment on column wallet_keys.mnemonic is
  'sealed: wallet_keys.mnemonic:{account_id}; person: (select a.customer_id from internal_accounts a '
  'where a.platform_id = t.platform_id and a.id = t.account_id)';

-- `details` contains the nickname, the identity of OAUTH, and the id and key of PASSKEY. Values that are looked up have
-- a hash.
alter table wallet_credentials
  drop constraint wallet_credentials_check,
  drop constraint wallet_credentials_check1,
  alter column nickname drop not null,
  add column details bytea,
  add column contact_hash bytea,
  add column identity_hash bytea,
  add column webauthn_hash bytea,
  add constraint wallet_credentials_kind check (
    (type = 'PASSKEY') = (num_nulls(rp_id, sign_count) = 0)
    and (details is null
         or (type in ('EMAIL_OTP', 'SMS_OTP')) = (contact_hash is not null)
            and (type = 'OAUTH') = (identity_hash is not null)
            and (type = 'PASSKEY') = (webauthn_hash is not null))),
  add constraint wallet_credentials_sealed_or_clear check (
    details is not null and num_nonnulls(nickname, issuer, audience, subject, webauthn_id, cose_key) = 0
    or num_nonnulls(details, contact_hash, identity_hash, webauthn_hash) = 0 and nickname is not null
       and (type = 'OAUTH') = (num_nulls(issuer, audience, subject) = 0)
       and (type = 'PASSKEY') = (num_nulls(webauthn_id, cose_key) = 0));
comment on column wallet_credentials.details is
  'sealed: wallet_credentials.details:{id}; person: (select a.customer_id from internal_accounts a '
  'where a.platform_id = t.platform_id and a.id = t.account_id); was: (jsonb_build_object(''nickname'', '
  't.nickname, ''issuer'', t.issuer, ''audience'', t.audience, ''subject'', t.subject, ''webauthnId'', '
  'encode(t.webauthn_id, ''base64''), ''coseKey'', encode(t.cose_key, ''base64''))); then: nickname = null, '
  'issuer = null, audience = null, subject = null, webauthn_id = null, cose_key = null';
comment on column wallet_credentials.contact_hash is
  'hash: wallet_credentials.contact; was: (case when t.type in (''EMAIL_OTP'', ''SMS_OTP'') '
  'then lower(t.nickname collate "C") end)';
comment on column wallet_credentials.identity_hash is
  'hash: wallet_credentials.identity; was: (t.issuer || E''\n'' || t.audience || E''\n'' || t.subject)';
comment on column wallet_credentials.webauthn_hash is
  'hash: wallet_credentials.webauthn; was: (encode(t.webauthn_id, ''hex''))';
create index wallet_credentials_contact_hash on wallet_credentials (platform_id, contact_hash)
  where contact_hash is not null;
create unique index wallet_credentials_identity_hash on wallet_credentials (platform_id, account_id, identity_hash)
  where identity_hash is not null;
create unique index wallet_credentials_webauthn_hash on wallet_credentials (platform_id, account_id, webauthn_hash)
  where webauthn_hash is not null;

-- All sessions of a credential have the same sealed value, so that one statement can rename them for a new contact.
alter table wallet_sessions
  alter column nickname drop not null,
  add column nickname_sealed bytea,
  add constraint wallet_sessions_sealed_or_clear check (num_nonnulls(nickname, nickname_sealed) = 1);
comment on column wallet_sessions.nickname_sealed is
  'sealed: wallet_sessions.nickname_sealed:{credential_id}; person: (select a.customer_id '
  'from internal_accounts a where a.platform_id = t.platform_id and a.id = t.account_id); was: nickname';

-- `passkey` contains the id and the key of a passkey.
alter table sca_factors
  drop constraint sca_factors_check1,
  add column passkey bytea,
  add constraint sca_factors_kind check ((factor = 'PASSKEY') = (num_nulls(rp_id, sign_count) = 0)),
  add constraint sca_factors_sealed_or_clear check (
    num_nonnulls(webauthn_id, cose_key) = 0 and (factor = 'PASSKEY') = (passkey is not null)
    or num_nulls(webauthn_id, cose_key) = 0 and factor = 'PASSKEY' and passkey is null);
comment on column sca_factors.passkey is
  'sealed: sca_factors.passkey:{customer_id}; person: customer_id; was: (case when t.factor = ''PASSKEY'' '
  'then jsonb_build_object(''webauthnId'', encode(t.webauthn_id, ''base64''), ''coseKey'', '
  'encode(t.cose_key, ''base64'')) end); then: webauthn_id = null, cose_key = null';
comment on column sca_factors.secret is 'sealed: sca_factors.secret:{customer_id}; person: customer_id';
comment on column sca_enrollments.material is
  'sealed: sca_enrollments.material:{customer_id}:{factor}; person: customer_id';
comment on column sca_challenges.code is 'sealed: sca_challenges.code:{id}; person: customer_id';

alter table agents
  alter column name drop not null,
  add column name_sealed bytea,
  add constraint agents_sealed_or_clear check (num_nonnulls(name, name_sealed) <= 1);
comment on column agents.name_sealed is 'sealed: agents.name_sealed:{id}; person: customer_id; was: name';
alter table agent_actions
  add column reason_sealed bytea,
  add constraint agent_actions_sealed_or_clear check (num_nonnulls(rejection_reason, reason_sealed) <= 1
    and (reason_sealed is null or status = 'REJECTED'));
comment on column agent_actions.reason_sealed is
  'sealed: agent_actions.reason_sealed:{id}; person: customer_id; was: rejection_reason';

-- `details` contains the authority that issued the document, and the name of the file. The document of a beneficial
-- owner belongs to the business.
alter table documents
  alter column file_name drop not null,
  add column details bytea,
  add constraint documents_sealed_or_clear check ((details is null) = (file_name is not null)
    and (details is null or issuing_authority is null));
comment on column documents.details is
  'sealed: documents.details:{id}; person: customer_id; was: (jsonb_build_object(''issuingAuthority'', '
  't.issuing_authority, ''fileName'', t.file_name)); then: issuing_authority = null, file_name = null';
comment on column documents.document_number is
  'sealed: documents.document_number:{id}; person: customer_id';

-- `details` contains the errors, because reviewers write their reasons. A verification without errors has nothing to
-- seal.
alter table verifications
  alter column errors drop not null,
  add column details bytea,
  add constraint verifications_sealed_or_clear check (num_nonnulls(errors, details) = 1);
comment on column verifications.details is
  'sealed: verifications.details:{id}; person: customer_id; was: (case when t.errors <> ''[]'' '
  'then t.errors end); then: errors = null';
