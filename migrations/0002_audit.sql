-- Who did what. Append-only: the triggers refuse every change, and any deletion of a row younger than 30 days.
-- No foreign key to platforms (0001 says why).
create table audit_log (
  id uuid primary key,
  platform_id uuid,
  at timestamptz not null,
  actor_kind text not null,
  actor_id text not null,
  action text not null,
  resource text,
  request_id text,
  remote_address text,
  details jsonb not null default '{}'
);
create index audit_log_platform on audit_log (platform_id, at desc, id desc);
create index audit_log_age on audit_log (at);

-- Keeps every audit row for at least 30 days, whatever retention the program applies.
create function refuse_young_audit_deletion() returns trigger language plpgsql as $$
begin
  if old.at > now() - interval '30 days' then
    raise exception 'audit rows are kept at least 30 days' using errcode = 'restrict_violation';
  end if;
  return old;
end $$;

create trigger audit_log_immutable before update on audit_log for each row execute function refuse_change();
create trigger audit_log_kept before delete on audit_log for each row execute function refuse_young_audit_deletion();
create trigger audit_log_not_truncated before truncate on audit_log for each statement execute function refuse_change();
