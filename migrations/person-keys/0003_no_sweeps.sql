-- The process that stored an id in reserve deletes it if it never gave it to a customer. No database is asked whether a
-- person is a customer, because a restored one may not know the newest customers.
drop table sweeps;

-- Whether the other database has recorded that this person has a key. No process uses a key before that. A new
-- customer's own row is such a record.
alter table people add column is_recorded boolean not null default true;
