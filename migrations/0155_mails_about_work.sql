-- Mails about new work that are to be sent: one row for each operator whom a round tells something (operator.md §6.6).
-- The commit that notes the items as announced writes them, and a row goes when the mail server has answered. All times
-- are real time.
create table work_mails (
  id uuid primary key,
  operator uuid not null references operators,
  made_at timestamptz(3) not null,
  -- The number of new items by the name of their kind.
  counts jsonb not null,
  -- Until then a process is sending it.
  leased_until timestamptz(3)
);
