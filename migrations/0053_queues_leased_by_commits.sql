-- A commit leases the queues that it creates to its own process, which sends their events from memory (decision 0004).

-- How many events commits have added while the queue was leased, so that its process knows whether it has all of them.
-- Null: unknown.
alter table webhook_queues add column added bigint;

-- True: the statement that inserted the event has put it into its queue as well, which is cheaper than the trigger.
alter table events add column is_queued boolean;

drop trigger events_queued on events;
drop function queue_webhooks;

-- Puts any other event into its queue. A queue that is there already is locked until the commit: otherwise a worker
-- that has sent its last event could remove it before this event is visible.
create function queue_webhook() returns trigger language plpgsql as $$
begin
  if new.state <> 'PENDING' then
    return null;
  end if;
  insert into webhook_queues as q (platform_id, resource_id, lane, due_at)
  values (new.platform_id, new.resource_id,
          case when new.next_attempt_at is not null then 'RETRY' when new.decision is null then 'FIRST'
               else 'ASKED' end,
          coalesce(new.next_attempt_at, new.created_at))
      on conflict (platform_id, resource_id) do update
     set lane = least(q.lane, excluded.lane), due_at = least(q.due_at, excluded.due_at), added = null
   where q.lane > excluded.lane or q.due_at > excluded.due_at or q.added is not null;
  return null;
end $$;
create trigger events_queued after insert on events
  for each row when (new.is_queued is not true) execute function queue_webhook();

-- Made again, so that it is the latest index. While the table is empty, a look-up by id costs the same along each index
-- that has the id, and the planner takes the latest. Connections keep such a plan until the table is analyzed.
alter table events drop constraint events_pkey, add primary key (platform_id, id);
