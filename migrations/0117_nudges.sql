-- A nudge that arrives while a page is being read is not forgotten (connectors.md §7.11).
alter table connectors add column is_nudged boolean not null default false;
