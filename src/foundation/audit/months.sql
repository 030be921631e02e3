-- Lists the parts of the audit log, the earliest first. A part has the rows of one month, or of several if no part
-- was made in time, or if a row is dated ahead. The first part has no beginning and the last one no end, so that a
-- row has a place whatever its time is.
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

-- Makes a part. Without a beginning it is the first, and without an end the last.
create or replace function make_audit_part(name text, begins timestamptz, ends timestamptz) returns void
language plpgsql set timezone = 'UTC' set datestyle = 'ISO' as $$
begin
  execute format('create table %I partition of audit_log for values from (%s) to (%s)', name,
                 coalesce(quote_literal(begins), 'minvalue'), coalesce(quote_literal(ends), 'maxvalue'));
  execute format('alter table %I add primary key (id)', name);
  execute format(
    'create trigger audit_log_not_truncated before truncate on %I for each statement execute function refuse_change()',
    name);
end $$;

-- Makes the last part, which has no end.
create or replace function begin_last_audit_part(begins timestamptz) returns void
language plpgsql set timezone = 'UTC' as $$
begin
  perform make_audit_part('audit_log_from_' || to_char(begins, 'YYYY_MM'), begins, null);
end $$;

-- Returns whether PostgreSQL reads a part so quickly that all payments can wait for it.
create or replace function is_small_audit_part(part regclass) returns boolean language sql stable as $$
  select pg_relation_size(part) <= 1024 * 1024
$$;

-- Returns where a part ends by its own constraint, which `bound_last_audit_part` made.
create or replace function audit_part_bound(part regclass, out ends timestamptz, out is_proven boolean)
language sql stable set timezone = 'UTC' set datestyle = 'ISO' as $$
  select substring(pg_get_constraintdef(c.oid) from 'at < ''([^'']+)''')::timestamptz, c.convalidated
    from pg_constraint c
   where c.conrelid = part and c.conname = 'audit_log_ends'
$$;

-- Prepares the end of a large last part, because reading it under the lock of `begin_audit_months` would stop all
-- payments. Adds a constraint that says where the part will end, without reading the rows. The end is more than a
-- month after the present and the newest row, because the part then takes no later row. Returns whether the
-- constraint has yet to be validated.
create or replace function bound_last_audit_part(until timestamptz) returns boolean
language plpgsql set lock_timeout = '200ms' set timezone = 'UTC' set datestyle = 'ISO' as $$
declare
  last_part regclass;
  last_begins timestamptz;
  bound record;
  newest timestamptz;
begin
  select p.part, p.begins into strict last_part, last_begins from audit_log_parts() p where p.ends is null;
  if last_begins >= until or is_small_audit_part(last_part) then
    return false;
  end if;
  if not pg_try_advisory_xact_lock(hashtextextended('audit log by month', 0)) then
    return false;
  end if;
  select b.ends, b.is_proven into bound from audit_part_bound(last_part) b;
  if bound.ends > now() + interval '14 days' then
    return not bound.is_proven;
  end if;
  execute format('lock table %s in access exclusive mode', last_part);
  execute format('select max(at) from %s', last_part) into newest;
  -- An older constraint is left if the part was in use for weeks, so that it could not end there.
  execute format('alter table %s drop constraint if exists audit_log_ends', last_part);
  execute format('alter table %s add constraint audit_log_ends check (at >= %L and at < %L) not valid',
                 last_part, last_begins, date_trunc('month', greatest(now(), newest)) + interval '2 months');
  return true;
exception when lock_not_available then
  return false;
end $$;

-- Validates the constraint: reads all rows of the last part, and blocks neither reads nor writes.
create or replace function prove_last_audit_part() returns void language plpgsql as $$
declare
  last_part regclass;
begin
  -- Another process may have ended the part meanwhile.
  select p.part into last_part
    from audit_log_parts() p cross join lateral audit_part_bound(p.part) b
   where p.ends is null and not b.is_proven;
  if found then
    execute format('alter table %s validate constraint audit_log_ends', last_part);
  end if;
end $$;

-- Gives each month that begins before `until` a part of its own. Ends the last part after its newest row, and makes a
-- new one. Every payment writes into the log and would wait for the function, so it reads no large part and waits
-- only a moment for open transactions. Returns false if they took longer, if another process does the same, or if a
-- large last part has no validated constraint yet.
create or replace function begin_audit_months(until timestamptz) returns boolean
language plpgsql set lock_timeout = '200ms' set timezone = 'UTC' set datestyle = 'ISO' as $$
declare
  last_part regclass;
  last_begins timestamptz;
  newest timestamptz;
  bound record;
  next_begins timestamptz;
