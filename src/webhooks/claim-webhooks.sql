-- Leases due events to one process and returns what it needs to send them.
--
-- Walks from platform to platform over the two queue indexes, starting after `after_platform`, so that the
-- cost is in the number of platforms visited and rows taken, never in the backlog, and no platform's backlog
-- hides another's. One of the worker's statements across platforms.
--
-- First attempts are taken from the head of the platform's queue in event order. Whoever takes them holds the
-- platform's lane for this moment, and leaves out resources of which another process has an event in hand:
-- so an event's first attempt is never begun before those of its resource's earlier events (§4.2.4). What the
-- asking process itself has in hand does not count: it keeps the order among its own.
--
-- Rows are updated by the whole key that comes out of a list: with the platform as a constant beside it, a plan
-- made while the table was small may visit all of the platform's events instead.
--
-- Each statement below sees what was committed before it began; that is what makes the lane's lock work, and
-- why this is not one statement. Endpoint and key are read in the statement that takes events: an event that was
-- committed with a new endpoint, like its TEST, is never judged by the one before.
create or replace function claim_webhooks(
  real_now timestamptz,
  until timestamptz,
  owner uuid,
  only_platform uuid,
  after_platform uuid,
  -- Room of platforms that are not in their usual state, and of all others; rows and platforms at most.
  busy uuid[],
  busy_room integer[],
  usual_room integer,
  rows_max integer,
  platforms_max integer,
  head_max integer
) returns table (
  platform_id uuid,
  environment text,
  endpoint text,
  private_key bytea,
  id uuid,
  seq bigint,
  type text,
  resource_id text,
  payload bytea,
  facts jsonb,
  once boolean,
  decision text,
  created_at timestamptz,
  attempts integer,
  retries integer,
  is_first boolean,
  -- Leased before: whether it was sent is not known.
  was_leased boolean,
  -- On the last row, which carries nothing else: where the walk stopped, and how many events were skipped.
  stopped_at uuid,
  skipped integer
)
language plpgsql
-- The queues are empty most of the time; plans made then must not read the whole table when it has grown.
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  first_place uuid;
  again_place uuid;
  again_at timestamptz;
  place uuid := coalesce(after_platform, '00000000-0000-0000-0000-000000000000');
  remaining integer := rows_max;
  room integer;
  target record;
  business_now timestamptz;
  done integer;
  skipped_all integer := 0;
begin
  for hop in 1 .. case when only_platform is null then platforms_max else 1 end loop
    exit when remaining <= 0;
    if only_platform is null then
      first_place := (
        select e.platform_id from events e
         where e.state = 'PENDING' and e.next_attempt_at is null and e.platform_id > place
         order by e.platform_id, e.seq limit 1);
      select e.platform_id, e.next_attempt_at into again_place, again_at from events e
       where e.state = 'PENDING' and e.next_attempt_at is not null and e.platform_id > place
       order by e.platform_id, e.next_attempt_at limit 1;
      place := least(first_place, again_place);
      exit when place is null;
    else
      place := only_platform;
    end if;

    room := least(remaining, coalesce(busy_room[array_position(busy, place)], usual_room));
    continue when room <= 0;

    select p.environment, p.clock_offset_ms, c.webhook_endpoint into target
      from platforms p left join platform_configs c on c.platform_id = p.id
     where p.id = place;
    business_now := real_now + target.clock_offset_ms * interval '1 millisecond';
    -- Nothing but retries of a later time.
    continue when only_platform is null and first_place is distinct from place and again_at > business_now;

    perform from webhook_lanes l where l.platform_id = place for update skip locked;
    if not found then
      -- A platform's first claim; otherwise another process is at it, and it is that one's turn.
      insert into webhook_lanes (platform_id) values (place) on conflict do nothing;
      continue when not found;
    end if;

    if target.webhook_endpoint is null then
      -- §4.2.5: logged as skipped, never sent later. A question is answered instead, by whoever decides.
      with head as materialized (
        select e.platform_id, e.id from events e
         where e.platform_id = place and e.state = 'PENDING' and e.next_attempt_at is null
           and e.decision is null and (e.leased_until is null or e.leased_until <= real_now)
         order by e.seq limit head_max),
      due as materialized (
        select e.platform_id, e.id from events e
         where e.platform_id = place and e.state = 'PENDING' and e.next_attempt_at <= business_now
           and e.decision is null and (e.leased_until is null or e.leased_until <= real_now)
         order by e.next_attempt_at limit head_max)
      update events e
         set state = 'SKIPPED', finished_at = real_now, lease_owner = null, leased_until = null
        from (select head.* from head union all select due.* from due) skip
       where e.platform_id = skip.platform_id and e.id = skip.id and e.state = 'PENDING'
         and (e.leased_until is null or e.leased_until <= real_now)
         and (select c.webhook_endpoint from platform_configs c where c.platform_id = place) is null;
      get diagnostics done = row_count;
      skipped_all := skipped_all + done;
    end if;

    return query
    with receiver as materialized (
      select p.webhook_private_key as private_key, c.webhook_endpoint as endpoint
        from platforms p left join platform_configs c on c.platform_id = p.id
       where p.id = place),
    again as materialized (
      select e.platform_id, e.id, e.leased_until is not null as was_leased
        from events e
       where e.platform_id = place and e.state = 'PENDING' and e.next_attempt_at <= business_now
         and (e.leased_until is null or e.leased_until <= real_now)
         and ((select r.endpoint from receiver r) is not null or e.decision is not null)
       order by e.next_attempt_at limit (room + 1) / 2),
    head as materialized (
      select e.platform_id, e.id, e.seq, e.resource_id, e.decision, e.leased_until, e.lease_owner
        from events e
       where e.platform_id = place and e.state = 'PENDING' and e.next_attempt_at is null
       order by e.seq limit head_max),
    first as materialized (
      select h.platform_id, h.id, h.leased_until is not null as was_leased
        from head h
       where (h.leased_until is null or h.leased_until <= real_now)
         and ((select r.endpoint from receiver r) is not null or h.decision is not null)
         and h.resource_id not in (
           select other.resource_id from head other
            where other.leased_until > real_now and other.lease_owner <> owner)
       order by h.seq limit room - (select count(*) from again))
    update events e
       set lease_owner = owner, leased_until = until
      from (select first.* from first union all select again.* from again) taken
     where e.platform_id = taken.platform_id and e.id = taken.id and e.state = 'PENDING'
       and (e.leased_until is null or e.leased_until <= real_now)
    returning e.platform_id, target.environment, (select r.endpoint from receiver r),
      (select r.private_key from receiver r), e.id, e.seq, e.type, e.resource_id, e.payload, e.facts, e.once,
      e.decision, e.created_at::timestamptz, e.attempts, e.retries, e.next_attempt_at is null, taken.was_leased, null::uuid, null::integer;
    get diagnostics done = row_count;
    remaining := remaining - done;
  end loop;

  return query select null::uuid, null, null, null::bytea, null::uuid, null::bigint, null, null, null::bytea,
    null::jsonb, null::boolean, null, null::timestamptz, null::integer, null::integer, null::boolean, null::boolean,
    place, skipped_all;
end $$;
