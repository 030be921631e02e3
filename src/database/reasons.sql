-- Ends a commit because something that it counts on does not hold: `reason` names what (src/database/reasons.ts), `about` says
-- of what. Gives jsonb only so that it can stand wherever a value can.
create or replace function refuse_commit(reason text, about jsonb default null) returns jsonb language plpgsql as $$
begin
  raise exception using errcode = 'CR001', message = reason, detail = coalesce(about, '{}')::text;
end $$;
