-- Lists the parts of the audit log, the earliest first. A part has the rows of one month, or of several if no part was
-- made in time. The first part of an upgraded database has no beginning. The last part has no end, so that every new
-- row has a place.
create or replace function audit_log_parts(out part regclass, out begins timestamptz, out ends timestamptz)
returns setof record language sql stable set timezone = 'UTC' set datestyle = 'ISO' as $$
  select c.oid::regclass,
         substring(bound.words from 'FROM \(''([^'']+)''\)')::timestamptz,
         substring(bound.words from 'TO \(''([^'']+)''\)')::timestamptz
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
   cross join lateral pg_get_expr(c.relpartbound, c.oid) as bound (words)
   where i.inhparent = 'audit_log'::regclass
   order by 2 nulls first
$$;

-- Gives each month that begins before `until` a part of its own. The last part ends after its newest row, and a new one
-- follows it. Every payment writes into the log and would wait behind the function, so it waits only a moment for open
-- transactions; it returns false if that was too short, or if another process does the same.
create or replace function begin_audit_months(until timestamptz) returns boolean
language plpgsql set lock_timeout = '200ms' set timezone = 'UTC' set datestyle = 'ISO' as $$
declare
  last_part regclass;
  last_begins timestamptz;
  newest timestamptz;
  next_begins timestamptz;
begin
  if (select p.begins >= until from audit_log_parts() p where p.ends is null) then
    return true;
  end if;
  if not pg_try_advisory_xact_lock(hashtextextended('audit log by month', 0)) then
    return false;
  end if;
  lock table only audit_log in access exclusive mode;
  loop
    -- Read under the lock, because another process may have done the same meanwhile.
    select p.part, p.begins into strict last_part, last_begins from audit_log_parts() p where p.ends is null;
    exit when last_begins >= until;
    execute format('select max(at) from %s', last_part) into newest;
    next_begins := date_trunc('month', greatest(last_begins, newest)) + interval '1 month';
    execute format('alter table audit_log detach partition %s', last_part);
    execute format('alter table audit_log attach partition %s for values from (%L) to (%L)',
                   last_part, last_begins, next_begins);
    perform begin_last_audit_part(next_begins);
  end loop;
  return true;
exception when lock_not_available then
  return false;
end $$;

-- Drops the parts in which each row is older than `kept`, and returns how many. Rows cannot be kept for less than 13
-- months, as the trigger for single rows says, too. The function waits as the one above does.
create or replace function drop_audit_months(kept interval) returns integer
language plpgsql set lock_timeout = '200ms' as $$
declare
  oldest constant timestamptz := now() - kept;
  parts regclass[];
begin
  if oldest > now() - interval '13 months' then
    raise exception 'audit rows are kept at least 13 months' using errcode = 'restrict_violation';
  end if;
  if not pg_try_advisory_xact_lock(hashtextextended('audit log by month', 0)) then
    return 0;
  end if;
  parts := array(select p.part from audit_log_parts() p where p.ends <= oldest);
  for i in 1 .. cardinality(parts) loop
    execute format('drop table %s', parts[i]);
  end loop;
  return cardinality(parts);
exception when lock_not_available then
  return 0;
end $$;
