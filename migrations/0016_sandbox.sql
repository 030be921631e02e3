-- The sandbox's inbox: what its message provider was handed, for developers to read.
create table sandbox_messages (
  platform_id uuid not null references platforms,
  id uuid not null,
  -- One reference is one message, however often it is handed over.
  reference text collate "C" not null,
  customer_id uuid,
  channel text not null check (channel in ('EMAIL', 'SMS')),
  recipient text collate "C" not null,
  text bytea not null,
  -- Business time.
  created_at timestamptz not null,
  primary key (platform_id, id),
  unique (platform_id, reference)
);
comment on column sandbox_messages.text is 'sealed: sandbox_messages.text:{id}';
create index sandbox_messages_newest on sandbox_messages (platform_id, created_at desc, id desc);
create index sandbox_messages_by_recipient on sandbox_messages (platform_id, recipient, created_at desc, id desc);
create index sandbox_messages_by_customer on sandbox_messages (platform_id, customer_id) where customer_id is not null;
