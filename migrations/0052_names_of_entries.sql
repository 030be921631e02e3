-- Entries are stored under the name of their kind (src/foundation/ledger/kinds.ts), and those of earlier versions under
-- its number. The index of money that waits for a person covers both.
drop index ledger_entries_suspended;
create index ledger_entries_suspended on ledger_entries (platform_id, seq)
  where kind in ('refund.suspended', 'L12', 'receipt.suspended', 'L20');
