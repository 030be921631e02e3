-- What an agent asked for and the platform has yet to approve (agents.md C.5): until when it can.
-- Null: it waits for nobody.
alter table transactions add column approve_by timestamptz;
create index transactions_awaiting_approval on transactions (platform_id, approve_by) where approve_by is not null;
