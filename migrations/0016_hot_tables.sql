-- Every payment adds rows to these. A foreign key would look up and lock their platform's row for each of them, a
-- row that all of a platform's work shares; instead platforms are never removed.
create trigger platforms_kept before delete or truncate on platforms
  for each statement execute function refuse_removal();
alter table events drop constraint events_platform_id_fkey;
alter table jobs drop constraint jobs_platform_id_fkey;
alter table idempotency_keys drop constraint idempotency_keys_platform_id_fkey;
alter table audit_log drop constraint audit_log_platform_id_fkey;
