-- The daily limit of the corridor, in US cents, with which a payment was compared when it counted against it
-- (money.md §8.2). The setting may change later, and an explanation names the limit of that moment. Older payments have none.
alter table transactions add column daily_limit bigint;
