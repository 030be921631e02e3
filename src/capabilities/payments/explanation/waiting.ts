import { awaitsDecision } from '#capabilities/payments/machine/uma.ts';
import { shownStatus } from '#capabilities/payments/present-transaction.ts';
import {
  awaitsApproval,
  awaitsAuthorization,
  isCollecting,
  isOpenQuote,
  payerAccount,
  quoteIdOf,
  type TransactionRow,
} from '#capabilities/payments/row.ts';
import { canBeCancelled } from '#capabilities/payments/transactions/cancel-transaction.ts';
import type { Challenge } from '#capabilities/sca/challenges/store.ts';
import { BECAUSE } from '#foundation/database/attention.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { ItemActor, OperatorCommand, Waiting, WaitingWay } from '#foundation/explanation/explanation.ts';
import { sayAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { Awaited, Way } from '#foundation/ports/explanations.ts';

export interface WaitFacts {
  readonly challenge: Challenge | undefined;
  /** The available balance of an internal source. */
  readonly available: bigint | undefined;
  /** When the first of its jobs is due. */
  readonly nextDue: Date | undefined;
  /** Until when the platform may decide about an incoming payment. */
  readonly decideBy: Date | undefined;
  /** The journal entry that booked a refund that could not be paid. */
  readonly suspenseEntry: Id<'JournalEntry'> | undefined;
}

type By = Waiting['by'];

/** Says what an unfinished payment waits for; undefined if it has ended (operator.md §8.2). */
export function waitingOf(tx: ReadTx, row: TransactionRow, facts: WaitFacts): Waiting | undefined {
  if (row.refund_status === 'PENDING') return refundWait(tx, row, facts);
  if (row.refund_status === 'FAILED') return suspenseWait(tx, row, facts);
  if (!['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING'].includes(shownStatus(row, tx.now)))
    return undefined;
  if (awaitsApproval(row, tx.now)) return approvalWait(tx, row);
  if (awaitsAuthorization(row)) return authorizationWait(tx, row, facts);
  if (awaitsDecision(row)) return decisionWait(row, facts);
  if (isOpenQuote(row))
    return row.source.kind === 'REALTIME' ? fundsWait(tx, row) : executionWait(tx, row, facts);
  return isCollecting(row) ? collectionWait(tx, row, facts) : railWait(tx, row, facts);
}

const by = (who: ItemActor['kind'], way: Way): By[number] => ({ who, ...way });

/** Ways to simulate the awaited party; none where the outside world is real. */
function played(tx: ReadTx, who: ItemActor['kind'], awaited: Awaited | undefined): By {
  return awaited ? tx.ports.explanations.waysToCause(awaited, tx.now).map((way) => by(who, way)) : [];
}

/** Moving the clock to a time, with a clause that says what happens then. */
const atTime = (at: Date | null | undefined, when: string): Awaited | undefined =>
  at ? { kind: 'TIME', at, when } : undefined;

const EXPIRES = 'when the quote expires';
const ASKS = 'when the service asks the rail';

function executionWait(tx: ReadTx, row: TransactionRow, { available }: WaitFacts): Waiting {
  const quoteId = publicId('Quote', quoteIdOf(row));
  const missing = available === undefined ? 0n : row.sending_amount - available;
  const isShort = missing > 0n;
  const executes = row.agent_id === null ? 'the platform' : 'the agent';
  const show = (amount: bigint) => sayAmount(amount, row.sending_currency, tx.platform.ownCurrencies);
  return {
    for: isShort
      ? `The payer’s account is short by ${show(missing)}: it has ${show(available ?? 0n)}, and the quote needs ${show(row.sending_amount)}. Once it is funded, ${executes} has to execute the quote.`
      : `${executes.replace('t', 'T')} has to execute the quote.`,
    since: row.created_at,
    until: row.expires_at ?? undefined,
    afterwards: 'At that time the quote expires. Nothing has moved, so nothing is refunded.',
    by: [
      ...(isShort ? played(tx, 'TOKEN', balanceOf(row, missing, show(missing))) : []),
      ...(row.agent_id === null
        ? []
        : [by('AGENT', { how: 'Execute the quote, with the agent’s own token.' })]),
      by('TOKEN', {
        how: row.agent_id === null ? 'Execute the quote.' : 'Execute the quote in the agent’s place.',
        call: { method: 'POST', path: `/quotes/${quoteId}/execute` },
      }),
      ...played(tx, 'TOKEN', atTime(row.expires_at, EXPIRES)),
    ],
  };
}

function balanceOf(row: TransactionRow, missing: bigint, shown: string): Awaited {
  return { kind: 'BALANCE', accountId: publicId('InternalAccount', payerAccount(row)), missing, shown };
}

function fundsWait(tx: ReadTx, row: TransactionRow): Waiting {
  const amount = sayAmount(row.sending_amount, row.sending_currency, tx.platform.ownCurrencies);
  const quoteId = publicId('Quote', quoteIdOf(row));
  return {
    for: `The payer has to send exactly ${amount}, following the quote’s payment instructions.`,
    since: row.created_at,
    until: row.expires_at ?? undefined,
    afterwards:
      'If the money arrives in time, the payment starts by itself. Otherwise the quote expires at that time.',
    by: [
      by('CUSTOMER', { how: 'Pay the amount, following the quote’s payment instructions.' }),
      ...played(tx, 'TOKEN', { kind: 'FUNDS', quoteId, currency: row.sending_currency }),
      ...played(tx, 'TOKEN', atTime(row.expires_at, EXPIRES)),
    ],
  };
}

function authorizationWait(tx: ReadTx, row: TransactionRow, { challenge }: WaitFacts): Waiting {
  const quoteId = publicId('Quote', quoteIdOf(row));
  const factor = challenge?.factor ?? 'SMS_OTP';
  return {
    for: `The customer has to authorize the payment with ${FACTOR_WORDS[factor]}.`,
    since: challenge?.createdAt,
    until: row.authorize_by ?? undefined,
    afterwards:
      row.source.kind === 'INTERNAL'
        ? 'With the right answer the payment continues. After the fifth wrong answer, or at that time, it fails with SCA_NOT_COMPLETED, and the hold is released.'
        : 'With the right answer the payment continues. After the fifth wrong answer, or at that time, it fails with SCA_NOT_COMPLETED.',
    by: [
      by('CUSTOMER', { how: `Answer the challenge with ${FACTOR_WORDS[factor]}.` }),
      ...(tx.ports.explanations.waysToCause({ kind: 'AUTHORIZATION', quoteId, factor }, tx.now).length > 0
        ? played(tx, 'TOKEN', { kind: 'AUTHORIZATION', quoteId, factor })
        : [
            by('TOKEN', {
              how: 'Pass the customer’s answer on.',
              call: { method: 'POST', path: `/quotes/${quoteId}/authorize` },
            }),
          ]),
      ...played(tx, 'TOKEN', atTime(row.authorize_by, 'when the payment fails without an authorization')),
    ],
  };
}

const FACTOR_WORDS: Readonly<Record<Challenge['factor'], string>> = {
  SMS_OTP: 'the code from the text message',
  TOTP: 'a code from the authenticator app',
  PASSKEY: 'a passkey',
};

function approvalWait(tx: ReadTx, row: TransactionRow): Waiting {
  const path = `/transactions/${publicId('Transaction', row.id)}`;
  return {
    for: 'The platform has to approve the agent’s payment, because the agent’s policy requires it.',
    since: row.updated_at,
    until: row.approve_by ?? undefined,
    afterwards:
      row.kind === 'QUOTE'
        ? 'At that time the quote expires, and the agent’s action fails. Nothing has moved.'
        : 'At that time the transfer fails, and so does the agent’s action. Nothing has moved.',
    by: [
      by('TOKEN', {
        how: 'Approve it, so that the money moves.',
        call: { method: 'POST', path: `${path}/approve` },
      }),
      by('TOKEN', { how: 'Reject it.', call: { method: 'POST', path: `${path}/reject` } }),
      ...played(tx, 'TOKEN', atTime(row.approve_by, 'when the platform can no longer approve it')),
    ],
  };
}

function decisionWait(row: TransactionRow, { decideBy }: WaitFacts): Waiting {
  const path = `/transactions/${publicId('Transaction', row.id)}`;
  return {
    for: 'The platform has to accept or reject the payment: in its answer to the webhook or, after answering 202, with a call.',
    since: row.created_at,
    until: decideBy,
    afterwards:
      'Without a decision the payment fails with PAYMENT_APPROVAL_TIMED_OUT. Nothing has been credited.',
    by: [
      by('RECEIVER', { how: 'Answer the webhook INCOMING_PAYMENT.PENDING with 200, 202 or 403.' }),
      by('TOKEN', { how: 'Accept it.', call: { method: 'POST', path: `${path}/approve` } }),
      by('TOKEN', { how: 'Reject it.', call: { method: 'POST', path: `${path}/reject` } }),
    ],
  };
}

function collectionWait(tx: ReadTx, row: TransactionRow, facts: WaitFacts): Waiting {
  return {
    for: 'The rail has to report whether the money could be collected from the external account.',
    since: row.executed_at ?? undefined,
    nextCheckAt: facts.nextDue,
    afterwards:
      row.type === 'OUTGOING'
        ? 'The service asks the rail until it knows the outcome. Once the money is collected, it is paid to the receiver.'
        : 'The service asks the rail until it knows the outcome. Once the money is collected, it is credited.',
    by: railWays(tx, row, facts),
  };
}

function railWait(tx: ReadTx, row: TransactionRow, facts: WaitFacts): Waiting {
  const isHeld = row.pending_reason !== null;
  return {
    for: isHeld
      ? 'The compliance review has to release or reject the payment.'
      : 'The rail has to report whether the money was delivered.',
    since: row.taken_at ?? row.executed_at ?? undefined,
    nextCheckAt: facts.nextDue,
    afterwards:
      facts.nextDue === undefined
        ? 'A delivery completes the payment. A failure starts a refund of everything that was taken.'
        : 'The service asks the rail until it knows the outcome. A delivery completes the payment; a failure starts a refund of everything that was taken.',
    by: railWays(tx, row, facts),
  };
}

function railWays(tx: ReadTx, row: TransactionRow, { nextDue }: WaitFacts): By {
  const path = `/transactions/${publicId('Transaction', row.id)}/cancel`;
  return [
    by('RAIL', { how: 'Report the outcome.' }),
    byHand(row, 'Report the outcome by hand, if the rail does not.'),
    ...(canBeCancelled(row)
      ? [
          by('TOKEN', {
            how: 'Cancel it. If the rail still allows it, everything that was taken is refunded.',
            call: { method: 'POST', path },
          }),
        ]
      : []),
    ...played(tx, 'TOKEN', atTime(nextDue, ASKS)),
  ];
}

/** The operator reports what the rail did not; the commands are those of `corridor attention`. */
function byHand(row: TransactionRow, how: string): WaitingWay {
  const subject = publicId('Transaction', row.id);
  const commands: OperatorCommand[] = [
    {
      how: `${how} Mark it as settled:`,
      command: `corridor payment settle ${subject} ${BECAUSE}`,
    },
    { how: 'Or mark it as failed:', command: `corridor payment fail ${subject} ${BECAUSE}` },
  ];
  return { who: 'OPERATOR', how, commands };
}

function refundWait(tx: ReadTx, row: TransactionRow, { nextDue }: WaitFacts): Waiting {
  return {
    for: 'The rail has to pay the refund.',
    since: row.refund_initiated_at ?? undefined,
    nextCheckAt: nextDue,
    afterwards: 'The payer then gets all of the money back, fees included.',
    by: [
      by('RAIL', { how: 'Report that the refund was paid.' }),
      byHand(row, 'Report it by hand, if the rail does not.'),
      ...played(tx, 'TOKEN', atTime(nextDue, ASKS)),
    ],
  };
}

function suspenseWait(tx: ReadTx, row: TransactionRow, { suspenseEntry }: WaitFacts): Waiting {
  const entry = suspenseEntry ? publicId('JournalEntry', suspenseEntry) : '<entry>';
  const refund = row.refund_amount ?? row.sending_amount;
  const amount = sayAmount(refund, row.sending_currency, tx.platform.ownCurrencies);
  return {
    for: `The refund of ${amount} could not be paid. The operator has to decide where the money goes.`,
    since: row.updated_at,
    afterwards: 'The operator assigns the money to an account, or pays it out.',
    by: [
      {
        who: 'OPERATOR',
        how: 'Assign the money in suspense, or pay it out.',
        commands: [
          {
            how: 'Assign the money in suspense to an account:',
            command: `corridor suspense resolve ${entry} --to <internal account> ${BECAUSE}`,
          },
          {
            how: 'Or record the rail over which you paid it out:',
            command: `corridor suspense resolve ${entry} --rail <rail> ${BECAUSE}`,
          },
        ],
      },
    ],
  };
}
