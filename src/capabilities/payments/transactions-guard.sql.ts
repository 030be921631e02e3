import { FIXED_COLUMNS } from '#capabilities/payments/columns.ts';
import { type Condition, guardFunction } from '#foundation/database/guards.ts';

const IS_CROSS_CURRENCY = 'new.sending_currency <> new.receiving_currency';

/** Conditions on columns that never change. */
const FIXED: readonly Condition[] = [
  [
    'transactions_kind',
    `new.type in ('OUTGOING', 'INCOMING') and new.kind in ('QUOTE', 'TRANSFER', 'DEPOSIT', 'UMA', 'MIRROR')`,
  ],
  [
    'transactions_quote',
    `(new.quote_id is null) = (new.kind <> 'QUOTE') and (new.quote_id is null) = (new.locked_side is null)
      and coalesce(new.locked_side in ('SENDING', 'RECEIVING'), true)`,
  ],
  [
    'transactions_source',
    `new.source_type in ('INTERNAL', 'EXTERNAL', 'REALTIME', 'UMA')
      and (new.source_type in ('INTERNAL', 'EXTERNAL')) = (new.source_account is not null)
      and (new.source_type = 'UMA') = (num_nonnulls(new.source_uma, new.source_uma_hash) > 0)`,
  ],
  [
    'transactions_destination',
    `case new.destination_type
        when 'UMA' then num_nonnulls(new.destination_uma, new.destination_uma_hash) > 0
        when 'INTERNAL' then new.destination_account is not null
          and num_nonnulls(new.destination_uma, new.destination_uma_hash) = 0
        when 'EXTERNAL' then new.destination_account is not null
          and num_nonnulls(new.destination_uma, new.destination_uma_hash) = 0
      end`,
  ],
  // S = Fs + Fp + N, and within one currency N is R (money.md §1.8).
  [
    'transactions_amounts',
    `new.service_fee >= 0 and new.platform_fee >= 0 and new.receiving_amount > 0
      and new.service_fee + new.platform_fee < new.sending_amount
      and (${IS_CROSS_CURRENCY} or new.sending_amount = new.receiving_amount + new.service_fee + new.platform_fee)
      and (new.platform_fee = 0 or new.fee_account is not null)`,
  ],
];

