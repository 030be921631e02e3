-- Leases due events to one process and returns what it needs to send them.
--
-- Walks from platform to platform over the two queue indexes, starting after `after_platform`, and within a platform
-- from resource to resource, going on where the last claim stopped. So the cost is in the number of platforms and
-- resources visited and rows taken, never in a backlog, and no backlog, be it a platform's or a resource's, hides
-- another's. One of the worker's statements across platforms.
--
-- First attempts go out in event order (platform.md §4.2.4): a resource is left alone while its earliest event is in
-- somebody's hand; otherwise that one is taken, with some that follow it without a gap. Whoever claims holds the
-- platform's lane for this moment, so that two claims never take from one resource. Questions come before everything
-- else, if no earlier event of their resource waits. Of the retries that are due, a resource has few in hand at a time.
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
  -- Capacity of platforms that are not in their usual state, and of all others: for what may go out at once, for what
  -- waits behind it, for questions. Then rows and platforms at most.
  busy uuid[],
  busy_room integer[],
  busy_behind integer[],
  busy_questions integer[],
  usual_room integer,
  usual_behind integer,
  usual_questions integer,
  rows_max integer,
  platforms_max integer
) returns table (
  platform_id uuid,
  environment text,
  -- Both sealed.
  endpoint bytea,
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
  -- The resource has more first attempts waiting than were taken.
  has_more boolean,
  -- On the last row, which carries nothing else: where the walk stopped, and how many events were skipped.
  stopped_at uuid,
  skipped integer
)
language plpgsql
-- The queues are empty most of the time; plans made then must not read the whole table when it has grown.
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_column
declare
  -- Resources visited, events skipped and due retries looked at by one claim of a platform.
  visits_max constant integer := 512;
  skips_max constant integer := 512;
  window_max constant integer := 512;
  -- First attempts of a resource taken at once, and retries of it in hand in all.
  chain_max constant integer := 16;
  again_max constant integer := 4;
  first_place uuid;
  again_place uuid;
  again_at timestamptz;
  place uuid := coalesce(after_platform, '00000000-0000-0000-0000-000000000000');
  remaining integer := rows_max;
  spot integer;
  room integer;
  questions integer;
  target record;
  lane record;
  business_now timestamptz;
  asked uuid[];
  again uuid[];
  again_room integer;
  heads uuid[];
  seen record;
  is_whole boolean;
  chain integer;
  done integer;
  skipped_all integer := 0;
