-- Other parameters than before: `create or replace` alone would refuse them.
drop function if exists claim_webhooks;
drop function if exists settle_webhooks;
drop function if exists record_webhook;
drop function if exists record_webhooks;

-- Leases the queues of resources that have due events, and returns their events with everything needed to send them
-- (platform.md §4.2.4): the first attempts in event order, up to a few, and a few due retries. Takes further events of
-- the queues in `held`, which this process has leased already. One of the worker's statements that cross platforms.
--
-- In each lane the queue that has been due for longest comes first, and a settled queue goes to the end. So no
-- resource's backlog hides another's, and the cost depends on the rows taken alone. Rows that another statement has
-- locked are skipped, so that a claim waits for nothing.
--
-- Each statement below sees everything that was committed before it began, so the events are those that are pending
-- once the queues are locked. The statement that reads events also reads endpoint and key, so that an event committed
-- together with a new endpoint, such as its TEST, is never sent to the old one.
create function claim_webhooks(
  real_now timestamptz,
  until timestamptz,
  claimer uuid,
  -- The platforms, and for each: resources to take, events that wait for an earlier one of their resource, questions.
  platform_ids uuid[],
  resources_max integer[],
  blocked_max integer[],
  questions_max integer[],
  rows_max integer,
  -- How long a question waits for a listener's answer.
  question_time interval,
  held jsonb
) returns table (
  platform_id uuid, environment text, endpoint bytea, key_id uuid, private_key bytea, id uuid, seq bigint, type text,
  resource_id text, payload bytea, facts jsonb, once boolean, decision text, created_at timestamptz, attempts integer,
  retries integer, is_first boolean, was_leased boolean, is_ended boolean, lease_owner uuid,
  -- The most first attempts that were taken from a queue, and the queue's count of added events.
  chain integer, added bigint
)
language plpgsql
-- The queues are empty most of the time; plans made then must not read whole tables that have grown.
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
#variable_conflict use_column
declare
  picked webhook_queues[];
begin
  picked := array(
    select due.q
      from unnest(platform_ids, resources_max, questions_max) as g (platform_id, resources, questions)
      join platforms p on p.id = g.platform_id
     cross join lateral (
       values ('ASKED', g.questions), ('RETRY', (g.resources + 1) / 2), ('FIRST', g.resources)) as lane (name, room)
     cross join lateral (
       select q from webhook_queues q
        where q.platform_id = g.platform_id and q.lane = lane.name
          and q.due_at <= real_now + p.clock_offset_ms * interval '1 millisecond'
          and (q.leased_until is null or q.leased_until <= real_now)
        order by q.due_at limit greatest(lane.room, 0) for update skip locked) due
     limit rows_max);
  picked := picked || array(
    select mine.q
      from jsonb_to_recordset(held) as h (platform_id uuid, resource_id text, owner uuid)
     cross join lateral (
       select q from webhook_queues q
        where q.platform_id = h.platform_id and q.resource_id = h.resource_id and q.lease_owner = h.owner
          -- A lease that has just expired was picked above.
          and not exists (
            select from unnest(picked) p where p.platform_id = q.platform_id and p.resource_id = q.resource_id)
          for update skip locked) mine);

  return query
  with receiver as materialized (
    select p.id, p.environment, clock.now, c.webhook_endpoint as endpoint, k.id as key_id, k.private_key,
           coalesce(l.answers_until > real_now, false) as has_listener,
           case when c.webhook_endpoint is null then 512
                else 1 + least(15, greatest(g.blocked, 0) / greatest(
                  (select count(*) from unnest(picked) q where q.platform_id = p.id), 1)) end as chain
      from unnest(platform_ids, blocked_max) as g (platform_id, blocked)
      join platforms p on p.id = g.platform_id
     cross join lateral (select real_now + p.clock_offset_ms * interval '1 millisecond' as now) clock
      left join platform_configs c on c.platform_id = p.id
      left join webhook_listeners l on l.platform_id = p.id
     cross join lateral (
       select k.id, k.private_key from webhook_keys k
        where k.platform_id = p.id and (k.signs_until is null or k.signs_until > clock.now)
        order by k.signs_from limit 1) k),
  taken as materialized (
    select e.platform_id, e.id, e.seq, e.type, e.resource_id, e.payload, e.facts, e.once, e.decision, e.created_at,
           e.attempts, e.retries, e.next_attempt_at, coalesce(h.owner, claimer) as owner, q.added,
           coalesce(e.seq <= q.leased_to, false)
             or (e.decision is not null and e.next_attempt_at is not null) as was_leased
      from unnest(picked) q
      join receiver r on r.id = q.platform_id
      left join jsonb_to_recordset(held) as h (
             platform_id uuid, resource_id text, owner uuid, ids uuid[], has_retries boolean)
        on h.platform_id = q.platform_id and h.resource_id = q.resource_id and h.owner = q.lease_owner
     cross join lateral (
       (select e.platform_id, e.id, e.seq, e.type, e.resource_id, e.payload, e.facts, e.once, e.decision, e.created_at,
               e.attempts, e.retries, e.next_attempt_at
          from events e
         where e.platform_id = q.platform_id and e.resource_id = q.resource_id and e.state = 'PENDING'
           and e.next_attempt_at is null and (h.ids is null or e.id <> all(h.ids))
         order by e.seq limit r.chain)
       union all
       (select e.platform_id, e.id, e.seq, e.type, e.resource_id, e.payload, e.facts, e.once, e.decision, e.created_at,
               e.attempts, e.retries, e.next_attempt_at
          from events e
         where e.platform_id = q.platform_id and e.resource_id = q.resource_id and e.state = 'PENDING'
           and e.next_attempt_at <= r.now and h.has_retries is not true
         order by e.next_attempt_at limit case when r.endpoint is null then r.chain else 4 end)) e),
  leased as (
    update webhook_queues q
       set lease_owner = t.owner, leased_until = greatest(q.leased_until, until),
           leased_to = greatest(q.leased_to, t.last_seq)
      from (
        select kept.place, t.owner, t.last_seq
          from (select t.platform_id, t.resource_id, t.owner, max(t.seq) as last_seq from taken t group by 1, 2, 3) t
         cross join lateral (
           select k.ctid as place from webhook_queues k
            where k.platform_id = t.platform_id and k.resource_id = t.resource_id limit 1) kept
        offset 0) t
     where q.ctid = t.place),
  -- Without an endpoint, events are logged as skipped (platform.md §4.2.5). While a listener answers questions, they
  -- wait for it like retries (platform.md §4.8.7); a worker that claims them afterwards decides without an answer.
  ended as (
    update events e
       set state = case when free.is_asked then e.state else 'SKIPPED' end,
           finished_at = case when free.is_asked then null else real_now end,
           next_attempt_at = case when free.is_asked then e.created_at + question_time end
      from (
        select e.platform_id, e.id, e.decision is not null as is_asked
          from taken t
          join receiver r on r.id = t.platform_id and r.endpoint is null
          join events e on e.platform_id = t.platform_id and e.id = t.id
         where e.state = 'PENDING'
           and (e.decision is null or (r.has_listener and not t.was_leased and e.created_at + question_time > r.now))
           for update of e skip locked) free
     where e.platform_id = free.platform_id and e.id = free.id
    returning e.id)
  select t.platform_id, r.environment, r.endpoint, r.key_id, r.private_key, t.id, t.seq, t.type, t.resource_id::text,
         t.payload, t.facts, t.once, t.decision, t.created_at::timestamptz, t.attempts, t.retries,
         t.next_attempt_at is null, t.was_leased, t.id in (select ended.id from ended), t.owner,
         r.chain::integer, t.added
    from taken t join receiver r on r.id = t.platform_id;

  -- Queues without a due event: their events were erased, or are due later.
  perform settle_webhooks(real_now, array_agg(q.platform_id), array_agg(q.resource_id::text), array_agg(q.lease_owner))
     from unnest(picked) p
     join webhook_queues q on q.platform_id = p.platform_id and q.resource_id = p.resource_id
    where q.lease_owner is not distinct from p.lease_owner
      and (q.leased_until is null or q.leased_until <= real_now)
   having count(*) > 0;
