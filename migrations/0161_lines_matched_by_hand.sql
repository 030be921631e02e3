-- Lines of ours that an operator matched with a line of the bank, where the bank kept a charge (bank-files.md
-- §6.5). They are matched once the entry of the charge was copied.
create table bank_hand_matches (
  platform_id uuid not null,
  entry_id uuid not null,
  ours_platform_id uuid not null,
  ours_seq bigint not null,
  ours_line_no smallint not null,
  primary key (platform_id, entry_id, ours_platform_id, ours_seq, ours_line_no),
  foreign key (platform_id, entry_id) references bank_bookings
);

-- The operator's own money that a settlement account began with, booked once (bank-files.md §7.2).
create table bank_openings (
  connector_id uuid not null references connectors,
  settlement_account text not null,
  platform_id uuid not null references platforms,
  entry_id uuid not null,
  -- The first day that has a proof; the entry counts from then on.
  day date not null,
  -- Above zero: the bank had more than the books.
  amount bigint not null check (amount <> 0),
  booked_at timestamptz not null,
  primary key (connector_id, settlement_account),
  unique (platform_id, entry_id)
);
