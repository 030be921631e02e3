-- The table of before becomes the first part of a partitioned one. PostgreSQL reads no row for that, because the
-- constraint proves that all of them belong there, and it builds no index.
alter table audit_log rename to audit_log_first;
alter index audit_log_pkey rename to audit_log_first_pkey;
alter index audit_log_platform rename to audit_log_first_platform;
alter index audit_log_age rename to audit_log_first_age;
alter index audit_log_resource rename to audit_log_first_resource;
alter index audit_log_operator rename to audit_log_first_operator;
alter index audit_log_customer rename to audit_log_first_customer;
drop trigger audit_log_immutable on audit_log_first;
drop trigger audit_log_kept on audit_log_first;

-- An id is unique within its part, because a key of the whole table would have to contain the time.
create table audit_log (
  like audit_log_first including defaults including storage including compression including comments
) partition by range (at);
create index audit_log_platform on audit_log (platform_id, at desc, id desc);
create index audit_log_age on audit_log (at);
create index audit_log_resource on audit_log (resource, at desc, id desc) where resource is not null;
create index audit_log_operator on audit_log (actor_id, at desc, id desc) where actor_kind = 'operator';
create index audit_log_customer on audit_log ((details ->> 'customerId')) where details ? 'customerId';
create trigger audit_log_immutable before update on audit_log for each row execute function refuse_audit_change();
create trigger audit_log_kept before delete on audit_log for each row execute function refuse_young_audit_deletion();
create trigger audit_log_not_truncated before truncate on audit_log for each statement execute function refuse_change();

-- Makes the last part, which has no end.
create function begin_last_audit_part(begins timestamptz) returns void language plpgsql set timezone = 'UTC' as $$
declare
  name constant text := 'audit_log_from_' || to_char(begins, 'YYYY_MM');
begin
  execute format('create table %I partition of audit_log for values from (%L) to (maxvalue)', name, begins);
  execute format('alter table %I add primary key (id)', name);
  execute format(
    'create trigger audit_log_not_truncated before truncate on %I for each statement execute function refuse_change()',
    name);
end $$;

do $$
declare
  ends constant timestamptz := (
    select substring(pg_get_constraintdef(c.oid) from '''([^'']+)''')::timestamptz
      from pg_constraint c where c.conrelid = 'audit_log_first'::regclass and c.conname = 'audit_log_ends');
begin
  execute format('alter table audit_log attach partition audit_log_first for values from (minvalue) to (%L)', ends);
  perform begin_last_audit_part(ends);
end $$;
alter table audit_log_first drop constraint audit_log_ends;
