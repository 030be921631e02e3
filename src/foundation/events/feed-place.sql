-- The position of a new event in the listeners' feed (decision 0030): the number of its own transaction, or of the
-- latest ended transaction if that is higher. So an event whose transaction waited for a resource comes after the event
-- of the transaction that held it, even if its own number is lower, and no event comes before its own transaction.
create or replace function feed_place() returns xid8 language sql stable as $$
  select greatest(pg_current_xact_id(), (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8)
$$;
