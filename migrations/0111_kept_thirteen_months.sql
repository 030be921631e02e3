-- The rules promise that the audit log and the reads of operators are kept for 13 months at least. The database refuses
-- to delete them earlier, whatever retention the program applies.

-- Keeps every audit row for at least 13 months.
create or replace function refuse_young_audit_deletion() returns trigger language plpgsql as $$
begin
  if old.at > now() - interval '13 months' then
    raise exception 'audit rows are kept at least 13 months' using errcode = 'restrict_violation';
  end if;
  return old;
end $$;

-- A reason can be removed, or sealed again. Nothing else of a row ever changes, and no row is deleted within its first
-- 13 months.
create or replace function refuse_read_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'reason' = to_jsonb(old) - 'reason' then
    return new;
  end if;
  if tg_op = 'DELETE' and old.at < now() - interval '13 months' then
    return old;
  end if;
  raise exception 'record_reads is append-only' using errcode = 'restrict_violation';
end $$;
