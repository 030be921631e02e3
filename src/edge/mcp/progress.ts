import type { IncomingTransaction, OutgoingTransaction } from '#capabilities/payments/schemas.ts';
import { type Money, presentMoney } from '#edge/mcp/amounts.ts';

/** Derives the position of a payment's money from its API representation (agents.md §6.5). */
export type Transaction = IncomingTransaction | OutgoingTransaction;

export type Stage =
  /** Nothing has begun. */
  | 'OPEN'
  /** The customer must authorize it; in an internal account the money is on hold meanwhile. */
  | 'HELD'
  | 'ASKED'
  /** A pull was started, and nothing was taken yet. */
  | 'COLLECTING'
  /** It has begun, but the API does not show whether the money was taken: pulls that no agent requested. */
  | 'UNDER_WAY'
  | 'TAKEN'
  /** Another payer's money, which has not arrived yet. */
  | 'AWAITED'
  | 'COMPLETED'
  | 'CANCELLING'
  | 'CANCELLED'
  /** It failed, and nothing was taken. */
  | 'UNTAKEN'
  | 'REFUNDING'
  | 'REFUNDED'
  | 'REFUND_FAILED'
  /** It was collected but could not be credited. */
  | 'SUSPENDED'
  /** It was credited and taken back. */
  | 'REVERSED'
  /** Another payer's money, which did not arrive. */
  | 'LOST'
  | 'EXPIRED'
  | 'REJECTED';

export function stageOf(transaction: Transaction): Stage {
  switch (transaction.status) {
    case 'PENDING_AUTHORIZATION':
      return isInternal(accountOf(transaction.source)) ? 'HELD' : 'ASKED';
    case 'COMPLETED':
      return transaction.refund ? 'CANCELLED' : 'COMPLETED';
    case 'FAILED':
      return failedStage(transaction);
    case 'EXPIRED':
    case 'REJECTED':
    case 'REFUNDED':
      return transaction.status;
    default:
      return openStage(transaction);
  }
}

/** The stage of an unfinished payment: an agent's payment shows whether it has begun; others by their kind. */
function openStage(transaction: Transaction): Stage {
  const { type, status, refund, agentId, quoteId, executedAt, takenAt } = transaction;
  if (refund) return 'CANCELLING';
  if (isFromOthers(transaction)) return 'AWAITED';
  if (takenAt !== undefined) return 'TAKEN';
  if (agentId !== undefined) return executedAt === undefined ? 'OPEN' : 'COLLECTING';
  const isPull = isExternal(accountOf(transaction.source));
  // The platform's own transfers begin when they are created (money.md §5).
  if (quoteId === undefined) return isPull ? 'COLLECTING' : 'TAKEN';
  if (type === 'OUTGOING' && status === 'PENDING') return 'OPEN';
  return isPull ? 'UNDER_WAY' : 'TAKEN';
}

function failedStage(transaction: Transaction): Stage {
  const { type, refund, settledAt, takenAt } = transaction;
  if (type === 'OUTGOING') return refund ? REFUND_STAGES[refund.status] : 'UNTAKEN';
  if (settledAt !== undefined) return 'REVERSED';
  if (isFromOthers(transaction)) return 'LOST';
  return takenAt === undefined ? 'UNTAKEN' : 'SUSPENDED';
}

const REFUND_STAGES = { PENDING: 'REFUNDING', COMPLETED: 'REFUNDED', FAILED: 'REFUND_FAILED' } as const;

/** True for incoming money that the customer did not pull: a deposit, or another payer's payment. */
export function isFromOthers({ type, source }: Transaction): boolean {
  return type === 'INCOMING' && !isExternal(accountOf(source));
}

export function accountOf(party: object | undefined): string | undefined {
  return (party as { accountId?: string } | undefined)?.accountId;
}

const isInternal = (id: string | undefined) => id?.startsWith('InternalAccount:') === true;
const isExternal = (id: string | undefined) => id?.startsWith('ExternalAccount:') === true;

const NOT_TAKEN: ReadonlySet<Stage> = new Set([
  'OPEN',
  'HELD',
  'ASKED',
  'COLLECTING',
  'UNTAKEN',
  'EXPIRED',
  'REJECTED',
]);
const RETURNED: ReadonlySet<Stage> = new Set(['CANCELLED', 'REFUNDED', 'REVERSED']);
const TO_BE_RETURNED: ReadonlySet<Stage> = new Set(['CANCELLING', 'REFUNDING', 'REFUND_FAILED']);
const TO_ARRIVE: ReadonlySet<Stage> = new Set(['COLLECTING', 'UNDER_WAY', 'TAKEN', 'AWAITED']);

/** Where the money is. An unknown amount is absent; no money is 0. */
export interface MoneyMoved {
  readonly fromAccountId?: string | undefined;
  readonly onHold?: Money | undefined;
  readonly taken?: Money | undefined;
  readonly returned?: Money | undefined;
  readonly toBeReturned?: Money | undefined;
  readonly arrived?: Money | undefined;
  readonly stillToArrive?: Money | undefined;
}

export function moneyMoved(transaction: Transaction, stage: Stage): MoneyMoved {
  const { source, sentAmount, receivedAmount, refund } = transaction;
  // If another amount than the requested one arrived, that amount is returned.
  const sent = refund?.amount ?? sentAmount;
  const part = (amount: typeof sent, isAll: boolean) =>
    amount && presentMoney(isAll ? amount.amount : 0, amount.currency);
  const arrival = {
    arrived: part(receivedAmount, stage === 'COMPLETED'),
    stillToArrive: part(receivedAmount, TO_ARRIVE.has(stage)),
  };
  if (isFromOthers(transaction)) return arrival;
  return {
    fromAccountId: accountOf(source),
    onHold: part(sent, stage === 'HELD'),
    taken: stage === 'UNDER_WAY' ? undefined : part(sent, !NOT_TAKEN.has(stage)),
    returned: part(sent, RETURNED.has(stage)),
    toBeReturned: part(sent, TO_BE_RETURNED.has(stage)),
    ...arrival,
  };
}
