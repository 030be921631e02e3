-- Cards: the cards themselves, what is bought with them, the messages of the network, and the tokens that reveal a
-- number (cards.md).

create table cards (
  platform_id uuid not null references platforms,
  id uuid not null,
  version bigint not null,
  customer_id uuid not null,
  platform_card_id text not null,
  form text not null check (form in ('VIRTUAL')),
  status text not null check (status in ('PROCESSING', 'ACTIVE', 'FROZEN', 'CLOSED')),
  status_reason text check (status_reason in ('ISSUER_REJECTED', 'CLOSED_BY_PLATFORM', 'CLOSED_BY_SVC')),
  -- The internal account that pays, and the id of the two together: a new one whenever another account pays (W43).
  funding_source uuid not null,
  binding_id uuid not null,
  currency text not null,
  max_spend_per_transaction bigint check (max_spend_per_transaction >= 1),
  max_spend_per_day bigint check (max_spend_per_day >= 1),
  max_transactions_per_day bigint check (max_transactions_per_day >= 1),
  -- From the activation on; the number is destroyed when the card is closed (A.5.7).
  brand text check (brand in ('VISA', 'MASTERCARD')),
  last4 text,
  exp_month smallint check (exp_month between 1 and 12),
  exp_year smallint,
  pan bytea,
  -- Finds the card of a number, and keeps a number from being issued twice; keyed.
  pan_hash bytea,
  processor_ref text,
  issuer_ref text,
  activated_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  foreign key (platform_id, customer_id) references customers,
  foreign key (platform_id, funding_source) references internal_accounts,
  check ((status = 'CLOSED') = (status_reason is not null)),
  check (status <> 'CLOSED' or pan is null),
  check ((activated_at is null) = (brand is null) and (activated_at is null) = (last4 is null)
    and (activated_at is null) = (exp_month is null) and (activated_at is null) = (exp_year is null)),
  check (status not in ('ACTIVE', 'FROZEN') or (activated_at is not null and pan is not null))
);
comment on column cards.pan is 'sealed: cards.pan:{id}';
create unique index cards_platform_card_id on cards (platform_id, platform_card_id);
create unique index cards_pan on cards (pan_hash) where pan_hash is not null;
create unique index cards_binding on cards (platform_id, binding_id);
create index cards_newest on cards (platform_id, created_at desc, id desc);
create index cards_of_customer on cards (platform_id, customer_id, created_at desc, id desc);
create index cards_of_account on cards (platform_id, funding_source, created_at desc, id desc);
create index cards_in_status on cards (platform_id, status, created_at desc, id desc);

-- How many live cards a platform, and each of its customers, has (A.1.2).
create table card_places (
  platform_id uuid not null references platforms,
  owner_id uuid not null,
  taken integer not null check (taken >= 0),
  primary key (platform_id, owner_id)
);