begin
  for hop in 1 .. case when only_platform is null then platforms_max else 1 end loop
    exit when remaining <= 0;
    if only_platform is null then
      first_place := (
        select e.platform_id from events e
         where e.state = 'PENDING' and e.next_attempt_at is null and e.platform_id > place
         order by e.platform_id, e.resource_id, e.seq limit 1);
      select e.platform_id, e.next_attempt_at into again_place, again_at from events e
       where e.state = 'PENDING' and e.next_attempt_at is not null and e.platform_id > place
       order by e.platform_id, e.next_attempt_at limit 1;
      place := least(first_place, again_place);
      exit when place is null;
    else
      place := only_platform;
    end if;

    spot := array_position(busy, place);
    room := least(remaining, case when spot is null then usual_room else busy_room[spot] end);
    questions := least(remaining, case when spot is null then usual_questions else busy_questions[spot] end);
    asked := array(
      select e.id from events e
       where e.platform_id = place and e.state = 'PENDING' and e.next_attempt_at is null
         and e.decision is not null and (e.leased_until is null or e.leased_until <= real_now)
         and not exists (
           select from events earlier
            where earlier.platform_id = e.platform_id and earlier.resource_id = e.resource_id
              and earlier.seq < e.seq and earlier.state = 'PENDING' and earlier.next_attempt_at is null)
       order by e.seq limit greatest(questions, 0));
    continue when room <= 0 and asked = '{}';

    select p.environment, p.clock_offset_ms, c.webhook_endpoint into target
      from platforms p left join platform_configs c on c.platform_id = p.id
     where p.id = place;
    business_now := real_now + target.clock_offset_ms * interval '1 millisecond';
    -- Nothing but retries of a later time.
    continue when only_platform is null and first_place is distinct from place and again_at > business_now;

    select l.after_resource, l.lap_end, l.again_after into lane
      from webhook_lanes l where l.platform_id = place for update skip locked;
    if not found then
      -- Another process is at it, and it is that one's turn; or this is the platform's first claim.
      continue when exists (select from webhook_lanes l where l.platform_id = place);
      insert into webhook_lanes (platform_id) values (place) on conflict do nothing;
      continue when not found;
    end if;

    if target.webhook_endpoint is null then
      -- platform.md §4.2.5: logged as skipped, never sent later. A question is answered instead, by whoever decides.
      with head as materialized (
        select e.platform_id, e.id from events e
         where e.platform_id = place and e.state = 'PENDING' and e.next_attempt_at is null
           and e.decision is null and (e.leased_until is null or e.leased_until <= real_now)
         order by e.resource_id, e.seq limit skips_max),
      due as materialized (
        select e.platform_id, e.id from events e
         where e.platform_id = place and e.state = 'PENDING' and e.next_attempt_at <= business_now
           and e.decision is null and (e.leased_until is null or e.leased_until <= real_now)
         order by e.next_attempt_at limit skips_max)
      update events e
         set state = 'SKIPPED', finished_at = real_now, lease_owner = null, leased_until = null
        from (
          select head.platform_id, head.id from head union all select due.platform_id, due.id from due) skip
       where e.platform_id = skip.platform_id and e.id = skip.id and e.state = 'PENDING'
         and (e.leased_until is null or e.leased_until <= real_now)
         and (select c.webhook_endpoint from platform_configs c where c.platform_id = place) is null;
      get diagnostics done = row_count;
      skipped_all := skipped_all + done;
    end if;

    again_room := greatest(room + 1, 0) / 2;
    with due as materialized (
      select e.id, e.resource_id, e.next_attempt_at, e.leased_until is null or e.leased_until <= real_now as is_free
        from events e
       where e.platform_id = place and e.state = 'PENDING' and e.next_attempt_at <= business_now
       order by e.next_attempt_at limit window_max),
    ranked as (
      select due.id, due.is_free, due.next_attempt_at,
             row_number() over (partition by due.resource_id order by due.is_free, due.next_attempt_at) as rank
        from due)
    select array(select ranked.id from ranked
                  where ranked.is_free and ranked.rank <= again_max
                  order by ranked.next_attempt_at limit again_room) as ids,
           (select count(*) >= window_max from due) as is_cut
      into seen;
    again := seen.ids;
    if seen.is_cut and cardinality(again) < again_room then
      -- A few resources fill the window: the others' earliest, resource by resource.
      with recursive walk as (
        select coalesce(lane.again_after, '') collate "C" as resource_id, 0 as visit
        union all
        select n.resource_id, w.visit + 1
          from walk w
         cross join lateral (
           select e.resource_id from events e
            where e.platform_id = place and e.state = 'PENDING' and e.next_attempt_at is not null
              and e.resource_id > w.resource_id
            order by e.resource_id, e.next_attempt_at limit 1) n
         where w.visit < visits_max),
      found as materialized (
        select w.visit, w.resource_id, d.id
          from walk w
         cross join lateral (
           select e.id, e.leased_until is null or e.leased_until <= real_now as is_free
             from events e
            where e.platform_id = place and e.resource_id = w.resource_id and e.state = 'PENDING'
              and e.next_attempt_at <= business_now
            order by e.next_attempt_at limit again_max) d
         where w.visit > 0 and d.is_free and d.id <> all (again)
         order by w.visit limit again_room - cardinality(again))
      select array(select found.id from found) as ids,
             case when (select count(*) from found) >= again_room - cardinality(again)
                  then (select max(found.resource_id) from found)
                  else (select w.resource_id from walk w where w.visit >= visits_max) end as last
        into seen;
      again := again || seen.ids;
      lane.again_after := seen.last;
    end if;

    -- From where the lap stands to its end; then, where that leaves room, from the beginning.
    heads := '{}';
    while room > cardinality(again) + cardinality(heads) loop
      with recursive walk as (
        select coalesce(lane.after_resource, '') collate "C" as resource_id, null::uuid as id, false as is_free,
               cardinality(again) + cardinality(heads) as taken, 0 as visit
        union all
        select n.resource_id, n.id, n.is_free, w.taken + n.is_free::integer, w.visit + 1
          from walk w
         cross join lateral (
           select e.resource_id, e.id,
                  e.decision is null and (e.leased_until is null or e.leased_until <= real_now)
                    and e.id <> all (heads) as is_free
             from events e
            where e.platform_id = place and e.state = 'PENDING' and e.next_attempt_at is null
              and e.resource_id > w.resource_id and (lane.lap_end is null or e.resource_id <= lane.lap_end)
            order by e.resource_id, e.seq limit 1) n
         where w.visit < visits_max and w.taken < room)
      select coalesce(array_agg(w.id order by w.visit) filter (where w.is_free), '{}') as ids,
             max(w.resource_id) as last, max(w.visit) >= visits_max or max(w.taken) >= room as is_cut
        into seen from walk w;
      heads := heads || seen.ids;
      is_whole := lane.after_resource is null;
      if seen.is_cut then
        lane.lap_end := coalesce(lane.lap_end, (
          select e.resource_id from events e
           where e.platform_id = place and e.state = 'PENDING' and e.next_attempt_at is null
           order by e.resource_id desc, e.seq desc limit 1));
        lane.after_resource := case when lane.lap_end is not null then seen.last end;
      else
        lane.after_resource := null;
        lane.lap_end := null;
      end if;
      exit when is_whole or seen.is_cut;
    end loop;
    update webhook_lanes l
       set after_resource = lane.after_resource, lap_end = lane.lap_end, again_after = lane.again_after
     where l.platform_id = place
       and (l.after_resource, l.lap_end, l.again_after)
             is distinct from (lane.after_resource, lane.lap_end, lane.again_after);

    chain := 1 + least(
      chain_max - 1,
      greatest(case when spot is null then usual_behind else busy_behind[spot] end, 0)
        / greatest(cardinality(heads), 1));
    return query
    with receiver as materialized (
      select p.webhook_private_key as private_key, c.webhook_endpoint as endpoint
        from platforms p left join platform_configs c on c.platform_id = p.id
       where p.id = place),
    listed as materialized (
      select c.platform_id, c.id, c.resource_id, c.place, count(*) over (partition by c.resource_id) > chain as has_more
        from unnest(heads) as h(id)
       cross join lateral (
         select e.resource_id, e.seq from events e where e.platform_id = place and e.id = h.id limit 1) head
       cross join lateral (
         select e.platform_id, e.id, e.resource_id, row_number() over (order by e.seq) as place
           from events e
          where e.platform_id = place and e.resource_id = head.resource_id and e.seq >= head.seq
            and e.state = 'PENDING' and e.next_attempt_at is null
          order by e.seq limit chain + 1) c
      union all
      -- Each by itself.
      select place, one.id, one.id::text, 1, false from unnest(asked || again) as one(id)),
    -- Rows that another statement is renewing or recording stay with their holder, as do those that follow them.
    free as materialized (
      select e.platform_id, e.id, e.leased_until is not null as was_leased
        from listed l join events e on e.platform_id = l.platform_id and e.id = l.id
       where l.place <= chain and e.state = 'PENDING' and (e.leased_until is null or e.leased_until <= real_now)
         for update of e skip locked),
    taken as (
      select f.platform_id, f.id, f.was_leased, l.has_more,
             bool_and(f.id is not null) over (partition by l.resource_id order by l.place) as is_unbroken
        from listed l left join free f on f.platform_id = l.platform_id and f.id = l.id
       where l.place <= chain)
    update events e
       set lease_owner = owner, leased_until = until
      from taken
     where e.platform_id = taken.platform_id and e.id = taken.id and taken.is_unbroken
       and ((select r.endpoint from receiver r) is not null or e.decision is not null)
    returning e.platform_id, target.environment, (select r.endpoint from receiver r),
      (select r.private_key from receiver r), e.id, e.seq, e.type, e.resource_id, e.payload, e.facts, e.once,
      e.decision, e.created_at::timestamptz, e.attempts, e.retries, e.next_attempt_at is null, taken.was_leased,
      taken.has_more, null::uuid, null::integer;
    get diagnostics done = row_count;
    remaining := remaining - done;
  end loop;

  return query select null::uuid, null, null::bytea, null::bytea, null::uuid, null::bigint, null, null, null::bytea,
    null::jsonb, null::boolean, null, null::timestamptz, null::integer, null::integer, null::boolean, null::boolean,
    null::boolean, place, skipped_all;
end $$;
