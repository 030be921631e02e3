-- Statements of banks, held against the books (bank-files.md §5, §6, §7). A settlement account serves all platforms
-- of production, so these rows name no platform, except those of our own lines.
create table bank_statements (
  id uuid primary key,
  connector_id uuid not null references connectors,
  settlement_account text not null,
  -- The bank's own id of it.
  statement_id text not null,
  currency text not null,
  first_day date not null,
  last_day date not null check (last_day >= first_day),
  opening bigint not null,
  closing bigint not null,
  content_hash bytea not null,
  -- Its opening balance is not the closing balance of the statement before it.
  has_gap boolean not null,
  received_at timestamptz not null,
  unique (connector_id, settlement_account, statement_id)
);
create index bank_statements_in_order
  on bank_statements (connector_id, settlement_account, last_day, first_day, received_at);

-- Lines of the bank. A line is matched once, and then has the day on which the last line of its match was booked.
create table bank_lines (
  id uuid primary key,
  statement uuid not null references bank_statements,
  place integer not null,
  connector_id uuid not null references connectors,
  settlement_account text not null,
  line_id text not null,
  booked_on date not null,
  -- Above zero: money came in.
  amount bigint not null check (amount <> 0),
  currency text not null,
  kind text not null check (kind in ('PAYMENT', 'RETURN', 'CHARGE', 'INTEREST', 'OTHER')),
  -- Keyed hashes of everything that names the movement.
  reference_hashes bytea[] not null,
  -- What it says about people: references, counterparty, remittance. Destroyed after the retention.
  texts bytea,
  is_new boolean not null,
  match uuid,
  matched_on date,
  check ((match is null) = (matched_on is null)),
  unique (statement, place)
);
comment on column bank_lines.texts is 'sealed: bank_lines.texts:{id}';
create index bank_lines_new on bank_lines (connector_id, settlement_account) where is_new;
create index bank_lines_unmatched on bank_lines using gin (reference_hashes) where match is null;
create index bank_lines_in_transit
  on bank_lines (connector_id, settlement_account, coalesce(matched_on, 'infinity'::date));
create index bank_lines_by_match on bank_lines (match) where match is not null;
create index bank_lines_with_texts on bank_lines (booked_on) where texts is not null;

-- Our lines on the RAIL accounts of settlement accounts, copied from the journal.
create table bank_ours (
  platform_id uuid not null references platforms,
  seq bigint not null,
  line_no smallint not null,
  entry_id uuid not null,
  connector_id uuid not null references connectors,
  settlement_account text not null,
  transaction_id uuid,
  -- The day in the zone of the settlement account, and the day on which the bank should book it.
  booked_on date not null,
  expected_on date not null,
  -- Above zero: money came in.
  amount bigint not null check (amount <> 0),
  currency text not null,
  reference_hashes bytea[] not null,
  is_new boolean not null,
  match uuid,
  matched_on date,
  check ((match is null) = (matched_on is null)),
  primary key (platform_id, seq, line_no)
);
create index bank_ours_new on bank_ours (connector_id, settlement_account) where is_new;
create index bank_ours_by_reference on bank_ours using gin (reference_hashes);
create index bank_ours_in_transit
  on bank_ours (connector_id, settlement_account, coalesce(matched_on, 'infinity'::date));
create index bank_ours_by_match on bank_ours (match) where match is not null;

-- Up to which entry each journal was copied.
create table bank_marks (
  platform_id uuid primary key references platforms,
  seq bigint not null
);

-- The sum of our lines of a day, so that a proof costs the same however many there are.
create table bank_days (
  connector_id uuid not null references connectors,
  settlement_account text not null,
  day date not null,
  ours bigint not null,
  primary key (connector_id, settlement_account, day)
);

-- The proof of a day. It is written again after every line or match that touches the day.
create table bank_proofs (
  connector_id uuid not null references connectors,
  settlement_account text not null,
  day date not null,
  currency text not null,
  ours numeric(38, 0) not null,
  closing bigint not null,
  ours_in_transit numeric(38, 0) not null,
  theirs_in_transit numeric(38, 0) not null,
  unexplained bigint not null,
  is_proven boolean not null,
  is_stale boolean not null,
  proven_at timestamptz not null,
  primary key (connector_id, settlement_account, day)
);
create index bank_proofs_stale on bank_proofs (connector_id, settlement_account, day) where is_stale;
create index bank_proofs_unproven on bank_proofs (day) where not is_proven;

create index connector_credits_by_entry on connector_credits (platform_id, entry_id) where entry_id is not null;

-- Breaks are work: somebody has them, with notes. A break is gone if what was missing came by itself.
alter table connector_breaks add column is_gone boolean not null default false;
alter table connector_breaks add column owner text;
alter table connector_breaks add column notes text;
alter table connector_breaks add constraint connector_breaks_gone check (not is_gone or resolved_at is not null);
