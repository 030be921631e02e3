-- Currencies that a platform added to those that everybody knows: name, symbol and decimals by code.
alter table platforms add column own_currencies jsonb not null default '{}'
  constraint platforms_own_currencies check (
    jsonb_typeof(own_currencies) = 'object'
    and not jsonb_path_exists(own_currencies, '$.keyvalue() ? (!(@.key like_regex "^[A-Z][A-Z0-9]{2,9}$"))')
    and not jsonb_path_exists(own_currencies,
      '$.* ? (!(@.decimals.type() == "number" && @.decimals >= 0 && @.decimals <= 8 && @.decimals.floor() == @.decimals))'));

-- Amounts are kept in the smallest unit: with other decimals all money in the currency would be another amount.
create function guard_own_currencies() returns trigger language plpgsql as $$
begin
  if not new.own_currencies @> old.own_currencies then
    raise exception 'a currency of platform % cannot be changed or taken away', old.id;
  end if;
  return new;
end $$;
create trigger platforms_own_currencies before update of own_currencies on platforms
  for each row execute function guard_own_currencies();
