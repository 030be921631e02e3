import { FAILURES } from '#capabilities/payments/explanation/failures.ts';
import type { History } from '#capabilities/payments/explanation/history.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import type { Item, ItemActor } from '#foundation/explanation/explanation.ts';

const OUTGOING = 'money.md §4.1';
const INCOMING = 'money.md §4.2';
const REFUNDS = 'money.md §4.5';

interface Step {
  readonly at: Date | undefined;
  readonly of?: 'REFUND';
  /** The status after it. */
  readonly to: string;
  readonly title: string;
  readonly rule: string;
  readonly actor: ItemActor['kind'];
  readonly causes?: readonly string[];
}

const CREATING = [
  'createQuote',
  'agentCreateQuote',
  'createTransferOut',
  'createTransferIn',
  'agentCreateTransferOut',
  'agentCreateTransferIn',
  'sandboxFundInternalAccount',
  'sandboxReceive',
  'deposit book',
];
const EXECUTING = [
  'executeQuote',
  'agentExecuteQuote',
  'approveAgentAction',
  'approvePendingPayment',
  'sandboxSend',
  'authorizeQuote',
];

/** Every change of status, with the rule that made it, the oldest first. */
export function transitionsOf(row: TransactionRow, history: History): Item[] {
  const steps = row.type === 'OUTGOING' ? outgoing(row, history) : incoming(row, history);
  const done = steps.filter((step) => step.at !== undefined);
  const ordered = done.toSorted((a, b) => (a.at as Date).getTime() - (b.at as Date).getTime());
  const status = { PAYMENT: null as string | null, REFUND: null as string | null };
  return ordered.map((step) => {
    const of = step.of ?? 'PAYMENT';
    const from = status[of];
    status[of] = step.to;
    return {
      kind: 'transition',
      at: step.at,
      actor: { kind: step.actor },
      title: step.title,
      rule: step.rule,
      causes: step.causes,
      details: { of, from: from ?? 'none', to: step.to },
    };
  });
}

function outgoing(row: TransactionRow, history: History): Step[] {
  const isQuote = row.kind === 'QUOTE';
  return [
    {
      at: history.created,
      to: 'PENDING',
      title: isQuote ? 'The quote and its transaction were created.' : 'The transfer was created.',
      rule: OUTGOING,
      actor: 'TOKEN',
      causes: CREATING,
    },
    {
      at: history.asked,
      to: 'PENDING_AUTHORIZATION',
      title: 'The customer was asked to authorize the payment.',
      rule: OUTGOING,
      actor: 'SERVICE',
    },
    ...executions(row, history),
    {
      at: history.delivered,
      to: 'COMPLETED',
      title: 'The money was delivered, and the payment was completed.',
      rule: OUTGOING,
      actor: 'RAIL',
    },
    ...endings(row, history, OUTGOING),
    ...refunds(row, history),
  ];
}

/** A quote that is funded with the wrong amount, or over the limit, fails without ever being processed. */
function executions(row: TransactionRow, history: History): Step[] {
  const isRefusedFunding =
    row.source.kind === 'REALTIME' && history.failed?.getTime() === history.executed?.getTime();
  if (isRefusedFunding) return [];
  return [
    {
      at: history.executed,
      to: row.kind === 'TRANSFER' && row.status === 'PENDING' ? 'PENDING' : 'PROCESSING',
      title: EXECUTED[row.source.kind],
      rule: OUTGOING,
      actor: 'TOKEN',
      causes: EXECUTING,
    },
  ];
}

const EXECUTED: Readonly<Record<TransactionRow['source']['kind'], string>> = {
  INTERNAL: 'The payment started: the money was taken from the payer’s account.',
  EXTERNAL: 'The payment started, and the money is being collected from the payer’s external account.',
  REALTIME: 'The money for the quote arrived, and the payment started.',
  UMA: 'The payment started.',
};

function incoming(row: TransactionRow, history: History): Step[] {
  const isBookedAtOnce = row.kind === 'DEPOSIT' || row.kind === 'MIRROR';
  const created: Step = {
    at: history.created,
    to: 'PENDING',
    title: MADE[row.kind],
    rule: INCOMING,
    actor: row.kind === 'UMA' ? 'RAIL' : 'TOKEN',
    causes: CREATING,
  };
  if (isBookedAtOnce) {
    const rule = row.kind === 'MIRROR' ? 'money.md §4.3' : INCOMING;
    return [{ ...created, to: 'COMPLETED', rule, actor: 'SERVICE' }, ...endings(row, history, INCOMING)];
  }
  return [
    created,
    {
      at: history.delivered,
      to: 'COMPLETED',
      title: 'The money arrived, and the payment was completed.',
      rule: INCOMING,
      actor: 'RAIL',
    },
    ...endings(row, history, INCOMING),
    ...refunds(row, history),
  ];
}

const MADE: Readonly<Record<TransactionRow['kind'], string>> = {
  QUOTE: 'The quote and its transaction were created.',
  TRANSFER: 'The transfer was created.',
  DEPOSIT: 'Money arrived and was credited.',
  UMA: 'Another provider offered the payment.',
  MIRROR: 'Another customer’s payment reached this account.',
};

function endings(row: TransactionRow, history: History, rule: string): Step[] {
  const failure = row.failure_reason && FAILURES[row.failure_reason];
  return [
    {
      at: history.failed,
      to: 'FAILED',
      title: `The payment failed. ${failure ? failure.sentence : ''}`.trim(),
      rule,
      actor: failure?.by ?? 'SERVICE',
    },
    {
      at: history.expired,
      to: 'EXPIRED',
      title:
        row.kind === 'QUOTE' ? 'The quote expired.' : 'The agent’s transfer was rejected, so it expired.',
      rule: row.kind === 'QUOTE' ? 'money.md §3.1' : rule,
      actor: 'SERVICE',
    },
    {
      at: history.rejected,
      to: 'REJECTED',
      title: 'The platform rejected the payment.',
      rule,
      actor: 'TOKEN',
      causes: ['rejectPendingPayment', 'rejectAgentAction', 'incoming payment rejected'],
    },
  ];
}

function refunds(row: TransactionRow, history: History): Step[] {
  const { isCancelled } = history;
  const why = isCancelled ? 'because the payment was cancelled' : 'because the payment failed';
  const after: Step[] = isCancelled
    ? [
        {
          at: history.refundPaid,
          to: 'COMPLETED',
          title: 'The cancelled payment ended with its refund.',
          rule: OUTGOING,
          actor: 'SERVICE',
        },
      ]
    : [];
  return [
    {
      at: history.refundStarted,
      of: 'REFUND',
      to: 'PENDING',
      title: `A refund began, ${why}.`,
      rule: REFUNDS,
      actor: 'SERVICE',
      causes: isCancelled ? ['cancelTransaction'] : [],
    },
    {
      at: history.refundPaid,
      of: 'REFUND',
      to: 'COMPLETED',
      title: row.kind === 'UMA' ? 'The sender got the money back.' : 'The payer got the money back.',
      rule: REFUNDS,
      actor: 'RAIL',
    },
    {
      at: history.refundSuspended,
      of: 'REFUND',
      to: 'FAILED',
      title: 'The refund could not be paid. The money waits for the operator.',
      rule: REFUNDS,
      actor: 'RAIL',
    },
    ...after,
  ];
}
