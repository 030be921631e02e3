-- Commands that did at once what needs a second operator (operator.md §7.2). Each one stands until another operator has
-- acknowledged it. All times are real time. No foreign key to platforms: the nil id stands for the installation.
create table break_glass_uses (
  id uuid primary key,
  platform_id uuid not null,
  -- The operation that was performed, and the public id of the resource that it is about; null: it created one.
  operation text not null,
  resource text,
  -- As the audit log names the actor: an account at the command line. The reason is in the audit row.
  made_by text not null,
  -- The operator in whose name it was done, if one was named.
  operator uuid references operators,
  created_at timestamptz not null,
  acknowledged_by uuid references operators constraint break_glass_other check (acknowledged_by <> operator),
  acknowledged_at timestamptz check (acknowledged_at >= created_at),
  check ((acknowledged_by is null) = (acknowledged_at is null))
);
create index break_glass_listed on break_glass_uses (created_at desc, id desc);
create index break_glass_open on break_glass_uses (created_at, id) where acknowledged_at is null;

-- Refuses every change but one acknowledgement.
create function guard_break_glass() returns trigger language plpgsql as $$
begin
  if old.acknowledged_at is not null
     or (new.id, new.platform_id, new.operation, new.resource, new.made_by, new.operator, new.created_at)
        is distinct from
        (old.id, old.platform_id, old.operation, old.resource, old.made_by, old.operator, old.created_at) then
    raise exception 'the use of break-glass % cannot change', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger break_glass_guarded before update on break_glass_uses for each row execute function guard_break_glass();
create trigger break_glass_kept before delete on break_glass_uses for each row execute function refuse_removal();
