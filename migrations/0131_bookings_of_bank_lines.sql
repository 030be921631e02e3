-- What operators booked to resolve a break about a line (bank-files.md §6.5): the entries L30, L31 and L32.
create table bank_bookings (
  platform_id uuid not null references platforms,
  entry_id uuid not null,
  break_id uuid not null references connector_breaks,
  -- The line of the bank that the entry answers; null: it takes back a line of ours that the bank never booked.
  line uuid references bank_lines,
  ours_seq bigint,
  ours_line_no smallint,
  booked_at timestamptz not null,
  primary key (platform_id, entry_id),
  check ((line is null) = (ours_seq is not null and ours_line_no is not null))
);
create unique index bank_bookings_by_break on bank_bookings (break_id);
create index bank_bookings_by_line on bank_bookings (line) where line is not null;
