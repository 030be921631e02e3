-- The day's volume per platform and corridor (money.md §8.2), as exact fractions. The arrays are those of
-- apply_transitions: steps without a corridor count nothing, and only steps that stand (ok) do.

-- A fraction plus another; denominators of one corridor are nearly always the same.
create or replace function fraction_sum(
  numerator numeric, denominator numeric, other_numerator numeric, other_denominator numeric,
  out sum_numerator numeric, out sum_denominator numeric
) immutable parallel safe language plpgsql as $$
begin
  sum_denominator := lcm(denominator, other_denominator);
  sum_numerator :=
    numerator * div(sum_denominator, denominator) + other_numerator * div(sum_denominator, other_denominator);
end $$;

-- What the steps ask for, one row per counter and denominator, in the order in which counters are locked.
create or replace function payment_volumes_asked(
  platform_ids uuid[], nows timestamptz[], corridors text[], numerators numeric[], denominators numeric[],
  limits numeric[], ok boolean[]
) returns table (platform_id uuid, corridor text, day date, denominator numeric, numerator numeric, limit_cents numeric)
stable language sql as $$
  select s.platform_id, s.corridor collate "C", (s.now at time zone 'UTC')::date, s.denominator, sum(s.numerator),
         min(s.limit_cents)
    from unnest(platform_ids, nows, corridors, numerators, denominators, limits) with ordinality
         as s (platform_id, now, corridor, numerator, denominator, limit_cents, n)
   where s.corridor is not null and ok[s.n]
   group by 1, 2, 3, 4
   order by 1, 2, 3, 4
$$;

-- Whether any counter might not have room for all that is asked, as far as can be seen without a lock.
create or replace function payment_volumes_tight(
  platform_ids uuid[], nows timestamptz[], corridors text[], numerators numeric[], denominators numeric[],
  limits numeric[], ok boolean[]
) returns boolean language plpgsql as $$
declare
  asked record;
  used payment_volumes;
  total record;
begin
  for asked in
    select * from payment_volumes_asked(platform_ids, nows, corridors, numerators, denominators, limits, ok)
  loop
    if (used.platform_id, used.corridor, used.day) is distinct from (asked.platform_id, asked.corridor, asked.day) then
      select * into used from payment_volumes v
       where v.platform_id = asked.platform_id and v.corridor = asked.corridor and v.day = asked.day;
      if not found then
        used := row(asked.platform_id, asked.corridor, asked.day, 0, 1);
      end if;
    end if;
    total := fraction_sum(used.numerator, used.denominator, asked.numerator, asked.denominator);
    used.numerator := total.sum_numerator;
    used.denominator := total.sum_denominator;
    if used.numerator > asked.limit_cents * used.denominator then
      return true;
    end if;
  end loop;
  return false;
end $$;

-- Holds the counters and judges the steps one by one, in their order; gives back those for which there is no
-- room, with what was used at that moment. Exactly reaching the limit is allowed.
create or replace function payment_volumes_judge(
  platform_ids uuid[], nows timestamptz[], corridors text[], numerators numeric[], denominators numeric[],
  limits numeric[], ok boolean[]
) returns table (n bigint, used_numerator numeric, used_denominator numeric) language plpgsql as $$
#variable_conflict use_column
declare
  step record;
  used payment_volumes;
  total record;
begin
  for step in
    select s.n, s.platform_id, s.corridor collate "C" as corridor, (s.now at time zone 'UTC')::date as day,
           s.numerator, s.denominator, s.limit_cents
      from unnest(platform_ids, nows, corridors, numerators, denominators, limits) with ordinality
           as s (platform_id, now, corridor, numerator, denominator, limit_cents, n)
     where s.corridor is not null and ok[s.n]
     order by 2, 3, 4, 1
  loop
    if (used.platform_id, used.corridor, used.day) is distinct from (step.platform_id, step.corridor, step.day) then
      insert into payment_volumes (platform_id, corridor, day) values (step.platform_id, step.corridor, step.day)
          on conflict do nothing;
      select * into used from payment_volumes v
       where v.platform_id = step.platform_id and v.corridor = step.corridor and v.day = step.day
         for no key update;
    end if;
    total := fraction_sum(used.numerator, used.denominator, step.numerator, step.denominator);
    if total.sum_numerator > step.limit_cents * total.sum_denominator then
      n := step.n;
      used_numerator := used.numerator;
      used_denominator := used.denominator;
      return next;
    else
      used.numerator := total.sum_numerator;
      used.denominator := total.sum_denominator;
    end if;
  end loop;
end $$;

-- Adds what stands. A counter that has no room any more was filled by somebody else since it was looked at:
-- tried again, the steps are judged one by one.
create or replace function payment_volumes_add(
  platform_ids uuid[], nows timestamptz[], corridors text[], numerators numeric[], denominators numeric[],
  limits numeric[], ok boolean[]
) returns void language plpgsql as $$
declare
  asked record;
begin
  for asked in
    select * from payment_volumes_asked(platform_ids, nows, corridors, numerators, denominators, limits, ok)
  loop
    -- Nearly always: the counter is there, with the same denominator.
    update payment_volumes v set numerator = v.numerator + asked.numerator
     where v.platform_id = asked.platform_id and v.corridor = asked.corridor and v.day = asked.day
       and v.denominator = asked.denominator
       and v.numerator + asked.numerator <= asked.limit_cents * asked.denominator;
    continue when found;
    insert into payment_volumes as v (platform_id, corridor, day, numerator, denominator)
    values (asked.platform_id, asked.corridor, asked.day, asked.numerator, asked.denominator)
        on conflict (platform_id, corridor, day) do update
       set (numerator, denominator) = (
             select t.sum_numerator, t.sum_denominator
               from fraction_sum(v.numerator, v.denominator, excluded.numerator, excluded.denominator) t)
     where (select t.sum_numerator <= asked.limit_cents * t.sum_denominator
              from fraction_sum(v.numerator, v.denominator, excluded.numerator, excluded.denominator) t);
    if not found then
      raise exception 'the volume of the day filled up meanwhile' using errcode = 'serialization_failure';
    end if;
  end loop;
end $$;
