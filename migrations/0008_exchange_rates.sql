-- Exchange rates of production: what the operator's source said last, and what the operator set by hand. Global: a
-- rate belongs to no platform, and every process reads the same.
create table exchange_rates (
  currency text collate "C" not null check (currency <> 'USD'),
  -- The operator's own stands over the source's until it expires.
  origin text not null check (origin in ('SOURCE', 'OPERATOR')),
  -- Units per US dollar, exactly as given; outside these bounds it is a mistake.
  per_usd numeric not null check (per_usd between 0.000000001 and 1000000000),
  -- The source's own time of the rate.
  as_of timestamptz(3) not null,
  -- When we took it.
  read_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (currency, origin),
  check (expires_at > read_at)
);

-- One row: which worker asks the source next, and when. Taking it moves `next_at`, which is how a worker knows
-- afterwards that nobody else has asked meanwhile.
create table rate_poll (
  is_only boolean primary key default true check (is_only),
  next_at timestamptz(3) not null,
  -- When a reading was last taken; null: never.
  taken_at timestamptz(3),
  -- Why the last reading was refused; null: it was taken.
  trouble text
);
insert into rate_poll (next_at) values ('epoch');
