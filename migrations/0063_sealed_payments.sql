-- Payments, bank accounts and invitations name people. Values about a customer are sealed with the customer's own key,
-- and the values of a payment between two customers with the keys of both (docs/decisions/0039-keys-of-people.md). Rows
-- of earlier versions stay as they are until a job has sealed them.

-- `private` now also contains UMA addresses, references of the platform, and references that a payer stated.
alter table transactions
  add column source_uma_hash bytea,
  add column destination_uma_hash bytea,
  -- The hash of a reference that the payer stated; `reference` has only references that we issued.
  add column reference_hash bytea;
comment on column transactions.private is
  'sealed: transactions.private:{id}; person: customer_id; by: payments.seal-stored';

create index transactions_by_source_uma_hash on transactions (platform_id, source_uma_hash, created_at desc, id desc)
  where source_uma_hash is not null;
create index transactions_by_destination_uma_hash
  on transactions (platform_id, destination_uma_hash, created_at desc, id desc) where destination_uma_hash is not null;
create index transactions_by_reference_hash on transactions (platform_id, reference_hash, created_at desc, id desc)
  where reference_hash is not null;

alter table external_accounts
  -- The platform's own reference for the account.
  add column account_reference bytea,
  add constraint external_accounts_sealed_or_clear check (num_nonnulls(account_reference, platform_account_id) < 2);
comment on column external_accounts.account_reference is
  'sealed: external_accounts.account_reference:{id}; person: customer_id; was: platform_account_id';
comment on column external_accounts.details is 'sealed: external_accounts.details:{id}; person: customer_id';
comment on column ownership_challenges.message is
  'sealed: ownership_challenges.message:{id}; person: (select a.customer_id from external_accounts a '
  'where a.platform_id = t.platform_id and a.id = t.account_id)';
comment on column internal_accounts.funding is 'sealed: internal_accounts.funding:{id}; person: customer_id';
comment on column onboarding_links.redirect_uri is
  'sealed: onboarding_links.redirect_uri:{id}; person: customer_id';

-- If the money matches no customer yet, the key of the month seals both columns.
comment on column payment_receipts.stated_reference is
  'sealed: payment_receipts.stated_reference:{platform_id}:{provider_reference}; person: (select '
  'a.customer_id from internal_accounts a where a.platform_id = t.platform_id and a.id = '
  't.intended_account)';
comment on column payment_receipts.sender is
  'sealed: payment_receipts.sender:{platform_id}:{provider_reference}; person: (select a.customer_id '
  'from internal_accounts a where a.platform_id = t.platform_id and a.id = t.intended_account)';

alter table invitations
  alter column inviter_uma drop not null,
  add column inviter bytea,
  add column invitee_name bytea,
  add column invitee bytea,
  drop constraint invitations_check3,
  add constraint invitations_claimed check (num_nonnulls(claimed_at, invitee_uma, invitee, claimant_platform_id)
    = case status when 'CLAIMED' then 3 else 0 end),
  -- An erasure replaces an address by an invented one in clear text.
  add constraint invitations_sealed_or_clear check (num_nonnulls(inviter, inviter_uma) = 1
    and num_nonnulls(invitee_name, first_name) < 2 and num_nonnulls(invitee, invitee_uma) < 2);
comment on column invitations.inviter is
  'sealed: invitations.inviter:{platform_id}:{code}; person: customer_id; was: inviter_uma';
comment on column invitations.invitee_name is
  'sealed: invitations.invitee_name:{platform_id}:{code}; person: customer_id; was: first_name';
comment on column invitations.invitee is
  'sealed: invitations.invitee:{platform_id}:{code}; person: (coalesce(t.claimant_customer_id, '
  't.customer_id)); was: invitee_uma';

alter table stablecoin_operations
  -- The customer whose account is the source or the destination.
  add column customer_id uuid,
  add column note bytea,
  add column funding bytea,
  drop constraint stablecoin_operations_check6,
  add constraint stablecoin_operations_waits_for_funds check (status <> 'PENDING_FUNDING'
    or (num_nonnulls(funding_instructions, funding) = 1 and expires_at is not null)),
  add constraint stablecoin_operations_sealed_or_clear check (num_nonnulls(note, description) < 2
    and num_nonnulls(funding, funding_instructions) < 2);
comment on column stablecoin_operations.instruments is
  'sealed: stablecoin_operations.instruments:{id}; person: (coalesce(t.customer_id, (select '
  'a.customer_id from internal_accounts a where a.platform_id = t.platform_id and a.id in '
  '(t.source_internal, t.destination_internal) and a.customer_id is not null limit 1), (select '
  'a.customer_id from external_accounts a where a.platform_id = t.platform_id and a.id in '
  '(t.source_external, t.destination_external) and a.customer_id is not null limit 1)))';
comment on column stablecoin_operations.note is
  'sealed: stablecoin_operations.note:{id}; person: (coalesce(t.customer_id, (select a.customer_id from '
  'internal_accounts a where a.platform_id = t.platform_id and a.id in (t.source_internal, '
  't.destination_internal) and a.customer_id is not null limit 1), (select a.customer_id from '
  'external_accounts a where a.platform_id = t.platform_id and a.id in (t.source_external, '
  't.destination_external) and a.customer_id is not null limit 1))); was: description';
comment on column stablecoin_operations.funding is
  'sealed: stablecoin_operations.funding:{id}; person: (coalesce(t.customer_id, (select a.customer_id '
  'from internal_accounts a where a.platform_id = t.platform_id and a.id in (t.source_internal, '
  't.destination_internal) and a.customer_id is not null limit 1), (select a.customer_id from '
  'external_accounts a where a.platform_id = t.platform_id and a.id in (t.source_external, '
  't.destination_external) and a.customer_id is not null limit 1))); was: funding_instructions';

-- A job of each platform moves the clear values of its payments into their sealed part.
insert into jobs (platform_id, kind, key, payload, due_at, created_at)
select id, 'payments.seal-stored', 'once', '{}', now(), now() from platforms;
