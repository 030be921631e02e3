-- What agents asked for that moves money (agents.md C.4, C.5).
create table agent_actions (
  platform_id uuid not null references platforms,
  id uuid not null,
  version bigint not null,
  agent_id uuid not null,
  customer_id uuid not null,
  type text not null check (type in ('EXECUTE_QUOTE', 'TRANSFER_OUT', 'TRANSFER_IN')),
  -- Null: a transfer that could not start, of which there is none.
  transaction_id uuid,
  -- Of a transfer: what was asked for, as the API shows it.
  transfer jsonb,
  -- The key that signed a payment out of an embedded wallet; an approval asks whether it may still sign.
  signer_key text,
  -- As it was decided. One that waits and whose transaction does so no more has failed (src/agents/action-store.ts).
  status text not null check (status in ('PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'FAILED')),
  rejection_reason text,
  -- Of a FAILED one: the code and reason of the error that it met.
  failure jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  foreign key (platform_id, agent_id) references agents,
  check ((type = 'EXECUTE_QUOTE') = (transfer is null)),
  check (transaction_id is not null or (status = 'FAILED' and transfer is not null)),
  check ((status = 'FAILED') = (failure is not null)),
  check (rejection_reason is null or status = 'REJECTED')
);
create index agent_actions_of_agent on agent_actions (platform_id, agent_id, created_at desc, id desc);
create index agent_actions_of_transaction on agent_actions (platform_id, transaction_id);
create index agent_actions_open on agent_actions (platform_id, created_at desc, id desc)
  where status = 'PENDING_APPROVAL';
