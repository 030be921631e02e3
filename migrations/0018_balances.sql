-- As in 0016: with the key, each change of a balance would have to find out that its platform did not change.
alter table ledger_balances drop constraint ledger_balances_platform_id_fkey;
