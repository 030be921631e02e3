-- The trace in which an event or a job was made (W3C traceparent), while traces are kept: what is done for it later, in
-- whichever process, belongs to that trace.
alter table events add column traceparent text;
alter table jobs add column traceparent text;

-- It has one more argument now (src/jobs/schedule.sql).
drop function if exists jobs_schedule(uuid[], text[], text[], jsonb[], timestamptz[], timestamptz[]);
