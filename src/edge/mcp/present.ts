import type { InternalAccount } from '#capabilities/accounts/schemas.ts';
import type { AgentAction } from '#capabilities/agents/actions/schemas.ts';
import type { Agent } from '#capabilities/agents/schemas.ts';
import type { ExternalAccount } from '#capabilities/external-accounts/schemas.ts';
import type { Quote } from '#capabilities/payments/schemas.ts';
import { presentMoney, presentMoneyIn } from '#edge/mcp/amounts.ts';
import { startedStage, wasExecuted } from '#edge/mcp/describe-outcome.ts';
import { accountOf, type MoneyMoved, moneyMoved, stageOf, type Transaction } from '#edge/mcp/progress.ts';
import type { OwnCurrencies } from '#foundation/lib/currencies.ts';

/**
 * The results of tools. All text by outside people (names, memos, descriptions, addresses) is in `untrustedText` only,
 * so that a model can distinguish it from the service's own text (agents.md §6.3). Every amount has two forms
 * (agents.md §6.4).
 */
type Currency = Quote['sendingCurrency'];
type Fields = Readonly<Record<string, unknown>>;

const optionalMoney = (given: { amount: number; currency: Currency } | undefined) =>
  given && presentMoney(given.amount, given.currency);

export function presentOwnAgent({ id, isPaused, policy, usage }: Agent, own: OwnCurrencies) {
  const optionalLimit = (code: string, limit: number | null | undefined) =>
    limit === null || limit === undefined ? undefined : presentMoneyIn(code, limit, own);
  const { currency, perTransactionLimit, dailyLimit, monthlyLimit, dailyTransactionLimit } =
    policy.spendingLimits;
  const threshold = policy.approvalThresholds;
  return {
    agentId: id,
    isPaused,
    permissions: policy.permissions,
    executionMode: policy.defaultExecutionMode,
    limits: {
      perTransaction: presentMoneyIn(currency, perTransactionLimit, own),
      perDay: optionalLimit(currency, dailyLimit),
      perMonth: optionalLimit(currency, monthlyLimit),
      transactionsPerDay: dailyTransactionLimit,
    },
    used: {
      today: presentMoneyIn(currency, usage.dailySpend, own),
      thisMonth: presentMoneyIn(currency, usage.monthlySpend, own),
      transactionsToday: usage.dailyTransactionCount,
    },
    needsApprovalAbove: threshold?.currency && optionalLimit(threshold.currency, threshold.amount),
    accountRules: policy.accountRestrictions?.accountRules?.map(
      ({ perTransactionLimit: limit, ...rule }) => ({
        ...rule,
        perTransaction: optionalLimit(currency, limit),
      }),
    ),
    allowedAccountIds: policy.accountRestrictions?.allowedAccountIds ?? undefined,
  };
}

export function presentAccount({ id, type, status, balance, totalBalance }: InternalAccount) {
  return {
    accountId: id,
    type,
    status,
    currency: balance.currency.code,
    canSpend: optionalMoney(balance),
    total: optionalMoney(totalBalance),
  };
}

export function presentPayee(payee: ExternalAccount) {
  const { id, status, currency, createdAt, accountInfo, platformAccountId, beneficiaryVerifiedData } = payee;
  const { accountType, paymentRails, ...info } = accountInfo as Fields;
  return {
    payeeId: id,
    status,
    currency,
    accountType,
    paymentRails,
    createdAt,
    untrustedText: { accountInfo: info, platformAccountId, beneficiaryVerifiedData },
  };
}

export function presentQuote(quote: Quote) {
  const { id, status, expiresAt, sendingCurrency, receivingCurrency, transactionId } = quote;
  const [from, to] = [splitParty(quote.source), splitParty(quote.destination)];
  return {
    quoteId: id,
    status,
    expiresAt,
    from: from.known,
    to: to.known,
    totalToPay: presentMoney(quote.totalSendingAmount, sendingCurrency),
    feesIncluded: presentMoney(quote.feesIncluded, sendingCurrency),
    payeeReceives: presentMoney(quote.totalReceivingAmount, receivingCurrency),
    exchangeRate: quote.exchangeRate,
    transactionId,
    untrustedText: { to: to.told, counterpartyInformation: quote.counterpartyInformation },
  };
}

/** Ids, types and codes of a party are the service's own data; the rest was written by others. */
function splitParty(party: object | undefined) {
  const { sourceType, destinationType, accountId, currency, paymentRail, customerId, ...told } = (party ??
    {}) as Fields;
  return { known: { type: sourceType ?? destinationType, accountId, currency, paymentRail }, told };
}

export function presentTransaction(transaction: Transaction, stage = stageOf(transaction)) {
  const { id, type, status, direction, sentAmount, receivedAmount, refund } = transaction;
  const [from, to] = [splitParty(transaction.source), splitParty(transaction.destination)];
  const { pendingReason, failureReason, quoteId, agentId, createdAt, settledAt } = transaction;
  return {
    transactionId: id,
    type,
    status,
    direction,
    pendingReason,
    failureReason,
    from: from.known,
    to: to.known,
    sent: optionalMoney(sentAmount),
    received: optionalMoney(receivedAmount),
    money: moneyMoved(transaction, stage),
    refund: refund && { status: refund.status, reason: refund.reason, amount: optionalMoney(refund.amount) },
    quoteId,
    agentId,
    createdAt,
    settledAt,
    untrustedText: {
      description: transaction.description,
      counterpartyInformation: transaction.counterpartyInformation,
      from: from.told,
      to: to.told,
      payer: transaction.payer,
      payee: transaction.payee,
      memo: transaction.memo,
    },
  };
}

export function presentAction(action: AgentAction, own: OwnCurrencies) {
  const { id, status, type, quote, transferDetails: transfer, failure } = action;
  // An agent's action is never a card's.
  const transaction = action.transaction as Transaction | undefined;
  return {
    actionId: id,
    status,
    type,
    money: transaction ? moneyMoved(transaction, startedStage(transaction)) : unmoved(action, own),
    quote: quote && presentQuote(quote),
    transfer: transfer && {
      fromAccountId: transfer.sourceAccountId,
      toAccountId: transfer.destinationAccountId,
      amount: presentMoneyIn(transfer.currency, transfer.amount, own),
    },
    transaction: transaction && presentTransaction(transaction, startedStage(transaction)),
    failure,
    createdAt: action.createdAt,
    updatedAt: action.updatedAt,
    untrustedText: {
      rejectionReason: action.rejectionReason,
      payer: action.payer,
      payee: action.payee,
      memo: action.memo,
    },
  };
}

/** For an action that waits or ended without a payment. If its quote was still executed, see its transaction. */
function unmoved({ status, quote, transferDetails }: AgentAction, own: OwnCurrencies): MoneyMoved {
  if (status === 'APPROVED' || (quote && wasExecuted(quote))) return {};
  const from = quote ? accountOf(quote.source) : transferDetails?.sourceAccountId;
  const none = quote
    ? presentMoney(0, quote.sendingCurrency)
    : transferDetails && presentMoneyIn(transferDetails.currency, 0, own);
  return { fromAccountId: from, onHold: none, taken: none, stillToArrive: none };
}

/** Presents the details of a policy's refusal, with both forms of each amount. */
export function presentDetails(details: Fields, own: OwnCurrencies): Fields {
  const { currency } = details;
  if (typeof currency !== 'string') return details;
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      typeof value === 'number' ? presentMoneyIn(currency, value, own) : value,
    ]),
  );
}
