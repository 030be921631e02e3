-- What the service derives from the journal (decision 0041). A worker reads the new entries of each platform once, in
-- the order of their numbers, and writes the tables below. Postings do not know of them.

-- How far a platform's journal was read: up to seq. entry_count and hash are of the chain up to there.
create table journal_marks (
  platform_id uuid primary key references platforms,
  seq bigint not null,
  entry_count bigint not null,
  hash bytea not null
);

-- The lines of every account, in the order of business time and then of the journal. An account without a colon stands
-- for all accounts of its kind: AVAIL has one line, number 0, for each entry that changes the sum of all AVAIL
-- accounts. Accounts that a whole platform shares (FEES, FX, RAIL, SUSPENSE) need no such sum.
create table account_lines (
  platform_id uuid not null,
  account text collate "C" not null,
  currency text collate "C" not null,
  -- Business time of the entry.
  at timestamptz not null,
  seq bigint not null,
  line_no smallint not null,
  -- Debit above zero, credit below.
  amount bigint not null,
  -- The sum of the account's lines up to this one, in the order of the key. An entry may be read after one with a later
  -- business time; then the sums of the later lines change.
  balance numeric(38, 0) not null,
  primary key (platform_id, account, currency, at, seq, line_no)
) with (fillfactor = 95);

-- The chain: the hash of each entry, over its content and the hash before it.
create table journal_chain (
  platform_id uuid not null,
  seq bigint not null,
  entry_id uuid not null,
  hash bytea not null,
  primary key (platform_id, seq),
  constraint journal_chain_entry unique (platform_id, entry_id)
);
create trigger journal_chain_immutable before update or delete or truncate on journal_chain
  for each statement execute function refuse_change();

-- The keys that sign heads of chains. The newest one signs; all verify.
create table journal_keys (
  id integer primary key,
  -- SPKI PEM of an Ed25519 key.
  public_key text not null,
  -- PKCS #8 DER.
  private_key bytea not null,
  created_at timestamptz not null
);
comment on column journal_keys.private_key is 'sealed: journal_keys.private_key:{id}';
create trigger journal_keys_kept before delete or truncate on journal_keys
  for each statement execute function refuse_removal();

-- Signed heads of chains: the hash of the entry seq, which is the platform's entry number entry_count.
create table journal_heads (
  platform_id uuid not null references platforms,
  seq bigint not null,
  entry_count bigint not null,
  hash bytea not null,
  -- Real time.
  made_at timestamptz not null,
  key_id integer not null references journal_keys,
  -- Ed25519, base64url.
  signature text not null,
  primary key (platform_id, seq)
);
create trigger journal_heads_immutable before update or delete or truncate on journal_heads
  for each statement execute function refuse_change();