/** Conditions that every change of a row may break. */
export const STATE: readonly Condition[] = [
  [
    'transactions_kind',
    `new.version > 0 and new.inflight_sent_no >= 0 and new.inflight_received_no >= 0 and new.refund_payable_no >= 0`,
  ],
  ['transactions_quote', '(new.quote_id is null) = (new.expires_at is null)'],
  // money.md §4: only the pairs in its tables are allowed.
  [
    'transactions_status',
    `case new.type
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
      end`,
  ],
  [
    'transactions_failure',
    `case
        when new.status <> 'FAILED' then new.failure_reason is null
        when new.type = 'OUTGOING' then new.failure_reason in
          ('QUOTE_EXPIRED', 'QUOTE_RATE_UNAVAILABLE', 'QUOTE_EXECUTION_FAILED', 'FUNDING_AMOUNT_MISMATCH',
           'SCA_NOT_COMPLETED', 'PAYOUT_RETURNED', 'LIMIT_EXCEEDED', 'ACCOUNT_CANNOT_RECEIVE', 'ACCOUNT_INVALID',
           'COMPLIANCE_REJECTED')
        else new.failure_reason in
          ('LNURLP_FAILED', 'PAY_REQUEST_FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR', 'PAYMENT_APPROVAL_TIMED_OUT',
           'OFFRAMP_FAILED', 'MISSING_MANDATORY_PAYEE_DATA', 'QUOTE_EXPIRED', 'QUOTE_EXECUTION_FAILED',
           'COMPLIANCE_REJECTED', 'COLLECTION_FAILED')
      end`,
  ],
  [
    'transactions_pending_reason',
    `new.pending_reason is null or (new.status in ('PENDING', 'PROCESSING') and new.pending_reason in
        ('COUNTERPARTY_DECLARATION_REQUIRED', 'WALLET_VERIFICATION_REQUIRED', 'COUNTERPARTY_INFORMATION_REQUIRED',
         'COMPLIANCE_REVIEW'))`,
  ],
  [
    'transactions_times',
    `(new.status <> 'COMPLETED' or new.settled_at is not null) and (new.taken_at is null or new.executed_at is not null)`,
  ],
  // customers.md §7: a payment that waits has a deadline, and none of its money has moved.
  [
    'transactions_authorization',
    `case new.status
        when 'PENDING_AUTHORIZATION' then new.authorize_by is not null and new.kind = 'QUOTE'
          and new.executed_at is null and new.taken_at is null
        when 'FAILED' then (new.authorize_by is null) or (new.taken_at is null and new.refund_status is null)
        else new.authorize_by is null
      end`,
  ],
  // agents.md §5: an agent's request waits, and none of its money has moved.
  [
    'transactions_approval',
    `new.approve_by is null or (new.status = 'PENDING' and new.kind in ('QUOTE', 'TRANSFER')
        and new.agent_id is not null and new.executed_at is null)`,
  ],
  // A mirror shows a delivery. It is created completed, and fails if the delivery is reversed. Nothing is ever posted
  // for it.
  [
    'transactions_mirror',
    `new.kind <> 'MIRROR' or (new.type = 'INCOMING' and new.status in ('COMPLETED', 'FAILED')
        and new.taken_at is null and new.inflight_sent_no = 0)`,
  ],
  // money.md §12.4.
  [
    'transactions_inflight',
    `(new.inflight_sent = 0 and new.inflight_received = 0) or (new.taken_at is not null
        and (new.status = 'PROCESSING' or (new.status = 'PENDING' and new.kind in ('TRANSFER', 'UMA'))))`,
  ],
  [
    'transactions_one_currency',
    `${IS_CROSS_CURRENCY} or (new.inflight_received = 0 and new.inflight_received_no = 0)`,
  ],
  // money.md §12.5.
  [
    'transactions_refund_payable',
    `new.refund_payable = case when new.refund_status = 'PENDING' then new.refund_amount else 0 end`,
  ],
  [
    'transactions_refund',
    `case
        when new.refund_status is null then new.refund_initiated_at is null and new.refund_reference is null
          and new.refund_reason is null and new.refund_amount is null and new.refund_settled_at is null
        else new.refund_initiated_at is not null and new.refund_reference is not null and new.refund_amount > 0
          and new.refund_status in ('PENDING', 'COMPLETED', 'FAILED')
          and new.refund_reason in ('TRANSACTION_FAILED', 'USER_CANCELLATION', 'TIMEOUT')
          and (new.refund_status = 'COMPLETED') = (new.refund_settled_at is not null)
          and new.taken_at is not null
      end`,
  ],
];

/** A payment that is not refunded, did not fail and waits for nobody. */
export const USUALLY = `(new.status in ('PENDING', 'COMPLETED') or (new.status = 'PROCESSING' and new.type = 'OUTGOING'))
    and num_nonnulls(new.failure_reason, new.pending_reason, new.authorize_by, new.approve_by, new.refund_status,
                     new.refund_reason, new.refund_reference, new.refund_amount, new.refund_initiated_at,
                     new.refund_settled_at) = 0
    and new.refund_payable = 0 and new.kind <> 'MIRROR' and new.version > 0
    and least(new.inflight_sent_no, new.inflight_received_no, new.refund_payable_no) >= 0
    and (new.quote_id is null) = (new.expires_at is null)
    and (new.status <> 'COMPLETED' or new.settled_at is not null)
    and (new.taken_at is null or new.executed_at is not null)
    and ((new.inflight_sent = 0 and new.inflight_received = 0)
         or (new.taken_at is not null and new.status = 'PROCESSING'))
    and (${IS_CROSS_CURRENCY} or (new.inflight_received = 0 and new.inflight_received_no = 0))`;

const table = 'transactions';

export default `${guardFunction({ table, name: 'transactions_guard', conditions: [...FIXED, ...STATE] })}
create or replace trigger transactions_sound before insert or update of ${Object.keys(FIXED_COLUMNS).join(', ')}
  on transactions for each row execute function transactions_guard();

-- For an update that leaves the fixed columns alone.
${guardFunction({ table, name: 'transactions_state_guard', conditions: STATE, usually: USUALLY })}
create or replace trigger transactions_state_sound before update on transactions
  for each row execute function transactions_state_guard();
`;
