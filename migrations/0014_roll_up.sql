-- Every platform's daily roll-up of shared ledger accounts exists from its first moment; each run schedules the
-- next (ledger/jobs.ts).
create function schedule_first_roll_up() returns trigger language plpgsql as $$
begin
  insert into jobs (platform_id, kind, key, due_at, created_at)
  values (new.id, 'ledger.roll-up', 'daily', new.created_at + interval '1 day', new.created_at);
  return null;
end $$;
create trigger platforms_roll_up after insert on platforms for each row execute function schedule_first_roll_up();
insert into jobs (platform_id, kind, key, due_at, created_at)
select id, 'ledger.roll-up', 'daily', created_at + interval '1 day', created_at from platforms;
