-- Payments (money.md): one row per transaction. A quote is born with its transaction and lives in its row.
-- What is set at creation and never changes lies in `details` and, where it names people or their accounts,
-- sealed in `private`; everything that changes or is filtered on is a column. What a row may hold is judged by the
-- guard (src/payments/transactions-guard.sql): check constraints would be parsed anew by every statement.
create table transactions (
  platform_id uuid not null references platforms,
  id uuid not null,
  -- Counts the changes of the row; whoever changes it says which one it has seen.
  version bigint not null default 1,
  type text collate "C" not null,
  -- How it came about. A MIRROR shows another's payment to the one who receives it, and posts nothing.
  kind text collate "C" not null,
  -- Null: the platform itself.
  customer_id uuid,
  agent_id uuid,

  quote_id uuid,
  expires_at timestamptz(3),
  locked_side text,

  source_type text not null,
  source_account uuid,
  source_uma text collate "C",
  destination_type text not null,
  destination_account uuid,
  destination_uma text collate "C",

  -- S, R, Fs and Fp of money.md; N = S − Fs − Fp.
  sending_currency text collate "C" not null,
  sending_amount bigint not null,
  receiving_currency text collate "C" not null,
  receiving_amount bigint not null,
  service_fee bigint not null default 0,
  platform_fee bigint not null default 0,
  -- The platform's account that its fee goes to.
  fee_account uuid,
  -- What reconciles it with a bank statement.
  reference text collate "C",
  details jsonb not null,
  -- Gone once the customer was erased.
  private bytea,
  created_at timestamptz(3) not null,

  status text collate "C" not null,
  failure_reason text,
  pending_reason text,
  -- When it was set going, when the payer's money was taken, when it was done.
  executed_at timestamptz(3),
  taken_at timestamptz(3),
  settled_at timestamptz(3),
  -- When the platform says that it handed over a receipt.
  confirmed_at timestamptz(3),
  -- The transaction hashes of its way in and out over a chain or between providers.
  funding_hash text,
  payout_hash text,
  refund_status text,
  refund_reason text,
  refund_reference text collate "C",
  refund_amount bigint,
  -- The internal account that it is paid back to; null: over the rail it came from.
  refund_account uuid,
  refund_initiated_at timestamptz(3),
  refund_settled_at timestamptz(3),
  updated_at timestamptz(3) not null,

  -- The ledger accounts INFLIGHT and REFUND_PAYABLE of this transaction, each with the running number of its
  -- last line; src/ledger calls them carried. In one currency everything in flight is under `sent`.
  inflight_sent ledger_balance not null default 0,
  inflight_sent_no bigint not null default 0,
  inflight_received ledger_balance not null default 0,
  inflight_received_no bigint not null default 0,
  refund_payable ledger_balance not null default 0,
  refund_payable_no bigint not null default 0,

  primary key (platform_id, id),
  foreign key (platform_id, customer_id) references customers
) with (fillfactor = 70);
comment on column transactions.private is 'sealed: transactions.private:{id}';
-- A change of state does not touch it; out of line it is not copied with each version of the row.
alter table transactions alter column private set storage external;

create unique index transactions_quote_id on transactions (platform_id, quote_id) where quote_id is not null;

-- The list: one index for its order, one for each filter in that same order. The customer's serves its foreign
-- key too.
create index transactions_newest on transactions (platform_id, created_at desc, id desc);
create index transactions_by_customer on transactions (platform_id, customer_id, created_at desc, id desc);
create index transactions_by_status on transactions (platform_id, status, created_at desc, id desc);
create index transactions_by_type on transactions (platform_id, type, created_at desc, id desc);
create index transactions_by_source on transactions (platform_id, source_account, created_at desc, id desc)
  where source_account is not null;
create index transactions_by_destination on transactions (platform_id, destination_account, created_at desc, id desc)
  where destination_account is not null;
create index transactions_by_source_uma on transactions (platform_id, source_uma, created_at desc, id desc)
  where source_uma is not null;
create index transactions_by_destination_uma on transactions (platform_id, destination_uma, created_at desc, id desc)
  where destination_uma is not null;
create index transactions_by_reference on transactions (platform_id, reference, created_at desc, id desc)
  where reference is not null;
create index transactions_by_refund_reference
  on transactions (platform_id, refund_reference, created_at desc, id desc) where refund_reference is not null;

-- Quotes that nobody has executed yet, and refunds that are under way, whatever became of their payments.
create index transactions_open_quotes on transactions (platform_id, expires_at)
  where kind = 'QUOTE' and status = 'PENDING' and executed_at is null;
create index transactions_refunding on transactions (platform_id, refund_initiated_at) where refund_status = 'PENDING';

-- Money that arrived, by the reference under which whoever took it in reported it: a report that comes again is
-- known, whatever became of the first.
create table payment_receipts (
  platform_id uuid not null references platforms,
  provider_reference text collate "C" not null check (provider_reference <> ''),
  -- What was reported, so that the same reference with another amount is not taken for a repetition.
  amount bigint not null check (amount > 0),
  currency text collate "C" not null,
  -- The payment that it funded, or the deposit that it became; null: nobody knew what it was for.
  transaction_id uuid,
  created_at timestamptz(3) not null,
  primary key (platform_id, provider_reference),
  foreign key (platform_id, transaction_id) references transactions
);
create index payment_receipts_transaction on payment_receipts (platform_id, transaction_id)
  where transaction_id is not null;
