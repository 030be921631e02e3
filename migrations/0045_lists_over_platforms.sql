-- Lists of the operator that had no index in their own order: what agents asked for, mints and burns of all coins, and
-- external accounts by status (those that wait for screening, say).
create index agent_actions_newest on agent_actions (platform_id, created_at desc, id desc);
create index stablecoin_operations_of_all_coins on stablecoin_operations (platform_id, created_at desc, id desc)
  where status <> 'REFUSED';
create index external_accounts_by_status on external_accounts (platform_id, status, created_at desc, id desc)
  where deleted_at is null;

-- What happened to one resource, and what one operator did: few rows among all that were ever written.
create index audit_log_resource on audit_log (resource, at desc, id desc) where resource is not null;
create index audit_log_operator on audit_log (actor_id, at desc, id desc) where actor_kind = 'operator';
