-- Invitations to UMA (platform.md §5). One platform makes an invitation, and any platform of its environment may claim
-- it: the code alone leads to it.

create table invitations (
  platform_id uuid not null references platforms,
  -- 50 random bits in Crockford's base32. Whoever knows it may read the invitation.
  code text collate "C" not null check (code ~ '^[0-9a-hjkmnp-tv-z]{10}$'),
  -- Who invites; the address is the one that they had then.
  customer_id uuid not null,
  inviter_uma text not null,
  -- Of whoever is invited, as the inviter calls them. Gone once one of the two was erased.
  first_name text check (char_length(first_name) between 1 and 100),
  amount bigint check (amount > 0),
  currency text collate "C",
  -- EXPIRED is never stored: it is PENDING past expires_at, by the clock of the platform.
  status text not null check (status in ('PENDING', 'CLAIMED', 'CANCELLED')),
  created_at timestamptz not null,
  expires_at timestamptz check (expires_at > created_at),
  claimed_at timestamptz check (claimed_at < expires_at),
  invitee_uma text,
  -- Who claimed, perhaps another platform, and which of its customers, if it was one of them.
  claimant_platform_id uuid references platforms,
  claimant_customer_id uuid,
  primary key (platform_id, code),
  foreign key (platform_id, customer_id) references customers,
  check ((amount is null) = (currency is null)),
  check (num_nonnulls(claimed_at, invitee_uma, claimant_platform_id) = case status when 'CLAIMED' then 3 else 0 end),
  check (claimant_customer_id is null or claimant_platform_id is not null)
);

-- A global look-up, for other platforms and for visitors of the page.
create unique index invitations_code on invitations (code);
create index invitations_newest on invitations (platform_id, created_at desc, code desc);
create index invitations_of_customer on invitations (platform_id, customer_id, created_at desc, code desc);
create index invitations_claimed_by on invitations (claimant_platform_id, claimant_customer_id)
  where claimant_customer_id is not null;
