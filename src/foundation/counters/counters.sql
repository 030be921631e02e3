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

-- Adds to counters, in the given order, in which every transaction locks them. If a counter would exceed its limit, the
-- commit ends with `limit`. Exactly reaching the limit is allowed.
create or replace function counters_add(
  platform_ids uuid[], names text[], periods date[], numerators numeric[], denominators numeric[], limits numeric[]
) returns void language plpgsql as $$
begin
  for i in 1 .. cardinality(names) loop
    -- The usual case: the counter exists, with the same denominator.
    update counters c set numerator = c.numerator + numerators[i]
     where c.platform_id = platform_ids[i] and c.name = names[i] and c.period = periods[i]
       and c.denominator = denominators[i] and c.numerator + numerators[i] <= limits[i] * denominators[i];
    continue when found;
    insert into counters as c (platform_id, name, period, numerator, denominator)
    select platform_ids[i], names[i], periods[i], numerators[i], denominators[i]
     where numerators[i] <= limits[i] * denominators[i]
        on conflict (platform_id, name, period) do update
       set (numerator, denominator) = (
             select t.sum_numerator, t.sum_denominator
               from fraction_sum(c.numerator, c.denominator, excluded.numerator, excluded.denominator) t)
     where (select t.sum_numerator <= limits[i] * t.sum_denominator
              from fraction_sum(c.numerator, c.denominator, excluded.numerator, excluded.denominator) t);
    continue when found;
    perform refuse_commit('limit', jsonb_build_object('subject', platform_ids[i] || ' ' || names[i]));
  end loop;
end $$;
