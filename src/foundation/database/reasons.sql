-- Fails a commit because one of its conditions does not hold: `reason` names the condition (reasons.ts),
-- `about` its subject. Returns jsonb only so that it can be called wherever a value is expected.
create or replace function refuse_commit(reason text, about jsonb default null) returns jsonb language plpgsql as $$
begin
  raise exception using errcode = 'CR001', message = reason, detail = coalesce(about, '{}')::text;
end $$;

-- Refuses a commit because a row has another version than expected. Its type allows the call in place of a version.
create or replace function refuse_stale() returns bigint language plpgsql as $$
begin
  perform refuse_commit('stale');
  return null;
end $$;
