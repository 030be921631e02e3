-- The queue of a resource's pending webhooks (platform.md §4.2.4): when one of them is due, and which process sends
-- them. A process leases the whole queue, so that first attempts keep their order and an event needs no lease of its
-- own. A resource without pending events has no row. No foreign keys to platforms (0001 says why).
create table webhook_queues (
  platform_id uuid not null,
  resource_id text collate "C" not null,
  -- The most urgent event: a question, a first attempt, or a retry.
  lane text collate "C" not null,
  -- Business time. Never later than the first due event; it may be earlier than that.
  due_at timestamptz(3) not null,
  -- Real time.
  leased_until timestamptz,
  lease_owner uuid,
  -- The latest event (`events.seq`) that was leased: if the lease expires, the events up to it may have been sent.
  leased_to bigint,
  primary key (platform_id, resource_id),
  -- One check, because every commit that writes events evaluates it.
  check (lane in ('ASKED', 'FIRST', 'RETRY') and (lease_owner is null) = (leased_until is null))
) with (fillfactor = 70);
create index webhook_queues_due on webhook_queues (platform_id, lane, due_at);

-- Puts new events into their queues, in the order of the keys. A queue that is there already is locked until the
-- commit: otherwise a worker that has sent its last event could remove it before this event is visible.
create function queue_webhooks() returns trigger language plpgsql as $$
begin
  insert into webhook_queues as q (platform_id, resource_id, lane, due_at)
  select e.platform_id, e.resource_id,
         min(case when e.next_attempt_at is not null then 'RETRY' when e.decision is null then 'FIRST' else 'ASKED' end
             collate "C"),
         min(coalesce(e.next_attempt_at, e.created_at))
    from written e
   where e.state = 'PENDING'
   group by e.platform_id, e.resource_id
   order by e.platform_id, e.resource_id
      on conflict (platform_id, resource_id) do update
     set lane = least(q.lane, excluded.lane), due_at = least(q.due_at, excluded.due_at)
   where q.lane > excluded.lane or q.due_at > excluded.due_at;
  return null;
end $$;
create trigger events_queued after insert on events
  referencing new table as written for each statement execute function queue_webhooks();

-- A process of the old version may have sent the events that it had leased, so their queues stay leased as long.
-- Questions that wait for a listener's answer had the lease of all listeners together, and are due at the end of their
-- time.
insert into webhook_queues (platform_id, resource_id, lane, due_at, leased_until, lease_owner, leased_to)
select e.platform_id, e.resource_id, min(e.lane), min(e.due_at), max(e.leased_until),
       (array_agg(e.lease_owner order by e.leased_until desc) filter (where e.lease_owner is not null))[1],
       max(e.seq) filter (where e.lease_owner is not null)
  from (
    select f.platform_id, f.resource_id, f.seq, f.created_at as due_at, f.leased_until, f.lease_owner,
           case when f.decision is null then 'FIRST' else 'ASKED' end collate "C" as lane
      from events f
     where f.state = 'PENDING' and f.next_attempt_at is null
    union all
    select r.platform_id, r.resource_id, r.seq, r.next_attempt_at,
           case when r.lease_owner <> '00000000-0000-0000-0000-000000000001' then r.leased_until end,
           case when r.lease_owner <> '00000000-0000-0000-0000-000000000001' then r.lease_owner end, 'RETRY'
      from events r
     where r.state = 'PENDING' and r.next_attempt_at is not null) e
 group by e.platform_id, e.resource_id;

-- Replaced by the queues.
drop table webhook_lanes;
drop index events_asked, events_again;
alter table events drop column lease_owner, drop column leased_until;
