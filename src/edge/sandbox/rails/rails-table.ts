import { DELAYS, formatDuration } from '#edge/sandbox/delays-table.ts';
import type { CompleteTable } from '#edge/sandbox/table.ts';
import type { PayoutFailure, RailNotice } from '#foundation/ports/payments.ts';

/** Notices that the rail sends together, and how long after the previous stage. */
export interface RailStage {
  readonly afterMs: number;
  readonly notices: readonly RailNotice[];
}

export interface PayoutOutcome {
  /** Known at once: the request itself is refused. */
  readonly knownFailure?: PayoutFailure;
  /** Not accepted at once: a transfer then stays `PENDING`. */
  readonly isQueued?: boolean;
  readonly stages: readonly RailStage[];
  readonly isRefundFailing?: boolean;
}

export interface PullOutcome {
  readonly isRefused?: boolean;
  readonly stages: readonly RailStage[];
}

const STEP_MS = DELAYS.step.ms;
const RETURN_MS = DELAYS.return.ms;
const TIMEOUT_MS = DELAYS.timeout.ms;
const LONG_MS = DELAYS.long.ms;
const step = formatDuration(STEP_MS);
const later = formatDuration(RETURN_MS);
const timeout = formatDuration(TIMEOUT_MS);
const long = formatDuration(LONG_MS);

const delivered: RailNotice = { kind: 'delivered' };
const failed = (reason: PayoutFailure, timedOut = false): RailNotice => ({
  kind: 'payoutFailed',
  reason,
  timedOut,
});

/** The API's view of a payment that failed and was refunded. */
const refunded = (failureReason: string, reason = 'TRANSACTION_FAILED') => ({
  status: 'FAILED',
  failureReason,
  'refund.status': 'COMPLETED',
  'refund.reason': reason,
});

/** The default outcome: paid after one step. */
export const PAID: PayoutOutcome = { stages: [{ afterMs: STEP_MS, notices: [delivered] }] };

const WHICH_CHARACTERS =
  'Only the last three characters matter, if all are digits; in an e-mail, VPA or Lightning address those before the `@`.';

/** money.md §9.2, quote table. */
export const QUOTE_PAYOUTS: CompleteTable<PayoutOutcome> = {
  id: 'cross-currency-payouts',
  title: 'Payments into another currency',
  intro:
    'The end of the destination of a quote across currencies (IBAN, account number, phone number, key or address) decides ' +
    `the outcome of the payment after its execution. ${WHICH_CHARACTERS}`,
  column: 'Destination ends in',
  operations: ['createQuote', 'executeQuote', 'sandboxSend'],
  rows: [
    {
      value: '002',
      example: 'DE35370400440532013002',
      effect: `The execution fails after ${step}; ${step} later the money is back.`,
      shows: refunded('QUOTE_EXECUTION_FAILED'),
      overAfterMs: 2 * STEP_MS,
      does: { stages: [{ afterMs: STEP_MS, notices: [failed('QUOTE_EXECUTION_FAILED')] }] },
    },
    {
      value: '003',
      example: 'DE08370400440532013003',
      effect: `A slow payment: \`PROCESSING\` for ${long}, then completed.`,
      shows: { status: 'COMPLETED' },
      overAfterMs: LONG_MS,
      does: { stages: [{ afterMs: LONG_MS, notices: [delivered] }] },
    },
    {
      value: '004',
      example: 'DE78370400440532013004',
      effect: `The receiver’s bank cannot credit the account: it fails after ${step}; ${step} later the money is back.`,
      shows: refunded('ACCOUNT_CANNOT_RECEIVE'),
      overAfterMs: 2 * STEP_MS,
      does: { stages: [{ afterMs: STEP_MS, notices: [failed('ACCOUNT_CANNOT_RECEIVE')] }] },
    },
    {
      value: '005',
      example: 'DE51370400440532013005',
      effect: `Completed after ${step}, then returned by the bank ${later} later; ${step} after that the money is back.`,
      shows: refunded('PAYOUT_RETURNED'),
      overAfterMs: STEP_MS + RETURN_MS + STEP_MS,
      does: {
        stages: [
          { afterMs: STEP_MS, notices: [delivered] },
          { afterMs: RETURN_MS, notices: [{ kind: 'returned' }] },
        ],
      },
    },
    {
      value: '006',
      example: 'DE24370400440532013006',
      effect: `Cancelled after ${step}: the money is back ${step} later, and the payment counts as completed.`,
      shows: {
        status: 'COMPLETED',
        'refund.status': 'COMPLETED',
        'refund.reason': 'USER_CANCELLATION',
      },
      overAfterMs: 2 * STEP_MS,
      does: { stages: [{ afterMs: STEP_MS, notices: [{ kind: 'cancelled' }] }] },
    },
    {
      value: '007',
      example: 'DE94370400440532013007',
      effect: `The payment fails after ${step}, and ${step} later its refund fails too.`,
      shows: {
        status: 'FAILED',
        failureReason: 'ACCOUNT_CANNOT_RECEIVE',
        'refund.status': 'FAILED',
        'refund.reason': 'TRANSACTION_FAILED',
      },
      overAfterMs: 2 * STEP_MS,
      does: {
        stages: [{ afterMs: STEP_MS, notices: [failed('ACCOUNT_CANNOT_RECEIVE')] }],
        isRefundFailing: true,
      },
    },
  ],
  otherwise: {
    value: 'anything else',
    example: 'DE89370400440532013000',
    effect: `Completed after ${step}.`,
    shows: { status: 'COMPLETED' },
    overAfterMs: STEP_MS,
    does: PAID,
  },
};

