-- Gives a platform the first free label among label, label-2, label-3 … (platform.md §3.1). If two platforms claim the
-- same label, the second waits at the unique index until the first commits, then tries the next label.
create or replace function claim_uma_subdomain(for_platform uuid, label text, reserved text[])
returns text language plpgsql as $$
declare
  place text := (select environment from platform_configs where platform_id = for_platform);
  suffix text := '';
  candidate text;
begin
  for n in 1 .. 1000000 loop
    if n > 1 then suffix := '-' || n; end if;
    -- A DNS label has at most 63 characters.
    candidate := left(label, 63 - length(suffix)) || suffix;
    continue when candidate = any (reserved) or exists (
      select from platform_configs
       where environment = place and proxy_uma_subdomain = candidate and platform_id <> for_platform);
    begin
      update platform_configs set proxy_uma_subdomain = candidate where platform_id = for_platform;
      return candidate;
    exception when unique_violation then
      -- Another platform has just taken it; try the next label.
    end;
  end loop;
  raise exception 'no free subdomain for %', label;
end $$;
