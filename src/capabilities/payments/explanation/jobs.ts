import { decideKeys, followKey, JOB } from '#capabilities/payments/machine/jobs.ts';
import { isOpenQuote, type TransactionRow } from '#capabilities/payments/row.ts';
import type { KnownJob } from '#foundation/explanation/explanation.ts';
import { endOfSecond } from '#foundation/lib/clock.ts';

/** Every job that a payment may have, and when those that are done were scheduled. */
export function jobsOf(row: TransactionRow): KnownJob[] {
  return [...ordersOf(row), ...questionsOf(row), ...endsOf(row)];
}

function ordersOf(row: TransactionRow): KnownJob[] {
  const { id, source, refund_initiated_at: refunded } = row;
  const taken = row.taken_at ?? undefined;
  const isPulled = source.kind === 'EXTERNAL' && row.executed_at !== null;
  const isPaidOut = row.type === 'OUTGOING' && taken !== undefined;
  return [
    {
      kind: JOB.collect,
      key: id,
      title: 'ask the rail to collect the money',
      scheduledAt: isPulled ? (row.executed_at ?? undefined) : undefined,
    },
    {
      kind: JOB.pay,
      key: id,
      title: 'ask the rail to pay the receiver',
      scheduledAt: isPaidOut ? taken : undefined,
    },
    {
      kind: JOB.receive,
      key: id,
      title: 'tell the sender’s provider that the payment is accepted',
      scheduledAt: row.kind === 'UMA' ? taken : undefined,
    },
    {
      kind: JOB.refund,
      key: id,
      title: 'ask the rail to pay the money back',
      scheduledAt: refunded ?? undefined,
    },
    { kind: JOB.cancel, key: id, title: 'ask the rail again whether the cancellation was accepted' },
  ];
}

function questionsOf({ id }: TransactionRow): KnownJob[] {
  return [
    ...(['pay', 'collect', 'refund', 'receive'] as const).map((phase) => ({
      kind: JOB.follow,
      key: followKey(id, phase),
      title: FOLLOWED[phase],
    })),
    ...decideKeys(id).map((key) => ({
      kind: JOB.decide,
      key,
      title: 'stop waiting for the platform’s decision',
    })),
  ];
}

const FOLLOWED = {
  pay: 'ask the rail for the outcome of the payout',
  collect: 'ask the rail for the outcome of the collection',
  refund: 'ask the rail for the outcome of the refund',
  receive: 'ask the sender’s provider for the money',
} as const;

/** One job handles all deadlines of the same second. */
function endsOf(row: TransactionRow): KnownJob[] {
  const ends = [
    { kind: JOB.expire, at: isOpenQuote(row) ? row.expires_at : null, title: 'expire the quote' },
    {
      kind: JOB.lapse,
      at: row.status === 'PENDING_AUTHORIZATION' ? row.authorize_by : null,
      title: 'stop waiting for the customer’s authorization',
    },
    { kind: JOB.lapse, at: row.approve_by, title: 'stop waiting for the platform’s approval' },
  ];
  return ends.flatMap(({ kind, at, title }) =>
    at ? [{ kind, key: endOfSecond(at).toISOString(), title }] : [],
  );
}
