-- Pages of the lists of open items go by time and id (operator.md §6.2). A debt has no id of its own, because its
-- account is a text.
alter table open_debts add column id uuid not null default gen_random_uuid();
drop index open_debts_by_age;
create index open_debts_by_age on open_debts (platform_id, since, id);
drop index open_suspense_by_age;
create index open_suspense_by_age on open_suspense (platform_id, created_at, entry);