end $$;

-- Ends leases, by their owners: a queue without pending events is removed, any other is due when its next event is. A
-- queue that is due already goes to the end of its lane. Returns a row for each queue that has more events, and the
-- places of those to settle later because a commit has locked them: waiting for it could deadlock.
create function settle_webhooks(real_now timestamptz, platform_ids uuid[], resource_ids text[], owners uuid[])
returns table (locked bigint, is_due boolean)
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
#variable_conflict use_column
declare
  settled webhook_queues[] := array(
    select mine.q
      from unnest(platform_ids, resource_ids, owners) as g (platform_id, resource_id, owner)
     cross join lateral (
       select q from webhook_queues q
        where q.platform_id = g.platform_id and q.resource_id = g.resource_id
          and q.lease_owner is not distinct from g.owner
          for update skip locked) mine);
  done integer;
begin
  delete from webhook_queues q
   using unnest(settled) s
   where q.platform_id = s.platform_id and q.resource_id = s.resource_id
     -- The orders keep the planner to the indexes of pending events, even if it plans while the table is empty.
     and (select e.seq from events e
           where e.platform_id = s.platform_id and e.resource_id = s.resource_id and e.state = 'PENDING'
             and e.next_attempt_at is null
           order by e.seq limit 1) is null
     and (select e.next_attempt_at from events e
           where e.platform_id = s.platform_id and e.resource_id = s.resource_id and e.state = 'PENDING'
             and e.next_attempt_at is not null
           order by e.next_attempt_at limit 1) is null;
  get diagnostics done = row_count;
  if done < cardinality(settled) then
    return query
    update webhook_queues q
       set lease_owner = null, leased_until = null, leased_to = null, lane = coalesce(next.lane, 'RETRY'),
           due_at = greatest(next.now, case when next.lane is null then next.retry_at end)
      from (
        select kept.place, real_now + p.clock_offset_ms * interval '1 millisecond' as now,
               (select min(case when f.decision is null then 'FIRST' else 'ASKED' end) from (
                  select e.decision from events e
                   where e.platform_id = s.platform_id and e.resource_id = s.resource_id and e.state = 'PENDING'
                     and e.next_attempt_at is null
                   order by e.seq limit 16) f) as lane,
               (select e.next_attempt_at from events e
                 where e.platform_id = s.platform_id and e.resource_id = s.resource_id and e.state = 'PENDING'
                   and e.next_attempt_at is not null
                 order by e.next_attempt_at limit 1) as retry_at
          from unnest(settled) s
          join platforms p on p.id = s.platform_id
         cross join lateral (
           select k.ctid as place from webhook_queues k
            where k.platform_id = s.platform_id and k.resource_id = s.resource_id limit 1) kept
        offset 0) next
     where q.ctid = next.place
    returning null::bigint, q.due_at <= next.now;
  end if;
  if cardinality(settled) = cardinality(platform_ids) then
    return;
  end if;
  return query
  select g.place, false
    from unnest(platform_ids, resource_ids, owners) with ordinality as g (platform_id, resource_id, owner, place)
   cross join lateral (
     select from webhook_queues q
      where q.platform_id = g.platform_id and q.resource_id = g.resource_id and q.lease_owner = g.owner
      limit 1) kept;
