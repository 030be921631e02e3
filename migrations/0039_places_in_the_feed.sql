-- `xid` is the place of an event in the feed from now on, which only grows for one resource (decision 0030); its own
-- transaction, unless a later one had ended before it was written. Read in this order, a page costs a page.
drop index events_heard;
create index events_heard on events (platform_id, xid, seq) where xid is not null;

-- What is sent again has a second place in the feed, so that listeners hear it again and lose nothing of the first one;
-- and when that was, in real time.
alter table events add column resent_xid xid8, add column resent_at timestamptz(3);
create index events_resent on events (platform_id, resent_xid, seq) where resent_xid is not null;

-- Until when somebody counts as listening to the platform, in real time, whether or not he answers questions.
alter table webhook_listeners
  alter column answers_until set default '-infinity',
  add column listens_until timestamptz not null default '-infinity';
