-- Wallets that were opened before there were keys get theirs by a job of each platform, a batch at a time
-- (src/wallet-auth/provision-wallets.ts). Business time is never behind real time, so it is due at once.
insert into jobs (platform_id, kind, key, due_at, created_at)
select distinct a.platform_id, 'wallet-auth.provision', 'wallets', now(), now()
  from internal_accounts a
 where a.type = 'EMBEDDED_WALLET' and a.status <> 'CLOSED' and a.withdrawn_at is null
   and not exists (select from wallet_keys k where k.platform_id = a.platform_id and k.account_id = a.id);
