import type { PayoutFailure, RailNotice } from '#rails/payments.ts';

/**
 * What the sandbox's rails do, by the suffix of the account (money.md §9). Each outcome is a list of stages: so
 * long after the one before, these notices.
 */
export interface Stage {
  readonly afterMs: number;
  readonly notices: readonly RailNotice[];
}

export interface PayoutOutcome {
  /** Refused already in the response. */
  readonly verdict?: PayoutFailure;
  /** Handed over at once, or left waiting: a transfer then stays `PENDING`. */
  readonly isQueued?: boolean;
  readonly stages: readonly Stage[];
  readonly isRefundFailing?: boolean;
}

export interface PullOutcome {
  readonly isRefused?: boolean;
  readonly stages: readonly Stage[];
}

export const STEP_MS = 1_000;
const RETURN_MS = 5_000;
const TIMEOUT_MS = 30_000;
export const LONG_MS = 6 * 60_000;

const delivered: RailNotice = { kind: 'delivered' };
const failed = (reason: PayoutFailure, timedOut = false): RailNotice => ({
  kind: 'payoutFailed',
  reason,
  timedOut,
});

/** Destinations of transfers and of quotes within one currency. */
export const TRANSFER_PAYOUTS: Readonly<Record<string, PayoutOutcome>> = {
  '002': { verdict: 'QUOTE_EXECUTION_FAILED', stages: [] },
  '003': { verdict: 'ACCOUNT_INVALID', stages: [] },
  '004': { stages: [{ afterMs: STEP_MS, notices: [failed('ACCOUNT_CANNOT_RECEIVE')] }] },
  '005': {
    isQueued: true,
    stages: [{ afterMs: TIMEOUT_MS, notices: [failed('QUOTE_EXECUTION_FAILED', true)] }],
  },
};

/** Destinations of quotes across currencies. */
export const QUOTE_PAYOUTS: Readonly<Record<string, PayoutOutcome>> = {
  '002': { stages: [{ afterMs: STEP_MS, notices: [failed('QUOTE_EXECUTION_FAILED')] }] },
  '003': { stages: [{ afterMs: LONG_MS, notices: [delivered] }] },
  '004': { stages: [{ afterMs: STEP_MS, notices: [failed('ACCOUNT_CANNOT_RECEIVE')] }] },
  '005': {
    stages: [
      { afterMs: STEP_MS, notices: [delivered] },
      { afterMs: RETURN_MS, notices: [{ kind: 'returned' }] },
    ],
  },
  '006': { stages: [{ afterMs: STEP_MS, notices: [{ kind: 'cancelled' }] }] },
  '007': {
    stages: [{ afterMs: STEP_MS, notices: [failed('ACCOUNT_CANNOT_RECEIVE')] }],
    isRefundFailing: true,
  },
};

/** Every other account: after one step it is done. */
export const PAID: PayoutOutcome = { stages: [{ afterMs: STEP_MS, notices: [delivered] }] };

/** Sources of pulls. */
export const PULLS: Readonly<Record<string, PullOutcome>> = {
  '002': { isRefused: true, stages: [] },
  '003': { isRefused: true, stages: [] },
  '004': { stages: [{ afterMs: STEP_MS, notices: [{ kind: 'collectionFailed' }] }] },
  '005': { stages: [{ afterMs: TIMEOUT_MS, notices: [{ kind: 'collectionFailed' }] }] },
};

export const PULLED: PullOutcome = { stages: [{ afterMs: STEP_MS, notices: [{ kind: 'collected' }] }] };

/** Receivers at the sandbox's UMA domain, by the name before the `@`; others: after one step it is done. */
export const UMA_PAYOUTS: Readonly<Record<string, PayoutOutcome>> = {
  '$pending.long.usd': {
    stages: [
      { afterMs: 0, notices: [{ kind: 'held' }] },
      { afterMs: LONG_MS, notices: [delivered] },
    ],
  },
  '$fail.compliance.usd': {
    stages: [{ afterMs: STEP_MS, notices: [failed('COMPLIANCE_REJECTED')] }],
  },
};
