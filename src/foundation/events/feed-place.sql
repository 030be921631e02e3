-- The place of what is written now in the feed of listeners (decision 0030): its transaction, or the latest that has
-- ended where that is a later one. So whoever waited for a resource stands after whom it waited for, also where its own
-- transaction has the lower number, and nobody ever stands before its own.
create or replace function feed_place() returns xid8 language sql stable as $$
  select greatest(pg_current_xact_id(), (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8)
$$;