-- What is bought with a card, and what comes back: amounts in card cents.
create table card_transactions (
  platform_id uuid not null references platforms,
  id uuid not null,
  version bigint not null,
  card_id uuid not null,
  customer_id uuid not null,
  platform_customer_id text not null,
  -- The account that paid at the decision (A.6.5), and its currency.
  account_id uuid not null,
  account_currency text not null,
  direction text not null check (direction in ('DEBIT', 'CREDIT')),
  kind text not null check (kind in ('PURCHASE', 'CREDIT', 'RETURN', 'RETURN_REVERSAL', 'INQUIRY')),
  currency text not null,
  merchant jsonb not null,
  -- By which the issuer names the row (A.6.10).
  token text not null,
  original_id uuid,
  declined_reason text check (declined_reason in ('CARD_NOT_ACTIVE', 'INSUFFICIENT_FUNDS', 'UNSUPPORTED_NETWORK',
    'BLOCKED', 'SPEND_LIMIT_EXCEEDED', 'NO_ELIGIBLE_FUNDING_SOURCE', 'OTHER')),
  -- When the pull behind it is confirmed, where that takes time: what the network says of the row waits until then.
  confirmed_at timestamptz,
  created_at timestamptz not null,
  status text not null check (status in ('AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'DECLINED', 'EXCEPTION')),
  authorized_amount bigint not null check (authorized_amount >= 0),
  -- Absent until something was cleared, expired or returned.
  settled_amount bigint check (settled_amount >= 0),
  -- What is on hold for it now, and what it could not pull (A.7.1).
  hold bigint not null check (hold >= 0),
  receivable bigint not null check (receivable >= 0),
  -- Of a purchase: what was returned and not taken back again.
  returned bigint not null check (returned >= 0 and returned <= coalesce(settled_amount, 0)),
  -- Of a return: whether it was taken back.
  is_reversed boolean not null,
  -- When the rest of the hold is released.
  hold_expires_at timestamptz,
  -- How many entries were posted for it: the next one's ordinal.
  entries integer not null,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  foreign key (platform_id, card_id) references cards,
  foreign key (platform_id, account_id) references internal_accounts,
  check ((status = 'DECLINED') = (declined_reason is not null)),
  check (status <> 'DECLINED' or (hold = 0 and receivable = 0 and settled_amount is null and entries = 0)),
  check (hold = 0 or status in ('AUTHORIZED', 'PARTIALLY_SETTLED')),
  check (receivable = 0 or status = 'EXCEPTION'),
  check (direction = 'DEBIT' or hold = 0)
);
create index card_transactions_newest on card_transactions (platform_id, created_at desc, id desc);
create index card_transactions_of_card on card_transactions (platform_id, card_id, created_at desc, id desc);
create index card_transactions_of_customer on card_transactions (platform_id, customer_id, created_at desc, id desc);
create index card_transactions_of_account
  on card_transactions (platform_id, account_id, direction, created_at desc, id desc);
-- After those above: while the table is empty all of them cost the same, and the planner takes the youngest, for as
-- long as a connection keeps its plan. An authorization is looked up by its token.
create unique index card_transactions_token on card_transactions (platform_id, token);
-- What an account still has to answer for: what is open, and what was not pulled.
create index card_transactions_liable on card_transactions (platform_id, account_id)
  where status in ('AUTHORIZED', 'PARTIALLY_SETTLED', 'EXCEPTION');
create index card_transactions_exceptions on card_transactions (platform_id, created_at) where status = 'EXCEPTION';

-- Every message of the network, by its own id: what is known already changes nothing (A.6.10).
create table card_messages (
  platform_id uuid not null references platforms,
  id text collate "C" not null,
  seq bigint generated always as identity,
  card_id uuid not null,
  token text not null,
  message jsonb not null,
  received_at timestamptz not null,
  -- When it is to take effect; null: it has, or it was given up.
  due_at timestamptz,
  -- It waits for its authorization, and is given up when it is due (A.6.11).
  is_early boolean not null,
  -- What the network was answered; the same again if it repeats itself.
  answer jsonb,
  primary key (platform_id, id),
  foreign key (platform_id, card_id) references cards
);
create index card_messages_due on card_messages (platform_id, card_id, seq) where due_at is not null;
create index card_messages_early on card_messages (platform_id, token) where is_early;

-- Of a link that reveals a number only the hash of its token is kept (A.5.3).
create table card_reveals (
  token_hash bytea not null primary key,
  platform_id uuid not null references platforms,
  card_id uuid not null,
  -- Who asked for it (A.5.3).
  actor text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  foreign key (platform_id, card_id) references cards
);
create index card_reveals_by_expiry on card_reveals (platform_id, expires_at);

-- Keys that sign for a wallet whenever its card pays (wallets.md W43).
create table delegated_keys (
  platform_id uuid not null references platforms,
  id uuid not null,
  card_id uuid not null,
  account_id uuid not null,
  -- The card and the account together, as they were when the key was made.
  binding_id uuid not null,
  public_key text not null,
  -- While it is active; until then it waits in the request that is to be signed, and afterwards nobody has it.
  private_key bytea,
  nickname text not null,
  status text not null check (status in ('PENDING', 'ACTIVE', 'REVOKED')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  foreign key (platform_id, card_id) references cards,
  foreign key (platform_id, account_id) references internal_accounts,
  check ((status = 'ACTIVE') = (private_key is not null))
);
comment on column delegated_keys.private_key is 'sealed: delegated_keys.private_key:{id}';
create unique index delegated_keys_active on delegated_keys (platform_id, binding_id) where status = 'ACTIVE';
create index delegated_keys_of_account on delegated_keys (platform_id, account_id, created_at, id);
create index delegated_keys_of_binding on delegated_keys (platform_id, binding_id, created_at, id);
create index delegated_keys_of_card on delegated_keys (platform_id, card_id);
-- A request that was signed keeps nothing of what it held: that may be the private key of a delegated key.
alter table signed_requests alter column challenge drop not null;
