-- Schedules a job. If one is already pending under its key, that one is share-locked until the commit, so that no
-- worker runs it before; callers that rely on the same job do not wait for each other. If a worker has run it
-- meanwhile, the job is scheduled again.
create or replace function job_schedule(
  its_platform uuid, its_kind text, its_key text, its_payload jsonb, its_due timestamptz, its_now timestamptz,
  its_traceparent text
) returns void language plpgsql as $$
begin
  loop
    insert into jobs (platform_id, kind, key, payload, due_at, created_at, traceparent)
    values (its_platform, its_kind, its_key, its_payload, its_due, its_now, its_traceparent)
        on conflict (platform_id, kind, key) where key is not null do nothing;
    exit when found;
    perform from jobs j where j.platform_id = its_platform and j.kind = its_kind and j.key = its_key for key share;
    exit when found;
  end loop;
end $$;