begin
  if (select bool_or(p.begins is null) and bool_or(p.ends is null and p.begins >= until) from audit_log_parts() p) then
    return true;
  end if;
  if not pg_try_advisory_xact_lock(hashtextextended('audit log by month', 0)) then
    return false;
  end if;
  lock table only audit_log in access exclusive mode;
  -- Read under the lock, because another process may have done the same meanwhile.
  if not exists (select from audit_log_parts() p where p.begins is null) then
    perform make_audit_part('audit_log_first', null, (select min(p.begins) from audit_log_parts() p));
  end if;
  loop
    select p.part, p.begins into strict last_part, last_begins from audit_log_parts() p where p.ends is null;
    exit when last_begins >= until;
    select b.ends, b.is_proven into bound from audit_part_bound(last_part) b;
    if bound.is_proven then
      next_begins := bound.ends;
    elsif is_small_audit_part(last_part) then
      execute format('select max(at) from %s', last_part) into newest;
      next_begins := date_trunc('month', greatest(last_begins, newest)) + interval '1 month';
    else
      return false;
    end if;
    execute format('alter table audit_log detach partition %s', last_part);
    execute format('alter table audit_log attach partition %s for values from (%L) to (%L)',
                   last_part, last_begins, next_begins);
    execute format('alter table %s drop constraint if exists audit_log_ends', last_part);
    perform begin_last_audit_part(next_begins);
  end loop;
  return true;
exception when lock_not_available then
  return false;
end $$;

-- Returns the time before which rows are too old. It counts from the newest row, so a clock that is ahead of all rows
-- makes none of them old. It ignores rows that are dated ahead of the clock. It refuses to keep rows for less than 13
-- months, as the trigger for single rows does.
create or replace function audit_rows_expire(kept interval) returns timestamptz language plpgsql stable as $$
begin
  if now() - kept > now() - interval '13 months' then
    raise exception 'audit rows are kept at least 13 months' using errcode = 'restrict_violation';
  end if;
  return (select max(at) from audit_log where at <= now()) - kept;
end $$;

-- Decides which rows may go, drops the parts that have no others, and returns how many parts. A time counts once every
-- call of a whole day has found it, and at most a month of rows may go in a day. So a clock that is wrong for less
-- than a day costs no row, and one that stays wrong costs a month of rows a day. The function waits as those above do.
create or replace function drop_audit_months(kept interval) returns integer
language plpgsql set lock_timeout = '200ms' set timezone = 'UTC' as $$
declare
  expire constant timestamptz := audit_rows_expire(kept);
  known record;
begin
  if expire is null or not pg_try_advisory_xact_lock(hashtextextended('audit log by month', 0)) then
    return 0;
  end if;
  select r.confirmed, r.noted, r.noted_at into strict known from audit_log_retention r;
  if known.noted > expire or known.noted_at > now() then
    -- The clock was set back, or the setting is longer now: the noted time no longer counts.
    update audit_log_retention set confirmed = least(confirmed, expire), noted = expire, noted_at = now();
    return 0;
  end if;
  if known.noted_at > now() - interval '1 day' then
    return 0;
  end if;
  known.confirmed := least(known.noted, (select date_trunc('month', min(at)) + interval '1 month' from audit_log));
  update audit_log_retention set confirmed = known.confirmed, noted = expire, noted_at = now();
  return drop_audit_parts(known.confirmed);
exception when lock_not_available then
  return 0;
end $$;

-- Drops the parts that end by this time, and returns how many. Makes a new, empty first part, so that a row has a
-- place even if the clock is far behind.
create or replace function drop_audit_parts(until timestamptz) returns integer language plpgsql as $$
declare
  old constant regclass[] := array(select p.part from audit_log_parts() p where p.ends <= until);
  ends constant timestamptz := (select max(p.ends) from audit_log_parts() p where p.ends <= until);
begin
  -- Dropping the first part alone gains nothing: its rows are deleted one by one.
  if ends is null or not exists (select from audit_log_parts() p where p.begins is not null and p.ends <= until) then
    return 0;
  end if;
  for i in 1 .. cardinality(old) loop
    execute format('drop table %s', old[i]);
  end loop;
  perform make_audit_part('audit_log_first', null, ends);
  return cardinality(old);
end $$;

-- Lists the time spans of rows that are too old in parts that do not have exactly one month: the first part, and parts
-- of several months. Their rows are deleted one by one.
create or replace function audit_rows_to_delete(kept interval, out since timestamptz, out until timestamptz)
returns setof record language sql stable set timezone = 'UTC' as $$
  select d.since, d.until
    from audit_log_retention r
   cross join audit_log_parts() p
   cross join lateral (
     select coalesce(p.begins, '-infinity') as since, least(p.ends, r.confirmed, audit_rows_expire(kept)) as until) d
   where (p.begins is null or p.ends is null or p.ends > p.begins + interval '1 month') and d.since < d.until
$$;
