-- Schedules jobs, those with a key in the order of their keys. A job that is already pending under its key is
-- share-locked until the commit, so that no worker runs it before; callers that rely on the same job do not wait for
-- each other. If a worker has run it meanwhile, it is scheduled again.
create or replace function jobs_schedule(
  platform_ids uuid[], kinds text[], keys text[], payloads jsonb[], dues timestamptz[], nows timestamptz[],
  traceparents text[]
) returns void language plpgsql as $$
declare
  wanted integer[] := array(select generate_subscripts(kinds, 1));
  written integer;
begin
  loop
    insert into jobs (platform_id, kind, key, payload, due_at, created_at, traceparent)
    select platform_ids[w.n], kinds[w.n], keys[w.n], payloads[w.n], dues[w.n], nows[w.n],
           traceparents[w.n]
      from unnest(wanted) as w (n)
        on conflict (platform_id, kind, key) where key is not null do nothing;
    get diagnostics written = row_count;
    exit when written = cardinality(wanted);
    wanted := array(
      select w.n
        from unnest(wanted) as w (n)
        left join lateral (
          select j.id from jobs j
           where j.platform_id = platform_ids[w.n] and j.kind = kinds[w.n] and j.key = keys[w.n]
             for key share) waiting on true
       where keys[w.n] is not null and waiting.id is null
       order by w.n);
    exit when wanted = '{}';
  end loop;
end $$;
