-- Names the operators who looked at data of people, found by the record. The audit log has no such index, because each
-- payment would pay for it.
create table record_reads (
  id uuid primary key,
  -- Null: a list over several platforms, or one of the installation.
  platform_id uuid references platforms (id),
  at timestamptz not null,
  -- The operator, with the roles that allowed the call and the session.
  actor_id text not null,
  roles text[] not null,
  session_id text,
  kind text not null check (kind in ('FIELD', 'SEARCH', 'EXPORT', 'DOCUMENT', 'PAGE')),
  -- The public id of the record, or the name of the list that was searched or exported.
  resource text not null,
  -- The field that was shown, or the filters of a search.
  fields text[] not null default '{}',
  -- A keyed hash of the terms of a search: the same term can be recognized, and not read.
  term_hash bytea,
  reason bytea,
  check ((kind = 'SEARCH') = (term_hash is not null)),
  check ((kind = 'FIELD') >= (reason is not null))
);
create index record_reads_newest on record_reads (at, id);
create index record_reads_of_resource on record_reads (resource, at, id);
create index record_reads_of_platform on record_reads (platform_id, at, id);
create index record_reads_of_actor on record_reads (actor_id, at, id);

comment on column record_reads.reason is
  'sealed: record_reads.reason:{id}; person: (customer_of_resource(t.platform_id, t.resource))';

-- A reason can be removed, or sealed again. Nothing else of a row ever changes, and no row is deleted within its first
-- 30 days.
create function refuse_read_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'reason' = to_jsonb(old) - 'reason' then
    return new;
  end if;
  if tg_op = 'DELETE' and old.at < now() - interval '30 days' then
    return old;
  end if;
  raise exception 'record_reads is append-only' using errcode = 'restrict_violation';
end $$;
create trigger record_reads_immutable before update or delete on record_reads
  for each row execute function refuse_read_change();
create trigger record_reads_not_truncated before truncate on record_reads
  for each statement execute function refuse_read_change();
