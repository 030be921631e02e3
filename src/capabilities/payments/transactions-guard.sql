-- Refuses rows that must never be stored, even if the program is wrong. It is a trigger and not a set of check
-- constraints: a trigger's expressions are prepared once per connection, while so many constraints would be parsed for
-- every statement, at several times the cost.
create or replace function transactions_guard() returns trigger language plpgsql as $$
declare
  broken text;
  is_cross_currency constant boolean := new.sending_currency <> new.receiving_currency;
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
      and (is_cross_currency or new.sending_amount = new.receiving_amount + new.service_fee + new.platform_fee)
      and (new.platform_fee = 0 or new.fee_account is not null)) is not true then
    broken := 'transactions_amounts';
  -- money.md §4: only the pairs in its tables are allowed.
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
        when 'REJECTED' then new.refund_status is null
          and (new.kind = 'UMA' or (new.kind = 'TRANSFER' and new.agent_id is not null))
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
  -- customers.md §7: a payment that waits has a deadline, and none of its money has moved.
  elsif (case new.status
      when 'PENDING_AUTHORIZATION' then new.authorize_by is not null and new.kind = 'QUOTE'
        and new.executed_at is null and new.taken_at is null
      when 'FAILED' then (new.authorize_by is null) or (new.taken_at is null and new.refund_status is null)
      else new.authorize_by is null
    end) is not true then
    broken := 'transactions_authorization';
  -- agents.md §5: an agent's request waits, and none of its money has moved.
  elsif new.approve_by is not null and (new.status = 'PENDING' and new.kind in ('QUOTE', 'TRANSFER')
      and new.agent_id is not null and new.executed_at is null) is not true then
    broken := 'transactions_approval';
  -- A mirror shows a delivery. It is created completed, and fails if the delivery is reversed. Nothing is ever posted
  -- for it.
  elsif new.kind = 'MIRROR' and (new.type = 'INCOMING' and new.status in ('COMPLETED', 'FAILED')
      and new.taken_at is null and new.inflight_sent_no = 0) is not true then
    broken := 'transactions_mirror';
  -- money.md §12.4.
  elsif in_flight and (new.taken_at is not null and (new.status = 'PROCESSING'
      or (new.status = 'PENDING' and new.kind in ('TRANSFER', 'UMA')))) is not true then
    broken := 'transactions_inflight';
  elsif not is_cross_currency and (new.inflight_received = 0 and new.inflight_received_no = 0) is not true then
    broken := 'transactions_one_currency';
  -- money.md §12.5.
  elsif (new.refund_payable
         = case when new.refund_status = 'PENDING' then new.refund_amount else 0 end) is not true then
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
create or replace trigger transactions_sound before insert or update on transactions
  for each row execute function transactions_guard();
