-- What was used of a limit in a period (src/counters/counters.sql): an exact fraction, so that the edge of the limit is
-- exact whatever the rates of the day were (money.md §8.2). Nothing that changes is indexed.
create table counters (
  platform_id uuid not null,
  -- Begins with what kind of counter it is: VOLUME:<corridor>.
  name text collate "C" not null check (name <> ''),
  -- First day of the period, UTC, on the platform's clock.
  period date not null,
  numerator numeric not null check (numerator >= 0),
  denominator numeric not null check (denominator > 0),
  primary key (platform_id, name, period)
) with (fillfactor = 50);
