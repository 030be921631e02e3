-- Becomes a table function, which PostgreSQL inlines into the insert of events (src/capabilities/accounts/facts.sql).
drop function if exists account_facts_at_commit;
