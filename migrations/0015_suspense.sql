-- Money that waits for a person: failed refunds and receipts that fit nothing, among all that was ever posted.
create index ledger_entries_suspended on ledger_entries (platform_id, seq) where kind in ('L12', 'L20');
