-- Fails a commit because something that it relies on does not hold. `reason` names it (reasons.ts beside this file),
-- `about` says of what. Returns jsonb only so that it can be called wherever a value is expected.
create or replace function refuse_commit(reason text, about jsonb default null) returns jsonb language plpgsql as $$
begin
  raise exception using errcode = 'CR001', message = reason, detail = coalesce(about, '{}')::text;
end $$;
