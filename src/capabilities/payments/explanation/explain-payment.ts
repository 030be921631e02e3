import { availAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import { findCustomer } from '#capabilities/customers/store.ts';
import { decisionsOf } from '#capabilities/payments/explanation/decisions.ts';
import { causeOf, failureOf } from '#capabilities/payments/explanation/failures.ts';
import { historyOf } from '#capabilities/payments/explanation/history.ts';
import { jobsOf } from '#capabilities/payments/explanation/jobs.ts';
import { messagesOf, ordersOf } from '#capabilities/payments/explanation/orders.ts';
import { summaryOf } from '#capabilities/payments/explanation/summary.ts';
import { transitionsOf } from '#capabilities/payments/explanation/transitions.ts';
import { waitingOf } from '#capabilities/payments/explanation/waiting.ts';
import { findDecisionDeadline } from '#capabilities/payments/incoming/store.ts';
import { JOB } from '#capabilities/payments/machine/jobs.ts';
import { awaitsDecision } from '#capabilities/payments/machine/uma.ts';
import { shownStatus } from '#capabilities/payments/present-transaction.ts';
import { isOpenQuote, payerAccount, type TransactionRow } from '#capabilities/payments/row.ts';
import { findQuote, findTransaction } from '#capabilities/payments/store.ts';
import { findChallenge } from '#capabilities/sca/challenges/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { AskedId, Explained, Explainer } from '#foundation/explanation/explanation.ts';
import { listWaiting } from '#foundation/jobs/store.ts';
import { findSuspendedOf } from '#foundation/ledger/open-items-store.ts';
import { findBalances } from '#foundation/ledger/store.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** Explains payments of every kind, by the id of the transaction or of its quote (operator.md §8.1). */
export const paymentExplainer: Explainer = {
  types: ['Transaction', 'Quote'],
  async explain(tx, asked) {
    const row = await findPayment(tx, asked);
    return row && explainPayment(tx, row);
  },
};

async function findPayment(tx: ReadTx, { type, uuid }: AskedId): Promise<TransactionRow | undefined> {
  const found = type === 'Quote' ? undefined : await findTransaction(tx, uuid);
  return found ?? (type === 'Transaction' ? undefined : findQuote(tx, uuid as QuoteId));
}

async function explainPayment(tx: ReadTx, row: TransactionRow): Promise<Explained> {
  const own = tx.platform.ownCurrencies;
  const jobs = jobsOf(row);
  const [challenge, due, available, customer, decideBy, suspended] = await Promise.all([
    row.authorize_by ? findChallenge(tx, { purpose: 'PAYMENT', target: row.id }) : undefined,
    listWaiting(tx, jobs),
    loadAvailable(tx, row),
    row.customer_id === null ? undefined : findCustomer(tx, row.customer_id),
    awaitsDecision(row) ? findDecisionDeadline(tx, row.id) : undefined,
    row.refund_status === 'FAILED' ? findSuspendedOf(tx, row.id) : undefined,
  ]);
  const isOrdered = !due.some(({ kind }) => kind === JOB.pay);
  const failure = failureOf(tx, row);
  const cause = row.executed_at === null ? undefined : causeOf(tx, row);
  return {
    id: publicId('Transaction', row.id),
    type: row.type,
    status: shownStatus(row, tx.now),
    summary: summaryOf(tx, row, { failure, isOrdered }),
    waiting: waitingOf(tx, row, {
      ...{ challenge, available, nextDue: due[0]?.due_at, decideBy },
      suspenseEntry: suspended?.id,
    }),
    failure,
    related: relatedTo(row),
    items(entries) {
      const history = historyOf(row, entries, tx.now);
      return [
        ...decisionsOf(row, { history, own, region: customer?.region }),
        ...transitionsOf(row, history),
        ...ordersOf(row, { history, own, due: new Set(due.map(({ kind }) => kind)), cause }),
        ...messagesOf(challenge),
      ];
    },
    resources: [
      publicId('Transaction', row.id),
      ...(row.quote_id === null ? [] : [publicId('Quote', row.quote_id)]),
    ],
    // A mirror posts nothing: the payment that it shows has the entries.
    ledgerId: row.details.mirrorOf ?? row.id,
    jobs,
    changedAt: row.updated_at,
    refusals: REFUSALS,
    passingNow: available !== undefined && available >= row.sending_amount ? ['INSUFFICIENT_FUNDS'] : [],
  };
}

/** The balance matters only while the payment has yet to be taken from it. */
async function loadAvailable(tx: ReadTx, row: TransactionRow): Promise<bigint | undefined> {
  if (!isOpenQuote(row) || row.source.kind !== 'INTERNAL') return undefined;
  const balances = await findBalances(tx, [availAccountOf(payerAccount(row))]);
  return balances.find(({ currency }) => currency === row.sending_currency)?.balance ?? 0n;
}

function relatedTo(row: TransactionRow): Explained['related'] {
  const { source, destination, details } = row;
  return [
    ...(row.quote_id === null ? [] : [{ id: publicId('Quote', row.quote_id), relation: 'quote' }]),
    ...(row.agent_id === null ? [] : [{ id: publicId('Agent', row.agent_id), relation: 'agent' }]),
    ...(source.kind === 'INTERNAL'
      ? [{ id: publicId('InternalAccount', source.account), relation: 'payer’s account' }]
      : []),
    ...(source.kind === 'EXTERNAL'
      ? [{ id: publicId('ExternalAccount', source.account), relation: 'payer’s external account' }]
      : []),
    ...(destination.kind === 'INTERNAL'
      ? [{ id: publicId('InternalAccount', destination.account), relation: 'receiver’s account' }]
      : []),
    ...(destination.kind === 'EXTERNAL'
      ? [{ id: publicId('ExternalAccount', destination.account), relation: 'receiver’s external account' }]
      : []),
    ...(details.mirrorOf === undefined
      ? []
      : [{ id: publicId('Transaction', details.mirrorOf), relation: 'the payer’s transaction' }]),
  ];
}

/** The rules behind refused executions and decisions. */
const REFUSALS: Readonly<Record<string, string>> = {
  INSUFFICIENT_FUNDS: 'money.md §3.3',
  DAILY_VOLUME_LIMIT_EXCEEDED: 'money.md §8.2',
  QUOTE_EXPIRED: 'money.md §3.1',
  QUOTE_RATE_UNAVAILABLE: 'money.md §3.3',
  CONFLICT: 'money.md §3.3',
  USER_NOT_READY: 'money.md §3.3',
  END_USER_TERMS_NOT_ACCEPTED: 'money.md §3.3',
  ACCOUNT_NOT_FOUND: 'money.md §3.3a',
  SCA_SESSION_REQUIRED: 'money.md §3.5a',
  TRANSACTION_NOT_CANCELLABLE: 'money.md §6.9',
  TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL: 'money.md §6.8',
  MISSING_MANDATORY_USER_INFO: 'money.md §6.8',
};
