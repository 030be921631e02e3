import type { AgentAction } from '#capabilities/agents/actions/schemas.ts';
import type { Quote } from '#capabilities/payments/schemas.ts';
import { presentMoney } from '#edge/mcp/amounts.ts';
import { accountOf, isFromOthers, type Stage, stageOf, type Transaction } from '#edge/mcp/progress.ts';

/**
 * Tells the outcome of a payment in sentences that a model cannot misread: how much was taken, from where, and how
 * much is still to arrive (agents.md §6.5). No sentence quotes text by others.
 */

interface Words {
  readonly sent: string;
  readonly received: string;
  readonly from: string;
  readonly to: string;
  readonly why: string;
  /** An action that the model must avoid. */
  readonly never: string;
}

const SENTENCES: Readonly<Record<Stage, (words: Words) => string>> = {
  OPEN: ({ from }) => `NOT STARTED: nothing was taken from ${from}, and nothing is on its way.`,
  HELD: ({ sent, from }) =>
    `NOT PAID YET: ${sent} is on hold in ${from}, and no payment was made. The customer must confirm this with the platform. ` +
    'You cannot do that; do not request it again.',
  ASKED: ({ from }) =>
    `NOT PAID YET: nothing was taken from ${from}. The customer must confirm this with the platform. You cannot do that; ` +
    'do not request it again.',
  COLLECTING: ({ sent, received, from, to, never }) =>
    `STARTED: ${sent} is being collected from ${from}. It was not taken yet, and ${received} has not reached ${to}. ${never}`,
  UNDER_WAY: ({ sent, received, from, to, never }) =>
    `STARTED: ${sent} is being taken from ${from}, or was taken already. ${received} has not reached ${to} yet. ${never}`,
  TAKEN: ({ sent, received, from, to, never }) =>
    `STARTED: ${sent} was taken from ${from}. ${received} is on its way and has not reached ${to} yet. ${never}`,
  AWAITED: ({ received, to }) => `NOT ARRIVED YET: ${received} has not reached ${to} yet.`,
  COMPLETED: ({ sent, received, from, to, never }) =>
    `COMPLETED: ${sent} was taken from ${from}, and ${received} has reached ${to}. ${never}`,
  CANCELLING: ({ sent, from }) =>
    `CANCELLED: ${sent} was taken from ${from}. It is being returned and has not arrived yet. No payment was made.`,
  CANCELLED: ({ sent, from }) =>
    `CANCELLED: ${sent} was taken from ${from} and was returned. No payment was made.`,
  UNTAKEN: ({ from, why }) => `FAILED: ${why}: nothing was taken from ${from}, and no payment was made.`,
  REFUNDING: ({ sent, from, to, why }) =>
    `FAILED: ${why}: ${sent} was taken from ${from} and did not reach ${to}. It is being returned and has not arrived yet. ` +
    'Do not pay again before it has.',
  REFUNDED: ({ sent, from, to, why }) =>
    `FAILED AND REFUNDED: ${why}: ${sent} was taken from ${from}, did not reach ${to}, and was returned.`,
  REFUND_FAILED: ({ sent, from, to, why }) =>
    `FAILED: ${why}: ${sent} was taken from ${from}, did not reach ${to}, and could not be paid back. The platform’s ` +
    'staff handles it. Do not pay again: tell the customer.',
  SUSPENDED: ({ sent, from, to, why, never }) =>
    `FAILED: ${why}: ${sent} was taken from ${from} and could not be credited to ${to}. The platform’s staff handles ` +
    `it. ${never}`,
  REVERSED: ({ received, to, why }) => `FAILED: ${why}: ${received} had reached ${to} and was taken back.`,
  LOST: ({ received, to, why }) => `FAILED: ${why}: ${received} did not reach ${to}.`,
  EXPIRED: ({ from }) => `EXPIRED: nothing was taken from ${from}, and no payment was made.`,
  REJECTED: ({ from }) => `REJECTED: nothing was taken from ${from}, and no payment was made.`,
};

export function tellTransaction(transaction: Transaction): string {
  return tellStage(transaction, stageOf(transaction));
}

function tellStage(transaction: Transaction, stage: Stage): string {
  const words = wordsFor(transaction);
  const told =
    stage === 'COMPLETED' && isFromOthers(transaction)
      ? `COMPLETED: ${words.received} has reached ${words.to}.`
      : SENTENCES[stage](words);
  return `${told}${stage === 'OPEN' ? tellOpen(transaction) : ''} Transaction ${transaction.id}.`;
}

