-- Made again, so that it is the latest index. The table is empty most of the time, and then a look-up of one queue
-- costs the same along each of its indexes. The planner takes the latest, and along the other one it reads all queues
-- of the platform.
alter table webhook_queues drop constraint webhook_queues_pkey, add primary key (platform_id, resource_id);
