-- Payments (money.md): one row per transaction. A quote is born with its transaction and lives in its row.
-- What is set at creation and never changes lies in `details` and, where it names people or their accounts,
-- sealed in `private`; everything that changes or is filtered on is a column.

create table transactions (
  platform_id uuid not null references platforms,
  id uuid not null,
  -- Counts the changes of the row; whoever changes it says which one it has seen.
  version bigint not null default 1 check (version > 0),
  type text collate "C" not null check (type in ('OUTGOING', 'INCOMING')),
  -- How it came about. A MIRROR shows another's payment to the one who receives it, and posts nothing.
  kind text collate "C" not null check (kind in ('QUOTE', 'TRANSFER', 'DEPOSIT', 'UMA', 'MIRROR')),
  -- Null: the platform itself.
  customer_id uuid,
  agent_id uuid,

  quote_id uuid,
  expires_at timestamptz(3),
  locked_side text check (locked_side in ('SENDING', 'RECEIVING')),

  source_type text not null check (source_type in ('INTERNAL', 'EXTERNAL', 'REALTIME', 'UMA')),
  source_account uuid,
  source_uma text collate "C",
  destination_type text not null check (destination_type in ('INTERNAL', 'EXTERNAL', 'UMA')),
  destination_account uuid,
  destination_uma text collate "C",

  -- S, R, Fs and Fp of money.md; N = S − Fs − Fp.
  sending_currency text collate "C" not null,
  sending_amount bigint not null check (sending_amount > 0),
  receiving_currency text collate "C" not null,
  receiving_amount bigint not null check (receiving_amount > 0),
  service_fee bigint not null default 0 check (service_fee >= 0),
  platform_fee bigint not null default 0 check (platform_fee >= 0),
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
  pending_reason text check (pending_reason in
    ('COUNTERPARTY_DECLARATION_REQUIRED', 'WALLET_VERIFICATION_REQUIRED', 'COUNTERPARTY_INFORMATION_REQUIRED',
     'COMPLIANCE_REVIEW')),
  -- When it was set going, when the payer's money was taken, when it was done.
  executed_at timestamptz(3),
  taken_at timestamptz(3),
  settled_at timestamptz(3),
  -- When the platform says that it handed over a receipt.
  confirmed_at timestamptz(3),
  -- The transaction hashes of its way in and out over a chain or between providers.
  funding_hash text,
  payout_hash text,
  refund_status text check (refund_status in ('PENDING', 'COMPLETED', 'FAILED')),
  refund_reason text check (refund_reason in ('TRANSACTION_FAILED', 'USER_CANCELLATION', 'TIMEOUT')),
  refund_reference text collate "C",
  refund_amount bigint check (refund_amount > 0),
  -- The internal account that it is paid back to; null: over the rail it came from.
  refund_account uuid,
  refund_initiated_at timestamptz(3),
  refund_settled_at timestamptz(3),
  updated_at timestamptz(3) not null,

  -- The ledger accounts INFLIGHT and REFUND_PAYABLE of this transaction, each with the running number of its
  -- last line; src/ledger calls them carried. In one currency everything in flight is under `sent`.
  inflight_sent bigint not null default 0 check (inflight_sent >= 0),
  inflight_sent_no bigint not null default 0 check (inflight_sent_no >= 0),
  inflight_received bigint not null default 0 check (inflight_received >= 0),
  inflight_received_no bigint not null default 0 check (inflight_received_no >= 0),
  refund_payable bigint not null default 0 check (refund_payable >= 0),
  refund_payable_no bigint not null default 0 check (refund_payable_no >= 0),

  primary key (platform_id, id),
  foreign key (platform_id, customer_id) references customers,

  constraint transactions_quote check (
    (quote_id is null) = (kind <> 'QUOTE') and (quote_id is null) = (expires_at is null)
    and (quote_id is null) = (locked_side is null)),
  constraint transactions_source check (
    (source_type in ('INTERNAL', 'EXTERNAL')) = (source_account is not null)
    and (source_type = 'UMA') = (source_uma is not null)),
  constraint transactions_destination check (
    case destination_type
      when 'UMA' then destination_uma is not null
      else destination_account is not null and destination_uma is null
    end),
  -- S = Fs + Fp + N, and within one currency N is R (money.md §1.8).
  constraint transactions_amounts check (
    service_fee + platform_fee < sending_amount
    and (sending_currency <> receiving_currency
         or sending_amount = receiving_amount + service_fee + platform_fee)),
  constraint transactions_fee check (platform_fee = 0 or fee_account is not null),

  -- money.md §4: the rows of its tables, and no other pair.
  constraint transactions_status check (
    case type
      when 'OUTGOING' then case status
        when 'PENDING' then refund_status is null
        when 'PENDING_AUTHORIZATION' then refund_status is null
        when 'EXPIRED' then refund_status is null
        when 'PROCESSING' then refund_status is null
          or (refund_status = 'PENDING' and refund_reason = 'USER_CANCELLATION')
        when 'COMPLETED' then refund_status is null
          or (refund_status = 'COMPLETED' and refund_reason = 'USER_CANCELLATION')
        when 'FAILED' then true
        else false
      end
      when 'INCOMING' then case status
        when 'PENDING' then refund_status is null
        when 'COMPLETED' then refund_status is null
        when 'REJECTED' then refund_status is null and kind = 'UMA'
        when 'EXPIRED' then refund_status is null and kind = 'QUOTE'
        when 'FAILED' then refund_status is null or kind = 'UMA'
        else false
      end
    end),
  constraint transactions_failure check (
    (status = 'FAILED') = (failure_reason is not null)
    and case type
      when 'OUTGOING' then failure_reason is null or failure_reason in
        ('QUOTE_EXPIRED', 'QUOTE_RATE_UNAVAILABLE', 'QUOTE_EXECUTION_FAILED', 'FUNDING_AMOUNT_MISMATCH',
         'SCA_NOT_COMPLETED', 'PAYOUT_RETURNED', 'LIMIT_EXCEEDED', 'ACCOUNT_CANNOT_RECEIVE', 'ACCOUNT_INVALID',
         'COMPLIANCE_REJECTED')
      else failure_reason is null or failure_reason in
        ('LNURLP_FAILED', 'PAY_REQUEST_FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR', 'PAYMENT_APPROVAL_TIMED_OUT',
         'OFFRAMP_FAILED', 'MISSING_MANDATORY_PAYEE_DATA', 'QUOTE_EXPIRED', 'QUOTE_EXECUTION_FAILED',
         'COMPLIANCE_REJECTED', 'COLLECTION_FAILED')
    end),
  constraint transactions_pending_reason check (pending_reason is null or status in ('PENDING', 'PROCESSING')),
  constraint transactions_settled check (status <> 'COMPLETED' or settled_at is not null),
  constraint transactions_taken check (taken_at is null or executed_at is not null),
  -- A mirror is the echo of a delivery: born completed, and nothing is ever posted for it.
  constraint transactions_mirror check (
    kind <> 'MIRROR' or (type = 'INCOMING' and status = 'COMPLETED' and taken_at is null and inflight_sent_no = 0)),
  -- money.md §12.4.
  constraint transactions_inflight check (
    (inflight_sent = 0 and inflight_received = 0) or status = 'PROCESSING'
    or (status = 'PENDING' and kind in ('TRANSFER', 'UMA'))),
  constraint transactions_inflight_taken check (
    (inflight_sent = 0 and inflight_received = 0) or taken_at is not null),
  constraint transactions_one_currency check (
    sending_currency <> receiving_currency or (inflight_received = 0 and inflight_received_no = 0)),
  -- money.md §12.5.
  constraint transactions_refund_payable check (
    refund_payable = case when refund_status = 'PENDING' then refund_amount else 0 end),
  constraint transactions_refund check (
    (refund_status is null) = (refund_initiated_at is null)
    and (refund_status is null) = (refund_reference is null)
    and (refund_status is null) = (refund_reason is null)
    and (refund_status is null) = (refund_amount is null)
    and (refund_status is not distinct from 'COMPLETED') = (refund_settled_at is not null)
    and (refund_status is null or taken_at is not null))
) with (fillfactor = 70);
comment on column transactions.private is 'sealed: transactions.private:{id}';
-- Neither is touched by a change of state; out of line they are not copied with each version of the row.
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

-- What was sent in a corridor on a day, worth in US cents: an exact fraction, so that the edge of the limit is
-- exact whatever the rates of the day were (money.md §8.2). Nothing that changes is indexed.
create table payment_volumes (
  platform_id uuid not null references platforms,
  -- `USD-EUR`, or `USD` within one currency.
  corridor text collate "C" not null check (corridor <> ''),
  -- UTC, on the platform's clock.
  day date not null,
  numerator numeric not null default 0 check (numerator >= 0),
  denominator numeric not null default 1 check (denominator > 0),
  primary key (platform_id, corridor, day)
) with (fillfactor = 50);
