-- A stamp's key is looked for among the sessions that have not expired (wallets.md W42). Ended ones are
-- known for thirty days (W41), and must not be read each time.
drop index wallet_sessions_of_account;
create index wallet_sessions_of_account on wallet_sessions (platform_id, account_id, expires_at);
