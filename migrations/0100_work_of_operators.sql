-- What waits for operators is listed in the order of its age, the oldest first, page by page.

-- Undecided proposals, of all operators and of one. Those that have expired stay undecided, and the index skips them.
create index proposals_by_expiry on proposals (expires_at) where status in ('UNCLAIMED', 'PENDING');
create index proposals_own_open on proposals (maker, expires_at) where status in ('UNCLAIMED', 'PENDING');

-- Money in suspense: by age, as everything else that waits.
drop index ledger_entries_suspended;
create index ledger_entries_suspended on ledger_entries (platform_id, created_at)
  where kind in ('refund.suspended', 'L12', 'receipt.suspended', 'L20');
