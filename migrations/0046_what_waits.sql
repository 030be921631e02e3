-- What operators are told of (`corridor attention`, src/attention.ts): each index holds what waits and nothing that has
-- ended, in the order of how long it waits, so that looking costs the same after a million payments.
create index customers_waiting on customers (platform_id, updated_at)
  where status in ('PENDING', 'HOLD') and deleted_at is null;
create index internal_accounts_waiting on internal_accounts (platform_id, created_at)
  where status = 'PENDING' and withdrawn_at is null;
create index external_accounts_waiting on external_accounts (platform_id, updated_at)
  where status in ('PENDING', 'UNDER_REVIEW') and deleted_at is null;
create index transactions_under_way on transactions (platform_id, executed_at)
  where status in ('PENDING', 'PROCESSING') and executed_at is not null and refund_status is null;
create index stablecoin_operations_waiting on stablecoin_operations (platform_id, updated_at)
  where status in ('CREATED', 'PENDING_FUNDING', 'PENDING_PROVIDER', 'PROCESSING');
create index stablecoins_waiting on stablecoins (platform_id, updated_at)
  where svc_operations_status = 'PENDING_APPROVAL';
create index events_exhausted on events (platform_id, finished_at) where state = 'EXHAUSTED' and not once;
create index jobs_failing on jobs (platform_id, created_at) where attempts >= 3;

-- When the operator last did what has to be done regularly, in real time: one row each, for the whole installation.
create table operator_runs (
  name text primary key check (name in ('ledger verify', 'backup')),
  at timestamptz not null,
  -- What was wrong; null: it went well.
  trouble text
);

-- When the platform's clock was last moved, in real time: the move does not age deliveries and work that wait.
alter table platforms add column clock_moved_at timestamptz;
