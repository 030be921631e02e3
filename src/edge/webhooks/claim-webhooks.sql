-- Renamed parameters: `create or replace` alone would refuse them.
drop function if exists claim_webhooks;

-- Leases due events to one process, and returns everything that it needs to send them.
--
-- Walks from platform to platform along the two queue indexes, starting after `after_platform`, and within a platform
-- from resource to resource, continuing where the last claim stopped. So the cost depends on the number of platforms
-- and resources visited and of rows taken, never on the size of a backlog, and no platform's or resource's backlog
-- hides another's. One of the worker's statements that cross platforms.
--
-- First attempts are sent in event order (platform.md §4.2.4): a resource is skipped while its earliest event is
-- leased; otherwise that event is taken, with some that follow it without a gap. A claim locks the platform's lane, so
-- that two claims never take events of the same resource. Questions come first, unless an earlier event of their
-- resource waits. Only a few due retries of one resource are leased at a time.
--
-- Rows are updated by their whole primary key, which comes out of a list: with the platform as a constant, a plan made
-- while the table was small may read all of the platform's events instead.
--
-- Each statement below sees everything that was committed before it began. The lane's lock relies on that, so this is
-- not one statement. The statement that takes events also reads endpoint and key, so that an event committed together
-- with a new endpoint, such as its TEST, is never sent to the old one.
create or replace function claim_webhooks(
  real_now timestamptz,
  until timestamptz,
  owner uuid,
  only_platform uuid,
  after_platform uuid,
  -- How many events to take for each of these platforms, and for any other: those that can be sent at once, those that
  -- wait for an earlier event of their resource, and questions. Then the most rows and platforms.
  busy uuid[],
  busy_capacity integer[],
  busy_blocked integer[],
  busy_questions integer[],
  default_capacity integer,
  default_blocked integer,
  default_questions integer,
  rows_max integer,
  platforms_max integer,
  -- How long a question waits for a listener's answer, and the lease owner of such questions.
  question_time interval,
  listeners uuid
) returns table (
  platform_id uuid,
  environment text,
  -- Sealed.
  endpoint bytea,
  -- The key that signs now; sealed.
  key_id uuid,
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
  -- It was leased before, so it may have been sent.
  was_leased boolean,
  -- The resource has more pending first attempts than were taken.
  has_more boolean,
  -- Only on the last row, which is not an event: where the walk stopped, and how many events were skipped.
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
  -- First attempts of a resource taken by one claim, and its retries leased at a time.
  chain_max constant integer := 16;
  retries_max constant integer := 4;
  first_platform uuid;
  retry_platform uuid;
  retry_at timestamptz;
  current_platform uuid := coalesce(after_platform, '00000000-0000-0000-0000-000000000000');
  remaining integer := rows_max;
  busy_index integer;
  capacity integer;
  questions integer;
  target record;
  lane record;
  business_now timestamptz;
  question_ids uuid[];
  retry_ids uuid[];
  retry_capacity integer;
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
      first_platform := (
        select e.platform_id from events e
         where e.state = 'PENDING' and e.next_attempt_at is null and e.platform_id > current_platform
         order by e.platform_id, e.resource_id, e.seq limit 1);
      select e.platform_id, e.next_attempt_at into retry_platform, retry_at from events e
       where e.state = 'PENDING' and e.next_attempt_at is not null and e.platform_id > current_platform
       order by e.platform_id, e.next_attempt_at limit 1;
      current_platform := least(first_platform, retry_platform);
      exit when current_platform is null;
    else
      current_platform := only_platform;
    end if;

    busy_index := array_position(busy, current_platform);
    capacity := least(remaining, case when busy_index is null then default_capacity else busy_capacity[busy_index] end);
    questions := least(
      remaining, case when busy_index is null then default_questions else busy_questions[busy_index] end);
    question_ids := array(
      select e.id from events e
       where e.platform_id = current_platform and e.state = 'PENDING' and e.next_attempt_at is null
         and e.decision is not null and (e.leased_until is null or e.leased_until <= real_now)
         and not exists (
           select from events earlier
            where earlier.platform_id = e.platform_id and earlier.resource_id = e.resource_id
              and earlier.seq < e.seq and earlier.state = 'PENDING' and earlier.next_attempt_at is null)
       order by e.seq limit greatest(questions, 0));
    continue when capacity <= 0 and question_ids = '{}';

    select p.environment, p.clock_offset_ms, c.webhook_endpoint into target
      from platforms p left join platform_configs c on c.platform_id = p.id
     where p.id = current_platform;
    business_now := real_now + target.clock_offset_ms * interval '1 millisecond';
    -- Only retries that are not due yet.
    continue when only_platform is null and first_platform is distinct from current_platform
      and retry_at > business_now;

    select l.after_resource, l.lap_end, l.again_after into lane
      from webhook_lanes l where l.platform_id = current_platform for update skip locked;
    if not found then
      -- Another process is claiming for this platform, or the platform has no lane yet.
      continue when exists (select from webhook_lanes l where l.platform_id = current_platform);
      insert into webhook_lanes (platform_id) values (current_platform) on conflict do nothing;
      continue when not found;
    end if;

    if target.webhook_endpoint is null then
      -- platform.md §4.2.5: logged as skipped, never sent later. Questions that no listener answers are claimed, and
      -- decided without an answer.
      with head as materialized (
        select e.platform_id, e.id from events e
         where e.platform_id = current_platform and e.state = 'PENDING' and e.next_attempt_at is null
           and e.decision is null and (e.leased_until is null or e.leased_until <= real_now)
         order by e.resource_id, e.seq limit skips_max),
      due as materialized (
        select e.platform_id, e.id from events e
         where e.platform_id = current_platform and e.state = 'PENDING' and e.next_attempt_at <= business_now
           and e.decision is null and (e.leased_until is null or e.leased_until <= real_now)
         order by e.next_attempt_at limit skips_max)
      update events e
         set state = 'SKIPPED', finished_at = real_now, lease_owner = null, leased_until = null
        from (
          select head.platform_id, head.id from head union all select due.platform_id, due.id from due) skip
       where e.platform_id = skip.platform_id and e.id = skip.id and e.state = 'PENDING'
         and (e.leased_until is null or e.leased_until <= real_now)
         and (select c.webhook_endpoint from platform_configs c where c.platform_id = current_platform) is null;
      get diagnostics done = row_count;
      skipped_all := skipped_all + done;
      -- platform.md §4.8.7: while a listener answers questions, they wait for its answer. After their deadline a claim
      -- takes them; as they were leased before, they are decided without an answer.
      if question_ids <> '{}' and exists (
          select from webhook_listeners l
           where l.platform_id = current_platform and l.answers_until > real_now) then
        with free as materialized (
          select e.platform_id, e.id
            from unnest(question_ids) as question(id)
            join events e on e.platform_id = current_platform and e.id = question.id
           where e.state = 'PENDING' and e.next_attempt_at is null and e.leased_until is null
             and e.created_at + question_time > business_now
             for update of e skip locked),
        waiting as (
          update events e
             set lease_owner = listeners, leased_until = real_now, next_attempt_at = e.created_at + question_time
            from free
           where e.platform_id = free.platform_id and e.id = free.id
          returning e.id)
        select array(
          select question.id from unnest(question_ids) as question(id)
           where question.id not in (select waiting.id from waiting)) into question_ids;
      end if;
    end if;

    retry_capacity := greatest(capacity + 1, 0) / 2;
    with due as materialized (
      select e.id, e.resource_id, e.next_attempt_at, e.leased_until is null or e.leased_until <= real_now as is_free
        from events e
       where e.platform_id = current_platform and e.state = 'PENDING' and e.next_attempt_at <= business_now
       order by e.next_attempt_at limit window_max),
    ranked as (
      select due.id, due.is_free, due.next_attempt_at,
             row_number() over (partition by due.resource_id order by due.is_free, due.next_attempt_at) as rank
        from due)
    select array(select ranked.id from ranked
                  where ranked.is_free and ranked.rank <= retries_max
                  order by ranked.next_attempt_at limit retry_capacity) as ids,
           (select count(*) >= window_max from due) as is_truncated
      into seen;
    retry_ids := seen.ids;
    if seen.is_truncated and cardinality(retry_ids) < retry_capacity then
      -- A few resources fill the window: take the earliest retries of the others, resource by resource.
      with recursive walk as (
        select coalesce(lane.again_after, '') collate "C" as resource_id, 0 as visit
        union all
        select n.resource_id, w.visit + 1
          from walk w
         cross join lateral (
           select e.resource_id from events e
            where e.platform_id = current_platform and e.state = 'PENDING' and e.next_attempt_at is not null
              and e.resource_id > w.resource_id
            order by e.resource_id, e.next_attempt_at limit 1) n
         where w.visit < visits_max),
      found as materialized (
        select w.visit, w.resource_id, d.id
          from walk w
         cross join lateral (
           select e.id, e.leased_until is null or e.leased_until <= real_now as is_free
             from events e
            where e.platform_id = current_platform and e.resource_id = w.resource_id and e.state = 'PENDING'
              and e.next_attempt_at <= business_now
            order by e.next_attempt_at limit retries_max) d
         where w.visit > 0 and d.is_free and d.id <> all (retry_ids)
         order by w.visit limit retry_capacity - cardinality(retry_ids))
      select array(select found.id from found) as ids,
             case when (select count(*) from found) >= retry_capacity - cardinality(retry_ids)
                  then (select max(found.resource_id) from found)
                  else (select w.resource_id from walk w where w.visit >= visits_max) end as last
        into seen;
      retry_ids := retry_ids || seen.ids;
      lane.again_after := seen.last;
    end if;

    -- From where the last claim stopped to the end of the lap; then, if capacity is left, from the beginning.
    heads := '{}';
    while capacity > cardinality(retry_ids) + cardinality(heads) loop
      with recursive walk as (
        select coalesce(lane.after_resource, '') collate "C" as resource_id, null::uuid as id, false as is_free,
               cardinality(retry_ids) + cardinality(heads) as taken, 0 as visit
        union all
        select n.resource_id, n.id, n.is_free, w.taken + n.is_free::integer, w.visit + 1
          from walk w
         cross join lateral (
           select e.resource_id, e.id,
                  e.decision is null and (e.leased_until is null or e.leased_until <= real_now)
                    and e.id <> all (heads) as is_free
             from events e
            where e.platform_id = current_platform and e.state = 'PENDING' and e.next_attempt_at is null
              and e.resource_id > w.resource_id and (lane.lap_end is null or e.resource_id <= lane.lap_end)
            order by e.resource_id, e.seq limit 1) n
         where w.visit < visits_max and w.taken < capacity)
      select coalesce(array_agg(w.id order by w.visit) filter (where w.is_free), '{}') as ids,
             max(w.resource_id) as last, max(w.visit) >= visits_max or max(w.taken) >= capacity as is_truncated
        into seen from walk w;
      heads := heads || seen.ids;
      is_whole := lane.after_resource is null;
      if seen.is_truncated then
        lane.lap_end := coalesce(lane.lap_end, (
          select e.resource_id from events e
           where e.platform_id = current_platform and e.state = 'PENDING' and e.next_attempt_at is null
           order by e.resource_id desc, e.seq desc limit 1));
        lane.after_resource := case when lane.lap_end is not null then seen.last end;
      else
        lane.after_resource := null;
        lane.lap_end := null;
      end if;
      exit when is_whole or seen.is_truncated;
    end loop;
    update webhook_lanes l
       set after_resource = lane.after_resource, lap_end = lane.lap_end, again_after = lane.again_after
     where l.platform_id = current_platform
       and (l.after_resource, l.lap_end, l.again_after)
             is distinct from (lane.after_resource, lane.lap_end, lane.again_after);

    chain := 1 + least(
      chain_max - 1,
      greatest(case when busy_index is null then default_blocked else busy_blocked[busy_index] end, 0)
        / greatest(cardinality(heads), 1));
    return query
    with receiver as materialized (
      select k.id as key_id, k.private_key, c.webhook_endpoint as endpoint
        from platforms p
        left join platform_configs c on c.platform_id = p.id
       cross join lateral (
         select k.id, k.private_key from webhook_keys k
          where k.platform_id = p.id and (k.signs_until is null or k.signs_until > business_now)
          order by k.signs_from limit 1) k
       where p.id = current_platform),
    listed as materialized (
      select c.platform_id, c.id, c.resource_id, c.place, count(*) over (partition by c.resource_id) > chain as has_more
        from unnest(heads) as h(id)
       cross join lateral (
         select e.resource_id, e.seq from events e where e.platform_id = current_platform and e.id = h.id limit 1) head
       cross join lateral (
         select e.platform_id, e.id, e.resource_id, row_number() over (order by e.seq) as place
           from events e
          where e.platform_id = current_platform and e.resource_id = head.resource_id and e.seq >= head.seq
            and e.state = 'PENDING' and e.next_attempt_at is null
          order by e.seq limit chain + 1) c
      union all
      -- Questions and retries, each on its own.
      select current_platform, one.id, one.id::text, 1, false from unnest(question_ids || retry_ids) as one(id)),
    -- Rows that another statement is renewing or recording are skipped, as are the events that follow them.
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
      (select r.key_id from receiver r), (select r.private_key from receiver r), e.id, e.seq, e.type, e.resource_id,
      e.payload, e.facts, e.once, e.decision, e.created_at::timestamptz, e.attempts, e.retries,
      e.next_attempt_at is null, taken.was_leased, taken.has_more, null::uuid, null::integer;
    get diagnostics done = row_count;
    remaining := remaining - done;
  end loop;

  return query select null::uuid, null, null::bytea, null::uuid, null::bytea, null::uuid, null::bigint, null, null,
    null::bytea, null::jsonb, null::boolean, null, null::timestamptz, null::integer, null::integer, null::boolean,
    null::boolean, null::boolean, current_platform, skipped_all;
end $$;
