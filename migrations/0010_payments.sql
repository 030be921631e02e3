-- Payments (money.md): one row per transaction. A quote is born with its transaction and lives in its row.
-- What is set at creation and never changes lies in `details` and, where it names people or their accounts,
-- sealed in `private`; everything that changes or is filtered on is a column.

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
-- What must never be stored, whatever a program believes. A trigger, since its expressions are prepared once per
-- connection: as many checks would be read anew by every statement, at several times the cost of the change.
create function transactions_guard() returns trigger language plpgsql as $$
declare
  broken text;
  crosses constant boolean := new.sending_currency <> new.receiving_currency;
  in_flight constant boolean := new.inflight_sent > 0 or new.inflight_received > 0;
begin
  if (new.type in ('OUTGOING', 'INCOMING') and new.kind in ('QUOTE', 'TRANSFER', 'DEPOSIT', 'UMA', 'MIRROR')
      and new.version > 0 and new.inflight_sent_no >= 0 and new.inflight_received_no >= 0
      and new.refund_payable_no >= 0) is not true then
    broken := 'transactions_kind';
  elsif ((new.quote_id is null) = (new.kind <> 'QUOTE') and (new.quote_id is null) = (new.expires_at is null)
      and (new.quote_id is null) = (new.locked_side is null)
      and coalesce(new.locked_side in ('SENDING', 'RECEIVING'), true)) is not true then
    broken := 'transactions_quote';
  elsif (new.source_type in ('INTERNAL', 'EXTERNAL', 'REALTIME', 'UMA')
      and (new.source_type in ('INTERNAL', 'EXTERNAL')) = (new.source_account is not null)
      and (new.source_type = 'UMA') = (new.source_uma is not null)) is not true then
    broken := 'transactions_source';
  elsif (case new.destination_type
           when 'UMA' then new.destination_uma is not null
           when 'INTERNAL' then new.destination_account is not null and new.destination_uma is null
           when 'EXTERNAL' then new.destination_account is not null and new.destination_uma is null
         end) is not true then
    broken := 'transactions_destination';
  -- S = Fs + Fp + N, and within one currency N is R (money.md §1.8).
  elsif (new.service_fee >= 0 and new.platform_fee >= 0 and new.receiving_amount > 0
      and new.service_fee + new.platform_fee < new.sending_amount
      and (crosses or new.sending_amount = new.receiving_amount + new.service_fee + new.platform_fee)
      and (new.platform_fee = 0 or new.fee_account is not null)) is not true then
    broken := 'transactions_amounts';
  -- money.md §4: the rows of its tables, and no other pair.
  elsif (case new.type
      when 'OUTGOING' then case new.status
        when 'PROCESSING' then new.refund_status is null
          or (new.refund_status = 'PENDING' and new.refund_reason = 'USER_CANCELLATION')
        when 'COMPLETED' then new.refund_status is null
          or (new.refund_status = 'COMPLETED' and new.refund_reason = 'USER_CANCELLATION')
        when 'PENDING' then new.refund_status is null
        when 'PENDING_AUTHORIZATION' then new.refund_status is null
        when 'EXPIRED' then new.refund_status is null
        when 'FAILED' then true
      end
      when 'INCOMING' then case new.status
        when 'PENDING' then new.refund_status is null
        when 'COMPLETED' then new.refund_status is null
        when 'REJECTED' then new.refund_status is null and new.kind = 'UMA'
        when 'EXPIRED' then new.refund_status is null and new.kind = 'QUOTE'
        when 'FAILED' then new.refund_status is null or new.kind = 'UMA'
      end
    end) is not true then
    broken := 'transactions_status';
  elsif (case
      when new.status <> 'FAILED' then new.failure_reason is null
      when new.type = 'OUTGOING' then new.failure_reason in
        ('QUOTE_EXPIRED', 'QUOTE_RATE_UNAVAILABLE', 'QUOTE_EXECUTION_FAILED', 'FUNDING_AMOUNT_MISMATCH',
         'SCA_NOT_COMPLETED', 'PAYOUT_RETURNED', 'LIMIT_EXCEEDED', 'ACCOUNT_CANNOT_RECEIVE', 'ACCOUNT_INVALID',
         'COMPLIANCE_REJECTED')
      else new.failure_reason in
        ('LNURLP_FAILED', 'PAY_REQUEST_FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR', 'PAYMENT_APPROVAL_TIMED_OUT',
         'OFFRAMP_FAILED', 'MISSING_MANDATORY_PAYEE_DATA', 'QUOTE_EXPIRED', 'QUOTE_EXECUTION_FAILED',
         'COMPLIANCE_REJECTED', 'COLLECTION_FAILED')
    end) is not true then
    broken := 'transactions_failure';
  elsif new.pending_reason is not null and (new.status in ('PENDING', 'PROCESSING') and new.pending_reason in
      ('COUNTERPARTY_DECLARATION_REQUIRED', 'WALLET_VERIFICATION_REQUIRED', 'COUNTERPARTY_INFORMATION_REQUIRED',
       'COMPLIANCE_REVIEW')) is not true then
    broken := 'transactions_pending_reason';
  elsif ((new.status <> 'COMPLETED' or new.settled_at is not null)
      and (new.taken_at is null or new.executed_at is not null)) is not true then
    broken := 'transactions_times';
  -- A mirror is the echo of a delivery: born completed, and nothing is ever posted for it.
  elsif new.kind = 'MIRROR' and (new.type = 'INCOMING' and new.status = 'COMPLETED' and new.taken_at is null
      and new.inflight_sent_no = 0) is not true then
    broken := 'transactions_mirror';
  -- money.md §12.4.
  elsif in_flight and (new.taken_at is not null and (new.status = 'PROCESSING'
      or (new.status = 'PENDING' and new.kind in ('TRANSFER', 'UMA')))) is not true then
    broken := 'transactions_inflight';
  elsif not crosses and (new.inflight_received = 0 and new.inflight_received_no = 0) is not true then
    broken := 'transactions_one_currency';
  -- money.md §12.5.
  elsif (new.refund_payable = case when new.refund_status = 'PENDING' then new.refund_amount else 0 end) is not true then
    broken := 'transactions_refund_payable';
  elsif (case
      when new.refund_status is null then new.refund_initiated_at is null and new.refund_reference is null
        and new.refund_reason is null and new.refund_amount is null and new.refund_settled_at is null
      else new.refund_initiated_at is not null and new.refund_reference is not null and new.refund_amount > 0
        and new.refund_status in ('PENDING', 'COMPLETED', 'FAILED')
        and new.refund_reason in ('TRANSACTION_FAILED', 'USER_CANCELLATION', 'TIMEOUT')
        and (new.refund_status = 'COMPLETED') = (new.refund_settled_at is not null)
        and new.taken_at is not null
    end) is not true then
    broken := 'transactions_refund';
  else
    return new;
  end if;
  raise exception 'transaction % of platform % is not sound: %', new.id, new.platform_id, broken
    using errcode = 'check_violation', table = 'transactions', constraint = broken;
end $$;
create trigger transactions_sound before insert or update on transactions
  for each row execute function transactions_guard();

comment on column transactions.private is 'sealed: transactions.private:{id}';
-- Neither is touched by a change of state; out of line they are not copied with each version of the row.
alter table transactions alter column private set storage external;

create unique index transactions_quote_id on transactions (platform_id, quote_id) where quote_id is not null;

-- Quotes that are still to be used, by when they expire.
create index transactions_open_quotes on transactions (platform_id, expires_at)
  where kind = 'QUOTE' and status = 'PENDING' and executed_at is null;

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
