-- Refunds that are under way, whatever became of their payments.
create index transactions_refunding on transactions (platform_id, refund_initiated_at) where refund_status = 'PENDING';

-- Both take more than they did; their files define them anew.
drop function if exists ledger_post;
drop function if exists apply_transitions;
