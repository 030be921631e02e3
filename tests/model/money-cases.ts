import { isWallet, type Payment } from '#tests/model/money-model.ts';

/** The cases that one payment covered. */
export function reached(payment: Payment): string[] {
  const { kind, status, reason, refund, isReversed, addressed, from, to, isTaken, events } = payment;
  const isOutside = to.kind === 'OUTSIDE';
  const waits = events.filter((event) => event === 'PENDING_AUTHORIZATION').length;
  return [
    ...(waits > 0 ? [`waited, ${status}`, `waited ${from.kind}, ${status}`] : []),
    ...(waits > 1 ? ['asked twice'] : []),
    ...(waits > 0 && isWallet(from) ? ['signed and waited'] : []),
    ...(waits === 0 && isTaken && isToTrusted(payment) ? ['paid a trusted account'] : []),
    status,
    ...(reason === undefined ? [] : [reason]),
    ...(refund ? [`refund ${refund.status}`] : []),
    ...(isReversed ? ['reversed'] : []),
    ...(isWallet(from) && isTaken ? [`out of a wallet, ${status}`] : []),
    ...(addressed ? [isOutside ? 'addressed, paid on' : 'addressed'] : []),
    ...(kind === 'UMA' && isOutside ? ['paid on', `paid on, ${status}`] : []),
  ];
}

/** The accounts that such a customer trusts, and pays without a question (customers.md §7.15). */
function isToTrusted({ owner, type, to, addressed }: Payment): boolean {
  return (owner === 'D' || owner === 'E') && type === 'OUTGOING' && to.kind === 'OUTSIDE' && !addressed;
}

/** The cases that a useful run must cover. */
export const EXPECTED = [
  ...['COMPLETED', 'FAILED', 'EXPIRED', 'refund COMPLETED', 'reversed'],
  ...['INSUFFICIENT_FUNDS', 'QUOTE_EXPIRED', 'TRANSACTION_NOT_CANCELLABLE', 'CONFLICT'],
  ...['notice', 'race', 'kill', 'receive', 'deposit', 'confirm', 'removed'],
  ...['logIn', 'logOut', 'SESSION_NOT_FOUND', 'WALLET_SIGNATURE_INVALID', 'out of a wallet, COMPLETED'],
  ...['waited INSIDE, FAILED', 'waited OUTSIDE, FAILED', 'waited REALTIME, FAILED', 'waited, COMPLETED'],
  ...['SCA_NOT_COMPLETED', 'SCA_SESSION_REQUIRED', 'ACCOUNT_LOCKED', 'RATE_LIMITED', 'BENEFICIARY_TRUSTED'],
  ...['authorize', 'resend', 'trust', 'record', 'asked twice', 'paid a trusted account'],
  ...['addressed', 'addressed, paid on', 'paid on', 'PAYOUT_RETURNED', 'FUNDING_AMOUNT_MISMATCH'],
];
