-- Which of its own currencies a platform may not use at the moment (stablecoins.md B.8.4). They stay its currencies:
-- what is held in them is shown, and what is under way is finished.

alter table platforms add column disabled_currencies text[] not null default '{}'
  constraint platforms_disabled_currencies check (
    own_currencies ?& disabled_currencies and array_position(disabled_currencies, null) is null);
