-- Counters of the used part of a limit in a period, as exact fractions (money.md §8.2).

-- A fraction plus another; denominators of one counter are nearly always the same.
create or replace function fraction_sum(
  numerator numeric, denominator numeric, other_numerator numeric, other_denominator numeric,
  out sum_numerator numeric, out sum_denominator numeric
) immutable parallel safe language plpgsql as $$
begin
  sum_denominator := lcm(denominator, other_denominator);
  sum_numerator :=
    numerator * div(sum_denominator, denominator) + other_numerator * div(sum_denominator, other_denominator);
end $$;

-- Adds to a counter. If it would exceed its limit, the commit ends with `limit`. Exactly reaching the limit is allowed.
create or replace function counter_add(
  its_platform uuid, its_name text, its_period date, added numeric, added_denominator numeric, its_limit numeric
) returns void language plpgsql as $$
begin
  -- The usual case: the counter exists, with the same denominator.
  update counters c set numerator = c.numerator + added
   where c.platform_id = its_platform and c.name = its_name and c.period = its_period
     and c.denominator = added_denominator and c.numerator + added <= its_limit * added_denominator;
  if found then
    return;
  end if;
  insert into counters as c (platform_id, name, period, numerator, denominator)
  select its_platform, its_name, its_period, added, added_denominator
   where added <= its_limit * added_denominator
      on conflict (platform_id, name, period) do update
     set (numerator, denominator) = (
           select t.sum_numerator, t.sum_denominator
             from fraction_sum(c.numerator, c.denominator, excluded.numerator, excluded.denominator) t)
   where (select t.sum_numerator <= its_limit * t.sum_denominator
            from fraction_sum(c.numerator, c.denominator, excluded.numerator, excluded.denominator) t);
  if not found then
    perform refuse_commit('limit', jsonb_build_object('subject', its_platform || ' ' || its_name));
  end if;
end $$;
