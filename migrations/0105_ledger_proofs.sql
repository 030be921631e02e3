-- Verifications of the ledger that operators started over HTTP (money.md §13.9). A worker runs one at a time. All times
-- are real time.
create table ledger_proofs (
  number bigint generated always as identity primary key,
  -- As the audit log names the actor.
  made_by text not null,
  asked_at timestamptz not null,
  -- The run that counts, and the check at which it is. A process that dies leaves its run to another one.
  begun_at timestamptz check (begun_at >= asked_at),
  attempts integer not null default 0,
  leased_until timestamptz,
  place integer not null default 0,
  finished_at timestamptz check (finished_at >= asked_at),
  -- What the checks found so far, in their order.
  findings jsonb not null default '[]' check (jsonb_typeof(findings) = 'array'),
  -- Why it ended without a result.
  trouble text,
  check (trouble is null or finished_at is not null)
);
create unique index ledger_proofs_open on ledger_proofs ((true)) where finished_at is null;