/** Tells what an agent's payment that has not begun may wait for. */
function tellOpen({ agentId, quoteId }: Transaction): string {
  if (agentId === undefined) return '';
  return quoteId === undefined
    ? ' It waits for approval by a person at the platform. Do not request it again.'
    : ' If pay_quote was called, it waits for approval: list_actions says so. Do not make another quote for it.';
}

function wordsFor(transaction: Transaction): Words {
  const { type, sentAmount, receivedAmount, refund, failureReason } = transaction;
  const sent = refund?.amount ?? sentAmount;
  const shown = (amount: typeof sent) =>
    amount ? presentMoney(amount.amount, amount.currency).decimal : 'an amount that is not known yet';
  return {
    sent: shown(sent),
    received: shown(receivedAmount),
    from: nameAccount(accountOf(transaction.source)) ?? 'the payer',
    to: nameAccount(accountOf(transaction.destination)) ?? 'the payee',
    why: failureReason ?? 'no reason is known',
    never: type === 'OUTGOING' ? 'Do not pay again.' : 'Do not request it again.',
  };
}

function nameAccount(id: string | undefined): string | undefined {
  return id && `account ${id}`;
}

export function tellAction(action: AgentAction): string {
  const { id, status, type, failure, transaction, quote } = action;
  if (status === 'APPROVED') return tellStarted(transaction as Transaction | undefined);
  if (quote && wasExecuted(quote)) {
    return (
      `DO NOT PAY AGAIN: this request ended as ${status}, and its quote was executed anyway, by the platform or by ` +
      `a later request of yours. It is ${quote.status}: see transaction ${quote.transactionId}.`
    );
  }
  const source =
    type === 'EXECUTE_QUOTE' ? accountOf(quote?.source) : action.transferDetails?.sourceAccountId;
  const untouched = `Nothing was taken from ${nameAccount(source) ?? 'the customer'}.`;
  if (status === 'PENDING_APPROVAL') {
    return (
      `NOT PAID YET: this waits for approval by a person at the platform. ${untouched} Do not request it again. Look at ` +
      `get_action with ${id} later to see what was decided.`
    );
  }
  if (status === 'REJECTED') {
    return `NOT PAID: a person at the platform rejected this. ${untouched} Do not request it again.`;
  }
  return `NOT PAID: ${failure?.code ?? 'FAILED'}: ${failure?.reason ?? 'it could not start'} ${untouched}`;
}

/** An approved action has begun, even if its transaction is not visible. */
function tellStarted(transaction: Transaction | undefined): string {
  if (!transaction)
    return 'STARTED: the payment has begun, and its transaction is not shown. Do not pay again.';
  return tellStage(transaction, startedStage(transaction));
}

export function startedStage(transaction: Transaction): Stage {
  const stage = stageOf(transaction);
  return stage === 'OPEN' ? 'UNDER_WAY' : stage;
}

/**
 * True if the quote was executed. An action without a payment leaves it pending or expired (agents.md §5.21, §5.22).
 */
export function wasExecuted({ status }: Quote): boolean {
  return status !== 'PENDING' && status !== 'EXPIRED';
}

/** Tells whether a quote can be paid, and by whom. */
export function tellQuote(quote: Quote): string {
  const { id, status, transactionId, paymentInstructions } = quote;
  if (wasExecuted(quote)) {
    return (
      `Quote ${id} was executed or has ended, and is ${status}. Do not pay it again, nor make another quote for it: ` +
      `get_transaction with ${transactionId}, or list_actions, shows the taken amount and the outcome.`
    );
  }
  if (paymentInstructions?.some(({ accountOrWalletInfo }) => 'payloadToSign' in accountOrWalletInfo)) {
    return (
      `Quote ${id} is ${status}, and you cannot pay it: it pays from an embedded wallet, and its owner must sign it. The ` +
      'customer pays it through the platform.'
    );
  }
  if (status === 'EXPIRED')
    return `Quote ${id} has EXPIRED: nothing was taken, and it cannot be paid any more.`;
  return `Quote ${id} is ${status}. A quote moves nothing until pay_quote is called with it.`;
}
