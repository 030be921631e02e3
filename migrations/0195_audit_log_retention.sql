-- Before which time rows of the audit log may go (docs/decisions/0084-audit-log-by-month.md). A clock that is wrong
-- for a moment cannot decide that: a time is noted first, and confirmed a day later.
create table audit_log_retention (
  is_only boolean primary key default true check (is_only),
  -- Rows before this time may go.
  confirmed timestamptz not null default '-infinity',
  -- The time that comes next, and when it was noted.
  noted timestamptz not null default 'infinity',
  noted_at timestamptz not null default 'infinity'
);
insert into audit_log_retention default values;