/** money.md §9.2, transfer table, payouts. */
export const TRANSFER_PAYOUTS: CompleteTable<PayoutOutcome> = {
  id: 'same-currency-payouts',
  title: 'Payments within one currency',
  intro:
    'The end of the destination of a transfer out, or of a quote within one currency, decides the outcome of the ' +
    `payment. ${WHICH_CHARACTERS}`,
  column: 'Destination ends in',
  operations: ['createTransferOut', 'createQuote', 'executeQuote'],
  rows: [
    {
      value: '002',
      example: '000123456002',
      effect: `\`FAILED\` already in the response; ${step} later the money is back.`,
      shows: refunded('QUOTE_EXECUTION_FAILED'),
      overAfterMs: STEP_MS,
      does: { knownFailure: 'QUOTE_EXECUTION_FAILED', stages: [] },
    },
    {
      value: '003',
      example: '000123456003',
      effect: `The account is closed or invalid: \`FAILED\` already in the response; ${step} later the money is back.`,
      shows: refunded('ACCOUNT_INVALID'),
      overAfterMs: STEP_MS,
      does: { knownFailure: 'ACCOUNT_INVALID', stages: [] },
    },
    {
      value: '004',
      example: '000123456004',
      effect: `The bank refuses after ${step}; ${step} later the money is back.`,
      shows: refunded('ACCOUNT_CANNOT_RECEIVE'),
      overAfterMs: 2 * STEP_MS,
      does: { stages: [{ afterMs: STEP_MS, notices: [failed('ACCOUNT_CANNOT_RECEIVE')] }] },
    },
    {
      value: '005',
      example: '000123456005',
      effect:
        `The bank never answers: a transfer stays \`PENDING\`, a quote \`PROCESSING\`, for ${timeout}; then it fails, ` +
        `and ${step} later the money is back.`,
      shows: refunded('QUOTE_EXECUTION_FAILED', 'TIMEOUT'),
      overAfterMs: TIMEOUT_MS + STEP_MS,
      does: {
        isQueued: true,
        stages: [{ afterMs: TIMEOUT_MS, notices: [failed('QUOTE_EXECUTION_FAILED', true)] }],
      },
    },
  ],
  otherwise: {
    value: 'anything else',
    example: '000123456789',
    effect: `Completed after ${step}.`,
    shows: { status: 'COMPLETED' },
    overAfterMs: STEP_MS,
    does: PAID,
  },
};

const COLLECTION_FAILED = { status: 'FAILED', failureReason: 'COLLECTION_FAILED' };

/** money.md §9.2, transfer table, pulls. */
export const PULLS: CompleteTable<PullOutcome> = {
  id: 'pulls',
  title: 'Money pulled from an external account',
  intro:
    'The end of the source of a transfer in, or of a quote out of an external account, decides whether the money can be ' +
    `collected. If not, the quote’s payment fails as well, with \`QUOTE_EXECUTION_FAILED\`. ${WHICH_CHARACTERS}`,
  column: 'Source ends in',
  operations: ['createTransferIn', 'createQuote', 'executeQuote'],
  rows: [
    {
      value: '002',
      example: '000123456002',
      effect: '`FAILED` already in the response.',
      shows: COLLECTION_FAILED,
      does: { isRefused: true, stages: [] },
    },
    {
      value: '003',
      example: '000123456003',
      effect: 'The account is closed or invalid: `FAILED` already in the response.',
      shows: COLLECTION_FAILED,
      does: { isRefused: true, stages: [] },
    },
    {
      value: '004',
      example: '000123456004',
      effect: `\`PENDING\`; the bank refuses after ${step}.`,
      shows: COLLECTION_FAILED,
      overAfterMs: STEP_MS,
      does: { stages: [{ afterMs: STEP_MS, notices: [{ kind: 'collectionFailed' }] }] },
    },
    {
      value: '005',
      example: '000123456005',
      effect: `The bank never answers: \`PENDING\` for ${timeout}, then it fails.`,
      shows: COLLECTION_FAILED,
      overAfterMs: TIMEOUT_MS,
      does: { stages: [{ afterMs: TIMEOUT_MS, notices: [{ kind: 'collectionFailed' }] }] },
    },
  ],
  otherwise: {
    value: 'anything else',
    example: '000123456789',
    effect: `\`PENDING\`; completed and credited after ${step}.`,
    shows: { status: 'COMPLETED' },
    overAfterMs: STEP_MS,
    does: { stages: [{ afterMs: STEP_MS, notices: [{ kind: 'collected' }] }] },
  },
};