end $$;

-- Records attempts in their events, and logs them. Returns the events that were changed. An event stays as it is if it
-- is no longer pending, if another attempt was recorded, or if its queue is not leased to the owner of the attempt; but
-- a delivery is recorded from any process. A retry that would come too late ends the delivery.
--
-- With these settings the statement looks up each event by its key; a plan made while the table was small would read
-- all events otherwise. For the same reason the statement hides from the planner that the events are pending.
create function record_webhooks(
  real_now timestamptz, give_up_after interval, listeners uuid,
  -- For each attempt.
  platform_ids uuid[], event_ids uuid[], resource_ids text[], owners uuid[], numbers integer[], outcomes text[],
  delays_ms integer[], sent_at timestamptz[], urls bytea[], durations_ms integer[], statuses smallint[], errors text[],
  responses bytea[], payloads bytea[]
) returns table (id uuid, state text)
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
  with given as materialized (
    select g.platform_id, g.event_id, g.owner, g.attempt, g.outcome, g.at, g.url, g.duration_ms, g.status, g.error,
           g.response, g.payload, q.lease_owner is not null as is_owner,
           coalesce(g.at, real_now) + p.clock_offset_ms * interval '1 millisecond' as first_at,
           real_now + (p.clock_offset_ms + g.delay_ms) * interval '1 millisecond' as next_at
      from unnest(platform_ids, event_ids, resource_ids, owners, numbers, outcomes, delays_ms, sent_at, urls,
                  durations_ms, statuses, errors, responses, payloads)
        as g (platform_id, event_id, resource_id, owner, attempt, outcome, delay_ms, at, url, duration_ms, status,
              error, response, payload)
     cross join lateral (select p.clock_offset_ms from platforms p where p.id = g.platform_id limit 1) p
      -- Locked so that no other process leases the queue meanwhile, and new events can still be added.
      left join lateral (
       select q.lease_owner from webhook_queues q
        where q.platform_id = g.platform_id and q.resource_id = g.resource_id and q.lease_owner = g.owner
          for key share) q on true),
  changed as (
    update events e
       set state = case when g.outcome = 'PENDING'
                          and g.next_at > coalesce(e.first_attempt_at, g.first_at) + give_up_after
                        then 'EXHAUSTED' else g.outcome end,
           attempts = g.attempt, retries = e.retries + 1, first_attempt_at = coalesce(e.first_attempt_at, g.first_at),
           payload = case when g.is_owner then coalesce(e.payload, g.payload) else e.payload end,
           facts = case when g.payload is null or not g.is_owner then e.facts end,
           next_attempt_at = case when g.outcome = 'PENDING'
             and g.next_at <= coalesce(e.first_attempt_at, g.first_at) + give_up_after then g.next_at end,
           finished_at = case when g.outcome <> 'PENDING'
             or g.next_at > coalesce(e.first_attempt_at, g.first_at) + give_up_after then real_now end
      from given g
     where e.platform_id = g.platform_id and e.id = g.event_id and e.state || '' = 'PENDING'
       and e.attempts = g.attempt - 1
       -- If the planner begins with the events, because it knows the table as empty, they are found by these keys.
       and e.platform_id = any(platform_ids) and e.id = any(event_ids)
       and (g.is_owner or g.owner = listeners or g.outcome in ('DELIVERED', 'ACKED_DUPLICATE'))
    returning e.platform_id, e.id, e.state, g.payload is null or e.payload is not null as keeps_response),
  -- After the change, and so based on the locked row, too.
  logged as (
    insert into webhook_attempts
      (platform_id, event_id, attempt, at, url, duration_ms, status, error, response)
    select g.platform_id, g.event_id, g.attempt, g.at, g.url, g.duration_ms, g.status, g.error,
           case when c.keeps_response then g.response end
      from given g left join changed c on c.platform_id = g.platform_id and c.id = g.event_id
     where g.at is not null
    on conflict do nothing)
  select c.id, c.state from changed c;
end $$;
