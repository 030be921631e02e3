-- A call that reaches outside claims its key in one commit and stores its reply in another; in between the key is
-- leased, in real time, to whoever calls.
alter table idempotency_keys add column leased_until timestamptz;

-- How many wrong tries void the code, as the environment that issued it says; null: none do.
alter table contact_codes add column wrong_tries_max integer default 5 check (wrong_tries_max > 0);
alter table contact_codes alter column wrong_tries_max drop default;
