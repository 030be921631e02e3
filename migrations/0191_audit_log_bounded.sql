-- The audit log becomes a table of months (docs/decisions/0084-audit-log-by-month.md). Its rows so far become the
-- first part, which ends with a month that has not begun. Each step is short or locks nobody out: this one says where
-- the part ends, and looks at no row yet.
do $$
declare
  newest constant timestamptz := (select max(at) from audit_log);
  ends constant timestamptz :=
    (date_trunc('month', greatest(now(), newest) at time zone 'UTC') + interval '2 months') at time zone 'UTC';
begin
  execute format('alter table audit_log add constraint audit_log_ends check (at < %L) not valid', ends);
end $$;
