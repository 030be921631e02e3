-- It takes more than it did; its file (src/ledger/post.sql) defines it anew.
drop function if exists ledger_judge;
